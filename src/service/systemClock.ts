import type { Clock } from './ports.ts';

/** The machine's own time. Timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    timer.unref();
    return { dispose: () => clearTimeout(timer) };
  },
};
