import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { sortByNumber } from '../../../../src/domain/board/sortByNumber.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';

const number = fc.oneof(
  fc.constant(NaN),
  fc.integer({ min: -3, max: 3 }),
  fc.integer(),
  fc.maxSafeInteger().map((each) => Math.trunc(each / 2)),
);

it('sorts numbers of any size, equal ones in their order and missing ones last', () => {
  fc.assert(
    fc.property(fc.array(number, { maxLength: 60 }), fc.boolean(), (numbers, isDescending) => {
      const rows = numbers.map((each, row) => ({ each, row }));
      const valid = rows.filter(({ each }) => !Number.isNaN(each));
      valid.sort((a, b) => (isDescending ? b.each - a.each : a.each - b.each) || a.row - b.row);
      const expected = [...valid, ...rows.filter(({ each }) => Number.isNaN(each))].map(({ row }) => row);
      assert.deepEqual([...sortByNumber(Float64Array.from(numbers), isDescending)], expected);
    }),
    { numRuns: propertyRuns },
  );
});
