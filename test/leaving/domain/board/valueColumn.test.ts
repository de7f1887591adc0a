import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ValueColumn } from '../../../../src/domain/board/valueColumn.ts';

test('codes are copied for as many rows as there is room for, from the first row that has one', () => {
  const column = new ValueColumn('custom_metadata.team');
  for (const [row, value] of [
    [2, 'red'],
    [3, 'blue'],
    [5, 'red'],
  ] as const)
    column.set(row, value, 'text');
  const copied = (rows: number): readonly number[] => {
    const codes = new Uint16Array(rows).fill(9);
    column.copyCodes(codes);
    return [...codes];
  };
  assert.deepEqual(copied(7), [0, 0, 1, 2, 0, 1, 0]);
  assert.deepEqual(copied(4), [0, 0, 1, 2]);
  assert.deepEqual(copied(2), [0, 0]);
});
