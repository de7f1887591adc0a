import { areExact, buildInSteps, needsAttention, type Attention, type AttentionLists } from '../common/attention.ts';
import { firstLookMs, newSinceMs, nothingHandled, type HandledMarks, type MarkedJob } from '../common/handledMarks.ts';
import { originOf, sampleName } from '../../../connections/common/connectionInput.ts';
import { Failure, describeError, isFailure } from '../../../base/failure.ts';
import { jobKey, type Job } from '../../../jobs/common/job.ts';
import type { Submission } from '../../../jobs/common/submission.ts';
import { WorkSlices, type Clock } from '../../../base/clock.ts';
import { DisposableOwner, type Disposable } from '../../../base/disposable.ts';
import { Emitter } from '../../../base/emitter.ts';
import type { ListReader } from '../../../jobs/node/list/listReader.ts';
import type { Connection } from '../../../connections/common/connection.ts';
import type { Log } from '../../../base/log.ts';
import type { StateStore } from '../../../base/stateStore.ts';
import { pollDelayMs } from '../../../jobs/node/store/jobPoller.ts';
import { AttentionReader, type Observing } from './attentionReader.ts';
import type { HandledStore } from './handledStore.ts';

/** All lists are read whole at least once in this time. */
const wholeEveryMs = 10 * 60_000;

/** Presses of Refresh within this time count as one. */
const refreshPauseMs = 500;

/** Settings of the monitor; read again for each reading. */
export interface AttentionSettings {
  /** 0: nothing is read by itself. */
  readonly intervalMs: number;
  /** 0: measured. */
  readonly overdueMinutes: number;
}

/** Dependencies of {@link AttentionMonitor}. */
export interface AttentionDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: () => AttentionSettings;
  readonly handled: Pick<HandledStore, 'read' | 'mark' | 'undo'>;
  /** Stores what was reported, for the next session. */
  readonly state: StateStore;
  /** The loaded jobs that are done, although a part of their result failed. */
  readonly partlyFailed: () => readonly Job[];
  /** The newest submissions of a connection. Never asks the service. */
  readonly submissions: (connection: Connection) => Promise<readonly Submission[]>;
  readonly observing?: Observing;
  /** A job as observed last, by whatever request; undefined for one that is not loaded. Defaults to none. */
  readonly current?: (kind: string, id: string) => Job | undefined;
}

/** A connection and its lists. */
export interface WatchedService {
  readonly connection: Connection;
  readonly source: ListReader;
}

/** A service that is looked after, with what is known of it. */
interface Watched extends WatchedService {
  readonly reader: AttentionReader;
  readonly abort: AbortController;
  failure: Attention['failure'];
  /** From when on failures are new once others are handled, as of the last reading of everything; undefined: as before. */
  settledMs: number | undefined;
}

/**
 * Reads what needs attention while the view is visible and the window has the focus: all lists whole when the view opens, on Refresh and
 * every ten minutes, in between their first pages, as often as lists are refreshed. One reading at a time, one timer, none while nobody looks.
 */
export class AttentionMonitor extends DisposableOwner {
  readonly #deps: AttentionDeps;
  readonly #changed: Emitter<void>;
  readonly #overdue: Emitter<Attention>;
  #watched: Watched | undefined;
  #attention: Attention | undefined;
  /** As last put together, also when nothing needs attention. */
  #latest: Attention | undefined;
  #marks = nothingHandled;
  /** From when on failures of the sample are new: its jobs are others in each session. */
  #sampleSinceMs: number | undefined;
  #reading: { readonly isWhole: boolean; readonly done: Promise<void> } | undefined;
  /** One after another, so that none shows marks from before the last one. */
  #building: Promise<void> = Promise.resolve();
  #timer: Disposable | undefined;
  #visible = false;
  #focused = false;
  #returned = false;
  /** The view was opened, and nothing was read whole since. */
  #opened = false;
  /** End of the last reading. */
  #lastMs = -Infinity;
  #lastWasWhole = false;
  /** End of the last reading that has read everything. */
  #wholeMs = -Infinity;
  #failures = 0;

