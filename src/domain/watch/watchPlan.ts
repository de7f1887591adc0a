import { isUnfinished, type Job, jobKinds, type JobKind } from '../jobs/job.ts';
import {
  flag,
  number,
  optional,
  record,
  text,
  word,
  type Decoder,
  attempt,
  formVersion,
  list,
  Undecodable,
} from '../decode/decoder.ts';

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

/** A job that is followed until it is final. */
export interface WatchedJob {
  /** Name of the connection, and where its service is: a job is looked for nowhere else. */
  readonly connection: string;
  readonly origin: string;
  readonly kind: JobKind;
  readonly id: string;
  /** What the user knows it by. */
  readonly label: string;
  /** When watching began, by our clock, milliseconds since the epoch. */
  readonly sinceMs: number;
  /** As the service gave it; undefined until the job has been seen with a time. */
  readonly createdAtMs: number | undefined;
  /** It has been seen, and the service tells no usable time of its creation. */
  readonly undated?: boolean | undefined;
  /** Looks in a row that did not find it, and when the first of them was, milliseconds since the epoch. */
  readonly misses: number;
  readonly missedSinceMs?: number | undefined;
}

const decode: Decoder<WatchedJob> = record({
  connection: text,
  origin: text,
  kind: word(...jobKinds),
  id: text,
  label: text,
  sinceMs: number,
  createdAtMs: optional(number),
  undated: optional(flag),
  misses: number,
  missedSinceMs: optional(number),
});

/** Watched jobs, as they are kept for the next session. */
export const storedWatchedJobs = storedList(1, decode);

/** Names a watched job over all connections. */
export function watchKey(job: Pick<WatchedJob, 'connection' | 'origin' | 'kind' | 'id'>): string {
  const { connection, origin, kind, id } = job;
  return JSON.stringify([connection, origin, kind, id]);
}

/** How a list is kept for the next session. */
export interface StoredList<T> {
  /** The form in which it is kept; undefined when it is empty. */
  readonly form: (jobs: readonly T[]) => object | undefined;
  /** Reads what an earlier session kept; undefined when it cannot be understood. */
  readonly read: (value: unknown) => readonly T[] | undefined;
}

/** A list that is kept with the number of its form: another form gets another version, so that an older program leaves it alone. */
export function storedList<T>(version: number, item: Decoder<T>): StoredList<T> {
  const decode = record({ version: formVersion(version), jobs: list(item) });
  return {
    form: (jobs) => (jobs.length === 0 ? undefined : { version, jobs }),
    read: (value) => {
      const decoded = attempt(decode, value);
      return decoded instanceof Undecodable ? undefined : decoded.jobs;
    },
  };
}

/** Watched jobs that failed unseen, by `watchKey`, as they are kept for the next session. */
export const storedFailures = storedList(1, text);
