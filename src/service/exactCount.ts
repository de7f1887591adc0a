import { matchesQuery } from './list/readAll.ts';
import type { ListEntry } from '../domain/jobs/job.ts';
import type { ListQuery } from '../domain/jobs/listParams.ts';
import { bulkLimit } from './list/jobPager.ts';
import { isRefusal, isSame } from './list/listWalk.ts';
import { knowing, type KnowingSource } from './list/pageReader.ts';
import type { ListPage, PageSource } from './ports.ts';
import type { Clock } from './clock.ts';

/** What counting came to. */
export type CountResult =
  /** So many jobs were in the list at the moment of the last answer. */
  | { readonly type: 'exact'; readonly count: number; readonly atMs: number }
  /** The budget was used up, the service will not look that far into its list, or its answers do not agree on where it ends. */
  | { readonly type: 'atLeast'; readonly count: number }
  /** The service answers with jobs that were not asked for, pays no heed to `offset`, or leaves gaps in its list. */
  | { readonly type: 'unreliable' };

export interface CountOptions {
  readonly clock: Clock;
  /** The most requests to send. */
  readonly budget?: number;
  readonly signal?: AbortSignal;
}

/** Enough for two thousand million jobs. */
const usualBudget = 64;
/** So many answers in a row that begin with the same item, at places this far apart, are no accident of a list that moves. */
const mostRepeats = 2;
const farApart = 3;
/** One more than is wanted: a single item then shows by itself that nothing follows it. */
const few = 2;
/** How often the end is looked at anew while the list moves. */
const mostLooksAtEnd = 3;

/**
 * Counts the items of a list that has no total (contract 2.1), by asking for a long page, then for two items, each time four times as far on, until
 * one is past the end, and then halving: at most 2·log2(n) + 6 requests for n items of a list that stands still. An exact number is
 * that of the moment of the answer that showed the last item, whatever came or left before.
 * @throws Failure as the source does; `cancelled` when the signal fires.
 */
export async function exactCount(source: PageSource, query: ListQuery, options: CountOptions): Promise<CountResult> {
  return new Counting(source, query, options).run();
}

/** What an answer showed of the list at an offset. */
interface Seen {
  readonly type: 'seen';
  readonly items: number;
  readonly hasMore: boolean;
  readonly first: ListEntry | undefined;
  readonly last: ListEntry | undefined;
  /** As many as were asked for, or as the service gives. */
  readonly isFull: boolean;
}

/** Whether anything but the list itself is asked for. */
function isFiltered({ params }: ListQuery): boolean {
  return Object.keys(params).length > 0;
}

class Counting {
  readonly #reader: KnowingSource;
  readonly #query: ListQuery;
  readonly #options: CountOptions;
  /** There are so many at least. */
  #low = 0;
  /** From there on an answer was empty. */
  #high = Infinity;
  /** The most items that came at once. */
  #longest = 0;
  #last: ListEntry | undefined;
  #lastOffset = 0;
  /** How far beyond the last item known the next look goes, while no end was seen. */
  #reach = 1;
  #repeats = 0;
  #requests = 0;
  /** The service said that the list ends where it does not. */
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
    if (!top.hasMore && !top.isFull) return this.#exact(top.items);
    this.#low = top.items;
    this.#longest = Math.min(few, top.items);
    if (!top.isFull) {
      // The service gives fewer at once, or it cuts pages before it filters them: then other items stand at these places.
      const seam = await this.#look(top.items - 1, few);
      if (seam.type !== 'seen') return seam;
      if (!isSame(top.last, seam.first)) return { type: 'atLeast', count: top.items };
    }
    const end = await this.#findEnd(top);
    if (!isFiltered(this.#query)) return end;
    if (end.type === 'exact') return this.#confirmWhole(end.count, top.items);
    // Where pages may be cut before they are filtered, only what one page held is certain.
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
   * Looks at the end of a filtered list once more, with a page as long as its first one: where pages are cut before they are filtered,
   * it comes short, and places say nothing about numbers.
   */
  async #confirmWhole(found: number, most: number): Promise<CountResult> {
    let end = found;
    for (let looks = 0; looks < mostLooksAtEnd; looks++) {
      const offset = Math.max(0, end - most);
      const seen = await this.#look(offset, most);
      if (seen.type !== 'seen') return { type: 'atLeast', count: most };
      if (seen.items === Math.min(end, most)) return this.#exact(found);
      // Or some have left.
      end = offset + seen.items;
    }
    return { type: 'atLeast', count: most };
  }

  /** Draws the conclusions from an answer with items; undefined when they do not show the end. */
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
   * Looks once more at what seems to be the end.
   * @param claimed what the service has said to be the last item, though it sent as many as it ever does
   */
  async #confirm(claimed: ListEntry | undefined): Promise<CountResult | undefined> {
    const end = this.#low;
    const overlap = this.#longest > 1 ? 1 : 0;
    const seen = await this.#look(end - overlap, few);
    if (seen.type !== 'seen') return seen;
    const isLast = seen.items === overlap && !seen.hasMore && !this.#endWasWrong;
    if (isLast && (claimed !== undefined || overlap === 1)) return this.#exact(end);
    // The last item said that there is more, or is not there any more.
    if (seen.items <= overlap) return { type: 'atLeast', count: end };
    // What was said to be the last is followed by another; otherwise the list has moved on.
    this.#endWasWrong ||= overlap === 0 ? claimed !== undefined : isSame(claimed, seen.first);
    this.#low = end - overlap + seen.items;
    this.#high = Infinity;
    this.#reach = 1;
    return undefined;
  }

  /** Fewer items than elsewhere, and yet more: at the end of a list that never says so, or one that is cut before it is filtered. */
  async #confirmGap(end: number): Promise<CountResult> {
    const seen = await this.#look(end, few);
    if (seen.type !== 'seen') return seen;
    return seen.items === 0 ? { type: 'atLeast', count: this.#low } : { type: 'unreliable' };
  }

  /** Asks for what stands at an offset. What is returned instead ends the counting. */
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
    const isFull = !this.#reader.traits.isShort(entries.length, page.limit ?? limit);
    return { type: 'seen', items: entries.length, hasMore, first: entry, last: entries.at(-1), isFull };
  }

  #exact(count: number): CountResult {
    return { type: 'exact', count, atMs: this.#options.clock.now() };
  }
}
