import { fires, isSilent } from './ruleCases.ts';

const withConfig = (config: string) => `{"subtitles": true, "subtitles_config": {${config}}}`;

fires('subtitles/row-length', {
  text: withConfig('"maximum_characters_per_row": «43»'),
  fixed: [withConfig('"maximum_characters_per_row": 42')],
});
isSilent(
  'subtitles/row-length',
  withConfig('"maximum_characters_per_row": 42'),
  withConfig('"maximum_characters_per_row": "99"'),
);

fires(
  'subtitles/rows',
  { text: withConfig('"maximum_rows_per_caption": «3»'), fixed: [withConfig('"maximum_rows_per_caption": 2')] },
  { text: withConfig('"maximum_rows_per_caption": «1»'), fixed: [withConfig('"maximum_rows_per_caption": 2')] },
);
isSilent('subtitles/rows', withConfig('"maximum_rows_per_caption": 2'), withConfig('"maximum_rows_per_caption": 0'));

fires(
  'subtitles/impossible-size',
  {
    text: withConfig('"maximum_characters_per_row": «0»'),
    fixed: [withConfig('"maximum_characters_per_row": 42')],
  },
  { text: withConfig('"maximum_rows_per_caption": «-2»'), fixed: [withConfig('"maximum_rows_per_caption": 2')] },
);
isSilent('subtitles/impossible-size', withConfig('"maximum_characters_per_row": 1, "maximum_rows_per_caption": 1'));

fires('subtitles/no-formats', { text: withConfig('"formats": «[]»'), fixed: [withConfig('"formats": ["srt"]')] });
isSilent(
  'subtitles/no-formats',
  withConfig('"formats": ["vtt"]'),
  withConfig(''),
  '{"subtitles": false, "subtitles_config": {"formats": []}}',
);

fires('subtitles/duplicate-format', {
  text: withConfig('"formats": ["srt", «"srt"»]'),
  fixed: [withConfig('"formats": ["srt"]')],
});
isSilent('subtitles/duplicate-format', withConfig('"formats": ["srt", "vtt"]'));
