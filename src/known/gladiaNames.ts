import type { RenamedField, RenamedKind } from './knownService.ts';

type Entry = readonly [name: string, field: RenamedField];

/**
 * Names that Gladia's v2 API does not accept, by dotted path with `*` for an element, with their replacements. Names in snake case also
 * match camel case.
 */
export const gladiaNames: ReadonlyMap<string, RenamedField> = new Map<string, RenamedField>([
  ...moved('deprecated', 'callback_config.url', 'callback_url'),
  // On some documentation pages, but not in the API description.
  ...removed('deprecated', 'chapterization name_consistency'),
  ...legacyNames(),
  ...foreignNames(),
  ...misplacedNames(),
  ...liveNames(),
  ...pastedNames(),
]);

/** Names of earlier versions. */
function legacyNames(): readonly Entry[] {
  return [
    ...moved('legacy', 'language_config.languages', 'language language_config.language'),
    ...moved('legacy', 'language_config.code_switching', 'enable_code_switching language_config.enable_code_switching'),
    ...moved('legacy', 'language_config', 'code_switching_config'),
    ...moved('legacy', 'language_config.code_switching', 'language_behaviour'),
    ...moved('legacy', 'diarization', 'toggle_diarization'),
    ...moved('legacy', 'diarization_config.max_speakers', 'diarization_max_speakers'),
    ...moved('legacy', 'diarization_config.min_speakers', 'diarization_min_speakers'),
    ...moved('legacy', 'diarization_config.number_of_speakers', 'diarization_num_speakers'),
    ...moved('legacy', 'translation', 'toggle_direct_translate'),
    ...moved('legacy', 'translation_config.target_languages', 'target_translation_language'),
    ...moved('legacy', 'summarization', 'toggle_summarization'),
    ...moved('legacy', 'sentiment_analysis', 'toggle_text_emotion_recognition'),
    ...moved('legacy', 'audio_to_llm', 'custom_prompts'),
    ...moved('legacy', 'audio_to_llm_config', 'custom_prompts_config'),
    ...moved(
      'legacy',
      'custom_spelling_config.spelling_dictionary',
      'custom_spelling_config.spelling custom_spelling_config.dictionary custom_spelling_config.spelling_dict',
    ),
    ...removed(
      'legacy',
      'detect_language language_config.detect_language context_prompt moderation structured_data_extraction structured_data_extraction_config display_mode toggle_chapterization toggle_noise_reduction toggle_highlights toggle_accurate_words_timestamps accurate_words_timestamps noise_reduction audio_enhancement enhanced_diarization names_consistency transcription_hint output_format diarization_config.enhanced diarization_enhanced words_accurate_timestamps speaker_reidentification speaker_reidentification_config prosody audio_channel_selector',
    ),
  ];
}

