import { dayMs, hourMs, minuteMs } from './time.ts';

/** Formats a number in the reader's locale, with full precision. `grouped` adds thousands separators. */
export function formatNumber(value: number, { language }: Locale, grouped = true): string {
  const name = `${language ?? ''} ${grouped}`;
  const known =
    numberFormats.get(name) ?? new Intl.NumberFormat(language, { maximumFractionDigits: 20, useGrouping: grouped });
  numberFormats.set(name, known);
  return known.format(value);
}

/** Cached, because creating a formatter costs about a hundred times as much as using it, and lists format every row. */
const numberFormats = new Map<string, Intl.NumberFormat>();

/** Formats date and time to the second, with the zone, in the reader's locale. */
export function formatMoment(atMs: number, { language, timeZone }: Locale): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'long', timeZone }).format(atMs);
}

/**
 * Formats the distance from now in its largest whole unit: "3 minutes ago", "in 2 hours". Days and months are those of
 * the calendar, as in "yesterday" and "last month".
 */
export function formatDistance(atMs: number, nowMs: number, locale: Locale): string {
  const format = distanceFormat(locale.language);
  const distance = atMs - nowMs;
  const size = Math.abs(distance);
  if (size < minuteMs) return format.format(0, 'second');
  if (size < hourMs) return format.format(Math.trunc(distance / minuteMs), 'minute');
  const days = size < dayMs ? 0 : calendarDay(atMs, locale) - calendarDay(nowMs, locale);
  // A day has 25 hours when clocks are set back.
  if (days === 0) return format.format(Math.trunc(distance / hourMs), 'hour');
  const months = Math.abs(days) < 30 ? 0 : calendarMonth(atMs, locale) - calendarMonth(nowMs, locale);
  if (months === 0) return format.format(days, 'day');
  if (Math.abs(months) < 12) return format.format(months, 'month');
  return yearsFormat(locale.language).format(Math.trunc(months / 12), 'year');
}

/** Returns the number of a day of the reader's calendar, counted without gaps. */
function calendarDay(atMs: number, locale: Locale): number {
  const { year, month, day: dayOfMonth } = calendarDate(atMs, locale);
  return Date.UTC(year, month - 1, dayOfMonth) / dayMs;
}

function calendarMonth(atMs: number, locale: Locale): number {
  const { year, month } = calendarDate(atMs, locale);
  return 12 * year + month;
}

function calendarDate(atMs: number, { timeZone }: Locale) {
  const numeric = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;
  const [month = 0, dayOfMonth = 0, year = 0] = dateFormat({ language: 'en-US', timeZone }, numeric)
    .format(atMs)
    .split('/')
    .map(Number);
  return { year, month, day: dayOfMonth };
}

/** Style of times: relative to now ("3 minutes ago"), or by the clock ("14:02"). */
export type TimeStyle = 'relative' | 'clock';

/** Formats a time in the reader's preferred style. By the clock, adds the day unless it is today. */
export function formatWhen(atMs: number, nowMs: number, style: TimeStyle | undefined, locale: Locale): string {
  return style === 'clock' ? formatTime(atMs, nowMs, style, locale) : formatDistance(atMs, nowMs, locale);
}

/** Formats a time for a sentence, where it is never relative: the time of day as {@link formatHours}, with the day unless it is today. */
export function formatTime(atMs: number, nowMs: number, style: TimeStyle | undefined, locale: Locale): string {
  const day = dateFormat(locale, { dateStyle: 'short' });
  if (day.format(atMs) === day.format(nowMs)) return formatHours(atMs, style, locale);
  const year = dateFormat(locale, { year: 'numeric' });
  const isThisYear = year.format(atMs) === year.format(nowMs);
  return dateFormat(locale, {
    ...(!isThisYear && { year: 'numeric' }),
    month: 'short',
    day: 'numeric',
    ...(style === 'clock' ? hoursAndMinutes : { hour: 'numeric', minute: '2-digit' }),
  }).format(atMs);
}

/** Formats the time of day: in the format of the reader's language or, by the clock, as `hh:mm` in 24 hours. */
export function formatHours(atMs: number, style: TimeStyle | undefined, locale: Locale): string {
  return dateFormat(locale, style === 'clock' ? hoursAndMinutes : { timeStyle: 'short' }).format(atMs);
}

/** As {@link formatHours}, with the seconds, for a time that is close. */
export function formatSeconds(atMs: number, style: TimeStyle | undefined, locale: Locale): string {
  return dateFormat(
    locale,
    style === 'clock' ? { ...hoursAndMinutes, second: '2-digit' } : { timeStyle: 'medium' },
  ).format(Math.ceil(atMs / 1000) * 1000);
}

const hoursAndMinutes = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

/** Cached for the same reason as number formats. */
const dateFormats = new Map<string, Intl.DateTimeFormat>();

