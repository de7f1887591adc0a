import { isUnfinished, type Job } from '../job.ts';
import type { WatchedJob } from './watchedJob.ts';

/** After this a job that never ends is given up. */
export const longestWatchMs = 24 * 3_600_000;
/** A job that so many looks in a row do not find, over so long a time, has been deleted. */
export const mostMisses = 10;
export const longestMissMs = 2 * 60_000;

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

/** A watched job that is final. */
export type FinishedJob = Omit<Extract<WatchVerdict, { readonly type: 'finished' }>, 'type'>;
/** A watched job that is watched no longer although it did not end. */
export type GivenUpJob = Omit<Extract<WatchVerdict, { readonly type: 'givenUp' }>, 'type'>;

/**
 * Judges a watched job by one look. One that waits on is the same object while nothing about it has changed.
 * @param job as the list has it; undefined when it was not in it.
 * @param wouldShow whether the look would have shown the job if the service still had it.
 */
export function judge(watched: WatchedJob, job: Job | undefined, wouldShow: boolean, nowMs: number): WatchVerdict {
  if (job !== undefined && !isUnfinished(job)) return { type: 'finished', watched, job };
  if (nowMs - watched.sinceMs >= longestWatchMs) return { type: 'givenUp', watched, why: 'tooLong' };
  if (job === undefined) return wouldShow ? judgeMissed(watched, nowMs) : { type: 'waiting', watched };
  const createdAtMs = job.createdAtMs ?? watched.createdAtMs;
  const undated = createdAtMs === undefined ? true : undefined;
  const isSame = createdAtMs === watched.createdAtMs && undated === watched.undated && watched.misses === 0;
  const seen = { ...watched, createdAtMs, undated, misses: 0, missedSinceMs: undefined };
  return { type: 'waiting', watched: isSame ? watched : seen };
}

function judgeMissed(watched: WatchedJob, nowMs: number): WatchVerdict {
  const { misses, missedSinceMs = nowMs } = watched;
  const isGone = misses + 1 >= mostMisses && nowMs - missedSinceMs >= longestMissMs;
  if (isGone) return { type: 'givenUp', watched, why: 'gone' };
  return { type: 'waiting', watched: { ...watched, misses: misses + 1, missedSinceMs } };
}
