import { isJobStatus, jobKinds, jobStatuses, type JobKind, type JobStatus } from './job.ts';
import type { ListSource } from '../../connections/common/connection.ts';
import { buildFilterParams, type JobFilter } from './jobFilter.ts';
import type { ListQuery } from './listParams.ts';
import { Failure } from '../../base/failure.ts';

/** Identifies one list of jobs: those of a kind with a status, or all jobs of a kind if `status` is undefined. */
export interface ListKey {
  /** Undefined for jobs of all kinds, which the combined endpoint lists together. */
  readonly kind: string | undefined;
  readonly status: string | undefined;
}

/** Grouping of jobs below their kind. */
export type GroupBy = 'status' | 'none';

/** Returns a key for maps; never shown or parsed. */
export function listId({ kind, status }: ListKey): string {
  return JSON.stringify([kind ?? null, status ?? null]);
}

/** Returns the kinds to request lists of; undefined for all kinds in one list. */
export function listedKinds(listSource: ListSource): readonly (JobKind | undefined)[] {
  return listSource === 'combined' ? [undefined] : jobKinds;
}

/** Returns the lists to request for a kind: one per selected status, or one for all. */
export function listKeysOf(kind: JobKind | undefined, groupBy: GroupBy, filter: JobFilter): readonly ListKey[] {
  if (groupBy === 'none') return [{ kind, status: undefined }];
  const wanted: readonly JobStatus[] =
    filter.statuses.length === 0 ? jobStatuses : jobStatuses.filter((status) => filter.statuses.includes(status));
  return wanted.map((status) => ({ kind, status }));
}

/** True if the list can be requested. Unknown kinds and statuses occur only in responses. */
export function isQueryable(
  key: ListKey,
): key is { readonly kind: JobKind | undefined; readonly status: JobStatus | undefined } {
  const isKnownKind = key.kind === undefined || jobKinds.some((kind) => kind === key.kind);
  return isKnownKind && (key.status === undefined || isJobStatus(key.status));
}

/** True if a list is for jobs of that kind and status. Ignores the filter. */
export function isListOf(key: ListKey, job: { readonly kind: string; readonly status: string }): boolean {
  return hasKind(key, job.kind) && (key.status === undefined || key.status === job.status);
}

/** True if a list is for jobs of that kind. */
export function hasKind(key: ListKey, kind: string): boolean {
  return key.kind === undefined || key.kind === kind;
}

/**
 * Returns the query for a list: endpoint, status and the user's filter (contract 4.5).
 * @param nowMs milliseconds since the epoch, from which relative times of the filter are computed
 * @throws Failure `notFound` for a list that cannot be requested
 */
export function toListQuery(key: ListKey, filter: JobFilter, listSource: ListSource, nowMs: number): ListQuery {
  const combined = listSource === 'combined';
  if (!isQueryable(key) || (key.kind === undefined && !combined))
    throw new Failure('notFound', { cause: 'jobs of this kind or status cannot be asked for' });
  const statuses = key.status === undefined ? filter.statuses : [key.status];
  return {
    endpoint: combined || key.kind === undefined ? 'combined' : key.kind,
    params: {
      ...buildFilterParams(filter, nowMs),
      ...(statuses.length === 0 ? {} : { statuses }),
      ...(combined ? { kinds: key.kind === undefined ? jobKinds : [key.kind] } : {}),
    },
  };
}

/** Returns the queries for all jobs that match a filter, as few as the connection allows. */
export function toListQueries(filter: JobFilter, listSource: ListSource, nowMs: number): readonly ListQuery[] {
  return listedKinds(listSource).map((kind) => toListQuery({ kind, status: undefined }, filter, listSource, nowMs));
}
