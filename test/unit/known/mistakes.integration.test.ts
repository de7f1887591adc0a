import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkRequest } from '../../../src/language/check.ts';
import { findServiceKnowledge } from '../../../src/known/serviceKnowledge.ts';
import { chooseFix, fixAll } from '../../../src/language/edits.ts';
import { parseRequest, type RequestFile } from '../../../src/language/request/requestFile.ts';
import type { ServiceChoice } from '../../../src/known/knownService.ts';
import { schemaErrors } from '../language/schemaCheck.ts';

const nowMs = Date.parse('2026-11-20T12:00:00Z');
const url = '"audio_url": "https://media.example.com/a.mp3"';

function check(request: RequestFile, service: ServiceChoice) {
  return checkRequest(request, schemaErrors, { nowMs, knowledge: findServiceKnowledge(service) });
}

/** Real mistakes of users, with the codes of their findings for a known service. */
const mistakes: readonly (readonly [title: string, members: string, code: string])[] = [
  ['language at the top', '"language": "fr"', 'service/legacy-name'],
  ['language, several in one', '"language": "en,fr"', 'service/legacy-name'],
  ['detect_language', '"detect_language": true', 'service/legacy-name'],
  ['enable_code_switching', '"enable_code_switching": true', 'service/legacy-name'],
  ['code_switching_config', '"code_switching_config": {"languages": ["en", "fr"]}', 'service/legacy-name'],
  ['language_behaviour', '"language_behaviour": "automatic multiple languages"', 'service/legacy-name'],
  ['callback_url', '"callback_url": "https://hooks.example.com/a"', 'service/legacy-name'],
  ['context_prompt', '"context_prompt": "A meeting"', 'service/legacy-name'],
  [
    'diarization_config.enhanced',
    '"diarization": true, "diarization_config": {"enhanced": true}',
    'service/legacy-name',
  ],
  ['v1 toggle_diarization', '"toggle_diarization": true', 'service/legacy-name'],
  ['v1 diarization_max_speakers', '"diarization_max_speakers": 3', 'service/legacy-name'],
  ['v1 target_translation_language', '"target_translation_language": "french"', 'service/legacy-name'],
  ['moderation', '"moderation": true', 'service/legacy-name'],
  ['structured_data_extraction', '"structured_data_extraction": true', 'service/legacy-name'],
  ['detect_language within language_config', '"language_config": {"detect_language": true}', 'service/legacy-name'],
  [
    'enable_code_switching within language_config',
    '"language_config": {"languages": ["en", "fr"], "enable_code_switching": true}',
    'service/legacy-name',
  ],
  [
    'spelling within custom_spelling_config',
    '"custom_spelling": true, "custom_spelling_config": {"spelling": {"SQL": ["sequel"]}}',
    'service/legacy-name',
  ],
  ['diarize', '"diarize": true', 'service/foreign-name'],
  ['punctuate', '"punctuate": true', 'service/foreign-name'],
  ['smart_format', '"smart_format": true', 'service/foreign-name'],
  ['speaker_labels', '"speaker_labels": true', 'service/foreign-name'],
  ['speakers_expected', '"speakers_expected": 2', 'service/foreign-name'],
  ['language_code', '"language_code": "en_us"', 'service/foreign-name'],
  ['webhook_url', '"webhook_url": "https://hooks.example.com/a"', 'service/foreign-name'],
  ['word_boost', '"word_boost": ["Kubernetes"]', 'service/foreign-name'],
  ['keywords in one string', '"keywords": "Kubernetes, Helm"', 'service/foreign-name'],
  ['redact_pii', '"redact_pii": true', 'service/foreign-name'],
  ['entity_detection', '"entity_detection": true', 'service/foreign-name'],
  ['summarize', '"summarize": true', 'service/foreign-name'],
  ['max_speakers beside its object', '"diarization": true, "max_speakers": 3', 'service/foreign-name'],
  ['code_switching beside its object', '"code_switching": true', 'service/foreign-name'],
  ['languages beside its object', '"languages": ["en"]', 'service/foreign-name'],
  ['target_languages beside its object', '"translation": true, "target_languages": ["fr"]', 'service/foreign-name'],
  ['format for formats', '"subtitles": true, "subtitles_config": {"format": "srt"}', 'service/foreign-name'],
  [
    'a pasted upload response',
    '"audio_metadata": {"id": "1", "filename": "a.mp3", "audio_duration": 3}',
    'service/foreign-name',
  ],
  ['camel case', '"languageConfig": {"languages": ["en"]}', 'fields/misspelt'],
  ['sample_rate', '"sample_rate": 16000', 'service/live-only'],
  ['messages_config', '"messages_config": {"receive_partial_transcripts": true}', 'service/live-only'],
  ['realtime_processing', '"realtime_processing": {"translation": true}', 'service/live-only'],
  ['translation without targets', '"translation": true', 'service/missing'],
  [
    'translation with an empty list',
    '"translation": true, "translation_config": {"target_languages": []}',
    'service/missing',
  ],
  ['spelling without a dictionary', '"custom_spelling": true, "custom_spelling_config": {}', 'service/missing'],
  ['prompts missing', '"audio_to_llm": true', 'service/missing'],
  ['callback without an address', '"callback": true', 'service/missing'],
  [
    'intensity above 1',
    '"custom_vocabulary": true, "custom_vocabulary_config": {"vocabulary": ["a"], "default_intensity": 50}',
    'service/range',
  ],
  [
    'intensity of a term below 0',
    '"custom_vocabulary": true, "custom_vocabulary_config": {"vocabulary": [{"value": "a", "intensity": -0.5}]}',
    'service/range',
  ],
  ['captions of a minute', '"subtitles": true, "subtitles_config": {"maximum_duration": 60}', 'service/range'],
  ['a negative duration', '"subtitles": true, "subtitles_config": {"minimum_duration": -1}', 'service/range'],
  ['six rows', '"subtitles": true, "subtitles_config": {"maximum_rows_per_caption": 6}', 'service/range'],
  [
    'durations the wrong way round',
    '"subtitles": true, "subtitles_config": {"minimum_duration": 8, "maximum_duration": 2}',
    'service/order',
  ],
  [
    'speakers the wrong way round',
    '"diarization": true, "diarization_config": {"min_speakers": 5, "max_speakers": 2}',
    'diarization/contradiction',
  ],
  ['an old model', '"model": "accurate"', 'service/value'],
  ['a summary in paragraphs', '"summarization": true, "summarization_config": {"type": "paragraph"}', 'service/value'],
  ['a summary in bullets', '"summarization": true, "summarization_config": {"type": "bullets"}', 'service/value'],
  [
    'PII in lower case',
    '"pii_redaction": true, "pii_redaction_config": {"entity_types": ["phone_number"]}',
    'service/value',
  ],
  [
    'a PII mode',
    '"pii_redaction": true, "pii_redaction_config": {"entity_types": ["GDPR"], "processed_text_type": "hash"}',
    'service/value',
  ],
  [
    'a translation model',
    '"translation": true, "translation_config": {"target_languages": ["fr"], "model": "premium"}',
    'service/value',
  ],
  [
    'an unsupported method',
    '"callback": true, "callback_config": {"url": "https://hooks.example.com/a", "method": "GET"}',
    'service/value',
  ],
  ['languages in one string', '"language_config": {"languages": ["en,fr"]}', 'service/several-in-one'],
  ['languages separated by a space', '"language_config": {"languages": ["en fr"]}', 'service/several-in-one'],
  [
    'terms in one string',
    '"custom_vocabulary": true, "custom_vocabulary_config": {"vocabulary": ["Helm, Istio, Envoy"]}',
    'service/several-in-one',
  ],
  [
    'pronunciations in one string',
    '"custom_vocabulary": true, "custom_vocabulary_config": {"vocabulary": [{"value": "Misha", "pronunciations": ["micha, misha"]}]}',
    'service/several-in-one',
  ],
  ['a language by its name', '"language_config": {"languages": ["french"]}', 'service/language-code'],
  ['a language with its region', '"language_config": {"languages": ["en-US"]}', 'service/language-code'],
  ['the other code of Javanese', '"language_config": {"languages": ["jv"]}', 'service/language-code'],
  [
    'a target by its name',
    '"translation": true, "translation_config": {"target_languages": ["German"]}',
    'service/language-code',
  ],
  [
    'a model without the language',
    '"model": "solaria-3", "language_config": {"languages": ["ja"]}',
    'service/model-languages',
  ],
  [
    'a model with two languages',
    '"model": "solaria-3", "language_config": {"languages": ["en", "fr"]}',
    'service/model-languages',
  ],
  [
    'a model without code switching',
    '"model": "solaria-3", "language_config": {"code_switching": true, "languages": []}',
    'service/model-languages',
  ],
  [
    'a callback to localhost',
    '"callback": true, "callback_config": {"url": "http://localhost:8000/hook"}',
    'service/callback-address',
  ],
  [
    'a callback in the private network',
    '"callback": true, "callback_config": {"url": "https://192.168.1.5/hook"}',
    'service/callback-address',
  ],
  [
    'a callback without encryption',
    '"callback": true, "callback_config": {"url": "http://hooks.example.com/a"}',
    'service/callback-address',
  ],
  ['null for a number', '"diarization": true, "diarization_config": {"number_of_speakers": null}', 'fields/null'],
  ['null for a config', '"translation_config": null', 'fields/null'],
  [
    'prompts as one string',
    '"audio_to_llm": true, "audio_to_llm_config": {"prompts": "Summarize"}',
    'schema/known-type',
  ],
  [
    'PII types as one string',
    '"pii_redaction": true, "pii_redaction_config": {"entity_types": "GDPR"}',
    'schema/known-type',
  ],
  ['too much metadata', `"custom_metadata": {"note": "${'x'.repeat(2100)}"}`, 'service/too-long'],
];

