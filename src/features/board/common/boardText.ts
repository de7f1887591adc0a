import { t } from '@vscode/l10n';
import { formatDuration } from '../../../base/duration.ts';
import { minuteMs } from '../../../base/time.ts';
import { describeFilter, describeFilterTime } from '../../../jobs/common/describeFilter.ts';
import { noFilter, type FilterTime } from '../../../jobs/common/jobFilter.ts';
import { ageFormat, formatNumber, formatTime, type Locale } from '../../../base/format.ts';
import { describeKind, describeStatus } from '../../../jobs/common/jobRow.ts';
import { harmlessJson, oneLine } from '../../../base/outsideText.ts';
import type { BoardExtent, BoardFinding, ShownStandout, ShownTimed } from './boardProtocol.ts';
import type { BoardScope } from './boardStorage.ts';
import type { ChosenRange, FacetCondition } from './boardView.ts';
import { minHits } from './explainGroup.ts';
import { boardColumn, handledKey } from './boardColumns.ts';
import { isOfAllFailures } from './supportedConditions.ts';

/** Key of a list that may be empty. */
const languagesKey = 'request_params.language_config.languages';

/** Returns the name of a column or facet: a label for fields of the contract, the key itself for metadata and parameters. */
export function describeField(key: string): string {
  const column = boardColumn(key);
  if (column !== undefined) return column.title();
  switch (key) {
    case 'request_params.model':
      return t('Model');
    case languagesKey:
      return t('Requested languages');
    default:
      return oneLine(key.replace(/^(?:custom_metadata|post_session_metadata|request_params)\./u, ''), 80);
  }
}

/** Returns the value of a field as shown to users. @param of `list`: names all jobs with this value */
export function describeValue(
  key: string,
  value: string | undefined,
  errorLabels: Readonly<Record<string, string>>,
  of: 'job' | 'list' = 'list',
): string {
  if (value === undefined) return t('none');
  if (key === 'status') return describeStatus(value, of).text;
  if (key === 'kind') return describeKind(value, of);
  if (key === handledKey) return t('Yes');
  if (key === 'error_code' && Object.hasOwn(errorLabels, value)) {
    return `${value} ${oneLine(errorLabels[value] ?? '', 60)}`;
  }
  if (value === '' && key === languagesKey) return t('empty list');
  // Quotes a value that would read as another one: with outer spaces removed, or as a missing value.
  const line = oneLine(value, 200);
  return line === '' || line !== value || line.startsWith('"') || line === t('none')
    ? harmlessJson(JSON.stringify(value))
    : line;
}

/** Describes a condition: "Error code = 503". */
export function describeCondition({ key, value, isExcluded }: FacetCondition): string {
  return `${describeField(key)} ${isExcluded ? '≠' : '='} ${describeValue(key, value, {})}`;
}

/** Maximum number of conditions named in one sentence, and maximum characters of each. */
const maxNamed = 3;
const maxNamedLength = 45;

/** Names the first conditions, and the number of further ones. */
export function nameConditions(
  conditions: readonly FacetCondition[],
  locale: Locale,
  describe: (condition: FacetCondition) => string = describeCondition,
): string {
  const named = conditions
    .slice(0, maxNamed)
    .map((each) => oneLine(describe(each), maxNamedLength))
    .join(', ');
  const further = conditions.length - maxNamed;
  return further > 0 ? t('{0} and {1} more', named, formatNumber(further, locale)) : named;
}

/** Maximum length in characters. */
const maxTitleLength = 60;

/**
 * Returns the title of a board's tab. Several boards may be open, and narrow tabs cut titles off: the title begins with the values of the
 * conditions, or else with the filter that the board was opened for, then has the time: "422, Aurora Health · 24h". Leaves out the failed
 * status if an error code is shown.
 */
export function boardTitle({ connection, filter, conditions, range }: BoardScope, locale: Locale): string {
  const has = (key: string, condition: FacetCondition): boolean =>
    condition.key === key && condition.value !== undefined && !condition.isExcluded;
  const hasCode = conditions.some((each) => has('error_code', each));
  const telling = conditions.filter((each) => !(hasCode && has('status', each) && each.value === 'error'));
  const about =
    nameConditions(telling, locale, describeBriefly) || describeFilter({ ...filter, time: noFilter.time }, locale);
  const time = range === undefined ? formatShortWindow(filter.time, locale) : formatShortPeriod(range, locale);
  return [oneLine(about, maxTitleLength) || t('Board: {0}', oneLine(connection, maxTitleLength)), time]
    .filter((each) => each !== '')
    .join(' · ');
}

