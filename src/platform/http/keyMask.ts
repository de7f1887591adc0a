import { Failure, type FailureFacts } from '../../base/failure.ts';
import { parseJson } from '../../base/json/json.ts';
import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  openBrace,
  openBracket,
  quote,
  space,
} from '../../base/json/jsonCodes.ts';
import { skipWord } from '../../base/json/jsonText.ts';

/** Text that replaces the key. */
const mask = '•••';

/**
 * Minimum length of keys that are also masked in encoded forms. The encoded forms of shorter keys are so short that
 * other texts contain them by chance.
 */
const minEncodedKey = 8;

/** Number of characters to mask for a message. In a message of one line, most of them may be markup and white space. */
export const beginningCharacters = 20_000;

/** Maximum length of a character of the key in any form: `\u002b`, `&#x2b;`. */
const maxCharacterLength = 6;

/** Number of characters of a long text that are searched in one step. */
const stepCharacters = 64 * 1024;

/** Longer than any number of a service. */
const maxNumberLength = 1000;

/** A part of a text: from a character up to, but not including, another. */
interface TextRange {
  readonly from: number;
  readonly until: number;
}

/**
 * Masks keys in texts from a service: as they are, in any letter case; escaped for URLs, JSON or HTML; in base64 or base64url,
 * also within a longer encoded text; in hexadecimal. docs/privacy.md lists these forms. The cost grows with the text.
 */
export class KeyMask {
  /** In lower case. */
  readonly #forms: readonly string[];
  readonly #maxLength: number;
  /** Number of characters of the shortest form. In a text, each of its characters may be escaped. */
  readonly #minFormLength: number;
  readonly #maxFormLength: number;

  constructor(...keys: readonly string[]) {
    this.#forms = [...new Set(keys.flatMap(formsOf))];
    this.#maxLength = Math.max(0, ...keys.map(({ length }) => length)) * maxCharacterLength;
    const lengths = this.#forms.map(({ length }) => length);
    this.#minFormLength = Math.min(...lengths);
    this.#maxFormLength = Math.max(0, ...lengths) * maxCharacterLength;
  }

  /** Returns the text with the key masked. */
  apply(text: string): string {
    return withMasks(text, this.#find(text), text.length);
  }

  /**
   * Returns the beginning of a text, masked, with bounded work. Removes a possible part of the key at a cut.
   * @param isCut true if the text was truncated already.
   */
  applyToBeginning(text: string, isCut = false): string {
    const found = this.#find(text.slice(0, beginningCharacters + this.#maxLength));
    const known = isCut ? Math.max(text.length - this.#maxLength, found.at(-1)?.until ?? 0) : text.length;
    return withMasks(text, found, Math.min(known, beginningCharacters));
  }

  /** True if a text contains the key. */
  holds(text: string): boolean {
    return this.#isIn(text) || escapes.some((each) => text.search(each) >= 0 && this.#isIn(resolved(text, each)));
  }

  #isIn(text: string): boolean {
    const searched = lowerCase(text);
    return this.#forms.some((form) => searched.includes(form));
  }

  /**
   * Masks the key in the strings of a JSON text of any length, including the names of members. A number that contains
   * the key becomes a string. Everything else stays unchanged. The caller can yield to the event loop between the
   * steps.
   */
  *applyToJson(text: string): Generator<undefined, string> {
    return this.#forms.length > 0 && (yield* this.#isInJson(text)) ? yield* this.#maskJson(text) : text;
  }

  /** True if a string contains the key, and sometimes if none does. */
  *#isInJson(text: string): Generator<undefined, boolean> {
    // An escape may be escaped in JSON again. Parts overlap, so that one of them contains each form completely.
    const overlap = 2 * this.#maxFormLength * maxCharacterLength;
    const step = Math.max(stepCharacters, overlap);
    for (let at = 0; at < text.length; at += step) {
      const from = Math.max(0, at - overlap);
      const part = text.slice(from, at + step);
      const readings = part.includes('\\') ? withoutFirst(part).map((each) => resolved(each, jsonEscape)) : [part];
      if (readings.flatMap(withoutFirst).some((each) => this.holds(each))) return true;
      if (at + step < text.length) yield;
    }
    return false;
  }

