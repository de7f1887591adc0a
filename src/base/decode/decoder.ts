import { isArray, isJsonObject, type JsonObject } from '../json/json.ts';

/** Validates a value of unknown type; throws {@link Undecodable} when it is invalid. */
export type Decoder<T> = (value: unknown, path?: string) => T;

/** The type that a decoder returns, so that message types are declared only once. */
export type Decoded<D> = D extends Decoder<infer T> ? T : never;

/** Thrown for an invalid value. The message gives its path and the expected type, and never contains the value. */
export class Undecodable extends Error {
  override readonly name = 'Undecodable';
}

/** Decodes without throwing. Returns the result or the error. */
export function attempt<T>(decode: Decoder<T>, value: unknown): T | Undecodable {
  try {
    return decode(value);
  } catch (error) {
    if (error instanceof Undecodable) return error;
    throw error;
  }
}

export const text: Decoder<string> = (value, path = '') => {
  if (typeof value !== 'string') throw new Undecodable(`${path}: expected a text`);
  return value;
};

/** Decodes a text of at most `max` characters. */
export function shortText(max: number): Decoder<string> {
  return (value, path = '') => {
    if (typeof value !== 'string' || value.length > max) throw new Undecodable(`${path}: expected a short text`);
    return value;
  };
}

/** Decodes the URI of a file or folder. The editor's `Uri.parse` throws for some other texts. */
export const uriText: Decoder<string> = (value, path = '') => {
  const read = text(value, path);
  if (!/^[a-z][\w+.-]*:(?:\/\/[^/]*)?\/(?!\/)/iu.test(read)) throw new Undecodable(`${path}: expected a URI`);
  return read;
};

export const number: Decoder<number> = (value, path = '') => {
  if (typeof value !== 'number') throw new Undecodable(`${path}: expected a number`);
  return value;
};

/** In milliseconds: a day less than a `Date` can hold, for margins. */
const maxTimeMs = 8_639_999_000_000_000;

/** Decodes a time in milliseconds since the epoch that a `Date` can hold. */
export const time: Decoder<number> = (value, path = '') => {
  const read = number(value, path);
  if (Math.abs(read) > maxTimeMs) throw new Undecodable(`${path}: expected a time`);
  return read;
};

/** Decodes an integer within inclusive bounds; without them, any integer. */
export function integer(min = -Infinity, max = Infinity): Decoder<number> {
  return (value, path = '') => {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
      const bounds = min === -Infinity && max === Infinity ? '' : ` from ${min} to ${max}`;
      throw new Undecodable(`${path}: expected a whole number${bounds}`);
    }
    return value;
  };
}

export const flag: Decoder<boolean> = (value, path = '') => {
  if (typeof value !== 'boolean') throw new Undecodable(`${path}: expected true or false`);
  return value;
};

/** Decodes one of a fixed set of strings. */
export function word<const W extends string>(...words: readonly W[]): Decoder<W> {
  return (value, path = '') => {
    const found = words.find((each) => each === value);
    if (found === undefined) throw new Undecodable(`${path}: expected one of ${words.join(', ')}`);
    return found;
  };
}

/** Decodes the version number of a stored format. Any other number was written by a different version of the product. */
export function formVersion(ours: number): Decoder<number> {
  return (value, path = '') => {
    if (value !== ours) throw new Undecodable(`${path}: expected ${ours}`);
    return ours;
  };
}

/** Decodes an optional value. Null and a missing key are undefined, because messages are sent as JSON. */
export function optional<T>(decode: Decoder<T>): Decoder<T | undefined> {
  return (value, path) => (value === undefined || value === null ? undefined : decode(value, path));
}

/** @param max number of elements; required if the list may come from anyone. */
export function list<T>(decode: Decoder<T>, max = Infinity): Decoder<readonly T[]> {
  return (value, path = '') => {
    if (!isArray(value)) throw new Undecodable(`${path}: expected a list`);
    if (value.length > max) throw new Undecodable(`${path}: expected at most ${max} entries`);
    return value.map((each, index) => decode(each, `${path}[${index}]`));
  };
}

/** Any object. */
export const jsonObject: Decoder<JsonObject> = (value, path = '') => {
  if (!isJsonObject(value)) throw new Undecodable(`${path}: expected an object`);
  return value;
};

/** Any value. */
export const anything: Decoder<unknown> = (value) => value;

/** Decodes an object with arbitrary keys and values of one type. */
export function dictionary<T>(decode: Decoder<T>): Decoder<Readonly<Record<string, T>>> {
  return (value, path = '') =>
    Object.fromEntries(
      Object.entries(jsonObject(value, path)).map(([key, each]) => [key, decode(each, `${path}.${key}`)]),
    );
}

type Fields = Readonly<Record<string, Decoder<unknown>>>;
type RecordOf<F extends Fields> = { readonly [K in keyof F]: Decoded<F[K]> };

/** Decodes an object with these fields; unknown ones are dropped. */
export function record<const F extends Fields>(fields: F): Decoder<RecordOf<F>> {
  const decoders = Object.entries(fields);
  return (value, path = '') => {
    const source = jsonObject(value, path);
    const read: Record<string, unknown> = {};
    for (const [key, decode] of decoders) read[key] = decode(source[key], `${path}.${key}`);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the line above set every key of F by its own decoder
    return read as RecordOf<F>;
  };
}

type ChoiceOf<C extends Readonly<Record<string, Fields>>> = {
  readonly [K in keyof C]: { readonly type: K } & RecordOf<C[K]>;
}[keyof C];

/** Decodes a union discriminated by `type`. */
export function choice<const C extends Readonly<Record<string, Fields>>>(choices: C): Decoder<ChoiceOf<C>> {
  const decoders = new Map(Object.entries(choices).map(([type, fields]) => [type, record(fields)]));
  return (value, path = '') => {
    const type = jsonObject(value, path)['type'];
    const decode = typeof type === 'string' ? decoders.get(type) : undefined;
    if (decode === undefined) throw new Undecodable(`${path}.type: expected one of ${Object.keys(choices).join(', ')}`);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `type` is a key of C and the rest is read by C[type]
    return { type, ...decode(value, path) } as ChoiceOf<C>;
  };
}
