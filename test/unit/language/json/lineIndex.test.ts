import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LineIndex, type LinePosition } from '../../../../src/language/json/lineIndex.ts';

test('counts lines and columns from 1, characters in UTF-16 code units', () => {
  const text = 'a\r\n😀b\nc\rd';
  const index = new LineIndex(text);
  const at = (character: string) => pair(index.positionAt(text.indexOf(character)));
  assert.deepEqual(at('a'), [1, 1]);
  assert.deepEqual(at('b'), [2, 3]);
  assert.deepEqual(at('c'), [3, 1]);
  assert.deepEqual(at('d'), [4, 1]);
  assert.deepEqual(pair(index.positionAt(text.length)), [4, 2]);
  assert.deepEqual(pair(new LineIndex('').positionAt(0)), [1, 1]);
});

function pair({ line, column }: LinePosition): readonly number[] {
  return [line, column];
}
