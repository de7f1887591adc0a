import { minuteMs } from '../../base/time.ts';
import { isJobStatus, type Job, type JobKind, type JobStatus } from './job.ts';
import type { JsonObject } from '../../base/json/json.ts';

/** The three list endpoints of contract 4: one per kind, and the deprecated one for all kinds. */
export type ListEndpoint = JobKind | 'combined';

/** The query parameters of contract 4.5, in our spelling. Absent parameters are not sent. */
export interface ListParams {
  readonly offset?: number;
  readonly limit?: number;
  /** `YYYY-MM-DD`. */
  readonly date?: string;
  /** ISO 8601 date-time with zone. */
  readonly beforeDate?: string;
  readonly afterDate?: string;
  readonly statuses?: readonly JobStatus[];
  readonly customMetadata?: JsonObject;
  /** Only sent to the combined endpoint. */
  readonly kinds?: readonly JobKind[];
}

/** A list request: the endpoint and the user's conditions, without paging. */
export interface ListQuery {
  readonly endpoint: ListEndpoint;
  readonly params: ListParams;
}

/** Milliseconds. Contract 4.5 does not specify if the bounds of a range are inclusive. */
const marginMs = 1000;

/** Known times of a job's creation, with which one request finds the job. Milliseconds since the epoch. */
export interface CreationHint {
  /** As sent by the service. */
  readonly createdAtMs?: number | undefined;
  /** When its request was sent, by the local clock. */
  readonly sentAtMs?: number | undefined;
}

/** Maximum expected difference between the local clock and the service's, in milliseconds. */
const clockMarginMs = 15 * minuteMs;

/** Returns the parameters of the list that must contain a job according to its hint; undefined if there is no hint. */
export function hintedParams({ createdAtMs, sentAtMs }: CreationHint): ListParams | undefined {
  if (createdAtMs !== undefined) return around(createdAtMs, marginMs);
  return sentAtMs === undefined ? undefined : around(sentAtMs, clockMarginMs);
}

/** Returns the parameters of the list that contains all jobs submitted between two times by the local clock. */
export function submittedBetween(firstMs: number, lastMs: number): ListParams {
  return {
    afterDate: new Date(firstMs - clockMarginMs).toISOString(),
    beforeDate: new Date(lastMs + clockMarginMs).toISOString(),
  };
}

function around(ms: number, distanceMs: number): ListParams {
  return {
    afterDate: new Date(ms - distanceMs).toISOString(),
    beforeDate: new Date(ms + distanceMs).toISOString(),
  };
}

/**
 * Returns the parameters of the request that finds a job. Omits its status, which may have changed by the time the
 * request is sent.
 */
export function findingParams({ createdAtMs, status }: Pick<Job, 'createdAtMs' | 'status'>): ListParams {
  return hintedParams({ createdAtMs }) ?? (isJobStatus(status) ? { statuses: [status] } : {});
}

/** A job that may not be loaded, with the name of its connection. */
export interface NamedJob extends CreationHint {
  readonly connection: string;
  readonly kind: string;
  readonly id: string;
}
