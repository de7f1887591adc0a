import { matchesQuery } from './list/readAll.ts';
import type { ListEntry } from '../domain/jobs/job.ts';
import type { ListQuery } from '../domain/jobs/listParams.ts';
import { bulkLimit } from './list/jobPager.ts';
import { isRefusal, isSame } from './list/listWalk.ts';
import { knowing, type KnowingSource } from './list/pageReader.ts';
import type { ListPage, PageSource } from './ports.ts';
import type { Clock } from './clock.ts';

/** Result of counting. */
export type CountResult =
  /** The number of jobs in the list at the time of the last response. */
  | { readonly type: 'exact'; readonly count: number; readonly atMs: number }
  /** The request budget was used up, the service refuses larger offsets, or its responses disagree on where the list ends. */
  | { readonly type: 'atLeast'; readonly count: number }
  /** The service ignores the filter or `offset`, or leaves gaps in its list. */
  | { readonly type: 'unreliable' };

export interface CountOptions {
  readonly clock: Clock;
  /** The most requests to send. */
  readonly budget?: number;
  readonly signal?: AbortSignal;
}

/** Enough for two thousand million jobs. */
const usualBudget = 64;
/** This many consecutive responses with the same first item, at offsets this far apart, show that `offset` is ignored. */
const mostRepeats = 2;
const farApart = 3;
/** One more than needed: a single returned item then shows that nothing follows it. */
const few = 2;
/** How often to check the end again while the list changes. */
const mostLooksAtEnd = 3;

/**
 * Counts the items of a list without a total (contract 2.1): requests a long page, then two items at offsets that grow fourfold until
 * one is past the end, then bisects: at most 2·log2(n) + 6 requests for n items of an unchanging list. An exact number is valid for
 * the time of the response that showed the last item.
 * @throws Failure as the source does; `cancelled` when the signal fires.
 */
export async function exactCount(source: PageSource, query: ListQuery, options: CountOptions): Promise<CountResult> {
  return new Counting(source, query, options).run();
}

/** What a response showed of the list at an offset. */
interface Seen {
  readonly type: 'seen';
  readonly items: number;
  readonly hasMore: boolean;
  readonly first: ListEntry | undefined;
  readonly last: ListEntry | undefined;
  /** As many items as requested. */
  readonly isFull: boolean;
}

/** Whether the request filters the list. */
function isFiltered({ params }: ListQuery): boolean {
  return Object.keys(params).length > 0;
}

class Counting {
  readonly #reader: KnowingSource;
  readonly #query: ListQuery;
  readonly #options: CountOptions;
  /** Lower bound of the count. */
  #low = 0;
  /** Smallest offset whose response was empty. */
  #high = Infinity;
  /** The most items in one response. */
  #longest = 0;
  #last: ListEntry | undefined;
  #lastOffset = 0;
  /** Distance from the last known item to the next offset, while no end was found. */
  #reach = 1;
  #repeats = 0;
  #requests = 0;
  /** The service reported an end of the list too early. */
  #endWasWrong = false;

  constructor(source: PageSource, query: ListQuery, options: CountOptions) {
    this.#reader = knowing(source);
    this.#query = query;
    this.#options = options;
  }

