/** One measured number, with all of its runs. */
export interface Fact {
  readonly what: string;
  readonly value: number;
  readonly unit: Unit;
  readonly runs?: readonly number[];
}

type Unit = 'ms' | 'KB' | 'MB' | 'requests' | 'jobs' | 'timers' | 'files' | 'frames';

/** The result of one row of the table. */
export interface Outcome {
  /** The operation in the user's words. */
  readonly title: string;
  /** The measured operation, and its reference in the same run. */
  readonly measured: string;
  /** A ratio to the reference, or a quantity in the unit. */
  readonly value: number;
  readonly unit: Unit | '×';
  readonly atMost: number;
  readonly facts: readonly Fact[];
  /** The source of the cost according to the profile, and the improvements that were tried. Shown if the goal is missed. */
  readonly limit?: string;
}

/** Settings that apply to every row. */
export interface BenchSettings {
  /** Fewer and smaller runs, as a smoke test; the numbers are not recorded. */
  readonly quick: boolean;
  /** Folder of the package under test. */
  readonly builtRoot: string;
  readonly vsix: string;
  /** Folder with the peers' `node_modules`. */
  readonly peers: string;
}

/** One row of the table, or several that share the same runs. */
export type Row = (settings: BenchSettings) => Promise<readonly Outcome[]>;

export function isReached({ value, atMost }: Outcome): boolean {
  return value <= atMost;
}
