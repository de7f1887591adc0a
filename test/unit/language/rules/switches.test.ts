import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findServiceKnowledge, type ServiceKnowledge } from '../../../../src/known/serviceKnowledge.ts';
import { checkRules } from '../../../../src/language/check.ts';
import { parseRequest } from '../../../../src/language/request/requestFile.ts';
import { fires, isSilent } from './ruleCases.ts';

fires(
  'switches/config-without-switch',
  {
    text: '{"diarization": false, «"diarization_config"»: {"min_speakers": 2}}',
    fixed: ['{"diarization": true, "diarization_config": {"min_speakers": 2}}', '{"diarization": false}'],
  },
  {
    text: '{\r\n\t"audio_url": "a",\r\n\t«"subtitles_config"» :{}\r\n}',
    fixed: [
      '{\r\n\t"audio_url": "a",\r\n\t"subtitles" :true,\r\n\t"subtitles_config" :{}\r\n}',
      '{\r\n\t"audio_url": "a"\r\n}',
    ],
  },
  {
    text: '{«"custom_vocabulary_config"»:{"vocabulary":["a"]}}',
    fixed: ['{"custom_vocabulary":true,"custom_vocabulary_config":{"vocabulary":["a"]}}', '{}'],
  },
);
isSilent(
  'switches/config-without-switch',
  '{"diarization": true, "diarization_config": {}}',
  '{"diarization": "yes", "diarization_config": {}}',
  '{"diarization_config": []}',
  '{"language_config": {}}',
  // The missing switch may be in the broken part.
  '{"diarization_config": {}, "diariz',
);

fires(
  'switches/switch-without-config',
  {
    text: '{«"custom_vocabulary"»: true}',
    fixed: [
      '{"custom_vocabulary": true, "custom_vocabulary_config": { "vocabulary": [] }}',
      '{"custom_vocabulary": false}',
    ],
  },
  {
    text: '{«"custom_vocabulary"»: true, "custom_vocabulary_config": {"default_intensity": 0.5}}',
    fixed: [
      '{"custom_vocabulary": true, "custom_vocabulary_config": {"default_intensity": 0.5, "vocabulary": []}}',
      '{"custom_vocabulary": false}',
    ],
  },
);
isSilent(
  'switches/switch-without-config',
  '{"custom_vocabulary": true, "custom_vocabulary_config": {"vocabulary": []}}',
  '{"custom_vocabulary": false}',
  '{"diarization": true}',
  '{"custom_vocabulary": true, "custom_voc',
);

fires(
  'switches/switch-without-known-config',
  { text: '{«"callback"»: true}' },
  {
    text: '{«"translation"»: true}',
    fixed: ['{"translation": true, "translation_config": { "target_languages": ["en"] }}'],
  },
  {
    text: '{«"translation"»: true, "translation_config": {"model": "base"}}',
    fixed: ['{"translation": true, "translation_config": {"model": "base", "target_languages": ["en"]}}'],
  },
  // The audio is in English.
  {
    text: '{"language_config": {"languages": ["en"]}, «"translation"»: true, "translation_config": {"target_languages": []}}',
    fixed: [
      '{"language_config": {"languages": ["en"]}, "translation": true, "translation_config": {"target_languages": ["es"]}}',
    ],
  },
);
isSilent(
  'switches/switch-without-known-config',
  '{"translation": true, "translation_config": {"target_languages": ["fr"]}}',
  '{"translation": true, "translation_config": {"target_languages": "fr"}}',
  '{"translation": false}',
  '{"subtitles": true, "summarization": true}',
);

test('switches/config-without-switch claims no more than the interface or the service in use says', () => {
  const said = (text: string, knowledge: ServiceKnowledge | undefined) =>
    checkRules(parseRequest(text), { nowMs: 0, knowledge })
      .filter(({ code }) => code === 'switches/config-without-switch')
      .map(({ severity, message, fixes }) => [severity, message, fixes?.every(({ isChoice }) => isChoice)]);
  const services = [undefined, findServiceKnowledge(), findServiceKnowledge('gladia')];
  const vocabulary = '{"custom_vocabulary_config": {"vocabulary": ["a"]}}';
  const together = 'custom_vocabulary_config is to be sent together with custom_vocabulary, which is missing.';
  for (const each of services) assert.deepEqual(said(vocabulary, each), [['warning', together, false]]);
  const subtitles = '{"subtitles_config": {"formats": ["srt"]}}';
  const left = 'leaves subtitles off if it is missing; subtitles_config is unused then.';
  assert.deepEqual(
    services.flatMap((each) => said(subtitles, each)),
    [
      ['hint', 'subtitles_config is given, but subtitles is missing.', true],
      ['info', `Gladia (a public service) ${left}`, true],
      ['warning', `Gladia ${left}`, true],
    ],
  );
  const off = '{"subtitles": false, "subtitles_config": {"formats": ["srt"]}}';
  for (const each of services) {
    assert.deepEqual(said(off, each), [['hint', 'subtitles_config is unused: subtitles is off.', true]]);
  }
});
