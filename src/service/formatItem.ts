import { formatJsonInParts } from '../domain/json/formatJson.ts';
import { WorkSlices } from './clock.ts';

/** An item's JSON text with line breaks, whatever its size. Yields regularly. @param change of each part, which ends between characters */
export async function formatItem(raw: string, change = (part: string): string => part): Promise<string> {
  const slices = new WorkSlices();
  const parts: string[] = [];
  for (const part of formatJsonInParts(raw)) {
    parts.push(change(part));
    await slices.rest();
  }
  return parts.join('');
}
