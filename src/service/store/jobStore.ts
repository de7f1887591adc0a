import { isUnfinished, jobKinds, type Job } from '../../domain/jobs/job.ts';
import { noFilter, type Contradiction, type JobFilter } from '../../domain/filter/jobFilter.ts';
import { isAskable, listId, listKeysOf, type GroupBy, type ListKey } from '../../domain/jobs/listKey.ts';
import { describeError } from '../../domain/failure.ts';
import { Emitter } from '../emitter.ts';
import { JobLists } from './jobLists.ts';
import type { ListQuery } from '../list/jobPager.ts';
import { type ExactCount, type ListState, ChangeSet, type StoreChange } from './listState.ts';
import { ListWork } from './listWork.ts';
import type { Log, PageSource } from '../ports.ts';
import type { Disposable } from '../disposable.ts';
import type { Clock } from '../clock.ts';
import { bulkLimit, rereadRequests, type ReadLimits } from '../list/readAhead.ts';

/** How lists are asked for; read anew at each request. */
export interface StoreOptions {
  readonly pageSize: number;
  readonly groupBy: GroupBy;
  readonly listSource: 'byKind' | 'combined';
}

/** Presses of Refresh closer together than this are one. */
const refreshPauseMs = 500;

/** Loads the jobs of one service and is the only one to change them. Views read, and ask it to load. */
export class JobStore implements Disposable {
  readonly #options: () => StoreOptions;
  readonly #clock: Clock;
  readonly #changes: Emitter<StoreChange>;
  readonly #contradictions: Emitter<Contradiction | 'kind'>;
  readonly #changed = new ChangeSet();
  readonly #lists: JobLists;
  readonly #work: ListWork;
  #filter: JobFilter = noFilter;
  #refresh: { readonly startedAtMs: number; readonly done: Promise<void> } | undefined;

  constructor(options: () => StoreOptions, clock: Clock, log: Log) {
    const listenerFailed = (error: unknown): void => log.error(`jobs: ${describeError(error)}`);
    this.#options = options;
    this.#clock = clock;
    this.#changes = new Emitter(listenerFailed);
    this.#contradictions = new Emitter(listenerFailed);
    this.#lists = new JobLists(this.#changed, (contradiction) => this.#contradictions.fire(contradiction));
    this.#work = new ListWork({
      lists: this.#lists,
      clock,
      log,
      tell: () => this.#tell(),
      reload: (key) => this.reload(key),
    });
  }

  get onDidChange(): Emitter<StoreChange>['event'] {
    return this.#changes.event;
  }

  /** Items came that contradict the question; they are left out. */
  get onDidContradict(): Emitter<Contradiction | 'kind'>['event'] {
    return this.#contradictions.event;
  }

  get filter(): JobFilter {
    return this.#filter;
  }

  /** Talks to another service from now on, or to none. Everything loaded goes. */
  use(source: PageSource | undefined): void {
    this.#work.use(source);
    this.reset();
  }

  setFilter(filter: JobFilter): void {
    this.#filter = filter;
    this.reset();
  }

  /** Forgets what is loaded, as after a change of grouping. Answers under way are not taken in. */
  reset(): void {
    this.#work.stop();
    this.#lists.clear();
    this.#changed.take();
    this.#refresh = undefined;
    this.#changes.fire({ type: 'reset' });
  }

  /** Known kinds first, then those that items brought. */
  kinds(): readonly string[] {
    return this.#lists.kinds;
  }

  /** The lists of a kind: those that can be asked for, then those that items with other statuses made. */
  lists(kind: string): readonly ListState[] {
    const known = jobKinds.find((each) => each === kind);
    const keys = known === undefined ? [] : listKeysOf(known, this.#options().groupBy, this.#filter);
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
    return this.#work.run(key, 'first', async ({ reader, signal }) =>
      reader.first(await this.questionOf(key), this.#limits(), signal),
    );
  }

  /** Reads one more page. When the list moved, its loaded part is read again so that rows stay true. Never throws. */
  async loadMore(key: ListKey): Promise<void> {
    return this.#work.run(key, 'more', ({ reader, record, signal }) => reader.more(record, this.#limits(), signal));
  }

  /**
   * Reads a list on until it ends, `most` items have come or the signal fires; what has come stays. Never throws.
   * @param onProgress called after each page with the number of rows.
   */
  async loadAll(key: ListKey, most: number, stop: AbortSignal, onProgress: (rows: number) => void): Promise<void> {
    await this.load(key);
    return this.#work.run(key, 'all', async ({ reader, record, signal, take }) => {
      const limits = { ...this.#limits(), items: most };
      for await (const reading of reader.all(record, limits, stop, signal)) {
        take(reading);
        onProgress(reading.paged.jobs.entries.length);
      }
      return undefined;
    });
  }

  /** Reads everything loaded again, and what failed. Presses in quick succession are one. Never throws. */
  async refresh(): Promise<void> {
    const startedAtMs = this.#clock.now();
    if (this.#refresh !== undefined && startedAtMs - this.#refresh.startedAtMs < refreshPauseMs)
      return this.#refresh.done;
    const done = this.#work.onEach((key) => this.reload(key));
    this.#refresh = { startedAtMs, done };
    return done;
  }

  /** Reads one list again as far as it is loaded; rows are swapped in place when the answer is there. Never throws. */
  async reload(key: ListKey): Promise<void> {
    return this.#work.run(key, 'again', async ({ reader, record, signal }) =>
      reader.again(record, await this.questionOf(key), this.#limits(), signal),
    );
  }

  /** Brings what is loaded up to date with few requests: lists with unfinished jobs whole, others at their top. Never throws. */
  async poll(): Promise<void> {
    return this.#work.onEach((key) => {
      const { entries } = this.list(key).jobs;
      const unfinished = entries.some((entry) => entry.type === 'job' && isUnfinished(entry));
      const isShort = entries.length <= rereadRequests * bulkLimit;
      return entries.length === 0 || (unfinished && isShort) ? this.reload(key) : this.#readHead(key);
    });
  }

  /**
   * Begins to look at jobs outside the lists, as a watch does. What is returned takes in what was seen of a job: answers that were
   * asked for later count for more.
   */
  observing(): (job: Job) => void {
    return this.#work.observing((key) => this.#readHead(key));
  }

  /** Keeps an exact count with its list until the list has been read to its end. */
  setExactCount(key: ListKey, exact: ExactCount | undefined): void {
    this.#lists.update(key, { exact });
    this.#tell();
  }

  /** The question that a list asks now: endpoint, status and the user's filter. @throws Failure for a list made of observations. */
  async questionOf(key: ListKey): Promise<ListQuery> {
    const filter = this.#filter;
    const { listSource } = this.#options();
    const nowMs = this.#clock.now();
    const { toListQuery } = await import('./listReader.ts');
    return toListQuery(key, filter, listSource, nowMs);
  }

  dispose(): void {
    this.#work.dispose();
    this.#changes.dispose();
    this.#contradictions.dispose();
  }

  #limits(): ReadLimits {
    const { pageSize } = this.#options();
    return { page: pageSize, most: Math.max(bulkLimit, pageSize) };
  }

  async #readHead(key: ListKey): Promise<void> {
    return this.#work.run(key, 'head', ({ reader, record, signal }) => reader.head(record, this.#limits(), signal));
  }

  #tell(): void {
    const change = this.#changed.take();
    if (change !== undefined) this.#changes.fire(change);
  }
}
