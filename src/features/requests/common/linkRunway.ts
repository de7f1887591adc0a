import type { Job } from '../../../jobs/common/job.ts';
import { httpUrl, type LinkNeed, readLinkExpiry } from '../../../language/requestLanguage.ts';
import { minFinished, overdueSample, percentile, processingMs } from '../../../jobs/common/processingMs.ts';

/**
 * Durations of recent jobs, in milliseconds. The interface does not show when a service fetches the audio, so the whole duration counts.
 */
export interface ProcessingSample {
  readonly p95Ms: number;
  readonly medianMs: number;
  /** Time from one completed job to the next: the median, at most `medianMs`, because a quiet service is not a slow one. */
  readonly gapMs: number;
}

/** Measures how long links must last for 95 % of jobs like the loaded ones; undefined when there are too few. */
export function measureLinkNeed(known: Iterable<Job>): LinkNeed | undefined {
  const sample = sampleProcessing(known);
  return sample && { neededMs: sample.p95Ms, isMeasured: true };
}

/** Samples the processing times of loaded jobs, from the most recently finished; undefined when there are too few. */
export function sampleProcessing(known: Iterable<Job>): ProcessingSample | undefined {
  const finished: (readonly [endMs: number, tookMs: number])[] = [];
  for (const job of known) {
    const tookMs = processingMs(job);
    if (job.kind === 'live' || job.status !== 'done' || tookMs === undefined) continue;
    finished.push([job.completedAtMs ?? 0, tookMs]);
  }
  if (finished.length < minFinished) return undefined;
  const newest = finished.toSorted(([a], [b]) => b - a).slice(0, overdueSample);
  const times = newest.map(([, tookMs]) => tookMs);
  const gaps = newest.slice(1).map(([endMs], index) => (newest[index]?.[0] ?? endMs) - endMs);
  const medianMs = percentile(times, 0.5);
  const gapMs = Math.min(percentile(gaps, 0.5), medianMs);
  return { p95Ms: percentile(times, 0.95), medianMs, gapMs };
}

/**
 * Counts the links of a batch that have expired or will probably expire before their job is done: each request waits for the requests
 * before it, and then takes the median duration of the recent jobs.
 * @param urls the audio URLs in the order of the batch; unsigned URLs do not expire.
 */
export function countDeadLinks(
  urls: readonly (string | undefined)[],
  { medianMs, gapMs }: ProcessingSample,
  nowMs: number,
): number {
  return urls.filter((written, index) => {
    const url = httpUrl(written?.trim());
    const endMs = url && readLinkExpiry(url);
    return endMs !== undefined && endMs < nowMs + index * gapMs + medianMs;
  }).length;
}
