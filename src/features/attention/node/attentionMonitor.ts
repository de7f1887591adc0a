import { isDeepStrictEqual } from 'node:util';
import { minuteMs } from '../../../base/time.ts';
import { areExact, buildInSteps, needsAttention, type Attention, type AttentionLists } from '../common/attention.ts';
import {
  firstLookMs,
  isHandled,
  maxMutes,
  newSinceMs,
  nothingHandled,
  type HandledMarks,
  type MarkedJob,
  type Mute,
} from '../common/handledMarks.ts';
import { needsSearch } from '../../submit/common/matchConfidence.ts';
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

/** Maximum time between two full readings of all lists. */
const wholeEveryMs = 10 * minuteMs;

/** Minimum time until muted failures are shown again, in case the clocks of the service and this machine move apart. */
const minUnmuteMs = 1000;

/** Presses of Refresh within this time count as one. */
const refreshPauseMs = 500;

/** Settings of the monitor; read again for each reading. */
export interface AttentionSettings {
  /** 0 disables automatic reading. */
  readonly intervalMs: number;
  /** 0 means measured. */
  readonly overdueMinutes: number;
}

/** Dependencies of {@link AttentionMonitor}. */
export interface AttentionDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: () => AttentionSettings;
  readonly handled: Pick<HandledStore, 'read' | 'mark' | 'mute' | 'undo'>;
  /** Stores which reports were shown, for the next session. */
  readonly state: StateStore;
  /** Loaded jobs that are done although a part of their result failed. */
  readonly partlyFailed: () => readonly Job[];
  /** Newest submissions of a connection. Never sends a request to the service. */
  readonly submissions: (connection: Connection) => Promise<readonly Submission[]>;
  readonly observing?: Observing;
  /** Returns a job as last observed by any request; undefined if it is not loaded. Defaults to none. */
  readonly current?: (kind: string, id: string) => Job | undefined;
}

/** A connection and its lists. */
export interface WatchedService {
  readonly connection: Connection;
  readonly source: ListReader;
}

/** Watched service with the state of its reading. */
interface Watched extends WatchedService {
  readonly reader: AttentionReader;
  readonly abort: AbortController;
  failure: Attention['failure'];
  /** Time since which failures are new once others are handled, as of the last full reading; undefined means unchanged. */
  settledMs: number | undefined;
}

/**
 * Reads what needs attention while the view is visible and the window has the focus: all lists in full when the view opens, on Refresh and
 * every ten minutes; otherwise their first pages, at the interval of automatic refresh. One reading at a time, one timer, none while the
 * view is not watched.
 */
export class AttentionMonitor extends DisposableOwner {
  readonly #deps: AttentionDeps;
  readonly #changed: Emitter<void>;
  readonly #handled: Emitter<void>;
  readonly #overdue: Emitter<Attention>;
  #watched: Watched | undefined;
  #attention: Attention | undefined;
  /** Last result, even if nothing needs attention. */
  #latest: Attention | undefined;
  #marks = nothingHandled;
  /** Time since which failures of the sample are new: its jobs differ in each session. */
  #sampleSinceMs: number | undefined;
  #reading: { readonly isWhole: boolean; readonly done: Promise<void> } | undefined;
  /** Builds run one after another, so that none shows outdated marks. */
  #building: Promise<void> = Promise.resolve();
  #timer: Disposable | undefined;
  #unmuting: Disposable | undefined;
  #visible = false;
  #focused = false;
  #returned = false;
  /** True if there was no full reading since the view was opened. */
  #opened = false;
  /** Time when the last reading ended. */
  #lastMs = -Infinity;
  #lastWasWhole = false;
  /** Time when the last reading of everything ended. */
  #wholeMs = -Infinity;
  #failures = 0;

