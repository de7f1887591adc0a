import { isFailure } from '../../../base/failure.ts';
import type { Beyond } from './endProof.ts';
import { isRefusal, type FetchPage } from './listWalk.ts';
import type { ListPage } from '../../common/decodePage.ts';
import { type Clock, systemClock, delay } from '../../../base/clock.ts';

/** Number of parallel requests when a list is read to its end. */
export const pagesAtOnce = 4;

/** Maximum delay in milliseconds that a service may request before reading fails: the usual timeout of a request. */
const maxWaitMs = 30_000;

/** A prefetched page and its response so far. */
interface PageAhead {
  readonly response: Promise<ListPage>;
  shown: Beyond;
}

/** Prefetches the next pages while the current one is processed. A jump to another offset starts again. */
export class PagesAhead {
  readonly #fetch: FetchPage;
  #stride: number;
  #before: string | undefined;
  readonly #stopped = new AbortController();
  readonly #signal: AbortSignal;
  readonly #clock: Clock;
  #concurrency: number;
  readonly #pages = new Map<number, PageAhead>();

  /**
   * @param stride distance between the offsets of two pages.
   * @param concurrency number of parallel requests; reduced to one permanently when the service requests a slower rate.
   */
  constructor(
    fetch: FetchPage,
    stride: number,
    concurrency: number,
    signal: AbortSignal | undefined,
    clock: Clock = systemClock,
  ) {
    this.#clock = clock;
    this.#fetch = fetch;
    this.#stride = stride;
    this.#concurrency = concurrency;
    this.#signal = signal === undefined ? this.#stopped.signal : AbortSignal.any([signal, this.#stopped.signal]);
  }

  /** @throws Failure from `fetch`; `rateLimited` if the service requests a long delay. */
  async page(offset: number, limit: number, before?: string): Promise<ListPage> {
    if (!this.#pages.has(offset) || before !== this.#before) this.#pages.clear();
    this.#before = before;
    this.#startFrom(offset, limit);
    const wanted = this.#pages.get(offset)?.response ?? this.#fetch(offset, limit, before, this.#signal);
    this.#pages.delete(offset);
    try {
      const page = await wanted;
      if (page.slowDown) this.#concurrency = 1;
      // The service now returns fewer items, so the prefetch stride must follow.
      const stride = page.entries.length - 1;
      if (page.hasMore && stride > 0 && stride < this.#stride) this.#stride = stride;
      // Requests the next page while this one is processed.
      else if (page.hasMore && stride === this.#stride) this.#startFrom(offset + stride, limit);
      return page;
    } catch (error) {
      if (!isFailure(error, 'rateLimited') || this.#concurrency === 1) throw error;
      const waitMs = (error.facts.retryAtMs ?? 0) - this.#clock.now();
      if (waitMs > maxWaitMs) throw error;
      this.#concurrency = 1;
      this.#pages.clear();
      if (waitMs > 0) await delay(this.#clock, waitMs, this.#signal);
      return this.#fetch(offset, limit, before, this.#signal);
    }
  }

  /** Returns what prefetched pages at and beyond an offset show. Does not wait for pending requests. */
  beyond(offset: number): Beyond {
    const shown = [...this.#pages].flatMap(([start, page]) => (start >= offset ? [page.shown] : []));
    return shown.includes('items') ? 'items' : shown.includes('refusal') ? 'refusal' : 'nothing';
  }

  stop(): void {
    this.#stopped.abort();
  }

  /** Requests the page at an offset and those after it, unless they were requested already. */
  #startFrom(offset: number, limit: number): void {
    const ahead = this.#signal.aborted ? 0 : this.#concurrency;
    for (let index = 0; index < ahead; index++) this.#start(offset + index * this.#stride, limit);
  }

  #start(offset: number, limit: number): void {
    if (this.#pages.has(offset)) return;
    const response = this.#fetch(offset, limit, this.#before, this.#signal);
    const page: PageAhead = { response, shown: 'nothing' };
    // A failed prefetch is ignored unless its page is requested; then page() awaits it again.
    response.then(
      ({ entries }) => (page.shown = entries.length > 0 ? 'items' : 'nothing'),
      (error: unknown) => (page.shown = isRefusal(error) ? 'refusal' : 'nothing'),
    );
    this.#pages.set(offset, page);
  }
}
