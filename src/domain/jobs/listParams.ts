import { isJobStatus, type Job, type JobKind, type JobStatus } from './job.ts';
import type { JsonObject } from '../json/json.ts';

/** The three list endpoints of contract 4: one per kind, and the deprecated one for all kinds. */
export type ListEndpoint = JobKind | 'combined';

/** The query parameters of contract 4.5, in our spelling. Absent means not sent. */
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

/** Milliseconds. Contract 4.5 does not say whether the bounds of a range are inclusive. */
const marginMs = 1000;

/** The parameters of the request that finds a job. Without its status, which may have changed by the time it is sent. */
export function findingParams({ createdAtMs, status }: Pick<Job, 'createdAtMs' | 'status'>): ListParams {
  if (createdAtMs === undefined) return isJobStatus(status) ? { statuses: [status] } : {};
  return {
    afterDate: new Date(createdAtMs - marginMs).toISOString(),
    beforeDate: new Date(createdAtMs + marginMs).toISOString(),
  };
}
