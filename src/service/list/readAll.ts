import { jobKey, type ListEntry, isJobKind, jobKinds } from '../../domain/jobs/job.ts';
import type { ListQuery } from '../../domain/jobs/listParams.ts';
import { findContradiction } from '../../domain/filter/jobFilter.ts';
import type { ListPage, PageSource } from '../ports.ts';
import { beginWalk, beyond, stepWalk, type Walked, type WalkStep } from './listWalk.ts';
import { knowing } from './pageReader.ts';
import { PagesAhead, pagesAtOnce } from './pagesAhead.ts';

/** The jobs met so far, by `jobKey`. A reader of a million jobs hands in one that is small. */
export interface KeySet {
  has(key: string): boolean;
  add(key: string): void;
}

export interface ReadAllOptions {
  /** Items per request. */
  readonly limit: number;
  /** Requests in flight at once; drops to one for good when the service asks to slow down. */
  readonly concurrency?: number;
  readonly seen?: KeySet;
  readonly signal?: AbortSignal;
}

/** A part of a list, in the service's order, and what is to be told of it. */
export interface ReadBatch {
  readonly entries: readonly ListEntry[];
  /**
   * Why nothing more comes although that may not be all: the service stopped sending, its list moved faster than it could be read, or
   * what was seen does not imply that every job was. The last batch without it is the end of a complete list.
   */
  readonly endedBy?: 'stuck' | 'lost' | 'unproved';
}

/**
 * Reads a whole list, several pages at a time, with the guarantee of the pager: every job that matches all along comes exactly once,
 * or the last batch says that this is not certain. Holds no more than the pages in flight and the ids.
 * @throws Failure as the source does; `cancelled` when the signal fires.
 */
export async function* readAll(
  source: PageSource,
  { endpoint, params }: ListQuery,
  { limit, concurrency = pagesAtOnce, seen = new Set<string>(), signal }: ReadAllOptions,
): AsyncGenerator<ReadBatch, void, undefined> {
  const reader = knowing(source);
  const fetchPage = async (offset: number, pageLimit: number, before?: string, abort = signal): Promise<ListPage> => {
    const paging =
      before === undefined ? { offset, limit: pageLimit } : { offset, limit: pageLimit, beforeDate: before };
    return reader.listJobs(endpoint, { ...params, ...paging }, abort);
  };
  const walked: Walked = { params, traits: reader.traits, fetchPage, isKnown: (job) => seen.has(jobKey(job)) };
  const first = await beginWalk(walked, limit);
  yield batchOf(first, unseen(first.entries, seen));
  let { walk } = first;
  // The first page tells the length that the service really gives; pages in flight must overlap by one at that length.
  const ahead = new PagesAhead(
    fetchPage,
    Math.max(1, first.entries.length - 1),
    first.entries.length === 1 ? 1 : concurrency,
    signal,
  );
  try {
    while (walk.hasMore) {
      const step = await stepWalk(walk, { ...walked, fetchPage: (...asked) => ahead.page(...asked) }, limit);
      yield batchOf(step, unseen(beyond(step, walk.received), seen));
      if (step.isLost) return;
      ({ walk } = step);
    }
  } finally {
    ahead.stop();
  }
}

function batchOf({ walk, isLost }: WalkStep, entries: readonly ListEntry[]): ReadBatch {
  if (isLost) return { entries, endedBy: 'lost' };
  if (walk.hasMore || walk.isComplete) return { entries };
  return { entries, endedBy: walk.stuck ? 'stuck' : 'unproved' };
}

function unseen(entries: readonly ListEntry[], seen: KeySet): ListEntry[] {
  return entries.filter((entry) => {
    if (entry.type !== 'job') return true;
    const key = jobKey(entry);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Whether an entry can be an answer to a question: of a kind that was asked for, or one we do not know, and within the filter. */
export function matchesQuery(entry: ListEntry, { endpoint, params }: ListQuery): boolean {
  if (entry.type !== 'job') return true;
  const kinds: readonly string[] = endpoint === 'combined' ? (params.kinds ?? jobKinds) : [endpoint];
  if (isJobKind(entry.kind) && !kinds.includes(entry.kind)) return false;
  return findContradiction(entry, params) === undefined;
}
