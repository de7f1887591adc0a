/** A place for people: both count from 1, characters in UTF-16 code units. */
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
      // Several times as quick, and what most files are like.
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    }
    this.#starts = starts;
  }

  positionAt(offset: number): LinePosition {
    let low = 0;
    let high = this.#starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (this.#starts[low] ?? 0) + 1 };
  }
}
