import { fires, isSilent } from './ruleCases.ts';

const translated = (targets: string, languages: string, on = true): string =>
  `{"translation": ${on}, "translation_config": {"target_languages": [${targets}]}, "language_config": {"languages": [${languages}]}}`;

fires(
  'translation/source-language',
  { text: translated('"fr", «"en"»', '"en"') },
  { text: translated('«"en"»', '"en", "en"') },
);
isSilent(
  'translation/source-language',
  translated('"fr"', '"en"'),
  translated('"en"', '"en", "fr"'),
  translated('"en"', ''),
  translated('"en"', '"en"', false),
  translated('"pt-BR"', '"pt"'),
  translated('"en"', '"en", "EN"'),
);
