import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JsonValue } from '../../../../../src/base/json/json.ts';
import { excerptAround, readSpokenText, readTranslatedText } from '../../../../../src/jobs/common/result/spokenText.ts';
import { anyCharacter } from '../../../../support/anyCharacter.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';
import { anyResult } from './anyResult.ts';

const read = (result: JsonValue): string => readSpokenText(JSON.stringify({ id: 'a', result, after: 1 }));
const fold = (text: string): string => text.normalize('NFKC').toLowerCase();

test('the spoken text is the full transcript, otherwise the text of the utterances', () => {
  const utterances = [{ words: [{ word: 'No' }], text: 'One "a".' }, null, { text: 7 }, { text: 'Two.' }];
  assert.equal(read({ metadata: {}, transcription: { full_transcript: 'All\nof it.', utterances } }), 'All\nof it.');
  assert.equal(read({ transcription: { full_transcript: ' ', utterances } }), 'One "a".\nTwo.');
  assert.equal(read({ full_transcript: 'elsewhere' }), '');
  assert.equal(readSpokenText('{"custom_metadata":{"result":{"transcription":{"full_transcript":"a"}}}}'), '');
  assert.equal(readSpokenText('[]'), '');
});

test('the translated text is that of all translations, without the transcript', () => {
  const translated = (result: JsonValue): string => readTranslatedText(JSON.stringify({ id: 'a', result, after: 1 }));
  const results = [
    { languages: ['en'], full_transcript: 'All\nof it.', utterances: [{ text: 'Other' }] },
    { languages: ['de'], utterances: [{ text: 'Eins.' }, { text: 'Zwei.' }] },
    null,
    7,
  ];
  const transcription = { full_transcript: 'Tout.' };
  assert.equal(translated({ transcription, translation: { success: true, results } }), 'All\nof it.\nEins.\nZwei.');
  for (const translation of [null, 7, [], { results: null }, { results: {} }])
    assert.equal(translated({ transcription, translation }), '');
  assert.equal(
    translated({ translation: { results: [{ full_transcript: 'a'.repeat(1_300_000) }, { full_transcript: 'b' }] } })
      .length,
    1_200_000,
  );
});

test('an excerpt has the phrase, not the first of its words', () => {
  const text = 'The lamp was cold. The lantern was not lit. Later the lantern\nis  lit by hand.';
  assert.match(excerptAround(text, 'lantern is lit', fold) ?? '', /the lantern is +lit by hand\.$/);
  assert.match(
    excerptAround(`${'The lantern was. '.repeat(2000)}The ﬁeld lantern is lit.`, 'field lantern is', fold) ?? '',
    /ﬁeld lantern is lit\.$/,
  );
  assert.equal(excerptAround(text, 'lantern is cold', fold), undefined);
  for (let at = 3880; at <= 4110; at++)
    assert.match(
      excerptAround(`${'a '.repeat(Math.floor(at / 2))}Lantern is lit${' a'.repeat(3000)}`, 'lantern is lit', fold) ??
        '',
      /Lantern is lit/,
    );
});

test('at most twenty hours of text are searched', () => {
  assert.equal(read({ transcription: { full_transcript: 'word '.repeat(1_000_000) } }).length, 1_200_000);
});

test('an excerpt has the words around the first match', () => {
  const text = `${'before '.repeat(2000)}The Lantern, lit by hand. ${'after '.repeat(2000)}`;
  assert.equal(
    excerptAround(text, 'lantern', fold),
    '…before before before before before The Lantern, lit by hand. after after after after after after after…',
  );
  assert.equal(excerptAround('Only this', 'only', fold), 'Only this');
  assert.equal(excerptAround('Only this', 'that', fold), undefined);
  assert.equal(excerptAround('ﬁeld trip', 'field', fold), 'ﬁeld trip');
  assert.ok((excerptAround('x'.repeat(100_000), 'xx', fold)?.length ?? 0) <= 220);
});

test('a word is found at any position in a long text', () => {
  const text = (at: number): string => `${'a '.repeat(Math.floor(at / 2))}Lantern${' a'.repeat(3000)}`;
  for (let at = 4080; at <= 4110; at++)
    assert.match(excerptAround(text(at), 'lantern', fold) ?? '', /Lantern/, `${at}`);
});

test('any result has a spoken text, and its excerpts are one line without invisible characters', () => {
  const value = fc.oneof(anyResult, fc.jsonValue() as fc.Arbitrary<JsonValue>);
  fc.assert(
    fc.property(value, fc.string({ unit: anyCharacter, minLength: 1, maxLength: 5 }), (result, typed) => {
      const spoken = read(result);
      for (const word of [fold(typed).trim(), fold(spoken).trim().split(/\s+/)[0] ?? '']) {
        if (word === '' || /\s/.test(word)) continue;
        const excerpt = excerptAround(spoken, word, fold);
        if (excerpt !== undefined) assert.doesNotMatch(excerpt, /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202a-\u202e]/u);
      }
    }),
    { numRuns: propertyRuns },
  );
});
