/** What a log says of an error that nobody expected: with the place where it was thrown, if it tells one. */
export function traceOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
