import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkRules } from '../../../../src/language/check.ts';
import { parseRequest } from '../../../../src/language/request/requestFile.ts';
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

test('reports speaker hints that no number satisfies, and no consistent hints', () => {
  const counts = [undefined, 1, 2, 3, 4];
  for (const min of counts) {
    for (const max of counts) {
      for (const exact of counts) {
        const hints = { min_speakers: min, max_speakers: max, number_of_speakers: exact };
        const numbers = [1, 2, 3, 4].filter((each) => (min ?? each) <= each && each <= (max ?? each));
        const fits = exact === undefined ? numbers.length > 0 : numbers.includes(exact);
        // Diarization is not on: otherwise a single speaker would be a separate finding.
        const request = parseRequest(JSON.stringify({ diarization_config: hints }));
        const codes = checkRules(request, { nowMs: 0 }).map(({ code }) => code);
        const found = new Set(codes.filter((code) => code.startsWith('diarization/')));
        assert.deepEqual([...found], fits ? [] : ['diarization/contradiction'], request.text);
      }
    }
  }
});

fires(
  'diarization/impossible-count',
  { text: withHints('"number_of_speakers": «0»'), fixed: [withHints('')] },
  { text: withHints('"min_speakers": «-1», "max_speakers": «0»'), fixed: [withHints('"max_speakers": 0')] },
);
isSilent('diarization/impossible-count', withHints('"min_speakers": 0, "max_speakers": 1'));

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
