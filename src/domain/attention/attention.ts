import type { Failure } from '../failure.ts';
import { type Job, type JobKind, jobKey } from '../jobs/job.ts';
import type { Submission } from '../submission/submission.ts';
import { failedAtMs, type FailureGroup, groupFailures } from './failureGroups.ts';
import { failuresSinceMs, type HandledMarks, unhandled } from './handledMarks.ts';
import type { OverdueLimit, OverdueReading } from './overdue.ts';

/** The failures that one request returned. */
export type FailureReading =
  | {
      readonly type: 'known';
      /** As the service sent them, handled ones included. */
      readonly jobs: readonly Job[];
      /** There are more, or there may be. */
      readonly hasMore: boolean;
      /** Among them older ones, which were not read. */
      readonly hasOlder?: boolean;
      /** They are the newest ones: the order in which they came shows it. */
      readonly isNewest: boolean;
      /**
       * Whether jobs that were created before those that were asked for may have failed, too: each is followed until it ends, or they are
       * still looked for, or that cannot be known. Undefined when jobs were asked for whenever they were created.
       */
      readonly late?: 'followed' | 'lookedFor' | 'unknown';
    }
  /** The service refuses such a request. */
  | { readonly type: 'unknown' };

/** What the requests for one kind returned. */
export interface KindReading {
  readonly kind: JobKind;
  readonly limit: OverdueLimit;
  readonly overdue: OverdueReading;
  readonly failed: FailureReading;
}

/** A number and whether it is all of them; otherwise there are at least so many. */
export interface Amount {
  readonly count: number;
  readonly isExact: boolean;
}

/** What needs the user: plain data, without what was handled. */
export interface Attention {
  readonly kinds: readonly KindReading[];
  /** Oldest first. */
  readonly overdue: readonly Job[];
  /** Whether the answers say nothing about overdue jobs of some kind. */
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
    /** Undefined when it cannot be known for any kind. */
    readonly overdue: Amount | undefined;
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
export type AttentionParts = Pick<Attention, 'kinds' | 'partlyFailed' | 'unknown' | 'atMs' | 'failure'> & {
  readonly marks: HandledMarks;
};

/** Puts readings, marks and the journal together. */
export function buildAttention({ kinds, unknown, atMs, failure, marks, ...loaded }: AttentionParts): Attention {
  const known = kinds.flatMap(({ overdue }) => (overdue.type === 'known' ? [overdue] : []));
  const overdue = known
    .flatMap(({ jobs }) => jobs)
    .toSorted((a, b) => (a.createdAtMs ?? 0) - (b.createdAtMs ?? 0) || (jobKey(a) < jobKey(b) ? -1 : 1));
  const failed = kinds.flatMap((each) => (each.failed.type === 'known' ? [each.failed] : []));
  const read = failed.flatMap(({ jobs }) => jobs);
  const groups = groupFailures(unhandled(read, marks, atMs), read);
  // One service has one way of reading several statuses, whatever the kind.
  const areStatusesObeyed = kinds.some(({ limit }) => limit.obeysStatuses === true);
  const isAll = ({ hasMore }: { readonly hasMore: boolean }): boolean => !hasMore;
  const overdueAmount: Amount | undefined =
    known.length === 0
      ? undefined
      : { count: overdue.length, isExact: areStatusesObeyed && known.length === kinds.length && known.every(isAll) };
  const failures: Amount = {
    count: groups.reduce((sum, { jobs }) => sum + jobs.length, 0),
    isExact:
      failed.length === kinds.length &&
      failed.every(isAll) &&
      failed.every(({ late }) => late === undefined || (late === 'followed' && areStatusesObeyed)),
  };
  const partlyFailed = unhandled(loaded.partlyFailed, marks, atMs).toSorted(
    (a, b) => (failedAtMs(b) ?? 0) - (failedAtMs(a) ?? 0),
  );
  const total: Amount = {
    count: (overdueAmount?.count ?? 0) + failures.count + partlyFailed.length + unknown.length,
    // Where parts fail at all, more may have failed in jobs that are not loaded.
    isExact: (overdueAmount?.isExact ?? false) && failures.isExact && partlyFailed.length === 0,
  };
  const isOverdueUnknown = known.length < kinds.length;
  const amounts = { overdue: overdueAmount, failures, total };
  const mayHaveUnread = groups.length === 0 && failed.some(({ hasOlder }) => hasOlder);
  return {
    kinds,
    overdue,
    isOverdueUnknown,
    groups,
    mayHaveUnread,
    partlyFailed,
    unknown,
    atMs,
    sinceMs: failuresSinceMs(marks, atMs),
    failure,
    amounts,
  };
}

/** Whether there is anything to show: something to do, or something that is not known. */
export function needsAttention(attention: Attention): boolean {
  return attention.amounts.total.count > 0 || attention.isOverdueUnknown || attention.mayHaveUnread;
}

/** The limit of a job's kind; undefined when its kind was not read. */
export function limitOf({ kinds }: Attention, { kind }: Pick<Job, 'kind'>): OverdueLimit | undefined {
  return kinds.find((each) => each.kind === kind)?.limit;
}
