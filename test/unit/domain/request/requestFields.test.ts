import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  languageKey,
  languageNames,
  offeredInstead,
  offeredLanguages,
} from '../../../../src/domain/request/requestFields.ts';

test('one language has one key', () => {
  for (const code of ['en', 'EN', ' en ', 'en-US', 'en_gb']) assert.equal(languageKey(code), 'en');
  assert.equal(languageKey('jv'), 'jw');
  assert.equal(languageKey('Elvish-1'), 'elvish-1');
});

test('offers a code for one that is not offered', () => {
  assert.equal(offeredInstead('pt-BR'), 'pt');
  assert.equal(offeredInstead('pt'), undefined);
  assert.equal(offeredInstead('elvish'), undefined);
});

test('names every offered language in the language of the reader', () => {
  const english = languageNames('en');
  const french = languageNames('fr');
  for (const code of offeredLanguages) assert.notEqual(english(code), code, code);
  assert.equal(french('de'), 'allemand');
  assert.equal(english('not a code'), 'not a code');
});
