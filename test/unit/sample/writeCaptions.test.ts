import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeCaptions } from '../../../src/sample/writeCaptions.ts';

function written(...given: Parameters<typeof writeCaptions>): string {
  const { subtitles } = writeCaptions(...given);
  return typeof subtitles === 'string' ? subtitles : assert.fail();
}

/** Returns the times and the rows of each caption. */
function captionsOf(text: string, end: number, next = end + 10): readonly string[] {
  const texts = [
    { text, start: 0, end },
    { text: 'Next.', start: next, end: next + 1 },
  ];
  return written(texts, 'srt', { maxRowLength: 42, maxRows: 1 })
    .split(/\n\n?\d+\n|^1\n/)
    .flatMap((each) => each.trim() || [])
    .slice(0, -1);
}

test('captions leave no word alone, and break before no punctuation', () => {
  const question = 'Merci de votre appel. Que puis-je faire pour vous ?';
  assert.deepEqual(
    captionsOf(question, 4).map((each) => each.split('\n')[1]),
    ['Merci de votre appel. Que', 'puis-je faire pour vous ?'],
  );
  for (let length = 12; length < 60; length++) {
    const subtitles = written([{ text: `« ${question} » ; oui !`, start: 0, end: 9 }], 'srt', {
      maxRowLength: length,
    });
    assert.doesNotMatch(subtitles, /\n[?!:;»]|«\n/, `${length}`);
  }
});

test('a limit beyond any text leaves it in one row', () => {
  const subtitles = written([{ text: 'Oui et non.', start: 0, end: 9 }], 'srt', { maxRowLength: 1e15 });
  assert.match(subtitles, /\nOui et non\.\n$/);
});

test('a caption stays for five sixths of a second, if nothing else is said', () => {
  assert.deepEqual(captionsOf('Oui.', 0.2), ['00:00:00,000 --> 00:00:00,833\nOui.']);
  assert.deepEqual(captionsOf('Oui.', 0.2, 0.5), ['00:00:00,000 --> 00:00:00,500\nOui.']);
});
