/** Numbers of tests by outcome, and how long files took. */
export interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Path of a test file below the repository → its duration. */
  readonly fileMs: Readonly<Record<string, number>>;
}

type Outcome = 'passed' | 'failed' | 'skipped';

export const noTests: Totals = { passed: 0, failed: 0, skipped: 0, fileMs: {} };

/** Adds one test with this outcome. */
export function count(totals: Totals, outcome: Outcome): Totals {
  return { ...totals, [outcome]: totals[outcome] + 1 };
}

/** Adds to the duration of a file. */
export function addFileMs(totals: Totals, file: string, ms: number): Totals {
  return { ...totals, fileMs: { ...totals.fileMs, [file]: (totals.fileMs[file] ?? 0) + ms } };
}

/** Adds two totals of different files. */
export function add(a: Totals, b: Totals): Totals {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
    fileMs: { ...a.fileMs, ...b.fileMs },
  };
}

/** Returns the files that took longest, slowest first. */
export function slowestFiles({ fileMs }: Totals, max: number): readonly (readonly [file: string, ms: number])[] {
  return Object.entries(fileMs)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, max);
}
