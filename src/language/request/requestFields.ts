import { normalizeLanguage } from './languages.ts';
import { isJsonObject, type JsonObject, type JsonValue, isArray } from '../../base/json/json.ts';

/** The own member of an object, undefined when it has none: `toString` is not one. */
export function memberOf(object: JsonObject | undefined, name: string): JsonValue | undefined {
  return object && Object.hasOwn(object, name) ? object[name] : undefined;
}

/** The member if it has the type; undefined otherwise. Wrong types are reported by the schema, not by rules. */
export function stringIn(object: JsonObject | undefined, name: string): string | undefined {
  const value = memberOf(object, name);
  return typeof value === 'string' ? value : undefined;
}

export function numberIn(object: JsonObject | undefined, name: string): number | undefined {
  const value = memberOf(object, name);
  return typeof value === 'number' ? value : undefined;
}

/** A whole number; the schema reports others. */
export function integerIn(object: JsonObject | undefined, name: string): number | undefined {
  const value = numberIn(object, name);
  return Number.isInteger(value) ? value : undefined;
}

export function booleanIn(object: JsonObject | undefined, name: string): boolean | undefined {
  const value = memberOf(object, name);
  return typeof value === 'boolean' ? value : undefined;
}

export function objectIn(object: JsonObject | undefined, name: string): JsonObject | undefined {
  const value = memberOf(object, name);
  return isJsonObject(value) ? value : undefined;
}

export function arrayIn(object: JsonObject | undefined, name: string): readonly unknown[] | undefined {
  const value = memberOf(object, name);
  return isArray(value) ? value : undefined;
}

/** Paths of contract 2.4 that several rules use. */
export const paths = {
  languages: ['language_config', 'languages'],
  codeSwitching: ['language_config', 'code_switching'],
  vocabulary: ['custom_vocabulary_config', 'vocabulary'],
  targetLanguages: ['translation_config', 'target_languages'],
  formats: ['subtitles_config', 'formats'],
} as const;

/** `languages` as written, wrong types included; empty when it is missing. */
export function languagesOf(body: JsonObject): readonly unknown[] {
  return arrayIn(objectIn(body, 'language_config'), 'languages') ?? [];
}

/** The expected languages, normalized and distinct. */
export function expectedLanguages(body: JsonObject): ReadonlySet<string> {
  return new Set(languagesOf(body).flatMap((code) => (typeof code === 'string' ? [normalizeLanguage(code)] : [])));
}

export function switchesLanguages(body: JsonObject): boolean {
  return booleanIn(objectIn(body, 'language_config'), 'code_switching') === true;
}

/** Several languages are expected, or detected on each utterance. */
export function isMultilingual(body: JsonObject): boolean {
  const count = languagesOf(body).length;
  return count > 1 || (count === 0 && switchesLanguages(body));
}

/** `vocabulary` as written, wrong types included; undefined when it is missing. */
export function vocabularyOf(body: JsonObject): readonly unknown[] | undefined {
  return arrayIn(objectIn(body, 'custom_vocabulary_config'), 'vocabulary');
}

/** Splits a text at commas, semicolons, bars and line breaks, and trims the parts. */
export function splitText(text: string): readonly string[] {
  return text
    .split(/[,;|\n]/u)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Whether a path leads into the settings of a feature that is explicitly off. */
export function isSwitchedOff(body: JsonObject, [config = '']: readonly (string | number)[]): boolean {
  const name = String(config);
  return name.endsWith('_config') && memberOf(body, name.slice(0, -'_config'.length)) === false;
}

/** True if a value can be rewritten without loss: a double holds each number in it exactly. */
export function isExact(value: unknown): boolean {
  if (typeof value === 'number') return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  return typeof value !== 'object' || value === null || Object.values(value).every(isExact);
}

/** Whether a value is missing, or an empty string, list or object. */
export function isEmptyValue(value: unknown): boolean {
  if (value === undefined || value === '') return true;
  if (isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/** Whether a value has nothing in it: missing, or a text, list or object of nothing but space. */
export function isBlankValue(value: unknown): boolean {
  if (value === undefined) return true;
  if (typeof value === 'string') return value.trim() === '';
  if (isArray(value)) return value.every(isBlankValue);
  return isJsonObject(value) && Object.values(value).every(isBlankValue);
}

/** Converts `audioUrl`, `audio-url` and `Audio URL` to snake case, in the spelling of the names known here. */
export function snakeCase(name: string): string {
  return name
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])|[\s.-]+/gu, '_')
    .toLowerCase()
    .replaceAll('isation', 'ization')
    .replaceAll('behavior', 'behaviour');
}
