import { t } from '@vscode/l10n';
import { oneLine } from '../outsideText.ts';
import { isArray, isJsonObject, type JsonObject, type JsonValue } from '../json/json.ts';
import type { Fix } from './finding.ts';
import { findMeantValue } from './closedSets.ts';
import { type JsonPath, parseJsonTree } from './json/jsonTree.ts';
import { readDictionary, readLoneText, readSwitch } from './known/conversions.ts';
import type { Setting } from './known/knownService.ts';
import { isEmptyValue, memberOf, objectIn, splitText } from './requestFields.ts';
import { findField, hasType, type SchemaField } from './schemaFields.ts';
import { makeSettingChanges } from './settingChanges.ts';

/** The setting for a value that was written in place of a switch's true or false. */
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
 * The fix for a value of a wrong type: `"true"` becomes true, a list in place of a switch moves to the settings of that
 * switch. Undefined when the intent is unclear.
 */
export function fixType(body: JsonObject, path: JsonPath): Fix | undefined {
  const written = valueAt(body, path);
  if (written === undefined) return undefined;
  const value = unpack(written, path.length);
  const isWord = path.length === 3 && path[1] === 'spelling_dictionary' && typeof value === 'string';
  if (isWord) return replaceBy(path, [value]);
  const field = findField(path);
  if (!field) return undefined;
  const name = String(path.at(-1));
  if (standsForNothing(value, field) || (value === null && typeof path.at(-1) === 'number')) return removeAt(path);
  if (field.types.includes('boolean')) {
    const isOn = readSwitch(value);
    if (isOn !== undefined) return replaceBy(path, isOn);
    return path.length === 1 ? moveToSettings(body, name, value) : undefined;
  }
  const isRight = field.types.some((type) => hasType(value, type));
  const converted = isRight ? value : convert(name, field, value);
  return converted === undefined ? undefined : replaceBy(path, converted);
}

/** The fix for a value outside of a closed set: the member that was meant, or the members in a list. Undefined when that is unclear. */
export function fixValue(body: JsonObject, path: JsonPath, closedSet: unknown): Fix | undefined {
  const written = valueAt(body, path);
  if (typeof written !== 'string' || !isArray(closedSet)) return undefined;
  const known = closedSet.filter((each) => typeof each === 'string');
  const list = typeof path.at(-1) === 'number' ? valueAt(body, path.slice(0, -1)) : undefined;
  const meant = meantValues(written, known, isArray(list));
  if (meant.length === 0) return undefined;
  const [only, ...others] = isArray(list) ? meant.filter((each) => !list.includes(each)) : meant;
  if (only === undefined) return removeAt(path);
  if (others.length === 0) return replaceBy(path, only);
  const values = [only, ...others];
  return { title: t('Split into {0}', values.length), changes: [{ type: 'expand', path, values }], safe: false };
}

/** The members of a closed set that a text names: one, or where several can be, each of its parts. */
function meantValues(written: string, known: readonly string[], canBeSeveral: boolean): readonly string[] {
  const parts = canBeSeveral ? written.split(/[,;|/&+\s]+/u).filter((part) => part !== '') : [];
  const ofParts = parts.map((part) => findMeantValue(part, known));
  const meant = ofParts.includes(undefined) || parts.length === 0 ? [findMeantValue(written, known)] : ofParts;
  return [...new Set(meant)].filter((each) => each !== undefined);
}

/** The object or list that was written as a text of JSON; any other value as it is. @param depth number of containers around it */
function unpack(value: JsonValue, depth: number): JsonValue {
  if (typeof value !== 'string' || !/^\s*[[{]/u.test(value)) return value;
  const { value: unpacked, problems, duplicates, extras } = parseJsonTree(value, depth);
  if (problems.length + duplicates.length + extras.length > 0) return value;
  if (isJsonObject(unpacked)) return unpacked;
  return isArray(unpacked) && unpacked.every(isEntry) ? unpacked : value;
}

/** What lists of a request hold. */
function isEntry(value: unknown): value is string | JsonObject {
  return typeof value === 'string' || isJsonObject(value);
}

function convert(name: string, { types, members }: SchemaField, value: JsonValue): JsonValue | undefined {
  if (types.includes('array')) {
    return typeof value === 'string' ? (name === 'prompts' ? [value] : splitText(value)) : undefined;
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
    const number = typeof value === 'string' ? readNumber(value) : NaN;
    return Number.isFinite(number) && (types.includes('number') || Number.isInteger(number)) ? number : undefined;
  }
  return types.includes('string') ? readLoneText(value) : undefined;
}

/** A number with its unit, a comma for its point, or in percent. */
function readNumber(text: string): number {
  const [, digits, unit] = /^([-+]?[\d.,]+(?:e[-+]?\d+)?)\s*(%|s|sec|seconds?)?$/iu.exec(text.trim()) ?? [];
  const number = digits === undefined ? NaN : Number(digits.replace(/^([^.,]*),([^.,]*)$/u, '$1.$2'));
  return unit === '%' ? number / 100 : number;
}

/** A word for leaving a number or an object out. */
function standsForNothing(value: JsonValue, { types }: SchemaField): boolean {
  const isCountable = types.every((type) => type === 'number' || type === 'integer' || type === 'object');
  return isCountable && typeof value === 'string' && /^(?:auto|default|none|null|undefined|)$/iu.test(value.trim());
}

/** A switch with a value that belongs in its settings. */
function moveToSettings(body: JsonObject, name: string, value: JsonValue): Fix | undefined {
  const settings = settingsOf(name, value);
  const config = objectIn(body, `${name}_config`);
  // What is there already would stay, and the value that was written here would be lost.
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
  // Names that the settings do not have are told of once they are there.
  const { enabled = true, ...members } = value;
  const isOn = readSwitch(enabled);
  if (isOn === undefined) return undefined;
  return [[[name], isOn], ...Object.entries(members).map(([each, inner]): Setting => [[config, each], inner])];
}

function convertSetting(field: SchemaField, main: string, value: JsonValue): JsonValue | undefined {
  if (field.types.includes('array')) return isArray(value) ? value : convert(main, field, value);
  if (field.types.includes('string')) return isJsonObject(value) ? undefined : readLoneText(value);
  if (field.types.includes('integer')) return Number.isInteger(value) ? value : undefined;
  return readDictionary(value);
}

function valueAt(body: JsonObject, path: JsonPath): JsonValue | undefined {
  let value: JsonValue | undefined = body;
  for (const segment of path) {
    if (typeof segment === 'number') value = isArray(value) ? value[segment] : undefined;
    else value = value !== undefined && isJsonObject(value) ? memberOf(value, segment) : undefined;
  }
  return value;
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
