import { t } from '@vscode/l10n';
import type { JsonObject } from '../json/json.ts';
import {
  arrayIn,
  booleanIn,
  integerIn,
  objectIn,
  stringIn,
  languagesOf,
  switchesLanguages,
  vocabularyOf,
} from './requestFields.ts';

/** What a part of the effect is about; `explanation` has more to say. */
export type EffectTopic = 'language' | 'speakers' | 'vocabulary' | 'subtitles' | 'translation' | 'output';

export interface EffectPart {
  readonly topic: EffectTopic;
  /** Localised, without a full stop: `Speakers: 2 to 4`. */
  readonly text: string;
}

/** What a request will do, in plain words by the rules of contract 2.4. Wrong types count as missing. */
export function describeEffect(body: JsonObject): readonly EffectPart[] {
  const parts: readonly (readonly [EffectTopic, string | undefined])[] = [
    ['language', languageText(body)],
    ['speakers', speakerText(body)],
    ['vocabulary', vocabularyText(body)],
    ['subtitles', subtitleText(body)],
    ['translation', translationText(body)],
    ['output', outputText(body)],
  ];
  return parts.flatMap(([topic, text]) => (text === undefined ? [] : [{ topic, text }]));
}

/** Rules 1 to 4. */
function languageText(body: JsonObject): string {
  const codes = languagesOf(body)
    .filter((code) => typeof code === 'string')
    .filter((code) => code !== '');
  const switches = switchesLanguages(body);
  const [only] = codes;
  if (only === undefined) {
    return switches
      ? t('Language: any of more than 100, anew on each utterance')
      : t('Language: detected once on the first utterance');
  }
  if (codes.length === 1) return t('Language: {0}', only);
  return switches
    ? t('Language: {0}, anew on each utterance', codes.join(', '))
    : t('Language: one of {0}', codes.join(', '));
}

/** Rule 8. */
function speakerText(body: JsonObject): string {
  if (booleanIn(body, 'diarization') !== true) return t('Speakers: by channel');
  const config = objectIn(body, 'diarization_config');
  const exact = integerIn(config, 'number_of_speakers');
  const least = integerIn(config, 'min_speakers');
  const most = integerIn(config, 'max_speakers');
  if (exact !== undefined) return t('Speakers: {0}', exact);
  if (least !== undefined && most !== undefined) {
    return least === most ? t('Speakers: {0}', least) : t('Speakers: {0} to {1}', least, most);
  }
  if (least !== undefined) return t('Speakers: {0} or more', least);
  if (most !== undefined) return t('Speakers: up to {0}', most);
  return t('Speakers: by voice');
}

/** Rules 5 and 6. */
function vocabularyText(body: JsonObject): string | undefined {
  const terms = vocabularyOf(body)?.length ?? 0;
  if (booleanIn(body, 'custom_vocabulary') !== true) {
    return terms > 0 ? t('Vocabulary: off') : undefined;
  }
  switch (terms) {
    case 0:
      return t('Vocabulary: no terms');
    case 1:
      return t('Vocabulary: 1 term, by sound, after transcription');
    default:
      return t('Vocabulary: {0} terms, by sound, after transcription', terms);
  }
}

function subtitleText(body: JsonObject): string | undefined {
  if (booleanIn(body, 'subtitles') !== true) return undefined;
  const config = objectIn(body, 'subtitles_config');
  const formats = (arrayIn(config, 'formats') ?? []).filter((format) => typeof format === 'string');
  const said = [
    formats.length > 0 ? formats.join(' + ') : t('on'),
    sizeText(integerIn(config, 'maximum_characters_per_row'), integerIn(config, 'maximum_rows_per_caption')),
    stringIn(config, 'style') === 'compliance' ? t('strict formatting') : undefined,
    booleanIn(body, 'translation') === true ? t('one per target language') : undefined,
  ];
  return t('Subtitles: {0}', said.filter((each) => each !== undefined).join(', '));
}

function sizeText(characters: number | undefined, rows: number | undefined): string | undefined {
  if (characters === undefined) return rows === undefined ? undefined : t('rows: {0}', rows);
  return rows === undefined ? t('{0} characters a row', characters) : `${characters} × ${rows}`;
}

function translationText(body: JsonObject): string | undefined {
  if (booleanIn(body, 'translation') !== true) return undefined;
  const targets = arrayIn(objectIn(body, 'translation_config'), 'target_languages') ?? [];
  const codes = targets.filter((code) => typeof code === 'string');
  return codes.length === 0 ? t('Translation: on') : t('Translation: into {0}', codes.join(', '));
}

function outputText(body: JsonObject): string | undefined {
  const bullets = stringIn(objectIn(body, 'summarization_config'), 'type') === 'bullet_points';
  const outputs: readonly (readonly [string, string])[] = [
    ['summarization', bullets ? t('a summary in bullet points') : t('a summary')],
    ['named_entity_recognition', t('entities')],
    ['sentences', t('sentences')],
    ['sentiment_analysis', t('sentiment')],
    ['audio_to_llm', t('answers of a language model')],
    ['pii_redaction', t('personal information removed')],
  ];
  const on = outputs.filter(([name]) => booleanIn(body, name) === true).map(([, text]) => text);
  return on.length === 0 ? undefined : t('Also: {0}', on.join(', '));
}