/** Names from other services' APIs. */
function foreignNames(): readonly Entry[] {
  return [
    ...moved(
      'foreign',
      'audio_url',
      'url uri audio audio_uri audio_file file_url file media_url media_uri source_url download_url recording_url video_url input_url audio_src audio_link cloud_storage_url media_file_uri media source content_url content_urls fetch_data',
    ),
    ...moved(
      'foreign',
      'language_config.languages',
      'language_code language_codes lang locale source_language spoken_language input_language audio_language expected_languages language_hints alternative_language_codes language_options candidate_locales',
    ),
    ...moved('foreign', 'language_config.code_switching', 'multilingual identify_multiple_languages'),
    ...moved(
      'foreign',
      'diarization',
      'diarize speaker_labels speaker_diarization show_speaker_labels enable_speaker_diarization',
    ),
    ...moved(
      'foreign',
      'diarization_config.number_of_speakers',
      'speakers_expected num_speakers speaker_count speakers expected_speakers diarization_config.speakers diarization_config.num_speakers diarization_config.speaker_count diarization_config.speakers_expected diarization_config.expected_speakers',
    ),
    ...moved('foreign', 'diarization_config.min_speakers', 'min_speaker_count min_speakers_expected'),
    ...moved(
      'foreign',
      'diarization_config.max_speakers',
      'max_speaker_count max_speakers_expected max_speaker_labels',
    ),
    ...moved('foreign', 'callback_config.url', 'webhook webhook_url notification_url notification_config'),
    ...moved('foreign', 'summarization', 'summarize summary'),
    ...moved(
      'foreign',
      'summarization_config.type',
      'summary_type summarization_type summarization_config.format summarization_config.style',
    ),
    ...moved('foreign', 'sentiment_analysis', 'sentiment analyze_sentiment'),
    ...moved('foreign', 'named_entity_recognition', 'entity_detection detect_entities entities ner'),
    ...moved('foreign', 'pii_redaction', 'redact_pii redact'),
    ...moved('foreign', 'pii_redaction_config.entity_types', 'redact_pii_policies redact_pii_entities'),
    ...moved(
      'foreign',
      'custom_vocabulary_config.vocabulary',
      'keywords keyterms keyterms_prompt keyterm word_boost phrases hints custom_words additional_vocab speech_contexts phrase_list boost_words',
    ),
    ...moved('foreign', 'translation', 'translate direct_translate'),
    ...moved('foreign', 'custom_metadata', 'metadata user_metadata'),
    ...moved('foreign', 'subtitles', 'caption captions'),
    ...removed(
      'foreign',
      'language_detection automatic_language_detection punctuate punctuation smart_format format_text numerals paragraphs utterances filler_words disfluencies profanity_filter filter_profanity multichannel dual_channel auto_chapters auto_highlights iab_categories content_safety topics intents speech_model speech_models tier response_format temperature timestamp_granularities boost_param initial_prompt prompt redact_pii_sub summary_model webhook_auth_header_name webhook_auth_header_value timestamps word_timestamps interim_results partial_transcripts diarize_version replace search tag tags detect_topics utt_split alternatives max_alternatives word_time_offsets enable_word_time_offsets automatic_punctuation enable_automatic_punctuation operating_point task vad vad_filter timestamps_granularity tag_audio_events model_id identify_language srt vtt named_entity_recognition_config sentiment_analysis_config sentences_config moderation_config chapterization_config name_consistency_config pii_redaction_config.policy translation_config.source_language translation_config.source_languages',
    ),
    // An API key in a request file reaches the service and everyone who receives the file.
    ...removed('foreign', 'api_key apikey key token authorization x_gladia_key x_service_key gladia_key'),
  ];
}

