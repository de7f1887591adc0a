import { JobList } from '../../domain/jobs/jobList.ts';
import { isFixedOrder } from '../../domain/jobs/listOrder.ts';
import type { ListQuery } from '../../domain/jobs/listParams.ts';
import type { PageSource } from '../ports.ts';
import { beginWalk, beyond, stepWalk, tailOf, type ListWalk, type Walked, type WalkStep } from './listWalk.ts';
import { knowing, type KnowingSource } from './pageReader.ts';
import { PagesAhead, pagesAtOnce } from './pagesAhead.ts';

/** A list as far as it has been read. */
export interface PagedList extends ListWalk {
  readonly jobs: JobList;
}

/** How much one request may ask for. */
export interface ReadLimits {
  readonly page: number;
  readonly most: number;
}

/** The most items per request when many are needed; services are seen to return 100. */
export const bulkLimit = 100;
/** A list is read again whole while it is no longer than this many requests. */
export const rereadRequests = 10;

/**
 * Reads a changing list page by page. Every job that matches throughout is listed exactly once, or the list is not reported
 * complete. The page URLs of contract 2.1 are never followed: they leave the endpoint and drop the filters.
 */
export class JobPager {
  readonly #source: KnowingSource;

  constructor(source: PageSource) {
    this.#source = knowing(source);
  }

