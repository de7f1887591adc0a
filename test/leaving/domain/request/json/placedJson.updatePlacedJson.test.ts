import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parsePlacedJson, updatePlacedJson } from '../../../../../src/domain/request/json/placedJson.ts';
import { editedText, jsonText } from '../../../../unit/domain/request/jsonTexts.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';

test('gives what reading the whole text again would give', () => {
  fc.assert(
    fc.property(editedText(jsonText), ([before, after]) => {
      const updated = updatePlacedJson(parsePlacedJson(before), after);
      const read = parsePlacedJson(after);
      assert.deepEqual({ ...updated, places: updated.places.cells }, { ...read, places: read.places.cells });
    }),
    { numRuns: propertyRuns },
  );
});

test('reads only the value around the change again', () => {
  const text = JSON.stringify({ a: [{ value: 'one' }, { value: 'two' }], b: { c: 1 } });
  const before = parsePlacedJson(text);
  const after = updatePlacedJson(before, text.replace('two', 'three'));
  const [one, two] = memberOf(after.value, 'a') as unknown[];
  assert.deepEqual(two, { value: 'three' });
  assert.equal(one, (memberOf(before.value, 'a') as unknown[])[0]);
  assert.equal(memberOf(after.value, 'b'), memberOf(before.value, 'b'));
});

test('returns the same reading for the same text', () => {
  const parsed = parsePlacedJson('{"a": 1}');
  assert.equal(updatePlacedJson(parsed, '{"a": 1}'), parsed);
});

function memberOf(value: unknown, key: string): unknown {
  return (value as Record<string, unknown>)[key];
}
