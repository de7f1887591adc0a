import { median } from './median.ts';
import type { Fact } from './outcome.ts';

/** The time that something took, in milliseconds: the median of its runs. */
export function timed(what: string, runs: readonly number[]): Fact {
  return { what, value: median(runs), unit: 'ms', runs };
}
