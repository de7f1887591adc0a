import { t } from '@vscode/l10n';
import { parseJson, type JsonObject } from '../base/json/json.ts';
import { readMembers, readStrings } from '../base/json/jsonText.ts';
import { webHost } from '../base/webAddress.ts';
import type { ServiceKnowledge } from '../known/serviceKnowledge.ts';
import { settingsOfRenamed } from './request/renamedSettings.ts';
import { describedMembers, requestField } from './request/schemaFields.ts';
import { GrowingRequest } from './request/settingChanges.ts';
import {
  arrayIn,
  booleanIn,
  integerIn,
  isBlankValue,
  isEmptyValue,
  languagesOf,
  memberOf,
  objectIn,
  splitText,
  stringIn,
  vocabularyOf,
} from './request/requestFields.ts';

/** Topic of a part of the effect, which `explainTopic` explains. */
export type EffectTopic =
  'syntax' | 'language' | 'speakers' | 'vocabulary' | 'subtitles' | 'translation' | 'output' | 'callback' | 'caveat';

export interface EffectPart {
  readonly topic: EffectTopic;
  /** Localised, without a full stop: `Speakers: 2 to 4`. */
  readonly text: string;
}

/**
 * Describes the effect of a request in plain words, by the rules of contract 2.4. Also the summary of a job that echoes its request.
 * Treats null and values of a wrong type as missing. Considers legacy names, with a caveat.
 * @param text body as it would be sent; members may be repeated.
 */
export function describeEffect(
  body: JsonObject,
  knowledge?: ServiceKnowledge,
  text = JSON.stringify(body),
): readonly EffectPart[] {
  const { current, legacy } = withLegacyNames(body, knowledge);
  const parts: readonly (readonly [EffectTopic, string | undefined])[] = [
    // First, so that it is visible where a line is truncated.
    ['callback', callbackText(current, text)],
    ['language', languageText(current, knowledge)],
    ['speakers', speakerText(current)],
    ['vocabulary', vocabularyText(current)],
    ['subtitles', subtitleText(current, knowledge)],
    ['translation', translationText(current)],
    ['output', outputText(current)],
    ['caveat', caveatText(legacy, knowledge)],
  ];
  return parts.flatMap(([topic, text]) => (text === undefined ? [] : [{ topic, text }]));
}

interface CurrentRequest {
  readonly current: JsonObject;
  /** Legacy names that were converted to their replacements. */
  readonly legacy: readonly string[];
}

/** Converts top-level legacy names to their replacements, unless those are set already. */
function withLegacyNames(body: JsonObject, knowledge: ServiceKnowledge | undefined): CurrentRequest {
  const legacy: string[] = [];
  let current: GrowingRequest | undefined;
  for (const [name, field] of knowledge?.service.renamed ?? []) {
    const value = name.includes('.') ? undefined : memberOf(body, name);
    if (value === undefined || (field.kind !== 'legacy' && field.kind !== 'deprecated')) continue;
    const added = (settingsOfRenamed([name], value, field) ?? []).filter((setting) =>
      (current ??= new GrowingRequest(describedMembers(body, requestField))).add(setting),
    );
    if (added.length > 0) legacy.push(name);
  }
  return { current: current?.body() ?? body, legacy };
}

/**
 * Contract 2.4 rules 1 to 4. The contract has no default of `code_switching`: without it, only the language is known to be detected, unless
 * the service in use is known.
 */
function languageText(body: JsonObject, knowledge: ServiceKnowledge | undefined): string {
  const config = objectIn(body, 'language_config');
  const codes = textsOf(languagesOf(body));
  const isOffByDefault = knowledge?.isApplied === true && knowledge.service.keepsLanguageByDefault;
  const switches = booleanIn(config, 'code_switching') ?? (isOffByDefault ? false : undefined);
  const [only] = codes;
  if (only === undefined) {
    if (switches === true) return t('Language: detected per utterance (100+)');
    return switches === false && isEmptyValue(memberOf(config, 'languages'))
      ? t('Language: detected once on the first utterance')
      : t('Language: detected');
  }
  if (codes.length === 1) return t('Language: {0}', only);
  const listed = codes.join(', ');
  if (switches === true) return t('Language: {0}, re-detected per utterance', listed);
  return switches === false
    ? t('Languages: {0}, not re-detected per utterance', listed)
    : t('Languages: {0} (code_switching is not set)', listed);
}

