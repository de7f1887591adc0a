import { maxBoardItems, type BoardExtent } from '../common/boardProtocol.ts';
import { JobColumns } from '../common/jobColumns.ts';
import { isFailure, type Failure } from '../../../base/failure.ts';
import { jobKey, withoutWholeText, type Job, type ListEntry } from '../../../jobs/common/job.ts';
import {
  isByCreation,
  isFixedOrder,
  observeOrder,
  unseenOrder,
  type ListOrder,
} from '../../../jobs/common/listOrder.ts';
import type { ListQuery } from '../../../jobs/common/listParams.ts';
import { nextTurn, WorkSlices, type Clock } from '../../../base/clock.ts';
import { exactCount } from '../../../jobs/node/exactCount.ts';
import { bulkLimit } from '../../../jobs/node/list/jobPager.ts';
import { pagesAtOnce } from '../../../jobs/node/list/pagesAhead.ts';
import { matchesQuery, readAll, type ReadBatch } from '../../../jobs/node/list/readAll.ts';
import type { ListReader } from '../../../jobs/node/list/listReader.ts';
import type { ListPage } from '../../../jobs/common/decodePage.ts';

/** Number of items read automatically, and with each Read On. */
export const usualMaxAtOnce = 20_000;
/** Maximum number of item characters that one board keeps in memory. */
const maxCharacters = 256 * 1024 * 1024;

export interface BoardReadingOptions {
  readonly clock: Clock;
  /** Metadata keys for the labels of jobs, in order of preference. */
  readonly labelKeys?: readonly string[];
  /** Number of items read automatically, and with each Read On. */
  readonly maxAtOnce?: number;
}

/**
 * Reads the jobs of one or more lists, in the service's order; merges several lists by newest job. Stops after every 20,000 items, on
 * request, and when a page fails, and continues from there. Keeps all results.
 */
export class BoardReading {
  readonly columns: JobColumns;
  /** By row, as received; undefined for jobs beyond the memory limit. */
  readonly jobs: (Job | undefined)[] = [];
  /** Time when reading began. Jobs created since may be missing. */
  readonly atMs: number;
  readonly #source: ListReader;
  readonly #options: BoardReadingOptions;
  readonly #lists: readonly ReadingList[];
  readonly #disposed = new AbortController();
  readonly #keys = new Set<string>();
  #characters = 0;
  #items = 0;
  #unreadable = 0;
  #contradicting = 0;
  #hasRepeated = false;
  #requests = 0;
  #isSlowed = false;
  /** Number of items of the longest page. */
  #pageItems = 0;
  #why: Extract<BoardExtent, { type: 'part' }>['why'] = 'reading';
  #total: { readonly count: number; readonly isExact: boolean } | undefined;
  #stop = new AbortController();

