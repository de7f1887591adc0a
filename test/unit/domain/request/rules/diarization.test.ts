import { fires, isSilent } from './ruleCases.ts';

const withHints = (hints: string) => `{"diarization": true, "diarization_config": {${hints}}}`;

fires(
  'diarization/contradiction',
  {
    text: withHints('"min_speakers": «4», "max_speakers": 2'),
    fixed: [withHints('"min_speakers": 2, "max_speakers": 4')],
  },
  {
    text: withHints('"min_speakers": 2, "max_speakers": 4, "number_of_speakers": «5»'),
    fixed: [withHints('"number_of_speakers": 5'), withHints('"min_speakers": 2, "max_speakers": 4')],
  },
  {
    text: withHints('"number_of_speakers": «1», "min_speakers": 2'),
    fixed: [withHints('"number_of_speakers": 1'), withHints('"min_speakers": 2')],
  },
);
isSilent(
  'diarization/contradiction',
  withHints('"min_speakers": 2, "max_speakers": 2'),
  withHints('"number_of_speakers": 3, "min_speakers": 2'),
  withHints('"min_speakers": "4", "max_speakers": 2'),
);

fires(
  'diarization/impossible-count',
  { text: withHints('"number_of_speakers": «0»'), fixed: [withHints('')] },
  { text: withHints('"min_speakers": «-1», "max_speakers": «0»'), fixed: [withHints('"max_speakers": 0')] },
);
isSilent('diarization/impossible-count', withHints('"min_speakers": 0, "max_speakers": 1'));

fires('diarization/exact-and-range', {
  text: withHints('"number_of_speakers": 3, "min_speakers": «2», "max_speakers": 4'),
  fixed: [withHints('"number_of_speakers": 3')],
});
isSilent(
  'diarization/exact-and-range',
  withHints('"number_of_speakers": 3'),
  withHints('"min_speakers": 2, "max_speakers": 4'),
  withHints('"number_of_speakers": 3, "min_speakers": 4'),
);

fires(
  'diarization/one-speaker',
  { text: withHints('"number_of_speakers": «1»') },
  { text: withHints('"max_speakers": «1»') },
);
isSilent(
  'diarization/one-speaker',
  withHints('"min_speakers": 1'),
  '{"diarization_config": {"number_of_speakers": 1}}',
);
