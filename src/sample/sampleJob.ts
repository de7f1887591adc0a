import type { JobKind, JobStatus } from '../jobs/common/job.ts';
import type { JsonObject, JsonValue } from '../base/json/json.ts';

/** Final status of a job. */
type SampleOutcome = Extract<JobStatus, 'done' | 'error'>;

/** A job with all transitions planned: its state depends only on the clock. Times in epoch milliseconds. */
export interface SampleJob {
  readonly id: string;
  readonly kind: JobKind;
  readonly createdAt: number;
  /** Time when it leaves the queue; `Infinity`: never. */
  readonly startsAt: number;
  /** Time when it ends; `Infinity`: never. */
  readonly endsAt: number;
  readonly outcome: SampleOutcome;
  /** The custom metadata, which lists can filter by; undefined: the field is absent. */
  readonly metadata: JsonValue | undefined;
  /** Makes the parts that only the item needs, so that thousands of jobs are created instantly. */
  readonly details: () => SampleDetails;
}

/** The parts of a job that do not change over time. */
export interface SampleDetails {
  readonly requestId: string;
  /** Shown once the job has ended in `error`. */
  readonly errorCode: number;
  /** Fields as sent; they override the usual ones. */
  readonly fields: JsonObject;
  /** Makes the result that is sent once the job is done, unless `fields` has one. Beyond the contract. */
  readonly result?: () => JsonObject;
}

/** Returns the status of a job at a moment (epoch milliseconds). */
export function statusAt(job: SampleJob, now: number): JobStatus {
  if (now < job.startsAt) return 'queued';
  return now < job.endsAt ? 'processing' : job.outcome;
}

/** Returns the job with a status that is fixed from the given time (epoch milliseconds) on. */
export function fixedAt(job: SampleJob, status: JobStatus, at: number): SampleJob {
  switch (status) {
    case 'queued':
      return { ...job, startsAt: Infinity, endsAt: Infinity };
    case 'processing':
      return { ...job, startsAt: at, endsAt: Infinity };
    case 'done':
    case 'error':
      return { ...job, startsAt: Math.min(job.startsAt, at), endsAt: at, outcome: status };
  }
}

/** Returns the job item of contract 2.2 as the service shows it at a moment (epoch milliseconds). */
export function itemAt(job: SampleJob, now: number): JsonObject {
  const status = statusAt(job, now);
  const ended = now >= job.endsAt;
  const { requestId, errorCode, fields, result } = job.details();
  const hasOwnResult = status !== 'done' || Object.hasOwn(fields, 'result');
  return omitUndefined({
    id: job.id,
    request_id: requestId,
    version: 2,
    status,
    created_at: isoTime(job.createdAt),
    completed_at: ended ? isoTime(job.endsAt) : null,
    kind: job.kind,
    custom_metadata: undefined,
    post_session_metadata: undefined,
    // Without an error, live items omit the field and others send null, as public services do.
    error_code: status === 'error' ? errorCode : job.kind === 'live' ? undefined : null,
    ...fields,
    ...(hasOwnResult ? {} : { result: result?.() }),
  });
}

/** Orders the newest first; jobs created at the same time by id. Negative when `a` is listed before `b`. */
export function compareNewestFirst(a: SampleJob, b: SampleJob): number {
  if (a.createdAt !== b.createdAt) return b.createdAt - a.createdAt;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

function isoTime(at: number): string {
  return new Date(at).toISOString();
}

/** Removes fields that are `undefined`, which are not sent. */
export function omitUndefined(fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const sent: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) sent[name] = value;
  return sent;
}