  constructor(source: ListReader, queries: readonly ListQuery[], options: BoardReadingOptions) {
    this.#source = source;
    this.#options = options;
    this.atMs = options.clock.now();
    this.columns = new JobColumns(options.labelKeys);
    const onPage = (page: ListPage): void => {
      this.#requests++;
      this.#isSlowed ||= page.slowDown === true;
      this.#pageItems = Math.max(this.#pageItems, page.entries.length);
    };
    const signals = { signal: this.#disposed.signal, pause: () => this.#stop.signal };
    this.#lists = queries.map((query) => new ReadingList(source, query, onPage, signals));
  }

  get facts() {
    return {
      extent: this.#extent,
      unreadable: this.#unreadable,
      contradicting: this.#contradicting,
      isSlowed: this.#isSlowed,
      atMs: this.atMs,
    };
  }

  isOf(source: ListReader | undefined): boolean {
    return this.#source === source;
  }

  /** Failure of a page. The other lists are read nevertheless. */
  get failure(): Failure | undefined {
    return this.#lists.find(({ failure }) => failure !== undefined)?.failure;
  }

  /** True if the service has requested a slower rate. */
  get isSlowed(): boolean {
    return this.#isSlowed;
  }

  /** Number of pages received. */
  get requests(): number {
    return this.#requests;
  }

  /** True if no page has been received yet. */
  get isBlank(): boolean {
    return this.#requests === 0;
  }

  /**
   * Reads until the next 20,000 items are full, or only the first pages.
   * @param onPage called after each page; reading continues when it resolves
   */
  async readOn(amount: 'firstPage' | 'all', onPage: () => Promise<void>): Promise<void> {
    const stop = new AbortController();
    this.#stop = stop;
    const stopped = new Promise<'stopped'>((resolve) =>
      stop.signal.addEventListener('abort', () => resolve('stopped'), { once: true }),
    );
    this.#why = 'reading';
    for (const list of this.#lists) list.failure = undefined;
    const max = this.#items + this.#itemsLeft;
    while (this.#items < max && this.#lists.some(({ isDrained, failure }) => !isDrained && failure === undefined)) {
      const waiting = this.#lists.filter(({ isWaiting }) => isWaiting);
      const due = amount === 'firstPage' ? waiting.filter(({ isBegun, hasMore }) => !isBegun || !hasMore) : waiting;
      if (waiting.length > 0 && due.length === 0) {
        this.#why = 'firstPage';
        return;
      }
      const filled = await Promise.race([stopped, Promise.all(due.map((list) => list.fill()))]);
      if (filled === 'stopped') {
        await this.#take(max, () => true);
        this.#why = 'cancelled';
        return;
      }
      await this.#take(max, () => !this.#lists.some(({ isWaiting }) => isWaiting));
      await onPage();
      // Other work of the window goes first.
      await nextTurn();
    }
    this.#why = this.failure === undefined ? 'limit' : 'failed';
  }

  /** Counts the jobs of the range if not all were read. If that fails, there is no count. */
  async count(): Promise<void> {
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    const { clock } = this.#options;
    let [sum, isExact] = [0, true];
    try {
      for (const list of this.#lists) {
        if (list.end === undefined) {
          const result = await exactCount(this.#source, list.query, { clock, signal });
          if (result.type === 'unreliable') return;
          sum += result.count;
          isExact &&= result.type === 'exact';
        } else {
          sum += list.received;
          isExact &&= list.end === 'proved';
        }
      }
      this.#total = { count: sum, isExact };
    } catch (error) {
      if (!isFailure(error)) throw error;
    }
  }

  /** True if the number of jobs of the range is worth counting. */
  get isUncounted(): boolean {
    return this.#why === 'limit' && this.#total === undefined && this.#extent.type === 'part';
  }

  /** Stops reading or counting. Pending pages are requested again when reading continues. */
  cancel(): void {
    this.#stop.abort();
  }

  dispose(): void {
    this.#stop.abort();
    this.#disposed.abort();
  }

  get #itemsLeft(): number {
    const { maxAtOnce = usualMaxAtOnce } = this.#options;
    return Math.max(0, Math.min(maxBoardItems - this.#items, maxAtOnce - (this.#items % maxAtOnce)));
  }

  get #extent(): BoardExtent {
    if (this.#lists.every(({ isDrained }) => isDrained)) {
      return this.#lists.every(({ end }) => end === 'proved')
        ? { type: 'whole' }
        : { type: 'unproved', isEarly: this.#lists.some(({ end }) => end === 'early') };
    }
    const total = this.#knownTotal;
    const left = this.#itemsLeft;
    const jobs = total?.isExact ? Math.min(left, total.count - this.columns.size) : left;
    const requests = Math.ceil(jobs / Math.max(1, this.#pageItems - 1));
    // An upper bound includes the requests ahead of the last page.
    const ahead = total?.isExact ? 0 : pagesAtOnce * this.#lists.filter(({ isDrained }) => !isDrained).length;
    return {
      type: 'part',
      why: this.#why,
      sinceMs: this.#sinceMs,
      total,
      next: jobs > 0 ? { jobs, requests: requests + ahead } : undefined,
    };
  }

  /** Number of jobs of the range, unless the jobs read contradict it. */
  get #knownTotal() {
    const { size } = this.columns;
    // The count includes items that are left out here.
    const isDoubtful = this.#hasRepeated || this.#lists.some(({ hasOthers }) => hasOthers);
    return this.#total === undefined || isDoubtful || this.#total.count <= size ? undefined : this.#total;
  }

  /**
   * Time since which all jobs were read: the creation time of the first job in the lists not read to their end, according to their observed
   * order.
   */
  get #sinceMs(): number | undefined {
    const open = this.#lists.filter(({ isDrained }) => !isDrained);
    const isSeen =
      this.#lists.every(({ end }) => end === undefined || end === 'proved') &&
      open.every(({ isNewestFirst }) => isNewestFirst);
    if (!isSeen) return undefined;
    const fromMs = Math.max(...open.map(({ takenSinceMs }) => takenSinceMs));
    let sinceMs = Infinity;
    for (const atMs of this.columns.created) if (atMs >= fromMs && atMs < sinceMs) sinceMs = atMs;
    return sinceMs === Infinity ? undefined : sinceMs;
  }

  /** Takes entries, newest first, as long as it is known which list has the next one. */
  async #take(max: number, isNextKnown: () => boolean): Promise<void> {
    const slices = new WorkSlices();
    while (this.#items < max && isNextKnown()) {
      const [first, ...others] = this.#lists.filter(({ hasEntries }) => hasEntries);
      if (first === undefined) return;
      const newest = others.reduce((best, each) => (each.headMs > best.headMs ? each : best), first);
      this.#add(newest.shift(), newest.query);
      await slices.rest();
    }
  }

  #add(entry: ListEntry | undefined, query: ListQuery): void {
    this.#items++;
    if (entry?.type !== 'job') this.#unreadable++;
    else if (!matchesQuery(entry, query)) this.#contradicting++;
    else if (this.#keys.has(jobKey(entry))) this.#hasRepeated = true;
    else {
      this.#keys.add(jobKey(entry));
      this.columns.add(entry);
      this.#characters += entry.raw.length;
      this.jobs.push(this.#characters <= maxCharacters ? withoutWholeText(entry) : undefined);
    }
  }
}

/** One of the lists being read: its entries wait here for their turn. */
class ReadingList {
  readonly query: ListQuery;
  readonly #batches: AsyncGenerator<ReadBatch, void, undefined>;
  #entries: readonly ListEntry[] = [];
  #at = 0;
  #order: ListOrder = unseenOrder;
  #isContiguous = false;
  #last: ListEntry | undefined;
  #arrival: Promise<void> | undefined;
  #endedBy: ReadBatch['endedBy'];
  #retry: (() => void) | undefined;
  #fail: ((failure: Failure) => void) | undefined;
  /** True if a page has failed since the last one received. */
  #isRetried = false;
  /** True if a page was received. */
  isBegun = false;
  /** True if the last page reported more. */
  hasMore = false;
  /** Number of entries. */
  received = 0;
  /** True if the entries include items without an ID, or jobs outside the query. */
  hasOthers = false;
  /** Failure of the next page. */
  failure: Failure | undefined;
  /** How the list ended; undefined until then. */
  end: 'proved' | 'unproved' | 'early' | undefined;

  constructor(
    source: ListReader,
    query: ListQuery,
    onPage: (page: ListPage) => void,
    { signal, pause }: { readonly signal: AbortSignal; readonly pause: () => AbortSignal },
  ) {
    this.query = query;
    const reader = source.with({
      observe: () => (page) => {
        if (page === undefined) return;
        ({ hasMore: this.hasMore } = page);
        onPage(page);
      },
    });
    this.#batches = readAll(reader, query, {
      limit: bulkLimit,
      signal,
      pause,
      onFailure: (failure) =>
        new Promise((resolve) => {
          const isLeftover = failure.code === 'cancelled' && !this.#isRetried;
          this.#retry = resolve;
          if (pause().aborted) return;
          this.#isRetried = true;
          // Requested ahead before the pause.
          if (isLeftover) resolve();
          else this.#fail?.(failure);
        }),
    });
  }

  get hasEntries(): boolean {
    return this.#at < this.#entries.length;
  }

  /** True if its next entry is unknown and can be requested. */
  get isWaiting(): boolean {
    return this.end === undefined && this.failure === undefined && !this.hasEntries;
  }

  get isDrained(): boolean {
    return this.end !== undefined && !this.hasEntries;
  }

  /** True if the observed order is by creation time only, newest first, with nothing missing between the pages. */
  get isNewestFirst(): boolean {
    const order = this.#order;
    const isSeen = isByCreation(order) && isFixedOrder(order, this.query.params);
    return this.#isContiguous && isSeen && order.created === 'newest';
  }

  /** Creation time of the next entry; infinite if it has none. */
  get headMs(): number {
    const head = this.#entries[this.#at];
    return head?.type === 'job' ? (head.createdAtMs ?? Infinity) : Infinity;
  }

  /** Time since which all created jobs of this list were taken, if it is newest first. Others of the last instant may be missing. */
  get takenSinceMs(): number {
    const last = this.hasEntries ? this.#entries[this.#at] : this.#last;
    return last?.type === 'job' && last.createdAtMs !== undefined ? last.createdAtMs + 1 : Infinity;
  }

  shift(): ListEntry | undefined {
    return this.#entries[this.#at++];
  }

  /** Waits for the next page or its failure. After a failure, the next call requests the same page again. */
  async fill(): Promise<void> {
    const failed = new Promise<void>((resolve) => {
      this.#fail = (failure) => {
        this.failure = failure;
        resolve();
      };
    });
    const retry = this.#retry;
    this.#retry = undefined;
    retry?.();
    this.#arrival ??= this.#receive().finally(() => {
      this.#arrival = undefined;
    });
    await Promise.race([this.#arrival, failed]);
  }

  async #receive(): Promise<void> {
    try {
      const { done, value } = await this.#batches.next();
      this.isBegun = true;
      this.#isRetried = false;
      if (done === true) {
        this.end = this.#endedBy === undefined ? 'proved' : this.#endedBy === 'unproved' ? 'unproved' : 'early';
        return;
      }
      const { entries, endedBy, isContiguous = false } = value;
      this.#isContiguous = isContiguous;
      this.hasOthers ||= entries.some((entry) => entry.type !== 'job' || !matchesQuery(entry, this.query));
      this.#endedBy = endedBy;
      this.#order = observeOrder(this.#order, this.#last === undefined ? entries : [this.#last, ...entries]);
      this.#last = entries.at(-1) ?? this.#last;
      this.received += entries.length;
      this.#entries = entries;
      this.#at = 0;
    } catch (error) {
      // No more pages follow, which does not prove that this was the end.
      this.end = 'unproved';
      if (!isFailure(error)) throw error;
      this.failure = error;
    }
  }
}
