import type { Failure } from '../../../base/failure.ts';
import { isJobKind, isJobStatus, isUnfinished, jobKey, type Job } from '../../../jobs/common/job.ts';
import type { Submission } from '../../../jobs/common/submission.ts';
import { partlyFailedGroup } from '../../tree/common/jobTree.ts';
import { failedAtMs, type FailureGroup, finish, groupInSteps, type GroupName, parseGroupId } from './failureGroups.ts';
import { failuresSinceMs, type HandledMarks, muteEnd, unhandled } from './handledMarks.ts';
import { waitedMs, type OverdueLimit } from './overdue.ts';

/** State of reading one list. */
export type ListReading =
  /** Every attempt to read it has failed so far. */
  | { readonly type: 'unread' }
  /** The service rejects the query. */
  | { readonly type: 'refused' }
  | {
      readonly type: 'read';
      /** True if there may be further jobs: reading stopped at its limit, or nothing proves that this was the end. */
      readonly isCut: boolean;
      /** True if some items are unreadable or have an unknown status, and may be jobs of the list. */
      readonly hasUnreadable: boolean;
      /** True if the whole list was just read, or its first page has all of it; otherwise at most its first page. */
      readonly isFresh: boolean;
    };

/** Failures that are hidden for a time. */
interface MutedFailures {
  /** Undefined for the jobs that failed in part. */
  readonly group: FailureGroup | undefined;
  /** ID of the group. */
  readonly id: string;
  /** Time when it comes back, by the service's clock. */
  readonly untilMs: number;
  /** True if a further failure postpones that time. */
  readonly isUntilItStops: boolean;
}

/** Lists of the service and their jobs. */
export interface AttentionLists {
  /** Each job once, as last observed: unfinished jobs, failures, and jobs that have left these states since. */
  readonly jobs: readonly Job[];
  /** Readings of the lists of unfinished jobs. */
  readonly unfinished: readonly ListReading[];
  /** Readings of the lists of failures. */
  readonly failed: readonly ListReading[];
  /** By kind; a kind is missing until its limit is measured. */
  readonly limits: ReadonlyMap<string, OverdueLimit>;
  /** By the service's clock, milliseconds since the epoch. */
  readonly atMs: number;
  /** If false, the service does not report its time, and `atMs` is a lower bound. */
  readonly isClockKnown: boolean;
}

/** A count, exact or a lower bound. */
export interface Amount {
  readonly count: number;
  readonly isExact: boolean;
}

/** Reason why some overdue jobs may not be listed. */
export type OverdueGap = 'refused' | 'cut' | 'undated' | 'unmeasured';

/** Jobs and submissions that need the user, without handled failures: plain data. */
export interface Attention {
  readonly limits: AttentionLists['limits'];
  /** Oldest first. */
  readonly overdue: readonly Job[];
  readonly overdueGaps: readonly OverdueGap[];
  /** True if no overdue job was found but there may be some. */
  readonly isOverdueUnknown: boolean;
  /** In the order of what is new. */
  readonly groups: readonly FailureGroup[];
  /** Hidden groups, and the jobs that failed in part if those are hidden. */
  readonly muted: readonly MutedFailures[];
  /** Some failures were marked as handled or are hidden, and that can be undone. */
  readonly canUndo: boolean;
  /** Number of failures that were read, also of handled ones. */
  readonly readFailures: number;
  /** True if all failures read are handled but there may be more. */
  readonly mayHaveUnread: boolean;
  /** Jobs that are done although a part of their result failed, newest first. Only loaded jobs, because no query returns them. */
  readonly partlyFailed: readonly Job[];
  /** Submissions whose job must still be searched for, newest first: see `needsSearch`. */
  readonly unknown: readonly Submission[];
  readonly amounts: {
    readonly overdue: Amount;
    readonly failures: Amount;
    readonly total: Amount;
  };
  /** Time of the readings by the service's clock, milliseconds since the epoch. */
  readonly atMs: number;
  /** Time since which failures are new, by the same clock: see `failuresSinceMs`. */
  readonly sinceMs: number;
  /** Failure of the last attempt, if any. */
  readonly failure: { readonly failure: Failure; readonly sinceMs: number } | undefined;
}

/** Input of {@link buildAttention}. */
export type AttentionParts = AttentionLists &
  Pick<Attention, 'partlyFailed' | 'unknown' | 'failure'> & { readonly marks: HandledMarks };

/** Combines the lists, marks and the journal. Each job is in one place only, according to its last observation. */
export function buildAttention(parts: AttentionParts): Attention {
  return finish(buildInSteps(parts));
}

