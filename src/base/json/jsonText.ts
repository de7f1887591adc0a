import { parseJson } from './json.ts';
import { backslash, closeBrace, closeBracket, comma, openBrace, openBracket, quote, space } from './jsonCodes.ts';

/** One member of a JSON object: its key as decoded by `JSON.parse`, its value's text unchanged. */
export interface MemberText {
  readonly key: string;
  readonly text: string;
}

/**
 * Returns the members of a JSON object in text order, including duplicate keys; none if the text is not an object. The
 * texts share the memory of `text`, so that reading one level of a large item costs little, and numbers keep all
 * digits.
 * @param text JSON text that `JSON.parse` accepts.
 */
export function readMembers(text: string): MemberText[] {
  const members: MemberText[] = [];
  eachMember(text, (key, start) => {
    const end = skipValue(text, start);
    members.push({ key, text: text.slice(start, end) });
    return end;
  });
  return members;
}

/**
 * Returns the index of a member's value without reading the text after it; undefined if there is no such member, or the
 * text is not an object. Of duplicate keys, uses the first. The text may continue after the object.
 */
export function findMember(text: string, wanted: string): number | undefined {
  let found: number | undefined;
  eachMember(text, (key, start) => {
    if (key !== wanted) return skipValue(text, start);
    found = start;
    return undefined;
  });
  return found;
}

/** Returns the texts of some members by their keys. Stops reading after the last of them. Of duplicate keys, uses the first. */
export function findMembers<K extends string>(text: string, wanted: readonly K[]): ReadonlyMap<K, string> {
  const found = new Map<K, string>();
  eachMember(text, (key, start) => {
    const end = skipValue(text, start);
    const name = wanted.find((each) => each === key);
    if (name !== undefined && !found.has(name)) found.set(name, text.slice(start, end));
    return found.size === wanted.length ? undefined : end;
  });
  return found;
}

/**
 * Returns an object's text without any member with a key, and the number of characters of the removed values. A member
 * that is `null` stays. The rest is unchanged.
 */
export function omitMember(text: string, unwanted: string): { readonly left: string; readonly omitted: number } {
  let left = '';
  let omitted = 0;
  let from = 0;
  /** End of the last member that stays. */
  let keptEnd: number | undefined;
  eachMember(text, (key, start, keyStart) => {
    const end = skipValue(text, start);
    if (key !== unwanted || text.slice(start, end) === 'null') {
      keptEnd = end;
      return end;
    }
    omitted += end - start;
    // Removes the comma before the member, or the one after it if no member before it stays.
    left += text.slice(from, keptEnd === undefined ? keyStart : Math.max(from, keptEnd));
    from = keptEnd === undefined ? nextElement(text, end) : end;
    return end;
  });
  return { left: left + text.slice(from), omitted };
}

/** Returns the texts of the elements of a JSON array; none if the text is not an array. See {@link readMembers}. */
export function readElements(text: string): string[] {
  const elements: string[] = [];
  takeElements(text, skipSpace(text, 0), (element) => elements.push(element));
  return elements;
}

/**
 * Returns the same text in memory of its own, for parts that are kept for long. A part of a text shares the memory of
 * the whole, which is kept as long as the part. V8 writes the result of an array's `join` to a new text, while `+` and
 * `slice` only reference their operands.
 */
export function ownText(part: string): string {
  return [part.slice(0, 1), part.slice(1)].join('');
}

/** Returns the end of a part of about this length that begins at an index: not between the halves of a surrogate pair. */
export function endOfPart(text: string, start: number, characters: number): number {
  const end = Math.min(text.length, start + characters);
  return end < text.length && /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end + 1 : end;
}

/** One element of a JSON array. */
export interface ElementText {
  readonly text: string;
  /** Depth of nested objects and arrays: 0 for a plain value, 1 for `{}`. */
  readonly depth: number;
}

/**
 * Returns the elements of the array under a key of an object, found in one pass over the text; none if there is no such
 * array. Of duplicate keys, uses the last one, like `JSON.parse`.
 */
export function readElementsOf(text: string, wanted: string): ElementText[] {
  let elements: ElementText[] = [];
  eachMember(text, (key, start) => {
    if (key !== wanted) return skipValue(text, start);
    elements = [];
    return takeElements(text, start, (element, depth) => elements.push({ text: element, depth }));
  });
  return elements;
}

/** Maximum length of parts that V8 copies. Longer ones share the memory of the text. */
const maxCopied = 12;

/** Returns the string of a token with its quotes, in memory of its own. */
export function readStringToken(token: string): string {
  if (token.length <= maxCopied && !token.includes('\\')) return token.slice(1, -1);
  const value = parseJson(token);
  return typeof value === 'string' ? value : '';
}

/**
 * Calls `take` for each member of an object, up to the end or until that returns undefined.
 * @param take receives the index of a value and returns the index after it; undefined to read no further.
 */
