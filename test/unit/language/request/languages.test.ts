import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalizeLanguage, makeLanguageNamer, suggestLanguage } from '../../../../src/language/request/languages.ts';
import { offeredLanguages } from '../../../../src/known/gladiaLanguages.ts';

test('normalizes the codes of a language to the same key', () => {
  for (const code of ['en', 'EN', ' en ', 'en-US', 'en_gb']) assert.equal(normalizeLanguage(code), 'en');
  assert.equal(normalizeLanguage('jv'), 'jw');
  assert.equal(normalizeLanguage('Elvish-1'), 'elvish-1');
});

test('suggests an offered code for an unknown one', () => {
  assert.equal(suggestLanguage('pt-BR'), 'pt');
  assert.equal(suggestLanguage('pt'), undefined);
  assert.equal(suggestLanguage('elvish'), undefined);
});

test('names every offered language in the language of the user', () => {
  const english = makeLanguageNamer('en');
  const french = makeLanguageNamer('fr');
  for (const code of offeredLanguages) assert.notEqual(english(code), code, code);
  assert.equal(french('de'), 'allemand');
  assert.equal(english('not a code'), 'not a code');
});
