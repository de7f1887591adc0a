import type { StateStore } from './ports.ts';

/**
 * Moves what is kept under a name and cannot be read, damaged or from another version of the product, to where nothing overwrites it.
 * The name itself is free at once.
 * @param listName where such things are kept, one after another
 * @param value what is added there
 */
export async function quarantine(memory: StateStore, name: string, listName: string, value: unknown): Promise<void> {
  const kept = memory.get(listName);
  const before: readonly unknown[] = Array.isArray(kept) ? kept : [];
  // Both at once: whatever is kept next under the name must not be lost.
  await Promise.all([memory.update(listName, [...before, value]), memory.update(name, undefined)]);
}
