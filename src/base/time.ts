export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

const isoDateTime = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?)\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/**
 * The usual format of services, with a day that exists in every month. It needs no further check, and its digits are at
 * fixed positions, which saves time in long lists.
 */
const usualDateTime =
  /^[1-9]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{3})?Z$/;

/**
 * Parses an ISO 8601 date or date-time to milliseconds since the epoch; undefined for other texts and for days that do not
 * exist (2026-02-30). A text without a time zone is UTC, as in contract 2.2.
 */
export function parseDateTimeMs(text: string): number | undefined {
  if (usualDateTime.test(text)) return readUsualMs(text);
  const [, day, time = '00:00', zone = 'Z'] = isoDateTime.exec(text.trim()) ?? [];
  if (day === undefined || !isCalendarDay(day)) return undefined;
  return numberOrNone(Date.parse(`${day}T${time.replace(',', '.')}${fullZone(zone)}`));
}

function readUsualMs(text: string): number {
  const two = (at: number): number => 10 * text.charCodeAt(at) + text.charCodeAt(at + 1) - 11 * zero;
  const ms = text.length < 24 ? 0 : 10 * two(20) + text.charCodeAt(22) - zero;
  return Date.UTC(100 * two(0) + two(2), two(5) - 1, two(8), two(11), two(14), two(17), ms);
}

/** Character code of the digit 0. */
const zero = 48;

/** Returns an offset with its minutes: `+01` as `+01:00`, `+0530` as `+05:30`. */
function fullZone(zone: string): string {
  return zone.replace(/^([+-]\d\d):?(\d\d)?$/, (_zone, hours: string, minutes = '00') => `${hours}:${minutes}`);
}

function numberOrNone(ms: number): number | undefined {
  return Number.isNaN(ms) ? undefined : ms;
}

/**
 * True if the calendar contains a day. `Date` converts 2026-02-30 to 2 March, so only an existing day is returned
 * unchanged.
 * @param date a text of the form `YYYY-MM-DD`.
 */
export function isCalendarDay(date: string): boolean {
  const ms = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date);
}

/** Format of a day, which may not exist. */
export const dayForm = /^\d{4}-\d{2}-\d{2}$/;

/** Validates a day `YYYY-MM-DD`; undefined when malformed or not in the calendar (2026-02-30). */
export function dayOf(text: string): string | undefined {
  const day = text.trim();
  // Years below 100 are typing errors, and `Date.UTC` would map them to 1900 and later.
  return dayForm.test(day) && isCalendarDay(day) && day >= '0100' ? day : undefined;
}

/**
 * Returns the instant at which clocks in a time zone show a time: the earlier one if they show it twice, undefined if
 * they skip it.
 * @param wallMs the local time as if it were UTC, in milliseconds since the epoch.
 * @param timeZone IANA name; undefined for the machine's own.
 */
export function resolveZonedMs(wallMs: number, timeZone: string | undefined): number | undefined {
  const shown = candidates(wallMs, timeZone).filter((atMs) => wallMsAt(atMs, timeZone) === wallMs);
  return shown.length === 0 ? undefined : Math.min(...shown);
}

/**
 * Returns the first instant of a day in a time zone, even if the clocks skip midnight.
 * @param dayStartMs the day's midnight as if it were UTC.
 */
export function resolveStartOfDayMs(dayStartMs: number, timeZone: string | undefined): number {
  // Clocks that skip midnight do so at the instant that is midnight with the previous offset.
  return resolveZonedMs(dayStartMs, timeZone) ?? candidates(dayStartMs, timeZone)[0];
}

/** Returns the first instant of the current day in a time zone. */
export function resolveStartOfTodayMs(nowMs: number, timeZone: string | undefined): number {
  const wall = wallMsAt(nowMs, timeZone);
  return resolveStartOfDayMs(wall - (wall % dayMs), timeZone);
}

/** Returns the local time of a zone at an instant, as if it were UTC. */
export function wallMsAt(atMs: number, timeZone: string | undefined): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(atMs);
  const part = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.find((each) => each.type === type)?.value);
  const whole = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return whole + (atMs - Math.floor(atMs / 1000) * 1000);
}

/** Returns the results with the offsets of the day before and the day after: no zone changes its clocks twice within two days. */
function candidates(wallMs: number, timeZone: string | undefined): readonly [number, number] {
  const byOffsetAt = (atMs: number): number => wallMs - (wallMsAt(atMs, timeZone) - atMs);
  return [byOffsetAt(wallMs - dayMs), byOffsetAt(wallMs + dayMs)];
}
