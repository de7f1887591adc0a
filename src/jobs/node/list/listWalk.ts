import { isFailure, type FailureCode } from '../../../base/failure.ts';
import { type Job, type ListEntry } from '../../common/job.ts';
import { unseenOrder, type ListOrder } from '../../common/listOrder.ts';
import type { ListParams, ListQuery } from '../../common/listParams.ts';
import type { ListPage } from '../../common/decodePage.ts';
import type { ListReader } from './listReader.ts';
import type { ServiceTraits, SeveralName } from './serviceTraits.ts';

/**
 * An upper bound for the creation time, sent as `before_date` with later pages so that new jobs do not shift them. Taken from
 * times that the service itself put on jobs.
 */
export interface Pin {
  /** ISO 8601. */
  readonly before: string;
  /** A page requested with the pin matched one requested without it. An unproved pin is dropped when it does not match. */
  readonly isProved: boolean;
}

/**
 * A part of a list that is read with its own upper bound for the creation time, because the service refuses its offsets
 * in the whole list.
 */
export interface Segment {
  /** Offset of its first item in the whole list. */
  readonly from: number;
  /** ISO 8601. */
  readonly before: string;
}

/** How far a list has been read, and what the responses have shown about it. Immutable. */
export interface ListWalk {
  /** Offset after the last item received. Includes unreadable items and jobs that have left since. */
  readonly received: number;
  /** The last entries received, starting with the last job. */
  readonly tail: readonly ListEntry[];
  /** The entries of the last response. The same entries further down are a repetition. */
  readonly lastPage: readonly ListEntry[] | undefined;
  /** The service reports more items, or there may be more. */
  readonly hasMore: boolean;
  /** `next` was null on a full page. This does not prove the end; another request must. */
  readonly endIsClaimed: boolean;
  readonly pin: Pin | undefined;
  /** The last segment extends to the end of the list. Empty while the service accepts all offsets. */
  readonly segments: readonly Segment[];
  readonly order: ListOrder;
  /** Every response had a job in common with the known entries, so that nothing is missing between them. */
  readonly isContiguous: boolean;
  /** Number of responses with new entries. A list from a single response is consistent. */
  readonly answers: number;
  /** The list changed while it was read: rows loaded earlier may be out of date. */
  readonly moved: boolean;
  /** Jobs on both sides of a page boundary have the same time, so that a service may order them differently for the next page. */
  readonly isTied: boolean;
  /** The service reports more items but sends nothing new. The list ends here, with a notice. */
  readonly stuck: boolean;
  /** The responses imply that every job that matched throughout has been read. */
  readonly isComplete: boolean;
}

/** Requests the page at an offset, with the pin if there is one. Throws Failure. */
export type FetchPage = (
  offset: number,
  limit: number,
  before: string | undefined,
  signal?: AbortSignal,
) => Promise<ListPage>;

/** The list to read: its parameters, its source, and the known jobs. */
export interface WalkDeps {
  readonly params: ListParams;
  readonly traits: ServiceTraits;
  readonly fetchPage: FetchPage;
  /** If `fetchPage` prefetches: requests a page outside that sequence. */
  readonly fetchApart?: FetchPage;
  /**
   * Requests a page of jobs created after a time, ISO 8601. One job is not enough, because known jobs come first if the
   * bound applies to completion. Throws Failure.
   */
  readonly fetchAfter?: (after: string) => Promise<ListPage>;
  /** Requests the first jobs of the list that have some of the requested values. Throws Failure. */
  readonly fetchSome?: (some: Pick<ListParams, SeveralName>) => Promise<ListPage>;
  isKnown(job: Job): boolean;
  /** True if a page begins with the last loaded rows, without gaps: then only the number of jobs above them has changed. */
  continues?(entries: readonly ListEntry[]): boolean;
}

/**
 * Returns the requests that a walk sends to a service.
 * @param limit items per page with `after_date`
 * @param pause returns a signal that aborts the requests sent until the next call
 */
export function readOf(
  reader: ListReader,
  { endpoint, params }: ListQuery,
  limit: number,
  signal: AbortSignal | undefined,
  pause?: () => AbortSignal,
): Pick<WalkDeps, 'params' | 'traits' | 'fetchPage' | 'fetchAfter' | 'fetchSome'> {
  const until = (abort: AbortSignal | undefined): AbortSignal | undefined =>
    pause === undefined ? abort : AbortSignal.any(abort === undefined ? [pause()] : [abort, pause()]);
  return {
    params,
    traits: reader.traits,
    fetchPage: (offset, pageLimit, before, abort = signal) =>
      reader.readPage(
        endpoint,
        { ...params, offset, limit: pageLimit, ...(before === undefined ? {} : { beforeDate: before }) },
        until(abort),
      ),
    fetchAfter: (afterDate) => reader.readPage(endpoint, { ...params, offset: 0, limit, afterDate }, until(signal)),
    fetchSome: (some) => reader.readPage(endpoint, { ...params, ...some, offset: 0, limit }, until(signal)),
  };
}

/** A list before its first response. */
export const unread: ListWalk = {
  received: 0,
  tail: [],
  lastPage: undefined,
  hasMore: true,
  endIsClaimed: false,
  pin: undefined,
  segments: [],
  order: unseenOrder,
  isContiguous: true,
  answers: 0,
  moved: false,
  isTied: false,
  stuck: false,
  isComplete: false,
};

/** Returns the offset and bound to send for an offset in the whole list. */
export function requestAt({ pin, segments }: Pick<ListWalk, 'pin' | 'segments'>, offset: number) {
  const segment = segments.findLast(({ from }) => from <= offset);
  return segment === undefined
    ? { offset, before: pin?.before }
    : { offset: offset - segment.from, before: segment.before };
}

/** Requests the page at an offset of the whole list. Throws Failure. */
export async function fetchAt(walk: ListWalk, fetch: FetchPage, offset: number, limit: number): Promise<ListPage> {
  const request = requestAt(walk, offset);
  return fetch(request.offset, limit, request.before);
}

/** Failures by which a service refuses a query. */
const refusals: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'keyRejected',
  'notFound',
  'rejected',
  'serverFailed',
  'tooLarge',
  'notJson',
  'unexpectedShape',
  'redirected',
]);

/** True if a failure is the service's own response to the query, not a problem of the network or the user. */
export function isRefusal(error: unknown): boolean {
  return isFailure(error) && refusals.has(error.code);
}

/** Returns the end of a list, starting with its last job; the whole list if it has no job. */
export function tailOf(entries: readonly ListEntry[]): readonly ListEntry[] {
  return entries.slice(
    Math.max(
      0,
      entries.findLastIndex((entry) => entry.type === 'job'),
    ),
  );
}

/** True if entries begin with others. */
export function startsWith(entries: readonly ListEntry[], beginning: readonly ListEntry[]): boolean {
  return beginning.every((entry, index) => isSame(entry, entries[index]));
}

/** True if two entries can be the same item of the service's list. Compares unreadable items by their text. */
export function isSame(one: ListEntry | undefined, other: ListEntry | undefined): boolean {
  if (one?.type === 'job') return other?.type === 'job' && one.id === other.id && one.kind === other.kind;
  return one !== undefined && other?.type === 'unreadable' && one.raw === other.raw;
}

/** True if two responses have the same entries. */
export function isSamePage(one: readonly ListEntry[], other: readonly ListEntry[]): boolean {
  return one.length === other.length && startsWith(other, one);
}
