import type { Disposable } from '../../base/disposable.ts';
import type { Clock } from '../../base/clock.ts';

/** Quiet time before delivery, and the max delay, in milliseconds. */
const quietMs = 5000;
const longestMs = 30_000;

/** Collects values that arrive close together and delivers them at once. */
export class Debouncer<T> implements Disposable {
  readonly #clock: Clock;
  readonly #report: (gathered: readonly T[]) => void;
  #held: readonly T[] = [];
  #sinceMs = 0;
  #timer: Disposable | undefined;

  constructor(clock: Clock, report: (gathered: readonly T[]) => void) {
    this.#clock = clock;
    this.#report = report;
  }

  get held(): readonly T[] {
    return this.#held;
  }

  /** @param isLast no more values can come: deliver at once. */
  add(things: readonly T[], isLast: boolean): void {
    const nowMs = this.#clock.now();
    if (this.#held.length === 0) this.#sinceMs = nowMs;
    if (things.length > 0) {
      this.#held = [...this.#held, ...things];
      this.#timer?.dispose();
      const leftMs = this.#sinceMs + longestMs - nowMs;
      this.#timer = this.#clock.after(Math.max(0, Math.min(quietMs, leftMs)), () => this.#release());
    }
    if (isLast) this.#release();
  }

  dispose(): void {
    this.#timer?.dispose();
  }

  #release(): void {
    this.#timer?.dispose();
    if (this.#held.length === 0) return;
    const gathered = this.#held;
    this.#held = [];
    this.#report(gathered);
  }
}
