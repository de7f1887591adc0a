/** One member of a JSON object: its key as `JSON.parse` reads it, its value's text byte for byte. */
export interface MemberText {
  readonly key: string;
  readonly text: string;
}

/**
 * The members of a JSON object, in its order, repeated keys included; nothing when the text is no object.
 * The texts share the object's memory, so that reading one level of a big item costs little and changes no number.
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

/** The elements of a JSON array, byte for byte; nothing when the text is no array. As {@link readMembers}. */
export function readElements(text: string): string[] {
  const elements: string[] = [];
  takeElements(text, skipSpace(text, 0), (element) => elements.push(element));
  return elements;
}

/** One element of a JSON array. */
export interface ElementText {
  readonly text: string;
  /** How many objects and arrays lie within each other: 0 for a plain value, 1 for `{}`. */
  readonly depth: number;
}

/**
 * The elements of the array that an object has under a key, in one reading of the text; nothing when there is none.
 * With the key twice, the last counts, as in `JSON.parse`.
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

/** @param take receives the index of a value and returns the index after it. */
function eachMember(text: string, take: (key: string, start: number) => number): void {
  let at = skipSpace(text, 0);
  if (text.charCodeAt(at) !== openBrace) return;
  at = skipSpace(text, at + 1);
  while (text.charCodeAt(at) === quote) {
    const keyEnd = skipString(text, at);
    const key: unknown = JSON.parse(text.slice(at, keyEnd));
    at = nextElement(text, take(String(key), skipSpace(text, text.indexOf(':', keyEnd) + 1)));
  }
}

/** Reports the elements if an array starts at `start`; returns the index after the value. */
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

/** The index of the first non-whitespace character from `start` on. */
export function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && text.charCodeAt(at) <= space) at++;
  return at;
}

/** The index after the string that opens at `start`. `indexOf` is several times faster than checking each character. */
export function skipString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slash = end - 1;
    while (text.charCodeAt(slash) === backslash) slash--;
    // An even number of backslashes escape each other; an odd one escapes the quote.
    if ((end - slash) % 2 === 1) return end + 1;
  }
  return text.length;
}

/** The index after the number, `true`, `false` or `null` that begins at `start`. */
export function skipWord(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= space || code === comma || code === closeBrace || code === closeBracket) break;
  }
  return at;
}

/**
 * The index after the value that begins at `start`. Not recursive, so that any depth is safe.
 * @param levels receives the nesting depth of the value.
 */
function skipValue(text: string, start: number, levels?: { deepest: number }): number {
  let depth = 0;
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

// Character codes of JSON tokens.
export const space = 32;
export const quote = 34;
export const comma = 44;
export const colon = 58;
export const openBracket = 91;
export const backslash = 92;
export const closeBracket = 93;
export const openBrace = 123;
export const closeBrace = 125;
