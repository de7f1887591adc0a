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
  { text: '{«"custom_vocabulary"»: true}', fixed: ['{"custom_vocabulary": false}'] },
  {
    text: '{«"custom_vocabulary"»: true, "custom_vocabulary_config": {"default_intensity": 0.5}}',
    fixed: ['{"custom_vocabulary": false}'],
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
  { text: '{«"translation"»: true, «"callback"»: true}' },
  { text: '{«"translation"»: true, "translation_config": {"model": "base"}}' },
  { text: '{«"translation"»: true, "translation_config": {"target_languages": []}}' },
);
isSilent(
  'switches/switch-without-known-config',
  '{"translation": true, "translation_config": {"target_languages": ["fr"]}}',
  '{"translation": true, "translation_config": {"target_languages": "fr"}}',
  '{"translation": false}',
  '{"subtitles": true, "summarization": true}',
);
