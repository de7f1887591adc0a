import { isUnfinished, type Job } from '../job.ts';
import type { WatchedJob } from './watchedJob.ts';

/** After this a job that never ends is given up. */
export const longestWatchMs = 24 * 3_600_000;
/** A job that so many looks in a row do not find has been deleted. */
export const mostMisses = 10;

const minuteMs = 60_000;
const unfocusedFactor = 4;
const longestDelayMs = 5 * minuteMs;

/** What decides how soon to look again. Times in milliseconds. */
export interface WatchPace {
  /** Since the newest of the watched jobs is watched. */
  readonly youngestMs: number;
  readonly focused: boolean;
  /** Looks in a row that failed. */
  readonly failures: number;
}

/** How long to wait before the next look: often at first, seldom later, seldom still when nobody is looking. */
export function watchDelayMs({ youngestMs, focused, failures }: WatchPace): number {
  const usual = youngestMs < minuteMs ? 3000 : youngestMs < 10 * minuteMs ? 10_000 : 30_000;
  return Math.min(usual * (focused ? 1 : unfocusedFactor) * 2 ** failures, longestDelayMs);
}

/** What one look has shown of a watched job. */
export type WatchVerdict =
  | { readonly type: 'waiting'; readonly watched: WatchedJob }
  | { readonly type: 'finished'; readonly watched: WatchedJob; readonly job: Job }
  /** It is no longer watched, though it did not end: a day has passed, or it is not in the list any more. */
  | { readonly type: 'givenUp'; readonly watched: WatchedJob; readonly why: 'tooLong' | 'gone' };

/**
 * Judges a watched job by one look. One that waits on is the same object while nothing about it has changed.
 * @param job as the list has it; undefined when it was not in it.
 * @param isWhole the list was read to its end, so that a job which is not in it is not there.
 */
export function judge(watched: WatchedJob, job: Job | undefined, isWhole: boolean, nowMs: number): WatchVerdict {
  if (job !== undefined && !isUnfinished(job)) return { type: 'finished', watched, job };
  if (nowMs - watched.sinceMs >= longestWatchMs) return { type: 'givenUp', watched, why: 'tooLong' };
  const createdAtMs = job?.createdAtMs ?? watched.createdAtMs;
  const misses = job !== undefined ? 0 : watched.misses + (isWhole ? 1 : 0);
  if (misses >= mostMisses) return { type: 'givenUp', watched, why: 'gone' };
  const isSame = createdAtMs === watched.createdAtMs && misses === watched.misses;
  return { type: 'waiting', watched: isSame ? watched : { ...watched, createdAtMs, misses } };
}
