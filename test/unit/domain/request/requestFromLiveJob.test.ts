import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestFromLiveJob } from '../../../../src/domain/request/requestFromLiveJob.ts';

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

test('asks for the same as the session, as far as the job tells', () => {
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

test('reports what was copied, what needs input and what has no counterpart', () => {
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

test('takes any item', () => {
  for (const item of [{}, { request_params: null }, { request_params: { realtime_processing: true } }]) {
    assert.deepEqual(requestFromLiveJob(item).body, {});
  }
});
