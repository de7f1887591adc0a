/** Resolves after that many milliseconds. */
export function timePasses(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
