import { isFailure, Failure, ParameterError } from '../../../base/failure.ts';
import { noFilter, type JobFilter } from '../../common/jobFilter.ts';
import type { Job } from '../../common/job.ts';
import { isQueryable, listId, toListQuery, type GroupBy, type ListKey } from '../../common/listKey.ts';
import type { ListQuery } from '../../common/listParams.ts';
import type { Clock } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/disposable.ts';
import { bulkLimit, JobPager, rereadRequests, type ReadLimits } from '../list/jobPager.ts';
import type { Connection } from '../../../connections/common/connection.ts';
import type { Log } from '../../../base/log.ts';
import type { JobLists, ReadList } from './jobLists.ts';
import type { Activity, ListFailure, ListRecord } from './listState.ts';
import { describeParameterError } from '../../../base/failureText.ts';
import type { ListReader } from '../list/listReader.ts';

/** Options for reading lists; read again for each request. */
export interface StoreOptions extends Pick<Connection, 'limit' | 'listSource'> {
  readonly groupBy: GroupBy;
}

/** A task on a list: read the first page, one more page or all of them, reread its top or everything loaded. */
type Task = 'first' | 'more' | 'all' | 'head' | 'again';

/** The activity that views see during a task. */
const activities = {
  first: 'loading',
  more: 'loadingMore',
  all: 'loadingMore',
  head: 'refreshing',
  again: 'refreshing',
} as const satisfies Record<Task, Activity>;
type Busy = (typeof activities)[Task];

/** The task that includes everything another one would read. */
const greater: Partial<Record<Task, Task>> = { more: 'all', head: 'again' };

/** Input of a task. */
interface Work {
  readonly pager: JobPager;
  /** The list when the task began. */
  readonly record: ListRecord;
  /** Fires when all lists are reset. */
  readonly signal: AbortSignal;
  /** Merges the entries read so far and fires an event. */
  readonly take: (read: ReadList) => void;
}

/** Dependencies of {@link ListWork}. */
export interface ListWorkDeps {
  readonly lists: JobLists;
  readonly options: () => StoreOptions;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Reads lists from the service, one task at a time for each list. Requests are numbered, so that newer responses are never
 * overwritten by older ones. Failures become part of the list; no task throws. Lists built from observed jobs cannot be
 * requested and do not change.
 */
export class ListWork implements Disposable {
  readonly #deps: ListWorkDeps;
  /** The running or last queued task of each list, by list id. */
  readonly #underWay = new Map<string, { readonly task: Task; readonly done: Promise<void> }>();
  /** The user's filter. */
  filter: JobFilter = noFilter;
  /** One that keeps whole pages, and one that replaces rows. */
  #pagers: { readonly reading: JobPager; readonly refreshing: JobPager } | undefined;
  #abort = new AbortController();
  #held = 0;

  constructor(deps: ListWorkDeps) {
    this.#deps = deps;
  }

  /** Reads from another source, or from none. */
  use(source: ListReader | undefined): void {
    this.#pagers = source && {
      reading: new JobPager(source.with({ sharesText: true })),
      refreshing: new JobPager(source),
    };
  }

  /** Aborts all tasks; their responses are ignored. */
  stop(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#underWay.clear();
  }

  /** Aborts all tasks and starts no others. */
  dispose(): void {
    this.#abort.abort();
  }

  /** Resolves when the tasks of a list are done; undefined if it has none. */
  of(key: ListKey): Promise<void> | undefined {
    return this.#underWay.get(listId(key))?.done;
  }

  /**
   * The current query of a list: endpoint, status and the user's filter.
   * @throws Failure for a list that cannot be requested because its kind or status is unknown.
   */
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

