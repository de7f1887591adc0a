import { UsageError } from './runMain.ts';

/** The kinds of tests in the order in which they run, with the names that people see. */
export const testKinds = { unit: 'Unit', host: 'Extension host', ui: 'Workbench' } as const;

export type TestKind = keyof typeof testKinds;

/** What `npm test` was asked for. */
export interface TestArguments {
  readonly kinds: readonly TestKind[];
  /** Part of a file's path or of test titles. */
  readonly filter?: string;
}

/**
 * Reads `[unit|host|ui]… [filter]`; no kind means all of them.
 * @throws UsageError for an option or a second filter
 */
export function readTestArguments(args: readonly string[]): TestArguments {
  const option = args.find((arg) => arg.startsWith('-'));
  const [filter, surplus] = args.filter((arg) => !isKind(arg));
  const unknown = option ?? surplus;
  if (unknown !== undefined) {
    throw new UsageError(
      `Unknown argument ${unknown}; use: npm test -- [unit|host|ui] [part of a file name or of a title]`,
    );
  }
  const named = (Object.keys(testKinds) as TestKind[]).filter((kind) => args.includes(kind));
  const kinds = named.length > 0 ? named : (Object.keys(testKinds) as TestKind[]);
  return filter === undefined ? { kinds } : { kinds, filter };
}

function isKind(arg: string): boolean {
  return Object.hasOwn(testKinds, arg);
}
