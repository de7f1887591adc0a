import { parseJson } from './json.ts';
import { backslash, closeBrace, closeBracket, comma, openBrace, openBracket, quote, space } from './jsonCodes.ts';
import { skipSpace } from './jsonText.ts';

/** Position of a part of a text: `start` inclusive, `end` exclusive. */
export interface PartRange {
  readonly start: number;
  readonly end: number;
}

/** A member of an object: its key as decoded by `JSON.parse`, and the position of its value. */
export interface MemberRange extends PartRange {
  readonly key: string;
}

/** In characters, including escapes. Members with longer names are omitted, because no field that is read has such a name. */
const maxKeyCharacters = 1000;

/** Cost of finding a value besides its length, in characters: a step of short values takes no longer than one of a long text. */
const valueCost = 48;

/**
 * Finds values in JSON text by index, without parsing it, in steps of bounded duration: each generator yields undefined where the caller
 * can yield to the event loop. Only brackets and quotes are tracked, so the values need not be valid JSON.
 */
export class SteppedJson {
  readonly text: string;
  readonly #stepCharacters: number;
  /** Characters until the next step. */
  #left: number;
  /** Current position within a value. Only the generator of that value continues it. */
  #at = 0;
  #depth = 0;
  #inText = false;

  constructor(text: string, stepCharacters: number) {
    this.text = text;
    this.#stepCharacters = stepCharacters;
    this.#left = stepCharacters;
  }

  /** Yields the members of the object at an index, in text order, including duplicate keys; none if there is no object. */
  *members(start: number): Generator<MemberRange | undefined, void> {
    const { text } = this;
    if (text[start] !== '{') return;
    let at = skipSpace(text, start + 1);
    while (text[at] === '"') {
      this.#begin(at);
      while (!this.#advance()) yield;
      const nameEnd = this.#at;
      const colon = skipSpace(text, nameEnd);
      if (text[colon] !== ':') return;
      const valueStart = skipSpace(text, colon + 1);
      this.#begin(valueStart);
      while (!this.#advance()) yield;
      const end = this.#at;
      const key = nameEnd - at > maxKeyCharacters ? undefined : nameOf(text.slice(at + 1, nameEnd - 1));
      if (key !== undefined) yield { key, start: valueStart, end };
      at = this.#next(end);
    }
  }

  /** Yields the elements of the array at an index; none if there is no array. */
  *elements(start: number): Generator<PartRange | undefined, void> {
    const { text } = this;
    if (text[start] !== '[') return;
    let at = skipSpace(text, start + 1);
    while (at < text.length && text[at] !== ']') {
      this.#begin(at);
      while (!this.#advance()) yield;
      const end = this.#at;
      if (end === at) return;
      yield { start: at, end };
      at = this.#next(end);
    }
  }

  #next(end: number): number {
    const at = skipSpace(this.text, end);
    return this.text[at] === ',' ? skipSpace(this.text, at + 1) : at;
  }

  #begin(start: number): void {
    this.#at = start;
    this.#depth = 0;
    this.#inText = false;
    this.#left -= valueCost;
  }

  /** Reads to the end of the value and returns true, or to the end of the step. */
  #advance(): boolean {
    const { text } = this;
    if (this.#left <= 0) {
      this.#left = this.#stepCharacters;
      return false;
    }
    const from = this.#at;
    const end = Math.min(text.length, from + this.#left);
    let at = from;
    let depth = this.#depth;
    let inText = this.#inText;
    let isOver = false;
    while (at < end) {
      const code = text.charCodeAt(at);
      if (inText) {
        if (code === backslash) at++;
        else if (code === quote) {
          inText = false;
          isOver = depth === 0;
        }
      } else if (code === quote) inText = true;
      else if (code === openBrace || code === openBracket) depth++;
      else if (code === closeBrace || code === closeBracket) {
        isOver = depth <= 1;
        // The end of the object or array that contains a number, `true`, `false` or `null`. It is not part of the value.
        if (depth === 0) break;
        depth--;
      } else if (depth === 0 && (code === comma || code <= space)) {
        isOver = true;
        break;
      }
      at++;
      if (isOver) break;
    }
    this.#at = at;
    this.#depth = depth;
    this.#inText = inText;
    this.#left -= at - from;
    return isOver || at >= text.length;
  }
}

/** Returns the name between quotes; undefined if it is not valid. Most names have no escapes. */
function nameOf(written: string): string | undefined {
  if (!written.includes('\\')) return written;
  const name = parseJson(`"${written}"`);
  return typeof name === 'string' ? name : undefined;
}
