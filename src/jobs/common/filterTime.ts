import { t } from '@vscode/l10n';
import {
  dayForm,
  dayMs,
  dayOf,
  hourMs,
  minuteMs,
  resolveStartOfDayMs,
  resolveStartOfTodayMs,
  resolveZonedMs,
  wallMsAt,
} from '../../base/time.ts';
import { formatTime, type Locale } from '../../base/format.ts';
import type { ListParams } from './listParams.ts';
import type { FilterTime } from './jobFilter.ts';

/** Result of parsing a typed time: an instant in UTC, or a sentence that explains the error. */
export type TypedInstant =
  | { readonly type: 'instant'; readonly iso: string; readonly atMs: number }
  | { readonly type: 'refused'; readonly why: string };

const timeForm =
  /^(\d{4}-\d{2}-\d{2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3}))?)?\s*(Z|[+-]\d{2}:\d{2})?)?$/i;

/** A time of today. */
const clockForm = /^\d{1,2}:\d{2}$/;

/** Returns a sentence if the text is not valid for the parameter `date`. */
export function findDayProblem(text: string): string | undefined {
  if (!dayForm.test(text.trim())) return t('Write the day as 2026-02-28.');
  return dayOf(text) === undefined ? t("This day doesn't exist.") : undefined;
}

/**
 * Parses a typed time: `2026-11-20`, `2026-11-20 14:30` or `2026-11-20 14:30:15`, optionally with `Z` or an offset;
 * `14:30` is today.
 * @param nowMs determines the current day in the zone
 * @param timeZone IANA name of the zone for times without one; undefined for the machine's own.
 * @param bound a day without time means its first instant as a start, and the first instant after it as an end.
 */
export function readTypedInstant(
  text: string,
  timeZone: string | undefined,
  bound: 'start' | 'end',
  nowMs: number,
): TypedInstant {
  const typed = text.trim();
  const today = new Date(wallMsAt(nowMs, timeZone)).toISOString().slice(0, 'yyyy-mm-dd'.length);
  const match = timeForm.exec(clockForm.test(typed) ? `${today} ${typed}` : typed);
  if (match === null) return refused(t('Write the time as 2026-02-28, 2026-02-28 14:30 or, for today, 14:30.'));
  const [, date = '', hours, minutes, seconds = '00', fraction = '0', zone] = match;
  const day = dayOf(date);
  if (day === undefined) return refused(t("This day doesn't exist."));
  if (hours === undefined || minutes === undefined) {
    const startMs = Date.parse(`${day}T00:00:00Z`);
    return instant(resolveStartOfDayMs(bound === 'start' ? startMs : startMs + dayMs, timeZone));
  }
  const wall = Date.parse(`${day}T${hours.padStart(2, '0')}:${minutes}:${seconds}.${fraction.padEnd(3, '0')}Z`);
  // `Date` reads 24:00 as midnight of the next day, which users do not mean.
  if (Number.isNaN(wall) || Number(hours) > 23) return refused(t("This time doesn't exist."));
  const atMs = zone === undefined ? resolveZonedMs(wall, timeZone) : wall - offsetMs(zone);
  return atMs === undefined ? refused(t("Clocks go forward then: this time doesn't exist.")) : instant(atMs);
}

/** Returns a sentence if the end is not after the start. */
export function findRangeProblem(
  after: TypedInstant | undefined,
  before: TypedInstant | undefined,
): string | undefined {
  if (after === undefined && before === undefined) return t('Enter a start, an end or both.');
  if (after?.type !== 'instant' || before?.type !== 'instant') return undefined;
  return before.atMs > after.atMs ? undefined : t('The end must come after the start.');
}

/**
 * Returns the requested time span, in the reader's time: "since 12:00 AM", with the day unless it is today. Empty without
 * a time condition.
 */
export function describeSpan({ date, afterDate, beforeDate }: ListParams, nowMs: number, locale: Locale): string {
  if (date !== undefined) return t('in the time zone of the service');
  const after = afterDate === undefined ? undefined : formatTime(Date.parse(afterDate), nowMs, undefined, locale);
  const before = beforeDate === undefined ? undefined : formatTime(Date.parse(beforeDate), nowMs, undefined, locale);
  if (after !== undefined && before !== undefined) {
    return isWholeDay(afterDate, beforeDate, locale) ? dayText(afterDate, locale) : t('{0} to {1}', after, before);
  }
  return after === undefined ? (before === undefined ? '' : t('until {0}', before)) : t('since {0}', after);
}

/** True for a span from one midnight to the next, on a day of any length. */
function isWholeDay(after: string | undefined, before: string | undefined, { timeZone }: Locale): boolean {
  if (after === undefined || before === undefined) return false;
  const hours = (Date.parse(before) - Date.parse(after)) / hourMs;
  const isMidnight = (date: string): boolean => resolveStartOfTodayMs(Date.parse(date), timeZone) === Date.parse(date);
  return hours > 20 && hours < 28 && isMidnight(after) && isMidnight(before);
}

function dayText(date: string | undefined, { language, timeZone }: Locale): string {
  return new Intl.DateTimeFormat(language, { timeZone, month: 'short', day: 'numeric' }).format(Date.parse(date ?? ''));
}

/** Predefined times. */
export const presets = [
  { type: 'any' },
  { type: 'today', utc: false },
  { type: 'today', utc: true },
  { type: 'yesterday' },
  { type: 'last', hours: 1 },
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
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * minuteMs;
}
