import type { Outcome } from '../outcome.ts';

/** What became of the file of a row: its lines in the table, or why there are none. */
export interface RowResult {
  readonly row: string;
  readonly seconds: number;
  readonly outcomes: readonly Outcome[];
  readonly failure?: string;
}
