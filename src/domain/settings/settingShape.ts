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
} from '../decode/decoder.ts';
import type { JsonObject } from '../json/json.ts';

/** What is usable of a setting's value, and sentences about the rest. No value: the default counts. */
export interface SettingReading<T> {
  readonly value: T | undefined;
  readonly problems: readonly string[];
}

/** What values a setting may have: how to read one, and the same bounds as `package.json` declares them. */
export interface SettingShape<T> {
  readonly schema: JsonObject;
  readonly read: (value: unknown) => SettingReading<T>;
}

/** What reading by a shape gives. */
export type SettingValue<S> = S extends SettingShape<infer T> ? T : never;

/** Values that a decoder reads. @param expected the sentence about any other, asked for when it is needed. */
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

export function integerSetting(minimum: number, maximum: number): SettingShape<number> {
  return decodedSetting({ type: 'integer', minimum, maximum }, integer(minimum, maximum), () =>
    t('It must be a whole number from {0} to {1}.', minimum, maximum),
  );
}

/** @param pattern as in JSON Schema: found anywhere unless anchored. */
export function textSetting(pattern?: string): SettingShape<string> {
  const schema = { type: 'string', ...(pattern !== undefined && { pattern }) };
  const expression = new RegExp(pattern ?? '', 'u');
  return refinedSetting(
    decodedSetting(schema, text, () => t('It must be a text.')),
    (written) => (expression.test(written) ? usable(written) : unusable(t('It must match {0}.', pattern ?? ''))),
  );
}

/** The same values as another shape has, read further. */
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

/** A list of anything, as far as its schema allows. */
export function anyListSetting(items: JsonObject = {}): SettingShape<readonly unknown[]> {
  return decodedSetting({ type: 'array', items }, list(anything), () => t('It must be a list.'));
}

/** A list; elements that cannot be used are left out, and said so. */
export function listSetting<T>(element: SettingShape<T>): SettingShape<readonly T[]> {
  return refinedSetting(anyListSetting(element.schema), (written) => {
    const readings = written.map((each) => element.read(each));
    return {
      value: readings.flatMap((each) => (each.value === undefined ? [] : [each.value])),
      problems: readings.flatMap((each, index) => located(t('Entry {0}', index + 1), each.problems)),
    };
  });
}

/** An object with any keys and values of one shape; entries that cannot be used are left out, and said so. */
export function dictionarySetting<T>(element: SettingShape<T>): SettingShape<ReadonlyMap<string, T>> {
  const schema = { type: 'object', additionalProperties: element.schema };
  return refinedSetting(
    decodedSetting(schema, jsonObject, () => t('It must be an object.')),
    (written) => {
      const readings = Object.entries(written).map(([key, each]) => ({ key, ...element.read(each) }));
      return {
        value: new Map(readings.flatMap((each) => (each.value === undefined ? [] : [[each.key, each.value]]))),
        problems: readings.flatMap((each) => located(each.key, each.problems)),
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