  constructor(deps: AttentionDeps) {
    super();
    this.#deps = deps;
    const listenerFailed = (error: unknown): void => deps.log.error(`attention: ${describeError(error)}`);
    this.#changed = this.own(new Emitter(listenerFailed));
    this.#overdue = this.own(new Emitter(listenerFailed));
    this.own({ dispose: () => this.#stop() });
  }

  get onDidChange(): Emitter<void>['event'] {
    return this.#changed.event;
  }

  /** Fires when there are overdue jobs for the first time since there were none. */
  get onDidBecomeOverdue(): Emitter<Attention>['event'] {
    return this.#overdue.event;
  }

  /** What needs attention; undefined when nothing does, as far as is known. */
  get attention(): Attention | undefined {
    return this.#attention;
  }

  /** A job that needs attention, as last read. */
  job(kind: string, id: string): Job | undefined {
    const wanted = jobKey({ kind, id });
    const isWanted = (job: Job): boolean => jobKey(job) === wanted;
    const { overdue = [], groups = [], partlyFailed = [] } = this.#attention ?? {};
    return [...overdue, ...groups.flatMap(({ jobs }) => jobs), ...partlyFailed].find(isWanted);
  }

  /** Turns to another service, or to none. Everything that was read is forgotten. */
  use(service: WatchedService | undefined): void {
    if (service?.source === this.#watched?.source) return;
    this.#stop();
    const { clock, observing } = this.#deps;
    this.#watched = service && {
      ...service,
      reader: new AttentionReader(service.source, service.connection, clock, observing),
      abort: new AbortController(),
      failure: undefined,
      settledMs: undefined,
    };
    this.#marks = nothingHandled;
    this.#lastMs = -Infinity;
    this.#wholeMs = -Infinity;
    this.#failures = 0;
    this.#reading = undefined;
    this.#latest = undefined;
    this.#show(undefined);
    this.replan();
  }

  /** Sets whether the view is visible and the window has the focus. */
  setWatched(visible: boolean, focused: boolean): void {
    const wasWatched = this.#visible && this.#focused;
    this.#opened ||= visible && !this.#visible;
    this.#visible = visible;
    this.#focused = focused;
    this.#returned = visible && focused && (this.#returned || !wasWatched);
    this.replan();
  }

  /** Plans the next reading again, for example after a change of settings. */
  replan(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    if (this.isDisposed || this.#watched === undefined || this.#reading !== undefined) return;
    const { clock, settings } = this.#deps;
    const delayMs = pollDelayMs({
      intervalMs: settings().intervalMs,
      visible: this.#visible,
      focused: this.#focused,
      unfinished: true,
      nowMs: clock.now(),
      lastMs: this.#lastMs,
      failures: this.#failures,
      retryAtMs: this.#watched.failure?.failure.facts.retryAtMs,
      returned: this.#returned,
    });
    if (delayMs === undefined) return;
    this.#timer = clock.after(delayMs, () => {
      void this.#start(this.#opened || clock.now() - this.#wholeMs >= wholeEveryMs);
    });
  }

  /** Reads everything; joins such a reading that is under way, or that ended just now. Never throws. */
  refresh(): Promise<void> {
    const isRecent = this.#lastWasWhole && this.#deps.clock.now() - this.#lastMs < refreshPauseMs;
    return this.#reading === undefined && isRecent ? Promise.resolve() : this.#start(true);
  }

  /** Reads everything and returns it. @throws Failure when there is no service, or it could not be asked */
  async read(): Promise<Attention> {
    await this.refresh();
    if (this.#watched === undefined || this.#latest === undefined) throw new Failure('noConnection');
    if (this.#latest.failure !== undefined) throw this.#latest.failure.failure;
    return this.#latest;
  }

  /** Takes over what the lists know better of the jobs, without a request. */
  noteObserved(): void {
    if (this.#watched !== undefined && this.#adopt(this.#watched)) void this.lookAgain();
  }

  /** Looks again at marks and journal, without a request. Never throws. */
  async lookAgain(): Promise<void> {
    if (this.#watched !== undefined) await this.#build(this.#watched);
  }

  /**
   * Marks failures as handled, on this machine, for all windows.
   * @param act names what is marked for {@link undoHandled}
   * @throws NodeJS.ErrnoException when it cannot be written
   */
  async markHandled(failed: readonly MarkedJob[], act?: string): Promise<void> {
    const watched = this.#watched;
    if (watched === undefined || failed.length === 0) return;
    const { jobs } = this.#listsOf(watched);
    const readable = jobs.filter(({ status }) => status === 'error');
    await this.#deps.handled.mark(watched.connection, failed, watched.settledMs, act, readable);
    await this.#build(watched);
  }

  /**
   * Takes back what was marked by an act, or last in any window.
   * @returns false when there is nothing to take back
   * @throws NodeJS.ErrnoException when it cannot be written
   */
  async undoHandled(act?: string): Promise<boolean> {
    const watched = this.#watched;
    if (watched === undefined) return false;
    const { handled } = this.#deps;
    const marks = await handled.read(watched.connection);
    const undone = act ?? marks.lastAct;
    if (undone === undefined || marks.undone.has(undone)) return false;
    await handled.undo(watched.connection, undone);
    await this.#build(watched);
    return true;
  }

  /** See `settledMs`: what is not handled stays new, however long it takes. */
  #settledMs(watched: Watched): number | undefined {
    const { failed: readings, jobs, atMs } = this.#listsOf(watched);
    // What was not read may have failed before.
    if (!areExact(readings)) return undefined;
    const { clock, partlyFailed } = this.#deps;
    const failed = [...jobs.filter(({ status }) => status === 'error'), ...partlyFailed()];
    // An answer with a date far ahead must not hide what comes until then.
    return newSinceMs(failed, this.#marks, Math.min(atMs, clock.now()), clock.now());
  }

  #start(isWhole: boolean): Promise<void> {
    const watched = this.#watched;
    if (watched === undefined) return Promise.resolve();
    const running = this.#reading;
    if (running !== undefined && (running.isWhole || !isWhole)) return running.done;
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#returned = false;
    const run = async (): Promise<void> => {
      await running?.done;
      try {
        await this.#read(watched, isWhole);
      } catch (error) {
        this.#deps.log.error(`attention: ${describeError(error)}`);
      }
      if (this.#reading !== reading) return;
      this.#reading = undefined;
      this.replan();
    };
    const reading = { isWhole, done: Promise.resolve().then(run) };
    this.#reading = reading;
    return reading.done;
  }

  async #read(watched: Watched, isWhole: boolean): Promise<void> {
    if (this.#watched !== watched) return;
    const { clock, log, settings } = this.#deps;
    const startedMs = clock.now();
    let failure: Failure | undefined;
    try {
      failure = await watched.reader.read(isWhole, settings().overdueMinutes === 0, watched.abort.signal);
    } catch (error) {
      if (!isFailure(error)) log.error(`attention: ${describeError(error)}`);
      failure = isFailure(error) ? error : new Failure('unexpectedShape');
    }
    if (this.#watched !== watched || watched.abort.signal.aborted) return;
    watched.failure = failure && { failure, sinceMs: watched.failure?.sinceMs ?? startedMs };
    this.#failures = failure === undefined ? 0 : this.#failures + 1;
    this.#lastMs = clock.now();
    this.#lastWasWhole = isWhole;
    if (isWhole && failure === undefined) {
      this.#wholeMs = this.#lastMs;
      this.#opened = false;
    }
    await this.#build(watched);
    if (isWhole) watched.settledMs = this.#settledMs(watched);
    // By the service's clock, read from its answers.
    if (failure === undefined && this.#marks.sinceMs === undefined)
      await this.#writeSince(watched.connection, Math.min(watched.reader.now(), clock.now()) - firstLookMs);
    if (this.#watched === watched) await this.#reportOverdue(watched);
  }

  /** The marks, and from when on failures are new: from a day before the first look on, until others are handled. */
  async #readMarks({ connection }: Watched): Promise<HandledMarks> {
    const marks = await this.#deps.handled.read(connection);
    return { ...marks, sinceMs: marks.sinceMs ?? this.#firstSinceMs(connection) };
  }

  /** From a day before the first look on; undefined before it. */
  #firstSinceMs(connection: Connection): number | undefined {
    if (connection.name === sampleName) return this.#sampleSinceMs;
    const stored = this.#deps.state.get(sinceName(connection));
    return typeof stored === 'number' && Number.isFinite(stored) ? stored : undefined;
  }

  async #writeSince(connection: Connection, sinceMs: number): Promise<void> {
    if (connection.name === sampleName) this.#sampleSinceMs = sinceMs;
    else await this.#deps.state.update(sinceName(connection), sinceMs);
  }

  #listsOf({ reader }: Watched): AttentionLists {
    return reader.lists(this.#deps.settings().overdueMinutes);
  }

  #adopt({ reader }: Watched): boolean {
    const { current } = this.#deps;
    return current !== undefined && reader.adopt(current);
  }

  #build(watched: Watched): Promise<void> {
    const build = async (): Promise<void> => {
      try {
        await this.#buildNow(watched);
      } catch (error) {
        this.#deps.log.error(`attention: ${describeError(error)}`);
      }
    };
    this.#building = this.#building.then(build);
    return this.#building;
  }

  async #buildNow(watched: Watched): Promise<void> {
    const { submissions, partlyFailed, log } = this.#deps;
    const [marks, sent] = await Promise.all([
      this.#readMarks(watched),
      submissions(watched.connection).catch((error: unknown) => {
        log.warn(`attention: ${describeError(error)}`);
        return [];
      }),
    ]);
    if (this.#watched !== watched) return;
    this.#adopt(watched);
    this.#marks = marks;
    const steps = buildInSteps({
      ...this.#listsOf(watched),
      marks,
      partlyFailed: partlyFailed(),
      unknown: sent.filter(({ outcome }) => outcome.type === 'unknown' && outcome.lookedAtMs === undefined),
      failure: watched.failure,
    });
    const slices = new WorkSlices();
    let step = steps.next();
    while (step.done !== true) {
      await slices.rest();
      step = steps.next();
    }
    if (this.#watched !== watched) return;
    const attention = step.value;
    this.#latest = attention;
    this.#show(needsAttention(attention) ? attention : undefined);
  }

  #show(attention: Attention | undefined): void {
    if (attention === undefined && this.#attention === undefined) return;
    this.#attention = attention;
    this.#changed.fire();
  }

  /** Once per connection and workspace, until there are none. */
  async #reportOverdue({ connection }: Watched): Promise<void> {
    const { state } = this.#deps;
    const name = `overdueTold/${connection.name}`;
    const isReported = state.get(name) === true;
    if (this.#latest === undefined) return;
    const { count, isExact } = this.#latest.amounts.overdue;
    if (count > 0 && !isReported) {
      await state.update(name, true);
      this.#overdue.fire(this.#latest);
    }
    if (isReported && count === 0 && isExact) await state.update(name, undefined);
  }

  #stop(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#watched?.abort.abort();
  }
}

/** Where it is stored from when on the failures of a connection are new. */
export function sinceName({ name, baseUrl }: Pick<Connection, 'name' | 'baseUrl'>): string {
  return `failuresSince/${originOf(baseUrl)}/${name}`;
}
