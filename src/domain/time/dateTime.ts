import { dayExists } from './dayExists.ts';

const isoDateTime = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?)\s*(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** As services write them, and a day that every month has: read without a second look, because lists have thousands. */
const usualDateTime = /^\d{4}-\d\d-(?:[01]\d|2[0-8])T\d\d:\d\d:\d\d(?:\.\d{3})?Z$/;

/**
 * Milliseconds since the epoch of an ISO 8601 date or date-time; undefined when the text is none or names a day that does not
 * exist (2026-02-30). A text without zone is UTC: contract 2.2 says that the service's times are.
 */
export function dateTimeMs(text: string): number | undefined {
  if (usualDateTime.test(text)) return numberOrNone(Date.parse(text));
  const [, day, time = '00:00', zone = 'Z'] = isoDateTime.exec(text.trim()) ?? [];
  if (day === undefined || !dayExists(day)) return undefined;
  return numberOrNone(Date.parse(`${day}T${time.replace(',', '.')}${zone.replace(/(\d\d)(\d\d)$/, '$1:$2')}`));
}

function numberOrNone(ms: number): number | undefined {
  return Number.isNaN(ms) ? undefined : ms;
}
