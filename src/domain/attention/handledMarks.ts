import { attempt, formVersion, list, number, optional, record, text, Undecodable } from '../decode/decoder.ts';
import { type Job, jobKey } from '../jobs/job.ts';
import { failedAtMs } from './failureGroups.ts';

const dayMs = 24 * 3_600_000;

/** Failures of this time before now are new when none has been handled yet. */
export const firstLookMs = dayMs;

/** So many marks are kept per connection; beyond them the oldest go, and their failures are shown again rather than lost. */
export const mostMarks = 5_000;

/** A failure that the user has dealt with. A mark names one job: a group is marked by the failures it shows, never by its code. */
interface HandledMark {
  readonly job: string;
  readonly failedAtMs?: number | undefined;
  /** When it was marked, by our clock; milliseconds since the epoch. */
  readonly atMs: number;
}

/** What has been handled on one connection. Kept on this machine only: the service knows nothing of it. */
export interface HandledMarks {
  /** The newest last. */
  readonly marks: readonly HandledMark[];
}

export const nothingHandled: HandledMarks = { marks: [] };

const version = 1;
const decode = record({
  version: formVersion(version),
  marks: list(record({ job: text, failedAtMs: optional(number), atMs: number })),
});

/** The form in which marks are kept. */
export function storedMarks({ marks }: HandledMarks): object {
  return { version, marks };
}

/** Reads what was kept; undefined when it cannot be understood, which is not the same as nothing. */
export function readMarks(value: unknown): HandledMarks | undefined {
  if (value === undefined) return nothingHandled;
  const read = attempt(decode, value);
  return read instanceof Undecodable ? undefined : { marks: read.marks };
}

/** The marks with these failures handled too. */
export function markHandled({ marks }: HandledMarks, failed: readonly Job[], nowMs: number): HandledMarks {
  const marked = new Set(failed.map(jobKey));
  const added = failed.map((job) => ({ job: jobKey(job), failedAtMs: failedAtMs(job), atMs: nowMs }));
  return { marks: [...marks.filter(({ job }) => !marked.has(job)), ...added].slice(-mostMarks) };
}

/** The marks as two windows have them together. */
export function joinMarks(one: HandledMarks, other: HandledMarks): HandledMarks {
  const byJob = new Map<string, HandledMark>();
  for (const mark of [...one.marks, ...other.marks]) {
    const known = byJob.get(mark.job);
    if (known === undefined || known.atMs < mark.atMs) byJob.set(mark.job, mark);
  }
  return { marks: [...byJob.values()].toSorted((a, b) => a.atMs - b.atMs).slice(-mostMarks) };
}

/** The failures that nobody has handled. */
export function unhandled(failed: readonly Job[], { marks }: HandledMarks): readonly Job[] {
  const handled = new Set(marks.map(({ job }) => job));
  return failed.filter((job) => !handled.has(jobKey(job)));
}

/**
 * From when on failures are asked for: a day before the last mark, because a job that was created before it may fail after it; the last
 * day when nothing has been handled.
 */
export function failuresSinceMs({ marks }: HandledMarks, nowMs: number): number {
  const last = marks.at(-1);
  return last === undefined ? nowMs - firstLookMs : Math.min(nowMs, last.atMs) - firstLookMs;
}
