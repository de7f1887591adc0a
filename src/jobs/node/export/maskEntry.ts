import type { ListEntry } from '../../common/job.ts';
import { WorkSlices } from '../../../base/clock.ts';
import type { KeyMask } from '../../../platform/http/keyMask.ts';

/**
 * Returns the entry with the key masked everywhere, so that it can be written or copied. Works for any size: yields
 * regularly.
 */
export async function maskEntry<E extends ListEntry>(entry: E, keyMask: KeyMask): Promise<E> {
  const slices = new WorkSlices();
  const raw = await slices.run(keyMask.applyToJson(entry.raw));
  const text = entry.whole && (await slices.run(keyMask.applyToJson(entry.whole.text)));
  if (raw === entry.raw && text === entry.whole?.text) return entry;
  const kind = entry.type === 'job' && { kind: keyMask.apply(entry.kind) };
  return { ...entry, ...kind, raw, ...(entry.whole && { whole: { ...entry.whole, text } }) };
}
