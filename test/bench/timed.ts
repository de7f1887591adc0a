import { median } from './median.ts';
import type { Fact } from './outcome.ts';

/** Returns the median time of the runs, in milliseconds. */
export function timed(what: string, runs: readonly number[]): Fact {
  return { what, value: median(runs), unit: 'ms', runs };
}
