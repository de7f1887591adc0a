import { randomUUID } from 'node:crypto';
import { matchesQuery } from './list/readAll.ts';
import { jobKey, jobStatuses, type ListEntry } from '../common/job.ts';
import type { ListParams, ListQuery } from '../common/listParams.ts';
import { queryBeyond, hasAllValues, falseOnFailure } from './list/endProof.ts';
import { bulkLimit } from './list/jobPager.ts';
import { isRefusal, isSame } from './list/listWalk.ts';
import { observeOrder, unseenOrder } from '../common/listOrder.ts';
import type { ListPage } from '../common/decodePage.ts';
import type { Clock } from '../../base/clock.ts';
import type { ListReader } from './list/listReader.ts';

/** Result of counting. */
export type CountResult =
  /** The number of jobs in the list at the time of the last response. */
  | { readonly type: 'exact'; readonly count: number; readonly atMs: number }
  /** The request budget was used up, the service refuses larger offsets, or its responses disagree about the end of the list. */
  | { readonly type: 'atLeast'; readonly count: number }
  /** The service ignores the filter or `offset`, or leaves gaps in its list. */
  | { readonly type: 'unreliable' };

export interface CountOptions {
  readonly clock: Clock;
  /** Maximum number of requests after which the search for the end stops. A few more check its result. */
  readonly budget?: number;
  readonly signal?: AbortSignal;
}

/** Enough for two thousand million jobs. */
const usualBudget = 64;
/** No list is this long: a service that still returns items there does not obey `offset`. */
const maxItems = 10_000_000_000;
/**
 * If this many later responses, at offsets this far apart, begin with the same item as the first one, the service
 * ignores `offset`.
 */
const maxRepeats = 2;
const farApart = 3;
/** One more than needed: if a single item is returned, nothing follows it. */
const few = 2;
/** Max retries of the check that a page continues the first one, while the list changes. */
const maxLooksAtSeam = 2;
/** Max retries of the check of the end, while the list changes. */
const maxLooksAtEnd = 3;

/**
 * Counts the items of a list without a total (contract 2.1). Requests a long page, then two items at offsets that grow
 * fourfold until one is past the end, then bisects: at most 2·log2(n) + 4 requests for n items of an unchanging list.
 * One more request reads the middle of the list and one queries jobs older than the last. One request each checks what
 * the service is not yet known to obey: `offset`, each filter, and each of several values. An exact number is valid for
 * the time of one of the responses.
 * @throws Failure from the source; `cancelled` when the signal fires.
 */
export async function exactCount(source: ListReader, query: ListQuery, options: CountOptions): Promise<CountResult> {
  return new Counting(source, query, options).run();
}

/** Facts about the list from a response at an offset. */
interface Seen {
  readonly type: 'seen';
  readonly items: number;
  readonly hasMore: boolean;
  readonly entries: readonly ListEntry[];
  readonly first: ListEntry | undefined;
  readonly last: ListEntry | undefined;
  /** The response has as many items as requested. */
  readonly isFull: boolean;
}

/** True if the request filters the list. */
function isFiltered({ params }: ListQuery): boolean {
  return Object.keys(params).length > 0;
}

/** True if the request bounds the time of creation. Then a job without one may belong to the list or not. */
function isDated({ afterDate, beforeDate }: ListParams): boolean {
  return afterDate !== undefined || beforeDate !== undefined;
}

/**
 * Yields, by name, filters with as many values that exclude every job these filters match: statuses that were not
 * requested, and metadata that no job has.
 */
function* otherFilters({ statuses = [], customMetadata = {} }: ListParams): Generator<readonly [string, ListParams]> {
  const [first, ...rest] = jobStatuses.filter((status) => !statuses.includes(status));
  if (statuses.length > 0 && first !== undefined) {
    const others = [first, ...rest].slice(0, statuses.length);
    const repeated = Array.from(statuses, (_, index) => others[index] ?? first);
    yield [statuses.length === 1 ? 'status' : 'statuses', { statuses: repeated }];
  }
  const keys = Object.keys(customMetadata);
  if (keys.length > 0)
    yield ['metadata', { customMetadata: Object.fromEntries(keys.map((key) => [key, randomUUID()])) }];
}

