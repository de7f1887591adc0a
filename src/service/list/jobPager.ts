import type { Job } from '../../domain/jobs/job.ts';
import { JobList } from '../../domain/jobs/jobList.ts';
import type { ListQuery } from '../../domain/jobs/listParams.ts';
import { PagesAhead, pagesAtOnce, type FetchPage } from './pagesAhead.ts';
import { isSame, pinnedParams, pinOf, readOn } from './pageWalk.ts';
import type { ListPage, PageSource } from '../ports.ts';

/** A list as far as it has been read. */
export interface PagedList {
  readonly jobs: JobList;
  /** Place in the service's list after the last item received; unreadable items and jobs that have left since count. */
  readonly received: number;
  readonly hasMore: boolean;
  /** Later pages ask for nothing newer than this (ISO 8601), so that arrivals do not shift them. Undefined: the service told no time. */
  readonly pin: string | undefined;
  /** The service says that there is more but sends nothing new. The list ends here, and says so. */
  readonly stuck: boolean;
  /** The list moved while it was read: rows loaded earlier may be out of date. */
  readonly moved: boolean;
}

/** How much one request may ask for. */
export interface ReadLimits {
  readonly page: number;
  readonly most: number;
}

/** The most items that a request for many asks; services are seen to take 100. */
export const bulkLimit = 100;
/** A list is read again whole while it is no longer than this many requests. */
export const rereadRequests = 10;

/**
 * Reads a list that moves, page by page, so that every job which matches all along is listed exactly once.
 * The page URLs of contract 2.1 are never followed: they leave the endpoint and drop the filters.
 */
export class JobPager {
  readonly #source: PageSource;

  constructor(source: PageSource) {
    this.#source = source;
  }

  /** Reads the first page. @throws Failure as the source does. */
  async first(question: ListQuery, limit: number, signal?: AbortSignal): Promise<PagedList> {
    const page = await this.#source.listJobs(question.endpoint, { ...question.params, offset: 0, limit }, signal);
    return {
      jobs: JobList.of(page.entries),
      received: page.entries.length,
      hasMore: page.hasMore && page.entries.length > 0,
      pin: pinOf(page),
      stuck: page.hasMore && page.entries.length === 0,
      moved: false,
    };
  }

  /** Reads on by one page. The given list is left as it is. @throws Failure as the source does. */
  async next(question: ListQuery, list: PagedList, limit: number, signal?: AbortSignal): Promise<PagedList> {
    const fetch = this.#fetching(question, list);
    return longer(list, limit, (offset, pageLimit) => fetch(offset, pageLimit, signal));
  }

  /**
   * Reads on to the end, several pages at a time. Each list that comes holds more than the one before, or is the last.
   * @throws Failure as the source does.
   */
  async *rest(
    question: ListQuery,
    list: PagedList,
    limit: number,
    signal: AbortSignal,
  ): AsyncGenerator<PagedList, void, undefined> {
    if (!list.hasMore) return;
    let known = list;
    let next = await this.next(question, known, limit, signal);
    // The first page tells how many items the service really gives, unless the list moved.
    const grown = next.received - known.received;
    const stride = grown > 0 ? grown : Math.max(1, limit - 1);
    const ahead = new PagesAhead(this.#fetching(question, list), stride, pagesAtOnce, signal);
    try {
      for (;;) {
        yield next;
        if (!next.hasMore || next.jobs === known.jobs) return;
        known = next;
        next = await longer(known, limit, (offset, pageLimit) => ahead.page(offset, pageLimit));
      }
    } finally {
      ahead.stop();
    }
  }

  /**
   * Reads the top of the list again and lays it over what is loaded: one request brings arrivals and changes in.
   * When nothing there is known any more, the list is read again as far as it was.
   */
  async head(question: ListQuery, list: PagedList, limits: ReadLimits, signal?: AbortSignal): Promise<PagedList> {
    const top = await this.first(question, limits.page, signal);
    if (!top.hasMore) return top;
    const joined = top.jobs.entries.some((entry) => entry.type === 'job' && list.jobs.has(entry.kind, entry.id));
    if (!joined) return this.again(question, list.received, limits, signal);
    const jobs = list.jobs.overlay(top.jobs.entries, true);
    // Under a pin, arrivals do not count for the places of later pages.
    const shift = list.pin === undefined ? jobs.entries.length - list.jobs.entries.length : 0;
    return { ...list, jobs, received: Math.max(0, list.received + shift) };
  }

  /**
   * Reads the list again from its beginning, as far as `count` received items, under a new pin.
   * @param limits the usual size of a page, and the most that a request may ask for when many are wanted.
   * @throws Failure as the source does; what was loaded before is the caller's to keep.
   */
  async again(question: ListQuery, count: number, limits: ReadLimits, signal?: AbortSignal): Promise<PagedList> {
    const { page, most } = limits;
    let list = await this.first(question, Math.min(Math.max(page, count), Math.max(page, most)), signal);
    while (list.hasMore && list.received < count) {
      const longer = await this.next(question, list, Math.min(count - list.received + 1, Math.max(page, most)), signal);
      if (longer.received <= list.received) return longer;
      list = longer;
    }
    return list;
  }

  #fetching(question: ListQuery, { pin }: PagedList): FetchPage {
    const params = pinnedParams(question.params, pin);
    return (offset, limit, signal) => this.#source.listJobs(question.endpoint, { ...params, offset, limit }, signal);
  }
}

/** The list with one more step of reading on. */
async function longer(list: PagedList, limit: number, fetchPage: Parameters<typeof readOn>[2]): Promise<PagedList> {
  const isKnown = (job: Job): boolean => list.jobs.has(job.kind, job.id);
  const step = await readOn({ received: list.received, last: list.jobs.entries.at(-1), isKnown }, limit, fetchPage);
  switch (step.type) {
    case 'page':
      return { ...extended(list, step.page, step.offset), moved: list.moved || step.moved };
    case 'stuck':
      return { ...list, hasMore: false, stuck: true };
    case 'lost':
      return { ...list, moved: true };
  }
}

/** The list with a page laid over it that is joined to it. */
function extended(list: PagedList, page: ListPage, offset: number): PagedList {
  const { entries } = page;
  const continues = isSame(list.jobs.entries.at(-1), entries[0]) || offset >= list.received;
  return {
    ...list,
    jobs: continues
      ? list.jobs.append(entries.slice(offset >= list.received ? 0 : 1))
      : list.jobs.overlay(entries, offset === 0),
    received: offset + entries.length,
    hasMore: page.hasMore && entries.length > 0,
  };
}