function dateFormat({ language, timeZone }: Locale, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = JSON.stringify([language, timeZone, options]);
  const known = dateFormats.get(name) ?? new Intl.DateTimeFormat(language, { ...options, timeZone });
  dateFormats.set(name, known);
  return known;
}

/** Cached for the same reason. */
const distanceFormats = new Map<string, Intl.RelativeTimeFormat>();

function distanceFormat(language: string): Intl.RelativeTimeFormat {
  const known = distanceFormats.get(language) ?? new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  distanceFormats.set(language, known);
  return known;
}

/**
 * Returns a format with numbers only: "1 year ago", because "last year" may be two or twenty months ago. Not cached,
 * because it is rarely used.
 */
function yearsFormat(language: string): Intl.RelativeTimeFormat {
  return new Intl.RelativeTimeFormat(language, { numeric: 'always' });
}

/** Formats the age of something in a list: "now", "2m", "3h", "yesterday", "5d", and a day if it is older than a month. */
export function formatAge(atMs: number, nowMs: number, locale: Locale): string {
  const age = nowMs - atMs;
  const { language } = locale;
  if (age < minuteMs) return formatDistance(atMs, nowMs, locale);
  if (age < hourMs) return ageFormat(language, 'minute').format(Math.trunc(age / minuteMs));
  const days = age < dayMs ? 0 : calendarDay(nowMs, locale) - calendarDay(atMs, locale);
  if (days === 0) return ageFormat(language, 'hour').format(Math.trunc(age / hourMs));
  if (days === 1) return distanceFormat(language).format(-1, 'day');
  if (days < 30) return ageFormat(language, 'day').format(days);
  return dayFormat(locale, age < 365 * dayMs).format(atMs);
}

/** Cached for the same reason. */
const ageFormats = new Map<string, Intl.NumberFormat>();
const dayFormats = new Map<string, Intl.DateTimeFormat>();

export function ageFormat(language: string, unit: TimeUnit): Intl.NumberFormat {
  const name = `${language} ${unit}`;
  // In French, the narrow form "19min" is only for tables. The short form is "19 min", without a word.
  const unitDisplay = language.startsWith('fr') ? 'short' : 'narrow';
  const known = ageFormats.get(name) ?? new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay });
  ageFormats.set(name, known);
  return known;
}

function dayFormat({ language, timeZone }: Locale, isOfThisYear: boolean): Intl.DateTimeFormat {
  const name = `${language} ${timeZone ?? ''} ${isOfThisYear}`;
  const known =
    dayFormats.get(name) ??
    new Intl.DateTimeFormat(language, {
      month: 'short',
      ...(isOfThisYear ? { day: 'numeric' } : { year: 'numeric' }),
      timeZone,
    });
  dayFormats.set(name, known);
  return known;
}

/** Units of ages and durations. */
export type TimeUnit = 'day' | 'hour' | 'minute' | 'second';

/** Inputs of a view besides the job. */
export interface ViewFacts {
  /** The label of the job's row in the tree. */
  readonly title: string;
  readonly nowMs: number;
  readonly locale: Locale;
  /** The user's labels for error codes, by code. */
  readonly errorLabels: Readonly<Record<string, string>>;
  /** HTTP status that the job's error code stands for, if known. */
  readonly errorStatus?: number | undefined;
  /** The job was submitted from this computer. */
  readonly isSubmitted?: boolean;
  /** Describes the newest job that repeats this failed one. */
  readonly resubmission?: string | undefined;
  /** Its failure was marked as handled. */
  readonly isHandled?: boolean;
  /** Results of the job were saved as files when it was done. */
  readonly hasFiles?: boolean;
  /** The job is from the sample service, which stops when its window closes. */
  readonly isSample?: boolean;
  /** What its failure has in common with others. */
  readonly failure?: string | undefined;
  /** Sections that the user opened and closed on pages of jobs like this one; undefined until then. */
  readonly chosenSections?: { readonly opened: readonly string[]; readonly closed: readonly string[] } | undefined;
}

/** The reader's format of dates and numbers. */
export interface Locale {
  /** BCP 47 tag of the editor's display language. */
  readonly language: string;
  /** IANA name of the reader's time zone; undefined for the machine's own. */
  readonly timeZone: string | undefined;
}

/** Capitalizes a text at the beginning of a line. */
export function capitalized(text: string, { language }: Pick<Locale, 'language'>): string {
  return text.charAt(0).toLocaleUpperCase(language) + text.slice(1);
}

/** Formats the time of day without the date, for times close to now: rounded up to the second, so that a retry then is not too early. */
export function formatClockTime(atMs: number): string {
  return new Date(Math.ceil(atMs / 1000) * 1000).toLocaleTimeString([], { timeStyle: 'medium' });
}
