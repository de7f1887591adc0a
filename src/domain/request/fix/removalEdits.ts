import { createScanner } from 'jsonc-parser';
import type { JsonPath } from '../json/jsonPlaces.ts';
import type { RequestFile } from '../requestFile.ts';
import type { TextEdit } from '../json/textRange.ts';

/**
 * The edits that take members and elements out of a text, with the commas that were theirs and the white space that would
 * be left over. Comments that are not between removed neighbours stay.
 * @param paths in any order, in any number of containers
 */
export function removalEdits(request: RequestFile, paths: readonly JsonPath[]): readonly TextEdit[] {
  const { places } = request;
  const byContainer = new Map<number, Set<number>>();
  for (const path of paths) {
    const container = places.rowAt(path.slice(0, -1));
    const within = byContainer.get(container) ?? new Set();
    // An earlier member of the same name would take the place of the one that goes.
    for (const row of places.rowsAt(path)) within.add(row);
    byContainer.set(container, within);
  }
  return [...byContainer].flatMap(([container, removed]) => {
    const children = places.children(container);
    const edits: TextEdit[] = [];
    for (let first = 0; first < children.length; first++) {
      if (!removed.has(children[first] ?? -1)) continue;
      let last = first;
      while (removed.has(children[last + 1] ?? -1)) last++;
      edits.push(...runEdits(request, container, children, first, last));
      first = last;
    }
    return edits;
  });
}

/** Takes out neighbours, from one to another inclusive. */
function runEdits(
  { text, places }: RequestFile,
  container: number,
  children: readonly number[],
  first: number,
  last: number,
): readonly TextEdit[] {
  const around = places.range(container);
  const begin = places.memberRange(children[first] ?? 0).offset;
  const end = endOf(places.memberRange(children[last] ?? 0));
  const previous = children[first - 1];
  const next = children[last + 1];
  const before = previous === undefined ? around.offset + 1 : endOf(places.memberRange(previous));
  const after = next === undefined ? endOf(around) - 1 : places.memberRange(next).offset;
  const comma = commaWithin(text, end, after);
  const plainBefore = /^\s*,?\s*$/u.test(text.slice(before, begin));

  if (next !== undefined) {
    if (/^[ \t]*$/u.test(text.slice(comma + 1, after))) return [cut(begin, after)];
    return [cut(plainBefore ? begin - trailingSpace(text.slice(before, begin)) : begin, comma + 1)];
  }
  if (previous === undefined) {
    const plainAfter = /^\s*,?\s*$/u.test(text.slice(end, after));
    if (plainBefore && plainAfter) return [cut(before, after)];
    return comma < 0 ? [cut(begin, end)] : [cut(begin, end), cut(comma, comma + 1)];
  }
  // A comma behind what is removed may stay for what is before.
  if (plainBefore) return [cut(before, end)];
  const blankLine = /^[ \t]*(?:\r|\n)/u.test(text.slice(end, after + 1));
  const from = blankLine ? begin - trailingSpace(text.slice(before, begin)) : begin;
  const own = commaWithin(text, before, begin);
  return [cut(own, own + 1), cut(from, end)];
}

/** Offset of the comma between two values, wherever comments are; -1 when there is none. */
function commaWithin(text: string, from: number, to: number): number {
  const scanner = createScanner(text.slice(from, to), true);
  scanner.scan();
  return text[from + scanner.getTokenOffset()] === ',' && scanner.getTokenLength() === 1
    ? from + scanner.getTokenOffset()
    : -1;
}

function trailingSpace(text: string): number {
  return text.length - text.trimEnd().length;
}

function endOf({ offset, length }: { readonly offset: number; readonly length: number }): number {
  return offset + length;
}

function cut(begin: number, end: number): TextEdit {
  return { offset: begin, length: end - begin, text: '' };
}
