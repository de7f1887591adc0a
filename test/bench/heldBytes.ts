/** Bytes that are really held: the heap and what lies outside it, after all garbage has gone. Needs `--expose-gc`. */
export function heldBytes(): number {
  if (globalThis.gc === undefined) throw new Error('run with --expose-gc');
  // What the first collection lets go of may hold something itself.
  for (let times = 0; times < 3; times++) globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
