/** The number of tests of one kind by outcome. */
export interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export const noTests: Totals = { passed: 0, failed: 0, skipped: 0 };

/** Adds one test with this outcome. */
export function count(totals: Totals, outcome: keyof Totals): Totals {
  return { ...totals, [outcome]: totals[outcome] + 1 };
}

/** Adds two totals. */
export function add(a: Totals, b: Totals): Totals {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}
