import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Change } from '../../../../src/domain/request/finding.ts';
import { withChanges } from './withChanges.ts';
import { parseRequest } from '../../../../src/domain/request/requestFile.ts';

const remove = (...path: readonly (string | number)[]): Change => ({ type: 'remove', path });

function gives(text: string, changes: readonly Change[], expected: string): void {
  assert.equal(withChanges(parseRequest(text), changes), expected);
}

test('what is removed takes its line with it', () => {
  const text = '{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}\n';
  gives(text, [remove('a')], '{\n  "b": 2,\n  "c": 3\n}\n');
  gives(text, [remove('b')], '{\n  "a": 1,\n  "c": 3\n}\n');
  gives(text, [remove('c')], '{\n  "a": 1,\n  "b": 2\n}\n');
});

test('what is removed from a line leaves the spaces of its neighbours', () => {
  gives('["a", "b", "c"]', [remove(0)], '["b", "c"]');
  gives('["a", "b", "c"]', [remove(1)], '["a", "c"]');
  gives('["a", "b", "c"]', [remove(2)], '["a", "b"]');
  gives('[ "a" ]', [remove(0)], '[]');
  gives('{"a":1,"b":2}', [remove('a')], '{"b":2}');
});

test('neighbours are removed together', () => {
  gives('["a", "b", "c", "d"]', [remove(1), remove(0)], '["c", "d"]');
  gives('["a", "b", "c", "d"]', [remove(0), remove(2), remove(3)], '["b"]');
  gives('{"x": ["a", "b"], "y": 1}', [remove('x', 0), remove('x', 1), remove('y')], '{"x": []}');
});

test('all members of a name that is written twice are removed', () => {
  gives('{"a": 1, "b": 2, "a": 3}', [remove('a')], '{"b": 2}');
  gives('{"x": {"a": 1, "\\u0061": 2}}', [remove('x', 'a')], '{"x": {}}');
});

test('comments beside what is removed stay', () => {
  gives('{\n  "a": 1, // of a\n  "b": 2 // of b\n}', [remove('b')], '{\n  "a": 1 // of a\n   // of b\n}');
  gives('{\n  // of a\n  "a": 1,\n  // of b\n  "b": 2\n}', [remove('a')], '{\n  // of a\n  \n  // of b\n  "b": 2\n}');
  gives('[/* first */ "a", "b",]', [remove(1)], '[/* first */ "a",]');
});

test('a new member stands on a line of its own where its neighbour does', () => {
  const change: Change = { type: 'insertBefore', path: ['b'], name: 'n', value: true };
  gives('{\r\n\t"a": 1,\r\n\t"b": 2\r\n}', [change], '{\r\n\t"a": 1,\r\n\t"n": true,\r\n\t"b": 2\r\n}');
  gives('{ "b" : 2 }', [change], '{ "n" : true, "b" : 2 }');
  gives('{"b":2}', [change], '{"n":true,"b":2}');
});

test('changes of what is not there do nothing', () => {
  gives('{"a": 1}', [remove('b'), { type: 'replace', path: ['a', 'c'], value: 1 }], '{"a": 1}');
});