  async run(): Promise<CountResult> {
    const top = await this.#look(0, bulkLimit);
    if (top.type !== 'seen') return top;
    if (top.items === 0) return top.hasMore ? { type: 'unreliable' } : this.#exact(0);
    if (!top.hasMore && this.#reader.traits.isShort(top.items, bulkLimit)) return this.#exact(top.items);
    this.#low = top.items;
    this.#longest = Math.min(few, top.items);
    if (!top.isFull) {
      // The service limits pages, or cuts them before it filters them; in the second case other items are at these offsets.
      const seam = await this.#look(top.items - 1, few);
      if (seam.type !== 'seen') return seam;
      if (!isSame(top.last, seam.first)) return { type: 'atLeast', count: top.items };
    }
    const end = await this.#findEnd(top);
    if (!isFiltered(this.#query)) return end;
    if (end.type === 'exact') return this.#confirmWhole(end.count, top.items);
    // Where pages may be cut before they are filtered, only the items of one page are certain.
    return end.type === 'atLeast' && !top.isFull ? { type: 'atLeast', count: top.items } : end;
  }

  async #findEnd(top: Seen): Promise<CountResult> {
    this.#reach = top.items;
    let result = top.hasMore ? undefined : await this.#confirm(top.last);
    while (result === undefined) {
      if (this.#low >= this.#high) {
        result = await this.#confirm(undefined);
        continue;
      }
      const isOpen = this.#high === Infinity;
      const offset = isOpen ? this.#low - 1 + this.#reach : Math.floor((this.#low + this.#high) / 2);
      if (isOpen) this.#reach *= 4;
      const seen = await this.#look(offset, few);
      if (seen.type !== 'seen') return seen;
      if (seen.items === 0) this.#high = offset;
      else result = await this.#take(offset, seen);
    }
    return result;
  }

  /**
   * Checks the end of a filtered list again with a page as long as the first one. Where pages are cut before they are filtered,
   * that page is short, and offsets do not count items.
   */
  async #confirmWhole(found: number, most: number): Promise<CountResult> {
    let end = found;
    for (let looks = 0; looks < mostLooksAtEnd; looks++) {
      const offset = Math.max(0, end - most);
      const seen = await this.#look(offset, most);
      if (seen.type !== 'seen') return { type: 'atLeast', count: most };
      if (seen.items === Math.min(end, most)) return this.#exact(found);
      // Or some items have left.
      end = offset + seen.items;
    }
    return { type: 'atLeast', count: most };
  }

  /** Evaluates a response with items; undefined when it does not show the end. */
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
   * @param claimed the item that the service reported as the last, in a page of the longest length
   */
  async #confirm(claimed: ListEntry | undefined): Promise<CountResult | undefined> {
    const end = this.#low;
    const overlap = this.#longest > 1 ? 1 : 0;
    const seen = await this.#look(end - overlap, few);
    if (seen.type !== 'seen') return seen;
    const isLast = seen.items === overlap && !seen.hasMore && !this.#endWasWrong;
    if (isLast && (claimed !== undefined || overlap === 1)) return this.#exact(end);
    // The last item was said to be followed by others, or has left.
    if (seen.items <= overlap) return { type: 'atLeast', count: end };
    // Either the item reported as the last is followed by another, or the list has changed.
    this.#endWasWrong ||= overlap === 0 ? claimed !== undefined : isSame(claimed, seen.first);
    this.#low = end - overlap + seen.items;
    this.#high = Infinity;
    this.#reach = 1;
    return undefined;
  }

  /** A short page that reports more items: the end of a list that never reports it, or a page cut before it was filtered. */
  async #confirmGap(end: number): Promise<CountResult> {
    const seen = await this.#look(end, few);
    if (seen.type !== 'seen') return seen;
    return seen.items === 0 ? { type: 'atLeast', count: this.#low } : { type: 'unreliable' };
  }

  /** Requests the items at an offset. A returned result ends the counting. */
  async #look(offset: number, limit: number): Promise<Seen | CountResult> {
    const { budget = usualBudget, signal } = this.#options;
    if (this.#requests++ === budget) return { type: 'atLeast', count: this.#low };
    const { endpoint, params } = this.#query;
    let page: ListPage;
    try {
      page = await this.#reader.listJobs(endpoint, { ...params, offset, limit }, signal);
    } catch (error) {
      if (isRefusal(error) && offset > 0) return { type: 'atLeast', count: this.#low };
      throw error;
    }
    const { entries, hasMore } = page;
    const [entry] = entries;
    const isRepeated = isSame(this.#last, entry) && Math.abs(offset - this.#lastOffset) >= farApart;
    this.#repeats = isRepeated ? this.#repeats + 1 : 0;
    this.#last = entry;
    this.#lastOffset = offset;
    if (this.#repeats === mostRepeats || !entries.every((each) => matchesQuery(each, this.#query))) {
      return { type: 'unreliable' };
    }
    const isFull = entries.length >= (page.limit ?? limit);
    return { type: 'seen', items: entries.length, hasMore, first: entry, last: entries.at(-1), isFull };
  }

  #exact(count: number): CountResult {
    return { type: 'exact', count, atMs: this.#options.clock.now() };
  }
}
