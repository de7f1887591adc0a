import { isEditorAge, type EditorAge } from '../editor/editorVersions.ts';
import { UsageError } from './runMain.ts';

/** The kinds of tests with their display names, in the order in which they run. */
export const testKinds = {
  unit: 'Unit',
  page: 'Pages',
  host: 'Extension host',
  ui: 'Workbench',
  release: 'Release',
} as const;

export type TestKind = keyof typeof testKinds;

/** Kinds that run by default: all but those that a release needs. */
const usualKinds: readonly TestKind[] = ['unit', 'page', 'host', 'ui'];

/** The arguments of `npm test`. */
export interface TestArguments {
  readonly kinds: readonly TestKind[];
  /** Part of a file's path or of test titles. */
  readonly filter?: string;
  /** The editor that the tests run in. */
  readonly editor: EditorAge;
}

/**
 * Reads `[kind]… [filter] [--editor oldest|newest]`; by default the usual kinds and the newest editor.
 * @throws UsageError for another option, another editor or a second filter
 */
export function readTestArguments(args: readonly string[]): TestArguments {
  let editor: EditorAge = 'newest';
  const kinds = new Set<TestKind>();
  const filters: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    const value = args[at + 1];
    if (arg === '--editor' && isEditorAge(value)) {
      editor = value;
      at++;
    } else if (isKind(arg)) kinds.add(arg);
    else if (arg.startsWith('-') || filters.length > 0) throw unknown(arg);
    else filters.push(arg);
  }
  const named = Object.keys(testKinds)
    .filter(isKind)
    .filter((kind) => kinds.has(kind));
  const [filter] = filters;
  return { kinds: named.length > 0 ? named : usualKinds, editor, ...(filter !== undefined && { filter }) };
}

function isKind(arg: string): arg is TestKind {
  return Object.hasOwn(testKinds, arg);
}

function unknown(arg: string): UsageError {
  return new UsageError(
    `Unknown argument ${arg}; use: npm test -- [unit|page|host|ui|release] [part of a file name or of a title] [--editor oldest|newest]`,
  );
}
