import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkRules } from '../../../../src/language/check.ts';
import { findServiceKnowledge } from '../../../../src/known/serviceKnowledge.ts';
import { parseRequest } from '../../../../src/language/request/requestFile.ts';
import { fires, isSilent } from './ruleCases.ts';

fires(
  'service/missing',
  {
    text: '{«"translation"»: true}',
    fixed: ['{"translation": true, "translation_config": { "target_languages": ["en"] }}', '{"translation": false}'],
  },
  {
    text: '{"translation": true, «"translation_config"»: {"model": "base"}}',
    fixed: [
      '{"translation": true, "translation_config": {"model": "base", "target_languages": ["en"]}}',
      '{"translation": false}',
    ],
  },
  { text: '{"audio_to_llm": true, "audio_to_llm_config": {"prompts": «[]»}}', fixed: ['{"audio_to_llm": false}'] },
  { text: '{"callback": true, "callback_config": {"url": «""»}}', fixed: ['{"callback": false}'] },
  { text: '{«"custom_spelling"»: true}', fixed: ['{"custom_spelling": false}'] },
);
isSilent(
  'service/missing',
  '{"translation": false, "translation_config": {"target_languages": []}}',
  '{"translation": true, "translation_config": {"target_languages": ["fr"]}}',
  '{"translation": true, "translation_con',
);

fires(
  'service/range',
  {
    text: '{"custom_vocabulary": true, "custom_vocabulary_config": {"vocabulary": ["a"], "default_intensity": «1.5»}}',
    fixed: ['{"custom_vocabulary": true, "custom_vocabulary_config": {"vocabulary": ["a"], "default_intensity": 1}}'],
  },
  {
    text: '{"subtitles": true, "subtitles_config": {"maximum_duration": «45», "maximum_rows_per_caption": «7»}}',
    fixed: ['{"subtitles": true, "subtitles_config": {"maximum_duration": 30, "maximum_rows_per_caption": 7}}'],
  },
  {
    text: '{"custom_vocabulary_config": {"vocabulary": ["a", {"value": "b", "intensity": «-1»}]}}',
    fixed: ['{"custom_vocabulary_config": {"vocabulary": ["a", {"value": "b", "intensity": 0}]}}'],
  },
);
isSilent(
  'service/range',
  '{"subtitles": true, "subtitles_config": {"maximum_duration": 30, "minimum_duration": 0}}',
  '{"subtitles": false, "subtitles_config": {"maximum_duration": 45}}',
  '{"custom_vocabulary_config": {"default_intensity": "2"}}',
);

fires(
  'service/value',
  {
    text: '{"summarization": true, "summarization_config": {"type": «"bullet-points"»}}',
    fixed: ['{"summarization": true, "summarization_config": {"type": "bullet_points"}}'],
  },
  {
    text: '{"summarization": true, "summarization_config": {"type": «"paragraph"»}}',
    fixed: ['{"summarization": true, "summarization_config": {}}'],
  },
  {
    text: '{"pii_redaction": true, "pii_redaction_config": {"entity_types": [«"email"», "PCI"]}}',
    fixed: ['{"pii_redaction": true, "pii_redaction_config": {"entity_types": ["EMAIL_ADDRESS", "PCI"]}}'],
  },
  { text: '{"model": «"Solaria 1"»}', fixed: ['{"model": "solaria-1"}'] },
);
isSilent('service/value', '{"model": "solaria-3", "summarization_config": {"type": "concise"}}', '{"model": 3}');

fires(
  'service/several-in-one',
  {
    text: '{"language_config": {"languages": [«"en,fr"»]}}',
    fixed: ['{"language_config": {"languages": ["en", "fr"]}}'],
  },
  {
    text: '{"language_config": {"languages": [«"en fr"»]}}',
    fixed: ['{"language_config": {"languages": ["en", "fr"]}}'],
  },
  {
    text: '{"custom_vocabulary": true, "custom_vocabulary_config": {"vocabulary": [«"Kubernetes, Helm, Istio"», "Go"]}}',
    fixed: [
      '{"custom_vocabulary": true, "custom_vocabulary_config": {"vocabulary": ["Kubernetes", "Helm", "Istio", "Go"]}}',
    ],
  },
  {
    text: '{"custom_vocabulary_config": {"vocabulary": [{"value": "Misha", "pronunciations": [«"micha, misha"»]}]}}',
    fixed: ['{"custom_vocabulary_config": {"vocabulary": [{"value": "Misha", "pronunciations": ["micha", "misha"]}]}}'],
  },
);
isSilent(
  'service/several-in-one',
  '{"custom_vocabulary_config": {"vocabulary": ["Paris, Texas", "New York"]}}',
  '{"language_config": {"languages": ["haitian creole"]}}',
);

