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