test('there are at least sixty mistakes', () => assert.ok(mistakes.length >= 60));

for (const [title, members, code] of mistakes) {
  test(`finds ${title}`, () => {
    const request = parseRequest(`{${url}, ${members}}`);
    assert.deepEqual(request.problems, []);
    const found = check(request, 'gladia').map((finding) => finding.code);
    assert.ok(found.includes(code), found.join(', '));
    for (const service of ['auto', 'none'] as const) {
      const findings = check(request, service);
      assert.deepEqual(
        findings.filter(({ severity }) => severity === 'error'),
        [],
        `no error with ${service}`,
      );
      const shown = findings.filter((finding) => finding.code.startsWith('service/'));
      assert.ok(service === 'auto' || shown.length === 0);
      assert.ok(shown.every(({ severity }) => severity === 'info'));
    }
  });
}

test('Fix All leaves one finding in a legacy body: the fix would turn an add-on on, which may be billed', () => {
  const legacy = `{
  ${url},
  "language": "french",
  "detect_language": false,
  "enable_code_switching": false,
  "diarize": true,
  "max_speakers": 4,
  "diarization_config": {"enhanced": true, "min_speakers": null},
  "keywords": ["Kubernetes", "Helm"],
  "callback_url": "https://hooks.example.com/a",
  "target_translation_language": "en",
  "subtitles": true,
  "subtitles_config": {"format": "srt", "maximum_rows_per_caption": 2},
  "context_prompt": "A meeting"
}`;
  const { text } = fixAll(parseRequest(legacy), (request) => check(request, 'gladia'), chooseFix);
  assert.deepEqual(JSON.parse(text), {
    audio_url: 'https://media.example.com/a.mp3',
    language_config: { languages: ['fr'], code_switching: false },
    diarization: true,
    diarization_config: { max_speakers: 4 },
    custom_vocabulary: true,
    custom_vocabulary_config: { vocabulary: ['Kubernetes', 'Helm'] },
    callback: true,
    callback_config: { url: 'https://hooks.example.com/a' },
    target_translation_language: 'en',
    subtitles: true,
    subtitles_config: { formats: ['srt'], maximum_rows_per_caption: 2 },
  });
  assert.deepEqual(
    check(parseRequest(text), 'gladia').flatMap(({ fixes = [] }) => fixes.map(({ title }) => title)),
    ['Change to translation_config.target_languages and turn on translation'],
  );
});
