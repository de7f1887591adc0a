import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { checkRequest } from '../../../src/language/check.ts';
import { findServiceKnowledge } from '../../../src/known/serviceKnowledge.ts';
import { parseRequest } from '../../../src/language/request/requestFile.ts';
import { schemaErrors } from '../language/schemaCheck.ts';

const nowMs = Date.parse('2026-11-20T12:00:00Z');

/** Bodies that the service accepts, including edge cases. */
const right: readonly (readonly [title: string, body: JsonObject])[] = [
  ['nothing but audio', {}],
  ['a video of a supported platform', { audio_url: 'https://youtu.be/NhAwCo2wX38' }],
  ['a post with a video', { audio_url: 'https://www.linkedin.com/posts/someone_activity-1' }],
  ['audio of an upload', { audio_url: 'https://api.gladia.io/file/0f0a6c1e-8f1d-4a7e-a5a2-7a5d0c' }],
  [
    'a signed link that is still valid',
    {
      audio_url:
        'https://b.s3.amazonaws.com/a%20b.mp3?X-Amz-Date=20261120T110000Z&X-Amz-Expires=86400&X-Amz-Signature=0',
    },
  ],
  ['a public address in numbers', { audio_url: 'https://93.184.216.34/a.mp3' }],
  ['two possible languages', { language_config: { languages: ['en', 'fr'] } }],
  ['two languages with code switching', { language_config: { languages: ['en', 'fr'], code_switching: true } }],
  ['codes that look wrong', { language_config: { languages: ['jw', 'haw', 'yo', 'nn', 'zh'] } }],
  ['explicit language detection', { language_config: { languages: [], code_switching: false } }],
  ['plain diarization', { diarization: true }],
  ['a single bound', { diarization: true, diarization_config: { min_speakers: 0, max_speakers: 8 } }],
  [
    'subtitles at the bounds of durations',
    {
      subtitles: true,
      subtitles_config: { formats: ['vtt'], minimum_duration: 0, maximum_duration: 30, style: 'default' },
    },
  ],
  [
    'translated subtitles, also into Wolof',
    {
      subtitles: true,
      translation: true,
      translation_config: {
        target_languages: ['wo', 'en'],
        model: 'batch',
        context: 'French, English; a call.',
        informal: true,
        lipsync: false,
        match_original_utterances: false,
        context_adaptation: true,
      },
    },
  ],
  ['a concise summary', { summarization: true, summarization_config: { type: 'concise' } }],
  [
    'terms with spaces, commas and signs',
    {
      custom_vocabulary: true,
      custom_vocabulary_config: {
        vocabulary: ['Paris, Texas', 'AT&T', 'C++', 'New York', '1/2'],
        default_intensity: 0.4,
      },
    },
  ],
  [
    'a term once for each language',
    {
      language_config: { languages: ['en', 'de'], code_switching: true },
      custom_vocabulary: true,
      custom_vocabulary_config: {
        vocabulary: [
          { value: 'Jaguar', language: 'en', pronunciations: ['jagwar'], intensity: 0.6 },
          { value: 'Jaguar', language: 'de', pronunciations: ['yaguar'], intensity: 0.4 },
        ],
      },
    },
  ],
  [
    'a dictionary with the names of fields',
    {
      custom_spelling: true,
      custom_spelling_config: { spelling_dictionary: { language: ['langage'], url: ['you are el'] } },
    },
  ],
  [
    'prompts of several lines with commas and semicolons',
    {
      audio_to_llm: true,
      audio_to_llm_config: {
        prompts: ['Who, when; where?\nAnd why | how?', 'Sum up'],
        model: 'mistralai/mistral-large',
      },
    },
  ],
  ['redaction with defaults', { pii_redaction: true }],
  [
    'a preset and kinds of personal information',
    {
      pii_redaction: true,
      pii_redaction_config: { entity_types: ['GDPR', 'SSN', 'YEAR'], processed_text_type: 'MASK' },
    },
  ],
  [
    'a callback by PUT',
    { callback: true, callback_config: { url: 'https://hooks.example.com:8443/a?b=c', method: 'PUT' } },
  ],
  ['metadata of 2,000 characters', { custom_metadata: { n: 'x'.repeat(1992) } }],
  [
    'metadata named like settings',
    { custom_metadata: { language: 'french', api_key: null, options: { diarize: true }, sampleRate: 8000 } },
  ],
  ['a model with its language', { model: 'solaria-3', language_config: { languages: ['it'] } }],
  ['a sparsely documented model', { model: 'solaria-fusion', language_config: { languages: ['ja', 'en'] } }],
  [
    'all features off',
    {
      diarization: false,
      subtitles: false,
      translation: false,
      summarization: false,
      custom_vocabulary: false,
      custom_spelling: false,
      audio_to_llm: false,
      pii_redaction: false,
      callback: false,
      sentences: false,
    },
  ],
  [
    'all features without settings',
    { named_entity_recognition: true, sentiment_analysis: true, sentences: true, punctuation_enhanced: true },
  ],
];

test('there are at least twenty valid requests', () => assert.ok(right.length >= 20));

for (const [title, body] of right) {
  test(`reports nothing about ${title}`, () => {
    const request = parseRequest(
      JSON.stringify({ audio_url: 'https://media.example.com/a.mp3', ...body }, undefined, 2),
    );
    for (const service of ['gladia', 'auto', 'none'] as const) {
      const shown = checkRequest(request, schemaErrors, { nowMs, knowledge: findServiceKnowledge(service) });
      assert.deepEqual(
        shown.map(({ code, message }) => `${code}: ${message}`),
        [],
        service,
      );
    }
  });
}

test('reports contradictory settings of features that are off as hints at most', () => {
  const body = {
    audio_url: 'https://media.example.com/a.mp3',
    diarization: false,
    diarization_config: { number_of_speakers: 3, min_speakers: 5, max_speakers: 2, enhanced: true },
    subtitles: false,
    subtitles_config: { formats: ['txt'], maximum_duration: 99, maximum_rows_per_caption: 0, style: 'x' },
    translation: false,
    translation_config: { target_languages: ['french', 'french'], model: 'x' },
    callback: false,
    callback_config: { url: 'http://localhost/', method: 'GET' },
    custom_vocabulary: false,
    custom_vocabulary_config: { vocabulary: ['', 'a', 'a', {}], default_intensity: 9 },
    pii_redaction: false,
    pii_redaction_config: { entity_types: 'GDPR', processed_text_type: 'x' },
    audio_to_llm: false,
    audio_to_llm_config: { prompts: [['a']] },
  };
  const knowledge = findServiceKnowledge('gladia');
  const shown = checkRequest(parseRequest(JSON.stringify(body)), schemaErrors, { nowMs, knowledge });
  assert.deepEqual(
    shown.filter(({ severity }) => severity !== 'hint').map(({ code }) => code),
    [],
  );
  assert.equal(shown.filter(({ code }) => code === 'switches/config-without-switch').length, 7);
});