  *#maskJson(text: string): Generator<undefined, string> {
    const parts: string[] = [];
    let nextStep = stepCharacters;
    let kept = 0;
    const replace = (from: number, until: number, masked: string): void => {
      parts.push(text.slice(kept, from), masked);
      kept = until;
    };
    for (let at = 0; at < text.length;) {
      if (at >= nextStep) {
        yield;
        nextStep = at + stepCharacters;
      }
      const code = text.charCodeAt(at);
      if (code === quote) {
        const start = at + 1;
        let end = endOfContent(text, start);
        while (end < text.length && text.charCodeAt(end) !== quote) {
          yield;
          end = endOfContent(text, end);
        }
        const masked = yield* this.#maskContent(text.slice(start, end));
        if (masked !== undefined) replace(start, end, masked);
        at = end + 1;
      } else if (isWordStart(code)) {
        const end = skipWord(text, at);
        if (end - at > maxNumberLength || this.holds(text.slice(at, end))) replace(at, end, JSON.stringify(mask));
        at = end;
      } else at++;
    }
    return parts.join('') + text.slice(kept);
  }

  /** Masks the content of a JSON string; undefined if it does not contain the key. */
  *#maskContent(content: string): Generator<undefined, string | undefined> {
    if (content.length < this.#minFormLength) return undefined;
    if (content.length <= stepCharacters) {
      const value = contentValue(content);
      return this.holds(value) ? contentText(this.apply(value)) : undefined;
    }
    if (!(yield* this.#isInJson(content))) return undefined;
    const parts: string[] = [];
    let value = '';
    for (let at = 0; at < content.length;) {
      const end = endOfContent(content, at);
      value += contentValue(content.slice(at, end));
      at = end;
      const cut = at < content.length ? this.#placeToCut(value) : value.length;
      parts.push(contentText(this.apply(value.slice(0, cut))));
      value = value.slice(cut);
      yield;
    }
    return parts.join('');
  }

  /** Returns an index near the end of a text that is not within any form of the key, whatever text follows. */
  #placeToCut(text: string): number {
    const wanted = Math.max(0, text.length - this.#maxFormLength);
    const from = Math.max(0, wanted - this.#maxFormLength);
    const divided = this.#matches(text.slice(from)).filter(
      (each) => from + each.from < wanted && from + each.until > wanted,
    );
    const cut = divided.reduce((min, each) => Math.min(min, from + each.from), wanted);
    let runStart = cut;
    while (runStart > 0 && text.charCodeAt(runStart - 1) === backslash) runStart--;
    // Backslashes escape each other in pairs.
    return cut - ((cut - runStart) % 2);
  }

  /** Returns the same failure with the key masked. */
  applyToFailure(failure: Failure): Failure {
    const { serviceMessage, fieldErrors, requestId, cause, ...numbers } = failure.facts;
    const facts: FailureFacts = {
      ...numbers,
      ...(serviceMessage !== undefined && { serviceMessage: this.apply(serviceMessage) }),
      ...(fieldErrors !== undefined && { fieldErrors: fieldErrors.map((each) => this.apply(each)) }),
      ...(requestId !== undefined && { requestId: this.apply(requestId) }),
      ...(cause !== undefined && { cause: this.apply(cause) }),
    };
    return new Failure(failure.code, facts);
  }

  /** Returns the ranges of the key, in ascending order. Merges overlapping and adjacent ranges. */
  #find(text: string): readonly TextRange[] {
    return merged(this.#matches(text));
  }

  #matches(text: string): readonly TextRange[] {
    const found: TextRange[] = [];
    const escaped = escapes.filter((each) => text.search(each) >= 0);
    const readings = [{ plain: text, starts: undefined }, ...escaped.map((each) => unescaped(text, each))];
    for (const { plain, starts } of readings) {
      const searched = lowerCase(plain);
      for (const form of this.#forms) {
        for (let at = searched.indexOf(form); at >= 0; at = searched.indexOf(form, at + 1)) {
          const end = at + form.length;
          found.push({ from: starts?.[at] ?? at, until: starts?.[end] ?? end });
        }
      }
    }
    return found;
  }
}

/** Returns the forms in which a key may be written, in lower case. */
function formsOf(key: string): readonly string[] {
  const bytes = Buffer.from(key, 'utf8');
  const encoded = key.length < minEncodedKey ? [] : [...base64Forms(bytes), bytes.toString('hex')];
  // HTML forms encode a space as a plus sign.
  return [key, key.replaceAll(' ', '+'), ...encoded].filter((form) => form !== '').map(lowerCase);
}