fires(
  'service/language-code',
  {
    text: '{"language_config": {"languages": [«"french"», "en"]}}',
    fixed: ['{"language_config": {"languages": ["fr", "en"]}}'],
  },
  { text: '{"language_config": {"languages": [«"en-US"»]}}', fixed: ['{"language_config": {"languages": ["en"]}}'] },
  { text: '{"language_config": {"languages": [«"eng"»]}}', fixed: ['{"language_config": {"languages": ["en"]}}'] },
  {
    text: '{"language_config": {"languages": [«"en-US"», "en"]}}',
    fixed: ['{"language_config": {"languages": ["en"]}}'],
  },
  {
    text: '{"translation": true, "translation_config": {"target_languages": [«"Español"»]}}',
    fixed: ['{"translation": true, "translation_config": {"target_languages": ["es"]}}'],
  },
  { text: '{"language_config": {"languages": [«"jv"»]}}', fixed: ['{"language_config": {"languages": ["jw"]}}'] },
  {
    text: '{"language_config": {"languages": [«"elvish"», "en"]}}',
    fixed: ['{"language_config": {"languages": ["en"]}}'],
  },
);
isSilent(
  'service/language-code',
  '{"translation_config": {"target_languages": ["wo"]}, "language_config": {"languages": ["haw"]}}',
);

fires('service/order', {
  text: '{"subtitles": true, "subtitles_config": {"minimum_duration": «9», "maximum_duration": 3}}',
  fixed: ['{"subtitles": true, "subtitles_config": {"minimum_duration": 3, "maximum_duration": 9}}'],
});
isSilent('service/order', '{"subtitles": true, "subtitles_config": {"minimum_duration": 3, "maximum_duration": 3}}');

fires(
  'service/model-languages',
  {
    text: '{"model": "solaria-3", "language_config": {"languages": [«"ja"»]}}',
    fixed: ['{"language_config": {"languages": ["ja"]}}'],
  },
  {
    text: '{"model": "solaria-3", "language_config": {«"languages"»: ["en", "fr"]}}',
    fixed: ['{"language_config": {"languages": ["en", "fr"]}}'],
  },
  {
    text: '{"model": "solaria-3", "language_config": {«"code_switching"»: true}}',
    fixed: ['{"model": "solaria-3", "language_config": {}}'],
  },
);
isSilent(
  'service/model-languages',
  '{"model": "solaria-3", "language_config": {"languages": ["it"]}}',
  '{"model": "solaria-1", "language_config": {"languages": ["ja", "en"], "code_switching": true}}',
);

test('documents differ on several languages for a model: an information', () => {
  const severities = (languages: readonly string[]): readonly string[] =>
    checkRules(parseRequest(JSON.stringify({ model: 'solaria-3', language_config: { languages } })), {
      nowMs: 0,
      knowledge: findServiceKnowledge('gladia'),
    }).flatMap(({ code, severity }) => (code === 'service/model-languages' ? [severity] : []));
  assert.deepEqual(severities(['en', 'fr']), ['info']);
  assert.deepEqual(severities(['ja']), ['warning']);
});

fires('service/unused-context', {
  text: '{"translation": true, "translation_config": {«"context"»: "A call", "context_adaptation": false}}',
});
isSilent(
  'service/unused-context',
  '{"translation": true, "translation_config": {"context": "A call", "context_adaptation": true}}',
  '{"translation": true, "translation_config": {"context": "A call"}}',
  '{"translation": true, "translation_config": {"context": " ", "context_adaptation": false}}',
);

const long = (length: number) => `{«"custom_metadata"»: {"note": "${'x'.repeat(length)}"}}`;
fires('service/too-long', { text: long(2000) });
isSilent('service/too-long', long(1900).replaceAll(/[«»]/gu, ''));

fires(
  'service/callback-address',
  { text: '{"callback": true, "callback_config": {"url": «"http://localhost:3000/hook"»}}' },
  { text: '{"callback": true, "callback_config": {"url": «"hooks"»}}' },
  {
    text: '{"callback": true, "callback_config": {"url": «"http://hooks.example.com/a"»}}',
    fixed: ['{"callback": true, "callback_config": {"url": "https://hooks.example.com/a"}}'],
  },
);
isSilent('service/callback-address', '{"callback": true, "callback_config": {"url": "https://hooks.example.com/a"}}');
