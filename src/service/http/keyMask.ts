import { Failure, type FailureFacts } from '../../domain/failure.ts';

/** Replaces the key. */
const mask = '•••';

/** Parts of the key of at least this many characters are masked, too. */
const shortestPart = 8;

/** The same for text reduced to letters and digits, where separate words are joined. */
const shortestSqueezedPart = 12;

/** Longest part of a key that is too short to recognise (seven characters), fully escaped. */
const longestRest = 8 * 16;

/** Characters to mask for a one-line message: markup and white space may be the greater part. */
const beginningCharacters = 20_000;

/** Maximum number of nested escapes to decode: a text in JSON in a URL has two. */
const maxLayers = 3;

/** All substrings of a certain length that occur only in texts with a part of the key. */
interface Runs {
  readonly size: number;
  readonly all: ReadonlySet<string>;
}

/**
 * Masks one key, and every part of it of at least eight characters, in texts from a service: plain, in upper or lower case,
 * escaped for JSON, URLs or HTML in up to three layers, in base64 (once or twice) or base64url at any offset, in hexadecimal,
 * and with blanks, punctuation or invisible characters in between. The cost grows with the text, so truncate a text before
 * masking it.
 */
export class KeyMask {
  readonly #runs: readonly Runs[];
  /** For texts reduced to letters and digits. */
  readonly #squeezedRuns: readonly Runs[];

  constructor(key: string) {
    const plain = lowerCase(key);
    const size = Math.min(shortestPart, plain.length);
    // HTML forms encode a space as a plus sign.
    const runs = [runsOf([plain, plain.replaceAll(' ', '+')], size)];
    if (key.length >= shortestPart) {
      const bytes = [Buffer.from(key, 'utf8'), Buffer.from(key, 'latin1')];
      const twice = bytes.flatMap((each) => base64Forms(Buffer.from(each.toString('base64'))));
      const hex = bytes.map((each) => each.toString('hex'));
      // At any offset, eight bytes completely determine at least ten base64 characters.
      runs.push(runsOf([...bytes.flatMap(base64Forms), ...twice].map(lowerCase), 10), runsOf(hex, 2 * shortestPart));
      this.#squeezedRuns = [runsOf([squeeze(key)], shortestSqueezedPart), runsOf(hex, 2 * shortestPart)];
    } else this.#squeezedRuns = [];
    this.#runs = runs;
  }

  /** A text for people to read, with the key masked. If the key is escaped in it, the result is unescaped. */
  apply(text: string): string {
    let shown = text;
    for (let round = 0; round < maxLayers; round++) {
      let most = { masked: 0, text: shown };
      for (let layer = shown, depth = 0; depth <= maxLayers; depth++) {
        const found = this.#applyToLayer(layer);
        if (found.masked > most.masked) most = found;
        const next = unescaped(layer);
        if (next === layer) break;
        layer = next;
      }
      if (most.masked === 0) break;
      shown = most.text;
    }
    // What remains is obfuscated or nested more deeply; such a text is masked completely.
    return this.holds(shown) ? mask : shown;
  }

  /**
   * The beginning of a text, masked. Truncated before masking, so that the work is bounded; a part of the key that the cut
   * left at the end is removed, too.
   * @param isCut whether the text was truncated already.
   */
  applyToBeginning(text: string, isCut = false): string {
    if (text.length <= beginningCharacters && !isCut) return this.apply(text);
    const masked = this.apply(text.slice(0, beginningCharacters));
    // What was recognised cannot be the rest of a key that the cut left, however much of the text it was.
    const lastMask = masked.lastIndexOf(mask);
    const known = lastMask < 0 ? 0 : lastMask + mask.length;
    return masked.slice(0, Math.max(known, masked.length - longestRest));
  }

  /** Whether a text contains the key or a part of it, escaped or not, or with other characters in between. */
  holds(text: string): boolean {
    for (let layer = text, depth = 0; depth <= maxLayers; depth++) {
      if (findRuns(lowerCase(layer), this.#runs).length > 0) return true;
      if (findRuns(squeeze(layer), this.#squeezedRuns).length > 0) return true;
      const next = unescaped(layer);
      if (next === layer) break;
      layer = next;
    }
    return false;
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

  /** @returns the text with the key masked, but not unescaped, and the number of masked characters. */
  #applyToLayer(text: string): { readonly masked: number; readonly text: string } {
    let shown = '';
    let masked = 0;
    let kept = 0;
    for (const { from, until } of findRuns(lowerCase(text), this.#runs)) {
      shown += text.slice(kept, from) + mask;
      masked += until - from;
      kept = until;
    }
    return { masked, text: shown + text.slice(kept) };
  }
}

/** The ranges of a text that contain runs, in ascending order; adjacent ranges are merged. */
function findRuns(text: string, runs: readonly Runs[]): readonly { readonly from: number; readonly until: number }[] {
  const found: { from: number; until: number }[] = [];
  for (let at = 0; at < text.length; at++) {
    for (const { size, all } of runs) {
      if (at + size > text.length || !all.has(text.slice(at, at + size))) continue;
      const last = found.at(-1);
      if (last === undefined || at > last.until) found.push({ from: at, until: at + size });
      else last.until = Math.max(last.until, at + size);
    }
  }
  return found;
}

function runsOf(forms: readonly string[], size: number): Runs {
  const all = new Set<string>();
  if (size > 0) {
    for (const form of forms) {
      for (let at = 0; at + size <= form.length; at++) all.add(form.slice(at, at + size));
    }
  }
  return { size, all };
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

/** Letters and digits only, in lower case and normal width. */
function squeeze(text: string): string {
  return lowerCase(text.normalize('NFKC')).replace(/[^a-z0-9]+/g, '');
}

/** Changes ASCII letters only, so that the offsets of all characters stay the same. */
function lowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Escapes of JSON, URLs and HTML, including those of characters that need none. */
const escapes =
  /\\u([\da-f]{4})|\\x([\da-f]{2})|\\(["\\/])|((?:%[\da-f]{2})+)|&#(\d{1,7});|&#x([\da-f]{1,6});|&(amp|lt|gt|quot|apos);/gi;
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Removes one layer of escapes of any kind. */
function unescaped(text: string): string {
  return text.replace(escapes, (whole: string, ...groups: readonly (string | undefined)[]) => {
    const [unicode, byte, character, bytes, decimal, hex, entity = ''] = groups;
    if (character !== undefined) return character;
    if (bytes !== undefined) return Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8');
    const code = decimal === undefined ? parseInt(unicode ?? byte ?? hex ?? '', 16) : Number(decimal);
    return entities[entity.toLowerCase()] ?? (code <= 0x10_ffff ? String.fromCodePoint(code) : whole);
  });
}
