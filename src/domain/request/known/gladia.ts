import { isArray, isJsonObject, type JsonValue } from '../../json/json.ts';
import { offeredLanguages, offeredTargets } from '../languages.ts';
import { splitText } from '../requestFields.ts';
import type { FieldFacts, KnownService, RenamedField, RenamedKind, Setting } from './knownService.ts';

type Convert = NonNullable<RenamedField['convert']>;

/** What Gladia's v2 API accepts where the contract does not say. */
export const gladia: KnownService = {
  id: 'gladia',
  name: 'Gladia',
  origins: ['https://api.gladia.io'],
  fields: new Map<string, FieldFacts>([
    ['model', { values: ['solaria-1', 'solaria-3', 'solaria-fusion'] }],
    ['language_config.languages.*', { codes: offeredLanguages, single: 'code' }],
    ['custom_vocabulary_config.default_intensity', { least: 0, most: 1 }],
    ['custom_vocabulary_config.vocabulary.*', { single: 'term' }],
    ['custom_vocabulary_config.vocabulary.*.value', { single: 'term' }],
    ['custom_vocabulary_config.vocabulary.*.intensity', { least: 0, most: 1 }],
    ['custom_vocabulary_config.vocabulary.*.pronunciations.*', { single: 'name' }],
    ['custom_vocabulary_config.vocabulary.*.language', { codes: offeredLanguages }],
    ['custom_spelling_config.spelling_dictionary', { isRequired: true }],
    ['translation_config.target_languages', { isRequired: true }],
    ['translation_config.target_languages.*', { codes: offeredTargets, single: 'code' }],
    ['translation_config.model', { values: ['base', 'enhanced', 'batch'] }],
    ['subtitles_config.minimum_duration', { least: 0 }],
    ['subtitles_config.maximum_duration', { least: 1, most: 30 }],
    ['subtitles_config.maximum_rows_per_caption', { isWhole: true, least: 1, most: 5 }],
    ['subtitles_config.style', { values: ['default', 'compliance'] }],
    ['summarization_config.type', { values: ['general', 'bullet_points', 'concise'] }],
    ['audio_to_llm_config.prompts', { isRequired: true }],
    [
      'pii_redaction_config.entity_types.*',
      {
        single: 'code',
        values:
          'APPI APPI_SENSITIVE CCI CORE_ENTITIES CPRA GDPR GDPR_SENSITIVE HEALTH_INFORMATION HIPAA_SAFE_HARBOR LIDI NUMERICAL_EXCL_PCI PCI QUEBEC_PRIVACY_ACT ACCOUNT_NUMBER AGE DATE DATE_INTERVAL DOB DRIVER_LICENSE DURATION EMAIL_ADDRESS EVENT FILENAME GENDER HEALTHCARE_NUMBER IP_ADDRESS LANGUAGE LOCATION LOCATION_ADDRESS LOCATION_ADDRESS_STREET LOCATION_CITY LOCATION_COORDINATE LOCATION_COUNTRY LOCATION_STATE LOCATION_ZIP MARITAL_STATUS MONEY NAME NAME_FAMILY NAME_GIVEN NAME_MEDICAL_PROFESSIONAL NUMERICAL_PII OCCUPATION ORGANIZATION ORGANIZATION_MEDICAL_FACILITY ORIGIN PASSPORT_NUMBER PASSWORD PHONE_NUMBER PHYSICAL_ATTRIBUTE POLITICAL_AFFILIATION RELIGION SEXUALITY SSN TIME URL USERNAME VEHICLE_ID ZODIAC_SIGN BLOOD_TYPE CONDITION DOSE DRUG INJURY MEDICAL_PROCESS STATISTICS BANK_ACCOUNT CREDIT_CARD CREDIT_CARD_EXPIRATION CVV ROUTING_NUMBER CORPORATE_ACTION DAY EFFECT FINANCIAL_METRIC MEDICAL_CODE MONTH ORGANIZATION_ID PRODUCT PROJECT TREND YEAR'.split(
            ' ',
          ),
      },
    ],
    ['pii_redaction_config.processed_text_type', { values: ['MARKER', 'MASK'] }],
    ['callback_config.url', { isRequired: true, isCalled: true }],
    ['callback_config.method', { values: ['POST', 'PUT'] }],
    ['callback_url', { isCalled: true }],
    ['custom_metadata', { mostCharacters: 2000 }],
  ]),
  ordered: [{ config: 'subtitles_config', least: 'minimum_duration', most: 'maximum_duration' }],
  models: [{ model: 'solaria-3', languages: 'en fr de es it'.split(' '), mostLanguages: 1, switchesLanguages: false }],
  renamed: new Map<string, RenamedField>([
    ...moved('deprecated', 'callback_config.url', ['callback_url'], callTo),
    // Shown on some documentation pages, but not in the API description.
    ...removed('deprecated', 'chapterization', 'name_consistency'),
    // Names of earlier versions.
    ...moved('legacy', 'language_config.languages', ['language'], languageList),
    ...removed('legacy', 'detect_language'),
    ...moved('legacy', 'language_config.code_switching', ['enable_code_switching'], switching),
    ...moved('legacy', 'language_config', ['code_switching_config'], switchingBetween),
    ...moved('legacy', 'language_config.code_switching', ['language_behaviour'], behaviour),
    ...moved('legacy', 'diarization', ['toggle_diarization'], toSwitch('diarization')),
    ...moved('legacy', 'diarization_config.max_speakers', ['diarization_max_speakers'], speakers('max_speakers')),
    ...moved('legacy', 'diarization_config.min_speakers', ['diarization_min_speakers'], speakers('min_speakers')),
    ...moved(
      'legacy',
      'diarization_config.number_of_speakers',
      ['diarization_num_speakers'],
      speakers('number_of_speakers'),
    ),
    ...moved('legacy', 'translation', ['toggle_direct_translate'], toSwitch('translation')),
    ...moved('legacy', 'translation_config.target_languages', ['target_translation_language'], targets),
    ...moved('legacy', 'summarization', ['toggle_summarization'], toSwitch('summarization')),
    ...moved('legacy', 'sentiment_analysis', ['toggle_text_emotion_recognition'], toSwitch('sentiment_analysis')),
    ...removed(
      'legacy',
      'context_prompt',
      'moderation',
      'structured_data_extraction',
      'structured_data_extraction_config',
      'display_mode',
      'toggle_chapterization',
      'toggle_noise_reduction',
      'transcription_hint',
      'output_format',
      'diarization_config.enhanced',
      'language_config.detect_language',
      'words_accurate_timestamps',
      'diarization_enhanced',
      'speaker_reidentification',
    ),
    ...moved('legacy', 'language_config.code_switching', ['language_config.enable_code_switching'], switching),
    ...moved('legacy', 'language_config.languages', ['language_config.language'], languageList),
    ...moved(
      'legacy',
      'custom_spelling_config.spelling_dictionary',
      ['custom_spelling_config.spelling'],
      within('custom_spelling_config', 'spelling_dictionary'),
    ),
    // Names from other services' APIs, and settings outside the object they belong to.
    ...moved(
      'foreign',
      'audio_url',
      'url uri audio audio_uri audio_file file_url file media_url media_uri source_url'.split(' '),
      at('audio_url'),
    ),
    ...moved(
      'foreign',
      'language_config.languages',
      'languages language_code language_codes lang expected_languages'.split(' '),
      languageList,
    ),
    ...moved(
      'foreign',
      'language_config.code_switching',
      'code_switching language_detection multilingual'.split(' '),
      switching,
    ),
    ...moved(
      'foreign',
      'diarization',
      'diarize speaker_labels speaker_diarization enable_diarization enable_speaker_diarization'.split(' '),
      toSwitch('diarization'),
    ),
    ...moved(
      'foreign',
      'diarization_config.number_of_speakers',
      'number_of_speakers speakers_expected num_speakers speaker_count speakers'.split(' '),
      speakers('number_of_speakers'),
    ),
    ...moved(
      'foreign',
      'diarization_config.min_speakers',
      'min_speakers min_speaker_count'.split(' '),
      speakers('min_speakers'),
    ),
    ...moved(
      'foreign',
      'diarization_config.max_speakers',
      'max_speakers max_speaker_count'.split(' '),
      speakers('max_speakers'),
    ),
    ...moved('foreign', 'callback_config.url', 'webhook webhook_url notification_url'.split(' '), callTo),
    ...moved('foreign', 'summarization', 'summarize summary'.split(' '), toSwitch('summarization')),
    ...moved('foreign', 'sentiment_analysis', 'sentiment analyze_sentiment'.split(' '), toSwitch('sentiment_analysis')),
    ...moved(
      'foreign',
      'named_entity_recognition',
      'entity_detection detect_entities entities ner'.split(' '),
      toSwitch('named_entity_recognition'),
    ),
    ...moved('foreign', 'pii_redaction', 'redact_pii redact'.split(' '), toSwitch('pii_redaction')),
    ...moved(
      'foreign',
      'custom_vocabulary_config.vocabulary',
      'vocabulary keywords keyterms keyterms_prompt keyterm word_boost phrases hints'.split(' '),
      vocabulary,
    ),
    ...moved('foreign', 'custom_spelling_config.spelling_dictionary', ['spelling_dictionary'], dictionary),
    ...moved('foreign', 'translation', ['translate'], toSwitch('translation')),
    ...moved(
      'foreign',
      'translation_config.target_languages',
      'target_language target_languages translation_languages'.split(' '),
      targets,
    ),
    ...moved('foreign', 'subtitles_config.formats', ['subtitles_config.format'], formats),
    ...moved('foreign', 'audio_to_llm_config.prompts', ['prompts'], prompts),
    ...moved(
      'foreign',
      'pii_redaction_config.entity_types',
      'pii_redaction_config.entities pii_redaction_config.types'.split(' '),
      at('pii_redaction_config', 'entity_types'),
    ),
    ...removed('foreign', 'pii_redaction_config.policy'),
    ...moved('foreign', 'custom_metadata', ['metadata'], at('custom_metadata')),
    ...removed(
      'foreign',
      ...'punctuate punctuation smart_format format_text numerals paragraphs utterances filler_words disfluencies profanity_filter multichannel dual_channel auto_chapters auto_highlights iab_categories content_safety topics intents speech_model tier response_format temperature timestamp_granularities boost_param initial_prompt prompt redact_pii_policies redact_pii_sub webhook_auth_header_name webhook_auth_header_value timestamps word_timestamps'.split(
        ' ',
      ),
    ),
    // Settings of a live session.
    ...removed(
      'live',
      ...'encoding bit_depth sample_rate channels endpointing maximum_duration_without_endpointing pre_processing messages_config audio_enhancer speech_threshold region'.split(
        ' ',
      ),
    ),
    ...moved('live', undefined, ['realtime_processing', 'post_processing'], spread),
    // Fields of the upload response besides `audio_url`.
    ...removed('upload', 'audio_metadata'),
  ]),
};