  /** Reads the first page. @throws Failure as the source does. */
  async first(query: ListQuery, limit: number, signal?: AbortSignal): Promise<PagedList> {
    const { walk, entries } = await beginWalk(this.#walked(query, JobList.empty, signal), limit);
    return { ...walk, jobs: JobList.of(entries) };
  }

  /** Reads one more page. Returns a new list with every job of the given one, which is unchanged. @throws Failure as the source does. */
  async next(query: ListQuery, list: PagedList, limit: number, signal?: AbortSignal): Promise<PagedList> {
    return longer(query, list, await stepWalk(list, this.#walked(query, list.jobs, signal), limit));
  }

  /**
   * Reads on to the end, several pages at a time. Each list that comes holds more than the one before, or is the last.
   * @throws Failure as the source does.
   */
  async *rest(
    query: ListQuery,
    list: PagedList,
    limit: number,
    signal: AbortSignal,
  ): AsyncGenerator<PagedList, void, undefined> {
    if (!list.hasMore) return;
    let known = list;
    let next = await this.next(query, known, limit, signal);
    // The first page tells how many items the service really gives, unless the list moved.
    const grown = next.received - known.received;
    const ahead = new PagesAhead(
      (offset, pageLimit, before, abort) => this.#fetch(query, offset, pageLimit, before, abort),
      grown > 0 ? grown : Math.max(1, limit - 1),
      pagesAtOnce,
      signal,
    );
    try {
      for (;;) {
        yield next;
        if (!next.hasMore || next.jobs === known.jobs) return;
        known = next;
        const walked: Walked = {
          ...this.#walked(query, known.jobs, signal),
          fetchPage: (offset, pageLimit, before) => ahead.page(offset, pageLimit, before),
        };
        next = longer(query, known, await stepWalk(known, walked, limit));
      }
    } finally {
      ahead.stop();
    }
  }

  /**
   * Reads the top of the list again and lays it over what is loaded: one request brings arrivals and changes in.
   * When nothing there is known any more, the list is read again as far as it was.
   */
  async head(query: ListQuery, list: PagedList, limits: ReadLimits, signal?: AbortSignal): Promise<PagedList> {
    const top = await this.first(query, limits.page, signal);
    if (top.isComplete) return top;
    const isKnown = top.jobs.entries.some((entry) => entry.type === 'job' && list.jobs.has(entry.kind, entry.id));
    if (!isKnown) return this.again(query, list, limits, signal);
    const { jobs, isTrue } = laidOver(query, list, top);
    // Under a pin, arrivals do not count for the places of later pages.
    const shift = list.pin === undefined ? jobs.entries.length - list.jobs.entries.length : 0;
    return {
      ...list,
      jobs,
      tail: tailOf(jobs.entries),
      received: Math.max(0, list.received + shift),
      isJoined: list.isJoined && isTrue,
      isComplete: list.isComplete && isTrue,
    };
  }

  /**
   * Reads the list again from its beginning, as far as it is loaded, under a new pin. Jobs that are loaded stay unless what was read
   * implies that they have left.
   * @param limits the usual size of a page, and the most that a request may ask for when many are wanted.
   * @throws Failure as the source does; what was loaded before is the caller's to keep.
   */
  async again(
    query: ListQuery,
    loaded: PagedList | undefined,
    { page, most }: ReadLimits,
    signal?: AbortSignal,
  ): Promise<PagedList> {
    const count = loaded?.received ?? 0;
    const limitFor = (wanted: number): number => Math.min(wanted, Math.max(page, most));
    // One more than there were: fewer then show that this is the end.
    let list = await this.first(query, limitFor(Math.max(page, count + 1)), signal);
    while (list.hasMore && list.received < count) {
      const longer = await this.next(query, list, limitFor(count - list.received + 2), signal);
      if (longer.received <= list.received) break;
      list = longer;
    }
    // A list that was there to its end still is when jobs have arrived, as long as a page holds them.
    if (loaded?.hasMore === false && list.hasMore) list = await this.next(query, list, page, signal);
    return loaded === undefined || list.isComplete ? list : withLoaded(query, loaded, list);
  }

  #walked(query: ListQuery, jobs: JobList, signal: AbortSignal | undefined): Walked {
    return {
      params: query.params,
      traits: this.#source.traits,
      fetchPage: (offset, limit, before) => this.#fetch(query, offset, limit, before, signal),
      isKnown: (job) => jobs.has(job.kind, job.id),
    };
  }

  async #fetch(
    { endpoint, params }: ListQuery,
    offset: number,
    limit: number,
    before: string | undefined,
    signal?: AbortSignal,
  ) {
    const paging = before === undefined ? { offset, limit } : { offset, limit, beforeDate: before };
    return this.#source.listJobs(endpoint, { ...params, ...paging }, signal);
  }
}

/** The list with one more step of reading on. */
function longer(query: ListQuery, list: PagedList, step: WalkStep): PagedList {
  const { walk, entries, offset, fits } = step;
  if (entries.length === 0) return { ...walk, jobs: list.jobs };
  // What is only added costs what is added.
  if (fits || offset >= list.received) {
    return { ...walk, jobs: list.jobs.append(entries.slice(Math.max(0, list.received - offset))) };
  }
  // What should stand within the page but does not has left, if nothing can change its place.
  const jobs =
    walk.isJoined && isFixedOrder(walk.order, query.params)
      ? list.jobs.overlay(entries, offset === 0)
      : list.jobs.append(beyond(step, list.received));
  return { ...walk, jobs };
}

/** A list that was read again as far as it goes, with what is loaded below it, and with what may only have changed its place. */
function withLoaded(query: ListQuery, loaded: PagedList, list: PagedList): PagedList {
  const { jobs, isTrue } = laidOver(query, loaded, list);
  const below = Math.max(0, jobs.entries.length - list.jobs.entries.length);
  return {
    ...list,
    jobs,
    tail: tailOf(jobs.entries),
    received: list.received + below,
    isJoined: list.isJoined && isTrue,
    moved: list.moved || !isTrue,
  };
}

/** The top of a list over what is loaded. It is true when every row is known to be in its place: otherwise what may have left stays. */
function laidOver(
  { params }: ListQuery,
  loaded: PagedList,
  top: PagedList,
): { readonly jobs: JobList; readonly isTrue: boolean } {
  const { entries } = top.jobs;
  const isFixed = top.isJoined && loaded.isJoined && isFixedOrder(top.order, params);
  const meets = entries.some((entry) => entry.type === 'job' && loaded.jobs.has(entry.kind, entry.id));
  if (isFixed && meets) return { jobs: loaded.jobs.overlay(entries, true), isTrue: true };
  const jobs = loaded.jobs.under(entries);
  return { jobs, isTrue: loaded.jobs.entries.length === 0 || jobs.entries.length === entries.length };
}
