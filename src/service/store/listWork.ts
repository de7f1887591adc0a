import { isFailure, Failure, ParameterError } from '../../domain/failure.ts';
import type { Job } from '../../domain/jobs/job.ts';
import { isAskable, listId, type ListKey } from '../../domain/jobs/listKey.ts';
import type { JobLists } from './jobLists.ts';
import type { ListReader, Reading } from './listReader.ts';
import type { Activity, ListRecord, ListFailure } from './listState.ts';
import type { Log, PageSource } from '../ports.ts';
import type { Disposable } from '../disposable.ts';
import type { Clock } from '../clock.ts';
import { describeParameterError } from '../../domain/failureText.ts';

/** What a list is busy with while a task is done. */
const activities = {
  first: 'loading',
  more: 'loadingMore',
  all: 'loadingMore',
  head: 'refreshing',
  again: 'refreshing',
} as const satisfies Record<Task, Activity>;
type Busy = (typeof activities)[Task];

/** What a piece of work has at hand. */
export interface Work {
  readonly reader: ListReader;
  /** The list as it was when the work began. */
  readonly record: ListRecord;
  /** Fires when all lists are forgotten. */
  readonly signal: AbortSignal;
  /** Takes in what was read so far, and tells of it. */
  readonly take: (reading: Reading) => void;
}

/** What working on lists takes. */
export interface ListWorkDeps {
  readonly lists: JobLists;
  readonly clock: Clock;
  readonly log: Log;
  /** Tells of what has changed in the lists. */
  readonly tell: () => void;
  /** Reads a list again that has lost a job which another one had left out. */
  readonly reload: (key: ListKey) => Promise<void>;
}

/**
 * Does the work on lists: one piece at a time on each, in an order by which newer is told from older, and what fails becomes a part
 * of the list.
 */
export class ListWork implements Disposable {
  readonly #needs: ListWorkDeps;
  readonly #flights = new ListFlights();
  #reader: Promise<ListReader> | undefined;
  #abort = new AbortController();
  /** Grows with every request. */
  #asked = 0;
  #held = 0;

  constructor(needs: ListWorkDeps) {
    this.#needs = needs;
  }

  /** Reads from another source from now on, or from none. */
  use(source: PageSource | undefined): void {
    this.#reader = source && import('./listReader.ts').then(({ ListReader }) => new ListReader(source));
  }

  /** Ends what is under way; its answers are not taken in. */
  stop(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#flights.clear();
  }

  /** Ends what is under way, and begins nothing any more. */
  dispose(): void {
    this.#abort.abort();
  }

  /** The end of what a list is busy with. */
  of(key: ListKey): Promise<void> | undefined {
    return this.#flights.of(key);
  }

  /** Works on one list. Never throws. A list made of observations cannot be asked for: it stays as it is. */
  async run(key: ListKey, task: Task, read: (work: Work) => Promise<Reading | undefined>): Promise<void> {
    if (!isAskable(key)) return;
    const { signal } = this.#abort;
    return this.#flights.run(key, task, async () => this.#fly(key, activities[task], read, signal));
  }

  /** Works on all lists at once and tells of it in one event, so that a job which changes places is never nowhere. */
  async onEach(body: (key: ListKey) => Promise<void>): Promise<void> {
    const keys = this.#needs.lists.all().map(({ key }) => key);
    this.#held++;
    try {
      await Promise.all(keys.filter(isAskable).map(body));
    } finally {
      this.#held--;
      this.#needs.tell();
    }
  }

  /**
   * Begins to look at jobs outside the lists. What is returned takes in what was seen of a job: answers that were asked for later
   * count for more.
   * @param readHead brings a list up to date in which the job stands now at the service, but not yet here
   */
  observing(readHead: (key: ListKey) => Promise<void>): (job: Job) => void {
    const askedAt = ++this.#asked;
    const { signal } = this.#abort;
    return (job) => {
      if (signal.aborted) return;
      const home = this.#needs.lists.observe(job, askedAt);
      this.#needs.tell();
      // Its place there is the service's to say.
      if (home !== undefined) void readHead(home);
    };
  }

