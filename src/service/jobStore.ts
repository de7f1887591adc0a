import { isFailure } from '../domain/failure.ts';
import { isUnfinished, jobKinds, type Job } from '../domain/job.ts';
import { noFilter, type Contradiction, type JobFilter } from '../domain/jobFilter.ts';
import { isAskable, listId, listKeysOf, type GroupBy, type ListKey } from '../domain/listKey.ts';
import { traceOf } from '../domain/traceOf.ts';
import { Emitter } from './emitter.ts';
import { JobLists, type Answer } from './jobLists.ts';
import type { ListQuestion } from './jobPager.ts';
import { ListFlights, type Busy } from './listFlights.ts';
import { listQuestion } from './listQuestion.ts';
import type { ListReader, Reading } from './listReader.ts';
import type { ExactCount, ListRecord, ListState } from './listState.ts';
import type { Clock, Disposable, Log, PageSource } from './ports.ts';
import { bulkLimit, rereadRequests, type ReadLimits } from './readLimits.ts';
import { ChangeSet, type StoreChange } from './storeChange.ts';

/** How lists are asked for; read anew at each request. */
export interface StoreOptions {
  readonly pageSize: number;
  readonly groupBy: GroupBy;
  readonly listSource: 'byKind' | 'combined';
}

/** Presses of Refresh closer together than this are one. */
const refreshPauseMs = 500;

/** @param askedAt a number that grows with every request */
type Read = (
  reader: ListReader,
  record: ListRecord,
  signal: AbortSignal,
  askedAt: number,
) => Promise<Reading | undefined>;

/** Loads the jobs of one service and is the only one to change them. Views read, and ask it to load. */
export class JobStore implements Disposable {
  readonly #options: () => StoreOptions;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #changes = new Emitter<StoreChange>((error) => this.#tellListenerFailed(error));
  readonly #contradictions = new Emitter<Contradiction | 'kind'>((error) => this.#tellListenerFailed(error));
  readonly #changed = new ChangeSet();
  readonly #lists = new JobLists(this.#changed, (contradiction) => this.#contradictions.fire(contradiction));
  readonly #flights = new ListFlights();
  #reader: Promise<ListReader> | undefined;
  #filter: JobFilter = noFilter;
  #abort = new AbortController();
  #asked = 0;
  #held = 0;
  #refresh: { readonly startedAtMs: number; readonly done: Promise<void> } | undefined;

  constructor(options: () => StoreOptions, clock: Clock, log: Log) {
    this.#options = options;
    this.#clock = clock;
    this.#log = log;
  }

  readonly onDidChange = this.#changes.event;
  /** Items came that contradict the question; they are left out. */
  readonly onDidContradict = this.#contradictions.event;

  get filter(): JobFilter {
    return this.#filter;
  }

  /** Talks to another service from now on, or to none. Everything loaded goes. */
  use(source: PageSource | undefined): void {
    this.#reader = source && import('./listReader.ts').then(({ ListReader }) => new ListReader(source));
    this.reset();
  }

  setFilter(filter: JobFilter): void {
    this.#filter = filter;
    this.reset();
  }

  /** Forgets what is loaded, as after a change of grouping. Answers under way are not taken in. */
  reset(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#flights.clear();
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
    if (failure !== undefined) return this.#flights.of(key);
    return this.#run(key, 'loading', (reader, _record, signal) =>
      reader.first(this.questionOf(key), this.#limits(), signal),
    );
  }

  /** Reads one more page. When the list moved, its loaded part is read again so that rows stay true. Never throws. */
  async loadMore(key: ListKey): Promise<void> {
    return this.#run(key, 'loadingMore', (reader, record, signal) => reader.more(record, this.#limits(), signal));
  }

