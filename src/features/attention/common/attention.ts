import type { Failure } from '../../../base/failure.ts';
import { isJobKind, isJobStatus, isUnfinished, jobKey, type Job } from '../../../jobs/common/job.ts';
import type { Submission } from '../../../jobs/common/submission.ts';
import { failedAtMs, type FailureGroup, finish, groupInSteps } from './failureGroups.ts';
import { failuresSinceMs, type HandledMarks, unhandled } from './handledMarks.ts';
import { waitedMs, type OverdueLimit } from './overdue.ts';

/** How far a list was read. */
export type ListReading =
  /** Reading it has only failed so far. */
  | { readonly type: 'unread' }
  /** The service refuses the query. */
  | { readonly type: 'refused' }
  | {
      readonly type: 'read';
      /** There may be jobs behind those that were read: the reading ended at its limit, or nothing proves that this was the end. */
      readonly isCut: boolean;
      /** Items that cannot be read, or have a status that nobody knows, may be jobs of the list. */
      readonly hasUnreadable: boolean;
      /** The whole list was read just now; otherwise its first page at most. */
      readonly isFresh: boolean;
    };

/** The lists of the service and the jobs that they had. */
export interface AttentionLists {
  /** Each once, as observed last: unfinished ones, failures, and those that were seen to be neither since. */
  readonly jobs: readonly Job[];
  /** The lists of unfinished jobs. */
  readonly unfinished: readonly ListReading[];
  /** The lists of failures. */
  readonly failed: readonly ListReading[];
  /** By kind; a kind is missing while its limit could not be measured. */
  readonly limits: ReadonlyMap<string, OverdueLimit>;
  /** By the service's clock, milliseconds since the epoch. */
  readonly atMs: number;
  /** Otherwise the service does not tell its time, and it is this late at least. */
  readonly isClockKnown: boolean;
}

/** A number and whether it is all of them; otherwise there are at least so many. */
export interface Amount {
  readonly count: number;
  readonly isExact: boolean;
}

/** Why there may be overdue jobs that are not listed. */
export type OverdueGap = 'refused' | 'cut' | 'undated' | 'unmeasured';

/** What needs the user: plain data, without what was handled. */
export interface Attention {
  readonly limits: AttentionLists['limits'];
  /** Oldest first. */
  readonly overdue: readonly Job[];
  readonly overdueGaps: readonly OverdueGap[];
  /** No overdue job was found, and there may be some. */
  readonly isOverdueUnknown: boolean;
  /** Largest first. */
  readonly groups: readonly FailureGroup[];
  /** All failures that were read are handled, and there may be more. */
  readonly mayHaveUnread: boolean;
  /** Jobs that are done, although a part of their result failed, newest first: those among the loaded ones, as nothing else asks for them. */
  readonly partlyFailed: readonly Job[];
  /** Submissions whose outcome is unknown and whose job was not looked for, newest first. */
  readonly unknown: readonly Submission[];
  readonly amounts: {
    readonly overdue: Amount;
    readonly failures: Amount;
    readonly total: Amount;
  };
  /** The time of the readings by the service's clock, milliseconds since the epoch. */
  readonly atMs: number;
  /** From when on failures are new, by the same clock: see `failuresSinceMs`. */
  readonly sinceMs: number;
  /** Of the last attempt, if it failed. */
  readonly failure: { readonly failure: Failure; readonly sinceMs: number } | undefined;
}

/** What {@link buildAttention} takes. */
export type AttentionParts = AttentionLists &
  Pick<Attention, 'partlyFailed' | 'unknown' | 'failure'> & { readonly marks: HandledMarks };

/** Puts the lists, marks and the journal together. A job is in one place only, by its last observation. */
export function buildAttention(parts: AttentionParts): Attention {
  return finish(buildInSteps(parts));
}

/** As {@link buildAttention}, in steps that take a few milliseconds each. */
export function* buildInSteps(parts: AttentionParts): Generator<void, Attention, void> {
  const { jobs, limits, marks, unknown, atMs, failure } = parts;
  const { overdue, gaps, isWhole } = findOverdue(parts);
  const failed = jobs.filter(({ status }) => status === 'error');
  const groups = yield* groupInSteps(unhandled(failed, marks, atMs), failed);
  const newer = new Set(jobs.filter(({ status }) => status !== 'done').map(jobKey));
  const partlyFailed = unhandled(parts.partlyFailed, marks, atMs)
    .filter((job) => !newer.has(jobKey(job)))
    .toSorted((a, b) => (failedAtMs(b) ?? 0) - (failedAtMs(a) ?? 0));
  const overdueAmount: Amount = { count: overdue.length, isExact: isWhole };
  const failures: Amount = {
    count: groups.reduce((sum, group) => sum + group.jobs.length, 0),
    isExact: areExact(parts.failed),
  };
  const total: Amount = {
    count: overdueAmount.count + failures.count + partlyFailed.length + unknown.length,
    // Where parts fail at all, more may have failed in jobs that are not loaded.
    isExact: overdueAmount.isExact && failures.isExact && partlyFailed.length === 0,
  };
  return {
    limits,
    overdue,
    overdueGaps: gaps,
    isOverdueUnknown: overdue.length === 0 && gaps.length > 0,
    groups,
    mayHaveUnread: groups.length === 0 && parts.failed.some(isGap),
    partlyFailed,
    unknown,
    atMs,
    sinceMs: failuresSinceMs(marks, atMs),
    failure,
    amounts: { overdue: overdueAmount, failures, total },
  };
}

/** Ages the unfinished jobs. */
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

/** Whether there are no other jobs than those that were read. */
export function areExact(lists: readonly ListReading[]): boolean {
  return (
    lists.length > 0 &&
    lists.every((each) => each.type === 'read' && each.isFresh && !each.isCut && !each.hasUnreadable)
  );
}

function isGap(reading: ListReading): boolean {
  return reading.type === 'refused' || (reading.type === 'read' && reading.isCut);
}

/** Whether there is anything to show: something to do, or something that is not known. */
export function needsAttention(attention: Attention): boolean {
  return attention.amounts.total.count > 0 || attention.isOverdueUnknown || attention.mayHaveUnread;
}

/** The limit of a job's kind, for an unknown kind the longest one; undefined when none was measured. */
export function limitOf({ limits }: Pick<Attention, 'limits'>, { kind }: Pick<Job, 'kind'>): OverdueLimit | undefined {
  if (limits.has(kind)) return limits.get(kind);
  if (isJobKind(kind)) return undefined;
  return [...limits.values()].toSorted((a, b) => b.afterMs - a.afterMs)[0];
}
