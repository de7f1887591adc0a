import { buildAttention, needsAttention, type Attention, type KindReading } from '../../domain/attention/attention.ts';
import {
  failuresSinceMs,
  firstLookMs,
  nothingHandled,
  unhandled,
  type HandledMarks,
  type MarkedJob,
} from '../../domain/attention/handledMarks.ts';
import { overdueLimit, type OverdueLimit } from '../../domain/attention/overdue.ts';
import { Failure, describeError, isFailure } from '../../domain/failure.ts';
import { jobKey, jobKinds, type Job, type JobKind } from '../../domain/jobs/job.ts';
import type { Submission } from '../../domain/submission/submission.ts';
import type { Clock } from '../clock.ts';
import { DisposableOwner, type Disposable } from '../disposable.ts';
import { Emitter } from '../emitter.ts';
import type { ListReader } from '../list/listReader.ts';
import type { Connection, Log, StateStore } from '../ports.ts';
import { pollDelayMs } from '../store/jobPoller.ts';
import { AttentionReader, type AttentionQuery } from './attentionReader.ts';
import type { HandledStore } from './handledStore.ts';
import { KeptLimits } from './keptLimits.ts';

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
  /** Keeps what was measured and told, for the next session. */
  readonly state: StateStore;
  /** The loaded jobs that are done, although a part of their result failed. */
  readonly partlyFailed: () => readonly Job[];
  /** The newest submissions of a connection. Never asks the service. */
  readonly submissions: (connection: Connection) => Promise<readonly Submission[]>;
  /** Begins a request whose jobs are to be known elsewhere, too; the returned function ends it with those that it brought. By default nobody is told. */
  readonly observing?: () => (jobs: readonly Job[]) => void;
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
  readonly readings: Map<JobKind, KindReading>;
  failure: Attention['failure'];
}

/**
 * Reads what needs attention while the view is visible and the window has the focus, as often as lists are refreshed: two requests a kind
 * each time, two more once a day to measure how long jobs take, and what jobs that fail late need. One reading at a time, one timer, none
 * while nobody looks.
 */
export class AttentionMonitor extends DisposableOwner {
  readonly #deps: AttentionDeps;
  readonly #limits: KeptLimits;
  readonly #changed: Emitter<void>;
  readonly #overdue: Emitter<Attention>;
  #watched: Watched | undefined;
  #attention: Attention | undefined;
  /** As last put together, also when nothing needs attention. */
  #latest: Attention | undefined;
  #marks = nothingHandled;
  #reading: Promise<void> | undefined;
  #timer: Disposable | undefined;
  #visible = false;
  #focused = false;
  #returned = false;
  /** Undefined until the service was asked. */
  #lastMs: number | undefined;
  #failures = 0;

  constructor(deps: AttentionDeps) {
    super();
    this.#deps = deps;
    this.#limits = new KeptLimits(deps.state, deps.clock);
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
    this.#watched = service && {
      ...service,
      reader: new AttentionReader(observed(service.source, this.#deps.observing), this.#deps.clock),
      abort: new AbortController(),
      readings: new Map(),
      failure: undefined,
    };
    this.#marks = nothingHandled;
    this.#lastMs = undefined;
    this.#failures = 0;
    this.#reading = undefined;
    this.#latest = undefined;
    this.#show(undefined);
    this.replan();
  }

  /** Sets whether the view is visible and the window has the focus. */
  setWatched(visible: boolean, focused: boolean): void {
    const wasWatched = this.#visible && this.#focused;
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
    const delayMs = pollDelayMs({
      intervalMs: this.#deps.settings().intervalMs,
      visible: this.#visible,
      focused: this.#focused,
      unfinished: true,
      nowMs: this.#deps.clock.now(),
      lastMs: this.#lastMs ?? -Infinity,
      failures: this.#failures,
      retryAtMs: this.#watched.failure?.failure.facts.retryAtMs,
      returned: this.#returned,
    });
    if (delayMs !== undefined) this.#timer = this.#deps.clock.after(delayMs, () => void this.refresh());
  }

  /** Reads anew; joins the reading that is under way, or that ended just now. Never throws. */
  refresh(): Promise<void> {
    const watched = this.#watched;
    if (watched === undefined) return Promise.resolve();
    if (this.#reading === undefined && this.#deps.clock.now() - (this.#lastMs ?? -Infinity) < refreshPauseMs) {
      return Promise.resolve();
    }
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#returned = false;
    this.#reading ??= this.#read(watched).finally(() => {
      if (this.#watched !== watched) return;
      this.#reading = undefined;
      this.replan();
    });
    return this.#reading;
  }

