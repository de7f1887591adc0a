import { isArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/json.ts';
import { memberOf, splitText } from '../requestFields.ts';
import type { RenamedField, Setting } from './knownService.ts';

/** What a value under an old or foreign name sets instead; undefined for a value that cannot be meant. */
export type Convert = NonNullable<RenamedField['convert']>;

export function at(...path: readonly string[]): Convert {
  return (value) => [[path, value]];
}

/** The text of a setting of a feature. */
export function featureText(feature: string, name: string): Convert {
  return (value) => (typeof value === 'string' ? [[[`${feature}_config`, name], value]] : undefined);
}

export function addressIn(value: JsonValue): readonly Setting[] | undefined {
  const address = readAddress(value);
  return address === undefined ? undefined : [[['audio_url'], address]];
}

/** An address, alone in a list or within an object. */
function readAddress(value: JsonValue): string | undefined {
  const written = isJsonObject(value) ? addressNames.map((name) => memberOf(value, name)).find(Boolean) : value;
  return readLoneText(written);
}

const addressNames = ['url', 'uri', 'audio_url', 'href', 'address', 'link'] as const;

/** A text, the only one in a list, or the only member of an object; undefined for anything else. */
export function readLoneText(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (isArray(value)) return value.length === 1 ? readLoneText(value[0]) : undefined;
  const members = value !== undefined && isJsonObject(value) ? Object.values(value) : [];
  return members.length === 1 && typeof members[0] === 'string' ? members[0] : undefined;
}

export function toSwitch(name: string): Convert {
  return (value) => {
    const isOn = readSwitch(value);
    return isOn === undefined ? undefined : [[[name], isOn]];
  };
}

/** A switch, or what else a name may hold. */
export function switchOr(name: string, convert: Convert): Convert {
  return (value) => toSwitch(name)(value) ?? convert(value);
}

/** Whether something is on: true and false, also as words and numbers; undefined for anything else. */
export function readSwitch(value: JsonValue): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === 1 || (typeof value === 'string' && /^(?:true|yes|on|1)$/iu.test(value.trim()))) return true;
  return value === 0 || (typeof value === 'string' && /^(?:false|no|off|0|)$/iu.test(value.trim())) ? false : undefined;
}

export function speakers(name: string): Convert {
  return (written) => {
    const value = typeof written === 'string' && /^\d{1,3}$/u.test(written) ? Number(written) : written;
    return Number.isInteger(value) ? withSwitch('diarization', [['diarization_config', name], value]) : undefined;
  };
}

export function languageList(value: JsonValue): readonly Setting[] | undefined {
  const codes = (textList(value) ?? loneTexts(value))?.filter(
    (code) => code !== '' && !/^(?:auto|automatic|detect|multi)$/iu.test(code),
  );
  return codes && (codes.length === 0 ? [] : [[['language_config', 'languages'], codes]]);
}

export function switching(value: JsonValue): readonly Setting[] | undefined {
  const isOn = readSwitch(value);
  return isOn === undefined ? undefined : [[['language_config', 'code_switching'], isOn]];
}

