/** Distinct values that a column may have before it is asked whether they repeat at all. */
const mostUnproved = 1000;
/** Most values of a dictionary, so that it stays small beside its codes. */
const mostValues = 60_000;
/** From this many jobs on, a value is shared by enough to say something of them, however many others there are. */
const amplySharing = 5;

/** What a value is in JSON that is kept as text here: `plain` is a number or a truth value. */
export type ValueForm = 'text' | 'plain' | 'list';

const formBits = { text: 1, plain: 2, list: 4 } as const satisfies Record<ValueForm, number>;

/**
 * The values of one field for all rows, as codes of a dictionary: code 0 is a missing value. A field whose values hardly ever repeat, such
 * as an id, is kept as text instead and has no codes. Rows are filled in ascending order; those that are left out are missing.
 */
export class ValueColumn {
  readonly key: string;
  /** The row of the first code. */
  #start = 0;
  #length = 0;
  #codes: Uint8Array | Uint16Array = new Uint8Array(0);
  #values: string[] = [''];
  #codeOf = new Map<string, number>();
  /** The bits of all forms that values had, by code; without codes, those of all. */
  #forms: number[] = [0];
  #allForms = 0;
  #hasOtherThanNumbers = false;
  #texts: TextRows | undefined;

  /** @param isUnique the values are known not to repeat */
  constructor(key: string, isUnique = false) {
    this.key = key;
    if (isUnique) this.#texts = new TextRows();
  }

  /** Whether rows have codes, so that they can be counted by value. */
  get isCoded(): boolean {
    return this.#texts === undefined;
  }

  /** Whether all values were numbers. */
  get isNumeric(): boolean {
    return this.#allForms === formBits.plain && !this.#hasOtherThanNumbers;
  }

  /** The values by code; the first stands for a missing one. */
  get values(): readonly string[] {
    return this.#values;
  }

