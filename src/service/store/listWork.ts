import { isFailure, Failure, ParameterError } from '../../domain/failure.ts';
import { describeParameterError } from '../../domain/failureText.ts';
import { noFilter, type JobFilter } from '../../domain/filter/jobFilter.ts';
import type { Job } from '../../domain/jobs/job.ts';
import { isAskable, listId, toListQuery, type GroupBy, type ListKey } from '../../domain/jobs/listKey.ts';
import type { ListQuery } from '../../domain/jobs/listParams.ts';
import type { Clock } from '../clock.ts';
import type { Disposable } from '../disposable.ts';
import { bulkLimit, JobPager, rereadRequests, type ReadLimits } from '../list/jobPager.ts';
import type { Log, PageSource } from '../ports.ts';
import type { JobLists, ReadList } from './jobLists.ts';
import type { Activity, ListFailure, ListRecord } from './listState.ts';

/** How lists are asked for; read anew at each request. */
export interface StoreOptions {
  readonly pageSize: number;
  readonly groupBy: GroupBy;
  readonly listSource: 'byKind' | 'combined';
}

/** What may be done to a list: its first page read, one more page or all of them, its head read again or all that is loaded. */
type Task = 'first' | 'more' | 'all' | 'head' | 'again';

/** What a list is busy with while a task is done. */
const activities = {
  first: 'loading',
  more: 'loadingMore',
  all: 'loadingMore',
  head: 'refreshing',
  again: 'refreshing',
} as const satisfies Record<Task, Activity>;
type Busy = (typeof activities)[Task];

/** Tasks that bring all that a lesser one would. */
const greater: Partial<Record<Task, Task>> = { more: 'all', head: 'again' };

/** What a task has at hand. */
interface Work {
  readonly pager: JobPager;
  /** The list as it was when the work began. */
  readonly record: ListRecord;
  /** Fires when all lists are forgotten. */
  readonly signal: AbortSignal;
  /** Takes in what was read so far, and tells of it. */
  readonly take: (read: ReadList) => void;
}

/** What working on lists takes. */
export interface ListWorkDeps {
  readonly lists: JobLists;
  readonly options: () => StoreOptions;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Reads lists from the service: one task at a time on each, in an order by which newer is told from older, and what fails becomes
 * a part of the list. No task throws; a list made of observations cannot be asked for and stays as it is.
 */
export class ListWork implements Disposable {
  readonly #deps: ListWorkDeps;
  /** What each list is busy with, by its id. */
  readonly #underWay = new Map<string, { readonly task: Task; readonly done: Promise<void> }>();
  /** What the user wants to see. */
  filter: JobFilter = noFilter;
  #pager: JobPager | undefined;
  #abort = new AbortController();
  /** Grows with every request. */
  #asked = 0;
  #held = 0;

  constructor(deps: ListWorkDeps) {
    this.#deps = deps;
  }

  /** Reads from another source from now on, or from none. */
  use(source: PageSource | undefined): void {
    this.#pager = source && new JobPager(source);
  }

  /** Ends what is under way; its answers are not taken in. */
  stop(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#underWay.clear();
  }

  /** Ends what is under way, and begins nothing any more. */
  dispose(): void {
    this.#abort.abort();
  }

  /** The end of what a list is busy with. */
  of(key: ListKey): Promise<void> | undefined {
    return this.#underWay.get(listId(key))?.done;
  }

  /** What a list asks now: endpoint, status and the user's filter. @throws Failure for a list made of observations. */
  queryOf(key: ListKey): ListQuery {
    const { options, clock } = this.#deps;
    return toListQuery(key, this.filter, options().listSource, clock.now());
  }

  /** Reads the first page. */
  async first(key: ListKey): Promise<void> {
    return this.#run(key, 'first', async ({ pager, signal }) => {
      const query = this.queryOf(key);
      return { query, paged: await pager.first(query, this.#limits().page, signal) };
    });
  }

