import { extensionId } from '../../../src/jobs/common/jobLink.ts';

/** A part of the path of all product code. */
const productPath = `${extensionId}-`;

/** Counts the timers that the product's code sets from now on. */
export function countTimers(): { readonly underWay: () => number } {
  const running = new Set<unknown>();
  const { setTimeout: once, setInterval: often, clearTimeout: stopOnce, clearInterval: stopOften } = globalThis;
  const isOurs = (): boolean => new Error().stack?.includes(productPath) === true;
  const counted = (run: (...args: unknown[]) => void, ms: number | undefined, ...args: unknown[]): NodeJS.Timeout => {
    const timer = once(() => {
      running.delete(timer);
      run(...args);
    }, ms);
    running.add(timer);
    return timer;
  };
  const repeated = (...given: Parameters<typeof often>): NodeJS.Timeout => {
    const timer = often(...given);
    running.add(timer);
    return timer;
  };
  Object.assign(globalThis, {
    setTimeout: Object.assign((...given: Parameters<typeof counted>) => (isOurs() ? counted : once)(...given), once),
    setInterval: (...given: Parameters<typeof often>) => (isOurs() ? repeated : often)(...given),
    clearTimeout: (timer: NodeJS.Timeout | undefined) => {
      running.delete(timer);
      stopOnce(timer);
    },
    clearInterval: (timer: NodeJS.Timeout | undefined) => {
      running.delete(timer);
      stopOften(timer);
    },
  });
  return { underWay: () => running.size };
}
