import type { Machine } from './machine.ts';
import type { RowResult } from './rowResult.ts';

/** All that one run of the bench found: what `results.json` holds. */
export interface BenchReport {
  /** ISO 8601. */
  readonly date: string;
  readonly machine: Machine;
  readonly quick: boolean;
  readonly seconds: number;
  readonly rows: readonly RowResult[];
}