/** Returns the index where the content of a JSON string ends, or of a part that ends between characters. */
function endOfContent(text: string, start: number): number {
  let at = start;
  for (const end = Math.min(text.length, start + stepCharacters); at < end;) {
    const code = text.charCodeAt(at);
    if (code === quote) break;
    at += code !== backslash ? 1 : text.charCodeAt(at + 1) === letterU ? 6 : 2;
  }
  return Math.min(at, text.length);
}

/**
 * Returns a part of a text. If it may begin between a backslash and the backslash that it escapes, also returns it
 * from its second character on.
 */
function withoutFirst(part: string): readonly string[] {
  return part.startsWith('\\') ? [part, part.slice(1)] : [part];
}

/** Returns the value of a string's content. Returns the content itself if it is not valid JSON, which has not been checked. */
function contentValue(content: string): string {
  const value = content.includes('\\') ? parseJson(`"${content}"`) : content;
  return typeof value === 'string' ? value : content;
}

function contentText(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

function isWordStart(code: number): boolean {
  return code > space && !structure.includes(code);
}

/**
 * Returns the beginning of a text up to an offset with the ranges masked. Ranges that begin before the offset are
 * replaced as a whole.
 */
function withMasks(text: string, ranges: readonly TextRange[], end: number): string {
  let shown = '';
  let at = 0;
  for (const { from, until } of ranges) {
    if (from >= end) break;
    shown += text.slice(at, from) + mask;
    at = until;
  }
  return at < end ? shown + text.slice(at, end) : shown;
}

function merged(ranges: readonly TextRange[]): readonly TextRange[] {
  const all: { from: number; until: number }[] = [];
  for (const { from, until } of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last === undefined || from > last.until) all.push({ from, until });
    else last.until = Math.max(last.until, until);
  }
  return all;
}

/**
 * Returns the key in both base64 alphabets, at each of the three offsets within a group of bytes, without characters
 * that depend on adjacent bytes.
 */
function base64Forms(key: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), key])
      .toString('base64')
      .replace(/=+$/, '');
    const whole = text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + key.length) * 8) / 6));
    return [whole, whole.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** Converts to lower case and keeps the offsets: the capital I with a dot is the only letter that would become two. */
function lowerCase(text: string): string {
  return text.replaceAll('\u0130', 'i').toLowerCase();
}

const jsonEscape = /\\(?:u(?<hex>[\da-f]{4})|(?<character>["\\/]))/gi;
/**
 * The escapes of URLs, JSON and HTML, each of one ASCII character. Groups: its code in hexadecimal, its code in
 * decimal, the character itself, the name of its entity.
 */
const escapes = [
  /%(?<hex>[\da-f]{2})/gi,
  jsonEscape,
  /&(?:#x0{0,4}(?<hex>[\da-f]{1,2})|#0{0,4}(?<decimal>\d{1,3})|(?<entity>amp|lt|gt|quot|apos));/gi,
] as const;
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function characterOf(groups: Readonly<Record<string, string>> = {}): string {
  const { hex, decimal, character, entity = '' } = groups;
  const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
  return character ?? entities[entity.toLowerCase()] ?? String.fromCharCode(code);
}

/** Returns a text with escapes of one kind resolved. */
function resolved(text: string, escape: RegExp): string {
  let plain = '';
  let at = 0;
  for (const match of text.matchAll(escape)) {
    plain += text.slice(at, match.index) + characterOf(match.groups);
    at = match.index + match[0].length;
  }
  return plain + text.slice(at);
}

/** Returns a text with escapes of one kind resolved, and the original offset of each of its characters and of its end. */
function unescaped(text: string, escape: RegExp): { readonly plain: string; readonly starts: readonly number[] } {
  const starts: number[] = [];
  let plain = '';
  let at = 0;
  const copyTo = (end: number): void => {
    plain += text.slice(at, end);
    for (; at < end; at++) starts.push(at);
  };
  for (const match of text.matchAll(escape)) {
    copyTo(match.index);
    plain += characterOf(match.groups);
    starts.push(at);
    at += match[0].length;
  }
  copyTo(text.length);
  starts.push(at);
  return { plain, starts };
}

const letterU = 0x75;
/** The characters between strings and words: `,:[]{}`. */
const structure: readonly number[] = [comma, colon, openBracket, closeBracket, openBrace, closeBrace];
