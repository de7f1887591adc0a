import { isFailure, describeError } from '../../../base/failure.ts';
import { isUnfinished, withoutWholeText, type Job } from '../../../jobs/common/job.ts';
import {
  type Absence,
  judgeWatchedJob,
  maxWatchMs,
  watchDelayMs,
  type FinishedJob,
  type GivenUpJob,
  watchKey,
  type WatchedJob,
} from '../common/watchPlan.ts';
import { isGuess, watchQueries, type WatchQuery } from '../common/watchQueries.ts';
import { Emitter } from '../../../base/emitter.ts';
import type { Log } from '../../../base/log.ts';
import type { Disposable } from '../../../base/disposable.ts';
import type { Clock } from '../../../base/clock.ts';
import { Debouncer } from '../../../jobs/node/debouncer.ts';
import type { ListReader } from '../../../jobs/node/list/listReader.ts';
import { readAll } from '../../../jobs/node/list/readAll.ts';

/** Max number of watched jobs, so that a round takes few requests. */
export const maxWatchedJobs = 200;

/** Dependencies of {@link JobWatcher}. */
export interface JobWatcherDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Returns the reader for the lists of a job's connection; undefined while that connection is not in use. */
  readonly sourceOf: (job: WatchedJob) => ListReader | undefined;
  readonly isFocused: () => boolean;
  /**
   * Called for a final job as listed, before it is no longer watched. Returns true if it has to be polled again, because its
   * files could not be written yet. By default, nothing is written.
   */
  readonly deliver?: (watched: WatchedJob, job: Job) => Promise<boolean>;
  /** Called before requests; the returned function, called once, records the observed jobs. */
  readonly observing: () => (jobs: readonly Job[]) => void;
}

/** Polls jobs until they are final, with few requests, and reports those that finish together at once. */
export class JobWatcher implements Disposable {
  readonly #deps: JobWatcherDeps;
  readonly #report = (error: unknown): void => this.#deps.log.error(`watch: ${describeError(error)}`);
  readonly #changes = new Emitter<void>(this.#report);
  readonly #finishes = new Emitter<readonly FinishedJob[]>(this.#report);
  readonly #givings = new Emitter<readonly GivenUpJob[]>(this.#report);
  readonly #gathering: Debouncer<FinishedJob>;
  readonly #disposal = new AbortController();
  #watched: ReadonlyMap<string, WatchedJob> = new Map();
  /** The service's clock minus the local clock, by source. */
  readonly #offsets = new WeakMap<ListReader, number>();
  #failures = 0;
  /** Time when each source may be queried again, as its service requested after a failure. */
  readonly #retryAtMs = new WeakMap<ListReader, number>();
  #timer: Disposable | undefined;
  #looking = false;
  /** Requests of the last round. */
  #requests = 0;
  /** Starts at the current time, so that no request is sent during activation. */
  #lookedAtMs: number;