  /** Reads anew and returns what was read. @throws Failure when there is no service, or it could not be asked */
  async read(): Promise<Attention> {
    await this.refresh();
    if (this.#watched === undefined || this.#latest === undefined) throw new Failure('noConnection');
    if (this.#latest.failure !== undefined) throw this.#latest.failure.failure;
    return this.#latest;
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
    const { handled } = this.#deps;
    const { connection } = watched;
    await handled.mark(connection, failed, this.#sinceAfter(watched, failed), act);
    await this.#build(watched);
    if (this.#latest?.mayHaveUnread === true) await this.#lookBelow(watched);
  }

  /**
   * Takes back what was marked by an act, or last in any window, and reads anew.
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
    // What was handled was not kept.
    watched.reader.forgetOlder();
    await this.#build(watched);
    await this.#reading;
    this.#lastMs = undefined;
    await this.refresh();
    return true;
  }

  /** Looks for older failures right away. Never throws: the next reading tells what is wrong. */
  async #lookBelow(watched: Watched): Promise<void> {
    const { reader, readings } = watched;
    await Promise.allSettled(
      [...readings.values()].map(async (reading) => {
        const failed = await reader.readBelow(this.#queryOf(watched, reading.kind, reading.limit), reading.failed);
        readings.set(reading.kind, { ...reading, failed });
      }),
    );
    if (this.#watched === watched) await this.#build(watched);
  }

  /** From when on failures are new once these are handled. Undefined: as before. */
  #sinceAfter({ readings, reader, failure }: Watched, failed: readonly MarkedJob[]): number | undefined {
    const nowMs = this.#attention?.atMs ?? reader.now();
    const marked = new Set(failed.map(jobKey));
    const known = [...readings.values()].map((each) => each.failed);
    const isAll =
      failure === undefined &&
      known.every((each) => each.type === 'known' && !each.hasMore && each.late !== 'lookedFor') &&
      known
        .flatMap((each) => (each.type === 'known' ? unhandled(each.jobs, this.#marks, nowMs) : []))
        .every((job) => marked.has(jobKey(job)));
    // What is not handled with these marks stays new, however long it takes.
    return isAll ? Math.max(this.#marks.sinceMs ?? -Infinity, nowMs - firstLookMs) : undefined;
  }

  async #read(watched: Watched): Promise<void> {
    const { clock, log } = this.#deps;
    const startedMs = clock.now();
    this.#marks = await this.#readMarks(watched);
    const results = await Promise.allSettled(jobKinds.map((kind) => this.#readKind(watched, kind)));
    if (this.#watched !== watched || watched.abort.signal.aborted) return;
    let failure: Failure | undefined;
    for (const result of results) {
      if (result.status === 'fulfilled') {
        watched.readings.set(result.value.kind, result.value);
        continue;
      }
      const error: unknown = result.reason;
      // The service has no list of that kind.
      if (isFailure(error, 'notFound')) continue;
      if (!isFailure(error)) log.error(`attention: ${describeError(error)}`);
      failure = isFailure(error) ? error : new Failure('unexpectedShape');
    }
    watched.failure = failure && { failure, sinceMs: watched.failure?.sinceMs ?? startedMs };
    this.#failures = failure === undefined ? 0 : this.#failures + 1;
    // By the service's clock, which the answers have told.
    if (failure === undefined && this.#marks.sinceMs === undefined)
      await this.#limits.writeSince(watched.connection, watched.reader.now() - firstLookMs);
    this.#lastMs = clock.now();
    await this.#build(watched);
    await this.#tellOverdue(watched);
  }

  async #readKind(watched: Watched, kind: JobKind): Promise<KindReading> {
    const { connection, reader, abort } = watched;
    const { overdueMinutes } = this.#deps.settings();
    const measured =
      this.#limits.read(connection, kind) ?? (await this.#measure(connection, reader, kind, abort.signal));
    // What the service obeys counts whoever sets the time.
    const { ignoresBefore = false, obeysStatuses = false } = measured;
    const limit = overdueMinutes > 0 ? { ...overdueLimit([], overdueMinutes), ignoresBefore, obeysStatuses } : measured;
    return reader.read(this.#queryOf(watched, kind, limit));
  }

  #queryOf({ connection, abort }: Watched, kind: JobKind, limit: OverdueLimit): AttentionQuery {
    return {
      kind,
      listSource: connection.listSource,
      limit,
      sinceMs: (nowMs) => failuresSinceMs(this.#marks, nowMs),
      unhandled: (failed, nowMs) => unhandled(failed, this.#marks, nowMs),
      signal: abort.signal,
    };
  }

  /** The marks, and from when on failures are new: from a day before the first look on, until all are handled. */
  async #readMarks({ connection }: Watched): Promise<HandledMarks> {
    const marks = await this.#deps.handled.read(connection);
    return { ...marks, sinceMs: marks.sinceMs ?? this.#limits.readSince(connection) };
  }

  async #measure(
    connection: Connection,
    reader: AttentionReader,
    kind: JobKind,
    signal: AbortSignal,
  ): Promise<OverdueLimit> {
    const limit = await reader.measure({ kind, listSource: connection.listSource, signal });
    await this.#limits.write(connection, kind, limit);
    return limit;
  }

  async #build(watched: Watched): Promise<void> {
    const { submissions, partlyFailed, log } = this.#deps;
    const [marks, sent] = await Promise.all([
      this.#readMarks(watched),
      submissions(watched.connection).catch((error: unknown) => {
        log.warn(`attention: ${describeError(error)}`);
        return [];
      }),
    ]);
    if (this.#watched !== watched) return;
    this.#marks = marks;
    const unknown = sent.filter(({ outcome }) => outcome.type === 'unknown' && outcome.lookedAtMs === undefined);
    const kinds = jobKinds.flatMap((kind) => watched.readings.get(kind) ?? []);
    const { failure, reader } = watched;
    const atMs = reader.now();
    const attention = buildAttention({ kinds, marks, partlyFailed: partlyFailed(), unknown, atMs, failure });
    this.#latest = attention;
    this.#show(needsAttention(attention) ? attention : undefined);
  }

  #show(attention: Attention | undefined): void {
    if (attention === undefined && this.#attention === undefined) return;
    this.#attention = attention;
    this.#changed.fire();
  }

  /** Once per connection and workspace, until there are none. */
  async #tellOverdue({ connection, failure, readings }: Watched): Promise<void> {
    const { state } = this.#deps;
    const name = `overdueTold/${connection.name}`;
    const isTold = state.get(name) === true;
    const count = this.#attention?.amounts.overdue?.count ?? 0;
    if (count > 0 && !isTold && this.#attention !== undefined) {
      await state.update(name, true);
      this.#overdue.fire(this.#attention);
    }
    const isZero = [...readings.values()].every(({ overdue }) => overdue.type === 'known' && overdue.jobs.length === 0);
    if (isTold && count === 0 && failure === undefined && isZero) await state.update(name, undefined);
  }

  #stop(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#watched?.abort.abort();
  }
}

/** A source that tells of the jobs that it brings: what is read here must not be newer than what lists and pages show. */
function observed(source: ListReader, observing: AttentionDeps['observing']): ListReader {
  if (observing === undefined) return source;
  return source.with({
    observe: () => {
      const observe = observing();
      return (page) => observe(page?.entries.filter((entry) => entry.type === 'job') ?? []);
    },
  });
}