  /** Reads one more page. If the list moved, its loaded part is reread to keep the rows correct. */
  async more(key: ListKey): Promise<void> {
    return this.#run(key, 'more', async ({ pager, record: { paged, query }, signal }) => {
      if (paged === undefined || query === undefined) return undefined;
      const limits = this.#limits();
      const list = await pager.next(query, paged, limits.page, signal);
      const isLong = list.received > rereadRequests * limits.max;
      return { query, paged: list.moved && !isLong ? await pager.again(query, list, limits, signal) : list };
    });
  }

  /**
   * Reads a list to its end, until `items` items are received or the signal fires; loaded items stay.
   * @param onProgress called after each page with the number of rows
   */
  async all(key: ListKey, items: number, stop: AbortSignal, onProgress: (rows: number) => void): Promise<void> {
    return this.#run(key, 'all', async ({ pager, record: { paged, query }, signal, take }) => {
      if (paged === undefined || query === undefined || paged.received >= items) return;
      for await (const list of pager.rest(query, paged, this.#limits().max, AbortSignal.any([stop, signal]))) {
        take({ query, paged: list });
        onProgress(list.jobs.entries.length);
        if (list.received >= items || stop.aborted) return;
      }
    });
  }

  /** Rereads the loaded part of a list with the current query. */
  async again(key: ListKey): Promise<void> {
    return this.#run(key, 'again', async ({ pager, record: { paged }, signal }) => {
      const query = this.queryOf(key);
      return { query, paged: await pager.again(query, paged, this.#limits(), signal) };
    });
  }

  /** Rereads the top of a list with the query with which it was loaded. */
  async head(key: ListKey): Promise<void> {
    return this.#run(key, 'head', async ({ pager, record: { paged, query }, signal }) => {
      if (paged === undefined || query === undefined) return undefined;
      return { query, paged: await pager.head(query, paged, this.#limits(), signal) };
    });
  }

  /**
   * Runs a task on all lists in parallel and fires one event, so that a job that moves to another list does not disappear in
   * between.
   */
  async onEach(task: (key: ListKey) => Promise<void>): Promise<void> {
    const { lists } = this.#deps;
    const keys = lists.all().map(({ key }) => key);
    this.#held++;
    try {
      await Promise.all(keys.filter(isQueryable).map(task));
    } finally {
      this.#held--;
      lists.flush();
    }
  }

  /**
   * Begins an observation of jobs outside the lists. The returned function ends it and merges the observed jobs; if several requests
   * returned a job, the latest request wins.
   */
  observing(): (jobs: readonly Job[]) => void {
    const { lists } = this.#deps;
    const requestNumber = lists.beginRequest();
    const { signal } = this.#abort;
    return (jobs) => {
      for (const job of signal.aborted ? [] : jobs) {
        const home = lists.observe(job, requestNumber);
        // During a refresh, a job may have left one list before it reached another.
        if (this.#held === 0) lists.flush();
        // Only the service knows the position of the job in that list.
        if (home !== undefined) void this.head(home);
      }
      lists.endRequest(requestNumber);
    };
  }

  #limits(): ReadLimits {
    const { limit } = this.#deps.options();
    return { page: limit, max: Math.max(bulkLimit, limit) };
  }

  /** Runs a task after the one that is running on that list, or joins the running one if it includes this task. */
  async #run(key: ListKey, task: Task, read: (work: Work) => Promise<ReadList | void>): Promise<void> {
    if (!isQueryable(key)) return;
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
    if (this.#pagers === undefined || signal.aborted) return;
    const pager = this.#pagers[busy === 'refreshing' ? 'refreshing' : 'reading'];
    const { lists, clock, log } = this.#deps;
    const requestNumber = lists.beginRequest();
    const record = lists.record(key);
    lists.update(key, { activity: busy });
    this.#notifySoon(busy);
    const take = (list: ReadList): void => {
      this.#accept(key, list, requestNumber);
      lists.flush();
    };
    let failure: ListRecord['failure'];
    try {
      const list = await read({ pager, record, signal, take });
      if (signal.aborted) return;
      if (list !== undefined) this.#accept(key, list, requestNumber);
    } catch (error) {
      if (signal.aborted) return;
      const reason = error instanceof ParameterError ? parameterFailure(error) : error;
      failure = listFailure(reason, busy, clock.now(), record.failure);
      if (!isFailure(error)) log.error(`list ${listId(key)}: ${String(error)}`);
    } finally {
      lists.endRequest(requestNumber);
    }
    // After a failure, the list may no longer be complete.
    lists.update(key, { activity: 'none', failure, ...(failure !== undefined && { isComplete: false }) });
    this.#notifySoon(busy);
  }

  /** Merges a list that was read. Rereads lists that must show a job again because this list no longer has it. */
  #accept(key: ListKey, list: ReadList, requestNumber: number): void {
    for (const other of this.#deps.lists.accept(key, list, requestNumber)) void this.again(other);
  }

  /** While all lists are refreshed together, one event at the end is enough. */
  #notifySoon(busy: Busy): void {
    if (busy !== 'refreshing' || this.#held === 0) this.#deps.lists.flush();
  }
}

/**
 * Returns the failure to show for a list when its source threw; undefined after a cancellation.
 * @param before the failure shown until now
 */
function listFailure(
  error: unknown,
  during: ListFailure['during'],
  atMs: number,
  before: ListFailure | undefined,
): ListFailure | undefined {
  if (isFailure(error, 'cancelled')) return undefined;
  const sinceMs = before?.during === during ? before.sinceMs : atMs;
  return { failure: isFailure(error) ? error : new Failure('unexpectedShape'), atMs, sinceMs, during };
}

/** Returns the failure for a filter that the query style of this connection cannot express. */
function parameterFailure(error: ParameterError): Failure {
  return new Failure('rejected', { serviceMessage: describeParameterError(error) });
}
