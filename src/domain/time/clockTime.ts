/** The time of day of an instant, without its day: for what is soon or has just been. */
export function clockTime(atMs: number): string {
  return new Date(atMs).toLocaleTimeString([], { timeStyle: 'short' });
}
