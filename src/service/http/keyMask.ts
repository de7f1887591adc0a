import { Failure, type FailureFacts } from '../../domain/failure.ts';

/** Replaces the key. */
const mask = '•••';

/** Shorter keys are masked unencoded only: their encoded forms are so short that other texts contain them by chance. */
const minEncodedKey = 8;

/** Characters to mask for a one-line message: markup and white space may be the greater part. */
const beginningCharacters = 20_000;

/** Maximum length of a character of the key in any form: `\u002b`, `&#x2b;`. */
const maxCharacterLength = 6;

/** A part of a text: from a character up to, but not including, another. */
interface TextRange {
  readonly from: number;
  readonly until: number;
}

/**
 * Masks one key in texts from a service: as it is, in any letter case; escaped for URLs, JSON or HTML; in base64 or base64url,
 * also within a longer encoded text; in hexadecimal. The README lists these forms. The cost grows with the text.
 */
export class KeyMask {
  /** In lower case. */
  readonly #forms: readonly string[];
  readonly #maxLength: number;

  constructor(key: string) {
    const bytes = Buffer.from(key, 'utf8');
    const encoded = key.length < minEncodedKey ? [] : [...base64Forms(bytes), bytes.toString('hex')];
    // HTML forms encode a space as a plus sign.
    const forms = [key, key.replaceAll(' ', '+'), ...encoded].filter((form) => form !== '');
    this.#forms = [...new Set(forms.map(lowerCase))];
    this.#maxLength = key.length * maxCharacterLength;
  }

  /** The text with the key masked. */
  apply(text: string): string {
    return withMasks(text, this.#find(text), text.length);
  }

  /**
   * The beginning of a text, masked. The work is bounded; what may be a part of the key that a cut has left is removed.
   * @param isCut whether the text was truncated already.
   */
  applyToBeginning(text: string, isCut = false): string {
    const found = this.#find(text.slice(0, beginningCharacters + this.#maxLength));
    const known = isCut ? Math.max(text.length - this.#maxLength, found.at(-1)?.until ?? 0) : text.length;
    return withMasks(text, found, Math.min(known, beginningCharacters));
  }

  /** Whether a text contains the key. */
  holds(text: string): boolean {
    return this.#find(text).length > 0;
  }

  /** The same failure with the key masked. */
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

  /** Where the key is, in ascending order; overlapping and adjacent ranges are merged. */
  #find(text: string): readonly TextRange[] {
    const found: TextRange[] = [];
    const escaped = escapes.filter((each) => text.search(each) >= 0);
    const readings = [{ plain: text, starts: undefined }, ...escaped.map((each) => unescaped(text, each))];
    for (const { plain, starts } of readings) {
      const searched = lowerCase(plain);
      for (const form of this.#forms) {
        for (let at = searched.indexOf(form); at >= 0; at = searched.indexOf(form, at + form.length)) {
          const end = at + form.length;
          found.push({ from: starts?.[at] ?? at, until: starts?.[end] ?? end });
        }
      }
    }
    return merged(found);
  }
}

/** The beginning of a text up to an offset; ranges that begin before it are replaced as a whole. */
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
 * Both base64 alphabets, at each of the three offsets within a group of bytes, without characters that depend on adjacent
 * bytes.
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

/** Changes ASCII letters only, so that the offsets of all characters stay the same. */
function lowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/**
 * The escapes of URLs, JSON and HTML, each of one ASCII character. Groups: its code in hexadecimal, its code in decimal, the
 * character itself, the name of its entity.
 */
const escapes = [
  /%(?<hex>[\da-f]{2})/gi,
  /\\(?:u(?<hex>[\da-f]{4})|(?<character>["\\/]))/gi,
  /&(?:#x0{0,4}(?<hex>[\da-f]{1,2})|#0{0,4}(?<decimal>\d{1,3})|(?<entity>amp|lt|gt|quot|apos));/gi,
] as const;
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** A text with escapes of one kind resolved, and where each of its characters, and its end, is in the original. */
function unescaped(text: string, escape: RegExp): { readonly plain: string; readonly starts: readonly number[] } {
  const starts: number[] = [];
  let plain = '';
  let at = 0;
  const copyTo = (end: number): void => {
    plain += text.slice(at, end);
    for (; at < end; at++) starts.push(at);
  };
  for (const match of text.matchAll(escape)) {
    const { hex, decimal, character, entity = '' } = match.groups ?? {};
    copyTo(match.index);
    const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
    plain += character ?? entities[entity.toLowerCase()] ?? String.fromCharCode(code);
    starts.push(at);
    at += match[0].length;
  }
  copyTo(text.length);
  starts.push(at);
  return { plain, starts };
}
