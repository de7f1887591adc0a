import { t } from '@vscode/l10n';
import { oneLine } from '../../base/outsideText.ts';
import {
  isArray,
  isJsonObject,
  toJsonNumber,
  toNumber,
  type ExactNumber,
  type JsonObject,
  type JsonValue,
  type JsonPath,
} from '../../base/json/json.ts';
import type { Fix } from './finding.ts';
import { findMeantValue } from './closedSets.ts';
import { parseJsonTree } from '../json/jsonTree.ts';
import type { Setting } from '../../known/knownService.ts';
import { maxEditorValues } from './requestFile.ts';
import { elementsOf, isEmptyValue, isExact, memberOf, objectIn, splitText, findValue } from './requestFields.ts';
import { findField, hasType, type SchemaField } from './schemaFields.ts';
import { makeSettingChanges, movableMembers } from './settingChanges.ts';

/** Setting that receives a value written in place of a switch's true or false. */
const mainSettings: Readonly<Record<string, string>> = {
  custom_vocabulary: 'vocabulary',
  custom_spelling: 'spelling_dictionary',
  translation: 'target_languages',
  subtitles: 'formats',
  summarization: 'type',
  diarization: 'number_of_speakers',
  audio_to_llm: 'prompts',
  pii_redaction: 'entity_types',
  callback: 'url',
};

/**
 * Returns the fix for a value of a wrong type: `"true"` becomes true, a list in place of a switch moves to the settings of that
 * switch. Undefined if the intent is unclear.
 */
export function fixType(body: JsonObject, path: JsonPath): Fix | undefined {
  const written = findValue(body, path);
  if (written === undefined || !isExact(written)) return undefined;
  const value = unpack(written, path.length);
  const isWord = path.length === 3 && path[1] === 'spelling_dictionary' && typeof value === 'string';
  if (isWord) return replaceBy(path, [value]);
  const field = findField(path);
  if (!field) return undefined;
  const name = String(path.at(-1));
  if (standsForNothing(value, field) || (value === null && typeof path.at(-1) === 'number')) return removeAt(path);
  const fitted = fitUnpacked(name, field, value);
  if (fitted !== undefined) return replaceBy(path, fitted);
  return field.types.includes('boolean') && path.length === 1 ? moveToSettings(body, name, value) : undefined;
}

/** Converts a value to the schema type of a field: `"true"` to true, a string to a list. Undefined if the intent is unclear. */
export function fitValue(path: JsonPath, written: JsonValue): JsonValue | undefined {
  const field = findField(path);
  return field && fitUnpacked(String(path.at(-1)), field, unpack(written, path.length));
}

function fitUnpacked(name: string, field: SchemaField, value: JsonValue): JsonValue | undefined {
  if (standsForNothing(value, field)) return undefined;
  if (field.types.includes('boolean')) return readSwitch(value);
  return field.types.some((type) => hasType(value, type)) ? value : convert(name, field, value);
}

/** Returns the fix for a value outside a closed set: the intended member, or a list of members. Undefined if the intent is unclear. */
export function fixValue(body: JsonObject, path: JsonPath, closedSet: unknown): Fix | undefined {
  const written = findValue(body, path);
  if (typeof written !== 'string' || !isArray(closedSet)) return undefined;
  const known = closedSet.filter((each) => typeof each === 'string');
  const list = typeof path.at(-1) === 'number' ? findValue(body, path.slice(0, -1)) : undefined;
  const meant = meantValues(written, known, isArray(list));
  if (meant.length === 0) return undefined;
  const [only, ...others] = isArray(list) ? meant.filter((each) => !elementsOf(list).has(each)) : meant;
  if (only === undefined) return removeAt(path);
  if (others.length === 0) return replaceBy(path, only);
  const values = [only, ...others];
  return { title: t('Split into {0}', values.length), changes: [{ type: 'expand', path, values }], safe: false };
}

/** Maximum number of values in one text: no closed set has as many. */
const maxMeant = 100;

