import { isUnfinished, type Job } from '../jobs/job.ts';

const minuteMs = 60_000;

/** No job is overdue before this, however quick the others were: a queue of a few minutes is no incident. */
export const leastOverdueMs = 10 * minuteMs;

/** How many finished jobs are looked at, and how few tell nothing. */
export const overdueSample = 200;
export const fewestFinished = 5;

/** When an unfinished job counts as overdue, and what that rests on. Times in milliseconds since its creation. */
export type OverdueLimit =
  /** The 95th percentile of the jobs of the kind that finished last, or the least, whichever is longer. */
  | { readonly type: 'measured'; readonly afterMs: number; readonly p95Ms: number; readonly finished: number }
  /** Too few jobs have finished to tell: the least. */
  | { readonly type: 'unmeasured'; readonly afterMs: number; readonly finished: number }
  /** As the user wants it. */
  | { readonly type: 'set'; readonly afterMs: number };

/** How long a job took from creation to completion by the service's own times; undefined when they do not tell. */
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

/** When jobs of a kind are overdue, by those of its jobs that finished last. @param setMinutes the user's wish; 0 measures. */
export function overdueLimit(finished: readonly Job[], setMinutes: number): OverdueLimit {
  if (setMinutes > 0) return { type: 'set', afterMs: setMinutes * minuteMs };
  const times = finished.flatMap((job) => processingMs(job) ?? []);
  if (times.length < fewestFinished) return { type: 'unmeasured', afterMs: leastOverdueMs, finished: times.length };
  const p95Ms = percentile(times, 0.95);
  return { type: 'measured', afterMs: Math.max(leastOverdueMs, p95Ms), p95Ms, finished: times.length };
}

/** How long an unfinished job has waited beyond any doubt; undefined when it is finished or its creation is not known. */
export function waitedMs(job: Job, nowMs: number): number | undefined {
  return isUnfinished(job) && job.createdAtMs !== undefined ? nowMs - job.createdAtMs : undefined;
}

/** What one question for unfinished jobs before a moment has shown. */
export type OverdueReading =
  /** All that are overdue; `hasMore` when the service has more than it was asked for. */
  | { readonly type: 'known'; readonly jobs: readonly Job[]; readonly hasMore: boolean }
  /** The service pays no heed to `before_date`: what it sent says nothing about the others. */
  | { readonly type: 'unknown' };

/**
 * Reads the answer to "unfinished, created before this moment".
 * @param jobs as the service sent them. @param beforeMs as asked for, with a second of grace for bounds cut to seconds.
 */
export function readOverdue(jobs: readonly Job[], beforeMs: number, hasMore: boolean): OverdueReading {
  const isLater = ({ createdAtMs }: Job): boolean => createdAtMs !== undefined && createdAtMs > beforeMs + 1000;
  if (jobs.some((job) => isLater(job))) return { type: 'unknown' };
  return { type: 'known', jobs: jobs.filter(isUnfinished), hasMore };
}
