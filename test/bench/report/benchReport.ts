import { isDeepStrictEqual } from 'node:util';
import { UserError } from '../../support/editor/userError.ts';
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
  /** Rows that were measured again after the others. */
  readonly anew?: readonly string[];
}

/** @throws UserError if the report is from another machine, whose numbers would not be comparable. */
export function assertSameMachine(report: BenchReport, machine: Machine): void {
  if (!isDeepStrictEqual(report.machine, machine)) {
    throw new UserError('The recorded table is of another machine: run all rows, with npm run bench.');
  }
}

/** Returns a report in which later measurements on the same machine replace some rows: see {@link assertSameMachine}. */
export function replaceRows(report: BenchReport, later: BenchReport): BenchReport {
  const replaced = later.rows.map(({ row }) => row);
  return {
    ...later,
    seconds: report.seconds + later.seconds,
    rows: report.rows.map((each) => later.rows.find(({ row }) => row === each.row) ?? each),
    anew: [...new Set([...(report.anew ?? []), ...replaced])],
  };
}
