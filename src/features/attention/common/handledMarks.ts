import { choice, number, optional, record, shortText, text } from '../../../base/decode/decoder.ts';
import { dayMs, hourMs } from '../../../base/time.ts';
import { type Job, jobKey } from '../../../jobs/common/job.ts';
import { failedAtMs } from './failureGroups.ts';

/** Age limit of new failures until one has been handled. */
export const firstLookMs = dayMs;

/**
 * Limit per connection. The oldest marks are dropped first, so that their failures are shown again rather than lost. Several times the
 * number of failures that can be read at once, whose marks are rewritten in time: see {@link fadingMarks}.
 */
export const maxMarks = 10_000;

/** Version of the records. Earlier versions skip records of a later one. */
const handledSchema = 2;
/** Version since which each type of record exists. */
const schemaOf = { handled: 1, since: 1, undone: 1, muted: 2 } as const;

/** Limits of mutes per connection; the latest ones stay. A name consists of a code and a metadata value. */
export const maxMutes = 100;
const maxNameLength = 1000;

/** A mute without an end is over when no failure of its group came for this time. */
const quietMs = hourMs;

/** Group of failures that is hidden for a time, with the failures to come. Times by the service's clock. */
export interface Mute {
  /** ID of the group. */
  readonly group: string;
  readonly fromMs: number;
  /** Undefined: until it stops, see {@link quietMs}. */
  readonly untilMs?: number | undefined;
}

/** Failure that the user has handled. A mark identifies one job, never an error code, so new failures of a group stay unhandled. */
interface HandledMark {
  readonly job: string;
  /** Time of the failure; a later failure of the same job is new. */
  readonly failedAtMs?: number | undefined;
  /** Local clock, milliseconds since the epoch. */
  readonly atMs: number;
  /** ID shared by all marks of one action; undefined for marks that cannot be undone. */
  readonly act?: string | undefined;
}

/** Record in an append-only file, so that windows that write at the same time lose nothing of each other. */
export type HandledRecord =
  | ({ readonly type: 'handled' } & HandledMark)
  /** Every failure before this time, by the service's clock, is handled or too old to show. */
  | { readonly type: 'since'; readonly sinceMs: number; readonly act?: string | undefined }
  | ({ readonly type: 'muted'; readonly atMs: number; readonly act?: string | undefined } & Mute)
  /** Records of this action do not count. */
  | { readonly type: 'undone'; readonly act: string };

/** Action of the user that can be undone: marks or mutes of one moment. */
interface UserAct {
  readonly act: string;
  /** Local clock, milliseconds since the epoch. */
  readonly atMs: number;
  /** By `jobKey`. */
  readonly jobs: readonly string[];
  readonly mutes: readonly Mute[];
}

/** Handled failures of one connection. Stored on this machine only; never sent to the service. */
export interface HandledMarks {
  /** By `jobKey`. */
  readonly jobs: ReadonlyMap<string, HandledMark>;
  /** Latest mute of each group, also if it is over. */
  readonly mutes: ReadonlyMap<string, Mute>;
  /** Undefined until a failure was handled. */
  readonly sinceMs: number | undefined;
  /** Actions that can be undone, the last one at the end. */
  readonly acts: readonly UserAct[];
  /** Undone actions. */
  readonly undone: ReadonlySet<string>;
}

export const nothingHandled: HandledMarks = {
  jobs: new Map(),
  mutes: new Map(),
  sinceMs: undefined,
  acts: [],
  undone: new Set(),
};

const decodeRecord = choice({
  handled: { job: text, failedAtMs: optional(number), atMs: number, act: optional(text) },
  since: { sinceMs: number, act: optional(text) },
  muted: {
    group: shortText(maxNameLength),
    fromMs: number,
    untilMs: optional(number),
    atMs: number,
    act: optional(text),
  },
  undone: { act: text },
});
const decodeSchema = record({ schema: number });

/** Decodes a stored record. Returns undefined for a record of a later version. @throws Undecodable */
export function decodeHandledRecord(value: unknown): HandledRecord | undefined {
  return decodeSchema(value).schema > handledSchema ? undefined : decodeRecord(value);
}

/** Encodes a record for storage. */
export function storedRecord(handled: HandledRecord): object {
  return { schema: schemaOf[handled.type], ...handled };
}

/** Job to mark. Without times, the mark covers any failure of the job. */
export type MarkedJob = Pick<Job, 'kind' | 'id' | 'createdAtMs' | 'completedAtMs'>;

/** Returns the records that mark these failures. @param act ID of an action that can be undone */
export function handledRecords(failed: readonly MarkedJob[], nowMs: number, act?: string): readonly HandledRecord[] {
  return failed.map((job) => ({ type: 'handled', job: jobKey(job), failedAtMs: failedAtMs(job), atMs: nowMs, act }));
}

