import type { Job } from '../../../jobs/common/job.ts';
import { jsonAnswer, summarizeJob, type TextMask } from './tools.ts';
import { type Amount, type Attention } from '../../attention/common/attention.ts';
import type { FailureGroup } from '../../attention/common/failureGroups.ts';
import { waitedMs } from '../../attention/common/overdue.ts';

/** Certainty of a number: exact, a lower bound, or unknown because none was found and there may be some. */
type Certainty = 'exact' | 'atLeast' | 'unknown';

/** Max number of jobs and groups in a result; its counts include all of them. */
const maxJobs = 50;
const maxGroups = 30;
const idsOfGroup = 5;

function certaintyOf({ count, isExact }: Amount): Certainty {
  if (isExact) return 'exact';
  return count === 0 ? 'unknown' : 'atLeast';
}

/** Returns unfinished jobs that have waited longer than usual, the oldest first, and the threshold for each. */
export function overdueAnswer(attention: Attention, mask: TextMask): string {
  const { amounts, limits, overdue, atMs } = attention;
  const certainty = certaintyOf(amounts.overdue);
  return jsonAnswer(
    {
      certainty,
      ...(certainty !== 'unknown' && { count: overdue.length }),
      kinds: [...limits].map(([kind, limit]) => ({
        kind,
        overdueAfterMinutes: minutes(limit.afterMs),
        ...(limit.type === 'measured' && {
          measured: { share: 0.95, ofFinishedJobs: limit.finished, withinMinutes: minutes(limit.p95Ms) },
        }),
      })),
      jobs: overdue.slice(0, maxJobs).map((job) => ({ ...summarizeJob(job, mask), ...waited(job, atMs) })),
    },
    mask,
  );
}

function waited(job: Job, atMs: number): { readonly waitedMinutes?: number } {
  const ms = waitedMs(job, atMs);
  return ms === undefined ? {} : { waitedMinutes: minutes(ms) };
}

/** Returns failures that nobody has handled, grouped by similarity, the newest group first. */
export function failuresAnswer(
  attention: Attention,
  errorLabels: Readonly<Record<string, string>>,
  mask: TextMask,
): string {
  const { amounts, groups } = attention;
  const certainty = certaintyOf(amounts.failures);
  return jsonAnswer(
    {
      certainty,
      ...(certainty !== 'unknown' && { count: amounts.failures.count }),
      groups: groups.slice(0, maxGroups).map((group) => summarizeGroup(group, errorLabels)),
    },
    mask,
  );
}

function summarizeGroup(group: FailureGroup, errorLabels: Readonly<Record<string, string>>): object {
  const { code, pair, jobs, share, firstAtMs, lastAtMs } = group;
  const label = code !== undefined && Object.hasOwn(errorLabels, String(code)) ? errorLabels[String(code)] : undefined;
  return {
    errorCode: code ?? null,
    ...(label !== undefined && { label }),
    ...(pair !== undefined && { inCommon: { [pair.key]: pair.value } }),
    count: jobs.length,
    share: Math.round(share * 100) / 100,
    firstSeen: isoTime(firstAtMs),
    lastSeen: isoTime(lastAtMs),
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
