import type { Locale } from './viewFacts.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** The distance from now in its largest whole unit: "3 minutes ago", "yesterday", "in 2 hours". */
export function distanceText(atMs: number, nowMs: number, { language }: Locale): string {
  const format = distanceFormat(language);
  const distance = atMs - nowMs;
  const size = Math.abs(distance);
  const whole = (unitMs: number): number => Math.trunc(distance / unitMs);
  if (size < minute) return format.format(0, 'second');
  if (size < hour) return format.format(whole(minute), 'minute');
  if (size < day) return format.format(whole(hour), 'hour');
  if (size < 30 * day) return format.format(whole(day), 'day');
  if (size < 365 * day) return format.format(whole(30 * day), 'month');
  return format.format(whole(365 * day), 'year');
}

/** Making one takes as long as using it a hundred times, and lists use it for each row. */
const distanceFormats = new Map<string | undefined, Intl.RelativeTimeFormat>();

function distanceFormat(language: string | undefined): Intl.RelativeTimeFormat {
  const known = distanceFormats.get(language) ?? new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  distanceFormats.set(language, known);
  return known;
}
