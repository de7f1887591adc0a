/**
 * Returns a function of an object that computes its result once per object, for facts that several rules need. Results
 * are kept as long as the object, so it must not change.
 */
export function rememberPerObject<T extends object, R extends object>(compute: (of: T) => R): (of: T) => R {
  const known = new WeakMap<T, R>();
  return (of) => {
    const before = known.get(of);
    if (before) return before;
    const result = compute(of);
    known.set(of, result);
    return result;
  };
}