/** Contract 2.4 rule 8: where each speaker has a channel, diarization is not needed. Numbers of speakers are only hints. */
function speakerText(body: JsonObject): string | undefined {
  if (booleanIn(body, 'diarization') !== true) return undefined;
  const hint = speakerHint(objectIn(body, 'diarization_config'));
  return hint === undefined
    ? t('Speakers on one channel: separated')
    : t('Speakers on one channel: separated, hint: {0}', hint);
}

function speakerHint(config: JsonObject | undefined): string | undefined {
  const exact = integerIn(config, 'number_of_speakers');
  const min = integerIn(config, 'min_speakers');
  const max = integerIn(config, 'max_speakers');
  if (exact !== undefined) return String(exact);
  if (min !== undefined && max !== undefined) return min === max ? String(min) : t('{0} to {1}', min, max);
  if (min !== undefined) return t('{0} or more', min);
  return max === undefined ? undefined : t('up to {0}', max);
}

/** Contract 2.4 rules 5 and 6. */
function vocabularyText(body: JsonObject): string | undefined {
  const terms = countTerms(vocabularyOf(body) ?? []);
  if (booleanIn(body, 'custom_vocabulary') !== true) return terms > 0 ? t('Vocabulary: off') : undefined;
  switch (terms) {
    case 0:
      return t('Vocabulary: no terms');
    case 1:
      return t('Vocabulary: 1 term');
    default:
      return t('Vocabulary: {0} terms', terms);
  }
}

/** Counts the terms without blank entries and repetitions, which do nothing. */
function countTerms(vocabulary: readonly unknown[]): number {
  const distinct = new Set<unknown>();
  for (const entry of vocabulary)
    if (!isBlankValue(entry)) distinct.add(typeof entry === 'object' ? JSON.stringify(entry) : entry);
  return distinct.size;
}

function subtitleText(body: JsonObject, knowledge: ServiceKnowledge | undefined): string | undefined {
  if (booleanIn(body, 'subtitles') !== true) return undefined;
  const config = objectIn(body, 'subtitles_config');
  const said = [
    textsOf(arrayIn(config, 'formats') ?? []).join(' + ') || undefined,
    sizeText(integerIn(config, 'maximum_characters_per_row'), integerIn(config, 'maximum_rows_per_caption')),
    stringIn(config, 'style') === 'compliance' ? t('strict formatting') : undefined,
    booleanIn(body, 'translation') === true ? translatedText(targetsOf(body), knowledge) : undefined,
  ].filter((each) => each !== undefined);
  return said.length === 0 ? t('Subtitles: on') : t('Subtitles: {0}', said.join(', '));
}

/** Contract 2.4 `translation`. That there are subtitles in the original language as well is known of some services. */
function translatedText(targets: readonly string[], knowledge: ServiceKnowledge | undefined): string {
  const into = targets.join(', ');
  if (knowledge?.subtitlesOriginal === true)
    return into === '' ? t('for the original and each translation') : t('for the original and {0}', into);
  return into === '' ? t('for each translation') : t('for each translation ({0})', into);
}

function sizeText(characters: number | undefined, rows: number | undefined): string | undefined {
  if (characters === undefined) return rows === undefined ? undefined : t('rows: {0}', rows);
  return rows === undefined ? t('{0} characters per line', characters) : `${characters} × ${rows}`;
}

function translationText(body: JsonObject): string | undefined {
  if (booleanIn(body, 'translation') !== true) return undefined;
  const codes = targetsOf(body);
  const model = stringIn(objectIn(body, 'translation_config'), 'model');
  const into = codes.length === 0 ? t('Translation: on') : t('Translation: into {0}', codes.join(', '));
  return model === undefined ? into : `${into} (${model})`;
}

function outputText(body: JsonObject): string | undefined {
  const outputs: readonly (readonly [string, string])[] = [
    ['summarization', summaryText(body)],
    ['named_entity_recognition', t('entities')],
    ['sentences', t('sentences')],
    ['sentiment_analysis', t('sentiment')],
    ['custom_spelling', spellingText(body)],
    ['audio_to_llm', promptText(body)],
    ['pii_redaction', redactionText(body)],
  ];
  const on = outputs.filter(([name]) => booleanIn(body, name) === true).map(([, text]) => text);
  const model = stringIn(body, 'model');
  const said = [...(model === undefined ? [] : [t('model {0}', model)]), ...on];
  return said.length === 0 ? undefined : t('Also: {0}', said.join(', '));
}

