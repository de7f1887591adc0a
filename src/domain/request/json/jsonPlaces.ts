import { findLowest } from '../../findLowest.ts';

/** Path from the root to a value: member names and element indexes. */
export type JsonPath = readonly (string | number)[];

/** Numbers per value in {@link JsonPlaces.cells}. */
export const stride = 5;
/** Where a value begins, where it ends (exclusive), the row after its last descendant, and where its name begins and ends. */
export const column = { begin: 0, end: 1, next: 2, keyBegin: 3, keyEnd: 4 } as const;

/**
 * Where the values of a JSON text are: one row of numbers per value, a value before its descendants.
 * Numbers instead of objects, because a request may have 100,000 values and is parsed again while the user types.
 */
export class JsonPlaces {
  readonly #text: string;
  readonly cells: Int32Array;
  readonly #childrenOf = new Map<number, readonly number[]>();
  readonly #membersOf = new Map<number, ReadonlyMap<string, number>>();

  /** @param cells rows of {@link stride} numbers; names of elements and of the root are -1 */
  constructor(text: string, cells: Int32Array) {
    this.#text = text;
    this.cells = cells;
  }

  /** How many values the text has. Row 0 is the root. */
  get count(): number {
    return this.cells.length / stride;
  }

  /** The row at a path, or -1. Of several members with one name it is the last, as in `JSON.parse`. */
  rowAt(path: JsonPath): number {
    let row = this.count > 0 ? 0 : -1;
    for (const segment of path) {
      if (row < 0) return -1;
      row = this.isArray(row)
        ? (this.children(row)[Number(segment)] ?? -1)
        : (this.#members(row).get(String(segment)) ?? -1);
    }
    return row;
  }

  /** All rows at a path: several when the innermost object has several members with that name. */
  rowsAt(path: JsonPath): readonly number[] {
    const row = this.rowAt(path);
    const around = this.rowAt(path.slice(0, -1));
    if (row < 0 || path.length === 0 || this.isArray(around)) return row < 0 ? [] : [row];
    const name = String(path.at(-1));
    return this.children(around).filter((child) => this.key(child) === name);
  }

  /** Range of the value. */
  range(row: number): TextRange {
    return this.#stretch(row, column.begin, column.end);
  }

  /** Range of the member's name with its quotes; that of the value when it has no name. */
  keyRange(row: number): TextRange {
    return this.#cell(row, column.keyBegin) < 0 ? this.range(row) : this.#stretch(row, column.keyBegin, column.keyEnd);
  }

  /** From the name, if there is one, to the end of the value. */
  memberRange(row: number): TextRange {
    const { offset } = this.keyRange(row);
    return { offset, length: this.#cell(row, column.end) - offset };
  }

  /** The member's name; `''` for elements and the root. */
  key(row: number): string {
    const begin = this.#cell(row, column.keyBegin);
    if (begin < 0) return '';
    const quoted = this.#text.slice(begin, this.#cell(row, column.keyEnd));
    return quoted.includes('\\') ? unescaped(quoted) : quoted.slice(1, -1);
  }

  isArray(row: number): boolean {
    return this.#text[this.#cell(row, column.begin)] === '[';
  }

  /** Rows of the members or elements, in the order of the text. */
  children(row: number): readonly number[] {
    const known = this.#childrenOf.get(row);
    if (known) return known;
    const rows: number[] = [];
    const end = this.#cell(row, column.next);
    for (let child = row + 1; child < end; child = this.#cell(child, column.next)) rows.push(child);
    this.#childrenOf.set(row, rows);
    return rows;
  }

  /** The innermost value that strictly encloses a range; undefined when not even the root does. */
  innermostAround(stretch: TextRange): { readonly row: number; readonly path: JsonPath } | undefined {
    if (this.count === 0 || !this.#holds(0, stretch)) return undefined;
    const path: (string | number)[] = [];
    for (let row = 0; ;) {
      const children = this.children(row);
      const index = findLowest(children.length, (at) => this.#cell(children[at] ?? 0, column.end) > stretch.offset);
      const inner = children[index];
      if (inner === undefined || !this.#holds(inner, stretch)) return { row, path };
      path.push(this.isArray(row) ? index : this.key(inner));
      row = inner;
    }
  }

  #holds(row: number, { offset, length }: TextRange): boolean {
    return this.#cell(row, column.begin) < offset && offset + length < this.#cell(row, column.end);
  }

  #members(row: number): ReadonlyMap<string, number> {
    const known = this.#membersOf.get(row);
    if (known) return known;
    const members = new Map(this.children(row).map((child) => [this.key(child), child]));
    this.#membersOf.set(row, members);
    return members;
  }

  #stretch(row: number, begin: number, end: number): TextRange {
    const offset = this.#cell(row, begin);
    return { offset, length: this.#cell(row, end) - offset };
  }

  #cell(row: number, which: number): number {
    return this.cells[row * stride + which] ?? -1;
  }
}

/** Decodes a name with escapes; returned unchanged when they are invalid. */
function unescaped(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted.slice(1, -1);
  }
}

/** Range of a text, in UTF-16 code units from its beginning. */
export interface TextRange {
  readonly offset: number;
  readonly length: number;
}

/** Replacement of a range of a text. */
export interface TextEdit extends TextRange {
  readonly text: string;
}

/** Applies edits. They must not overlap, and the order of insertions at the same offset must not matter. */
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

/**
 * The smallest single edit that turns `before` into `after`; undefined when they are equal.
 * Compares substrings before single characters, which is faster.
 */
export function diffTexts(before: string, after: string): TextEdit | undefined {
  if (before === after) return undefined;
  const shorter = Math.min(before.length, after.length);
  const prefix = commonLength(shorter, (from, to) => before.slice(from, to) === after.slice(from, to));
  const suffix = commonLength(
    shorter - prefix,
    (from, to) =>
      before.slice(before.length - to, before.length - from) === after.slice(after.length - to, after.length - from),
  );
  return {
    offset: prefix,
    length: before.length - prefix - suffix,
    text: after.slice(prefix, after.length - suffix),
  };
}

/** Length of the common part of two texts, from 0 to `limit`, given a comparison of ranges. */
function commonLength(limit: number, same: (from: number, to: number) => boolean): number {
  let known = 0;
  for (let step = 1 << 16; step >= 1; step >>= 1) {
    while (known + step <= limit && same(known, known + step)) known += step;
  }
  return known;
}

/** Position to show to users: both count from 1, characters in UTF-16 code units. */
export interface LinePosition {
  readonly line: number;
  readonly column: number;
}

/** Finds lines of a text by offset. Lines end with CRLF, LF or CR, as in the editor. */
export class LineIndex {
  readonly #starts: readonly number[];

  constructor(text: string) {
    const starts = [0];
    if (text.includes('\r')) {
      for (const match of text.matchAll(/\r\n|\n|\r/gu)) starts.push(match.index + match[0].length);
    } else {
      // Fast path: most files have LF only.
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    }
    this.#starts = starts;
  }

  positionAt(offset: number): LinePosition {
    const line = Math.max(
      1,
      findLowest(this.#starts.length, (index) => (this.#starts[index] ?? 0) > offset),
    );
    return { line, column: offset - (this.#starts[line - 1] ?? 0) + 1 };
  }
}
