import { isUnfinished, type Job } from '../jobs/job.ts';
import { processingMs } from '../jobs/processingMs.ts';
import { observeOrder, unseenOrder } from '../jobs/listOrder.ts';

const minuteMs = 60_000;

/** Lower bound of every limit: a few minutes in the queue are normal. */
export const leastOverdueMs = 10 * minuteMs;

/** Number of finished jobs to sample, and the minimum for a usable percentile. */
export const overdueSample = 200;
export const fewestFinished = 5;

/** When an unfinished job counts as overdue, and how that was determined. Times in milliseconds since creation. */
export type OverdueLimit = {
  readonly afterMs: number;
  /** `before_date` was seen not to be about the creation of jobs: what it leaves out says nothing. */
  readonly ignoresBefore?: boolean;
  /** A request with several statuses was seen to return jobs of each of them. */
  readonly obeysStatuses?: boolean;
} & (
  | {
      /** The 95th percentile of finished jobs of the kind, or the lower bound if that is longer. */
      readonly type: 'measured';
      readonly p95Ms: number;
      readonly finished: number;
      /** The jobs came in an order that shows that they are the last ones. */
      readonly isNewest: boolean;
    }
  | {
      /** Too few finished jobs for a percentile: the lower bound. */
      readonly type: 'unmeasured';
      readonly finished: number;
    }
  | {
      /** Set by the user. */
      readonly type: 'set';
    }
);

/**
 * The smallest of the values that at least this share of them does not exceed.
 * @param values in any order; must not be empty.
 * @param share above 0, at most 1.
 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}

/** The limit for a kind, from its most recently finished jobs. @param setMinutes the user's setting; 0 means to measure. */
export function overdueLimit(finished: readonly Job[], setMinutes: number): OverdueLimit {
  if (setMinutes > 0) return { type: 'set', afterMs: setMinutes * minuteMs };
  const times = finished.flatMap((job) => processingMs(job) ?? []);
  if (times.length < fewestFinished) return { type: 'unmeasured', afterMs: leastOverdueMs, finished: times.length };
  const p95Ms = percentile(times, 0.95);
  return {
    type: 'measured',
    afterMs: Math.max(leastOverdueMs, p95Ms),
    p95Ms,
    finished: times.length,
    isNewest: isNewestFirst(finished),
  };
}

/** Time between the creation of a job and a bound above it; services may compare whole seconds. */
const boundMs = 1500;

/**
 * A bound for `before_date` that tells what it is about: just above the creation of one of the last jobs of a page, and long before its
 * completion. Undefined when no job took long enough.
 */
export function tellingBound(listed: readonly Job[]): { readonly job: Job; readonly beforeMs: number } | undefined {
  const job = listed.findLast((each) => (processingMs(each) ?? 0) > 4 * boundMs);
  return job?.createdAtMs === undefined ? undefined : { job, beforeMs: job.createdAtMs + boundMs };
}

/** Whether the response to such a bound shows that it is not about creation. @param isEnd nothing follows these jobs */
export function contradictsBound(
  { job, beforeMs }: { readonly job: Job; readonly beforeMs: number },
  listed: readonly Job[],
  isEnd: boolean,
): boolean {
  if (listed.some(({ createdAtMs = 0 }) => createdAtMs > beforeMs + 1000)) return true;
  const mustBeThere = isEnd || observeOrder(unseenOrder, listed).created === 'newest';
  return mustBeThere && !listed.some(({ kind, id }) => kind === job.kind && id === job.id);
}

/** Whether jobs, as the service listed them, show that it lists the newest first. */
export function isNewestFirst(listed: readonly Job[]): boolean {
  const { created, completed } = observeOrder(unseenOrder, listed);
  return created === 'newest' || completed === 'newest';
}

/** Age of an unfinished job; undefined when it is finished or its creation time is unknown. */
export function waitedMs(job: Job, nowMs: number): number | undefined {
  return isUnfinished(job) && job.createdAtMs !== undefined ? nowMs - job.createdAtMs : undefined;
}

/** Result of one request for unfinished jobs created before a given time. */
export type OverdueReading =
  /** All overdue jobs; `hasMore` when the service has more than the requested limit. */
  | { readonly type: 'known'; readonly jobs: readonly Job[]; readonly hasMore: boolean }
  /** The service ignores or refuses `before_date`, or does not date its jobs, so its response says nothing about other jobs. */
  | { readonly type: 'unknown' };

/**
 * Interprets the response to "unfinished, created before this time".
 * @param jobs as the service sent them. @param beforeMs as requested; one second of tolerance for services that truncate to seconds.
 */
export function readOverdue(jobs: readonly Job[], beforeMs: number, hasMore: boolean): OverdueReading {
  const isLater = ({ createdAtMs }: Job): boolean => createdAtMs !== undefined && createdAtMs > beforeMs + 1000;
  if (jobs.some((job) => isLater(job))) return { type: 'unknown' };
  const unfinished = jobs.filter(isUnfinished);
  // Of a job without a time nobody can say how long it has waited.
  const overdue = unfinished.filter(({ createdAtMs }) => createdAtMs !== undefined && createdAtMs <= beforeMs);
  const isUndated = unfinished.some(({ createdAtMs }) => createdAtMs === undefined);
  if (isUndated && overdue.length === 0) return { type: 'unknown' };
  return { type: 'known', jobs: overdue, hasMore: hasMore || isUndated };
}
