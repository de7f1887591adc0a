import type { Job } from './job.ts';

/**
 * Returns the time from creation to completion according to the service; undefined if a time is missing or they
 * contradict each other.
 */
export function processingMs({ createdAtMs, completedAtMs }: Job): number | undefined {
  if (createdAtMs === undefined || completedAtMs === undefined) return undefined;
  const tookMs = completedAtMs - createdAtMs;
  return tookMs >= 0 ? tookMs : undefined;
}

/** Number of finished jobs to sample, and the minimum for a usable percentile. */
export const overdueSample = 200;
export const minFinished = 5;

/**
 * Returns the smallest of the values that at least this share of them does not exceed.
 * @param values in any order; must not be empty.
 * @param share above 0, at most 1.
 */
export function percentile(values: readonly number[], share: number): number {
  return (
    percentileOfSorted(
      values.toSorted((a, b) => a - b),
      share,
    ) ?? NaN
  );
}

/** As {@link percentile}, of values in ascending order; undefined if there are none. */
export function percentileOfSorted(sorted: readonly number[], share: number): number | undefined {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}
