import { JobList } from '../../common/jobList.ts';
import { isByCreation, isFixedOrder, precedes, type ListOrder } from '../../common/listOrder.ts';
import type { Job, ListEntry } from '../../common/job.ts';
import type { ListQuery } from '../../common/listParams.ts';
import { readOf, isSame, tailOf, type ListWalk, type WalkDeps } from './listWalk.ts';
import { beginWalk, skipReceived, stepWalk, type WalkStep } from './stepWalk.ts';
import { pagesAtOnce } from './pagesAhead.ts';
import { walkToEnd } from './walkToEnd.ts';
import type { ListReader } from './listReader.ts';

/** The loaded part of a list. */
export interface PagedList extends ListWalk {
  readonly jobs: JobList;
  /** The rows are in the service's order. If not, a row that is missing from a page may still be elsewhere in the list. */
  readonly isInPlace: boolean;
}

/** Limits for the size of one request. */
export interface ReadLimits {
  readonly page: number;
  readonly max: number;
}

/** Items per request for bulk reading; services are known to return up to 100. */
export const bulkLimit = 100;
/** A list is reread completely only while this many requests are enough. */
export const rereadRequests = 10;

/**
 * Reads a changing list page by page. Every job that matches throughout is listed exactly once, or the list is not reported
 * complete. The page URLs of contract 2.1 are never followed: they leave the endpoint and drop the filters.
 */
export class JobPager {
  readonly #reader: ListReader;

  constructor(reader: ListReader) {
    this.#reader = reader;
  }

  /**
   * Reads the first page. If it is full and the service reports it as the last page, that is trusted only if the
   * service was right about this before.
   * @throws Failure from the source.
   */
  async first(query: ListQuery, limit: number, signal?: AbortSignal): Promise<PagedList> {
    const walked = this.#walked(query, JobList.empty, signal);
    const { walk, entries } = await beginWalk(walked, limit);
    const isEnd = walk.endIsClaimed && walked.traits.endIsProved;
    return {
      ...walk,
      ...(isEnd && { hasMore: false, isComplete: walk.isContiguous }),
      jobs: JobList.of(entries),
      isInPlace: true,
    };
  }

