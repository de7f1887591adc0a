import { dayMs, minuteMs } from '../../../base/time.ts';
import { isUnfinished, type Job, jobKinds, type JobKind } from '../../../jobs/common/job.ts';
import {
  flag,
  number,
  optional,
  record,
  text,
  word,
  type Decoder,
  formVersion,
  list,
} from '../../../base/decode/decoder.ts';

/** Workspace state keys of the watched jobs, and of those that failed and were not viewed. */
export const watchMemory = {
  jobs: 'watchedJobs',
  failures: 'unseenFailures',
} as const;

/** A job that is unfinished after this time is no longer watched. */
export const maxWatchMs = dayMs;
/** A job missing from this many consecutive polls, over a long enough time, is considered deleted. */
export const maxMisses = 10;
export const maxMissMs = 2 * minuteMs;

const unfocusedFactor = 4;
const maxDelayMs = 5 * minuteMs;

/** Input of the polling interval. Times in milliseconds. */
export interface WatchPace {
  /** Since the newest watched job was added. */
  readonly youngestMs: number;
  readonly focused: boolean;
  /** Consecutive failed polls. */
  readonly failures: number;
  /** Requests of the last poll. */
  readonly requests?: number;
}

/** Max number of requests in the usual interval: a poll that takes more requests waits longer. */
const maxRequests = 4;

/** Returns the delay until the next poll: short at first, longer later, longest while the window is not focused. */
export function watchDelayMs({ youngestMs, focused, failures, requests = 0 }: WatchPace): number {
  const usual = youngestMs < minuteMs ? 3000 : youngestMs < 10 * minuteMs ? 10_000 : 30_000;
  const price = Math.max(1, requests / maxRequests);
  return Math.min(usual * price * (focused ? 1 : unfocusedFactor) * 2 ** failures, maxDelayMs);
}

/** Result of one poll for a watched job. */
export type WatchVerdict =
  | { readonly type: 'waiting'; readonly watched: WatchedJob }
  | { readonly type: 'finished'; readonly watched: WatchedJob; readonly job: Job }
  /** No longer watched although unfinished: the time limit has passed, or it is no longer in the list. */
  | { readonly type: 'givenUp'; readonly watched: WatchedJob; readonly why: 'tooLong' | 'gone' };

/** A watched job that is final. */
export type FinishedJob = Omit<Extract<WatchVerdict, { readonly type: 'finished' }>, 'type'>;
/** A job that is no longer watched although it is unfinished. */
export type GivenUpJob = Omit<Extract<WatchVerdict, { readonly type: 'givenUp' }>, 'type'>;

/**
 * Conclusion about a job that a poll did not return: it is not in the list; it is probably not in the list, because the list ended but may
 * be incomplete; or none.
 */
export type Absence = 'proved' | 'likely' | 'open';

/**
 * Evaluates a watched job after one poll. Returns the same object while nothing has changed.
 * @param job as in the list; undefined if it was not in the list.
 */
export function judgeWatchedJob(
  watched: WatchedJob,
  job: Job | undefined,
  absence: Absence,
  nowMs: number,
): WatchVerdict {
  if (job !== undefined && !isUnfinished(job)) return { type: 'finished', watched, job };
  if (nowMs - watched.sinceMs >= maxWatchMs) return { type: 'givenUp', watched, why: 'tooLong' };
  if (job === undefined)
    return absence === 'open' ? { type: 'waiting', watched } : judgeMissed(watched, absence, nowMs);
  const createdAtMs = job.createdAtMs ?? watched.createdAtMs;
  const undated = createdAtMs === undefined ? true : undefined;
  const isSame = createdAtMs === watched.createdAtMs && undated === watched.undated && watched.misses === 0;
  const seen = { ...watched, createdAtMs, undated, misses: 0, missedSinceMs: undefined };
  return { type: 'waiting', watched: isSame ? watched : seen };
}

/** Handles a job that a poll did not return. A probable absence leads to a wider search, but never to giving up. */
function judgeMissed(watched: WatchedJob, absence: 'proved' | 'likely', nowMs: number): WatchVerdict {
  if (absence === 'likely') return { type: 'waiting', watched: { ...watched, misses: watched.misses + 1 } };
  const { misses, missedSinceMs = nowMs } = watched;
  const isGone = misses + 1 >= maxMisses && nowMs - missedSinceMs >= maxMissMs;
  if (isGone) return { type: 'givenUp', watched, why: 'gone' };
  return { type: 'waiting', watched: { ...watched, misses: misses + 1, missedSinceMs } };
}

/** A job that is polled until it is final. */
export interface WatchedJob {
  /** Name and origin of the connection: the job is requested nowhere else. */
  readonly connection: string;
  readonly origin: string;
  readonly kind: JobKind;
  readonly id: string;
  /** Label shown to the user. */
  readonly label: string;
  /** Time when watching began, by the local clock, in milliseconds since the epoch. */
  readonly sinceMs: number;
  /** As sent by the service; undefined until a response contains it. */
  readonly createdAtMs: number | undefined;
  /** The job was found, but the service sends no usable creation time. */
  readonly undated?: boolean | undefined;
  /** Consecutive polls that did not find it, and the time of the first of them, milliseconds since the epoch. */
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

/** The stored form of watched jobs. */
export const storedWatchedJobs = storedList(1, decode);

/** Returns a key that identifies a watched job among all connections. */
export function watchKey(job: Pick<WatchedJob, 'connection' | 'origin' | 'kind' | 'id'>): string {
  const { connection, origin, kind, id } = job;
  return JSON.stringify([connection, origin, kind, id]);
}

/** The stored form of a list, for the next session. */
export interface StoredList<T> {
  /** Encodes a list; undefined when it is empty. */
  readonly form: (jobs: readonly T[]) => object | undefined;
  readonly decode: Decoder<readonly T[]>;
}

/** Returns the stored form of a list with a format version, so that older versions of the product ignore a newer format. */
function storedList<T>(version: number, item: Decoder<T>): StoredList<T> {
  const decode = record({ version: formVersion(version), jobs: list(item) });
  return {
    form: (jobs) => (jobs.length === 0 ? undefined : { version, jobs }),
    decode: (value) => decode(value).jobs,
  };
}

/** Watched jobs that failed and were not viewed, by `watchKey`, for the next session. */
export const storedFailures = storedList(1, text);

/** Max number of stored failures: the badge shows no number as large as this, and each failure writes all names. */
const maxFailures = 1000;

/** Adds failures to the unviewed ones; keeps the latest, at most a thousand. */
export function addFailures(known: ReadonlySet<string>, jobs: readonly string[]): ReadonlySet<string> {
  return new Set([...new Set([...known, ...jobs])].slice(-maxFailures));
}

/** A job to watch, with its known fields. */
export type Watchable = Pick<WatchedJob, 'kind' | 'id' | 'label' | 'createdAtMs' | 'undated'>;