/** Returns the members of a closed set that a text names: one or, if several are allowed, one for each part of the text. */
function meantValues(written: string, known: readonly string[], canBeSeveral: boolean): readonly string[] {
  const parts = canBeSeveral ? written.split(/[,;|/&+\s]+/u, maxMeant + 1).filter((part) => part !== '') : [];
  const ofParts = parts.map((part) => findMeantValue(part, known));
  const isUnclear = parts.length === 0 || parts.length > maxMeant || ofParts.includes(undefined);
  const meant = isUnclear ? [findMeantValue(written, known)] : ofParts;
  return [...new Set(meant)].filter((each) => each !== undefined);
}

/** Parses a string that contains a JSON object or list; other values unchanged. @param depth number of containers around it */
function unpack(value: JsonValue, depth: number): JsonValue {
  if (typeof value !== 'string' || !/^\s*[[{]/u.test(value)) return value;
  const { value: unpacked, problems, duplicates, extras } = parseJsonTree(value, depth, maxEditorValues);
  if (problems.length + duplicates.length + extras.length > 0 || !isExact(unpacked)) return value;
  if (isJsonObject(unpacked)) return unpacked;
  return isArray(unpacked) && unpacked.every(isEntry) ? unpacked : value;
}

/** True for values that lists in a request may contain. */
function isEntry(value: unknown): value is string | JsonObject {
  return typeof value === 'string' || isJsonObject(value);
}

function convert(name: string, { types, members }: SchemaField, value: JsonValue): JsonValue | undefined {
  if (types.includes('array')) {
    const text = readLoneText(value);
    return text === undefined || name === 'prompts' ? text && [text] : splitText(text);
  }
  if (types.includes('object') && !types.includes('string')) {
    const list = name === 'language_config' ? 'languages' : mainSettings[name.replace(/_config$/u, '')];
    if (name === 'spelling_dictionary') return readDictionary(value);
    const setting = list === undefined ? undefined : members?.get(list);
    if (list !== undefined && setting?.types.includes('string') === true && typeof value === 'string')
      return { [list]: value };
    if (list === undefined || !setting) return undefined;
    const only = setting.types.includes('string') ? readLoneText(value) : undefined;
    if (only !== undefined) return { [list]: only };
    const dictionary = list === 'spelling_dictionary' ? readDictionary(value) : undefined;
    if (dictionary) return { [list]: dictionary };
    if (setting.types.includes('integer') && Number.isInteger(value)) return { [list]: value };
    if (!setting.types.includes('array')) return undefined;
    if (isArray(value)) return { [list]: value };
    return typeof value === 'string' ? { [list]: splitText(value) } : undefined;
  }
  if (types.includes('integer') || types.includes('number')) {
    const number = typeof value === 'string' ? readNumber(value) : undefined;
    if (types.includes('number')) return number;
    const integer = toNumber(number);
    return Number.isInteger(integer) ? integer : undefined;
  }
  return types.includes('string') ? readLoneText(value) : undefined;
}

/** Reads a switch: true or false, also as a word or number; undefined for other values. */
function readSwitch(value: JsonValue): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === 1 || (typeof value === 'string' && /^(?:true|yes|on|1)$/iu.test(value.trim()))) return true;
  return value === 0 || (typeof value === 'string' && /^(?:false|no|off|0|)$/iu.test(value.trim())) ? false : undefined;
}

/** Reads a string, also as the only element of a list or the only member of an object; undefined for other values. */
function readLoneText(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (isArray(value)) return value.length === 1 ? readLoneText(value[0]) : undefined;
  const members = value !== undefined && isJsonObject(value) ? Object.values(value) : [];
  return members.length === 1 && typeof members[0] === 'string' ? members[0] : undefined;
}

/** Reads a spelling dictionary, also with single words instead of lists, or as a list of pairs. */
function readDictionary(value: JsonValue): JsonObject | undefined {
  const pairs = isArray(value)
    ? value.map((pair): readonly [JsonValue | undefined, JsonValue | undefined] =>
        isJsonObject(pair) ? [pair['to'], pair['from']] : [undefined, undefined],
      )
    : isJsonObject(value)
      ? Object.entries(value)
      : [];
  const entries = pairs.flatMap(([to, from]): readonly (readonly [string, readonly string[]])[] => {
    const words = isArray(from) ? from.filter((each) => typeof each === 'string') : [];
    if (typeof to !== 'string') return [];
    if (typeof from === 'string') return [[to, [from]]];
    return isArray(from) && words.length === from.length ? [[to, words]] : [];
  });
  return entries.length > 0 && entries.length === pairs.length ? Object.fromEntries(entries) : undefined;
}

