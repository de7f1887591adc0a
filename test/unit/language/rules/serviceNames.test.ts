import { fires, isSilent } from './ruleCases.ts';

fires(
  'service/legacy-name',
  { text: '{«"language"»: "fr"}', fixed: ['{"language_config": { "languages": ["fr"] }}'] },
  { text: '{«"language"»:"en,fr"}', fixed: ['{"language_config":{"languages":["en","fr"]}}'] },
  { text: '{"audio_url": "a", «"language"»: "auto"}', fixed: ['{"audio_url": "a"}'] },
  {
    text: '{"language_config": {"languages": ["en"]}, «"language"»: "fr"}',
    fixed: ['{"language_config": {"languages": ["en"]}}'],
  },
  {
    text: '{\n  "language_config": {\n    "code_switching": true\n  },\n  «"language"»: "fr"\n}',
    fixed: ['{\n  "language_config": {\n    "code_switching": true,\n    "languages": ["fr"]\n  }\n}'],
  },
  { text: '{«"detect_language"»: true, "diarization": true}', fixed: ['{"diarization": true}'] },
  { text: '{«"enable_code_switching"»: true}', fixed: ['{"language_config": { "code_switching": true }}'] },
  {
    text: '{«"code_switching_config"»: {"languages": ["en", "fr"]}}',
    fixed: ['{"language_config": { "languages": ["en", "fr"] }}'],
  },
  {
    text: '{«"callback_url"»: "https://hooks.example.com/a"}',
    fixed: ['{"callback": true, "callback_config": { "url": "https://hooks.example.com/a" }}'],
  },
  {
    text: '{"diarization": true, "diarization_config": {"max_speakers": 2, «"enhanced"»: true}}',
    fixed: ['{"diarization": true, "diarization_config": {"max_speakers": 2}}'],
  },
  { text: '{«"context_prompt"»: "A board meeting"}', fixed: ['{}'] },
  {
    text: '{«"diarization_max_speakers"»: 4}',
    fixed: ['{"diarization": true, "diarization_config": { "max_speakers": 4 }}'],
  },
  { text: '{«"toggle_diarization"»: false}', fixed: ['{"diarization": false}'] },
);
isSilent(
  'service/legacy-name',
  '{"language_config": {"languages": ["fr"]}, "callback": true, "callback_config": {"url": "https://a.example/"}}',
  '{"custom_metadata": {"language": "fr"}}',
);

fires(
  'service/foreign-name',
  { text: '{«"diarize"»: true}', fixed: ['{"diarization": true}'] },
  { text: '{«"url"»: "https://a.example/a.mp3"}', fixed: ['{"audio_url": "https://a.example/a.mp3"}'] },
  {
    text: '{«"max_speakers"»: 3, "diarization": true}',
    fixed: ['{"diarization_config": { "max_speakers": 3 }, "diarization": true}'],
  },
  { text: '{«"punctuate"»: true}', fixed: ['{}'] },
  {
    text: '{«"keywords"»: ["Kubernetes"]}',
    fixed: ['{"custom_vocabulary": true, "custom_vocabulary_config": { "vocabulary": ["Kubernetes"] }}'],
  },
  {
    text: '{"audio_url": "https://a.example/a", «"audio_metadata"»: {"id": "1", "audio_duration": 3}}',
    fixed: ['{"audio_url": "https://a.example/a"}'],
  },
);
isSilent(
  'service/foreign-name',
  '{"audio_url": "https://a.example/a", "flavour": 1}',
  '{"custom_metadata": {"url": "x"}}',
);

fires(
  'service/live-only',
  { text: '{«"encoding"»: "wav/pcm", "diarization": true}', fixed: ['{"diarization": true}'] },
  {
    text: '{«"realtime_processing"»: {"translation": true, "sentiment_analysis": false}}',
    fixed: ['{"translation": true}'],
  },
);
isSilent('service/live-only', '{"model": "solaria-1"}');
