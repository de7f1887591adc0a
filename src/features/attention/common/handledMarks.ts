import { choice, number, optional, record, text } from '../../../base/decode/decoder.ts';
import { type Job, jobKey } from '../../../jobs/common/job.ts';
import { failedAtMs } from './failureGroups.ts';

const dayMs = 24 * 3_600_000;

/** Age limit of new failures when none has been handled yet. */
export const firstLookMs = dayMs;

/**
 * Limit per connection; the oldest marks are dropped first, so that their failures are shown again rather than lost. Several times the number
 * of failures that can be read at once, whose marks are written again in time: see {@link fadingMarks}.
 */
export const maxMarks = 10_000;

/** Version of the records. */
const handledSchema = 1;

/** A failure that the user has handled. A mark identifies one job, never an error code, so new failures of a group stay unhandled. */
interface HandledMark {
  readonly job: string;
  /** When it failed; a later failure of the same job is new. */
  readonly failedAtMs?: number | undefined;
  /** Local clock, milliseconds since the epoch. */
  readonly atMs: number;
  /** What was marked at once has the same; undefined for marks that cannot be undone. */
  readonly act?: string | undefined;
}

/** What a window writes down, in an append-only file, so that windows that write at the same time lose nothing of each other. */
export type HandledRecord =
  | ({ readonly type: 'handled' } & HandledMark)
  /** Every failure before this time, by the service's clock, is handled or too old to show. */
  | { readonly type: 'since'; readonly sinceMs: number; readonly act?: string | undefined }
  /** Whatever was written by this act does not count. */
  | { readonly type: 'undone'; readonly act: string };

/** The handled failures of one connection. Stored on this machine only; never sent to the service. */
export interface HandledMarks {
  /** By `jobKey`. */
  readonly jobs: ReadonlyMap<string, HandledMark>;
  /** Undefined until something was handled. */
  readonly sinceMs: number | undefined;
  /** What was marked last, of what can be undone. */
  readonly lastAct: string | undefined;
  /** The acts that were taken back. */
  readonly undone: ReadonlySet<string>;
}

export const nothingHandled: HandledMarks = {
  jobs: new Map(),
  sinceMs: undefined,
  lastAct: undefined,
  undone: new Set(),
};

const decodeRecord = choice({
  handled: { job: text, failedAtMs: optional(number), atMs: number, act: optional(text) },
  since: { sinceMs: number, act: optional(text) },
  undone: { act: text },
});
const decodeSchema = record({ schema: number });

/** Decodes a stored record; undefined for one of a later version. @throws Undecodable */
export function decodeHandledRecord(value: unknown): HandledRecord | undefined {
  return decodeSchema(value).schema > handledSchema ? undefined : decodeRecord(value);
}

/** A record for storage. */
export function storedRecord(handled: HandledRecord): object {
  return { schema: handledSchema, ...handled };
}

/** What a mark needs of a job; without times it covers whatever failure of the job. */
export type MarkedJob = Pick<Job, 'kind' | 'id' | 'createdAtMs' | 'completedAtMs'>;

/** The records that mark these failures. @param act for what can be undone */
export function handledRecords(failed: readonly MarkedJob[], nowMs: number, act?: string): readonly HandledRecord[] {
  return failed.map((job) => ({ type: 'handled', job: jobKey(job), failedAtMs: failedAtMs(job), atMs: nowMs, act }));
}

/** What counts of all records, in any order and of any window. */
export function foldHandled(records: readonly HandledRecord[]): HandledMarks {
  const undone = new Set(records.flatMap((each) => (each.type === 'undone' ? [each.act] : [])));
  const jobs = new Map<string, HandledMark>();
  let sinceMs: number | undefined;
  let last: HandledMark | undefined;
  for (const each of records) {
    if (each.type === 'undone' || (each.act !== undefined && undone.has(each.act))) continue;
    if (each.type === 'since') {
      sinceMs = Math.max(sinceMs ?? -Infinity, each.sinceMs);
      continue;
    }
    if (each.act !== undefined && each.atMs >= (last?.atMs ?? -Infinity)) last = each;
    const known = jobs.get(each.job);
    jobs.set(each.job, known === undefined ? each : later(known, each));
  }
  const lastAct = last?.act;
  if (jobs.size <= maxMarks) return { jobs, sinceMs, lastAct, undone };
  const newest = [...jobs].toSorted(([, a], [, b]) => a.atMs - b.atMs).slice(-maxMarks);
  return { jobs: new Map(newest), sinceMs, lastAct, undone };
}

/**
 * The marks of failures that can still be read and would soon be the oldest: written again, they last. They belong to no act any more, so
 * that the last one stays the one that was done last.
 */
export function fadingMarks(
  { jobs }: HandledMarks,
  readable: readonly Pick<Job, 'kind' | 'id'>[],
  nowMs: number,
): readonly HandledRecord[] {
  if (jobs.size <= maxMarks / 2) return [];
  const oldest = new Map([...jobs].toSorted(([, a], [, b]) => a.atMs - b.atMs).slice(0, -maxMarks / 2));
  return [...new Set(readable.map(jobKey))].flatMap((key) => {
    const mark = oldest.get(key);
    return mark === undefined ? [] : [{ ...mark, type: 'handled', atMs: nowMs, act: undefined }];
  });
}

/** The later failure is handled whenever it was marked: our clock may have been set back. */
function later(one: HandledMark, other: HandledMark): HandledMark {
  const [latest, earlier] =
    (one.failedAtMs ?? Infinity) >= (other.failedAtMs ?? Infinity) ? [one, other] : [other, one];
  return { ...latest, atMs: Math.max(latest.atMs, earlier.atMs) };
}

/**
 * The failures that nobody has handled, since {@link failuresSinceMs}. One whose time is not known is never left out.
 * @param nowMs by the service's clock
 */
export function unhandled(failed: readonly Job[], marks: HandledMarks, nowMs: number): readonly Job[] {
  const sinceMs = failuresSinceMs(marks, nowMs);
  return failed.filter((job) => {
    const atMs = failedAtMs(job);
    if (atMs !== undefined && atMs < sinceMs) return false;
    const mark = marks.jobs.get(jobKey(job));
    return mark === undefined || (atMs ?? 0) > (mark.failedAtMs ?? Infinity);
  });
}

/** From when on failures are new: of the last day until something was handled. @param nowMs by the service's clock */
export function failuresSinceMs({ sinceMs }: HandledMarks, nowMs: number): number {
  return sinceMs ?? nowMs - firstLookMs;
}

/**
 * From when on failures are new once some were handled: of the last day, or as long as the oldest that is not handled, or was within a day
 * and may be brought back.
 * @param failed those that can be read. @param nowMs by the service's clock, or earlier. @param localMs by the clock of the marks
 */
export function newSinceMs(failed: readonly Job[], marks: HandledMarks, nowMs: number, localMs: number): number {
  const settled = [...marks.jobs].filter(([, { act, atMs }]) => act === undefined || atMs < localMs - firstLookMs);
  const left = unhandled(failed, { ...marks, jobs: new Map(settled) }, nowMs);
  const times = left.flatMap((job) => failedAtMs(job) ?? []);
  const oldestMs = times.reduce((one, other) => Math.min(one, other), nowMs - firstLookMs);
  return Math.max(marks.sinceMs ?? -Infinity, oldestMs);
}