  /**
   * Reads a list on until it ends, `most` items have come or the signal fires; what has come stays. Never throws.
   * @param onProgress called after each page with the number of rows.
   */
  async loadAll(key: ListKey, most: number, stop: AbortSignal, onProgress: (rows: number) => void): Promise<void> {
    await this.load(key);
    return this.#run(key, 'loadingMore', async (reader, record, signal, askedAt) => {
      const limits = { ...this.#limits(), items: most };
      let last: Reading | undefined;
      for await (const reading of reader.all(record, limits, stop, signal)) {
        last = reading;
        this.#accept(key, { ...reading, askedAt });
        this.#tell();
        onProgress(reading.paged.jobs.entries.length);
      }
      return last;
    });
  }

  /** Reads everything loaded again, and what failed. Presses in quick succession are one. Never throws. */
  async refresh(): Promise<void> {
    const startedAtMs = this.#clock.now();
    if (this.#refresh !== undefined && startedAtMs - this.#refresh.startedAtMs < refreshPauseMs)
      return this.#refresh.done;
    const done = this.#eachAskable((key) => this.reload(key));
    this.#refresh = { startedAtMs, done };
    return done;
  }

  /** Reads one list again as far as it is loaded; rows are swapped in place when the answer is there. Never throws. */
  async reload(key: ListKey): Promise<void> {
    return this.#run(key, 'refreshing', (reader, record, signal) =>
      reader.again(record, this.questionOf(key), this.#limits(), signal),
    );
  }

  /** Brings what is loaded up to date with few requests: lists with unfinished jobs whole, others at their top. Never throws. */
  async poll(): Promise<void> {
    return this.#eachAskable((key) => {
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
    const askedAt = ++this.#asked;
    const { signal } = this.#abort;
    return (job) => {
      if (signal.aborted) return;
      const home = this.#lists.observe(job, askedAt);
      this.#tell();
      // Its place there is the service's to say.
      if (home !== undefined) void this.#readHead(home);
    };
  }

  /** Keeps an exact count with its list until the list has been read to its end. */
  setExactCount(key: ListKey, exact: ExactCount | undefined): void {
    this.#lists.update(key, { exact });
    this.#tell();
  }

  /** The question that a list asks now: endpoint, status and the user's filter. @throws Failure for a list made of observations. */
  questionOf(key: ListKey): ListQuestion {
    return listQuestion(key, this.#filter, this.#options().listSource, this.#clock.now());
  }

  dispose(): void {
    this.#abort.abort();
    this.#changes.dispose();
    this.#contradictions.dispose();
  }

  #limits(): ReadLimits {
    const { pageSize } = this.#options();
    return { page: pageSize, most: Math.max(bulkLimit, pageSize) };
  }

  /** Works on all lists at once and tells of it in one event, so that a job which changes places is never nowhere. */
  async #eachAskable(body: (key: ListKey) => Promise<void>): Promise<void> {
    const keys = this.#lists.all().map(({ key }) => key);
    this.#held++;
    try {
      await Promise.all(keys.filter(isAskable).map(body));
    } finally {
      this.#held--;
      this.#tell();
    }
  }

  async #readHead(key: ListKey): Promise<void> {
    return this.#run(key, 'refreshing', (reader, record, signal) => reader.head(record, this.#limits(), signal));
  }

  /** A list made of observations cannot be asked for: it stays as it is. */
  async #run(key: ListKey, busy: Busy, read: Read): Promise<void> {
    if (!isAskable(key)) return;
    const { signal } = this.#abort;
    return this.#flights.run(key, busy, async () => this.#fly(key, busy, read, signal));
  }

  async #fly(key: ListKey, busy: Busy, read: Read, signal: AbortSignal): Promise<void> {
    const reader = this.#reader;
    if (reader === undefined || signal.aborted) return;
    const askedAt = ++this.#asked;
    const record = this.#lists.record(key);
    this.#lists.update(key, { activity: busy });
    this.#tell(busy === 'refreshing');
    let failure: ListRecord['failure'];
    try {
      const reading = await read(await reader, record, signal, askedAt);
      if (signal.aborted) return;
      if (reading !== undefined) this.#accept(key, { ...reading, askedAt });
    } catch (error) {
      if (signal.aborted) return;
      const { listFailure } = await import('./listFailure.ts');
      if (signal.aborted) return;
      failure = listFailure(error, busy, this.#clock.now(), record.failure);
      if (!isFailure(error)) this.#log.error(`list ${listId(key)}: ${String(error)}`);
    }
    this.#lists.update(key, { activity: 'none', failure });
    this.#tell(busy === 'refreshing');
  }

  #accept(key: ListKey, answer: Answer): void {
    for (const other of this.#lists.accept(key, answer)) void this.reload(other);
  }

  #tellListenerFailed(error: unknown): void {
    this.#log.error(`jobs: ${traceOf(error)}`);
  }

  /** @param canWait whether the end of the work on all lists, if there is one under way, is soon enough. */
  #tell(canWait = false): void {
    if (canWait && this.#held > 0) return;
    const change = this.#changed.take();
    if (change !== undefined) this.#changes.fire(change);
  }
}
