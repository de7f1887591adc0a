/** A value that JSON can express (RFC 8259). */
export type JsonValue = null | boolean | number | ExactNumber | string | readonly JsonValue[] | JsonObject;

/** A number whose text a double would change, such as 12345678901234567890, 1.50 or 1e3. `JSON.stringify` writes the text. */
export interface ExactNumber {
  readonly rawJSON: string;
}

declare global {
  /** Types of the proposal "JSON.parse source text access", which Node 22 and the editor's pages support. */
  interface JSON {
    rawJSON(text: string): ExactNumber;
    isRawJSON(value: unknown): value is ExactNumber;
  }
}

/** A JSON object, called "object" in contract 2.2. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Parses JSON; undefined if the text is not valid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** True if a value from outside is a JSON object (not null, not an array, not a number that is kept as text). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value);
}

/**
 * Returns the number that a JSON text denotes: a double if that is written in the same way, else the text. Undefined
 * for other texts.
 */
export function toJsonNumber(text: string): number | ExactNumber | undefined {
  const value = Number(text);
  if (String(value) === text && Number.isFinite(value)) return value;
  return typeof parseJson(text) === 'number' ? JSON.rawJSON(text.trim()) : undefined;
}

/** Returns a number as a double, also one that is kept as text; undefined for other values. */
export function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return JSON.isRawJSON(value) ? Number(value.rawJSON) : undefined;
}

/** A text, a number or a boolean; numbers keep their text. */
export type PlainValue = string | number | ExactNumber | boolean;

export function isPlainValue(value: unknown): value is PlainValue {
  return ['string', 'number', 'boolean'].includes(typeof value) || JSON.isRawJSON(value);
}

/** Returns a plain value as text; a number as it was written. */
export function writtenText(value: PlainValue): string {
  return JSON.isRawJSON(value) ? value.rawJSON : String(value);
}

/** Returns a plain value, or a list of plain values, as one text; undefined for anything else. */
export function flatText(value: unknown): string | undefined {
  if (isPlainValue(value)) return writtenText(value);
  if (!isArray(value)) return undefined;
  return value.map((each) => (isPlainValue(each) ? writtenText(each) : '…')).join(', ');
}

/** `Array.isArray` that narrows `unknown` to `unknown[]` instead of `any[]`. */
export function isArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** Path from the root to a value: member names and element indexes. */
export type JsonPath = readonly (string | number)[];
