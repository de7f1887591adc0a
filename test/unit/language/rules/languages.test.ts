import { fires, isSilent } from './ruleCases.ts';

fires('languages/single-ignores-code-switching', {
  text: '{"language_config": {"languages": ["en"], "code_switching": «true»}}',
  fixed: ['{"language_config": {"languages": ["en"]}}'],
});
isSilent(
  'languages/single-ignores-code-switching',
  '{"language_config": {"languages": ["en"], "code_switching": false}}',
  '{"language_config": {"languages": ["en", "fr"], "code_switching": true}}',
  '{"language_config": {"languages": ["en"], "code_switching": "true"}}',
);

fires(
  'languages/code-switching-without-languages',
  {
    text: '{"language_config": {"languages": [], "code_switching": «true»}}',
    fixed: ['{"language_config": {"languages": [], "code_switching": false}}'],
  },
  {
    text: '{"language_config": {"code_switching": «true»}}',
    fixed: ['{"language_config": {"code_switching": false}}'],
  },
);
isSilent(
  'languages/code-switching-without-languages',
  '{"language_config": {"languages": ["en"], "code_switching": true}}',
  '{"language_config": {"languages": []}}',
  '{"language_config": {"languages": "en", "code_switching": true}}',
  '{"code_switching": true}',
);

fires('languages/recommended-count', {
  text: '{"language_config": {"languages": «["en", "fr", "de", "es", "it", "pt"]»}}',
});
isSilent(
  'languages/recommended-count',
  '{"language_config": {"languages": ["en", "fr", "de", "es", "it"], "code_switching": true}}',
  '{"language_config": {"languages": ["en", "fr", "de"], "code_switching": true}}',
  '{"language_config": {"languages": ["en", "fr"], "code_switching": true}}',
  '{"language_config": {"languages": ["en", "EN", "en-US", "en-GB", "en", "en"]}}',
);

fires('languages/duplicate', {
  text: '{"language_config": {"languages": ["en", "fr", «"en"»]}}',
  fixed: ['{"language_config": {"languages": ["en", "fr"]}}'],
});
isSilent(
  'languages/duplicate',
  '{"language_config": {"languages": ["en", "fr"]}}',
  '{"language_config": {"languages": [1, 1]}}',
  '{"language_config": {"languages": "en"}}',
  // The interface doesn't say that case and spaces don't matter.
  '{"language_config": {"languages": ["en", "EN", " en", "en-US"]}}',
);

fires(
  'languages/unfamiliar-code',
  {
    text: '{"language_config": {"languages": [«"en-US"», "fr"]}}',
    fixed: ['{"language_config": {"languages": ["en", "fr"]}}'],
  },
  { text: '{"language_config": {"languages": [«"en-US"», "en"]}}' },
  { text: '{"language_config": {"languages": [«"elvish"»]}}' },
  {
    text: '{"translation": true, "translation_config": {"target_languages": [«"jp"»]}}',
    fixed: ['{"translation": true, "translation_config": {"target_languages": ["ja"]}}'],
  },
  { text: '{"language_config": {"languages": [«"english"», "en"]}}' },
  {
    text: '{"custom_vocabulary_config": {"vocabulary": [{"value": "a", "language": "fr"}, {"value": "a", "language": «"FR"»}]}}',
  },
  {
    text: '{"custom_vocabulary_config": {"vocabulary": [{"value": "a", "language": «"FR"»}, {"value": "b", "language": "fr"}]}}',
    fixed: [
      '{"custom_vocabulary_config": {"vocabulary": [{"value": "a", "language": "fr"}, {"value": "b", "language": "fr"}]}}',
    ],
  },
  {
    text: '{"custom_vocabulary_config": {"vocabulary": [{"value": "a", "language": «"FR"»}]}}',
    fixed: ['{"custom_vocabulary_config": {"vocabulary": [{"value": "a", "language": "fr"}]}}'],
  },
);
isSilent('languages/unfamiliar-code', '{"language_config": {"languages": ["en", "haw", 3]}}', '{"language": "elvish"}');
