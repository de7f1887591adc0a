import { attempt, formVersion, list, number, optional, record, text, Undecodable } from '../decode/decoder.ts';
import { type Job, jobKey } from '../jobs/job.ts';
import { failedAtMs } from './failureGroups.ts';

const dayMs = 24 * 3_600_000;

/** Age limit of new failures when none has been handled yet. */
export const firstLookMs = dayMs;

/** Limit per connection; the oldest marks are dropped first, so that their failures are shown again rather than lost. */
export const mostMarks = 5_000;

/** A failure that the user has handled. A mark identifies one job, never an error code, so new failures of a group stay unhandled. */
interface HandledMark {
  readonly job: string;
  readonly failedAtMs?: number | undefined;
  /** Local clock, milliseconds since the epoch. */
  readonly atMs: number;
}

/** The handled failures of one connection. Stored on this machine only; never sent to the service. */
export interface HandledMarks {
  /** Newest last. */
  readonly marks: readonly HandledMark[];
}

export const nothingHandled: HandledMarks = { marks: [] };

const version = 1;
const decode = record({
  version: formVersion(version),
  marks: list(record({ job: text, failedAtMs: optional(number), atMs: number })),
});

/** Encodes the marks for storage. */
export function storedMarks({ marks }: HandledMarks): object {
  return { version, marks };
}

/** Decodes stored marks; undefined when they are invalid, which is different from empty. */
export function readMarks(value: unknown): HandledMarks | undefined {
  if (value === undefined) return nothingHandled;
  const read = attempt(decode, value);
  return read instanceof Undecodable ? undefined : { marks: read.marks };
}

/** Adds these failures to the marks. */
export function markHandled({ marks }: HandledMarks, failed: readonly Job[], nowMs: number): HandledMarks {
  const marked = new Set(failed.map(jobKey));
  const added = failed.map((job) => ({ job: jobKey(job), failedAtMs: failedAtMs(job), atMs: nowMs }));
  return { marks: [...marks.filter(({ job }) => !marked.has(job)), ...added].slice(-mostMarks) };
}

/** Merges the marks of two windows. */
export function joinMarks(one: HandledMarks, other: HandledMarks): HandledMarks {
  const byJob = new Map<string, HandledMark>();
  for (const mark of [...one.marks, ...other.marks]) {
    const known = byJob.get(mark.job);
    if (known === undefined || known.atMs < mark.atMs) byJob.set(mark.job, mark);
  }
  return { marks: [...byJob.values()].toSorted((a, b) => a.atMs - b.atMs).slice(-mostMarks) };
}

/** The failures without a mark. */
export function unhandled(failed: readonly Job[], { marks }: HandledMarks): readonly Job[] {
  const handled = new Set(marks.map(({ job }) => job));
  return failed.filter((job) => !handled.has(jobKey(job)));
}

/**
 * Start of the period to request failures for: one day before the last mark, because a job created before it may fail after it; the last
 * day when nothing has been handled.
 */
export function failuresSinceMs({ marks }: HandledMarks, nowMs: number): number {
  const last = marks.at(-1);
  return last === undefined ? nowMs - firstLookMs : Math.min(nowMs, last.atMs) - firstLookMs;
}
