/** An element that repeats an earlier one. */
export interface Repetition<T> {
  readonly index: number;
  readonly element: T;
  readonly firstIndex: number;
  readonly first: T;
}

/** Finds elements with the key of an earlier element. Skips elements without a key. */
export function* findRepetitions<T>(
  elements: readonly T[],
  keyOf: (element: T) => string | undefined,
): Generator<Repetition<T>, void, undefined> {
  const firstOf = new Map<string, number>();
  for (let index = 0; index < elements.length; index++) {
    const element = elements[index];
    const key = element === undefined ? undefined : keyOf(element);
    if (element === undefined || key === undefined) continue;
    const firstIndex = firstOf.get(key);
    const first = firstIndex === undefined ? undefined : elements[firstIndex];
    if (firstIndex === undefined || first === undefined) firstOf.set(key, index);
    else yield { index, element, firstIndex, first };
  }
}
