import { tooFewMinutes } from '../../soak/soakSettings.ts';
import { UsageError } from './runMain.ts';

/** The arguments of `npm run test:long`. */
export interface LongArguments {
  readonly properties: boolean;
  readonly soak: boolean;
  /** True to run the soak test with an empty tree, which measures the editor's own share; only on request. */
  readonly emptySoak: boolean;
  /** Environment variables for the soak test. */
  readonly soakEnv: Readonly<Record<string, string>>;
}

const options: Readonly<Record<string, string>> = { '--minutes': 'SOAK_MINUTES', '--seed': 'SOAK_SEED' };

/**
 * Reads `[properties|soak|empty]… [--minutes N] [--seed N]`; by default properties and soak.
 * @throws UsageError for any other argument, and for too few minutes to separate growth from startup
 */
export function readLongArguments(args: readonly string[]): LongArguments {
  const parts = new Set<string>();
  const soakEnv: Record<string, string> = {};
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    const variable = Object.hasOwn(options, arg) ? options[arg] : undefined;
    if (variable !== undefined && /^\d+(\.\d+)?$/.test(args[at + 1] ?? '')) soakEnv[variable] = args[++at] ?? '';
    else if (arg === 'properties' || arg === 'soak' || arg === 'empty') parts.add(arg);
    else
      throw new UsageError(
        `Unknown argument ${arg}; use: npm run test:long -- [properties|soak|empty] [--minutes N] [--seed N]`,
      );
  }
  if (Number(soakEnv['SOAK_MINUTES'] ?? Infinity) <= tooFewMinutes)
    throw new UsageError(
      `The soak lasts longer than ${tooFewMinutes} minute: it compares what it sees each minute. Try --minutes 3.`,
    );
  const asked = (part: string): boolean => parts.size === 0 || parts.has(part);
  return { properties: asked('properties'), soak: asked('soak'), emptySoak: parts.has('empty'), soakEnv };
}
