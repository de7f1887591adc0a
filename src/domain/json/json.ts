/** A value that JSON can express (RFC 8259). */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object, called "object" in contract 2.2. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Parses JSON; undefined when the text is not valid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a value from outside is a JSON object (not null, not an array). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `Array.isArray` that narrows `unknown` to `unknown[]` instead of `any[]`. */
export function isArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
