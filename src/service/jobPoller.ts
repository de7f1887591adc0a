import { pollDelayMs } from '../domain/pollPlan.ts';
import type { JobStore } from './jobStore.ts';
import type { ListFailure } from './listState.ts';
import type { Clock, Disposable } from './ports.ts';

/** The part of the store that polling needs. */
export type PolledStore = Pick<JobStore, 'poll' | 'hasUnfinished' | 'kinds' | 'lists' | 'onDidChange'>;

/** The settings of auto refresh; read anew at each plan. */
export interface PollSettings {
  readonly enabled: boolean;
  readonly intervalMs: number;
}

/** Keeps loaded jobs up to date while somebody looks at them. One timer at most, and none while nobody does. */
export class JobPoller implements Disposable {
  readonly #store: PolledStore;
  readonly #clock: Clock;
  readonly #settings: () => PollSettings;
  readonly #listening: Disposable;
  #timer: Disposable | undefined;
  #polling = false;
  #disposed = false;
  #visible = false;
  #focused = false;
  #unfinished = false;
  #returned = false;
  #failures = 0;
  #lastMs: number;

  constructor(store: PolledStore, clock: Clock, settings: () => PollSettings) {
    this.#store = store;
    this.#clock = clock;
    this.#settings = settings;
    this.#lastMs = clock.now();
    this.#listening = store.onDidChange(({ type }) => {
      if (type === 'reset') this.#failures = 0;
      this.replan();
    });
  }

  /** Tells whether the view can be seen and the window has the focus. */
  setWatched(visible: boolean, focused: boolean): void {
    const wasWatched = this.#visible && this.#focused;
    this.#visible = visible;
    this.#focused = focused;
    // Whoever comes back to jobs that can have changed shall not wait for the interval.
    this.#returned = visible && focused && (this.#returned || (!wasWatched && this.#unfinished));
    this.replan();
  }

  /** Plans the next poll anew, as after a change of settings. */
  replan(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    const { hasUnfinished } = this.#store;
    // What was just loaded is up to date.
    if (hasUnfinished && !this.#unfinished) this.#lastMs = this.#clock.now();
    this.#unfinished = hasUnfinished;
    if (this.#polling || this.#disposed) return;
    const delayMs = pollDelayMs({
      ...this.#settings(),
      visible: this.#visible,
      focused: this.#focused,
      unfinished: hasUnfinished,
      nowMs: this.#clock.now(),
      lastMs: this.#lastMs,
      failures: this.#failures,
      retryAtMs: this.#retryAtMs(),
      returned: this.#returned,
    });
    // The store never throws, so neither does a poll.
    if (delayMs !== undefined) this.#timer = this.#clock.after(delayMs, () => void this.#poll());
  }

  dispose(): void {
    this.#disposed = true;
    this.#timer?.dispose();
    this.#listening.dispose();
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