  /**
   * Reads one more page. Returns a new list that contains every job of the given list, which is not changed.
   * @throws Failure from the source.
   */
  async next(query: ListQuery, list: PagedList, limit: number, signal?: AbortSignal): Promise<PagedList> {
    return longer(query, list, await stepWalk(list, this.#walked(query, list.jobs, signal), limit));
  }

  /**
   * Reads to the end, several pages at a time. Each list that is yielded contains more than the previous one, or is the last.
   * @throws Failure from the source.
   */
  async *rest(
    query: ListQuery,
    list: PagedList,
    limit: number,
    signal: AbortSignal,
  ): AsyncGenerator<PagedList, void, undefined> {
    // Reading everything proves an end that was only assumed.
    if (!list.hasMore && !list.endIsClaimed) return;
    let known = list.hasMore ? list : { ...list, hasMore: true, isComplete: false };
    let next = known;
    const walked: WalkDeps = {
      ...this.#walked(query, known.jobs, signal),
      isKnown: (job) => next.jobs.has(job.kind, job.id),
      continues: (entries) => findEnd(next.jobs, entries) !== undefined,
    };
    const first = await stepWalk(known, walked, limit);
    // The first page shows how many items the service really returns, unless the list moved.
    const grown = first.walk.received - known.received;
    const options = {
      limit,
      stride: grown > 0 ? grown : Math.max(1, limit - 1),
      concurrency: pagesAtOnce,
      signal,
      first,
      add: (step: WalkStep): number => {
        next = longer(query, known, step);
        return next.jobs.entries.length;
      },
    };
    for await (const { walk } of walkToEnd(known, walked, options)) {
      next = { ...next, isComplete: walk.isComplete, moved: walk.moved };
      // A page may repeat known entries when new jobs arrived above it.
      if (next.jobs.entries.length > known.jobs.entries.length || !next.hasMore || next.moved) yield next;
      if (next.jobs === known.jobs) return;
      known = next;
    }
  }

  /**
   * Rereads the top of the list and merges it into the loaded part: one request is enough for new and changed jobs. If the
   * top contains no known job, the list is reread as far as it was loaded.
   */
  async head(query: ListQuery, list: PagedList, limits: ReadLimits, signal?: AbortSignal): Promise<PagedList> {
    const top = await this.first(query, limits.page, signal);
    if (top.isComplete && !top.endIsClaimed) return top;
    if (!meets(list.jobs, top.jobs.entries)) return this.again(query, list, limits, signal);
    const { jobs, isConsistent } = mergeTop(query, list, top);
    // A list with a pin excludes new jobs, so they do not shift the offsets of later pages.
    const shift = list.pin === undefined ? jobs.entries.length - list.jobs.entries.length : 0;
    return {
      ...list,
      jobs,
      tail: tailOf(jobs.entries),
      received: Math.max(0, list.received + shift),
      segments: list.segments.map((segment) => ({ ...segment, from: segment.from + shift })),
      isContiguous: list.isContiguous && isConsistent,
      isInPlace: list.isInPlace && isConsistent,
      isComplete: list.isComplete && isConsistent,
    };
  }

  /**
   * Rereads the list from its beginning as far as it is loaded, with a new pin. Loaded jobs are kept unless the responses
   * imply that they have left the list.
   * @param limits the usual page size, and the largest size for bulk reading.
   * @throws Failure from the source; the caller keeps the loaded list.
   */
  async again(
    query: ListQuery,
    loaded: PagedList | undefined,
    { page, max }: ReadLimits,
    signal?: AbortSignal,
  ): Promise<PagedList> {
    const count = loaded?.received ?? 0;
    const limitFor = (wanted: number): number => Math.min(wanted, Math.max(page, max));
    // One item more than was loaded shows whether a list loaded to its end still ends there.
    const spare = loaded?.hasMore === true ? 0 : 1;
    let list = withTruePin(await this.first(query, limitFor(Math.max(page, count + spare)), signal), loaded);
    if (list.endIsClaimed && settlingLimit(query, loaded, list, max) > 0)
      list = { ...list, hasMore: true, isComplete: false };
    for (let settling = 0; list.hasMore;) {
      const missing = count - list.received;
      const wanted = missing > 0 ? missing + 1 + spare : settlingLimit(query, loaded, list, max);
      if (missing <= 0 && (wanted === 0 || settling++ === rereadRequests)) break;
      const longer = await this.next(query, list, limitFor(settling > 1 ? max : wanted), signal);
      if (longer.hasMore && longer.received <= list.received) break;
      list = longer;
    }
    // A list that was loaded to its end is read to its end again if one page is enough for the new jobs.
    if (loaded?.hasMore === false && list.hasMore) list = await this.next(query, list, page, signal);
    // If the order is unknown, only a response with the whole list shows that a loaded job is not in it.
    const isEnded = !list.hasMore && !list.isComplete && !list.stuck;
    if (isEnded && list.received < limitFor(max) && settlingLimit(query, loaded, list, max) > 0) {
      const whole = await this.first(query, list.received + 1, signal);
      if (whole.isComplete && !whole.endIsClaimed) list = whole;
    }
    return loaded === undefined || (list.isComplete && !list.endIsClaimed) ? list : withLoaded(query, loaded, list);
  }

  #walked(query: ListQuery, jobs: JobList, signal: AbortSignal | undefined): WalkDeps {
    return {
      ...readOf(this.#reader, query, bulkLimit, signal),
      isKnown: (job) => jobs.has(job.kind, job.id),
      continues: (entries) => findEnd(jobs, entries) !== undefined,
    };
  }
}

/** Returns the list after one more step. */
function longer(query: ListQuery, list: PagedList, step: WalkStep): PagedList {
  const { walk, entries, offset, fits } = step;
  if (entries.length === 0) return { ...walk, jobs: list.jobs, isInPlace: list.isInPlace };
  if (offset === 0 && walk.isComplete && !walk.hasMore) {
    return { ...walk, jobs: JobList.of(entries), isInPlace: true };
  }
  // The common case. The cost depends only on the number of appended entries.
  const isNext = fits && (list.jobs.entries.length === 0 || isSame(list.jobs.entries.at(-1), list.tail.at(-1)));
  const end = isNext || offset >= list.received ? list.received - offset - 1 : findEnd(list.jobs, entries);
  if (end !== undefined) {
    const added = entries.slice(Math.max(0, end + 1));
    const jobs = list.jobs.append(added);
    const isNew = jobs.entries.length === list.jobs.entries.length + added.length;
    return { ...walk, jobs, isInPlace: list.isInPlace && isNew };
  }
  // In a fixed order, a loaded job that is missing from its place in the page has left the list.
  if (walk.isContiguous && list.isInPlace && isFixedOrder(walk.order, query.params)) {
    return { ...walk, ...mergeExcerpt(list.jobs, entries, offset === 0, walk.order) };
  }
  const jobs = list.jobs.append(skipReceived(step, list.received));
  return { ...walk, jobs, isInPlace: list.isInPlace && jobs.entries.length === list.jobs.entries.length };
}

/** True if the rows include a job of the excerpt. */
function meets(rows: JobList, excerpt: readonly ListEntry[]): boolean {
  return excerpt.some((entry) => entry.type === 'job' && rows.has(entry.kind, entry.id));
}

/** The index of the last row in a page that begins with the last rows, without gaps; undefined for any other page. */
function findEnd({ entries: rows }: JobList, page: readonly ListEntry[]): number | undefined {
  const last = rows.at(-1);
  if (last?.type !== 'job') return undefined;
  const end = page.findIndex((entry) => isSame(entry, last));
  const from = rows.length - 1 - end;
  const isRun = end >= 0 && from >= 0 && page.slice(0, end).every((entry, index) => isSame(entry, rows[from + index]));
  return isRun ? end : undefined;
}

/** Returns a list that was reread in part, followed by the loaded entries below it and those that may only have moved. */
function withLoaded(query: ListQuery, loaded: PagedList, list: PagedList): PagedList {
  const { jobs, isConsistent } = mergeTop(query, loaded, list);
  const below = Math.max(0, jobs.entries.length - list.jobs.entries.length);
  return {
    ...list,
    jobs,
    // Jobs that may have left but are kept have no position, so reading continues after the reread part.
    ...(isConsistent && { tail: tailOf(jobs.entries), received: list.received + below }),
    isContiguous: list.isContiguous && isConsistent,
    isInPlace: isConsistent,
    isComplete: list.isComplete && isConsistent,
    moved: list.moved || !isConsistent,
  };
}

/**
 * Merges the top of a list into the loaded part. `isConsistent` means that every row is known to be in its place; otherwise jobs
 * that may have left are kept.
 */
function mergeTop(
  { params }: ListQuery,
  loaded: PagedList,
  top: PagedList,
): { readonly jobs: JobList; readonly isConsistent: boolean } {
  const { entries } = top.jobs;
  const isFixed =
    top.isContiguous && top.isInPlace && loaded.isContiguous && loaded.isInPlace && isFixedOrder(top.order, params);
  if (isFixed && meets(loaded.jobs, entries)) {
    const { jobs, isInPlace } = mergeExcerpt(loaded.jobs, entries, true, top.order);
    return { jobs, isConsistent: isInPlace };
  }
  const jobs = dropDeparted({ params }, loaded.jobs, top).under(entries);
  const isWhole = loaded.jobs.entries.length === 0 || jobs.entries.length === entries.length;
  return { jobs, isConsistent: isWhole && top.isInPlace };
}

/**
 * Returns the rows without those that have left. The top of a list by creation contains every job that was created
 * after its last one. Makes no assumption about the rows.
 */
function dropDeparted({ params }: Pick<ListQuery, 'params'>, rows: JobList, top: PagedList): JobList {
  const { order, jobs } = top;
  const end = jobs.entries.findLast((entry) => entry.type === 'job');
  const isTelling = top.isContiguous && top.isInPlace && isByCreation(order) && isFixedOrder(order, params);
  if (end === undefined || !isTelling) return rows;
  return rows.filter((job) => jobs.has(job.kind, job.id) || precedes(order, job, end) !== true);
}

/**
 * Returns the top of a list, without its pin if a newer loaded job is missing from it. Such jobs are further down, and
 * a pin would hide them.
 */
function withTruePin(top: PagedList, loaded: PagedList | undefined): PagedList {
  if (top.pin === undefined || loaded === undefined) return top;
  const pinMs = Date.parse(top.pin.before);
  const isHidden = (entry: ListEntry): boolean =>
    entry.type === 'job' && (entry.createdAtMs ?? 0) >= pinMs && !top.jobs.has(entry.kind, entry.id);
  return loaded.jobs.entries.some(isHidden) ? { ...top, pin: undefined } : top;
}

/**
 * Number of items to request next to find out whether the loaded jobs below the read part are still in the list; 0 if
 * there are none. All unread jobs may be below if the read part has no job in common with them, their positions are
 * uncertain, or the order is unknown. Even the order of creation does not exclude that, because a service may list jobs
 * by arrival with earlier creation times.
 */
function settlingLimit({ params }: ListQuery, loaded: PagedList | undefined, list: PagedList, max: number): number {
  if (loaded === undefined) return 0;
  const { order, jobs } = list;
  const isRelated = loaded.isContiguous && loaded.isInPlace && isFixedOrder(order, params);
  const below = isRelated ? loaded.jobs.around(jobs.entries)?.below : undefined;
  const end =
    isByCreation(order) && below !== undefined ? jobs.entries.findLast((entry) => entry.type === 'job') : undefined;
  const isUnseen = (entry: ListEntry): boolean =>
    entry.type === 'job' &&
    !jobs.has(entry.kind, entry.id) &&
    // A job created after the last job that was read would have been read.
    (end === undefined || precedes(order, entry, end) !== true);
  const unseen = (below ?? loaded.jobs.entries).filter(isUnseen).length;
  return unseen === 0 ? 0 : below === undefined ? max : unseen + 1;
}

/**
 * Merges an excerpt of the service's list into rows that are in its order. Where the excerpt extends above or below the
 * jobs in common, a row there has either left or is beyond the excerpt. In a list by creation, the row's time decides.
 * Otherwise the row stays, and the rows are no longer known to be in order.
 */
function mergeExcerpt(
  rows: JobList,
  excerpt: readonly ListEntry[],
  fromTop: boolean,
  order: ListOrder,
): { readonly jobs: JobList; readonly isInPlace: boolean } {
  const isKnown = (entry: ListEntry): boolean => entry.type === 'job' && rows.has(entry.kind, entry.id);
  const first = excerpt.findIndex(isKnown);
  const last = excerpt.findLastIndex(isKnown);
  const begin = fromTop ? undefined : excerpt.slice(0, Math.max(0, first)).find((entry) => entry.type === 'job');
  const end = excerpt.slice(last + 1).findLast((entry) => entry.type === 'job');
  if (begin === undefined && end === undefined) return { jobs: rows.overlay(excerpt, fromTop), isInPlace: true };
  const left = new Set<ListEntry>();
  let isInPlace = true;
  const { above, below } = rows.around(excerpt) ?? { above: rows.entries, below: [] };
  const judge = (row: ListEntry, isBeyond: (job: Job) => boolean | undefined): void => {
    if (row.type !== 'job') return;
    const stays = isByCreation(order) ? isBeyond(row) : undefined;
    if (stays === false) left.add(row);
    isInPlace &&= stays !== undefined;
  };
  if (begin !== undefined) for (const row of above) judge(row, (job) => precedes(order, job, begin));
  if (end !== undefined) for (const row of below) judge(row, (job) => precedes(order, end, job));
  const staying = left.size === 0 ? rows : rows.filter((job) => !left.has(job));
  return { jobs: staying.overlay(excerpt, fromTop), isInPlace };
}
