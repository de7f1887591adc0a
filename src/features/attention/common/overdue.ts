import { minuteMs } from '../../../base/time.ts';
import { isUnfinished, type Job } from '../../../jobs/common/job.ts';
import { minFinished, percentile, processingMs } from '../../../jobs/common/processingMs.ts';
import { observeOrder, unseenOrder } from '../../../jobs/common/listOrder.ts';

/** Lower bound of every measured limit: a few minutes in the queue are normal. */
export const minOverdueMs = 10 * minuteMs;

/** Limit after which an unfinished job counts as overdue, and how it was determined. Times in milliseconds since creation. */
export type OverdueLimit = {
  readonly afterMs: number;
} & (
  | {
      /** The 95th percentile of finished jobs of the kind, or the lower bound if that is longer. */
      readonly type: 'measured';
      readonly p95Ms: number;
      readonly finished: number;
      /** True if the order of the jobs shows that they are the latest. */
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

/** Returns the limit for a kind from its most recently finished jobs. @param setMinutes the user's setting; 0 means measured */
export function overdueLimit(finished: readonly Job[], setMinutes: number): OverdueLimit {
  if (setMinutes > 0) return { type: 'set', afterMs: setMinutes * minuteMs };
  const times = finished.flatMap((job) => processingMs(job) ?? []);
  if (times.length < minFinished) return { type: 'unmeasured', afterMs: minOverdueMs, finished: times.length };
  const p95Ms = percentile(times, 0.95);
  const { created, completed } = observeOrder(unseenOrder, finished);
  return {
    type: 'measured',
    afterMs: Math.max(minOverdueMs, p95Ms),
    p95Ms,
    finished: times.length,
    isNewest: created === 'newest' || completed === 'newest',
  };
}

/** Returns the age of an unfinished job; undefined if it is finished or its creation time is unknown. */
export function waitedMs(job: Job, nowMs: number): number | undefined {
  return isUnfinished(job) && job.createdAtMs !== undefined ? nowMs - job.createdAtMs : undefined;
}
