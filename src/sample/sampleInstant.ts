const pattern = /^(?<day>\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?<zone>Z|[+-]\d{2}:\d{2})?)?$/;

/**
 * An ISO 8601 date or date-time as epoch milliseconds; a text that names no zone is UTC. Undefined for anything else,
 * the 30th of February included.
 */
export function sampleInstant(text: string): number | undefined {
  const parts = pattern.exec(text)?.groups;
  const day = parts?.['day'];
  if (day === undefined || !isCalendarDay(day)) return undefined;
  const at = Date.parse(text.length === day.length || parts?.['zone'] !== undefined ? text : `${text}Z`);
  return Number.isNaN(at) ? undefined : at;
}

/** Date.parse lets a day run over into the next month. */
function isCalendarDay(day: string): boolean {
  const at = Date.parse(day);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
}
