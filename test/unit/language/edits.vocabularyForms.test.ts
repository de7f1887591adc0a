import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withChanges } from './withChanges.ts';
import { convertToObjects, convertToStrings } from '../../../src/language/edits.ts';
import { parseRequest } from '../../../src/language/request/requestFile.ts';

const text = '{"custom_vocabulary_config": {"vocabulary": ["a", {"value": "b"}, {"value": "c", "intensity": 0.5}, 3]}}';
const request = parseRequest(text);

test('converts plain terms to objects', () => {
  assert.equal(withChanges(request, [...convertToObjects(request.body)]), text.replace('"a"', '{ "value": "a" }'));
});

test('converts objects that have only the term to plain terms', () => {
  assert.equal(withChanges(request, [...convertToStrings(request.body)]), text.replace('{"value": "b"}', '"b"'));
});

test('converts only the selected terms', () => {
  assert.deepEqual([...convertToObjects(request.body, [1, 2])], []);
  assert.equal([...convertToStrings(request.body, [1])].length, 1);
});
