import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasMoreValues } from '../../../../../src/base/json/jsonText.ts';
import { maxEditorValues } from '../../../../../src/language/request/requestFile.ts';
import { findServiceKnowledge } from '../../../../../src/known/serviceKnowledge.ts';
import {
  isEchoTooLong,
  makeRequestFromJob,
  makeRequestOfJob,
  requestFromLiveJob,
} from '../../../../../src/features/requests/common/requestFromJob.ts';

const liveJob = {
  id: 'a',
  kind: 'live',
  request_params: {
    encoding: 'wav/pcm',
    sample_rate: 16000,
    language_config: { languages: ['en', 'fr'], code_switching: true },
    pre_processing: { audio_enhancer: true, speech_threshold: 0.5 },
    realtime_processing: {
      custom_vocabulary: true,
      custom_spelling: false,
      translation: true,
      translation_config: { target_languages: ['de'] },
      named_entity_recognition: true,
    },
    post_processing: { summarization: true, summarization_config: { type: 'bullet_points' }, chapterization: true },
    messages_config: { receive_errors: true },
    callback: false,
    callback_config: { url: 'https://example.com', receive_errors: true },
  },
};

test('requests the same settings as the session, as far as the job contains them', () => {
  assert.deepEqual(requestFromLiveJob(liveJob).body, {
    language_config: { languages: ['en', 'fr'], code_switching: true },
    custom_vocabulary: true,
    translation: true,
    translation_config: { target_languages: ['de'] },
    named_entity_recognition: true,
    summarization: true,
    summarization_config: { type: 'bullet_points' },
  });
});

test('reports copied settings, settings that need input, and settings without a counterpart', () => {
  const { fates } = requestFromLiveJob(liveJob);
  const from = (fate: string) => fates.filter((each) => each.fate === fate).map((each) => each.from);
  assert.deepEqual(from('copied'), [
    'language_config',
    'realtime_processing.translation',
    'realtime_processing.translation_config',
    'realtime_processing.named_entity_recognition',
    'post_processing.summarization',
    'post_processing.summarization_config',
  ]);
  assert.deepEqual(from('needsInput'), ['audio_url', 'realtime_processing.custom_vocabulary']);
  assert.deepEqual(from('noCounterpart'), [
    'encoding',
    'sample_rate',
    'pre_processing.audio_enhancer',
    'pre_processing.speech_threshold',
    'post_processing.chapterization',
    'messages_config',
  ]);
});

test('accepts any item', () => {
  for (const item of [{}, { request_params: null }, { request_params: { realtime_processing: true } }]) {
    assert.deepEqual(requestFromLiveJob(item).body, {});
  }
});

test('requests the same settings as a pre-recorded job that echoes its request, with legacy names converted', () => {
  const item = {
    kind: 'pre-recorded',
    custom_metadata: { title: 'a' },
    request_params: {
      audio_url: 'https://media.example.com/a.mp3',
      language: 'fr',
      diarization: true,
      diarization_config: { max_speakers: 3, number_of_speakers: null, enhanced: true },
      subtitles: false,
      subtitles_config: { formats: ['srt'] },
      moderation: true,
      display_mode: false,
      flavour: 1,
    },
  };
  const request = makeRequestFromJob(item, findServiceKnowledge('gladia')?.service);
  assert.deepEqual(request?.body, {
    audio_url: 'https://media.example.com/a.mp3',
    language_config: { languages: ['fr'] },
    diarization: true,
    diarization_config: { max_speakers: 3 },
    custom_metadata: { title: 'a' },
  });
  const lost = request.fates.filter(({ fate }) => fate === 'noCounterpart').map(({ from }) => from);
  assert.deepEqual(lost, ['moderation', 'flavour', 'diarization_config.enhanced']);
});

test('makes no request from a job without settings', () => {
  assert.equal(makeRequestFromJob({ kind: 'pre-recorded' }, undefined), undefined);
  assert.deepEqual(makeRequestFromJob(liveJob, undefined), requestFromLiveJob(liveJob));
});

test('makes no request if a row has only its beginning, or its numbers would change', () => {
  const echo = (title: string) =>
    JSON.stringify({
      kind: 'pre-recorded',
      custom_metadata: { title },
      request_params: { audio_url: 'https://a.example' },
    });
  const ones = (count: number): string => JSON.stringify(Array.from({ length: count }, () => 1));
  const short = { raw: echo('a') };
  assert.ok(makeRequestOfJob(short, undefined) !== undefined && !isEchoTooLong(short));
  for (const job of [
    { ...short, cutFields: ['custom_metadata'] },
    { ...short, cutFields: ['request_params'] },
    { raw: echo('a'.repeat(200_000)).replace('{"title"', '{"n":12345678901234567890,"title"') },
    { raw: echo('a').replace('"a"', ones(maxEditorValues - 3)) },
  ]) {
    assert.ok(makeRequestOfJob(job, undefined) === undefined && isEchoTooLong(job));
  }
  // As many values as VS Code submits.
  const longest = { raw: echo('a').replace('"a"', ones(maxEditorValues - 4)) };
  const { body } = makeRequestOfJob(longest, undefined) ?? assert.fail('too long');
  assert.equal(hasMoreValues(JSON.stringify(body), maxEditorValues - 1), true);
  assert.equal(hasMoreValues(JSON.stringify(body), maxEditorValues), false);
});

test('says that settings under an old name are to be filled in if they are too many to be moved', () => {
  const prompts = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`k${index}`, 1]));
  const item = { kind: 'pre-recorded', request_params: { custom_prompts_config: prompts, params: prompts } };
  const { body, fates } =
    makeRequestFromJob(item, findServiceKnowledge('gladia')?.service) ?? assert.fail('no request');
  assert.deepEqual(body, {});
  assert.deepEqual(
    fates.map(({ from, fate }) => `${from} ${fate}`),
    ['audio_url needsInput', 'custom_prompts_config needsInput', 'params needsInput'],
  );
});

test('keeps the numbers of the service as written, also under old names', () => {
  const raw =
    '{"kind": "pre-recorded", "request_params": {"audio_url": "https://a.example", "diarization_max_speakers": 3.0, "custom_vocabulary_config": {"default_intensity": 0.50, "vocabulary": [{"value": "a", "intensity": 1e-1}]}}, "custom_metadata": {"id": 9007199254740993}}';
  const body = JSON.stringify(makeRequestOfJob({ raw }, findServiceKnowledge('gladia')?.service)?.body);
  for (const number of ['3.0', '0.50', '1e-1', '9007199254740993']) assert.ok(body.includes(`:${number}`), body);
});
