import type { Job } from './job.ts';

/** Time from creation to completion according to the service; undefined when a time is missing or they contradict each other. */
export function processingMs({ createdAtMs, completedAtMs }: Job): number | undefined {
  if (createdAtMs === undefined || completedAtMs === undefined) return undefined;
  const tookMs = completedAtMs - createdAtMs;
  return tookMs >= 0 ? tookMs : undefined;
}
