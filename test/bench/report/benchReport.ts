import type { Machine } from './machine.ts';
import type { RowResult } from './rowResult.ts';

/** The results of one run of the bench, as stored in `results.json`. */
export interface BenchReport {
  /** ISO 8601. */
  readonly date: string;
  readonly machine: Machine;
  readonly quick: boolean;
  readonly seconds: number;
  readonly rows: readonly RowResult[];
}