  set(row: number, value: string, form: ValueForm = 'text'): void {
    this.#allForms |= formBits[form];
    if (this.#texts !== undefined) {
      this.#hasOtherThanNumbers ||= !isNumber(value);
      return this.#texts.set(row, value);
    }
    let code = this.#codeOf.get(value);
    if (code === undefined) {
      if (this.#isHardlyRepeated()) {
        this.#becomeTexts();
        return this.set(row, value, form);
      }
      code = this.#values.push(value) - 1;
      this.#codeOf.set(value, code);
      this.#hasOtherThanNumbers ||= !isNumber(value);
    }
    this.#forms[code] = (this.#forms[code] ?? 0) | formBits[form];
    if (this.#length === 0) this.#start = row;
    const place = row - this.#start;
    if (place >= this.#codes.length || (code > 255 && this.#codes instanceof Uint8Array)) this.#makeRoom(place, code);
    this.#codes[place] = code;
    this.#length = place + 1;
  }

  code(row: number): number {
    return this.#codes[row - this.#start] ?? 0;
  }

  /** Undefined where the row has none. */
  value(row: number): string | undefined {
    if (this.#texts !== undefined) return this.#texts.get(row);
    const code = this.code(row);
    return code === 0 ? undefined : this.#values[code];
  }

  /** The code of a value; undefined for one that no row has. A missing value has code 0. */
  codeOf(value: string | undefined): number | undefined {
    return value === undefined ? 0 : this.#codeOf.get(value);
  }

  /**
   * What a value is wherever rows have it; undefined where no row has it, or some have it as a number, say, and others as text. Without
   * codes, what all values are.
   */
  formOf(value: string): ValueForm | undefined {
    const code = this.#codeOf.get(value);
    const bits = this.isCoded ? code !== undefined && this.#forms[code] : this.#allForms;
    return (['text', 'plain', 'list'] as const).find((form) => formBits[form] === bits);
  }

  /** Copies the codes of the first rows to an array that has room for them. */
  copyCodes(codes: Uint16Array): void {
    codes.fill(0);
    if (this.#start < codes.length) {
      codes.set(this.#codes.subarray(0, Math.min(this.#length, codes.length - this.#start)), this.#start);
    }
  }

  /** How many of these rows have each code. */
  countCodes(rows: Uint32Array): Uint32Array {
    const counts = new Uint32Array(this.#values.length);
    const [codes, start, length] = [this.#codes, this.#start, this.#length];
    for (let index = 0; index < rows.length; index++) {
      const place = (rows[index] ?? 0) - start;
      const code = place >= 0 && place < length ? (codes[place] ?? 0) : 0;
      counts[code] = (counts[code] ?? 0) + 1;
    }
    return counts;
  }

  /** Gives back room that was kept for further rows. */
  trim(): void {
    this.#codes = this.#codes.slice(0, this.#length);
    this.#texts?.trim();
  }

  #isHardlyRepeated(): boolean {
    const distinct = this.#values.length - 1;
    return distinct >= mostValues || (distinct >= mostUnproved && distinct * 4 > this.#length);
  }

  #becomeTexts(): void {
    const texts = new TextRows();
    for (let place = 0; place < this.#length; place++) {
      const code = this.#codes[place] ?? 0;
      if (code > 0) texts.set(place + this.#start, this.#values[code] ?? '');
    }
    this.#texts = texts;
    this.#codes = new Uint8Array(0);
    this.#values = [''];
    this.#codeOf = new Map();
    this.#forms = [];
    this.#length = 0;
  }

  #makeRoom(place: number, code: number): void {
    const length = place < this.#codes.length ? this.#codes.length : Math.max(64, (place + 1) * 2);
    const isWide = code > 255 || this.#codes instanceof Uint16Array;
    const codes = isWide ? new Uint16Array(length) : new Uint8Array(length);
    codes.set(this.#codes.subarray(0, this.#length));
    this.#codes = codes;
  }
}

function isNumber(value: string): boolean {
  return value !== '' && Number.isFinite(Number(value));
}

/** Marks the end of a text that is missing. */
const missing = 0x80_00_00_00;

/** Texts of rows in ascending order, one byte a character where that is enough. The first text of a row counts. */
class TextRows {
  #start = -1;
  #bytes = new Uint8Array(0);
  #used = 0;
  /** Where the text of each row ends, or {@link missing} with where the one before it does. */
  #ends = new Uint32Array(0);
  #rows = 0;
  /** Texts with characters of more than a byte. */
  readonly #wide = new Map<number, string>();

  set(row: number, text: string): void {
    if (this.#start < 0) this.#start = row;
    const place = row - this.#start;
    if (place < this.#rows) return;
    if (place >= this.#ends.length) this.#ends = grown(this.#ends, new Uint32Array(Math.max(64, (place + 1) * 2)));
    for (; this.#rows < place; this.#rows++) this.#ends[this.#rows] = this.#used + missing;
    if (/[^\0-\u00ff]/u.test(text)) this.#wide.set(place, text);
    else {
      const end = this.#used + text.length;
      if (end > this.#bytes.length) this.#bytes = grown(this.#bytes, new Uint8Array(Math.max(1024, end * 2)));
      for (let index = 0; index < text.length; index++) this.#bytes[this.#used + index] = text.charCodeAt(index);
      this.#used = end;
    }
    this.#ends[place] = this.#used;
    this.#rows = place + 1;
  }

  get(row: number): string | undefined {
    const place = row - this.#start;
    if (this.#start < 0 || place < 0 || place >= this.#rows) return undefined;
    const end = this.#ends[place] ?? missing;
    if (end >= missing) return undefined;
    const wide = this.#wide.get(place);
    if (wide !== undefined) return wide;
    const start = place === 0 ? 0 : (this.#ends[place - 1] ?? 0) % missing;
    return String.fromCharCode(...this.#bytes.subarray(start, end));
  }

  trim(): void {
    this.#bytes = this.#bytes.slice(0, this.#used);
    this.#ends = this.#ends.slice(0, this.#rows);
  }
}

function grown<A extends Uint8Array | Uint32Array | Float64Array>(from: A, to: A): A {
  to.set(from);
  return to;
}

/** Times in milliseconds since the epoch, or durations, by row; NaN where there is none. */
export class NumberColumn {
  #numbers = new Float64Array(0);
  #length = 0;

  push(value: number | undefined): void {
    if (this.#length === this.#numbers.length) {
      this.#numbers = grown(this.#numbers, new Float64Array(Math.max(64, this.#length * 2)));
    }
    this.#numbers[this.#length++] = value ?? NaN;
  }

  /** As long as there are rows. */
  get numbers(): Float64Array {
    return this.#numbers.subarray(0, this.#length);
  }

  trim(): void {
    this.#numbers = this.#numbers.slice(0, this.#length);
  }
}

/**
 * Whether enough jobs have a value for it to tell them apart from others. A value of one job, such as its name, tells nothing.
 * @param having how many jobs have the value
 * @param all how many jobs there are
 */
export function isShared(having: number, all: number): boolean {
  return having >= Math.max(2, Math.min(amplySharing, all / 10));
}
