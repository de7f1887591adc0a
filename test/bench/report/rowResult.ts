import type { Outcome } from '../outcome.ts';

/** The result of running a row's file: its lines in the table, or the error. */
export interface RowResult {
  readonly row: string;
  readonly seconds: number;
  readonly outcomes: readonly Outcome[];
  readonly failure?: string;
}
