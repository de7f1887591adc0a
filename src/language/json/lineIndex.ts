import { findLowest } from '../../base/findLowest.ts';

/** Position for display: both numbers count from 1, characters in UTF-16 code units. */
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
      // Fast path: most files only have LF.
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
