/** Returns the bytes in use on and outside the heap after garbage collection. Needs `--expose-gc`. */
export function heldBytes(): number {
  if (globalThis.gc === undefined) throw new Error('run with --expose-gc');
  // Collecting an object can make others collectable.
  for (let times = 0; times < 3; times++) globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
