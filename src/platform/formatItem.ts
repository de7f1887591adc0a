import { canonicalizeJsonInSteps, formatJsonInParts } from '../base/json/formatJson.ts';
import { endOfPart } from '../base/json/jsonText.ts';
import { WorkSlices } from '../base/clock.ts';

/**
 * Returns an item's JSON text with line breaks, whatever its size. Yields regularly. @param change applied to each
 * part, which ends between characters
 */
export async function formatItem(raw: string, change = (part: string): string => part): Promise<string> {
  const slices = new WorkSlices();
  const parts: string[] = [];
  for (const part of formatJsonInParts(raw)) {
    parts.push(change(part));
    await slices.rest();
  }
  return parts.join('');
}

/** Number of characters changed at once. */
const changedCharacters = 128 * 1024;

/**
 * Returns an item's canonical JSON text, which only differs where the content differs. Yields regularly. @param change
 * as in {@link formatItem}
 */
export async function canonicalItem(raw: string, change: (part: string) => string): Promise<string> {
  return changeInParts(await new WorkSlices().run(canonicalizeJsonInSteps(raw)), change);
}

/** Returns a text of any length with each of its parts changed. Parts end between characters. Yields regularly. */
export async function changeInParts(text: string, change: (part: string) => string): Promise<string> {
  const slices = new WorkSlices();
  const parts: string[] = [];
  for (let at = 0; at < text.length;) {
    const end = endOfPart(text, at, changedCharacters);
    parts.push(change(text.slice(at, end)));
    at = end;
    await slices.rest();
  }
  return parts.join('');
}
