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

/** Runs of characters, all of one size, that only texts with a part of the key in them hold. */
interface Runs {
  readonly size: number;
  readonly all: ReadonlySet<string>;
}

/**
 * Finds one key, and every part of it of eight characters or more, in what a service says: as it is, in upper or lower case,
 * escaped for JSON, URLs or HTML in up to three layers, in base64 (once or twice) or base64url at any offset, in hexadecimal, and
 * spread out by blanks, signs or invisible characters.
 * The work grows with the text: cut first, mask second.
 */
export class KeyMask {
  readonly #runs: readonly Runs[];
  /** Of texts of which only letters and digits are left. */
  readonly #squeezedRuns: readonly Runs[];

  constructor(key: string) {
    const plain = lowerCase(key);
    const size = Math.min(shortestPart, plain.length);
    // What a form writes for a space is a plus sign.
    const runs = [runsOf([plain, plain.replaceAll(' ', '+')], size)];
    if (key.length >= shortestPart) {
      const bytes = [Buffer.from(key, 'utf8'), Buffer.from(key, 'latin1')];
      const twice = bytes.flatMap((each) => base64Forms(Buffer.from(each.toString('base64'))));
      const hex = bytes.map((each) => each.toString('hex'));
      // Eight bytes fill at least ten characters of base64, whatever stands before them.
      runs.push(runsOf([...bytes.flatMap(base64Forms), ...twice].map(lowerCase), 10), runsOf(hex, 2 * shortestPart));
      this.#squeezedRuns = [runsOf([squeeze(key)], shortestSqueezedPart), runsOf(hex, 2 * shortestPart)];
    } else this.#squeezedRuns = [];
    this.#runs = runs;
  }

  /**
   * A text for people to read, without the key. Where the key stands in it escaped, the text comes back without escapes.
   */
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
   * The beginning of a text, masked. Truncated before masking, so that the work is bounded; a part of the key that the cut left at
   * the end is removed, too.
   * @param isCut the text is a beginning already.
   */
  applyToBeginning(text: string, isCut = false): string {
    if (text.length <= beginningCharacters && !isCut) return this.apply(text);
    return this.apply(text.slice(0, beginningCharacters)).slice(0, -longestRest);
  }

  /** Whether the key or a part of it stands in a text, escaped or not, or spread out by other characters. */
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

  /** @returns the text as it stands, masked, and how many of its characters were. */
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

/** Where runs stand in a text, in order; those that touch are one. */
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

/** Both alphabets, at each of the three places in a group of bytes; without the characters that neighbours share in. */
function base64Forms(key: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), key])
      .toString('base64')
      .replace(/=+$/, '');
    const whole = text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + key.length) * 8) / 6));
    return [whole, whole.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** Letters and digits alone, in one case and width. */
function squeeze(text: string): string {
  return lowerCase(text.normalize('NFKC')).replace(/[^a-z0-9]+/g, '');
}

/** ASCII alone, so that every character keeps its place. */
function lowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** What JSON, URLs and HTML write for a character that they could write as it is. */
const escapes =
  /\\u([\da-f]{4})|\\x([\da-f]{2})|\\(["\\/])|((?:%[\da-f]{2})+)|&#(\d{1,7});|&#x([\da-f]{1,6});|&(amp|lt|gt|quot|apos);/gi;
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** A text without one layer of escapes, whichever they are. */
function unescaped(text: string): string {
  return text.replace(escapes, (whole: string, ...groups: readonly (string | undefined)[]) => {
    const [unicode, byte, character, bytes, decimal, hex, entity = ''] = groups;
    if (character !== undefined) return character;
    if (bytes !== undefined) return Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8');
    const code = decimal === undefined ? parseInt(unicode ?? byte ?? hex ?? '', 16) : Number(decimal);
    return entities[entity.toLowerCase()] ?? (code <= 0x10_ffff ? String.fromCodePoint(code) : whole);
  });
}
