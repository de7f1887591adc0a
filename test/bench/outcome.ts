/** One number that was measured, with every single run of it. */
export interface Fact {
  readonly what: string;
  readonly value: number;
  readonly unit: Unit;
  readonly runs?: readonly number[];
}

type Unit = 'ms' | 'KB' | 'MB' | 'requests' | 'jobs' | 'timers' | 'files';

/** What a row of the table came to. */
export interface Outcome {
  /** What a user would call it. */
  readonly title: string;
  /** What was measured, and against what in the same run. */
  readonly measured: string;
  /** A ratio to the reference, or a number of the unit. */
  readonly value: number;
  readonly unit: Unit | '×';
  readonly atMost: number;
  readonly facts: readonly Fact[];
  /** What the cost is made of, by profile, and what was tried; told where the goal is not reached. */
  readonly limit?: string;
}

/** How rows are run. */
export interface BenchSettings {
  /** Fewer and smaller runs, to see whether something broke; the numbers are not for the record. */
  readonly quick: boolean;
  /** Folder of the package that is measured. */
  readonly builtRoot: string;
  readonly vsix: string;
  /** Folder with the `node_modules` of the peers. */
  readonly peers: string;
}

/** One row of the table, or several that the same runs give. */
export type Row = (settings: BenchSettings) => Promise<readonly Outcome[]>;

export function isReached({ value, atMost }: Outcome): boolean {
  return value <= atMost;
}
