import type { SourceFile } from 'typescript/unstable/ast';
import { translatedMessages } from './translatedMessages.ts';

/** The strings of a `bundle.l10n.json`: the English text with the translator's notes, by the key formed from both. */
export type Strings = Readonly<
  Record<string, string | { readonly message: string; readonly comment: readonly string[] }>
>;

/**
 * Collects every string that modules translate, sorted by key. The exporter of `@vscode/l10n-dev`, which defines this format, misses a
 * `t(…)` that was imported by name, and takes seconds for data that a parsed tree yields at once.
 */
export function exportStrings(trees: Iterable<SourceFile>): Strings {
  const entries = [...trees]
    .flatMap((tree) => translatedMessages(tree))
    .flatMap(({ message, comment }): [string, Strings[string]][] => {
      if (message === undefined) return [];
      return comment.length === 0 ? [[message, message]] : [[`${message}/${comment.join('')}`, { message, comment }]];
    });
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