  constructor(deps: AttentionDeps) {
    super();
    this.#deps = deps;
    const listenerFailed = (error: unknown): void => deps.log.error(`attention: ${describeError(error)}`);
    this.#changed = this.own(new Emitter(listenerFailed));
    this.#handled = this.own(new Emitter(listenerFailed));
    this.#overdue = this.own(new Emitter(listenerFailed));
    this.own({ dispose: () => this.#stop() });
  }

  get onDidChange(): Emitter<void>['event'] {
    return this.#changed.event;
  }

  /** Fires when other failures are marked as handled. */
  get onDidChangeHandled(): Emitter<void>['event'] {
    return this.#handled.event;
  }

  /** Fires when there are overdue jobs for the first time since there were none. */
  get onDidBecomeOverdue(): Emitter<Attention>['event'] {
    return this.#overdue.event;
  }

  /** Needs attention; undefined if nothing is known to need attention. */
  get attention(): Attention | undefined {
    return this.#attention;
  }

  /** Last result, also if nothing needs attention; undefined before the first one. */
  get latest(): Attention | undefined {
    return this.#latest;
  }

  /** Returns a job that needs attention, as last read. */
  job(kind: string, id: string): Job | undefined {
    const wanted = jobKey({ kind, id });
    const isWanted = (job: Job): boolean => jobKey(job) === wanted;
    const { overdue = [], groups = [], partlyFailed = [] } = this.#attention ?? {};
    return [...overdue, ...groups.flatMap(({ jobs }) => jobs), ...partlyFailed].find(isWanted);
  }

  /** True if the failure of a job was marked as handled, as last read. */
  isHandled(job: MarkedJob): boolean {
    return isHandled(job, this.#marks);
  }

  /** Switches to another service, or to none. Discards everything read before. */
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

  /** Reschedules the next reading, for example after a change of settings. */
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
      void this.#start(this.#opened || this.#sinceMs(this.#wholeMs) >= wholeEveryMs);
    });
  }

  /** Returns the distance to a time of this monitor, which is in the future if the clock was set back. */
  #sinceMs(ms: number): number {
    return Math.abs(this.#deps.clock.now() - ms);
  }

  /** Reads everything. Joins a full reading that is running or has just ended. Never throws. */
  refresh(): Promise<void> {
    const isRecent = this.#lastWasWhole && this.#sinceMs(this.#lastMs) < refreshPauseMs;
    return this.#reading === undefined && isRecent ? Promise.resolve() : this.#start(true);
  }