/** As {@link buildAttention}, in steps that take a few milliseconds each. */
export function* buildInSteps(parts: AttentionParts): Generator<void, Attention, void> {
  const { jobs, limits, marks, unknown, atMs, failure } = parts;
  const { overdue, gaps, isWhole: isWholeOverdue } = findOverdue(parts);
  const failed = jobs.filter(({ status }) => status === 'error');
  const isWhole = areExact(parts.failed);
  const grouped = yield* groupInSteps(unhandled(failed, marks, atMs), failed, mutedNames(marks));
  const muted = grouped.flatMap((group) => muteOf(group.id, group, group.knownMs, marks, atMs, isWhole) ?? []);
  const hidden = new Set(muted.map(({ id }) => id));
  const groups = grouped.filter(({ id }) => !hidden.has(id));
  const newer = new Set(jobs.filter(({ status }) => status !== 'done').map(jobKey));
  const partly = unhandled(parts.partlyFailed, marks, atMs)
    .filter((job) => !newer.has(jobKey(job)))
    .toSorted((a, b) => (failedAtMs(b) ?? 0) - (failedAtMs(a) ?? 0));
  const partlyTimesMs = parts.partlyFailed.flatMap((job) => failedAtMs(job) ?? []);
  // Only loaded jobs are known, so that any number of others may have come before.
  const partlyMute =
    partly.length === 0 ? undefined : muteOf(partlyFailedGroup, undefined, partlyTimesMs, marks, atMs, false);
  const partlyFailed = partlyMute === undefined ? partly : [];
  const allMuted = [...muted, ...(partlyMute === undefined ? [] : [partlyMute])];
  const overdueAmount: Amount = { count: overdue.length, isExact: isWholeOverdue };
  const failures: Amount = {
    count: groups.reduce((sum, group) => sum + group.jobs.length, 0),
    isExact: isWhole,
  };
  const total: Amount = {
    count: overdueAmount.count + failures.count + partlyFailed.length + unknown.length,
    // If parts fail at all, parts of jobs that are not loaded may have failed too.
    isExact: overdueAmount.isExact && failures.isExact && partlyFailed.length === 0,
  };
  return {
    limits,
    overdue,
    overdueGaps: gaps,
    isOverdueUnknown: overdue.length === 0 && gaps.length > 0,
    groups,
    muted: allMuted,
    canUndo: allMuted.length > 0 || marks.acts.some((act) => act.jobs.length > 0),
    readFailures: failed.length,
    mayHaveUnread: grouped.length === 0 && parts.failed.some(isGap),
    partlyFailed,
    unknown,
    atMs,
    sinceMs: failuresSinceMs(marks, atMs),
    failure,
    amounts: { overdue: overdueAmount, failures, total },
  };
}

/** Returns the names of muted groups, which stay as long as their mute may last. */
function mutedNames({ mutes }: HandledMarks): readonly GroupName[] {
  return [...mutes.keys()].flatMap((id) => parseGroupId(id) ?? []);
}

/** Returns the mute of a group that is not over; undefined if there is none. @param timesMs of all its failures */
function muteOf(
  id: string,
  group: FailureGroup | undefined,
  timesMs: readonly number[],
  { mutes }: HandledMarks,
  atMs: number,
  isWhole: boolean,
): MutedFailures | undefined {
  const mute = mutes.get(id);
  if (mute === undefined) return undefined;
  const untilMs = muteEnd(mute, { timesMs, isWhole });
  return atMs < untilMs ? { group, id, untilMs, isUntilItStops: mute.untilMs === undefined } : undefined;
}

/** Finds the unfinished jobs above their limit. */
function findOverdue({ jobs, unfinished, limits, atMs, isClockKnown }: AttentionLists): {
  readonly overdue: readonly Job[];
  readonly gaps: readonly OverdueGap[];
  readonly isWhole: boolean;
} {
  const waiting = jobs.filter((job) => isJobStatus(job.status) && isUnfinished(job));
  const overdue: Job[] = [];
  const gaps = new Set<OverdueGap>();
  for (const job of waiting) {
    const waited = waitedMs(job, atMs);
    const limit = limitOf({ limits }, job);
    if (waited === undefined) gaps.add('undated');
    else if (limit === undefined) gaps.add('unmeasured');
    else if (waited > limit.afterMs) overdue.push(job);
  }
  if (unfinished.some(({ type }) => type === 'refused')) gaps.add('refused');
  if (unfinished.some((each) => each.type === 'read' && each.isCut)) gaps.add('cut');
  return {
    overdue: overdue.toSorted(
      (a, b) => (a.createdAtMs ?? 0) - (b.createdAtMs ?? 0) || (jobKey(a) < jobKey(b) ? -1 : 1),
    ),
    gaps: [...gaps],
    isWhole: gaps.size === 0 && areExact(unfinished) && (isClockKnown || overdue.length === waiting.length),
  };
}

/** True if there are no other jobs than those read. */
export function areExact(lists: readonly ListReading[]): boolean {
  return (
    lists.length > 0 &&
    lists.every((each) => each.type === 'read' && each.isFresh && !each.isCut && !each.hasUnreadable)
  );
}

function isGap(reading: ListReading): boolean {
  return reading.type === 'refused' || (reading.type === 'read' && reading.isCut);
}

/** True if there is anything to show: something to do, or something unknown. */
export function needsAttention(attention: Attention): boolean {
  return attention.amounts.total.count > 0 || attention.isOverdueUnknown || attention.mayHaveUnread;
}

/** Returns the limit for a job's kind, or the longest limit for an unknown kind; undefined if none was measured. */
export function limitOf({ limits }: Pick<Attention, 'limits'>, { kind }: Pick<Job, 'kind'>): OverdueLimit | undefined {
  if (limits.has(kind)) return limits.get(kind);
  if (isJobKind(kind)) return undefined;
  return [...limits.values()].toSorted((a, b) => b.afterMs - a.afterMs)[0];
}