/** The texts of objects that hold one each, as a list or alone. */
function loneTexts(value: JsonValue): readonly string[] | undefined {
  const texts = (isArray(value) ? value : [value]).map(readLoneText);
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

export function switchingBetween(value: JsonValue): readonly Setting[] | undefined {
  const languages = isJsonObject(value) ? memberOf(value, 'languages') : isArray(value) ? value : undefined;
  return languages === undefined ? [] : languageList(languages);
}

export function behaviour(value: JsonValue): readonly Setting[] {
  return typeof value === 'string' && /^automatic multiple languages$/u.test(value)
    ? [[['language_config', 'code_switching'], true]]
    : [];
}

export function callTo(value: JsonValue): readonly Setting[] | undefined {
  const address = readAddress(value);
  return address === undefined ? undefined : withSwitch('callback', [['callback_config', 'url'], address]);
}

export function targets(value: JsonValue): readonly Setting[] | undefined {
  const codes = textList(value) ?? loneTexts(value);
  return codes && withSwitch('translation', [['translation_config', 'target_languages'], codes]);
}

export function entityTypes(value: JsonValue): readonly Setting[] | undefined {
  const types = textList(value);
  return types && withSwitch('pii_redaction', [['pii_redaction_config', 'entity_types'], types]);
}

export function formats(value: JsonValue): readonly Setting[] | undefined {
  const list = textList(value);
  return list && [[['subtitles_config', 'formats'], list]];
}

export function vocabulary(value: JsonValue): readonly Setting[] | undefined {
  const written = isArray(value) ? value.flatMap(termsIn) : undefined;
  const terms = typeof value === 'string' ? textList(value) : written?.every(isTerm) === true ? written : undefined;
  return terms && withSwitch('custom_vocabulary', [['custom_vocabulary_config', 'vocabulary'], terms]);
}

/** The terms of an entry as other services write them: with `content`, or a list of phrases. */
function termsIn(entry: JsonValue): readonly JsonValue[] {
  if (!isJsonObject(entry) || memberOf(entry, 'value') !== undefined) return [entry];
  const phrases = memberOf(entry, 'phrases');
  const { content, ...others } = entry;
  return isArray(phrases) ? phrases : [typeof content === 'string' ? { value: content, ...others } : entry];
}

function isTerm(value: JsonValue): boolean {
  return typeof value === 'string' || (isJsonObject(value) && typeof value['value'] === 'string');
}

export function spellings(value: JsonValue): readonly Setting[] | undefined {
  const words = readDictionary(value);
  return words && withSwitch('custom_spelling', [['custom_spelling_config', 'spelling_dictionary'], words]);
}

/** A spelling dictionary: as the service takes it, with single words for lists, or as the list of pairs that other services take. */
export function readDictionary(value: JsonValue): JsonObject | undefined {
  const pairs = isArray(value)
    ? value.map((pair): readonly [JsonValue | undefined, JsonValue | undefined] =>
        isJsonObject(pair) ? [pair['to'], pair['from']] : [undefined, undefined],
      )
    : isJsonObject(value)
      ? Object.entries(value)
      : [];
  const entries = pairs.flatMap(([to, from]): readonly (readonly [string, readonly string[]])[] => {
    const words = typeof from === 'string' ? [from] : textList(from);
    return typeof to === 'string' && words !== undefined ? [[to, words]] : [];
  });
  return entries.length > 0 && entries.length === pairs.length ? Object.fromEntries(entries) : undefined;
}

export function prompts(value: JsonValue): readonly Setting[] | undefined {
  const written = isJsonObject(value) ? memberOf(value, 'prompts') : value;
  const list = typeof written === 'string' ? [written] : textList(written);
  return list && withSwitch('audio_to_llm', [['audio_to_llm_config', 'prompts'], list]);
}

/** Settings that are grouped in a live session are at the top level of a request. */
export function spread(value: JsonValue): readonly Setting[] | undefined {
  if (!isJsonObject(value)) return undefined;
  return Object.entries(value)
    .filter(([, setting]) => setting !== false && setting !== null)
    .map(([name, setting]) => [[name], setting]);
}

/** What a wrapper holds belongs to the top level of a request. */
export function unwrap(value: JsonValue): readonly Setting[] | undefined {
  return isJsonObject(value) ? Object.entries(value).map(([name, setting]) => [[name], setting]) : undefined;
}

function withSwitch(name: string, setting: Setting): readonly Setting[] {
  return [[[name], true], setting];
}

/** A string with separators, or a list of strings, as a list; undefined for anything else. */
function textList(value: JsonValue | undefined): readonly string[] | undefined {
  if (typeof value === 'string') return splitText(value);
  if (!isArray(value)) return undefined;
  const texts = value.filter((each) => typeof each === 'string');
  return texts.length === value.length ? texts : undefined;
}