function summaryText(body: JsonObject): string {
  const type = stringIn(objectIn(body, 'summarization_config'), 'type');
  if (type === undefined) return t('a summary');
  return type === 'bullet_points' ? t('a summary in bullet points') : t('a summary ({0})', type);
}

function spellingText(body: JsonObject): string {
  const words = Object.keys(objectIn(objectIn(body, 'custom_spelling_config'), 'spelling_dictionary') ?? {}).length;
  return words === 0 ? t('custom spelling') : t('custom spelling ({0})', words);
}

function promptText(body: JsonObject): string {
  const prompts = arrayIn(objectIn(body, 'audio_to_llm_config'), 'prompts')?.length ?? 0;
  return prompts === 0 ? t('answers of a language model') : t('answers of a language model ({0})', prompts);
}

function redactionText(body: JsonObject): string {
  const types = textsOf(arrayIn(objectIn(body, 'pii_redaction_config'), 'entity_types') ?? []);
  if (types.length === 0) return t('personal information removed');
  return types.length > 3
    ? t('personal information removed ({0} kinds)', types.length)
    : t('personal information removed ({0})', types.join(', '));
}

/** Maximum number of hosts that are named. */
const maxHosts = 20;

/** Maximum number of addresses that are read. */
const maxAddresses = 10_000;

/** Shows only the hosts, because the rest of an address may be secret. */
function callbackText(body: JsonObject, text: string): string | undefined {
  const { hosts, areAll } = resultHosts(text);
  if (!areAll) return t('Results are also sent to: {0} and other addresses', hosts.slice(0, maxHosts).join(', '));
  if (hosts.length > 0) return t('Results are also sent to: {0}', hosts.join(', '));
  return booleanIn(body, 'callback') === true ? t('Callback: no address') : undefined;
}

/** Members whose addresses are sources, the caller's own data (contract 2.2, 2.4), or the schema of the file. */
const noDestinations: ReadonlySet<string> = new Set(['audio_url', 'custom_metadata', '$schema']);

/**
 * Returns the distinct hosts that may receive results in addition to the service: those of every http(s) address in a request, under
 * any name, except the addresses of the audio and in metadata. Includes the callback if it is on (contract 2.3). Includes all repeated
 * members, because it is unknown which one a service uses. There may be others if they are not all.
 * @param body JSON text.
 */
function resultHosts(body: string): { readonly hosts: readonly string[]; readonly areAll: boolean } {
  const members = readMembers(body);
  const isOn = members.some(({ key, text }) => key === 'callback' && text === 'true');
  const hosts = new Set<string>();
  let left = maxAddresses;
  for (const { key, text } of members) {
    if (noDestinations.has(key) || (key === 'callback_config' && !isOn)) continue;
    for (const { token } of readStrings(text)) {
      if (!/https?|\\/i.test(token)) continue;
      const value = parseJson(token);
      const host = typeof value === 'string' ? webHost(value) : undefined;
      if (host === undefined) continue;
      hosts.add(host);
      if (hosts.size > maxHosts || --left === 0) return { hosts: [...hosts], areAll: false };
    }
  }
  return { hosts: [...hosts], areAll: true };
}

function caveatText(legacy: readonly string[], knowledge: ServiceKnowledge | undefined): string | undefined {
  if (legacy.length === 0 || knowledge === undefined) return undefined;
  const who = knowledge.isApplied ? knowledge.service.name : t('the service');
  return t('Old names, if {0} still accepts them: {1}', who, legacy.join(', '));
}

function targetsOf(body: JsonObject): readonly string[] {
  return textsOf(arrayIn(objectIn(body, 'translation_config'), 'target_languages') ?? []);
}

/** Returns the distinct strings in a list; splits strings at separators. */
function textsOf(values: readonly unknown[]): readonly string[] {
  return [...new Set(values.filter((value) => typeof value === 'string').flatMap((value) => splitText(value)))];
}