  constructor(deps: JobWatcherDeps) {
    this.#deps = deps;
    this.#lookedAtMs = deps.clock.now();
    this.#gathering = new Debouncer(deps.clock, (finished) => {
      this.#finishes.fire(finished);
      this.#changes.fire();
    });
  }

  /** Fires when the watched jobs or the state to restore have changed. */
  readonly onDidChange = this.#changes.event;
  readonly onDidFinish = this.#finishes.event;
  readonly onDidGiveUp = this.#givings.event;

  get watched(): readonly WatchedJob[] {
    return [...this.#watched.values()];
  }

  /** State to restore in the next session: watched jobs, and finished ones not yet reported. */
  get kept(): readonly WatchedJob[] {
    return [...this.watched, ...this.#gathering.held.map(({ watched }) => watched)];
  }

  /** Starts watching jobs; does not change jobs that are already watched. @returns the number of jobs within the limit. */
  watch(jobs: readonly WatchedJob[]): number {
    const before = this.#watched.size;
    const watched = new Map(this.#watched);
    for (const job of jobs) {
      const key = watchKey(job);
      if (!watched.has(key) && watched.size < maxWatchedJobs) watched.set(key, job);
    }
    this.#watched = watched;
    if (watched.size > before) {
      this.#changes.fire();
      this.wake();
    }
    return jobs.filter((job) => watched.has(watchKey(job))).length;
  }

  stop(jobs: readonly WatchedJob[]): void {
    const watched = new Map(this.#watched);
    for (const job of jobs) watched.delete(watchKey(job));
    this.#watched = watched;
    this.#changes.fire();
    this.#schedule();
  }

  /** Polls again as soon as the minimum pause allows: the window has regained focus, the connection changed, or a job was added. */
  wake(): void {
    this.#schedule();
  }

  dispose(): void {
    this.#disposal.abort();
    this.#timer?.dispose();
    this.#gathering.dispose();
    this.#changes.dispose();
    this.#finishes.dispose();
    this.#givings.dispose();
  }

  #schedule(): void {
    this.#timer?.dispose();
    if (this.#watched.size === 0 || this.#looking || this.#disposal.signal.aborted) return;
    const { clock, isFocused } = this.#deps;
    const newestMs = Math.max(...this.watched.map(({ sinceMs }) => sinceMs));
    const delayMs = watchDelayMs({
      youngestMs: clock.now() - newestMs,
      focused: isFocused(),
      failures: this.#failures,
      requests: this.#requests,
    });
    const waits = [...this.#bySource(this.watched).keys()].map((source) => this.#retryAtMs.get(source) ?? 0);
    const nowMs = clock.now();
    // Once the clock was set back, no earlier time means anything.
    const dueMs = nowMs < this.#lookedAtMs ? nowMs + delayMs : Math.max(this.#lookedAtMs + delayMs, ...waits);
    this.#timer = clock.after(Math.max(0, dueMs - nowMs), () => void this.#round());
  }

  /** Polls and schedules the next round, whatever the result. */
  async #round(): Promise<void> {
    try {
      await this.#poll();
    } catch (error) {
      this.#report(error);
    }
    this.#looking = false;
    this.#schedule();
  }

  async #poll(): Promise<void> {
    this.#looking = true;
    this.#requests = 0;
    this.#lookedAtMs = this.#deps.clock.now();
    const polled = this.watched;
    const looks = new Map<string, WatchLookup>();
    const observe = this.#deps.observing();
    let failed = false;
    for (const [source, jobs] of this.#bySource(polled)) {
      try {
        await this.#lookAt(source, jobs, looks);
        this.#retryAtMs.delete(source);
      } catch (error) {
        if (this.#disposal.signal.aborted) return observe([]);
        failed = true;
        this.#retryAtMs.set(source, (isFailure(error) ? error.facts.retryAtMs : undefined) ?? 0);
        this.#deps.log.warn(`watch: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    this.#failures = failed ? this.#failures + 1 : 0;
    const stillWatched = polled.filter((job) => this.#watched.has(watchKey(job)));
    observe(stillWatched.flatMap((job) => looks.get(watchKey(job))?.found.get(job.id) ?? []));
    this.#take(polled, looks);
  }

  #bySource(jobs: readonly WatchedJob[]): ReadonlyMap<ListReader, readonly WatchedJob[]> {
    const groups = new Map<ListReader, WatchedJob[]>();
    for (const job of jobs) {
      const source = this.#deps.sourceOf(job);
      if (source !== undefined) groups.set(source, [...(groups.get(source) ?? []), job]);
    }
    return groups;
  }

  async #lookAt(source: ListReader, jobs: readonly WatchedJob[], looks: Map<string, WatchLookup>): Promise<void> {
    for (const question of watchQueries(jobs, this.#offsets.get(source))) {
      const look = await lookUpWatchedJobs(this.#timed(source), question, this.#disposal.signal, this.#deps.deliver);
      for (const job of question.jobs) looks.set(watchKey(job), look);
    }
  }

  /** Wraps a reader of the same service to record the service's clock from its pages. */
  #timed(source: ListReader): ListReader {
    return source.with({
      observe: () => {
        this.#requests++;
        return (page) => {
          if (page?.serviceDateMs !== undefined) this.#offsets.set(source, page.serviceDateMs - this.#deps.clock.now());
        };
      },
    });
  }

  /** Evaluates a round. Removes jobs that are no longer watched. */
  #take(polled: readonly WatchedJob[], looks: ReadonlyMap<string, WatchLookup>): void {
    const watched = new Map(this.#watched);
    const finished: FinishedJob[] = [];
    const givenUp: GivenUpJob[] = [];
    for (const job of polled.filter((each) => watched.has(watchKey(each)))) {
      const look = looks.get(watchKey(job));
      const found = look?.found.get(job.id);
      // A job whose files could not be written for a day is reported like others. Its files stay wanted.
      if (look?.held.has(job.id) === true && this.#deps.clock.now() - job.sinceMs < maxWatchMs) continue;
      // A search of the whole list may end early. A job that it did not find still counts as missing, because the earlier,
      // narrower searches did not find it.
      const absence = isGuess(job) && look !== undefined ? 'proved' : (look?.absence ?? 'open');
      const verdict = judgeWatchedJob(job, found, absence, this.#deps.clock.now());
      if (verdict.type === 'waiting') watched.set(watchKey(job), verdict.watched);
      else watched.delete(watchKey(job));
      if (verdict.type === 'finished') finished.push(verdict);
      if (verdict.type === 'givenUp') givenUp.push(verdict);
    }
    const isSame = polled.every((job) => watched.get(watchKey(job)) === job);
    this.#watched = watched;
    this.#gathering.add(finished, watched.size === 0);
    if (givenUp.length > 0) this.#givings.fire(givenUp);
    if (!isSame) this.#changes.fire();
  }
}

/** Result of reading one list. */
export interface WatchLookup {
  /** The watched jobs that are in it, by id. */
  readonly found: ReadonlyMap<string, Job>;
  /** Ids of the final jobs that have to be polled again. */
  readonly held: ReadonlySet<string>;
  /** Conclusion about the other watched jobs. */
  readonly absence: Absence;
}

const smallestLimit = 20;
const largestLimit = 100;
/** Max number of items to read of a list with others than the requested ones: the service may ignore the dates. */
const maxItems = 500;
/** Max number of items to read while all were created in the requested time, such as those of a large batch. */
const maxItemsInTime = 10_000;

/**
 * Reads a list until all of these jobs are found, or the list ends.
 * @param deliver called for final jobs while their page is in memory, as in {@link JobWatcherDeps}.
 * @throws Failure from the source.
 */
export async function lookUpWatchedJobs(
  source: ListReader,
  question: WatchQuery,
  signal: AbortSignal,
  deliver: JobWatcherDeps['deliver'] = () => Promise.resolve(false),
): Promise<WatchLookup> {
  const { kind, params, jobs } = question;
  const wanted = new Map(jobs.map((job) => [job.id, job]));
  const found = new Map<string, Job>();
  const held = new Set<string>();
  // Without dates the job may be far down the list, so use few long pages.
  const isNarrow = params.afterDate !== undefined;
  const limit = isNarrow ? Math.min(Math.max(smallestLimit, jobs.length + 1), largestLimit) : largestLimit;
  const query = { endpoint: kind, params };
  const afterMs = isNarrow ? Date.parse(params.afterDate ?? '') : Infinity;
  let items = 0;
  let isInTime = true;
  for await (const batch of readAll(source, query, { limit, furtherLimit: largestLimit, concurrency: 1, signal })) {
    for (const entry of batch.entries) {
      const watched = entry.type === 'job' && entry.kind === kind ? wanted.get(entry.id) : undefined;
      if (watched === undefined || entry.type !== 'job') continue;
      if (!isUnfinished(entry) && !signal.aborted && (await deliver(watched, entry))) held.add(entry.id);
      found.set(entry.id, withoutWholeText(entry));
    }
    items += batch.entries.length;
    isInTime &&= batch.entries.every((entry) => entry.type === 'job' && (entry.createdAtMs ?? -Infinity) >= afterMs);
    if (found.size === wanted.size || items >= (isInTime ? maxItemsInTime : maxItems))
      return { found, held, absence: 'open' };
    if (batch.endedBy !== undefined) return { found, held, absence: batch.endedBy === 'unproved' ? 'likely' : 'open' };
  }
  return { found, held, absence: 'proved' };
}
