import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkRules } from '../../../../src/language/check.ts';
import { parseRequest } from '../../../../src/language/request/requestFile.ts';
import { fires, isSilent } from './ruleCases.ts';

fires(
  'fields/misspelt',
  { text: '{«"audioUrl"»: "https://a.example/a"}', fixed: ['{"audio_url": "https://a.example/a"}'] },
  // The value gets the type of the field, too.
  { text: '{«"diarisation"»: "yes", "subtitles": false}', fixed: ['{"diarization": true, "subtitles": false}'] },
  { text: '{"subtitles_config": {«"format"»: "srt"}}', fixed: ['{"subtitles_config": {"formats": ["srt"]}}'] },
  { text: '{«"diarisation"»: true, "subtitles": false}', fixed: ['{"diarization": true, "subtitles": false}'] },
  {
    text: '{"language_config": {«"language"»: ["en"]}}',
    fixed: ['{"language_config": {"languages": ["en"]}}'],
  },
  {
    text: '{"custom_vocabulary_config": {"vocabulary": ["a", {«"valeu"»: "b"}]}}',
    fixed: ['{"custom_vocabulary_config": {"vocabulary": ["a", {"value": "b"}]}}'],
  },
  // The closer of two similar names.
  {
    text: '{"diarization_config": {«"mim_speakers"»: 2}}',
    fixed: ['{"diarization_config": {"min_speakers": 2}}'],
  },
  {
    text: '{"diarization_config": {«"mam_speakers"»: 2}}',
    fixed: ['{"diarization_config": {"max_speakers": 2}}'],
  },
  // No fix: the right name exists already.
  { text: '{"audio_url": "a", «"audioUrl"»: "b"}' },
  // No fix: under the right name the value would be an error.
  { text: '{«"audioUrl"»: "s3://bucket/a"}' },
  { text: '{"diarization_config": {"min_speakers": 4, «"max_speaker"»: 2}}' },
);
isSilent('fields/misspelt', '{"audio_url": "a", "custom_metadata": {"audio_ur": 1}}', '{"flavour": 1}');

fires(
  'fields/unknown',
  { text: '{«"flavour"»: 1, "diarization_config": {«"colour"»: 2}}' },
  { text: '{«"vocabulary"»: ["a"]}' },
  { text: '{"custom_vocabulary_config": {"vocabulary": [{"value": "a", «"weight"»: 1}]}}' },
  { text: '{«"__proto__"»: 1, «"toString"»: 2}' },
);
isSilent('fields/unknown', '{"custom_metadata": {"anything": 1}}', '{"audioUrl": "a"}', '[{"flavour": 1}]');

test('reports the place where a misplaced field belongs if there is only one', () => {
  const messageOf = (text: string): string | undefined =>
    checkRules(parseRequest(text), { nowMs: 0 }).find(({ code }) => code === 'fields/unknown')?.message;
  assert.match(messageOf('{"language_config": {"formats": ["srt"]}}') ?? '', /belongs inside subtitles_config/);
  assert.equal(messageOf('{"language_config": {"model": "x"}}'), 'Unknown field "model".');
});

fires(
  'fields/null',
  {
    text: '{"audio_url": "https://a.example/a", "diarization": «null»}',
    fixed: ['{"audio_url": "https://a.example/a"}'],
  },
  {
    text: '{"diarization_config": {"number_of_speakers": «null», "min_speakers": 1}}',
    fixed: ['{"diarization_config": {"min_speakers": 1}}'],
  },
  {
    text: '{"custom_vocabulary_config": {"vocabulary": [{"value": "a", "language": «null»}]}}',
    fixed: ['{"custom_vocabulary_config": {"vocabulary": [{"value": "a"}]}}'],
  },
);
isSilent(
  'fields/null',
  '{"audio_url": null}',
  '{"custom_metadata": {"a": null}, "flavour": null, "language_config": {"languages": [null]}}',
  '{"custom_vocabulary_config": {"vocabulary": [{"value": null}]}}',
);
