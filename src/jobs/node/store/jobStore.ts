import { Failure, mayPass } from '../../../base/failure.ts';
import { isUnfinished, withWholeText, type Job } from '../../common/job.ts';
import type { JobFilter } from '../../common/jobFilter.ts';
import { isQueryable, listedKinds, listId, listKeysOf, toListQueries, type ListKey } from '../../common/listKey.ts';
import type { ListQuery } from '../../common/listParams.ts';
import type { Clock } from '../../../base/clock.ts';
import { DisposableOwner } from '../../../base/disposable.ts';
import { bulkLimit, rereadRequests } from '../list/jobPager.ts';
import type { ListReader } from '../list/listReader.ts';
import type { Log } from '../../../base/log.ts';
import { JobLists } from './jobLists.ts';
import type { ExactCount, ListState } from './listState.ts';
import { ListWork, type StoreOptions } from './listWork.ts';
import { WholeJobs } from './wholeJobs.ts';

/** Calls of Refresh within this time count as one. */
const refreshPauseMs = 500;

/** Loads and caches the jobs of one service; no other class changes them. Views read it and request loading. */
export class JobStore extends DisposableOwner {
  readonly #options: () => StoreOptions;
  readonly #clock: Clock;
  readonly #lists: JobLists;
  readonly #work: ListWork;
  /** The results of the loaded jobs; undefined without a service. */
  #whole: WholeJobs | undefined;
  #refresh: { readonly startedAtMs: number; readonly done: Promise<void> } | undefined;

  constructor(options: () => StoreOptions, clock: Clock, log: Log) {
    super();
    this.#options = options;
    this.#clock = clock;
    this.#lists = this.own(new JobLists(log));
    this.#work = this.own(new ListWork({ lists: this.#lists, options, clock, log }));
  }

  get onDidChange(): JobLists['onDidChange'] {
    return this.#lists.onDidChange;
  }

  /** Fires when the service returned jobs that contradict the query; they are not shown. */
  get onDidContradict(): JobLists['onDidContradict'] {
    return this.#lists.onDidContradict;
  }

  get filter(): JobFilter {
    return this.#work.filter;
  }

  /** Switches to another service, or to none. Everything loaded is removed. */
  use(source: ListReader | undefined): void {
    const whole = source && new WholeJobs(source);
    this.#whole = whole;
    this.#work.use(source && whole && source.with({ makeLean: (entries) => whole.makeLeanEntries(entries) }));
    this.reset();
  }

  setFilter(filter: JobFilter): void {
    this.#work.filter = filter;
    this.reset();
  }

  /** Clears everything loaded, for example after a change of grouping. Pending responses are ignored. */
  reset(): void {
    this.#work.stop();
    this.#refresh = undefined;
    this.#lists.reset();
  }

