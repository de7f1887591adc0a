import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parsePlacedJson, stripExtras } from '../../../../../src/domain/request/json/placedJson.ts';
import { editedText, jsonText } from '../jsonTexts.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';

test('gives the value that JSON.parse gives, and a place for each value in it', () => {
  fc.assert(
    fc.property(jsonText, (text) => {
      const { value, places, problems, duplicates, extras } = parsePlacedJson(text);
      assert.deepEqual(value, JSON.parse(text));
      assert.deepEqual([problems, duplicates, extras], [[], [], []]);
      everyValue(value, [], (path, expected) => {
        const { offset, length } = places.range(places.rowAt(path));
        assert.deepEqual(JSON.parse(text.slice(offset, offset + length)), expected);
      });
    }),
    { numRuns: propertyRuns },
  );
});

test('never throws, and what it finds no problem in is JSON once the extras are gone', () => {
  fc.assert(
    fc.property(editedText(jsonText), ([, text]) => {
      const { value, problems, extras } = parsePlacedJson(text);
      if (problems.length === 0) assert.deepEqual(JSON.parse(stripExtras(text, extras)), value);
      for (const { offset, length } of problems) assert.ok(offset >= 0 && offset + length <= text.length);
    }),
    { numRuns: propertyRuns },
  );
});

test('says where a text is no JSON', () => {
  const cases: readonly (readonly [string, string, number])[] = [
    ['', 'ValueExpected', 0],
    ['hello', 'InvalidSymbol', 0],
    ['{"a": 1 "b": 2}', 'CommaExpected', 8],
    ['{"a": ', 'ValueExpected', 6],
    ['{"a": "b', 'UnexpectedEndOfString', 6],
    ['{"a" 1}', 'ColonExpected', 5],
    ['[1, 2', 'CloseBracketExpected', 5],
    ['{} {}', 'EndOfFileExpected', 3],
    ['[01]', 'CommaExpected', 2],
    ['["\t"]', 'InvalidCharacter', 1],
  ];
  for (const [text, code, offset] of cases) {
    const [first] = parsePlacedJson(text).problems;
    assert.deepEqual([first?.code, first?.offset], [code, offset], text);
  }
});

test('keeps what it understood of a text that was cut off', () => {
  const { value, problems } = parsePlacedJson(
    '{"audio_url": "https://x/a", "language_config": {"languages": ["en", "f',
  );
  assert.deepEqual(value, { audio_url: 'https://x/a', language_config: { languages: ['en', 'f'] } });
  assert.notEqual(problems.length, 0);
});

test('lets no member of a broken text become a prototype', () => {
  const { value } = parsePlacedJson('{"a": {"__proto__": {"b": 1}}, "c": ');
  assert.deepEqual(value, { a: {} });
});

test('takes a byte order mark, comments and trailing commas for extras', () => {
  const text = '\uFEFF{ // note\r\n "a": [1, 2, /* , */], "b": {"c": 1,},\r\n}';
  const parsed = parsePlacedJson(text);
  assert.deepEqual(parsed.problems, []);
  assert.deepEqual(parsed.value, { a: [1, 2], b: { c: 1 } });
  assert.deepEqual(
    parsed.extras.map(({ offset, length }) => text.slice(offset, offset + length)),
    ['\uFEFF', '// note', ',', '/* , */', ',', ','],
  );
  assert.equal(stripExtras(text, parsed.extras), '{ \r\n "a": [1, 2 ], "b": {"c": 1}\r\n}');
});

test('tells doubled names and takes the last one', () => {
  const text = '{"a": 1, "b": {"a": 2}, "a": 3}';
  const { value, duplicates, places } = parsePlacedJson(text);
  assert.deepEqual(value, { a: 3, b: { a: 2 } });
  assert.deepEqual(duplicates, [{ key: 'a', offset: 24, length: 3, first: { offset: 1, length: 3 } }]);
  assert.deepEqual(places.range(places.rowAt(['a'])), { offset: 29, length: 1 });
});

test('finds names with escapes and names that objects have from birth', () => {
  const { value, places } = parsePlacedJson(String.raw`{"a\"b": 1, "__proto__": 2, "toString": 3}`);
  assert.deepEqual(Object.entries(value as object), [
    ['a"b', 1],
    ['__proto__', 2],
    ['toString', 3],
  ]);
  assert.deepEqual(places.range(places.rowAt(['a"b'])), { offset: 9, length: 1 });
  assert.equal(places.rowAt(['constructor']), -1);
});

test('gives up at a depth that no request has, at once and without exhausting the stack', () => {
  const { problems, places } = parsePlacedJson('['.repeat(5_000_000));
  assert.deepEqual(problems, [{ code: 'TooDeep', offset: 256, length: 1 }]);
  assert.equal(places.count, 256);
});

test('survives a million commas', () => {
  assert.equal(parsePlacedJson(`[${','.repeat(1_000_000)}`).problems.length, 100);
});

function everyValue(
  value: unknown,
  path: readonly (string | number)[],
  visit: (path: readonly (string | number)[], value: unknown) => void,
): void {
  visit(path, value);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value))
    everyValue(child, [...path, Array.isArray(value) ? Number(key) : key], visit);
}
