import { UsageError } from '../support/run/runMain.ts';

/** What `npm run bench` was asked for. */
export interface BenchArguments {
  /** Fewer and smaller runs, to see whether something broke. */
  readonly quick: boolean;
  /** The rows to run, in the order of the table. */
  readonly rows: readonly string[];
  /** All rows are run in full: the result is for the record. */
  readonly forTheRecord: boolean;
}

/**
 * Reads `[--quick] [--rows a,b]`.
 * @param known names of all rows, in the order of the table.
 * @throws UsageError for anything else, and for rows that do not exist.
 */
export function readBenchArguments(args: readonly string[], known: readonly string[]): BenchArguments {
  let quick = false;
  let asked: readonly string[] | undefined;
  for (let index = 0; index < args.length; index++) {
    const arg = args[index];
    if (arg === '--quick') quick = true;
    else if (arg === '--rows' && args[index + 1] !== undefined) asked = (args[++index] ?? '').split(',');
    else throw new UsageError(`Unknown argument ${arg}; use: npm run bench -- [--quick] [--rows ${known.join(',')}]`);
  }
  const unknown = asked?.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new UsageError(`There is no row ${unknown}; there are ${known.join(', ')}.`);
  return {
    quick,
    rows: known.filter((name) => asked?.includes(name) ?? true),
    forTheRecord: !quick && asked === undefined,
  };
}
