/**
 * Whether the calendar has a day. `Date` takes 2026-02-30 for 2 March; a day that exists comes back as it went in.
 * @param date a text of the form `YYYY-MM-DD`.
 */
export function dayExists(date: string): boolean {
  const ms = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date);
}
