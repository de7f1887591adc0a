import type { Disposable } from '../../../src/base/disposable.ts';
import type { Clock } from '../../../src/base/clock.ts';

/** A clock that only advances on request. */
export class FakeClock implements Clock {
  /** The time for timers. */
  #nowMs: number;
  #setByMs = 0;
  readonly #timers = new Set<{ readonly atMs: number; readonly callback: () => void }>();

  constructor(nowMs = Date.UTC(2026, 10, 20, 12)) {
    this.#nowMs = nowMs;
  }

  now(): number {
    return this.#nowMs + this.#setByMs;
  }

  /** Changes the time, as a user or a sleeping computer does: timers do not notice it. */
  set(byMs: number): void {
    this.#setByMs += byMs;
  }

  /** Time that has passed for timers, in milliseconds. Comparable with itself only. */
  get passedMs(): number {
    return this.#nowMs;
  }

  after(delayMs: number, callback: () => void): Disposable {
    const timer = { atMs: this.#nowMs + delayMs, callback };
    this.#timers.add(timer);
    return { dispose: () => this.#timers.delete(timer) };
  }

  /** The number of waiting timers. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Advances to the next timer, if there is one, and runs its callback. */
  async advanceToNext(): Promise<void> {
    await this.#runNext(Infinity);
  }

  /** Advances by `ms`, running due callbacks in order and letting promises settle after each. */
  async advance(ms: number): Promise<void> {
    const end = this.#nowMs + ms;
    while (await this.#runNext(end));
    this.#nowMs = end;
    await settled();
  }

  /** Runs the callback that is due next, if that is not after `endMs`. */
  async #runNext(endMs: number): Promise<boolean> {
    const due = [...this.#timers].filter(({ atMs }) => atMs <= endMs).toSorted((a, b) => a.atMs - b.atMs)[0];
    if (due === undefined) return false;
    this.#timers.delete(due);
    this.#nowMs = Math.max(this.#nowMs, due.atMs);
    due.callback();
    await settled();
    return true;
  }
}

/** Lets the callbacks of settled promises run. */
async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
