import type { JobKind, JobStatus } from './job.ts';
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
