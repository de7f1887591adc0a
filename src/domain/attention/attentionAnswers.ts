import type { Job } from '../jobs/job.ts';
import { jsonAnswer, summarizeJob, type TextMask } from '../tools.ts';
import { type Amount, type Attention } from './attention.ts';
import type { FailureGroup } from './failureGroups.ts';
import { waitedMs } from './overdue.ts';

/** How sure a number is: of all of them, of at least so many, or nothing is known. */
type Certainty = 'exact' | 'atLeast' | 'unknown';

/** Jobs and groups of an answer; the numbers are of all. */
const mostJobs = 50;
const mostGroups = 30;
const idsOfGroup = 5;

function certaintyOf(amount: Amount | undefined, isPartUnknown: boolean): Certainty {
  if (amount === undefined || (isPartUnknown && amount.count === 0)) return 'unknown';
  return amount.isExact ? 'exact' : 'atLeast';
}

/** Unfinished jobs that have waited longer than usual, the oldest first, and what counts as that. */
export function overdueAnswer(attention: Attention, mask: TextMask): string {
  const { amounts, isOverdueUnknown, kinds, overdue, atMs } = attention;
  const certainty = certaintyOf(amounts.overdue, isOverdueUnknown);
  return jsonAnswer(
    {
      certainty,
      ...(certainty !== 'unknown' && { count: overdue.length }),
      kinds: kinds.map(({ kind, limit, overdue: reading }) => ({
        kind,
        isKnown: reading.type === 'known',
        overdueAfterMinutes: minutes(limit.afterMs),
        ...(limit.type === 'measured' && {
          measured: { share: 0.95, ofFinishedJobs: limit.finished, withinMinutes: minutes(limit.p95Ms) },
        }),
      })),
      jobs: overdue.slice(0, mostJobs).map((job) => ({ ...summarizeJob(job, mask), ...waited(job, atMs) })),
    },
    mask,
  );
}

function waited(job: Job, atMs: number): { readonly waitedMinutes?: number } {
  const ms = waitedMs(job, atMs);
  return ms === undefined ? {} : { waitedMinutes: minutes(ms) };
}

/** Failures that nobody has handled, in groups of those that are alike, the largest first. */
export function failuresAnswer(
  attention: Attention,
  errorLabels: Readonly<Record<string, string>>,
  mask: TextMask,
): string {
  const { amounts, groups, kinds } = attention;
  const isPartUnknown = kinds.some(({ failed }) => failed.type === 'unknown');
  return jsonAnswer(
    {
      certainty: certaintyOf(amounts.failures, isPartUnknown),
      count: amounts.failures.count,
      groups: groups.slice(0, mostGroups).map((group) => summarizeGroup(group, errorLabels)),
    },
    mask,
  );
}

function summarizeGroup(group: FailureGroup, errorLabels: Readonly<Record<string, string>>): object {
  const { code, pair, jobs, share, firstAtMs, lastAtMs, medianMs } = group;
  const label = code !== undefined && Object.hasOwn(errorLabels, String(code)) ? errorLabels[String(code)] : undefined;
  return {
    errorCode: code ?? null,
    ...(label !== undefined && { label }),
    ...(pair !== undefined && { inCommon: { [pair.key]: pair.value } }),
    count: jobs.length,
    share: Math.round(share * 100) / 100,
    firstSeen: isoTime(firstAtMs),
    lastSeen: isoTime(lastAtMs),
    ...(medianMs !== undefined && { medianSecondsToFailure: Math.round(medianMs / 1000) }),
    ids: jobs.slice(0, idsOfGroup).map(({ kind, id }) => ({ kind, id })),
  };
}

function isoTime(atMs: number | undefined): string | null {
  if (atMs === undefined) return null;
  const date = new Date(atMs);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

function minutes(ms: number): number {
  return Math.round(ms / 6000) / 10;
}
