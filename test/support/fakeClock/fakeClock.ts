import type { Disposable } from '../../../src/base/disposable.ts';
import type { Clock } from '../../../src/base/clock.ts';

/** A clock that only advances on request. */
export class FakeClock implements Clock {
  #nowMs: number;
  readonly #timers = new Set<{ readonly atMs: number; readonly callback: () => void }>();

  constructor(nowMs = Date.UTC(2026, 10, 20, 12)) {
    this.#nowMs = nowMs;
  }

  now(): number {
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

  /** Advances by `ms`, running due callbacks in order and letting promises settle after each. */
  async advance(ms: number): Promise<void> {
    const end = this.#nowMs + ms;
    for (;;) {
      const due = [...this.#timers].filter(({ atMs }) => atMs <= end).toSorted((a, b) => a.atMs - b.atMs)[0];
      if (due === undefined) break;
      this.#timers.delete(due);
      this.#nowMs = Math.max(this.#nowMs, due.atMs);
      due.callback();
      await settled();
    }
    this.#nowMs = end;
    await settled();
  }
}

/** Lets the callbacks of settled promises run. */
async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
