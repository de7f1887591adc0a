import { printParseErrorCode, type ParseErrorCode } from 'jsonc-parser';
import { column, stride, type TextRange } from './jsonPlaces.ts';
import { depthLimit } from './plainJson.ts';

/** Maximum number of problems of each kind: a text of nothing but commas has millions. */
const reportLimit = 100;

/** Thrown out of `visit` at the first bracket that is too deep. */
export class TooDeep extends Error {
  readonly offset: number;

  constructor(offset: number) {
    super('nested too deeply');
    this.offset = offset;
  }
}

/** Collects places and problems during jsonc-parser's `visit`. Handlers are fields because `visit` calls them without `this`. */
export class PlacesBuilder {
  readonly problems: SyntaxProblem[] = [];
  readonly duplicates: DuplicateKey[] = [];
  readonly extras: TextRange[] = [];

  #cells: Int32Array;
  #size = 0;
  /** Index in the cells of each open container, and its names so far: innermost last. */
  readonly #open: number[] = [];
  readonly #names: (Map<string, number> | undefined)[] = [];
  #keyBegin = -1;
  #keyEnd = -1;
  /** Offset of a comma with nothing after it yet, or -1. */
  #comma = -1;
  readonly #textLength: number;
  readonly #depth: number;

  /**
   * @param textLength in UTF-16 code units
   * @param depth number of containers that enclose the text
   */
  constructor(textLength: number, depth: number) {
    this.#cells = new Int32Array(stride * (8 + (textLength >> 4)));
    this.#textLength = textLength;
    this.#depth = depth;
  }

  get cells(): Int32Array {
    return this.#cells.slice(0, this.#size);
  }

  readonly onObjectProperty = (name: string, offset: number, length: number): void => {
    this.#comma = -1;
    this.#keyBegin = offset;
    this.#keyEnd = offset + length;
    const names = this.#names.at(-1);
    const first = names?.get(name);
    if (first === undefined) names?.set(name, offset);
    else if (this.duplicates.length < reportLimit) {
      this.duplicates.push({ key: name, offset, length, first: { offset: first, length } });
    }
  };

  readonly onLiteralValue = (_value: unknown, offset: number, length: number): void =>
    this.#add(offset, offset + length);
  readonly onObjectBegin = (offset: number): void => this.#begin(offset, new Map());
  readonly onArrayBegin = (offset: number): void => this.#begin(offset, undefined);
  readonly onObjectEnd = (offset: number, length: number): void => this.#end(offset + length);
  readonly onArrayEnd = (offset: number, length: number): void => this.#end(offset + length);

  readonly onSeparator = (character: string, offset: number): void => {
    if (character === ',') this.#comma = offset;
  };

  readonly onComment = (offset: number, length: number): void => {
    this.extras.push({ offset, length: this.#within(offset, length) });
  };

  readonly onError = (error: ParseErrorCode, begin: number, length: number): void => {
    if (this.problems.length >= reportLimit) return;
    const offset = Math.min(begin, this.#textLength);
    this.problems.push({ code: printParseErrorCode(error), offset, length: this.#within(offset, length) });
  };

  /** Closes all open containers after an aborted walk. */
  closeAll(end: number): void {
    while (this.#open.length > 0) this.#end(end);
  }

  #begin(offset: number, names: Map<string, number> | undefined): void {
    if (this.#open.length + this.#depth >= depthLimit) throw new TooDeep(offset);
    this.#open.push(this.#size);
    this.#names.push(names);
    this.#add(offset, offset);
  }

  #end(end: number): void {
    const begun = this.#open.pop();
    this.#names.pop();
    if (begun === undefined) return;
    if (this.#comma >= 0) this.#noteTrailingComma();
    this.#keyBegin = this.#keyEnd = -1;
    // jsonc-parser reports an end beyond the text for an unclosed comment and for the containers around it.
    this.#cells[begun + column.end] = Math.min(end, this.#textLength);
    this.#cells[begun + column.next] = this.#size / stride;
  }

  #add(begin: number, end: number): void {
    const at = this.#size;
    this.#size += stride;
    if (this.#size > this.#cells.length) this.#grow();
    this.#cells[at + column.begin] = begin;
    this.#cells[at + column.end] = end;
    this.#cells[at + column.next] = this.#size / stride;
    this.#cells[at + column.keyBegin] = this.#keyBegin;
    this.#cells[at + column.keyEnd] = this.#keyEnd;
    this.#keyBegin = this.#keyEnd = -1;
    this.#comma = -1;
  }

  /** Clamps a length: jsonc-parser reports that an unclosed comment ends beyond the text. */
  #within(offset: number, length: number): number {
    return Math.min(length, this.#textLength - offset);
  }

  #grow(): void {
    const larger = new Int32Array(this.#cells.length * 2);
    larger.set(this.#cells);
    this.#cells = larger;
  }

  #noteTrailingComma(): void {
    const offset = this.#comma;
    // Comments after the comma are in the list already.
    const index = this.extras.findLastIndex((extra) => extra.offset < offset) + 1;
    this.extras.splice(index, 0, { offset, length: 1 });
    this.#comma = -1;
  }
}

/** Something that is not JSON: a name that jsonc-parser gives to parse errors, or `TooDeep`. */
export interface SyntaxProblem extends TextRange {
  readonly code: string;
}

/** A member with the same name as an earlier one of its object. The range is that of the name. */
export interface DuplicateKey extends TextRange {
  readonly key: string;
  readonly first: TextRange;
}
