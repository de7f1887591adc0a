import { t } from '@vscode/l10n';
import { failureText } from '../../../base/failureText.ts';
import { formatDuration } from '../../../base/duration.ts';
import { formatHours, formatNumber, formatTime, type Locale, type TimeStyle } from '../../../base/format.ts';
import { dayMs, hourMs, minuteMs } from '../../../base/time.ts';
import type { Job } from '../../../jobs/common/job.ts';
import { describeKind } from '../../../jobs/common/jobRow.ts';
import { oneLine } from '../../../base/outsideText.ts';
import { type Amount, type Attention, limitOf, type OverdueGap } from './attention.ts';
import type { FailureGroup } from './failureGroups.ts';
import { incidentSentence } from './incidentSentence.ts';
import { type OverdueLimit, waitedMs } from './overdue.ts';

/** Formatting context of the texts. */
export interface AttentionFacts {
  readonly locale: Locale;
  /** The reader's preferred style of times. */
  readonly times?: TimeStyle;
  /** The user's labels for error codes, by code. */
  readonly errorLabels: Readonly<Record<string, string>>;
}

type TimeFacts = Pick<AttentionFacts, 'locale' | 'times'>;

/** Formats "12", or "12+" for a lower bound. */
function describeAmount({ count, isExact }: Amount, locale: Locale): string {
  const number = formatNumber(count, locale);
  return isExact ? number : t('{0}+', number);
}

/** Description of Needs attention. */
export function totalText({ amounts, failure }: Attention, { locale, times }: TimeFacts): string {
  const parts = [
    ...(amounts.total.count === 0 ? [] : [describeAmount(amounts.total, locale)]),
    ...(failure === undefined ? [] : [t('not refreshed since {0}', formatHours(failure.sinceMs, times, locale))]),
  ];
  return parts.join(' · ');
}

/** Explains the parts of the count, and since when it could not be refreshed. */
export function totalTooltip(attention: Attention, { locale, times }: TimeFacts): string {
  const { amounts, unknown, groups, mayHaveUnread, partlyFailed, failure } = attention;
  const lines = [
    t('Overdue: {0}', overdueText(attention, locale)),
    ...(groups.length === 0 && !mayHaveUnread ? [] : [t('New failures: {0}', failuresText(attention, locale))]),
    partlyFailed.length === 0
      ? t('Failed in part: none of the loaded jobs')
      : t('Failed in part: {0}', partlyFailedText(attention, locale)),
    ...(unknown.length === 0 ? [] : [t('Outcome unknown: {0}', formatNumber(unknown.length, locale))]),
    ...(amounts.overdue.isExact && amounts.failures.isExact
      ? []
      : [
          t('A plus means that there may be more: up to 1,000 of each list are read on Refresh and every ten minutes.'),
        ]),
    ...(failure === undefined
      ? []
      : [
          t(
            'Not refreshed since {0}: {1}',
            formatHours(failure.sinceMs, times, locale),
            failureText(failure.failure).sentence,
          ),
        ]),
  ];
  return lines.join('\n');
}

/** Description of Overdue. */
export function overdueText({ amounts, isOverdueUnknown }: Attention, locale: Locale): string {
  return isOverdueUnknown ? t('unknown') : describeAmount(amounts.overdue, locale);
}

/** Explains per kind the limit and its sample, and why there may be further overdue jobs. */
export function overdueTooltip({ limits, overdueGaps }: Attention, locale: Locale): string {
  return [
    ...[...limits].map(([kind, limit]) => t('{0}: {1}', describeKind(kind, 'list'), limitSentence(limit, locale))),
    ...overdueGaps.map(describeGap),
  ].join('\n');
}

function describeGap(gap: OverdueGap): string {
  switch (gap) {
    case 'refused':
      return t('The service refuses to list unfinished jobs.');
    case 'cut':
      return t('Not all unfinished jobs could be read.');
    case 'undated':
      return t('Unfinished jobs without a creation time are not counted.');
    case 'unmeasured':
      return t('How long jobs take could not be measured.');
  }
}

function limitSentence(limit: OverdueLimit, locale: Locale): string {
  const after = duration(limit.afterMs, locale);
  switch (limit.type) {
    case 'set':
      return t('overdue after {0} (from the settings).', after);
    case 'unmeasured':
      return t('overdue after {0}; too few jobs have finished to measure it.', after);
    case 'measured':
      return t('{0}; overdue after {1}.', sampleText(limit, locale), after);
  }
}

function sampleText({ p95Ms, finished, isNewest }: OverdueLimit & { type: 'measured' }, locale: Locale): string {
  const count = formatNumber(finished, locale);
  return isNewest
    ? t('95% of the last {0} finished within {1}', count, duration(p95Ms, locale))
    : t('95% of {0} jobs finished within {1}', count, duration(p95Ms, locale));
}

