import { isJobStatus, jobKinds, jobStatuses, type JobKind, type JobStatus } from './job.ts';
import type { ListSource } from '../connection/connection.ts';
import { buildFilterParams, type JobFilter } from '../filter/jobFilter.ts';
import type { ListQuery } from './listParams.ts';
import { Failure } from '../failure.ts';

/** Identifies one list of jobs: those of a kind with a status, or all of a kind when `status` is undefined. */
export interface ListKey {
  readonly kind: string;
  readonly status: string | undefined;
}

/** How jobs are grouped below their kind. */
export type GroupBy = 'status' | 'none';

/** A key for maps; never shown or parsed. */
export function listId({ kind, status }: ListKey): string {
  return status === undefined ? kind : `${kind}\n${status}`;
}

/** The lists to request for a kind: one per selected status, or one for all. */
export function listKeysOf(kind: JobKind, groupBy: GroupBy, filter: JobFilter): readonly ListKey[] {
  if (groupBy === 'none') return [{ kind, status: undefined }];
  const wanted: readonly JobStatus[] =
    filter.statuses.length === 0 ? jobStatuses : jobStatuses.filter((status) => filter.statuses.includes(status));
  return wanted.map((status) => ({ kind, status }));
}

/** Whether the list can be requested. Unknown kinds and statuses occur only in responses. */
export function isAskable(key: ListKey): key is { readonly kind: JobKind; readonly status: JobStatus | undefined } {
  return jobKinds.some((kind) => kind === key.kind) && (key.status === undefined || isJobStatus(key.status));
}

/**
 * The query for a list: endpoint, status and the user's filter (contract 4.5).
 * @param nowMs milliseconds since the epoch, from which relative times of the filter are computed
 * @throws Failure `notFound` for a list that cannot be requested
 */
export function toListQuery(key: ListKey, filter: JobFilter, listSource: ListSource, nowMs: number): ListQuery {
  if (!isAskable(key)) throw new Failure('notFound', { cause: 'jobs of this kind or status cannot be asked for' });
  const combined = listSource === 'combined';
  const statuses = key.status === undefined ? filter.statuses : [key.status];
  return {
    endpoint: combined ? 'combined' : key.kind,
    params: {
      ...buildFilterParams(filter, nowMs),
      ...(statuses.length === 0 ? {} : { statuses }),
      ...(combined ? { kinds: [key.kind] } : {}),
    },
  };
}
