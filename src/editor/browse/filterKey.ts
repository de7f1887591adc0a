/** Under which name the workspace remembers a connection's filter. */
export function filterKey(connection: string): string {
  return `filter/${connection}`;
}
