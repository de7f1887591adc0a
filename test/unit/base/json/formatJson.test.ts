import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatJson } from '../../../../src/base/json/formatJson.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';

test('tokens stay unchanged', () => {
  const text = formatJson(' {"big":90071992547409931,"a":1.50,"a":-0E+2,"s":"\\u00e9\\"{[,:","e":[ ],"o":{\n}} ');
  assert.equal(
    text,
    '{\n  "big": 90071992547409931,\n  "a": 1.50,\n  "a": -0E+2,\n  "s": "\\u00e9\\"{[,:",\n  "e": [],\n  "o": {}\n}',
  );
});

test('a hundred thousand levels are formatted at once', () => {
  const deep = `${'['.repeat(100_000)}1${']'.repeat(100_000)}`;
  assert.equal(formatJson(deep).replaceAll(/\s/g, ''), deep);
});

test('a megabyte is formatted like JSON.stringify formats it', () => {
  const words = Array.from({ length: 15_000 }, (_, index) => ({
    start: index,
    end: index + 0.5,
    word: `word ${index}`,
  }));
  const text = JSON.stringify(words);
  assert.ok(text.length > 600_000);
  assert.equal(formatJson(text), JSON.stringify(words, null, 2));
});

test('property: the format is that of JSON.stringify, whatever the original white space', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom('', ' ', '\t', '\n  '), (value, space) => {
      assert.equal(formatJson(JSON.stringify(value, null, space)), JSON.stringify(value, null, 2));
    }),
    { numRuns: propertyRuns },
  );
});
