import { t } from '@vscode/l10n';
import { isArray, isJsonObject, type JsonObject, type JsonValue } from '../json/json.ts';
import type { Fix } from './finding.ts';
import type { JsonPath } from './json/jsonPlaces.ts';
import type { Setting } from './known/knownService.ts';
import { memberOf, splitText } from './requestFields.ts';
import { findField, type SchemaField } from './schemaFields.ts';
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
  const field = findField(path);
  const value = valueAt(body, path);
  if (!field || value === undefined) return undefined;
  const name = String(path.at(-1));
  if (field.types.includes('boolean')) {
    const isOn = asBoolean(value);
    if (isOn !== undefined) return replaceBy(path, isOn);
    return path.length === 1 ? moveToSettings(body, name, value) : undefined;
  }
  const converted = convert(name, field, value);
  return converted === undefined ? undefined : replaceBy(path, converted);
}

function convert(name: string, { types, members }: SchemaField, value: JsonValue): JsonValue | undefined {
  if (types.includes('array')) {
    return typeof value === 'string' ? (name === 'prompts' ? [value] : splitText(value)) : undefined;
  }
  if (types.includes('object') && !types.includes('string')) {
    const list = name === 'language_config' ? 'languages' : mainSettings[name.replace(/_config$/u, '')];
    const setting = list === undefined ? undefined : members?.get(list);
    if (list === undefined || !setting?.types.includes('array')) return undefined;
    if (isArray(value)) return { [list]: value };
    return typeof value === 'string' ? { [list]: splitText(value) } : undefined;
  }
  if (types.includes('integer') || types.includes('number')) {
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : NaN;
    return Number.isFinite(number) && (types.includes('number') || Number.isInteger(number)) ? number : undefined;
  }
  if (types.includes('string') && isArray(value) && value.length === 1) {
    return typeof value[0] === 'string' ? value[0] : undefined;
  }
  return undefined;
}

/** A switch with a value that belongs in its settings. */
function moveToSettings(body: JsonObject, name: string, value: JsonValue): Fix | undefined {
  const settings = settingsOf(name, value);
  const changes = settings && makeSettingChanges(body, [name], settings);
  return changes && { title: t('Move it to {0}', `${name}_config`), changes, safe: false };
}

function settingsOf(name: string, value: JsonValue): readonly Setting[] | undefined {
  const main = mainSettings[name];
  const config = `${name}_config`;
  const field = main === undefined ? undefined : findField([config, main]);
  if (main === undefined || !field) return undefined;
  const setting =
    isJsonObject(value) && memberOf(value, main) !== undefined ? undefined : convertSetting(field, main, value);
  if (setting !== undefined) {
    return [
      [[name], true],
      [[config, main], setting],
    ];
  }
  if (!isJsonObject(value) || Object.keys(value).some((each) => !findField([config, each]))) return undefined;
  return [[[name], true], ...Object.entries(value).map(([each, inner]): Setting => [[config, each], inner])];
}

function convertSetting(field: SchemaField, main: string, value: JsonValue): JsonValue | undefined {
  if (field.types.includes('array')) return isArray(value) ? value : convert(main, field, value);
  if (field.types.includes('string')) return typeof value === 'string' ? value : undefined;
  if (field.types.includes('integer')) return Number.isInteger(value) ? value : undefined;
  // The dictionary: any object that is not settings.
  return isJsonObject(value) && Object.values(value).every(isArray) ? value : undefined;
}

function asBoolean(value: JsonValue): boolean | undefined {
  if (value === 1 || (typeof value === 'string' && /^(?:true|yes|on|1)$/iu.test(value.trim()))) return true;
  return value === 0 || (typeof value === 'string' && /^(?:false|no|off|0|)$/iu.test(value.trim())) ? false : undefined;
}

function valueAt(body: JsonObject, path: JsonPath): JsonValue | undefined {
  let value: JsonValue | undefined = body;
  for (const segment of path) {
    if (typeof segment === 'number') value = isArray(value) ? value[segment] : undefined;
    else value = value !== undefined && isJsonObject(value) ? memberOf(value, segment) : undefined;
  }
  return value;
}

function replaceBy(path: JsonPath, value: JsonValue): Fix {
  return { title: t('Change to {0}', JSON.stringify(value)), changes: [{ type: 'replace', path, value }], safe: false };
}