/** Describes how long an overdue job has waited; undefined if it no longer waits. @param atMs by the service's clock */
export function waitText(job: Job, atMs: number, locale: Locale): string | undefined {
  const waited = waitedMs(job, atMs);
  return waited === undefined ? undefined : t('waiting {0}', shortDuration(waited, locale));
}

/** Explains why a job counts as overdue. */
export function overdueJobTooltip(job: Job, attention: Attention, locale: Locale): string | undefined {
  const limit = limitOf(attention, job);
  const waited = waitedMs(job, attention.atMs);
  if (limit === undefined || waited === undefined) return undefined;
  const text = duration(waited, locale);
  return limit.type === 'measured'
    ? t('{0}; this one has waited {1}.', sampleText(limit, locale), text)
    : t('Overdue after {0}; this one has waited {1}.', duration(limit.afterMs, locale), text);
}

/** Description of New failures. */
export function failuresText({ amounts, mayHaveUnread, muted }: Attention, locale: Locale): string {
  const count = mayHaveUnread ? t('unknown') : describeAmount(amounts.failures, locale);
  const groups = muted.filter(({ group }) => group !== undefined).length;
  if (groups === 0) return count;
  return `${count} · ${groups === 1 ? t('1 group muted') : t('{0} groups muted', formatNumber(groups, locale))}`;
}

/**
 * Says until when failures are hidden: "Muted until 18:02: 422, customer Aurora Health".
 * @param untilMs undefined: until it stops
 */
export function muteText(
  what: string,
  untilMs: number | undefined,
  atMs: number,
  { locale, times }: TimeFacts,
): string {
  return untilMs === undefined
    ? t('Muted until it stops: {0}', what)
    : t('Muted until {0}: {1}', formatTime(untilMs, atMs, times, locale), what);
}

/** Explains since when failures are new, and how many were read, or why New failures is shown without any. */
export function failuresTooltip(attention: Attention, facts: AttentionFacts): string {
  const { mayHaveUnread, sinceMs, amounts, readFailures, muted, atMs } = attention;
  const { locale, times } = facts;
  if (mayHaveUnread) return t('None of those that could be read, but the service may have others.');
  const since = t('Failed since {0} and not handled', formatTime(sinceMs, atMs, times, locale));
  return [
    since,
    ...(amounts.failures.isExact
      ? []
      : [t('Counted among the {0} failures that were read; there may be more.', formatNumber(readFailures, locale))]),
    ...muted
      .slice(0, maxMutedLines)
      .map(({ group, untilMs, isUntilItStops }) =>
        muteText(
          group === undefined ? t('Failed in part') : groupName(group, facts),
          isUntilItStops ? undefined : untilMs,
          atMs,
          facts,
        ),
      ),
  ].join('\n');
}

const maxMutedLines = 10;

/** Returns the error code of a group: the number, with the user's label if it has one. */
function codeName(group: Pick<FailureGroup, 'code'>, facts: AttentionFacts): string {
  const { code } = group;
  return code === undefined || isLabeled(group, facts) ? codeText(group, facts) : String(code);
}

function isLabeled({ code }: Pick<FailureGroup, 'code'>, { errorLabels }: AttentionFacts): boolean {
  return code !== undefined && Object.hasOwn(errorLabels, String(code));
}

/** Returns the error code of a group with the user's label. */
function codeText({ code }: Pick<FailureGroup, 'code'>, { errorLabels }: AttentionFacts): string {
  if (code === undefined) return t('No error code');
  const label = Object.hasOwn(errorLabels, String(code)) ? errorLabels[String(code)] : undefined;
  return label === undefined ? t('Error {0}', code) : t('{0} ({1})', oneLine(label, 80), code);
}

/** Returns the label of a group: the value that its failures share, or their code. A value that says little comes with its key. */
export function groupLabel(group: FailureGroup, facts: AttentionFacts): string {
  const { pair } = group;
  if (pair === undefined) return codeText(group, facts);
  const value = oneLine(pair.value, 60);
  const isName = /\p{L}{2}/u.test(value) && value !== 'true' && value !== 'false';
  return isName ? value : `${oneLine(pair.key, 30)} ${value}`;
}

/**
 * Description of a group: its code, unless that is the label, and its number, if it has become more frequent since then:
 * "422 · 24 since 1:44 AM". The share of all failures is in the tooltip: at usual widths, the time would be cut off.
 */