  /** Reads everything and returns it. @throws Failure if there is no service, or reading failed */
  async read(): Promise<Attention> {
    await this.refresh();
    if (this.#watched === undefined || this.#latest === undefined) throw new Failure('noConnection');
    if (this.#latest.failure !== undefined) throw this.#latest.failure.failure;
    return this.#latest;
  }

  /** Reads again soon if the last reading failed, because the service has answered another request. */
  noteAnswer(): void {
    if (this.#watched?.failure === undefined || this.#reading !== undefined) return;
    this.#returned = true;
    this.replan();
  }

  /** Takes over newer states of the jobs from the lists, without a request. */
  noteObserved(): void {
    if (this.#watched !== undefined && this.#adopt(this.#watched)) void this.lookAgain();
  }

  /** Rebuilds the result from marks and journal, without a request. Never throws. */
  async lookAgain(): Promise<void> {
    if (this.#watched !== undefined) await this.#build(this.#watched);
  }

  /**
   * Marks failures as handled, on this machine, for all windows.
   * @param act ID of the action, for {@link undoHandled}
   * @throws NodeJS.ErrnoException if the marks cannot be written
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
   * Hides groups of failures, on this machine, for all windows.
   * @param forMs undefined: until it stops
   * @param act ID of the action, for {@link undoHandled}
   * @throws NodeJS.ErrnoException if it cannot be written
   */
  async mute(groups: readonly string[], forMs: number | undefined, act: string): Promise<void> {
    const watched = this.#watched;
    if (watched === undefined || groups.length === 0) return;
    const fromMs = watched.reader.now();
    const untilMs = forMs === undefined ? undefined : fromMs + forMs;
    const mutes = groups.slice(0, maxMutes).map((group): Mute => ({ group, fromMs, untilMs }));
    await this.#deps.handled.mute(watched.connection, mutes, act);
    await this.#build(watched);
  }

  /** Returns the marks of all windows and the failures that can be read; undefined without a service. */
  async readMarked() {
    const watched = this.#watched;
    if (watched === undefined) return undefined;
    const marks = await this.#deps.handled.read(watched.connection);
    const { jobs, atMs } = this.#listsOf(watched);
    return { marks, failed: jobs.filter(({ status }) => status === 'error'), atMs };
  }

  /**
   * Undoes an action, or the last one of any window.
   * @returns false if there is nothing to undo
   * @throws NodeJS.ErrnoException if it cannot be written
   */
  async undoHandled(act?: string): Promise<boolean> {
    const watched = this.#watched;
    if (watched === undefined) return false;
    const { handled } = this.#deps;
    const marks = await handled.read(watched.connection);
    const undone = act ?? marks.acts.at(-1)?.act;
    if (undone === undefined || marks.undone.has(undone)) return false;
    await handled.undo(watched.connection, undone);
    await this.#build(watched);
    return true;
  }

  /** See `settledMs`: an unhandled failure stays new, regardless of its age. */
  #settledMs(watched: Watched): number | undefined {
    const { failed: readings, jobs, atMs } = this.#listsOf(watched);
    // Failures that were not read may be older.
    if (!areExact(readings)) return undefined;
    const { clock, partlyFailed } = this.#deps;
    const failed = [...jobs.filter(({ status }) => status === 'error'), ...partlyFailed()];
    // A response with a date far in the future must not hide the failures until then.
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
    // By the service's clock, as read from its responses.
    if (failure === undefined && this.#marks.sinceMs === undefined)
      await this.#writeSince(watched.connection, Math.min(watched.reader.now(), clock.now()) - firstLookMs);
    if (this.#watched === watched) await this.#reportOverdue(watched);
  }

  /** Returns the marks, and the time since which failures are new: a day before the first reading, until others are handled. */
  async #readMarks({ connection }: Watched): Promise<HandledMarks> {
    const marks = await this.#deps.handled.read(connection);
    return { ...marks, sinceMs: marks.sinceMs ?? this.#firstSinceMs(connection) };
  }

  /** Returns the time one day before the first reading; undefined if there was none. */
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
    const isChanged = !isDeepStrictEqual(marks.jobs, this.#marks.jobs);
    this.#marks = marks;
    if (isChanged) this.#handled.fire();
    const steps = buildInSteps({
      ...this.#listsOf(watched),
      marks,
      partlyFailed: partlyFailed(),
      unknown: sent.filter(needsSearch),
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
    this.#rebuildAfterMutes(attention);
    this.#show(needsAttention(attention) ? attention : undefined);
  }

  /** Shows muted failures again when their time is over, without a request. */
  #rebuildAfterMutes({ muted, atMs }: Attention): void {
    this.#unmuting?.dispose();
    this.#unmuting = undefined;
    if (this.isDisposed || muted.length === 0) return;
    const endMs = muted.reduce((first, { untilMs }) => Math.min(first, untilMs), Infinity);
    this.#unmuting = this.#deps.clock.after(Math.max(minUnmuteMs, endMs - atMs), () => void this.lookAgain());
  }

  #show(attention: Attention | undefined): void {
    if (attention === undefined && this.#attention === undefined) return;
    this.#attention = attention;
    this.#changed.fire();
  }

  /** Reports once per connection and workspace, until there are no overdue jobs any more. */
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
    this.#unmuting?.dispose();
    this.#unmuting = undefined;
    this.#watched?.abort.abort();
  }
}

/** Returns the key of the stored time since which the failures of a connection are new. */
export function sinceName({ name, baseUrl }: Pick<Connection, 'name' | 'baseUrl'>): string {
  return `failuresSince/${originOf(baseUrl)}/${name}`;
}
