import { Failure } from '../domain/failure.ts';
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
    const timer = setTimeout(callback, delayMs);
    timer.unref();
    return { dispose: () => clearTimeout(timer) };
  },
};

/** Yields to the event loop without waiting. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
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
