import { Failure } from '../domain/failure.ts';
import type { Disposable } from './disposable.ts';

/** Time, so that tests can hold it still. Nothing else in `src` sets a timer or asks what time it is. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once after `delayMs`, unless disposed first. */
  after(delayMs: number, callback: () => void): Disposable;
}

/** The machine's own time. Timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    timer.unref();
    return { dispose: () => clearTimeout(timer) };
  },
};

/** Lets everything else that waits have its turn. No time has to pass. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Waits.
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