function moved(
  kind: RenamedKind,
  successor: string | undefined,
  names: readonly string[],
  convert: Convert,
): readonly (readonly [string, RenamedField])[] {
  return names.map((name) => [name, { kind, ...(successor !== undefined && { successor }), convert }]);
}

function removed(kind: RenamedKind, ...names: readonly string[]): readonly (readonly [string, RenamedField])[] {
  return names.map((name) => [name, { kind }]);
}

function at(...path: readonly string[]): Convert {
  return (value) => [[path, value]];
}

function within(config: string, name: string): Convert {
  return at(config, name);
}

function toSwitch(name: string): Convert {
  return (value) => (typeof value === 'boolean' ? [[[name], value]] : undefined);
}

function speakers(name: string): Convert {
  return (value) =>
    Number.isInteger(value)
      ? [
          [['diarization'], true],
          [['diarization_config', name], value],
        ]
      : undefined;
}

function languageList(value: JsonValue): readonly Setting[] | undefined {
  const codes = textList(value)?.filter((code) => code !== '' && !/^(?:auto|automatic|detect|multi)$/iu.test(code));
  return codes && (codes.length === 0 ? [] : [[['language_config', 'languages'], codes]]);
}

function switching(value: JsonValue): readonly Setting[] | undefined {
  return typeof value === 'boolean' ? [[['language_config', 'code_switching'], value]] : undefined;
}

