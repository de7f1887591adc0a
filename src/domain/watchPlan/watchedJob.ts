import { flag, number, optional, record, text, word, type Decoder } from '../decoder.ts';
import { jobKinds, type JobKind } from '../job.ts';
import { keptList } from './keptList.ts';

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
export const keptWatchedJobs = keptList(1, decode);

/** Names a watched job over all connections. */
export function watchKey(job: Pick<WatchedJob, 'connection' | 'origin' | 'kind' | 'id'>): string {
  const { connection, origin, kind, id } = job;
  return JSON.stringify([connection, origin, kind, id]);
}
