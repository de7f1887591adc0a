import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { shortenLabel, shortenTitle } from '../../../../../src/features/tree/common/shortenLabel.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';

test('a long label keeps its beginning and end, in visible characters', () => {
  const short = (label: string): string => shortenLabel(label, '3m');
  assert.equal(short('Episode 12'), 'Episode 12');
  assert.equal(short('x'.repeat(25)), 'x'.repeat(25), 'there is room');
  assert.equal(short('Harbour lights, episode 12'), 'Harbour lights, episode 12', 'narrow letters take less of it');
  assert.equal(short('interview-with-the-harbour-master-2026-11-19.mp3'), 'interview-with-the-ha…19.mp3');
  assert.equal(short('A spoken title, which, as many do, goes on'), 'A spoken title, whic…goes on');
  assert.equal(
    short('定例会議の録音データ第十二回目の議事録'),
    '定例会議の録音デ…の議事録',
    'wide characters count twice',
  );
  assert.equal(
    shortenLabel('quarterly-review weekly 35', '500 · 12s · 3m'),
    'quarterly-revie…35',
    'not the rest of a word',
  );
  const family = '👨‍👩‍👧‍👦';
  assert.equal(short(family.repeat(20)), `${family.repeat(8)}…${family.repeat(4)}`);
  const accents = 'e\u0301'.repeat(40);
  assert.equal(short(accents), `${'e\u0301'.repeat(16)}…${'e\u0301'.repeat(8)}`);
  assert.equal(
    shortenLabel('customer-4711-call-2026-11-19.wav', '500 · 3m'),
    'customer-4711-…19.wav',
    'the code takes room',
  );
});

test('the title of a tab is shortened without regard to a description', () => {
  assert.equal(shortenTitle('Interview with the harbour master'), 'Interview with the harbour master');
  assert.equal(shortenTitle(`${'word '.repeat(28)}2026.mp3`), 'word word word word word word wor…026.mp3');
});

test('property: a shortened label never exceeds the maximum width, and consists of both ends of the label', () => {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 }), fc.string(), (label, description) => {
      const short = shortenLabel(label, description);
      assert.ok([...segmenter.segment(short)].length <= 42, short);
      if (short === label) return;
      const marks = [...short.matchAll(/…/gu)].map(({ index }) => index);
      const isEnds = (at: number): boolean =>
        label.startsWith(short.slice(0, at)) && label.endsWith(short.slice(at + 1));
      assert.ok(marks.some(isEnds), short);
    }),
    { numRuns: propertyRuns },
  );
});