function switchingBetween(value: JsonValue): readonly Setting[] | undefined {
  const languages = isJsonObject(value) && Object.hasOwn(value, 'languages') ? value['languages'] : undefined;
  return languages === undefined ? [] : languageList(languages);
}

function behaviour(value: JsonValue): readonly Setting[] {
  return typeof value === 'string' && /^automatic multiple languages$/u.test(value)
    ? [[['language_config', 'code_switching'], true]]
    : [];
}

function callTo(value: JsonValue): readonly Setting[] | undefined {
  return typeof value === 'string' ? withSwitch('callback', [['callback_config', 'url'], value]) : undefined;
}

function targets(value: JsonValue): readonly Setting[] | undefined {
  const codes = textList(value);
  return codes && withSwitch('translation', [['translation_config', 'target_languages'], codes]);
}

function formats(value: JsonValue): readonly Setting[] | undefined {
  const list = textList(value);
  return list && [[['subtitles_config', 'formats'], list]];
}

function vocabulary(value: JsonValue): readonly Setting[] | undefined {
  const terms = typeof value === 'string' ? textList(value) : isArray(value) && value.every(isTerm) ? value : undefined;
  return terms && withSwitch('custom_vocabulary', [['custom_vocabulary_config', 'vocabulary'], terms]);
}

function isTerm(value: JsonValue): boolean {
  return typeof value === 'string' || (isJsonObject(value) && typeof value['value'] === 'string');
}

function dictionary(value: JsonValue): readonly Setting[] | undefined {
  return isJsonObject(value)
    ? withSwitch('custom_spelling', [['custom_spelling_config', 'spelling_dictionary'], value])
    : undefined;
}

function prompts(value: JsonValue): readonly Setting[] | undefined {
  const list = typeof value === 'string' ? [value] : textList(value);
  return list && withSwitch('audio_to_llm', [['audio_to_llm_config', 'prompts'], list]);
}

/** Settings that are grouped in a live session are at the top level of a request. */
function spread(value: JsonValue): readonly Setting[] | undefined {
  if (!isJsonObject(value)) return undefined;
  return Object.entries(value)
    .filter(([, setting]) => setting !== false && setting !== null)
    .map(([name, setting]) => [[name], setting]);
}

function withSwitch(name: string, setting: Setting): readonly Setting[] {
  return [[[name], true], setting];
}

/** A string with separators, or a list of strings, as a list; undefined for anything else. */
function textList(value: JsonValue): readonly string[] | undefined {
  if (typeof value === 'string') return splitText(value);
  if (!isArray(value)) return undefined;
  const texts = value.filter((each) => typeof each === 'string');
  return texts.length === value.length ? texts : undefined;
}