  /** Returns the kinds whose lists can be requested first, then those found in responses; undefined for all kinds in one list. */
  kinds(): readonly (string | undefined)[] {
    const found = this.#lists.all().map(({ key }) => key.kind);
    return [...new Set<string | undefined>([...listedKinds(this.#options().listSource), ...found])];
  }

  /** Returns the lists of a kind: first those that can be requested, then those built from jobs with unknown statuses. */
  lists(kind: string | undefined): readonly ListState[] {
    const { listSource, groupBy } = this.#options();
    const kinds = listedKinds(listSource).filter((each) => each === kind);
    const keys = kinds.flatMap((each) => listKeysOf(each, groupBy, this.filter));
    const queried = new Set(keys.map(listId));
    const observed = this.#lists.all().filter(({ key }) => key.kind === kind && !queried.has(listId(key)));
    return [...keys.map((key) => this.list(key)), ...observed];
  }

  list(key: ListKey): ListState {
    return this.#lists.record(key);
  }

  /** Returns a loaded or watched job, as last observed. */
  get(kind: string, id: string): Job | undefined {
    return this.#lists.job(kind, id);
  }

  /** Returns the list that shows a loaded job. */
  placeOf(kind: string, id: string): ListKey | undefined {
    return this.#lists.all().find(({ jobs }) => jobs.has(kind, id))?.key;
  }

  /** Yields every loaded job exactly once. */
  *jobs(): Iterable<Job> {
    for (const { jobs } of this.#lists.all()) {
      for (const entry of jobs.entries) if (entry.type === 'job') yield entry;
    }
  }

  /**
   * True if time may change what is shown: a loaded job is unfinished, or a list that could not be read may be readable
   * later.
   */
  get mayChange(): boolean {
    for (const { failure } of this.#lists.all()) if (failure !== undefined && mayPass(failure.failure)) return true;
    for (const job of this.jobs()) if (isUnfinished(job)) return true;
    return false;
  }

  /** Reads the first page of a list unless it is loaded or loading. Never throws; a failure becomes part of the list. */
  async load(key: ListKey): Promise<void> {
    const { loaded, failure } = this.list(key);
    if (loaded || !isQueryable(key)) return;
    if (failure !== undefined) return this.#work.of(key);
    return this.#work.first(key);
  }

  /** Reads one more page. When the list moved, its loaded part is reread to keep the rows correct. Never throws. */
  async loadMore(key: ListKey): Promise<void> {
    return this.#work.more(key);
  }

  /**
   * Reads a list to its end, until `max` items are received or the signal fires; loaded items stay. Never throws.
   * @param onProgress called after each page with the number of rows.
   */
  async loadAll(key: ListKey, max: number, stop: AbortSignal, onProgress: (rows: number) => void): Promise<void> {
    await this.load(key);
    return this.#work.all(key, max, stop, onProgress);
  }

  /** Rereads everything loaded, and lists that failed. Calls in quick succession count as one. Never throws. */
  async refresh(): Promise<void> {
    const startedAtMs = this.#clock.now();
    if (this.#refresh !== undefined && startedAtMs - this.#refresh.startedAtMs < refreshPauseMs)
      return this.#refresh.done;
    const done = this.#work.onEach((key) => this.#work.again(key));
    this.#refresh = { startedAtMs, done };
    return done;
  }

  /** Rereads the loaded part of one list; the rows are replaced when the response arrives. Never throws. */
  async reload(key: ListKey): Promise<void> {
    return this.#work.again(key);
  }

  /** Updates the loaded jobs with few requests: lists with unfinished jobs completely, others only at their top. Never throws. */
  async poll(): Promise<void> {
    return this.#work.onEach((key) => {
      const { entries } = this.list(key).jobs;
      const unfinished = entries.some((entry) => entry.type === 'job' && isUnfinished(entry));
      const isShort = entries.length <= rereadRequests * bulkLimit;
      return entries.length === 0 || (unfinished && isShort) ? this.#work.again(key) : this.#work.head(key);
    });
  }

  /**
   * Begins an observation of jobs outside the lists, for example by a watch. The returned function ends it and merges the observed
   * jobs; if several requests returned a job, the latest request wins.
   */
  observing(): (jobs: readonly Job[]) => void {
    const end = this.#work.observing();
    return (jobs) => end(jobs.map((job) => this.#whole?.makeLean(job) ?? job));
  }

  /** Returns a loaded job with its result, which rows do not keep; undefined if that is no longer available. */
  whole(job: Job): Job | undefined {
    return job.omitted === undefined ? withWholeText(job) : this.#whole?.get(job);
  }

  /**
   * Returns a loaded job with its result, which is requested from the service if necessary. @throws Failure;
   * `jobNotFound`, `resultGone`
   */
  async readWhole(job: Job, signal: AbortSignal): Promise<Job> {
    if (this.#whole === undefined) throw new Failure('noConnection');
    return this.#whole.read(job, signal);
  }

  /** Stores an exact count with its list until the list is read to its end. */
  setExactCount(key: ListKey, exact: ExactCount | undefined): void {
    this.#lists.update(key, { exact });
    this.#lists.flush();
  }

  /**
   * Returns the current query of a list: endpoint, status and the user's filter.
   * @throws Failure for a list that cannot be requested because its kind or status is unknown.
   */
  queryOf(key: ListKey): ListQuery {
    return this.#work.queryOf(key);
  }

  /** Returns the queries for all jobs that match the user's filter. */
  queries(): readonly ListQuery[] {
    return toListQueries(this.filter, this.#options().listSource, this.#clock.now());
  }
}
