import { jobKey, type Job, type ListEntry, isJobKind, jobKinds } from '../../domain/jobs/job.ts';
import type { ListQuery } from '../../domain/jobs/listParams.ts';
import { PagesAhead, pagesAtOnce } from './pagesAhead.ts';
import { pinnedParams, pinOf, readOn } from './pageWalk.ts';
import type { ListPage, PageSource } from '../ports.ts';
import { findContradiction } from '../../domain/filter/jobFilter.ts';

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
  /** Why the list ends here although the service says there is more. */
  readonly endedBy?: 'stuck' | 'lost';
}

/**
 * Reads a whole list, several pages at a time, with the guarantee of the pager: every job that matches all along comes exactly once.
 * Holds no more than the pages in flight and the ids.
 * @throws Failure as the source does; `cancelled` when the signal fires.
 */
export async function* readAll(
  source: PageSource,
  question: ListQuery,
  { limit, concurrency = pagesAtOnce, seen = new Set<string>(), signal }: ReadAllOptions,
): AsyncGenerator<ReadBatch, void, undefined> {
  const first = await source.listJobs(question.endpoint, { ...question.params, offset: 0, limit }, signal);
  yield { entries: unseen(first.entries, seen) };
  if (!first.hasMore) return;
  if (first.entries.length === 0) return yield { entries: [], endedBy: 'stuck' };

  const params = pinnedParams(question.params, pinOf(first));
  // The first page tells the length that the service really gives; pages in flight must overlap by one at that length.
  const ahead = new PagesAhead(
    (offset, pageLimit, abort) => source.listJobs(question.endpoint, { ...params, offset, limit: pageLimit }, abort),
    Math.max(1, first.entries.length - 1),
    first.entries.length === 1 ? 1 : concurrency,
    signal,
  );
  try {
    let received = first.entries.length;
    let last = first.entries.at(-1);
    for (;;) {
      const cursor = { received, last, isKnown: (job: Job) => seen.has(jobKey(job)) };
      const step = await readOn(cursor, limit, (offset, pageLimit) => ahead.page(offset, pageLimit));
      if (step.type !== 'page') return yield { entries: [], endedBy: step.type };
      yield { entries: unseen(withoutOverlap(step.page, step.offset, received), seen) };
      if (!step.page.hasMore || step.page.entries.length === 0) return;
      received = step.offset + step.page.entries.length;
      last = step.page.entries.at(-1);
    }
  } finally {
    ahead.stop();
  }
}

/** An unreadable item that overlaps has been given out already; jobs are told by their ids. */
function withoutOverlap(page: ListPage, offset: number, received: number): readonly ListEntry[] {
  return page.entries.filter((entry, index) => entry.type === 'job' || offset + index >= received);
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
