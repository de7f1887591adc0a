import { UsageError } from '../support/run/runMain.ts';

/** The arguments of `npm run bench`. */
export interface BenchArguments {
  /** Fewer and smaller runs, as a smoke test. */
  readonly quick: boolean;
  /** The rows to run, in table order. */
  readonly rows: readonly string[];
  /** True if all rows run in full, so that the result can be recorded, or if some rows replace recorded ones. */
  readonly forTheRecord: boolean;
}

/**
 * Reads `[--quick] [--rows a,b [--record]]`.
 * @param known names of all rows, in table order.
 * @throws UsageError for any other argument, for unknown rows, and for a quick run with `--record`.
 */
export function readBenchArguments(args: readonly string[], known: readonly string[]): BenchArguments {
  let quick = false;
  let record = false;
  let asked: readonly string[] | undefined;
  for (let index = 0; index < args.length; index++) {
    const arg = args[index];
    if (arg === '--quick') quick = true;
    else if (arg === '--record') record = true;
    else if (arg === '--rows' && args[index + 1] !== undefined) asked = (args[++index] ?? '').split(',');
    else
      throw new UsageError(
        `Unknown argument ${arg}; use: npm run bench -- [--quick] [--rows ${known.join(',')} [--record]]`,
      );
  }
  if (quick && record) throw new UsageError('A quick run is not for the record: leave out --quick or --record.');
  const unknown = asked?.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new UsageError(`There is no row ${unknown}; there are ${known.join(', ')}.`);
  return {
    quick,
    rows: known.filter((name) => asked?.includes(name) ?? true),
    forTheRecord: !quick && (asked === undefined || record),
  };
}
