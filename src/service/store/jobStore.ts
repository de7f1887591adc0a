import { isUnfinished, jobKinds, type Job } from '../../domain/jobs/job.ts';
import type { JobFilter } from '../../domain/filter/jobFilter.ts';
import { isAskable, listId, listKeysOf, type ListKey } from '../../domain/jobs/listKey.ts';
import type { ListQuery } from '../../domain/jobs/listParams.ts';
import type { Clock } from '../clock.ts';
import { DisposableOwner } from '../disposable.ts';
import { bulkLimit, rereadRequests } from '../list/jobPager.ts';
import type { Log, PageSource } from '../ports.ts';
import { JobLists } from './jobLists.ts';
import type { ExactCount, ListState } from './listState.ts';
import { ListWork, type StoreOptions } from './listWork.ts';

/** Presses of Refresh closer together than this are one. */
const refreshPauseMs = 500;

/** Loads the jobs of one service and is the only one to change them. Views read, and ask it to load. */
export class JobStore extends DisposableOwner {
  readonly #options: () => StoreOptions;
  readonly #clock: Clock;
  readonly #lists: JobLists;
  readonly #work: ListWork;
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

  /** Items came that contradict the question; they are left out. */
  get onDidContradict(): JobLists['onDidContradict'] {
    return this.#lists.onDidContradict;
  }

  get filter(): JobFilter {
    return this.#work.filter;
  }

  /** Talks to another service from now on, or to none. Everything loaded goes. */
  use(source: PageSource | undefined): void {
    this.#work.use(source);
    this.reset();
  }

  setFilter(filter: JobFilter): void {
    this.#work.filter = filter;
    this.reset();
  }

  /** Forgets what is loaded, as after a change of grouping. Answers under way are not taken in. */
  reset(): void {
    this.#work.stop();
    this.#refresh = undefined;
    this.#lists.reset();
  }

  /** Known kinds first, then those that items brought. */
  kinds(): readonly string[] {
    return this.#lists.kinds;
  }

  /** The lists of a kind: those that can be asked for, then those that items with other statuses made. */
  lists(kind: string): readonly ListState[] {
    const known = jobKinds.find((each) => each === kind);
    const keys = known === undefined ? [] : listKeysOf(known, this.#options().groupBy, this.filter);
    const asked = new Set(keys.map(listId));
    const observed = this.#lists.all().filter(({ key }) => key.kind === kind && !asked.has(listId(key)));
    return [...keys.map((key) => this.list(key)), ...observed];
  }

  list(key: ListKey): ListState {
    return this.#lists.record(key);
  }

  /** A loaded job, as it was observed last. */
  get(kind: string, id: string): Job | undefined {
    return this.#lists.job(kind, id);
  }

  /** The list in which a loaded job stands. */
  placeOf(kind: string, id: string): ListKey | undefined {
    return this.#lists.all().find(({ key, jobs }) => key.kind === kind && jobs.has(kind, id))?.key;
  }

  /** Every loaded job, once. */
  *jobs(): Generator<Job, void, undefined> {
    for (const { jobs } of this.#lists.all()) {
      for (const entry of jobs.entries) if (entry.type === 'job') yield entry;
    }
  }

  get hasUnfinished(): boolean {
    for (const job of this.jobs()) if (isUnfinished(job)) return true;
    return false;
  }

  /** Reads the first page of a list unless it is there or on its way. Never throws; a failure becomes part of the list. */
  async load(key: ListKey): Promise<void> {
    const { loaded, failure } = this.list(key);
    if (loaded || !isAskable(key)) return;
    if (failure !== undefined) return this.#work.of(key);
    return this.#work.first(key);
  }

  /** Reads one more page. When the list moved, its loaded part is read again so that rows stay true. Never throws. */
  async loadMore(key: ListKey): Promise<void> {
    return this.#work.more(key);
  }

  /**
   * Reads a list on until it ends, `most` items have come or the signal fires; what has come stays. Never throws.
   * @param onProgress called after each page with the number of rows.
   */
  async loadAll(key: ListKey, most: number, stop: AbortSignal, onProgress: (rows: number) => void): Promise<void> {
    await this.load(key);
    return this.#work.all(key, most, stop, onProgress);
  }

  /** Reads everything loaded again, and what failed. Presses in quick succession are one. Never throws. */
  async refresh(): Promise<void> {
    const startedAtMs = this.#clock.now();
    if (this.#refresh !== undefined && startedAtMs - this.#refresh.startedAtMs < refreshPauseMs)
      return this.#refresh.done;
    const done = this.#work.onEach((key) => this.#work.again(key));
    this.#refresh = { startedAtMs, done };
    return done;
  }

  /** Reads one list again as far as it is loaded; rows are swapped in place when the answer is there. Never throws. */
  async reload(key: ListKey): Promise<void> {
    return this.#work.again(key);
  }

  /** Brings what is loaded up to date with few requests: lists with unfinished jobs whole, others at their top. Never throws. */
  async poll(): Promise<void> {
    return this.#work.onEach((key) => {
      const { entries } = this.list(key).jobs;
      const unfinished = entries.some((entry) => entry.type === 'job' && isUnfinished(entry));
      const isShort = entries.length <= rereadRequests * bulkLimit;
      return entries.length === 0 || (unfinished && isShort) ? this.#work.again(key) : this.#work.head(key);
    });
  }

  /**
   * Begins to look at jobs outside the lists, as a watch does. What is returned takes in what was seen of a job: answers that were
   * asked for later count for more.
   */
  observing(): (job: Job) => void {
    return this.#work.observing();
  }

  /** Keeps an exact count with its list until the list has been read to its end. */
  setExactCount(key: ListKey, exact: ExactCount | undefined): void {
    this.#lists.update(key, { exact });
    this.#lists.tell();
  }

  /** What a list asks now: endpoint, status and the user's filter. @throws Failure for a list made of observations. */
  queryOf(key: ListKey): ListQuery {
    return this.#work.queryOf(key);
  }
}