/** Settings outside their object, and nearly correct names within objects. */
function misplacedNames(): readonly Entry[] {
  const entry = 'custom_vocabulary_config.vocabulary.*';
  const named = (names: string): string =>
    names
      .split(' ')
      .map((name) => `${entry}.${name}`)
      .join(' ');
  return [
    ...moved('foreign', 'language_config.languages', 'languages'),
    ...moved('foreign', 'language_config.code_switching', 'code_switching'),
    ...moved('foreign', 'diarization_config.number_of_speakers', 'number_of_speakers'),
    ...moved('foreign', 'diarization_config.min_speakers', 'min_speakers'),
    ...moved('foreign', 'diarization_config.max_speakers', 'max_speakers'),
    ...moved(
      'foreign',
      'custom_vocabulary_config.vocabulary',
      'vocabulary custom_vocabulary_config.words custom_vocabulary_config.terms custom_vocabulary_config.phrases custom_vocabulary_config.keywords custom_vocabulary_config.custom_vocabulary',
    ),
    ...moved('foreign', 'custom_vocabulary_config.default_intensity', 'custom_vocabulary_config.intensity'),
    ...moved('foreign', 'value', named('word text term phrase content spelling')),
    ...moved('foreign', 'pronunciations', named('sounds_like pronunciation aliases')),
    ...removed('foreign', named('boost weight')),
    ...moved('foreign', 'custom_spelling_config.spelling_dictionary', 'spelling_dictionary'),
    ...moved(
      'foreign',
      'translation_config.target_languages',
      'target_language target_languages translation_languages translation_language translate_to translation_config.target_language translation_config.languages translation_config.language translation_config.targets translation_config.to',
    ),
    ...moved(
      'foreign',
      'subtitles_config.formats',
      'subtitle_format subtitle_formats caption_format caption_formats subtitles_config.format',
    ),
    ...subtitleNames('maximum_characters_per_row', 'max_characters_per_row characters_per_row max_chars_per_row'),
    ...subtitleNames('maximum_characters_per_row', 'max_line_length max_chars_per_line max_characters_per_line'),
    ...subtitleNames('maximum_rows_per_caption', 'max_rows_per_caption rows_per_caption max_rows max_lines'),
    ...subtitleNames('minimum_duration', 'min_duration'),
    ...subtitleNames('maximum_duration', 'max_duration'),
    ...moved(
      'foreign',
      'audio_to_llm_config.prompts',
      'prompts audio_to_llm_config.prompt audio_to_llm_config.questions audio_to_llm_config.question',
    ),
    ...moved(
      'foreign',
      'pii_redaction_config.entity_types',
      'pii_redaction_config.entities pii_redaction_config.types pii_redaction_config.entity_type',
    ),
    ...moved(
      'foreign',
      'pii_redaction_config.processed_text_type',
      'pii_redaction_config.mode pii_redaction_config.method pii_redaction_config.redaction_type',
    ),
    ...moved(
      'foreign',
      'callback_config.url',
      'callback_config.callback_url callback_config.endpoint callback_config.webhook_url callback_config.address callback_config.uri',
    ),
    ...moved('foreign', 'callback_config.method', 'callback_method callback_config.http_method'),
  ];
}

function subtitleNames(name: string, others: string): readonly Entry[] {
  const names = others.split(' ').map((other) => `subtitles_config.${other}`);
  return moved('foreign', `subtitles_config.${name}`, names.join(' '));
}

/** Settings of a live session. */
function liveNames(): readonly Entry[] {
  const switches =
    'receive_partial_transcripts receive_final_transcripts receive_speech_events receive_pre_processing_events receive_realtime_processing_events receive_post_processing_events receive_acknowledgments receive_errors receive_lifecycle_events';
  const ofCallback = switches.split(' ').map((name) => `callback_config.${name}`);
  return [
    ...removed(
      'live',
      'encoding bit_depth sample_rate channels endpointing maximum_duration_without_endpointing pre_processing messages_config audio_enhancer speech_threshold region',
    ),
    ...removed('live', switches),
    ...removed('live', ofCallback.join(' ')),
    ...wrappers('live', 'realtime_processing post_processing'),
  ];
}

/** Fields of responses and of wrappers in code that were pasted with a request. */
function pastedNames(): readonly Entry[] {
  return [
    ...removed('upload', 'audio_metadata filename extension size audio_duration number_of_channels'),
    ...removed(
      'foreign',
      'id result_url request_id version status kind error_code created_at completed_at post_session_metadata result status_code',
    ),
    ...wrappers(
      'foreign',
      'request_params config options params parameters request body payload data response settings extra_params transcription_config speaker_options',
    ),
  ];
}

/** @param names one or several, separated by spaces */
function moved(kind: RenamedKind, successor: string, names: string): readonly Entry[] {
  return names.split(' ').map((name) => [name, { kind, successor }]);
}

function wrappers(kind: RenamedKind, names: string): readonly Entry[] {
  return names.split(' ').map((name) => [name, { kind, isWrapper: true }]);
}

function removed(kind: RenamedKind, names: string): readonly Entry[] {
  return names.split(' ').map((name) => [name, { kind }]);
}
