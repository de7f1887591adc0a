import { parseJson, toJsonNumber, type JsonValue } from './json.ts';
import {
  eachMember,
  ownText,
  readStringToken,
  skipRest,
  skipSpace,
  skipString,
  skipValue,
  skipWord,
} from './jsonText.ts';

/** Limits for reading a JSON text. Longer parts are cut and end in "…". */
export interface JsonBounds {
  /** Members of each object, and elements of each array. */
  readonly maxMembers: number;
  /** In characters. */
  readonly maxKeyLength: number;
  readonly maxTextLength: number;
  /** Length of all keys, texts and numbers together; further ones are omitted. */
  readonly maxLength: number;
  readonly maxDepth: number;
}

const unbounded: JsonBounds = {
  maxMembers: Infinity,
  maxKeyLength: Infinity,
  maxTextLength: Infinity,
  maxLength: Infinity,
  // Responses have at most 200 levels.
  maxDepth: 500,
};

/** Matches each number that a double may write in another way; also some other numbers, and some texts. */
const inexact = /\d{16}|\d[.eE]|-0/;

/** Parses JSON like `JSON.parse`, but numbers keep their text. Never throws. @param text JSON text that `JSON.parse` accepts */
export function readExactJson(text: string): JsonValue {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JSON.parse returns nothing else
  return inexact.test(text) ? readJsonAt(text, 0, unbounded) : ((parseJson(text) as JsonValue | undefined) ?? null);
}

/** Maximum number of characters of a text whose numbers are all kept as text, which takes microseconds per number. */
const maxExact = 200_000;

/** True if {@link readExactJson} takes long. */
export function isCostlyToRead(text: string): boolean {
  return text.length > maxExact && inexact.test(text);
}

/**
 * Returns the value that begins at an index of a JSON text, read no further than the bounds. Numbers keep their text; a
 * key or text that was cut is one character longer than its bound. Of duplicate keys, the last one counts, like in
 * `JSON.parse`. Never throws.
 */
export function readJsonAt(text: string, start: number, bounds: JsonBounds): JsonValue {
  return new JsonReader(text, bounds).read(skipSpace(text, start), 0).value;
}

class JsonReader {
  readonly #text: string;
  readonly #bounds: JsonBounds;
  #left: number;

  constructor(text: string, bounds: JsonBounds) {
    this.#text = text;
    this.#bounds = bounds;
    this.#left = bounds.maxLength;
  }

  read(start: number, depth: number): { readonly value: JsonValue; readonly end: number } {
    const text = this.#text;
    switch (text[start]) {
      case '"': {
        const end = skipString(text, start);
        return { value: this.#readString(start, end), end };
      }
      case '{':
        return depth < this.#bounds.maxDepth
          ? this.#readObject(start, depth)
          : { value: '…', end: skipValue(text, start) };
      case '[':
        return depth < this.#bounds.maxDepth
          ? this.#readArray(start, depth)
          : { value: '…', end: skipValue(text, start) };
      default: {
        const end = skipWord(text, start);
        return { value: this.#readWord(start, end), end };
      }
    }
  }

  #readObject(start: number, depth: number): { value: JsonValue; end: number } {
    const text = this.#text;
    const { maxMembers, maxKeyLength } = this.#bounds;
    const entries: [string, JsonValue][] = [];
    let at = start + 1;
    let isCut = false;
    eachMember(
      text,
      (key, valueStart) => {
        isCut = entries.length === maxMembers || this.#left <= 0;
        if (isCut) return undefined;
        this.#left -= key.length;
        const { value, end } = this.read(valueStart, depth + 1);
        entries.push([key.length > maxKeyLength ? `${key.slice(0, maxKeyLength)}…` : key, value]);
        at = end;
        return end;
      },
      start,
    );
    // The end of the outermost value is not needed, so its omitted part is not read.
    return { value: Object.fromEntries(entries), end: depth === 0 && isCut ? at : skipRest(text, at) };
  }

  #readArray(start: number, depth: number): { value: JsonValue; end: number } {
    const text = this.#text;
    const elements: JsonValue[] = [];
    let at = skipSpace(text, start + 1);
    while (at < text.length && text[at] !== ']') {
      if (elements.length === this.#bounds.maxMembers || this.#left <= 0) {
        elements.push('…');
        return { value: elements, end: depth === 0 ? at : skipRest(text, at) };
      }
      const { value, end } = this.read(at, depth + 1);
      elements.push(value);
      at = skipSpace(text, end);
      if (text[at] === ',') at = skipSpace(text, at + 1);
    }
    return { value: elements, end: at + 1 };
  }

  /** Reads a string. Cuts it before any other processing. */
  #readString(start: number, end: number): string {
    const { maxTextLength } = this.#bounds;
    const token = this.#text.slice(start, end);
    // An escape has at most six characters per character, and the last one may be cut.
    const enough = 6 * (maxTextLength + 2);
    const value = token.length <= enough ? readStringToken(token) : readBeginning(token, enough);
    const text = value.length > maxTextLength ? `${value.slice(0, maxTextLength)}…` : value;
    this.#left -= text.length;
    return text;
  }

  #readWord(start: number, end: number): JsonValue {
    const word = this.#text.slice(start, Math.min(end, start + this.#bounds.maxTextLength));
    this.#left -= word.length;
    if (word.length < end - start) return `${word}…`;
    switch (word) {
      case 'true':
        return true;
      case 'false':
        return false;
      case 'null':
        return null;
      default:
        return toJsonNumber(ownText(word)) ?? null;
    }
  }
}

/** Returns the first characters of a string's token, decoded. */
function readBeginning(token: string, length: number): string {
  // The cut may be within an escape.
  for (let end = length; end > length - 6; end--) {
    const value = parseJson(`${token.slice(0, end)}"`);
    if (typeof value === 'string') return value;
  }
  return '';
}
