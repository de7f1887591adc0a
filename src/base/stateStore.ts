import { attempt, Undecodable, type Decoder } from './decode/decoder.ts';

/** Values by name, stored as JSON for the next session. The editor's `Memento` has this shape. */
export interface StateStore {
  get(name: string): unknown;
  update(name: string, value: unknown): PromiseLike<void>;
}

/**
 * Moves a stored value that cannot be read, because it is damaged or from another version of the product, to a list where
 * nothing overwrites it. The original name can be used again at once.
 * @param listName name of the list of such values
 * @param value the value to add to it
 */
export async function quarantine(memory: StateStore, name: string, listName: string, value: unknown): Promise<void> {
  const kept = memory.get(listName);
  const before: readonly unknown[] = Array.isArray(kept) ? kept : [];
  // Both updates start together, so that a value stored under the name next is not deleted.
  await Promise.all([memory.update(listName, [...before, value]), memory.update(name, undefined)]);
}

/**
 * Returns a stored value; undefined if there is none. Quarantines a value that cannot be decoded, because it is damaged or
 * from another version of the product, so that it isn't overwritten.
 * @param onUnreadable gets a line for the log
 */
export function readStored<T>(
  memory: StateStore,
  name: string,
  decode: Decoder<T>,
  onUnreadable: (line: string) => void,
): T | undefined {
  const value = memory.get(name);
  if (value === undefined) return undefined;
  const read = attempt(decode, value);
  if (!(read instanceof Undecodable)) return read;
  const listName = `${name}.setAside`;
  onUnreadable(`what is kept as ${name} cannot be read; it is set aside as ${listName}: ${read.message}`);
  // A failure leaves the value where it is.
  quarantine(memory, name, listName, value).catch((error: unknown) => onUnreadable(`${name}: ${String(error)}`));
  return undefined;
}
