/** Range in a text, in UTF-16 code units from its beginning. */
export interface TextRange {
  readonly offset: number;
  readonly length: number;
}

/** Replacement of a range in a text. */
export interface TextEdit extends TextRange {
  readonly text: string;
}

/**
 * Applies edits in time proportional to the length of the text; jsonc-parser's `applyEdits` copies the whole text for each edit. Edits
 * must not overlap, and the order of insertions at the same offset must not matter.
 */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const pieces: string[] = [];
  let done = 0;
  for (const edit of edits.toSorted((a, b) => a.offset - b.offset)) {
    pieces.push(text.slice(done, edit.offset), edit.text);
    done = edit.offset + edit.length;
  }
  pieces.push(text.slice(done));
  return pieces.join('');
}

/** Returns the smallest single edit that converts `before` to `after`; undefined if they are equal. */
export function diffTexts(before: string, after: string): TextEdit | undefined {
  if (before === after) return undefined;
  const shorter = Math.min(before.length, after.length);
  let prefix = 0;
  while (prefix < shorter && before[prefix] === after[prefix]) prefix++;
  let suffix = 0;
  while (suffix < shorter - prefix && before.at(-1 - suffix) === after.at(-1 - suffix)) suffix++;
  return { offset: prefix, length: before.length - prefix - suffix, text: after.slice(prefix, after.length - suffix) };
}