/** Describes a condition by its value, unless it needs the name of its field to be understood. */
function describeBriefly(condition: FacetCondition): string {
  const { key, value, isExcluded } = condition;
  const isUnclear = value === undefined || value === '' || value === 'true' || value === 'false';
  return isExcluded || isUnclear ? describeCondition(condition) : describeValue(key, value, {});
}

function formatShortWindow(time: FilterTime, locale: Locale): string {
  if (time.type === 'any') return '';
  if (time.type !== 'last') return describeFilterTime(time, locale, formatInstant);
  const hasDays = time.hours > 24 && time.hours % 24 === 0;
  return hasDays
    ? ageFormat(locale.language, 'day').format(time.hours / 24)
    : ageFormat(locale.language, 'hour').format(time.hours);
}

function formatShortPeriod(range: ChosenRange, locale: Locale): string {
  const [from, to] = formatEnds(range, locale);
  return to === undefined ? t('since {0}', from) : `${from} – ${to}`;
}

/**
 * Describes the conditions that a filter of the jobs view would leave out, or that no filter is possible. Returns undefined if the filter
 * has all conditions.
 * @param unsupported conditions that the filter leaves out; all conditions if no filter is possible
 */
export function describeUnsupported(
  { canFilter, unsupported }: { readonly canFilter: boolean; readonly unsupported: readonly FacetCondition[] },
  locale: Locale,
): string | undefined {
  if (!canFilter) {
    return unsupported.length === 1
      ? t("The jobs view can't filter by this condition")
      : t("The jobs view can't filter by these conditions");
  }
  if (unsupported.length === 0) return undefined;
  const names = nameConditions(unsupported, locale);
  return unsupported.length === 1
    ? t("The filter will ignore {0}: the jobs view can't filter by it", names)
    : t("The filter will ignore {0}: the jobs view can't filter by them", names);
}

/** Formats a share in percent with one decimal place, or more if it would otherwise read as none or all. */
export function formatShare({ hits, of }: { readonly hits: number; readonly of: number }, locale: Locale): string {
  const share = of === 0 ? 0 : hits / of;
  const isNear = (share > 0 && share < 0.001) || (share < 1 && share > 0.999);
  return percentFormat(locale.language, isNear ? 3 : 1).format(share);
}

const percentFormats = new Map<string, Intl.NumberFormat>();

function percentFormat(language: string, places: number): Intl.NumberFormat {
  const key = `${language} ${places}`;
  const known =
    percentFormats.get(key) ?? new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: places });
  percentFormats.set(key, known);
  return known;
}

/** Returns the names of the median of the times and of its line in the chart, with a note on the sessions left out. */
export function describeTimes({ of, isPart }: ShownTimed): {
  readonly median: string;
  readonly line: string;
  readonly note: string | undefined;
} {
  const note = isPart ? t('Times are for pre-recorded jobs only, not live sessions') : undefined;
  switch (of) {
    case 'processing':
      return {
        median: t('Median processing time'),
        line: t('Lower chart: median and 95th percentile (dashed) of processing times'),
        note,
      };
    case 'session':
      return {
        median: t('Median session length'),
        line: t('Lower chart: median and 95th percentile (dashed) of session lengths'),
        note,
      };
  }
}

/** Formats a single processing time: to a tenth of a second below a minute, to the second below an hour, then to the minute. */
export function formatTook(ms: number, locale: Locale): string {
  if (ms < 59_950) return formatProcessing(ms, locale);
  const step = ms < 3_599_500 ? 1000 : minuteMs;
  return formatDuration(Math.round(ms / step) * step, locale);
}

/** Formats a processing time on a scale: seconds below two minutes, then minutes, then hours. */
export function formatProcessing(ms: number, { language }: Locale): string {
  const seconds = ms / 1000;
  if (seconds < 120) return unitFormat(language, 'second').format(Math.round(seconds * 10) / 10);
  if (seconds < 7200) return unitFormat(language, 'minute').format(Math.round(seconds / 6) / 10);
  return unitFormat(language, 'hour').format(Math.round(seconds / 360) / 10);
}

const unitFormats = new Map<string, Intl.NumberFormat>();

function unitFormat(language: string, unit: string): Intl.NumberFormat {
  const key = `${language} ${unit}`;
  const known = unitFormats.get(key) ?? new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' });
  unitFormats.set(key, known);
  return known;
}

const timeFormats = new Map<string, Intl.DateTimeFormat>();

/** Returns a format for times in the reader's language; the same instance for the same options. */
export function timeFormat({ language, timeZone }: Locale, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([language, timeZone, options]);
  const known = timeFormats.get(key) ?? new Intl.DateTimeFormat(language, { ...options, timeZone });
  timeFormats.set(key, known);
  return known;
}

