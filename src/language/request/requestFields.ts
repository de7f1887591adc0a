import { rememberPerObject } from '../../base/rememberPerObject.ts';
import { normalizeLanguage } from './languages.ts';
import {
  isArray,
  isJsonObject,
  toNumber,
  type JsonObject,
  type JsonPath,
  type JsonValue,
} from '../../base/json/json.ts';

/** Returns an own member of an object; undefined if it has none, as for `toString`. */
export function memberOf(object: JsonObject | undefined, name: string): JsonValue | undefined {
  return object && Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Returns the value at a path; undefined if there is none. */
export function findValue(root: JsonValue | undefined, path: JsonPath): JsonValue | undefined {
  let value = root;
  for (const segment of path) {
    if (isArray(value)) value = value[Number(segment)];
    else value = value !== undefined && isJsonObject(value) ? memberOf(value, String(segment)) : undefined;
  }
  return value;
}

/** Returns the member if it has the type; otherwise undefined. The schema, not a rule, reports wrong types. */
export function stringIn(object: JsonObject | undefined, name: string): string | undefined {
  const value = memberOf(object, name);
  return typeof value === 'string' ? value : undefined;
}

export function numberIn(object: JsonObject | undefined, name: string): number | undefined {
  return toNumber(memberOf(object, name));
}

/** Returns an integer member; the schema reports other numbers. */
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

/** Returns the distinct elements of a list. Remembered per list, because each of a thousand findings may ask for them. */
export const elementsOf = rememberPerObject((list: readonly unknown[]): ReadonlySet<unknown> => new Set(list));

/** Paths of contract 2.4 that several rules use. */
export const paths = {
  languages: ['language_config', 'languages'],
  codeSwitching: ['language_config', 'code_switching'],
  vocabulary: ['custom_vocabulary_config', 'vocabulary'],
  targetLanguages: ['translation_config', 'target_languages'],
  formats: ['subtitles_config', 'formats'],
} as const;

/** Returns `languages` as written, including elements of a wrong type; empty if missing. */
export function languagesOf(body: JsonObject): readonly unknown[] {
  return arrayIn(objectIn(body, 'language_config'), 'languages') ?? [];
}

/** There are a few hundred codes; further ones are not read. */
const maxLanguages = 10_000;

/** Returns the expected languages, normalized and distinct. */
export function expectedLanguages(body: JsonObject): ReadonlySet<string> {
  const written = new Set(languagesOf(body).slice(0, maxLanguages));
  return new Set([...written].flatMap((code) => (typeof code === 'string' ? [normalizeLanguage(code)] : [])));
}

export function switchesLanguages(body: JsonObject): boolean {
  return booleanIn(objectIn(body, 'language_config'), 'code_switching') === true;
}

/** True if several languages are expected, or the language is detected on each utterance. */
export function isMultilingual(body: JsonObject): boolean {
  const count = languagesOf(body).length;
  return count > 1 || (count === 0 && switchesLanguages(body));
}

/** Returns `vocabulary` as written, including elements of a wrong type; undefined if missing. */
export function vocabularyOf(body: JsonObject): readonly unknown[] | undefined {
  return arrayIn(objectIn(body, 'custom_vocabulary_config'), 'vocabulary');
}

/** Maximum number of values that a string is split into. */
const maxParts = 10_000;

/** Splits a text at separators, and trims the parts. Returns the whole text if there are too many. */
export function splitText(text: string, separator = /[,;|\n]/u): readonly string[] {
  const parts = text.split(separator, maxParts + 1);
  return parts.length > maxParts ? [text] : parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** True if a path leads into the settings of a feature that is explicitly off. */
export function isSwitchedOff(body: JsonObject, [config = '']: readonly (string | number)[]): boolean {
  const name = String(config);
  return name.endsWith('_config') && memberOf(body, name.slice(0, -'_config'.length)) === false;
}

/** True if a value can be rewritten without loss: each number in it is exact as a double. */
export function isExact(value: unknown): boolean {
  if (typeof value === 'number') return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  return typeof value !== 'object' || value === null || Object.values(value).every(isExact);
}

/** True if a value is missing, or an empty string, list or object. */
export function isEmptyValue(value: unknown): boolean {
  if (value === undefined || value === '') return true;
  if (isArray(value)) return value.length === 0;
  return isJsonObject(value) && sizeOf(value).members === 0;
}

/** Remembered, because listing the names of an object takes milliseconds if it has tens of thousands. */
const sizeOf = rememberPerObject((object: JsonObject) => ({ members: Object.keys(object).length }));

/** True if a value is missing, a blank string, or a list or object of blank values. */
export function isBlankValue(value: unknown): boolean {
  if (value === undefined) return true;
  if (typeof value === 'string') return value.trim() === '';
  if (isArray(value)) return value.every(isBlankValue);
  if (!isJsonObject(value)) return false;
  // Ends at the first value that isn't blank: an object may have tens of thousands.
  for (const name in value) if (!isBlankValue(value[name])) return false;
  return true;
}

/** Maximum length of a name that may stand for a field; those of fields have at most 50 characters. */
export const maxFieldLength = 100;

/** Converts `audioUrl`, `audio-url` and `Audio URL` to snake case, as in the known names. */
export function snakeCase(name: string): string {
  // Nearly all names are in snake case, and a request may have tens of thousands.
  if (!/[A-Z\s.-]|isation|behavior/u.test(name)) return name.toLowerCase();
  return name
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])|[\s.-]+/gu, '_')
    .toLowerCase()
    .replaceAll('isation', 'ization')
    .replaceAll('behavior', 'behaviour');
}
