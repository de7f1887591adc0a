import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeChangeEdits } from '../../../src/language/edits.ts';
import type { Change } from '../../../src/language/request/finding.ts';
import { findNode, memberRange } from '../../../src/language/json/jsonTree.ts';
import { withChanges } from './withChanges.ts';
import { propertyRuns } from '../../support/propertyRuns.ts';
import { parseRequest } from '../../../src/language/request/requestFile.ts';

const remove = (...path: readonly (string | number)[]): Change => ({ type: 'remove', path });

function gives(text: string, changes: readonly Change[], expected: string): void {
  assert.equal(withChanges(parseRequest(text), changes), expected);
}

test('removes the whole line of a removed value', () => {
  const text = '{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}\n';
  gives(text, [remove('a')], '{\n  "b": 2,\n  "c": 3\n}\n');
  gives(text, [remove('b')], '{\n  "a": 1,\n  "c": 3\n}\n');
  gives(text, [remove('c')], '{\n  "a": 1,\n  "b": 2\n}\n');
});

test('keeps the spaces of adjacent values on a line', () => {
  gives('["a", "b", "c"]', [remove(0)], '["b", "c"]');
  gives('["a", "b", "c"]', [remove(1)], '["a", "c"]');
  gives('["a", "b", "c"]', [remove(2)], '["a", "b"]');
  gives('[ "a" ]', [remove(0)], '[]');
  gives('{"a":1,"b":2}', [remove('a')], '{"b":2}');
});

test('removes adjacent values together', () => {
  gives('["a", "b", "c", "d"]', [remove(1), remove(0)], '["c", "d"]');
  gives('["a", "b", "c", "d"]', [remove(0), remove(2), remove(3)], '["b"]');
  gives('{"x": ["a", "b"], "y": 1}', [remove('x', 0), remove('x', 1), remove('y')], '{"x": []}');
});

test('removes all members with a duplicate name', () => {
  gives('{"a": 1, "b": 2, "a": 3}', [remove('a')], '{"b": 2}');
  gives('{"x": {"a": 1, "\\u0061": 2}}', [remove('x', 'a')], '{"x": {}}');
});

test('repeats at most 200 characters of an indentation', () => {
  const indented = (blanks: number): string => `{\n${' '.repeat(blanks)}"a": 1`;
  gives(
    `${indented(1500)}}`,
    [{ type: 'append', path: [], name: 'b', value: 2 }],
    `${indented(1500)},\n${' '.repeat(200)}"b": 2}`,
  );
});

test('keeps comments beside removed values', () => {
  gives('{\n  "a": 1, // of a\n  "b": 2 // of b\n}', [remove('b')], '{\n  "a": 1 // of a\n  // of b\n}');
  gives('{\n  // of a\n  "a": 1,\n  // of b\n  "b": 2\n}', [remove('a')], '{\n  // of a\n  // of b\n  "b": 2\n}');
  gives(
    '{\n  "a": 1, // of a\n  // of b\n  "b": 2, // too\n  "c": 3 // of c\n}',
    [remove('b'), remove('c')],
    '{\n  "a": 1 // of a\n  // of b\n  // too\n  // of c\n}',
  );
  gives('{"a": 1 /* a */, /* b */ "b": 2 /* c */, "c": 3}', [remove('b')], '{"a": 1 /* a */, /* b */ /* c */ "c": 3}');
  gives('{\r\n\t"a": 1 // a\r\n\t, "b": 2\r\n}', [remove('b')], '{\r\n\t"a": 1 // a\r\n}');
  gives('[/* first */ "a", "b",]', [remove(1)], '[/* first */ "a",]');
});

test('inserts a member on a separate line if the adjacent member has its own line', () => {
  const change: Change = { type: 'insertBefore', path: ['b'], name: 'n', value: true };
  gives('{\r\n\t"a": 1,\r\n\t"b": 2\r\n}', [change], '{\r\n\t"a": 1,\r\n\t"n": true,\r\n\t"b": 2\r\n}');
  gives('{ "b" : 2 }', [change], '{ "n" : true, "b" : 2 }');
  gives('{"b":2}', [change], '{"n":true,"b":2}');
});

test('ignores changes to missing values', () => {
  gives('{"a": 1}', [remove('b'), { type: 'replace', path: ['a', 'c'], value: 1 }], '{"a": 1}');
});

test('removal keeps all other values and every comment outside the removed values', () => {
  const gap = fc.constantFrom('', ' ', '\n  ', '\r\n\t', ' /* # */ ', ' // #\n', '\n  // #\n  ');
  const text = fc
    .tuple(fc.array(fc.tuple(gap, gap, gap), { minLength: 1, maxLength: 6 }), gap, fc.boolean())
    .map(([gaps, end, isTrailing]) => {
      const members = gaps.map(([before, between, after], index) => `${before}"m${index}":${between}${index}${after}`);
      let count = 0;
      return `{${members.join(',')}${isTrailing ? ',' : ''}${end}}`.replaceAll('#', () => `c${count++}.`);
    });
  fc.assert(
    fc.property(text, fc.array(fc.nat(5)), (before, indexes) => {
      const request = parseRequest(before);
      const names = indexes.map((index) => `m${index}`);
      const after = withChanges(
        request,
        names.map((name) => remove(name)),
      );
      const { value, problems } = parseRequest(after);
      assert.deepEqual(problems, [], after);
      const expected = Object.entries(request.value as object).filter(([name]) => !names.includes(name));
      assert.deepEqual(Object.entries(value as object), expected);
      const within = names.flatMap((name) => {
        const node = findNode(request.root, [name]);
        if (!node) return [];
        const { offset, length } = memberRange(node);
        return before.slice(offset, offset + length).match(/c\d+\./gu) ?? [];
      });
      const kept = (before.match(/c\d+\./gu) ?? []).filter((comment) => !within.includes(comment));
      assert.deepEqual(after.match(/c\d+\./gu) ?? [], kept, after);
    }),
    { numRuns: propertyRuns },
  );
});

test('removes one of ten thousand entries without reading all of them', () => {
  const request = parseRequest(JSON.stringify(Array.from({ length: 10_000 }, () => 'srt')));
  let reads = 0;
  const { root } = request;
  assert(root);
  const children = new Proxy(root.children, {
    get: (target, name, receiver): unknown => {
      reads++;
      return Reflect.get(target, name, receiver);
    },
  });
  Object.defineProperty(root, 'children', { value: children });
  assert.equal(makeChangeEdits(request, [remove(5_000)]).length, 1);
  assert.ok(reads > 0 && reads < 200, `${reads} were read`);
});