/** Formats a time on the board, outside its tables. */
export function formatBoardTime(atMs: number, locale: Locale): string {
  return timeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(atMs);
}

/** Formats an end of a board's time range like the other times of the board: to the minute unless it has seconds. */
export function formatInstant(iso: string, locale: Locale): string {
  const atMs = Date.parse(iso);
  return atMs % minuteMs === 0
    ? formatBoardTime(atMs, locale)
    : timeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }).format(atMs);
}

/** Describes when the jobs of a range were created: between both ends, or since when. */
export function formatPeriod(range: ChosenRange, locale: Locale): string {
  const [from, to] = formatEnds(range, locale);
  return to === undefined ? t('created since {0}', from) : t('created {0} – {1}', from, to);
}

/** Formats both ends of a range; shows the date once if they share it. */
function formatEnds({ fromMs, toMs }: ChosenRange, locale: Locale): readonly [from: string, to: string | undefined] {
  const from = formatBoardTime(fromMs, locale);
  if (toMs === undefined) return [from, undefined];
  const date = timeFormat(locale, { dateStyle: 'medium' });
  const isOneDay = date.format(fromMs) === date.format(toMs);
  return [from, isOneDay ? timeFormat(locale, { timeStyle: 'short' }).format(toMs) : formatBoardTime(toMs, locale)];
}

/**
 * Describes in one line the jobs that the figures of a board count: "Read at 1:00 PM: 20,000 of 73,412 jobs: all since Nov 24, 9:10 AM".
 * @param atMs time when reading began
 */
export function describeExtent(
  { extent, read, atMs }: { readonly extent: BoardExtent; readonly read: number; readonly atMs: number },
  locale: Locale,
): string {
  const at = timeFormat(locale, { timeStyle: 'short' }).format(atMs);
  const [count, jobs] = [formatNumber(read, locale), describeJobs(read, locale)];
  switch (extent.type) {
    case 'whole':
      return t('Read at {0}: {1}', at, jobs);
    case 'unproved':
      return extent.isEarly
        ? t('Read at {0}: {1}; the list ended early, there may be more', at, jobs)
        : t('Read at {0}: {1}; there may be more', at, jobs);
    case 'part': {
      const { total, sinceMs } = extent;
      const all = total && formatNumber(total.count, locale);
      const amount =
        all === undefined ? jobs : t('{0} of {1} jobs', count, total?.isExact ? all : t('at least {0}', all));
      const part =
        sinceMs === undefined
          ? t("{0}, in the service's order", amount)
          : t('{0}: all since {1}', amount, formatMinute(sinceMs, atMs, locale));
      if (extent.why === 'firstPage') return t('Read at {0}: {1}; only the first page was read', at, part);
      if (total !== undefined) return t('Read at {0}: {1}', at, part);
      return sinceMs === undefined
        ? t('Read at {0}: {1}; there may be more', at, part)
        : t('Read at {0}: {1}; there may be older ones', at, part);
    }
  }
}

/** Describes the time before which jobs were not read, if it is known. @param atMs time when reading began */
export function describeUnread(extent: BoardExtent, atMs: number, locale: Locale): string | undefined {
  if (extent.type !== 'part' || extent.sinceMs === undefined) return undefined;
  return t('Jobs before {0} have not been read.', formatMinute(extent.sinceMs, atMs, locale));
}

function describeJobs(count: number, locale: Locale): string {
  return count === 1 ? t('1 job') : t('{0} jobs', formatNumber(count, locale));
}

/** Formats the first full minute at or after a time; includes the year unless it is the year of `nowMs`. */
function formatMinute(ms: number, nowMs: number, locale: Locale): string {
  const atMs = Math.ceil(ms / minuteMs) * minuteMs;
  const year = timeFormat(locale, { year: 'numeric' });
  const isThisYear = year.format(atMs) === year.format(nowMs);
  return timeFormat(locale, {
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    ...(!isThisYear && { year: 'numeric' }),
  }).format(atMs);
}

/**
 * Describes a finding: as an incident if its failures have become more frequent among all failures, otherwise with the shares of these jobs
 * and the rest.
 * @param nowMs time of the reader
 */