/** Combines all records, in any order and from any window. */
export function foldHandled(records: readonly HandledRecord[]): HandledMarks {
  const undone = new Set(records.flatMap((each) => (each.type === 'undone' ? [each.act] : [])));
  const jobs = new Map<string, HandledMark>();
  const muted = new Map<string, Mute & { readonly atMs: number }>();
  let sinceMs: number | undefined;
  const acts = new Map<string, { act: string; atMs: number; jobs: string[]; mutes: Mute[] }>();
  for (const each of records) {
    if (each.type === 'undone' || (each.act !== undefined && undone.has(each.act))) continue;
    if (each.type === 'since') {
      sinceMs = Math.max(sinceMs ?? -Infinity, each.sinceMs);
      continue;
    }
    if (each.act !== undefined) {
      const known = acts.get(each.act) ?? { act: each.act, atMs: each.atMs, jobs: [], mutes: [] };
      acts.set(each.act, known);
      if (each.type === 'muted') known.mutes.push(each);
      else known.jobs.push(each.job);
    }
    if (each.type === 'muted') {
      if (each.atMs >= (muted.get(each.group)?.atMs ?? -Infinity)) muted.set(each.group, each);
      continue;
    }
    const known = jobs.get(each.job);
    jobs.set(each.job, known === undefined ? each : later(known, each));
  }
  const inOrder = [...acts.values()].toSorted((a, b) => a.atMs - b.atMs);
  const mutes = new Map([...muted].toSorted(([, a], [, b]) => a.atMs - b.atMs).slice(-maxMutes));
  if (jobs.size <= maxMarks) return { jobs, mutes, sinceMs, acts: inOrder, undone };
  const newest = [...jobs].toSorted(([, a], [, b]) => a.atMs - b.atMs).slice(-maxMarks);
  return { jobs: new Map(newest), mutes, sinceMs, acts: inOrder, undone };
}

/**
 * Returns the marks of failures that can still be read and would soon be the oldest. Rewriting them keeps them. They no longer belong to an
 * action, so the last action does not change.
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

/** Keeps the later failure, regardless of when it was marked: the local clock may have been set back. */
function later(one: HandledMark, other: HandledMark): HandledMark {
  const [latest, earlier] =
    (one.failedAtMs ?? Infinity) >= (other.failedAtMs ?? Infinity) ? [one, other] : [other, one];
  return { ...latest, atMs: Math.max(latest.atMs, earlier.atMs) };
}

/** True if a failure was marked as handled, and the job has not failed again since. */
export function isHandled(job: MarkedJob, { jobs }: Pick<HandledMarks, 'jobs'>): boolean {
  const mark = jobs.get(jobKey(job));
  return mark !== undefined && (failedAtMs(job) ?? 0) <= (mark.failedAtMs ?? Infinity);
}

/**
 * Returns the failures since {@link failuresSinceMs} that are not handled. A failure without a known time is always included.
 * @param nowMs by the service's clock
 */
export function unhandled(failed: readonly Job[], marks: HandledMarks, nowMs: number): readonly Job[] {
  const sinceMs = failuresSinceMs(marks, nowMs);
  return failed.filter((job) => {
    const atMs = failedAtMs(job);
    return !(atMs !== undefined && atMs < sinceMs) && !isHandled(job, marks);
  });
}

/** Returns the time since which failures are new: the last day until a failure was handled. @param nowMs by the service's clock */
export function failuresSinceMs({ sinceMs }: HandledMarks, nowMs: number): number {
  return sinceMs ?? nowMs - firstLookMs;
}

/**
 * Returns the time since which failures are new once some were handled: the last day, or back to the oldest failure that is unhandled, or
 * was handled within a day and may be restored.
 * @param failed failures that can be read. @param nowMs by the service's clock, or earlier. @param localMs by the clock of the marks
 */
export function newSinceMs(failed: readonly Job[], marks: HandledMarks, nowMs: number, localMs: number): number {
  const settled = [...marks.jobs].filter(([, { act, atMs }]) => act === undefined || atMs < localMs - firstLookMs);
  const left = unhandled(failed, { ...marks, jobs: new Map(settled) }, nowMs);
  const times = left.flatMap((job) => failedAtMs(job) ?? []);
  const oldestMs = times.reduce((one, other) => Math.min(one, other), nowMs - firstLookMs);
  return Math.max(marks.sinceMs ?? -Infinity, oldestMs);
}

/** A failure's time and group, for {@link muteEnd}. */
interface MutedFailures {
  /** Known times of all failures of the group, also handled ones, by the service's clock. */
  readonly timesMs: readonly number[];
  /** True if all failures of the service were read. */
  readonly isWhole: boolean;
}

/**
 * Returns when a mute is over, or would be if no further failure came. A mute until it stops is over after {@link quietMs} without a failure
 * of its group, and stays over: later failures do not renew it.
 */
export function muteEnd({ fromMs, untilMs }: Mute, { timesMs, isWhole }: MutedFailures): number {
  if (untilMs !== undefined) return untilMs;
  const later = timesMs.filter((atMs) => atMs > fromMs).toSorted((a, b) => a - b);
  // Failures that were not read may have come before the first one that was.
  let lastMs = isWhole ? fromMs : (later[0] ?? fromMs);
  for (const atMs of later) {
    if (atMs - lastMs >= quietMs) break;
    lastMs = Math.max(lastMs, atMs);
  }
  return lastMs + quietMs;
}