  /** Reads one more page. When the list moved, its loaded part is read again so that rows stay true. */
  async more(key: ListKey): Promise<void> {
    return this.#run(key, 'more', async ({ pager, record: { paged, query }, signal }) => {
      if (paged === undefined || query === undefined) return undefined;
      const limits = this.#limits();
      const list = await pager.next(query, paged, limits.page, signal);
      const isLong = list.received > rereadRequests * limits.most;
      return { query, paged: list.moved && !isLong ? await pager.again(query, list, limits, signal) : list };
    });
  }

  /**
   * Reads a list on until it ends, so many items have come or the signal fires; what has come stays.
   * @param onProgress called after each page with the number of rows
   */
  async all(key: ListKey, items: number, stop: AbortSignal, onProgress: (rows: number) => void): Promise<void> {
    return this.#run(key, 'all', async ({ pager, record: { paged, query }, signal, take }) => {
      if (paged === undefined || query === undefined || paged.received >= items) return;
      for await (const list of pager.rest(query, paged, this.#limits().most, AbortSignal.any([stop, signal]))) {
        take({ query, paged: list });
        onProgress(list.jobs.entries.length);
        if (list.received >= items || stop.aborted) return;
      }
    });
  }

  /** Reads a list again as far as it is loaded, for what is asked now. */
  async again(key: ListKey): Promise<void> {
    return this.#run(key, 'again', async ({ pager, record: { paged }, signal }) => {
      const query = this.queryOf(key);
      return { query, paged: await pager.again(query, paged, this.#limits(), signal) };
    });
  }

  /** Reads the top of a list again, for what was asked when it was loaded. */
  async head(key: ListKey): Promise<void> {
    return this.#run(key, 'head', async ({ pager, record: { paged, query }, signal }) => {
      if (paged === undefined || query === undefined) return undefined;
      return { query, paged: await pager.head(query, paged, this.#limits(), signal) };
    });
  }

  /** Does a task on all lists at once and tells of it in one event, so that a job which changes places is never nowhere. */
  async onEach(task: (key: ListKey) => Promise<void>): Promise<void> {
    const { lists } = this.#deps;
    const keys = lists.all().map(({ key }) => key);
    this.#held++;
    try {
      await Promise.all(keys.filter(isAskable).map(task));
    } finally {
      this.#held--;
      lists.tell();
    }
  }

  /**
   * Begins to look at jobs outside the lists. What is returned takes in what was seen of a job: answers that were asked for later
   * count for more.
   */
  observing(): (job: Job) => void {
    const { lists } = this.#deps;
    const askedAt = ++this.#asked;
    const { signal } = this.#abort;
    return (job) => {
      if (signal.aborted) return;
      const home = lists.observe(job, askedAt);
      lists.tell();
      // Its place there is the service's to say.
      if (home !== undefined) void this.head(home);
    };
  }

  #limits(): ReadLimits {
    const { pageSize } = this.#deps.options();
    return { page: pageSize, most: Math.max(bulkLimit, pageSize) };
  }

  /** Does a task once what is under way on that list is done, or joins that when it brings the same. */
  async #run(key: ListKey, task: Task, read: (work: Work) => Promise<ReadList | void>): Promise<void> {
    if (!isAskable(key)) return;
    const { signal } = this.#abort;
    const id = listId(key);
    const before = this.#underWay.get(id);
    if (before !== undefined && (before.task === task || before.task === greater[task])) return before.done;
    const done = this.#do(key, activities[task], read, signal, before?.done);
    this.#underWay.set(id, { task, done });
    await done;
    if (this.#underWay.get(id)?.done === done) this.#underWay.delete(id);
  }

  async #do(
    key: ListKey,
    busy: Busy,
    read: (work: Work) => Promise<ReadList | void>,
    signal: AbortSignal,
    before: Promise<void> | undefined,
  ): Promise<void> {
    await before;
    const pager = this.#pager;
    if (pager === undefined || signal.aborted) return;
    const { lists, clock, log } = this.#deps;
    const askedAt = ++this.#asked;
    const record = lists.record(key);
    lists.update(key, { activity: busy });
    this.#tellInTime(busy);
    const take = (list: ReadList): void => {
      this.#accept(key, list, askedAt);
      lists.tell();
    };
    let failure: ListRecord['failure'];
    try {
      const list = await read({ pager, record, signal, take });
      if (signal.aborted) return;
      if (list !== undefined) this.#accept(key, list, askedAt);
    } catch (error) {
      if (signal.aborted) return;
      failure = listFailure(error, busy, clock.now(), record.failure);
      if (!isFailure(error)) log.error(`list ${listId(key)}: ${String(error)}`);
    }
    // What was complete when it was read may be so no more.
    lists.update(key, { activity: 'none', failure, ...(failure !== undefined && { isComplete: false }) });
    this.#tellInTime(busy);
  }

  /** Takes in a list as it was read, and reads those again that have lost a job which this one had left out. */
  #accept(key: ListKey, list: ReadList, askedAt: number): void {
    for (const other of this.#deps.lists.accept(key, list, askedAt)) void this.again(other);
  }

  /** Of a refresh of all lists the end is soon enough. */
  #tellInTime(busy: Busy): void {
    if (busy !== 'refreshing' || this.#held === 0) this.#deps.lists.tell();
  }
}

/**
 * What a list has to show when its source threw; nothing after a cancel.
 * @param before what it showed until now
 */
function listFailure(
  error: unknown,
  during: ListFailure['during'],
  atMs: number,
  before: ListFailure | undefined,
): ListFailure | undefined {
  if (isFailure(error, 'cancelled')) return undefined;
  const sinceMs = before?.during === during ? before.sinceMs : atMs;
  return { failure: failureOf(error), atMs, sinceMs, during };
}

function failureOf(error: unknown): Failure {
  if (isFailure(error)) return error;
  // A filter that this connection's query style cannot express.
  if (error instanceof ParameterError)
    return new Failure('rejected', { serviceMessage: describeParameterError(error) });
  return new Failure('unexpectedShape');
}