export function groupText(group: FailureGroup, { atMs }: Pick<Attention, 'atMs'>, facts: AttentionFacts): string {
  const { pair, without, jobs, rise } = group;
  const { locale, times } = facts;
  const name = pair === undefined ? [] : [codeName(group, facts)];
  const others = without.length === 0 ? [] : [t('others')];
  const number =
    // With fewer left, the number would count failures that are handled.
    rise === undefined || jobs.length < rise.since.hits
      ? formatNumber(jobs.length, locale)
      : t('{0} since {1}', formatNumber(rise.since.hits, locale), formatTime(rise.sinceMs, atMs, times, locale));
  // The end of a row is cut off first, and a label may be long.
  return (isLabeled(group, facts) ? [...others, number, ...name] : [...name, ...others, number]).join(' · ');
}

/** Names a group: "422, customer Aurora Health". */
export function groupName(group: Pick<FailureGroup, 'code' | 'pair' | 'without'>, facts: AttentionFacts): string {
  return nameWithCode(codeName(group, facts), group);
}

function nameWithCode(code: string, { pair, without }: Pick<FailureGroup, 'pair' | 'without'>): string {
  return [
    code,
    ...(pair === undefined ? [] : [`${oneLine(pair.key, 60)} ${oneLine(pair.value)}`]),
    ...(without.length === 0 ? [] : [t('others')]),
  ].join(', ');
}

/** Describes a group in one sentence: as an incident if it has become more frequent. */
export function groupSentence(group: FailureGroup, attention: Attention, facts: AttentionFacts): string {
  const { locale, times } = facts;
  const { rise, jobs } = group;
  if (rise !== undefined)
    return incidentSentence({ ...rise, what: groupName(group, facts) }, attention.atMs, locale, times);
  // After the number of failures, an error code would be read as another number of them.
  const what = nameWithCode(codeText(group, facts), group);
  const [count, all] = [jobs.length, attention.amounts.failures.count].map((each) => formatNumber(each, locale));
  return t('{0}: {1} of {2} new failures', what, count ?? '', all ?? '');
}

/** Counts the jobs of a group, if its sentence has other numbers: it counts handled and older failures, too. */
function leftText({ jobs, rise }: FailureGroup, { locale }: AttentionFacts): string | undefined {
  if (rise === undefined || jobs.length === rise.since.hits + rise.before.hits) return undefined;
  return t(
    'Shown here: {0}. The numbers above also count handled and older failures.',
    formatNumber(jobs.length, locale),
  );
}

/** Describes a group in one sentence, and its last occurrence. */
export function groupTooltip(group: FailureGroup, attention: Attention, facts: AttentionFacts): string {
  const { locale, times } = facts;
  const { rise, firstAtMs, lastAtMs } = group;
  const time = (atMs: number): string => formatTime(atMs, attention.atMs, times, locale);
  const left = leftText(group, facts);
  const lines = [
    groupSentence(group, attention, facts),
    ...(left === undefined ? [] : [left]),
    ...(rise !== undefined || firstAtMs === undefined ? [] : [t('First seen: {0}', time(firstAtMs))]),
    ...(lastAtMs === undefined ? [] : [t('Last seen: {0}', time(lastAtMs))]),
    t('Mark as Handled hides them on this computer until the next one fails.'),
  ];
  return lines.join('\n');
}

/** Description of Failed in part: only loaded jobs are counted. */
export function partlyFailedText({ partlyFailed }: Attention, locale: Locale): string {
  return describeAmount({ count: partlyFailed.length, isExact: false }, locale);
}

/** Explains which jobs Failed in part contains. */
export function partlyFailedTooltip({ sinceMs, atMs }: Attention, { locale, times }: TimeFacts): string {
  return t(
    'Done since {0}, but part of the result failed. Only loaded jobs are checked.',
    formatTime(sinceMs, atMs, times, locale),
  );
}

/** Returns the tooltip of the badge. */
export function badgeText(attention: Attention): string {
  const { count, isExact } = attention.amounts.total;
  if (!isExact) return t('At least {0} need attention', count);
  return count === 1 ? t('1 needs attention') : t('{0} need attention', count);
}

/** Returns the notification about the first overdue jobs. */
export function overdueMessage(attention: Attention): string {
  const { count, isExact } = attention.amounts.overdue;
  if (!isExact) return t('At least {0} transcription jobs are taking longer than usual.', count);
  return count === 1
    ? t('A transcription job is taking longer than usual.')
    : t('{0} transcription jobs are taking longer than usual.', count);
}

/** Formats a duration in its largest unit only, for narrow rows. */
function shortDuration(ms: number, locale: Locale): string {
  const unitMs = ms < hourMs ? minuteMs : ms < dayMs ? hourMs : dayMs;
  return duration(Math.floor(ms / unitMs) * unitMs, locale);
}

/** Formats a duration in whole minutes above one minute, and in seconds below. */
function duration(ms: number, locale: Locale): string {
  return formatDuration(ms < minuteMs ? ms : Math.floor(ms / minuteMs) * minuteMs, locale);
}
