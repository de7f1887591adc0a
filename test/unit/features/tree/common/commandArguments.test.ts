import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowsOf } from '../../../../../src/features/tree/common/commandArguments.ts';

const row = (id: string) => ({ type: 'job', kind: 'live', id }) as const;

test('a command applies to the selected rows, to a row that was clicked outside of them, or to the selection of the view', () => {
  const [a, b, c] = [row('a'), row('b'), row('c')];
  assert.deepEqual(rowsOf([a, [a, b]], []), [a, b]);
  assert.deepEqual(rowsOf([b, [a, b]], [c]), [a, b]);
  assert.deepEqual(rowsOf([c, [a, b]], []), [c]);
  assert.deepEqual(rowsOf([c], [a, b]), [c]);
  assert.deepEqual(rowsOf([], [a, b]), [a, b]);
});
