import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  findNode,
  findNodes,
  keyRange,
  memberRange,
  parseJsonTree,
  stripExtras,
  type JsonNode,
} from '../../../../src/language/json/jsonTree.ts';
import { editedText, jsonText } from '../jsonTexts.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';

test('returns the same value as JSON.parse, and the range of each value in it', () => {
  fc.assert(
    fc.property(jsonText, (text) => {
      const { value, root, problems, duplicates, extras } = parseJsonTree(text);
      assert.deepEqual(value, JSON.parse(text));
      assert.deepEqual([problems, duplicates, extras], [[], [], []]);
      everyValue(value, [], (path, expected) => {
        assert.deepEqual(JSON.parse(textOf(text, findNode(root, path))), expected);
      });
    }),
    { numRuns: propertyRuns },
  );
});

test('never throws, and a text without problems is valid JSON after the extras are removed', () => {
  fc.assert(
    fc.property(editedText(jsonText), ([, text]) => {
      const { value, problems, extras } = parseJsonTree(text);
      if (problems.length === 0) assert.deepEqual(JSON.parse(stripExtras(text, extras)), value);
      for (const { offset, length } of problems) assert.ok(offset >= 0 && offset + length <= text.length);
    }),
    { numRuns: propertyRuns },
  );
});

test('reports the positions of syntax errors', () => {
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
    const [first] = parseJsonTree(text).problems;
    assert.deepEqual([first?.code, first?.offset], [code, offset], text);
  }
});

test('recovers the values of a truncated text', () => {
  const { value, problems } = parseJsonTree('{"audio_url": "https://x/a", "language_config": {"languages": ["en", "f');
  assert.deepEqual(value, { audio_url: 'https://x/a', language_config: { languages: ['en', 'f'] } });
  assert.notEqual(problems.length, 0);
});

test('never sets a prototype from a member of an invalid text', () => {
  const { value } = parseJsonTree('{"a": {"__proto__": {"b": 1}}, "c": ');
  assert.deepEqual(value, JSON.parse('{"a": {"__proto__": {"b": 1}}}'));
});

test('treats a byte order mark, comments and trailing commas as extras', () => {
  const text = '\uFEFF{ // note\r\n "a": [1, 2, /* , */], "b": {"c": 1,},\r\n}';
  const parsed = parseJsonTree(text);
  assert.deepEqual(parsed.problems, []);
  assert.deepEqual(parsed.value, { a: [1, 2], b: { c: 1 } });
  assert.deepEqual(
    parsed.extras.map(({ offset, length }) => text.slice(offset, offset + length)),
    ['\uFEFF', '// note', ',', '/* , */', ',', ','],
  );
  assert.equal(stripExtras(text, parsed.extras), '{ \r\n "a": [1, 2 ], "b": {"c": 1}\r\n}');
});

test('reports duplicate names and uses the last value', () => {
  const text = '{"a": 1, "b": {"a": 2}, "a": 3}';
  const { value, duplicates, root } = parseJsonTree(text);
  assert.deepEqual(value, { a: 3, b: { a: 2 } });
  assert.deepEqual(duplicates, [{ key: 'a', offset: 24, length: 3, first: { offset: 1, length: 3 } }]);
  assert.equal(findNode(root, ['a'])?.offset, 29);
  assert.deepEqual(
    findNodes(parseJsonTree(text), ['a']).map(({ offset }) => offset),
    [6, 29],
  );
});

test('finds names with escapes and names of inherited object members', () => {
  const text = String.raw`{"a\"b": 1, "__proto__": 2, "toString": 3}`;
  const { value, root } = parseJsonTree(text);
  assert.deepEqual(Object.entries(value as object), [
    ['a"b', 1],
    ['__proto__', 2],
    ['toString', 3],
  ]);
  const node = findNode(root, ['a"b']);
  assert(node);
  const [key, member] = [keyRange(node), memberRange(node)].map((range) => textOf(text, range));
  assert.deepEqual([textOf(text, node), key, member], ['1', String.raw`"a\"b"`, String.raw`"a\"b": 1`]);
  assert.equal(findNode(root, ['constructor']), undefined);
});

test('rejects excessive nesting at once and without exhausting the stack', () => {
  const { problems, root, value } = parseJsonTree('['.repeat(5_000_000));
  assert.deepEqual(problems, [{ code: 'TooDeep', offset: 256, length: 1 }]);
  assert.deepEqual([root, value], [undefined, undefined]);
  // Valid, but JSON.parse alone would take seconds.
  const before = process.threadCpuUsage();
  assert.equal(parseJsonTree('['.repeat(5_000_000) + ']'.repeat(5_000_000)).problems.length, 1);
  assert.ok(process.threadCpuUsage(before).user < 1_000_000, 'microseconds');
  // JSON.parse returns the last of two members, but both are visited.
  const deep = '['.repeat(20_000) + ']'.repeat(20_000);
  assert.equal(parseJsonTree(`{"a": ${deep}, "a": 1}`).problems[0]?.code, 'TooDeep');
  const deepest = '['.repeat(256) + ']'.repeat(256);
  assert.deepEqual(parseJsonTree(deepest).problems, []);
});

test('limits the problems of a text with a million commas', () => {
  assert.equal(parseJsonTree(`[${','.repeat(999_999)}`).problems.length, 100);
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

function textOf(text: string, range: Pick<JsonNode, 'offset' | 'length'> | undefined): string {
  return range === undefined ? '' : text.slice(range.offset, range.offset + range.length);
}
