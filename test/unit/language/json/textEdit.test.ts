import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { applyEdits, diffTexts } from '../../../../src/language/json/textEdit.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';

test('the edit between two texts converts one to the other', () => {
  const text = fc.oneof(fc.string({ maxLength: 40 }), fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 }));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const edit = diffTexts(before, after);
      assert.equal(applyEdits(before, edit ? [edit] : []), after);
    }),
    { numRuns: propertyRuns },
  );
});

test('the edit between two texts has the minimum size', () => {
  assert.deepEqual(diffTexts('one two three', 'one 2 three'), { offset: 4, length: 3, text: '2' });
  assert.deepEqual(diffTexts('aaa', 'aaaa'), { offset: 3, length: 0, text: 'a' });
  assert.equal(diffTexts('same', 'same'), undefined);
});

test('applies edits in text order, regardless of the order in which they are passed', () => {
  const edits = [
    { offset: 4, length: 3, text: '2' },
    { offset: 0, length: 3, text: '1' },
  ];
  assert.equal(applyEdits('one two', edits), '1 2');
});
