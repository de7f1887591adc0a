import { t } from '@vscode/l10n';
import { isCalendarDay, resolveStartOfDayMs, resolveZonedMs } from '../time.ts';
import type { FilterTime } from './jobFilter.ts';
import type { ListParams } from '../jobs/listParams.ts';

/** Result of parsing a typed time: an instant in UTC, or a sentence that explains the error. */
export type TypedInstant =
  | { readonly type: 'instant'; readonly iso: string; readonly atMs: number }
  | { readonly type: 'refused'; readonly why: string };

const dayForm = /^\d{4}-\d{2}-\d{2}$/;
const timeForm =
  /^(\d{4}-\d{2}-\d{2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3}))?)?\s*(Z|[+-]\d{2}:\d{2})?)?$/i;

/** Validates a day `YYYY-MM-DD`; undefined when malformed or not in the calendar (2026-02-30). */
export function dayOf(text: string): string | undefined {
  const day = text.trim();
  // Years below 100 are typing errors, and `Date.UTC` would map them to 1900 and later.
  return dayForm.test(day) && isCalendarDay(day) && day >= '0100' ? day : undefined;
}

/** A sentence when the text is not valid for the parameter `date`. */
export function findDayProblem(text: string): string | undefined {
  if (!dayForm.test(text.trim())) return t('Write the day like 2026-02-28.');
  return dayOf(text) === undefined ? t('There is no such day.') : undefined;
}

/**
 * Parses a typed time: `2026-11-20`, `2026-11-20 14:30` or `2026-11-20 14:30:15`, optionally with `Z` or an offset.
 * @param timeZone IANA name of the zone for times without one; undefined for the machine's own.
 * @param bound a day without time means its first instant as a start, and the first instant after it as an end.
 */
export function readTypedInstant(text: string, timeZone: string | undefined, bound: 'start' | 'end'): TypedInstant {
  const match = timeForm.exec(text.trim());
  if (match === null) return refused(t('Write the time like 2026-02-28 or 2026-02-28 14:30.'));
  const [, date = '', hours, minutes, seconds = '00', fraction = '0', zone] = match;
  const day = dayOf(date);
  if (day === undefined) return refused(t('There is no such day.'));
  if (hours === undefined || minutes === undefined) {
    const dayMs = Date.parse(`${day}T00:00:00Z`);
    return instant(resolveStartOfDayMs(bound === 'start' ? dayMs : dayMs + 86_400_000, timeZone));
  }
  const wall = Date.parse(`${day}T${hours.padStart(2, '0')}:${minutes}:${seconds}.${fraction.padEnd(3, '0')}Z`);
  // `Date` reads 24:00 as midnight of the next day, which is not what users mean.
  if (Number.isNaN(wall) || Number(hours) > 23) return refused(t('There is no such time of the day.'));
  const atMs = zone === undefined ? resolveZonedMs(wall, timeZone) : wall - offsetMs(zone);
  return atMs === undefined ? refused(t('The clocks are put forward then: there is no such time.')) : instant(atMs);
}

/** A sentence when the end is not after the start. */
export function findRangeProblem(
  after: TypedInstant | undefined,
  before: TypedInstant | undefined,
): string | undefined {
  if (after === undefined && before === undefined) return t('Give a start, an end or both.');
  if (after?.type !== 'instant' || before?.type !== 'instant') return undefined;
  return before.atMs > after.atMs ? undefined : t('The end must come after the start.');
}

/** The date parameters as sent (contract 4.5): `after_date=2026-11-20T00:00:00.000Z`. Empty when there are none. */
export function formatSentDates({ date, afterDate, beforeDate }: ListParams): string {
  return [
    ...(date === undefined ? [] : [`date=${date}`]),
    ...(afterDate === undefined ? [] : [`after_date=${afterDate}`]),
    ...(beforeDate === undefined ? [] : [`before_date=${beforeDate}`]),
  ].join('&');
}

/** Predefined times. */
export const presets = [
  { type: 'any' },
  { type: 'today', utc: false },
  { type: 'today', utc: true },
  { type: 'last', hours: 24 },
  { type: 'last', hours: 7 * 24 },
] as const satisfies readonly FilterTime[];

function instant(atMs: number): TypedInstant {
  return { type: 'instant', iso: new Date(atMs).toISOString(), atMs };
}

function refused(why: string): TypedInstant {
  return { type: 'refused', why };
}

function offsetMs(zone: string): number {
  const [, sign = '+', hours = '0', minutes = '0'] = /^([+-])(\d{2}):(\d{2})$/.exec(zone) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}
