import { Failure } from './failure.ts';
import type { Disposable } from './disposable.ts';

/** Time source that tests can replace. No other module in `src` sets a timer or reads the time. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once after `delayMs`, unless disposed first. */
  after(delayMs: number, callback: () => void): Disposable;
}

/** The system clock. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (delayMs, callback) => {
    const timer: NodeJS.Timeout | number = setTimeout(callback, delayMs);
    // In a browser it is a number, and there is no process.
    if (typeof timer === 'object') timer.unref();
    return { dispose: () => clearTimeout(timer) };
  },
};

/** Yields to the event loop without waiting. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    // Browsers have only the other one.
    if (typeof setImmediate === 'function') setImmediate(resolve);
    else setTimeout(resolve);
  });
}

/**
 * Waits `delayMs` milliseconds.
 * @throws Failure `cancelled` as soon as the signal fires.
 */
export async function delay(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) throw new Failure('cancelled');
  await new Promise<void>((resolve, reject) => {
    const cancel = (): void => {
      timer.dispose();
      reject(new Failure('cancelled'));
    };
    const timer = clock.after(delayMs, () => {
      signal?.removeEventListener('abort', cancel);
      resolve();
    });
    signal?.addEventListener('abort', cancel, { once: true });
  });
}

/** Maximum time in milliseconds without yielding; a longer one would delay typing. */
const sliceMs = 8;

/** Runs work in slices. Code that rests between its steps never delays typing for long. */
export class WorkSlices {
  #endsAt = performance.now() + sliceMs;

  /** Lets other work run if the slice is over. */
  async rest(): Promise<void> {
    if (performance.now() <= this.#endsAt) return;
    await nextTurn();
    this.#endsAt = performance.now() + sliceMs;
  }

  /** Runs a generator to its end, and rests between its steps. */
  async run<T>(steps: Generator<undefined, T>): Promise<T> {
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) return step.value;
      await this.rest();
    }
  }
}
