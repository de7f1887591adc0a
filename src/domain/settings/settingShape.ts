import { t } from '@vscode/l10n';
import { isJsonObject, type JsonObject } from '../json/json.ts';

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

export const booleanSetting: SettingShape<boolean> = {
  schema: { type: 'boolean' },
  read: (value) => (typeof value === 'boolean' ? usable(value) : unusable(t('It must be true or false.'))),
};

export function integerSetting(minimum: number, maximum: number): SettingShape<number> {
  return {
    schema: { type: 'integer', minimum, maximum },
    read: (value) =>
      typeof value === 'number' && Number.isInteger(value) && value >= minimum && value <= maximum
        ? usable(value)
        : unusable(t('It must be a whole number from {0} to {1}.', minimum, maximum)),
  };
}

/** @param pattern as in JSON Schema: found anywhere unless anchored. */
export function textSetting(pattern?: string): SettingShape<string> {
  const expression = new RegExp(pattern ?? '', 'u');
  return {
    schema: { type: 'string', ...(pattern !== undefined && { pattern }) },
    read: (value) => {
      if (typeof value !== 'string') return unusable(t('It must be a text.'));
      return expression.test(value) ? usable(value) : unusable(t('It must match {0}.', pattern ?? ''));
    },
  };
}

export function choiceSetting<const W extends string>(...words: readonly W[]): SettingShape<W> {
  return {
    schema: { type: 'string', enum: words },
    read: (value) => {
      const word = words.find((each) => each === value);
      return word === undefined ? unusable(t('It must be one of: {0}.', words.join(', '))) : usable(word);
    },
  };
}

/** A list; elements that cannot be used are left out, and said so. */
export function listSetting<T>(element: SettingShape<T>): SettingShape<readonly T[]> {
  return {
    schema: { type: 'array', items: element.schema },
    read: (value) => {
      if (!Array.isArray(value)) return unusable(t('It must be a list.'));
      const readings = value.map((each: unknown) => element.read(each));
      return {
        value: readings.flatMap((each) => (each.value === undefined ? [] : [each.value])),
        problems: readings.flatMap((each, index) => located(t('Entry {0}', index + 1), each.problems)),
      };
    },
  };
}

/** An object with any keys and values of one shape; entries that cannot be used are left out, and said so. */
export function dictionarySetting<T>(element: SettingShape<T>): SettingShape<ReadonlyMap<string, T>> {
  return {
    schema: { type: 'object', additionalProperties: element.schema },
    read: (value) => {
      if (!isJsonObject(value)) return unusable(t('It must be an object.'));
      const readings = Object.entries(value).map(([key, each]) => ({ key, ...element.read(each) }));
      return {
        value: new Map(readings.flatMap((each) => (each.value === undefined ? [] : [[each.key, each.value]]))),
        problems: readings.flatMap((each) => located(each.key, each.problems)),
      };
    },
  };
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
