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
  /** Rows that were measured again after the others, because how they are measured had changed. */
  readonly anew?: readonly string[];
}

/**
 * A report in which some rows are replaced by what was measured later.
 * @throws Error if that was on another machine, whose numbers would not be comparable.
 */
export function replaceRows(report: BenchReport, later: BenchReport): BenchReport {
  if (JSON.stringify(report.machine) !== JSON.stringify(later.machine)) {
    throw new Error('The recorded table is of another machine: run all rows.');
  }
  const replaced = later.rows.map(({ row }) => row);
  return {
    ...later,
    seconds: report.seconds + later.seconds,
    rows: report.rows.map((each) => later.rows.find(({ row }) => row === each.row) ?? each),
    anew: [...new Set([...(report.anew ?? []), ...replaced])],
  };
}
