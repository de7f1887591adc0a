import { minuteMs } from '../../../base/time.ts';
import type { JobStore } from './jobStore.ts';
import type { ListFailure } from './listState.ts';
import { Emitter } from '../../../base/emitter.ts';
import { DisposableOwner, type Disposable } from '../../../base/disposable.ts';
import type { Clock } from '../../../base/clock.ts';

/** The part of the store that polling needs. */
export type PolledStore = Pick<JobStore, 'poll' | 'mayChange' | 'kinds' | 'lists' | 'onDidChange'>;

/**
 * Polls loaded jobs while the view is visible and focused, and some jobs can still change or some lists could not be
 * read. Uses at most one timer, and none otherwise.
 */
export class JobPoller extends DisposableOwner {
  readonly #planned = this.own(new Emitter<void>());
  /** Fires when {@link nextMs} changes. */
  readonly onDidPlan = this.#planned.event;
  readonly #store: PolledStore;
  readonly #clock: Clock;
  readonly #intervalMs: () => number;
  #timer: Disposable | undefined;
  #nextMs: number | undefined;
  #polling = false;
  #visible = false;
  #focused = false;
  #mayChange = false;
  #returned = false;
  #failures = 0;
  #lastMs: number;
  #touchedMs = -Infinity;

  /** @param intervalMs milliseconds between polls, 0 for none; read again for each plan. */
  constructor(store: PolledStore, clock: Clock, intervalMs: () => number) {
    super();
    this.#store = store;
    this.#clock = clock;
    this.#intervalMs = intervalMs;
    this.#lastMs = clock.now();
    this.own({ dispose: () => this.#timer?.dispose() });
    this.own(
      store.onDidChange(({ type }) => {
        if (type === 'reset') this.#failures = 0;
        this.replan();
      }),
    );
  }

  /** Time of the next poll, in milliseconds since the epoch; undefined if none is planned. */
  get nextMs(): number | undefined {
    return this.#nextMs;
  }

  /** Sets whether the view is visible and the window has the focus. */
  setWatched(visible: boolean, focused: boolean): void {
    const wasWatched = this.#visible && this.#focused;
    this.#visible = visible;
    this.#focused = focused;
    // A user who returns to jobs that may have changed should not wait for the interval.
    this.#returned = visible && focused && (this.#returned || (!wasWatched && this.#mayChange));
    this.replan();
  }

  /**
   * Records that the user points at a row, or selects, opens or closes one. The next poll waits, because it could move
   * the row under the pointer.
   */
  touch(): void {
    this.#touchedMs = this.#clock.now();
    this.replan();
  }

  /** Plans the next poll again, for example after a change of settings. */
  replan(): void {
    const plannedMs = this.#nextMs;
    this.#plan();
    if (this.#nextMs !== plannedMs) this.#planned.fire();
  }

  #plan(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#nextMs = undefined;
    const { mayChange } = this.#store;
    // Jobs that were just loaded are up to date.
    if (mayChange && !this.#mayChange) this.#lastMs = this.#clock.now();
    this.#mayChange = mayChange;
    if (this.#polling || this.isDisposed) return;
    // Settings and failures are slow to read, and a hidden view is not polled.
    if (!this.#visible || !this.#focused || !mayChange) return;
    const delayMs = pollDelayMs({
      intervalMs: this.#intervalMs(),
      visible: this.#visible,
      focused: this.#focused,
      unfinished: mayChange,
      nowMs: this.#clock.now(),
      lastMs: this.#lastMs,
      failures: this.#failures,
      retryAtMs: this.#retryAtMs(),
      returned: this.#returned,
      touchedMs: this.#touchedMs,
    });
    // The store never throws, so neither does a poll.
    if (delayMs === undefined) return;
    this.#nextMs = this.#clock.now() + delayMs;
    this.#timer = this.#clock.after(delayMs, () => void this.#poll());
  }

  async #poll(): Promise<void> {
    const startedMs = this.#clock.now();
    this.#polling = true;
    this.#returned = false;
    await this.#store.poll();
    this.#polling = false;
    const failed = this.#listFailures().some(({ atMs }) => atMs >= startedMs);
    this.#failures = failed ? this.#failures + 1 : 0;
    this.#lastMs = this.#clock.now();
    this.replan();
  }

  #retryAtMs(): number | undefined {
    const times = this.#listFailures().flatMap(({ failure }) => failure.facts.retryAtMs ?? []);
    return times.length === 0 ? undefined : Math.max(...times);
  }

  #listFailures(): readonly ListFailure[] {
    return this.#store
      .kinds()
      .flatMap((kind) => this.#store.lists(kind))
      .flatMap(({ failure }) => failure ?? []);
  }
}

/** Input for the decision when to poll. */
export interface PollState {
  /** 0 means that polling is off. */
  readonly intervalMs: number;
  /** The view is visible. */
  readonly visible: boolean;
  /** The window has the focus. */
  readonly focused: boolean;
  /** A job that can still change is loaded, or a list could not be read. */
  readonly unfinished: boolean;
  readonly nowMs: number;
  /** Time when the last poll ended; before the first poll, when the first unfinished job was loaded or a list failed. */
  readonly lastMs: number;
  /** Consecutive failed polls. */
  readonly failures: number;
  /** The service accepts no request before this time. */
  readonly retryAtMs: number | undefined;
  /** The user has returned to the view or the window since the last poll. */
  readonly returned: boolean;
  /** Time of the user's last action in the list. */
  readonly touchedMs?: number;
}

/** Maximum pause after failures, unless the interval is longer. */
const maxPauseMs = 5 * minuteMs;
/** Minimum pause, so that switching between windows does not poll more often than the shortest interval. */
const shortestPauseMs = 5_000;

/** The user has left the list after this time without an action. */
const handMs = 5_000;
/** Maximum delay of a poll because of user actions. */
const maxHoldMs = minuteMs;

/** True if a poll's result would be visible. */
function isWatched({ intervalMs, visible, focused, unfinished }: PollState): boolean {
  return intervalMs > 0 && visible && focused && unfinished;
}

/** Returns the milliseconds to wait before the next poll; undefined if there is nothing to poll. */
export function pollDelayMs(state: PollState): number | undefined {
  if (!isWatched(state)) return undefined;
  const { intervalMs, nowMs, lastMs, failures, retryAtMs = 0, returned, touchedMs = -Infinity } = state;
  const pauseMs = returned ? shortestPauseMs : Math.max(intervalMs, Math.min(intervalMs * 2 ** failures, maxPauseMs));
  // Once the clock was set back, no earlier time means anything.
  if (nowMs < lastMs) return pauseMs;
  const dueMs = lastMs + pauseMs;
  const heldUntilMs = Math.min(touchedMs + handMs, dueMs + maxHoldMs);
  return Math.max(0, dueMs - nowMs, heldUntilMs - nowMs, retryAtMs - nowMs);
}
