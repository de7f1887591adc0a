import { t } from '@vscode/l10n';
import { oneLine } from '../../base/outsideText.ts';
import { minuteMs } from '../../base/time.ts';
import type { FilterTime, JobFilter } from './jobFilter.ts';
import { formatNumber, type Locale } from '../../base/format.ts';
import { describeStatus } from './jobRow.ts';
import type { JsonObject, JsonValue } from '../../base/json/json.ts';

/**
 * Returns a filter on one line: "Done, Failed · last 24 hours · customer: Blue Harbor". Empty for a filter without
 * conditions.
 * @param instant formats the ends of a range
 */
export function describeFilter(
  { statuses, time, metadata }: JobFilter,
  locale: Locale,
  instant: InstantFormat = instantText,
): string {
  const parts = [
    describeStatuses(statuses),
    time.type === 'any' ? '' : describeFilterTime(time, locale, instant),
    describeFilterMetadata(metadata),
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

/** Returns statuses as text; empty for none. */
export function describeStatuses(statuses: JobFilter['statuses']): string {
  return statuses.map((status) => describeStatus(status, 'list').text).join(', ');
}

/** Returns the creation time condition as text, with the time zone if it is relevant. @param instant formats the ends of a range */
export function describeFilterTime(time: FilterTime, locale: Locale, instant: InstantFormat = instantText): string {
  switch (time.type) {
    case 'any':
      return t('any time');
    case 'today':
      return time.utc ? t('today (UTC)') : t('today');
    case 'yesterday':
      return t('yesterday');
    case 'day':
      return t('on {0}', time.day);
    case 'last':
      return lastText(time.hours, locale);
    case 'range':
      return rangeText(time.after, time.before, (iso) => instant(iso, locale));
  }
}

/** Returns metadata pairs as text; empty for none. */
export function describeFilterMetadata(metadata: JsonObject): string {
  return Object.entries(metadata)
    .map(([key, value]) => formatPair(key, value))
    .join(', ');
}

/** Returns one metadata pair as text. */
export function formatPair(key: string, value: JsonValue): string {
  return t('{0}: {1}', key, formatMetadataValue(value));
}

/** Returns a metadata value as a short text on one line. */
export function formatMetadataValue(value: JsonValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return oneLine(text, 60);
}

function lastText(hours: number, locale: Locale): string {
  if (hours === 1) return t('last hour');
  if (hours > 24 && hours % 24 === 0) return t('last {0} days', formatNumber(hours / 24, locale));
  return t('last {0} hours', formatNumber(hours, locale));
}

function rangeText(after: string | undefined, before: string | undefined, format: (iso: string) => string): string {
  if (after !== undefined && before !== undefined) return t('{0} to {1}', format(after), format(before));
  if (after !== undefined) return t('since {0}', format(after));
  return t('until {0}', format(before ?? ''));
}

type InstantFormat = (iso: string, locale: Locale) => string;

/** Returns an instant with its zone, to the minute unless it has seconds. */
function instantText(iso: string, { language, timeZone }: Locale): string {
  const atMs = Date.parse(iso);
  return new Intl.DateTimeFormat(language, {
    timeZone,
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    ...(atMs % minuteMs === 0 ? {} : { second: 'numeric' }),
    timeZoneName: 'short',
  }).format(atMs);
}
