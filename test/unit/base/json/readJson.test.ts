import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalizeJson } from '../../../../src/base/json/formatJson.ts';
import { readExactJson, readJsonAt, type JsonBounds } from '../../../../src/base/json/readJson.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';

const bounds: JsonBounds = { maxMembers: 3, maxKeyLength: 5, maxTextLength: 10, maxLength: 1000, maxDepth: 3 };

test('numbers keep their text, and everything else is read like by JSON.parse', () => {
  const text = '{"a":[1,1.50,-0,1e3,12345678901234567890,1E400,true,null,{}],"__proto__":{"\\u0062":"\\"x\\\\"}}';
  assert.equal(
    JSON.stringify(readExactJson(text)),
    '{"a":[1,1.50,-0,1e3,12345678901234567890,1E400,true,null,{}],"__proto__":{"b":"\\"x\\\\"}}',
  );
});

test('any JSON is read to the same value as by JSON.parse', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const exact = JSON.stringify(readExactJson(text));
      assert.equal(JSON.stringify(JSON.parse(exact)), JSON.stringify(JSON.parse(text)));
      assert.equal(canonicalizeJson(exact), canonicalizeJson(text));
    }),
    { numRuns: propertyRuns },
  );
});

test('any part of a JSON text is read without an exception', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), fc.nat(), (text, from, length) => {
      const part = text.slice(from % text.length, (from % text.length) + (length % 50));
      readJsonAt(part, 0, bounds);
      readExactJson(part);
    }),
    { numRuns: propertyRuns },
  );
});

test('the value at an index is read, whatever the text around it', () => {
  assert.deepEqual(readJsonAt('[[1, 2], 3]', 1, bounds), [1, 2]);
  assert.equal(readJsonAt('{"a": "b", "c": 1}', 5, bounds), 'b');
});

test('a value beyond the bounds is truncated, and the values after it are still read', () => {
  const read = (text: string): unknown => JSON.parse(JSON.stringify(readJsonAt(text, 0, bounds)));
  assert.deepEqual(read('[{"a":1,"b":2,"c":3,"d":4},[1,2,3,4],"12345678901",1]'), [
    { a: 1, b: 2, c: 3 },
    [1, 2, 3, '…'],
    '1234567890…',
    '…',
  ]);
  assert.deepEqual(read('{"123456":[[[[1]]]],"b":12345678901}'), { '12345…': [[['…']].flat()], b: '1234567890…' });
  const escaped = String.raw`\u0041`.repeat(100);
  for (let cut = 0; cut < 6; cut++)
    assert.equal(read(`"${'x'.repeat(cut)}${escaped}"`), `${'x'.repeat(cut)}${'A'.repeat(10 - cut)}…`);
});

test('no text is read beyond the bounds', () => {
  const size = (value: unknown): number => JSON.stringify(value).length;
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), (text) => {
      // Three levels of three members, each with a key and a text.
      assert.ok(size(readJsonAt(text, 0, bounds)) < 1500);
    }),
    { numRuns: propertyRuns },
  );
});
