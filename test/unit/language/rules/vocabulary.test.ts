import { fires, isSilent } from './ruleCases.ts';

const withTerms = (terms: string, rest = '') => `{"custom_vocabulary_config": {"vocabulary": [${terms}]}${rest}}`;

fires('vocabulary/nothing-to-replace', {
  text: '{"custom_vocabulary": true, "custom_vocabulary_config": {"vocabulary": «[]»}}',
  fixed: ['{"custom_vocabulary": false}'],
});
isSilent(
  'vocabulary/nothing-to-replace',
  '{"custom_vocabulary": true, "custom_vocabulary_config": {"vocabulary": ["a"]}}',
  '{"custom_vocabulary": false, "custom_vocabulary_config": {"vocabulary": []}}',
);

fires(
  'vocabulary/empty-term',
  { text: withTerms('"a", «" "», "b"'), fixed: [withTerms('"a", "b"')] },
  { text: withTerms('{"value": «""», "intensity": 0.5}'), fixed: [withTerms('')] },
);
isSilent('vocabulary/empty-term', withTerms('"a", {"value": "b"}, {}, 3'));

fires(
  'vocabulary/duplicate-term',
  { text: withTerms('"Nguyen", "b", «"Nguyen"»'), fixed: [withTerms('"Nguyen", "b"')] },
  { text: withTerms('{"value": "a"}, «{"value": "a"}»'), fixed: [withTerms('{"value": "a"}')] },
  { text: withTerms('"a", «{"value": "a", "intensity": 0.5}»') },
  { text: withTerms('{"value": "a", "language": "fr"}, «{"value": "a", "language": "fr", "intensity": 0.5}»') },
);
isSilent(
  'vocabulary/duplicate-term',
  withTerms('"a", "b"'),
  withTerms('{"value": "a", "language": "fr"}, {"value": "a", "language": "en"}'),
  withTerms('1, 1, "", ""'),
  // The interface doesn't say that case, spaces or regions don't matter.
  withTerms('"Polish", "polish", "polish ", "Café", "Cafe\u0301"'),
  withTerms(
    '{"value": "a", "language": "pt-BR"}, {"value": "a", "language": "pt-PT"}, {"value": "a", "language": "PT"}',
  ),
);

fires(
  'vocabulary/intensity-range',
  { text: withTerms('{"value": "a", "intensity": «0.9»}'), fixed: [withTerms('{"value": "a", "intensity": 0.6}')] },
  { text: withTerms('{"value": "a", "intensity": «-1»}'), fixed: [withTerms('{"value": "a", "intensity": 0.4}')] },
  {
    text: '{"custom_vocabulary_config": {"default_intensity": «0.39»}}',
    fixed: ['{"custom_vocabulary_config": {"default_intensity": 0.4}}'],
  },
);
isSilent(
  'vocabulary/intensity-range',
  withTerms('{"value": "a", "intensity": 0.4}, {"value": "b", "intensity": 0.6}, {"value": "c", "intensity": "9"}'),
  '{"custom_vocabulary_config": {"default_intensity": 0.5}, "intensity": 9}',
);

fires('vocabulary/language-not-expected', {
  text: withTerms('{"value": "a", "language": «"de"»}', ', "language_config": {"languages": ["en", "fr"]}'),
});
isSilent(
  'vocabulary/language-not-expected',
  withTerms('{"value": "a", "language": "en-US"}', ', "language_config": {"languages": ["EN"]}'),
  withTerms('{"value": "a", "language": "de"}', ', "language_config": {"languages": []}'),
);

fires('vocabulary/language-per-pronunciation', {
  text: withTerms(
    '{"value": "a", "pronunciations": «["ay", "ah"]»}',
    ', "language_config": {"languages": ["en", "fr", "de"]}',
  ),
});
isSilent(
  'vocabulary/language-per-pronunciation',
  withTerms('{"value": "a", "pronunciations": ["ay", "ah"]}', ', "language_config": {"languages": ["en"]}'),
  withTerms('{"value": "a", "pronunciations": ["ay"]}', ', "language_config": {"languages": ["en", "fr"]}'),
  withTerms(
    '{"value": "a", "pronunciations": ["ay", "ah"], "language": "en"}',
    ', "language_config": {"languages": ["en", "fr"]}',
  ),
);