export function describeStandout(
  standout: Omit<ShownStandout, 'canFilter'>,
  about: Pick<BoardFinding, 'of' | 'isNarrowed'>,
  locale: Locale,
  nowMs: number,
): string {
  const { shared, time, incident, code } = standout;
  if (incident === undefined || time === undefined) return describeShares(standout, about, locale);
  const values = shared
    .slice(0, maxNamed)
    .map(({ key, value }) => oneLine(`${describeField(key)} ${describeValue(key, value, {})}`, maxNamedLength));
  const what = [...(code === undefined ? [] : [code.code]), ...values].join(', ');
  const { since, before } = incident;
  return t(
    '{0} of {1} failures of jobs created since {2}: {3} ({4} of {5} before)',
    formatNumber(since.hits, locale),
    formatNumber(since.of, locale),
    formatTime(time.atMs, nowMs, undefined, locale),
    what,
    formatNumber(before.hits, locale),
    formatNumber(before.of, locale),
  );
}

/**
 * Describes the shares of a finding: "customer = acme: 24 of 26 failed (92.3%), compared with 40 of 1,200 other jobs (3.3%), all created since
 * Nov 24, 2026, 5:02 PM".
 */
function describeShares(
  { shared, time, having, rest }: Omit<ShownStandout, 'canFilter' | 'incident'>,
  { of, isNarrowed }: Pick<BoardFinding, 'of' | 'isNarrowed'>,
  locale: Locale,
): string {
  const isOfFailures = of === 'failures' && !isNarrowed;
  const figures = [having, rest].flatMap((share) => [
    formatNumber(share.hits, locale),
    formatNumber(share.of, locale),
    formatShare(share, locale),
  ]);
  const at = time && formatBoardTime(time.atMs, locale);
  if (shared.length === 0) {
    const facts = [at ?? '', ...figures];
    if (time?.side === 'until') {
      return isOfFailures
        ? t('Jobs created before {0}: {1} of {2} failed ({3}), compared with {4} of {5} afterwards ({6})', ...facts)
        : t(
            'Jobs created before {0}: {1} of {2} are among these failures ({3}), compared with {4} of {5} afterwards ({6})',
            ...facts,
          );
    }
    return isOfFailures
      ? t('Jobs created since {0}: {1} of {2} failed ({3}), compared with {4} of {5} before ({6})', ...facts)
      : t(
          'Jobs created since {0}: {1} of {2} are among these failures ({3}), compared with {4} of {5} before ({6})',
          ...facts,
        );
  }
  const facts = [nameConditions(shared, locale), ...figures];
  const sentence = isOfFailures
    ? t('{0}: {1} of {2} failed ({3}), compared with {4} of {5} other jobs ({6})', ...facts)
    : of === 'failures'
      ? t('{0}: {1} of {2} are among these failures ({3}), compared with {4} of {5} other jobs ({6})', ...facts)
      : t('{0}: {1} of {2} are among these jobs ({3}), compared with {4} of {5} other jobs ({6})', ...facts);
  if (at === undefined) return sentence;
  return time?.side === 'until'
    ? t('{0}, all created before {1}', sentence, at)
    : t('{0}, all created since {1}', sentence, at);
}

/** Adds to an incident the failure rates of its jobs and the others; to another finding the error code of most failures. */
export function describeStandoutDetail(
  { code, having, rest, incident }: Omit<ShownStandout, 'canFilter'>,
  locale: Locale,
): string | undefined {
  if (incident !== undefined) {
    const [some, others] = [having, rest].map((share) => [
      formatNumber(share.hits, locale),
      formatNumber(share.of, locale),
      formatShare(share, locale),
    ]);
    return t(
      'Of these jobs, {0} of {1} failed ({2}), of the others {3} of {4} ({5}).',
      ...(some ?? []),
      ...(others ?? []),
    );
  }
  if (code === undefined) return undefined;
  const name = describeValue('error_code', code.code, {});
  if (code.hits === having.hits) return t('All of them have error code {0}.', name);
  const [hits, all] = [formatNumber(code.hits, locale), formatNumber(having.hits, locale)];
  return t('{0} of these {1} failures have error code {2}.', hits, all, name);
}

/** Describes an empty result. It does not prove that there is no cause: among few jobs, chance explains a lot. */
export function describeNothing({
  group,
  compared,
  of,
  conditions,
}: Pick<BoardFinding, 'group' | 'compared' | 'of' | 'conditions'>): string {
  if (group === 0 && of === 'failures') return t('No failures.');
  if (group < minHits) return t('Too few jobs to tell what sets them apart.');
  if (compared - group < minHits) return t('Too few other jobs to compare with.');
  if (of !== 'failures')
    return t('Nothing stands out: these jobs differ from the others by no more than chance could explain.');
  // Among all jobs, they may well stand out.
  return conditions.every(isOfAllFailures)
    ? t('Nothing stands out: these failures differ from the other finished jobs by no more than chance could explain.')
    : t(
        'Among the jobs that meet the conditions, these failures differ from the others by no more than chance could explain.',
      );
}