  async #fly(
    key: ListKey,
    busy: Busy,
    read: (work: Work) => Promise<Reading | undefined>,
    signal: AbortSignal,
  ): Promise<void> {
    const reader = this.#reader;
    if (reader === undefined || signal.aborted) return;
    const { lists, clock, log, tell } = this.#needs;
    const askedAt = ++this.#asked;
    const record = lists.record(key);
    lists.update(key, { activity: busy });
    this.#tellInTime(busy);
    const take = (reading: Reading): void => {
      this.#accept(key, reading, askedAt);
      tell();
    };
    let failure: ListRecord['failure'];
    try {
      const reading = await read({ reader: await reader, record, signal, take });
      if (signal.aborted) return;
      if (reading !== undefined) this.#accept(key, reading, askedAt);
    } catch (error) {
      if (signal.aborted) return;
      failure = listFailure(error, busy, clock.now(), record.failure);
      if (!isFailure(error)) log.error(`list ${listId(key)}: ${String(error)}`);
    }
    lists.update(key, { activity: 'none', failure });
    this.#tellInTime(busy);
  }

  #accept(key: ListKey, reading: Reading, askedAt: number): void {
    const { lists, reload } = this.#needs;
    for (const other of lists.accept(key, { ...reading, askedAt })) void reload(other);
  }

  /** Of a refresh of all lists the end is soon enough. */
  #tellInTime(busy: Busy): void {
    if (busy !== 'refreshing' || this.#held === 0) this.#needs.tell();
  }
}

/** What may be done to a list: its first page read, one more page or all of them, its head read again or all that is loaded. */
export type Task = 'first' | 'more' | 'all' | 'head' | 'again';

/** Tasks that bring all that a lesser one would. */
const greater: Partial<Record<Task, Task>> = { more: 'all', head: 'again' };

/** Keeps to one task on a list at a time: the same or a greater one is joined, others are waited for. */
export class ListFlights {
  readonly #flights = new Map<string, { readonly task: Task; readonly done: Promise<void> }>();

  /** The end of what a list is busy with. */
  of(key: ListKey): Promise<void> | undefined {
    return this.#flights.get(listId(key))?.done;
  }

  /** Does the work of a task once what is under way on that list is done, or joins that when it brings the same. */
  async run(key: ListKey, task: Task, work: () => Promise<void>): Promise<void> {
    const id = listId(key);
    const underWay = this.#flights.get(id);
    if (underWay !== undefined && (underWay.task === task || underWay.task === greater[task])) return underWay.done;
    const done = after(underWay?.done, work);
    this.#flights.set(id, { task, done });
    try {
      await done;
    } finally {
      if (this.#flights.get(id)?.done === done) this.#flights.delete(id);
    }
  }

  /** Forgets what is under way; whoever called for it ends it. */
  clear(): void {
    this.#flights.clear();
  }
}

async function after(underWay: Promise<void> | undefined, work: () => Promise<void>): Promise<void> {
  await underWay;
  return work();
}

/**
 * What a list has to show when its source threw; nothing after a cancel.
 * @param before what it showed until now
 */
export function listFailure(
  error: unknown,
  during: ListFailure['during'],
  atMs: number,
  before: ListFailure | undefined,
): ListFailure | undefined {
  if (isFailure(error, 'cancelled')) return undefined;
  const sinceMs = before?.during === during ? before.sinceMs : atMs;
  return { failure: listed(error), atMs, sinceMs, during };
}

function listed(error: unknown): Failure {
  if (isFailure(error)) return error;
  // A filter that this connection's query style cannot express.
  if (error instanceof ParameterError)
    return new Failure('rejected', { serviceMessage: describeParameterError(error) });
  return new Failure('unexpectedShape');
}