/** Maximum length of a number: rules compare it as a double, which has about 15 digits. */
const maxNumberLength = 15;

/** Reads a number with its digits, also with a unit, with a decimal comma, or in percent; undefined for other texts and long numbers. */
function readNumber(text: string): number | ExactNumber | undefined {
  const trimmed = text.trim();
  if (trimmed.length > 2 * maxNumberLength) return undefined;
  const [, digits, unit] = /^([-+]?[\d.,]+(?:e[-+]?\d+)?)\s*(%|s|sec|seconds?)?$/iu.exec(trimmed) ?? [];
  if (digits === undefined || digits.length > maxNumberLength) return undefined;
  const number = digits.replace(/^([^.,]*),([^.,]*)$/u, '$1.$2');
  const value = Number(unit === '%' ? `${number}e-2` : number);
  if (!Number.isFinite(value)) return undefined;
  // JSON has no `+5`, `.5` and `05`.
  return (unit === '%' ? undefined : toJsonNumber(number)) ?? value;
}

/** True if a word stands for an omitted number, list or object. */
function standsForNothing(value: JsonValue, { types }: SchemaField): boolean {
  const isText = types.includes('string') || types.includes('boolean');
  return !isText && typeof value === 'string' && /^(?:auto|default|none|null|undefined|)$/iu.test(value.trim());
}

/** Returns the fix for a switch whose value belongs in its settings. */
function moveToSettings(body: JsonObject, name: string, value: JsonValue): Fix | undefined {
  const settings = settingsOf(name, value);
  const config = objectIn(body, `${name}_config`);
  // An existing setting would stay, and the value of the switch would be lost.
  const isTaken = settings?.some(
    ([[, setting]]) => setting !== undefined && !isEmptyValue(memberOf(config, String(setting))),
  );
  const changes = settings && isTaken !== true ? makeSettingChanges(body, [name], settings) : undefined;
  return changes && { title: t('Move it to {0}', `${name}_config`), changes, safe: false };
}

function settingsOf(name: string, value: JsonValue): readonly Setting[] | undefined {
  const main = mainSettings[name];
  const config = `${name}_config`;
  const field = main === undefined ? undefined : findField([config, main]);
  if (main === undefined || !field) return undefined;
  if (isArray(value) && value.length === 0) return undefined;
  const setting =
    isJsonObject(value) && memberOf(value, main) !== undefined ? undefined : convertSetting(field, main, value);
  if (setting !== undefined) {
    return [
      [[name], true],
      [[config, main], setting],
    ];
  }
  if (!isJsonObject(value)) return undefined;
  // Unknown names are reported after they were moved to the settings.
  const { enabled = true, ...others } = value;
  const isOn = readSwitch(enabled);
  const members = movableMembers(others);
  if (isOn === undefined || members === undefined) return undefined;
  return [[[name], isOn], ...members.map(([each, inner]): Setting => [[config, each], inner])];
}

function convertSetting(field: SchemaField, main: string, value: JsonValue): JsonValue | undefined {
  if (field.types.includes('array')) return isArray(value) ? value : convert(main, field, value);
  if (field.types.includes('string')) return isJsonObject(value) ? undefined : readLoneText(value);
  if (field.types.includes('integer')) return Number.isInteger(value) ? value : undefined;
  return readDictionary(value);
}

/** Maximum length of a value in a title. */
const titleLength = 120;

function removeAt(path: JsonPath): Fix {
  const last = path.at(-1);
  const title = typeof last === 'string' ? t('Remove {0}', last) : t('Remove this entry');
  return { title, changes: [{ type: 'remove', path }], safe: false };
}

function replaceBy(path: JsonPath, value: JsonValue): Fix {
  const written = oneLine(JSON.stringify(value), titleLength);
  return { title: t('Change to {0}', written), changes: [{ type: 'replace', path, value }], safe: false };
}