/**
 * True if an item returned at an offset between two requests of the first page appeared there because the list moved:
 * before, it was on one side of that offset, and afterwards on the other. In an unchanged list it is at the same wrong
 * position both times.
 */
function isMovedBy(before: Seen, after: Seen, offset: number, item: ListEntry | undefined): boolean {
  const placeIn = ({ entries }: Seen): number => {
    const place = entries.findIndex((entry) => isSame(entry, item));
    return place < 0 ? Infinity : place;
  };
  const [from, to] = [placeIn(before), placeIn(after)];
  return from !== to && Math.min(from, to) <= offset && offset <= Math.max(from, to);
}

class Counting {
  readonly #reader: ListReader;
  readonly #query: ListQuery;
  readonly #options: CountOptions;
  /** Lower bound of the count. */
  #low = 0;
  /** Smallest offset whose response was empty. */
  #high = Infinity;
  /** Maximum number of items in one response. */
  #longest = 0;
  #last: ListEntry | undefined;
  /** Offset of the first of consecutive responses that begin with the same item. */
  #runOffset = 0;
  /** Distance from the last known item to the next offset, while no end was found. */
  #reach = 1;
  #repeats = 0;
  /** The jobs received so far, with the offsets where they were first received. */
  readonly #places = new Map<string, number>();
  /** The last items of all pages, by the offset after them. */
  readonly #ends = new Map<number, ListEntry>();
  /** The jobs at the top of a longer list by creation. */
  #order: 'newest' | 'oldest' | undefined;
  /** Number of items on the first page. */
  #topItems = 0;
  /** Number of jobs on the first page. */
  #topSize = 0;
  #requests = 0;
  /** The service reported an end of the list too early. */
  #endWasWrong = false;

  constructor(source: ListReader, query: ListQuery, options: CountOptions) {
    this.#reader = source;
    this.#query = query;
    this.#options = options;
  }

