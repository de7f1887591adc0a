import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findLanguageNotes, findMessageNotes } from '../../../../../src/features/details/common/parameters.ts';
import { switches } from '../../../../support/builders/jobItem.ts';

const ids = (notes: readonly { readonly id: string }[]): string[] => notes.map(({ id }) => id);

for (const [languages, codeSwitching, expected] of [
  [['en'], true, ['codeSwitchingMoot']],
  [['en'], false, []],
  [[], true, ['codeSwitchingAny']],
  [[], false, []],
  [['en', 'fr'], true, []],
  ['en', true, []],
] as const) {
  test(`languages ${JSON.stringify(languages)} with code switching ${codeSwitching}`, () => {
    assert.deepEqual(
      ids(findLanguageNotes({ language_config: { languages, code_switching: codeSwitching } })),
      expected,
    );
  });
}

for (const [name, params, expected] of [
  ['nothing known', {}, []],
  ['callback on with a URL', { callback: true, callback_config: { url: 'https://x.example' } }, []],
  ['callback on without a URL', { callback: true }, ['callbackWithoutUrl']],
  ['callback on with a blank URL', { callback: true, callback_config: { url: ' ' } }, ['callbackWithoutUrl']],
  ['callback off, switches off', { callback: false, callback_config: switches(false) }, []],
  [
    'callback off, one switch on',
    { callback: false, callback_config: { receive_errors: true } },
    ['callbackSwitchesMoot'],
  ],
  ['callback unknown, switches on', { callback_config: switches(true) }, []],
] as const) {
  test(name, () => assert.deepEqual(ids(findMessageNotes(params)), expected));
}

test('the note has the number of switches without effect', () => {
  const [note] = findMessageNotes({ callback: false, callback_config: { ...switches(true), receive_errors: false } });
  assert.equal(note?.text, 'The callback is off, so the 8 options that are on for it have no effect.');
});
