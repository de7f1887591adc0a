import { matchesQuery } from './list/readAll.ts';
import type { ListEntry } from '../domain/jobs/job.ts';
import type { ListQuery } from '../domain/jobs/listParams.ts';
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
/** So many answers in a row that begin with the same item are no accident of a list that moves. */
const mostRepeats = 2;
/** One more than is wanted: a single item then shows by itself that nothing follows it. */
const limit = 2;

/**
 * Counts the items of a list that has no total (contract 2.1), by asking for two items at doubling offsets until one is past the end
 * and then halving: at most 2·log2(n) + 4 requests for n items of a list that stands still. An exact number is that of the moment of
 * the answer that showed the last item, whatever came or left before.
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
    const first = await this.#look(0);
    if (first.type !== 'seen') return first;
    if (first.items === 0) return first.hasMore ? { type: 'unreliable' } : this.#exact(0);
    let result = await this.#take(0, first);
    for (let reach = 1; result === undefined;) {
      if (this.#low >= this.#high) {
        result = await this.#confirm(false);
        reach = 1;
        continue;
      }
      const isOpen = this.#high === Infinity;
      const offset = isOpen ? this.#low - 1 + reach : Math.floor((this.#low + this.#high) / 2);
      if (isOpen) reach *= 2;
      const seen = await this.#look(offset);
      if (seen.type !== 'seen') return seen;
      if (seen.items === 0) this.#high = offset;
      else result = await this.#take(offset, seen);
    }
    return result;
  }

  /** Draws the conclusions from an answer with items; undefined when they do not show the end. */
  async #take(offset: number, { items, hasMore }: Seen): Promise<CountResult | undefined> {
    const end = offset + items;
    const isShort = items < this.#longest;
    this.#longest = Math.max(this.#longest, items);
    this.#low = Math.max(this.#low, end);
    if (this.#low > this.#high) this.#high = Infinity;
    if (hasMore || this.#endWasWrong) return isShort ? this.#confirmGap(end) : undefined;
    if (isShort) return this.#exact(end);
    this.#low = end;
    return this.#confirm(true);
  }

  /** Looks once more at what seems to be the end. @param isSaid the service has said so, with as many items as it ever gives. */
  async #confirm(isSaid: boolean): Promise<CountResult | undefined> {
    const end = this.#low;
    const overlap = this.#longest > 1 ? 1 : 0;
    const seen = await this.#look(end - overlap);
    if (seen.type !== 'seen') return seen;
    const isLast = seen.items === overlap && !seen.hasMore && !this.#endWasWrong;
    if (isLast && (isSaid || overlap === 1)) return this.#exact(end);
    // The last item said that there is more, or is not there any more.
    if (seen.items <= overlap) return { type: 'atLeast', count: end };
    this.#endWasWrong ||= isSaid;
    this.#low = end - overlap + seen.items;
    this.#high = Infinity;
    return undefined;
  }

  /** Fewer items than elsewhere, and yet more: at the end of a list that never says so, or one that is cut before it is filtered. */
  async #confirmGap(end: number): Promise<CountResult> {
    const seen = await this.#look(end);
    if (seen.type !== 'seen') return seen;
    return seen.items === 0 ? { type: 'atLeast', count: this.#low } : { type: 'unreliable' };
  }

  /** Asks for what stands at an offset. What is returned instead ends the counting. */
  async #look(offset: number): Promise<Seen | CountResult> {
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
    this.#repeats = offset > 0 && isSame(this.#last, entry) ? this.#repeats + 1 : 0;
    this.#last = entry;
    if (this.#repeats === mostRepeats || !entries.every((each) => matchesQuery(each, this.#query))) {
      return { type: 'unreliable' };
    }
    return { type: 'seen', items: entries.length, hasMore };
  }

  #exact(count: number): CountResult {
    return { type: 'exact', count, atMs: this.#options.clock.now() };
  }
}
