import { parseJson } from './json.ts';
import { skipSpace } from './jsonText.ts';

/** Position of a part of a text: `start` inclusive, `end` exclusive. */
export interface PartRange {
  readonly start: number;
  readonly end: number;
}

/** A member of an object: its key as decoded by `JSON.parse`, and where its value is. */
export interface MemberRange extends PartRange {
  readonly key: string;
}

/** In characters, including escapes. Members with longer names are left out: no field that is read has one. */
const maxKeyCharacters = 1000;

/** What finding a value costs besides its length, in characters: a step of short values takes no longer than one of a long text. */
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

  constructor(text: string, stepCharacters: number) {
    this.text = text;
    this.#stepCharacters = stepCharacters;
    this.#left = stepCharacters;
  }

  /** The members of the object at an index, in text order, including duplicate keys; none when there is no object. */
  *members(start: number): Generator<MemberRange | undefined, void> {
    const { text } = this;
    if (text[start] !== '{') return;
    let at = skipSpace(text, start + 1);
    while (text[at] === '"') {
      const nameEnd = yield* this.#skip(at);
      const colon = skipSpace(text, nameEnd);
      if (text[colon] !== ':') return;
      const valueStart = skipSpace(text, colon + 1);
      const end = yield* this.#skip(valueStart);
      const key = nameEnd - at > maxKeyCharacters ? undefined : parseJson(text.slice(at, nameEnd));
      if (typeof key === 'string') yield { key, start: valueStart, end };
      at = this.#next(end);
    }
  }

  /** The elements of the array at an index; none when there is no array. */
  *elements(start: number): Generator<PartRange | undefined, void> {
    const { text } = this;
    if (text[start] !== '[') return;
    let at = skipSpace(text, start + 1);
    while (at < text.length && text[at] !== ']') {
      const end = yield* this.#skip(at);
      if (end === at) return;
      yield { start: at, end };
      at = this.#next(end);
    }
  }

  #next(end: number): number {
    const at = skipSpace(this.text, end);
    return this.text[at] === ',' ? skipSpace(this.text, at + 1) : at;
  }

  /** @returns the index after the value at `start`. */
  *#skip(start: number): Generator<undefined, number> {
    const value = { at: start, depth: 0, inText: false };
    for (;;) {
      const from = value.at;
      const isOver = this.#advance(value, Math.min(this.text.length, from + this.#left));
      this.#left -= value.at - from + valueCost;
      if (this.#left <= 0) {
        this.#left = this.#stepCharacters;
        yield;
      }
      if (isOver || value.at >= this.text.length) return value.at;
    }
  }

  /** Reads on up to an index; whether that is the end of the value. */
  #advance(value: { at: number; depth: number; inText: boolean }, end: number): boolean {
    const { text } = this;
    let { at, depth, inText } = value;
    let isOver = false;
    while (at < end && !isOver) {
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
        // The end of what holds a number, `true`, `false` or `null`.
        if (depth === 0) break;
        isOver = --depth === 0;
      } else if (depth === 0 && (code === comma || code <= space)) break;
      at++;
    }
    const isWordEnd = at < end && !isOver;
    Object.assign(value, { at, depth, inText });
    return isOver || isWordEnd;
  }
}

const space = 0x20;
const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