  async run(): Promise<CountResult> {
    const result = await this.#count();
    if (result.type === 'atLeast' && result.count > this.#topItems) return this.#confirmLowest();
    if (result.type !== 'exact') return result;
    // An item without an ID matches only if the service obeys the filter.
    const hasUnreadable = this.#topSize < this.#topItems;
    if (hasUnreadable && isFiltered(this.#query) && (await this.#isFilterObeyed()) !== true) {
      return { type: 'atLeast', count: this.#places.size };
    }
    if (!(await this.#hasAllValues()) || (await this.#isCutOff())) return { type: 'atLeast', count: result.count };
    return this.#topItems > 1 && result.count > 2 * this.#topItems ? this.#confirmMiddle(result) : result;
  }

  /** Requests each of several values alone, unless the service is known to apply them together. */
  async #hasAllValues(): Promise<boolean> {
    const { endpoint, params } = this.#query;
    const { traits } = this.#reader;
    return falseOnFailure(() =>
      hasAllValues({
        params,
        traits,
        fetchSome: (some) =>
          this.#reader.readPage(endpoint, { ...params, ...some, offset: 0, limit: few }, this.#options.signal),
        isKnown: (job) => this.#places.has(jobKey(job)),
      }),
    );
  }

  async #count(): Promise<CountResult> {
    const { traits } = this.#reader;
    let before: { readonly top: Seen; readonly seam: ListEntry | undefined } | undefined;
    let top: Seen;
    for (let looks = 1; ; looks++) {
      const page = await this.#readAt(0, bulkLimit);
      if (page.type !== 'seen') return page;
      top = page;
      this.#topItems = top.items;
      this.#topSize = top.entries.filter(({ type }) => type === 'job').length;
      if (top.items === 0) return top.hasMore ? { type: 'unreliable' } : this.#exact(0);
      // Only jobs can show that the service obeys the filter.
      if (isFiltered(this.#query) && this.#topSize === 0) return { type: 'unreliable' };
      this.#low = top.items;
      const isWhole = !top.hasMore && traits.isShort(top.items, bulkLimit);
      if (isWhole && (traits.shortEndIsProved || top.items === 1)) return this.#exact(top.items);
      // If a service limits pages, or cuts them before it filters them, other items may be at the offsets after the first page.
      if (!isWhole && top.isFull && traits.offsetIsObeyed) break;
      if (!isWhole && before !== undefined && isMovedBy(before.top, top, before.top.items - 1, before.seam)) break;
      if (looks > maxLooksAtSeam) return { type: 'atLeast', count: top.items };
      const seam = await this.#readAt(top.items - 1, few);
      if (seam.type !== 'seen') return seam;
      if (isWhole && !seam.hasMore && isSame(seam.last, top.last)) {
        traits.shortEndIsProved = true;
        return this.#exact(top.items);
      }
      if (isSame(seam.first, top.last)) {
        traits.offsetIsObeyed ||= top.items > 1;
        this.#endWasWrong ||= isWhole;
        break;
      }
      // The list may have changed since.
      before = { top, seam: seam.first };
    }
    const { created } = observeOrder(unseenOrder, top.entries);
    this.#order = created === 'newest' || created === 'oldest' ? created : undefined;
    const isObeyed = await this.#isFilterObeyed();
    if (isObeyed === false) return { type: 'unreliable' };
    if (isObeyed === undefined) return { type: 'atLeast', count: top.items };
    this.#longest = Math.min(few, top.items);
    const end = await this.#findEnd(top);
    if (!isFiltered(this.#query)) return end;
    // If pages have a single item, the bisection has already sent this request.
    if (end.type === 'exact') return top.items === 1 ? end : this.#confirmWhole(end.count, top.items);
    // If pages may be cut before they are filtered, only the items of one page are certain.
    return end.type === 'atLeast' && !top.isFull ? { type: 'atLeast', count: top.items } : end;
  }

  /**
   * Checks one whole page in the middle of the list, which was counted by offsets. The page may be short, or have other
   * jobs, which reduces the count.
   */
  async #confirmMiddle(found: CountResult & { readonly type: 'exact' }): Promise<CountResult> {
    const middle = await this.#readAt(Math.floor(found.count / 2), this.#topItems);
    if (middle.type !== 'seen')
      return middle.type === 'unreliable' ? middle : { type: 'atLeast', count: this.#topItems };
    return middle.items >= this.#topItems ? found : { type: 'atLeast', count: this.#topItems };
  }

  /**
   * Checks that the last item of a page at a high offset is found there again. If the service returns the same page at
   * every offset from some point on, only the items of the first page are certain.
   */
  async #confirmLowest(): Promise<CountResult> {
    const ends = [...this.#ends].sort(([end], [other]) => other - end).slice(0, maxLooksAtEnd);
    for (const [end, entry] of ends) {
      if (end <= this.#topItems) break;
      const seen = await this.#readAt(end - 1, few);
      if (seen.type === 'unreliable') return seen;
      if (seen.type === 'seen' && isSame(seen.first, entry)) return { type: 'atLeast', count: end };
    }
    return { type: 'atLeast', count: this.#topItems };
  }

  /**
   * True if the service has jobs after the last one of a list by creation that takes several pages. Some services list
   * only a limited number of jobs, or those of some days, without saying so.
   */
  async #isCutOff(): Promise<boolean> {
    const order = this.#order;
    if (order === undefined) return false;
    const { endpoint, params } = this.#query;
    // Only a request without the bounds shows whether they leave out too much.
    const { afterDate: _after, beforeDate: _before, ...unbounded } = params;
    const further = await queryBeyond(
      order,
      this.#lowest(),
      (bound) => {
        const beyond = order === 'newest' ? { beforeDate: bound, limit: few } : { afterDate: bound, limit: bulkLimit };
        return this.#reader.readPage(endpoint, { ...unbounded, ...beyond, offset: 0 }, this.#options.signal);
      },
      (job) => this.#places.has(jobKey(job)) || !matchesQuery(job, this.#query),
    );
    return further === 'further';
  }

  /**
   * Requests jobs other than those to count. Only few items of a long list are read, and all of them may match by
   * chance if the service ignores the filter. The result is remembered for the service.
   * @returns undefined if the response shows neither
   */
  async #isFilterObeyed(): Promise<boolean | undefined> {
    const { endpoint, params } = this.#query;
    const { obeyedFilters } = this.#reader.traits;
    for (const [name, others] of otherFilters(params)) {
      if (obeyedFilters.has(`${endpoint} ${name}`)) continue;
      this.#requests++;
      const page = await this.#reader
        .readPage(endpoint, { ...params, ...others, offset: 0, limit: few }, this.#options.signal)
        .catch((error: unknown) => {
          if (!isRefusal(error)) throw error;
        });
      if (page === undefined) return undefined;
      const jobs = page.entries.filter((entry) => entry.type === 'job');
      if (jobs.some((job) => !matchesQuery(job, { endpoint, params: others }))) return false;
      if (jobs.length === 0 && (page.entries.length > 0 || page.hasMore)) return undefined;
      obeyedFilters.add(`${endpoint} ${name}`);
    }
    return true;
  }

  async #findEnd(top: Seen): Promise<CountResult> {
    this.#reach = Math.max(few, top.items);
    let result = top.hasMore ? undefined : await this.#confirm(top.last);
    const { budget = usualBudget } = this.#options;
    while (result === undefined) {
      if (this.#requests >= budget) return { type: 'atLeast', count: this.#low };
      if (this.#low >= this.#high) {
        result = await this.#confirm(undefined);
        continue;
      }
      const isOpen = this.#high === Infinity;
      const offset = isOpen ? this.#low - 1 + this.#reach : Math.floor((this.#low + this.#high) / 2);
      if (isOpen) this.#reach *= 4;
      const seen = await this.#readAt(offset, few);
      if (seen.type !== 'seen') return seen;
      if (seen.items === 0) this.#high = offset;
      else result = await this.#take(offset, seen);
    }
    return result;
  }

  /**
   * Checks the end of a filtered list again with a page as long as the first one. If the service cuts pages before it
   * filters them, that page is short, and offsets do not count items.
   */
  async #confirmWhole(found: number, max: number): Promise<CountResult> {
    let end = found;
    let last = this.#lowest();
    for (let looks = 0; looks < maxLooksAtEnd; looks++) {
      // Includes offsets beyond the end, because new jobs shift it.
      const offset = Math.max(0, end - max + Math.min(farApart, max - 1));
      const seen = await this.#readAt(offset, max);
      if (seen.type !== 'seen' || seen.items === 0) break;
      if (seen.items >= end - offset && !seen.hasMore && isSame(seen.last, last))
        return this.#exact(offset + seen.items);
      // Some items may have left the list, or new ones may have arrived at its end.
      end = offset + seen.items;
      last = seen.last;
    }
    return { type: 'atLeast', count: max };
  }

  /** Evaluates a response with items. Returns undefined if it does not show the end. */
  async #take(offset: number, { items, hasMore, last }: Seen): Promise<CountResult | undefined> {
    const end = offset + items;
    const isShort = items < this.#longest;
    this.#longest = Math.max(this.#longest, items);
    this.#low = Math.max(this.#low, end);
    if (this.#low > this.#high) this.#high = Infinity;
    if (hasMore) return isShort ? this.#confirmGap(end) : undefined;
    if (this.#endWasWrong) return isShort ? { type: 'atLeast', count: this.#low } : undefined;
    if (isShort) return this.#exact(end);
    this.#low = end;
    return this.#confirm(last);
  }

  /**
   * Checks the apparent end again.
   * @param claimed the item that the service reported as the last, in a page of maximum length
   */
  async #confirm(claimed: ListEntry | undefined): Promise<CountResult | undefined> {
    const end = this.#low;
    const overlap = this.#longest > 1 ? 1 : 0;
    const seen = await this.#readAt(end - overlap, few);
    if (seen.type !== 'seen') return seen;
    const isLast = seen.items === overlap && !seen.hasMore && !this.#endWasWrong;
    if (isLast && (claimed !== undefined || overlap === 1)) return this.#exact(end);
    // Either the service reported items after the last one, or the last one has left.
    if (seen.items <= overlap) return { type: 'atLeast', count: end };
    // Either another item follows the one reported as the last, or the list has changed.
    this.#endWasWrong ||= overlap === 0 ? claimed !== undefined : isSame(claimed, seen.first);
    this.#low = end - overlap + seen.items;
    this.#high = Infinity;
    this.#reach = 1;
    return undefined;
  }

  /**
   * Checks a short page that reports more items: either the end of a list that never reports its end, or a page cut
   * before it was filtered.
   */
  async #confirmGap(end: number): Promise<CountResult> {
    const seen = await this.#readAt(end, few);
    if (seen.type !== 'seen') return seen;
    return seen.items === 0 ? { type: 'atLeast', count: this.#low } : { type: 'unreliable' };
  }

  /** Requests the items at an offset. Counting ends if this returns a result. */
  async #readAt(offset: number, limit: number): Promise<Seen | CountResult> {
    const { signal } = this.#options;
    if (offset > maxItems) return { type: 'unreliable' };
    this.#requests++;
    const { endpoint, params } = this.#query;
    let page: ListPage;
    try {
      page = await this.#reader.readPage(endpoint, { ...params, offset, limit }, signal);
    } catch (error) {
      if (isRefusal(error) && offset > 0) return { type: 'atLeast', count: this.#low };
      throw error;
    }
    const { entries, hasMore } = page;
    const [entry] = entries;
    const isRepeated = isSame(this.#last, entry);
    this.#repeats = isRepeated ? this.#repeats + 1 : 0;
    if (!isRepeated) this.#runOffset = offset;
    this.#last = entry;
    const jobs = entries.filter((each) => each.type === 'job');
    if (
      (this.#repeats >= maxRepeats && Math.abs(offset - this.#runOffset) >= farApart) ||
      new Set(jobs.map((job) => jobKey(job))).size < jobs.length ||
      entries.some((each) => this.#isMisplaced(each, offset)) ||
      !entries.every((each) => matchesQuery(each, this.#query)) ||
      (isDated(params) && jobs.some(({ createdAtMs }) => createdAtMs === undefined))
    ) {
      return { type: 'unreliable' };
    }
    for (const [index, each] of entries.entries()) {
      if (each.type === 'job' && !this.#places.has(jobKey(each))) this.#places.set(jobKey(each), offset + index);
    }
    const last = entries.at(-1);
    if (last !== undefined) this.#ends.set(offset + entries.length, last);
    const isFull = entries.length >= (page.limit ?? limit);
    return { type: 'seen', items: entries.length, hasMore, entries, first: entry, last, isFull };
  }

  /** Returns the item received from the highest offset. */
  #lowest(): ListEntry | undefined {
    return this.#ends.get(Math.max(...this.#ends.keys()));
  }

  /** True if a job appears so far below its first offset that new jobs do not explain it: then `offset` is not obeyed. */
  #isMisplaced(entry: ListEntry, offset: number): boolean {
    const place = entry.type === 'job' ? this.#places.get(jobKey(entry)) : undefined;
    return place !== undefined && offset - place >= Math.max(farApart, this.#topSize, place / 2);
  }

  #exact(count: number): CountResult {
    return { type: 'exact', count, atMs: this.#options.clock.now() };
  }
}
