import { isUnfinished, type Job } from '../jobs/job.ts';

const minuteMs = 60_000;

/** Lower bound of every limit: a few minutes in the queue are normal. */
export const leastOverdueMs = 10 * minuteMs;

/** Number of finished jobs to sample, and the minimum for a usable percentile. */
export const overdueSample = 200;
export const fewestFinished = 5;

/** When an unfinished job counts as overdue, and how that was determined. Times in milliseconds since creation. */
export type OverdueLimit =
  /** The 95th percentile of the most recently finished jobs of the kind, or the lower bound if that is longer. */
  | { readonly type: 'measured'; readonly afterMs: number; readonly p95Ms: number; readonly finished: number }
  /** Too few finished jobs for a percentile: the lower bound. */
  | { readonly type: 'unmeasured'; readonly afterMs: number; readonly finished: number }
  /** Set by the user. */
  | { readonly type: 'set'; readonly afterMs: number };

/** Time from creation to completion according to the service; undefined when a time is missing or they contradict each other. */
export function processingMs({ createdAtMs, completedAtMs }: Job): number | undefined {
  if (createdAtMs === undefined || completedAtMs === undefined) return undefined;
  const tookMs = completedAtMs - createdAtMs;
  return tookMs >= 0 ? tookMs : undefined;
}

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
  return { type: 'measured', afterMs: Math.max(leastOverdueMs, p95Ms), p95Ms, finished: times.length };
}

/** Age of an unfinished job; undefined when it is finished or its creation time is unknown. */
export function waitedMs(job: Job, nowMs: number): number | undefined {
  return isUnfinished(job) && job.createdAtMs !== undefined ? nowMs - job.createdAtMs : undefined;
}

/** Result of one request for unfinished jobs created before a given time. */
export type OverdueReading =
  /** All overdue jobs; `hasMore` when the service has more than the requested limit. */
  | { readonly type: 'known'; readonly jobs: readonly Job[]; readonly hasMore: boolean }
  /** The service ignores `before_date`, so its response says nothing about other jobs. */
  | { readonly type: 'unknown' };

/**
 * Interprets the response to "unfinished, created before this time".
 * @param jobs as the service sent them. @param beforeMs as requested; one second of tolerance for services that truncate to seconds.
 */
export function readOverdue(jobs: readonly Job[], beforeMs: number, hasMore: boolean): OverdueReading {
  const isLater = ({ createdAtMs }: Job): boolean => createdAtMs !== undefined && createdAtMs > beforeMs + 1000;
  if (jobs.some((job) => isLater(job))) return { type: 'unknown' };
  return { type: 'known', jobs: jobs.filter(isUnfinished), hasMore };
}
