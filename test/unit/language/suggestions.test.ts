import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyEdits } from '../../../src/language/json/textEdit.ts';
import { makeLanguageNamer } from '../../../src/language/request/languages.ts';
import { parseRequest } from '../../../src/language/request/requestFile.ts';
import type { KeySuggestion } from '../../../src/language/suggestions.ts';
import { findLanguageAt, suggestAt } from '../../../src/language/suggestions.ts';

const metadata: readonly KeySuggestion[] = [
  {
    key: 'customer',
    jobs: 3,
    values: [
      { value: 'acme', jobs: 2 },
      { value: 'globex', jobs: 1 },
    ],
  },
  { key: 'count', jobs: 1, values: [{ value: 3, jobs: 1 }] },
  { key: 'show', jobs: 1, values: [] },
];
const sources = { metadata: () => metadata, nameOf: makeLanguageNamer('en') };

/** The text after accepting the suggestion with a label at the mark |. */
function taken(marked: string, label: string): string | undefined {
  const offset = marked.indexOf('|');
  const text = marked.replace('|', '');
  const found = suggestAt(parseRequest(text), offset, sources);
  const item = found?.items.find((each) => each.label === label);
  return found && item && applyEdits(text, [{ ...found.range, text: item.insert }]);
}

function labels(marked: string): readonly string[] {
  const found = suggestAt(parseRequest(marked.replace('|', '')), marked.indexOf('|'), sources);
  return found?.items.map(({ label }) => label) ?? [];
}

test('suggests language codes with names in lists of languages', () => {
  assert.equal(taken('{"language_config": {"languages": [|]}}', '"fr"'), '{"language_config": {"languages": ["fr"]}}');
  assert.equal(
    taken('{"language_config": {"languages": ["|"]}}', '"fr"'),
    '{"language_config": {"languages": ["fr"]}}',
  );
  assert.equal(
    taken('{"language_config": {"languages": [fr|]}}', '"fr"'),
    '{"language_config": {"languages": ["fr"]}}',
  );
  assert.equal(
    taken('{"language_config": {"languages": ["en",| "de"]}}', '"fr"'),
    '{"language_config": {"languages": ["en","fr", "de"]}}',
  );
  assert.equal(
    taken('{"custom_vocabulary_config": {"vocabulary": [{"language": |}]}}', '"fr"'),
    '{"custom_vocabulary_config": {"vocabulary": [{"language": "fr"}]}}',
  );
  const found = suggestAt(parseRequest('{"language_config": {"languages": []}}'), 35, sources);
  const french = found?.items.find(({ label }) => label === '"fr"');
  assert.deepEqual([french?.detail, french?.filter], ['French', '"fr" French']);
});

test('suggests no language that is already listed, and includes languages that are only translation targets', () => {
  const listed = labels('{"language_config": {"languages": ["en", "|"]}}');
  assert.ok(!listed.includes('"en"') && listed.includes('"fr"') && !listed.includes('"wo"'));
  assert.ok(labels('{"language_config": {"languages": ["en|"]}}').includes('"en"'));
  assert.ok(labels('{"translation_config": {"target_languages": [|').includes('"wo"'));
});

test('suggests metadata keys of jobs, most frequent first', () => {
  assert.deepEqual(labels('{"custom_metadata": {|}}'), ['customer', 'count', 'show']);
  assert.deepEqual(labels('{"custom_metadata": {"customer": "a", "|": 1}}'), ['count', 'show']);
  assert.equal(taken('{"custom_metadata": {|}}', 'show'), '{"custom_metadata": {"show": ""}}');
  assert.equal(taken('{"custom_metadata": {"|": 1}}', 'show'), '{"custom_metadata": {"show": 1}}');
  assert.equal(
    taken('{"custom_metadata": {"sh|" "count": 1}}', 'show'),
    '{"custom_metadata": {"show": "", "count": 1}}',
  );
});

test('suggests values of a metadata key', () => {
  assert.deepEqual(labels('{"custom_metadata": {"customer": |}}'), ['"acme"', '"globex"']);
  assert.equal(
    taken('{"custom_metadata": {"customer": "a|"}}', '"globex"'),
    '{"custom_metadata": {"customer": "globex"}}',
  );
  assert.equal(taken('{"custom_metadata": {"count": |', '3'), '{"custom_metadata": {"count": 3');
});

test('suggests nothing in other places', () => {
  for (const text of [
    '{|}',
    '|',
    '{"audio_url": "|"}',
    '{"language_config": {"languages": ["en"|]}}',
    '{"custom_metadata": {"a": {|}}}',
  ]) {
    assert.deepEqual(labels(text), [], text);
  }
});

test('does not read metadata suggestions outside metadata', () => {
  const never = () => assert.fail();
  suggestAt(parseRequest('{"language_config": {"languages": []}}'), 35, { ...sources, metadata: never });
});

test('names the language whose code is at an offset, and no other value', () => {
  const named = (marked: string, locale = 'en'): string | undefined => {
    const request = parseRequest(marked.replace('|', ''));
    const found = findLanguageAt(request, marked.indexOf('|'), makeLanguageNamer(locale));
    return found && `${request.text.slice(found.range.offset, found.range.offset + found.range.length)} ${found.name}`;
  };
  assert.equal(named('{"language_config": {"languages": ["en", "f|r"]}}'), '"fr" French');
  assert.equal(named('{"language_config": {"languages": [|"jw"]}}'), '"jw" Javanese');
  assert.equal(named('{"language_config": {"languages": ["fr"|]}}', 'fr'), '"fr" français');
  assert.equal(named('{"translation_config": {"target_languages": ["w|o"]}}'), '"wo" Wolof');
  assert.equal(
    named('{"custom_vocabulary_config": {"vocabulary": [{"value": "a", "language": "d|e"}]}}'),
    '"de" German',
  );
  for (const elsewhere of [
    '{"language_config": {"languages": ["x|x"]}}',
    '{"language_config": {"languages": ["fr" |, "en"]}}',
    '{"language_config": {"lang|uages": ["fr"]}}',
    '{"language_config": {"languages": [3|]}}',
    '{"audio_url": "f|r"}',
    '{"custom_metadata": {"language": "f|r"}}',
    '|',
  ]) {
    assert.equal(named(elsewhere), undefined, elsewhere);
  }
});

test('suggests nothing in a text that is nested too deeply', () => {
  for (const [before, after] of [
    ['{"a":'.repeat(15_000), ''],
    ['['.repeat(15_000), ']'.repeat(15_000)],
  ] as const) {
    const request = parseRequest(before + after);
    assert.equal(suggestAt(request, before.length, sources), undefined);
    assert.equal(findLanguageAt(request, before.length, sources.nameOf), undefined);
  }
});
