import { t } from '@vscode/l10n';
import {
  anything,
  attempt,
  flag,
  integer,
  jsonObject,
  list,
  text,
  Undecodable,
  word,
  type Decoder,
} from './decoder.ts';
import type { JsonObject } from '../json/json.ts';

/** The usable part of a setting's value, and a sentence for each problem. If `value` is undefined, the default is used. */
export interface SettingReading<T> {
  readonly value: T | undefined;
  readonly problems: readonly string[];
}

/** The allowed values of a setting: a reader, and the same bounds as in `package.json`. */
export interface SettingShape<T> {
  readonly schema: JsonObject;
  readonly read: (value: unknown) => SettingReading<T>;
}

/** The type of a setting with this shape. */
export type SettingValue<S> = S extends SettingShape<infer T> ? T : never;

/** Returns a setting whose values a decoder accepts. @param expected returns the sentence that describes the expected value. */
export function decodedSetting<T>(schema: JsonObject, decode: Decoder<T>, expected: () => string): SettingShape<T> {
  return {
    schema,
    read: (value) => {
      const read = attempt(decode, value);
      return read instanceof Undecodable ? unusable(expected()) : usable(read);
    },
  };
}

export const booleanSetting = decodedSetting({ type: 'boolean' }, flag, () => t('It must be true or false.'));

export function integerSetting(minimum: number, maximum?: number): SettingShape<number> {
  const schema = { type: 'integer', minimum, ...(maximum !== undefined && { maximum }) };
  return decodedSetting(schema, integer(minimum, maximum ?? Number.MAX_SAFE_INTEGER), () =>
    maximum === undefined
      ? t('It must be a whole number of at least {0}.', minimum)
      : t('It must be a whole number from {0} to {1}.', minimum, maximum),
  );
}

/** 0, which turns something off, or an integer within bounds. */
export function zeroOrIntegerSetting(minimum: number, maximum: number): SettingShape<number> {
  const within = integer(minimum, maximum);
  const schema = { type: 'integer', minimum: 0, maximum, anyOf: [{ const: 0 }, { minimum }] };
  return decodedSetting(
    schema,
    (value, path) => (value === 0 ? 0 : within(value, path)),
    () => t('It must be 0 or a whole number from {0} to {1}.', minimum, maximum),
  );
}

/** @param pattern as in JSON Schema: matches anywhere in the text unless anchored. */
export function textSetting(pattern?: string): SettingShape<string> {
  const schema = { type: 'string', ...(pattern !== undefined && { pattern }) };
  const expression = new RegExp(pattern ?? '', 'u');
  return refinedSetting(
    decodedSetting(schema, text, () => t('It must be a string.')),
    (written) => (expression.test(written) ? usable(written) : unusable(t('It must match {0}.', pattern ?? ''))),
  );
}

/** Adds a further check or conversion to a shape. */
export function refinedSetting<T, U>(shape: SettingShape<T>, refine: (value: T) => SettingReading<U>): SettingShape<U> {
  return {
    schema: shape.schema,
    read: (value) => {
      const { value: read, problems } = shape.read(value);
      if (read === undefined) return { value: undefined, problems };
      const refined = refine(read);
      return { ...refined, problems: [...problems, ...refined.problems] };
    },
  };
}

export function choiceSetting<const W extends string>(...words: readonly W[]): SettingShape<W> {
  return decodedSetting({ type: 'string', enum: words }, word(...words), () =>
    t('It must be one of: {0}.', words.join(', ')),
  );
}

/** Maximum number of entries that are read of a list or an object. A folder that is not trusted may have any number. */
const maxEntries = 200;

/** A list whose elements are checked later; `items` is their schema. */
export function anyListSetting(items: JsonObject = {}): SettingShape<readonly unknown[]> {
  return refinedSetting(
    decodedSetting({ type: 'array', items }, list(anything), () => t('It must be a list.')),
    firstEntries,
  );
}

function firstEntries<T>(entries: readonly T[]): SettingReading<readonly T[]> {
  return entries.length <= maxEntries
    ? usable(entries)
    : { value: entries.slice(0, maxEntries), problems: [t('Only the first {0} entries are used.', maxEntries)] };
}

/** A list. Unusable elements are skipped and reported. */
export function listSetting<T>(element: SettingShape<T>): SettingShape<readonly T[]> {
  return refinedSetting(anyListSetting(element.schema), (written) => {
    const readings = written.map((each) => element.read(each));
    return {
      value: readings.flatMap((each) => (each.value === undefined ? [] : [each.value])),
      problems: readings.flatMap((each, index) => located(t('Entry {0}', index + 1), each.problems)),
    };
  });
}

/** An object with any keys and values of one shape. Unusable entries are skipped and reported. */
export function dictionarySetting<T>(element: SettingShape<T>): SettingShape<ReadonlyMap<string, T>> {
  const schema = { type: 'object', additionalProperties: element.schema };
  return refinedSetting(
    decodedSetting(schema, jsonObject, () => t('It must be an object.')),
    (written) => {
      const keys: string[] = [];
      for (const key in written) if (keys.push(key) > maxEntries) break;
      const { value: used = [], problems } = firstEntries(keys);
      const readings = used.map((key) => ({ key, ...element.read(written[key]) }));
      return {
        value: new Map(readings.flatMap((each) => (each.value === undefined ? [] : [[each.key, each.value]]))),
        problems: [...problems, ...readings.flatMap((each) => located(each.key, each.problems))],
      };
    },
  );
}

export function usable<T>(value: T): SettingReading<T> {
  return { value, problems: [] };
}

export function unusable(problem: string): SettingReading<never> {
  return { value: undefined, problems: [problem] };
}

function located(place: string, problems: readonly string[]): readonly string[] {
  return problems.map((problem) => `${place}: ${problem}`);
}