export function eachMember(
  text: string,
  take: (key: string, start: number, keyStart: number) => number | undefined,
  objectStart = 0,
): void {
  let at = skipSpace(text, objectStart);
  if (text.charCodeAt(at) !== openBrace) return;
  at = skipSpace(text, at + 1);
  while (text.charCodeAt(at) === quote) {
    const keyEnd = skipString(text, at);
    const key = readStringToken(text.slice(at, keyEnd));
    const end = take(key, skipSpace(text, text.indexOf(':', keyEnd) + 1), at);
    if (end === undefined) return;
    at = nextElement(text, end);
  }
}

/** Reports the elements if an array starts at `start`. Returns the index after the value. */
function takeElements(text: string, start: number, take: (element: string, depth: number) => void): number {
  if (text.charCodeAt(start) !== openBracket) return skipValue(text, start);
  let at = skipSpace(text, start + 1);
  while (at < text.length && text.charCodeAt(at) !== closeBracket) {
    const levels = { deepest: 0 };
    const end = skipValue(text, at, levels);
    take(text.slice(at, end), levels.deepest);
    at = nextElement(text, end);
  }
  return at + 1;
}

function nextElement(text: string, valueEnd: number): number {
  const at = skipSpace(text, valueEnd);
  return text.charCodeAt(at) === comma ? skipSpace(text, at + 1) : at;
}

/** Returns the index of the first non-whitespace character from `start` on. */
export function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && text.charCodeAt(at) <= space) at++;
  return at;
}

/** Returns the index after the string that opens at `start`. `indexOf` is several times faster than checking each character. */
export function skipString(text: string, start: number): number {
  const end = text.indexOf('"', start + 1);
  if (end === -1) return text.length;
  if (text.charCodeAt(end - 1) !== backslash) return end + 1;
  // The quote may be escaped: where there are many escapes, searching for each quote takes longer than reading each character.
  let at = start + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote) return at + 1;
    at += code === backslash ? 2 : 1;
  }
  return text.length;
}

/** A string of a JSON text, including the names of members. */
interface StringToken {
  readonly start: number;
  /** With its quotes; without the closing one if the text ends before it. */
  readonly token: string;
}

/**
 * Yields the strings of a JSON text, in order. Not a regular expression: one that matches a string of several megabytes
 * overflows the stack.
 */
export function* readStrings(text: string): Generator<StringToken> {
  for (let start = text.indexOf('"'); start !== -1;) {
    const end = skipString(text, start);
    yield { start, token: text.slice(start, end) };
    start = text.indexOf('"', end);
  }
}

/** Returns the same JSON text with each string, including names, replaced by `change`; the rest is unchanged. */
export function mapStrings(text: string, change: (value: string) => string): string {
  let mapped = '';
  let kept = 0;
  for (const { start, token } of readStrings(text)) {
    const value = parseJson(token);
    const changed = typeof value === 'string' ? change(value) : '…';
    if (changed === value) continue;
    mapped += text.slice(kept, start) + JSON.stringify(changed);
    kept = start + token.length;
  }
  return mapped + text.slice(kept);
}

/** Returns the index after the number, `true`, `false` or `null` that begins at `start`. */
export function skipWord(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= space || code === comma || code === closeBrace || code === closeBracket) break;
  }
  return at;
}

/** True if a JSON text has more values than `max`, in all its levels. Reads no further. */
export function hasMoreValues(text: string, max: number): boolean {
  let left = max - 1;
  for (let at = 0; at < text.length && left >= 0;) {
    const code = text.charCodeAt(at);
    at = code === quote ? skipString(text, at) : at + 1;
    const opens = code === openBrace || code === openBracket;
    // Each comma separates two values, and a container that is not empty has one more than commas.
    if (code === comma || (opens && !isClosing(text.charCodeAt(skipSpace(text, at))))) left--;
  }
  return left < 0;
}

function isClosing(code: number): boolean {
  return code === closeBrace || code === closeBracket;
}

/**
 * Returns the index after the value that begins at `start`. Not recursive, so that any depth is safe.
 * @param levels receives the nesting depth of the value.
 */
export function skipValue(text: string, start: number, levels?: { deepest: number }): number {
  return skipFrom(text, start, 0, levels);
}

/** Returns the index after the object or array that contains `start` between two members or elements. */
export function skipRest(text: string, start: number): number {
  return skipFrom(text, start, 1);
}

function skipFrom(text: string, start: number, outerDepth: number, levels?: { deepest: number }): number {
  let depth = outerDepth;
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = skipString(text, at);
      if (depth === 0) return at;
      continue;
    }
    if (code === openBrace || code === openBracket) {
      depth++;
      if (levels !== undefined && depth > levels.deepest) levels.deepest = depth;
    } else if (code === closeBrace || code === closeBracket) {
      if (depth === 0) return at;
      if (--depth === 0) return at + 1;
    } else if (depth === 0 && (code === comma || code <= space)) return at;
    at++;
  }
  return at;
}
