import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOfRow, heapGrowth, measureMinutes, slope } from '../../soak/soakReport.ts';

test('the slope is that of most points, whatever one of them is', () => {
  const line = [
    [1, 100],
    [2, 150],
    [4, 250],
    [5, 300],
  ] as const;
  assert.equal(slope(line), 50);
  assert.equal(slope([...line, [6, 5000], [7, 400], [8, 450]]), 50);
});

test('what goes up and down again has no slope, and one point has none', () => {
  assert.equal(
    slope([
      [1, 100],
      [2, 200],
      [3, 200],
      [4, 100],
    ]),
    0,
  );
  assert.ok(Number.isNaN(slope([[1, 100]])));
});

test('what the editor keeps for rows and what V8 compiles are parts of the growth, and what was before does not count', () => {
  const at = (minute: number, mebibytes: number, emptySets: number, codeMebibytes: number) => ({
    minute,
    state: {
      heapBytes: mebibytes * 2 ** 20,
      codeBytes: codeMebibytes * 2 ** 20,
      residentBytes: 0,
      productTimers: 0,
      listeners: 0,
      emptySets,
      resources: {},
    },
  });
  const samples = [at(0, 90, 0, 9), at(1, 50, 10_000, 2), at(2, 51, 12_000, 2.25), at(3, 52, 14_000, 2.5)];
  const { whole, ofRows, ofCode } = heapGrowth(samples, 1);
  assert.deepEqual([whole, ofCode], [1, 0.25]);
  assert.ok(Math.abs(ofRows - (2_000 * bytesOfRow) / 2 ** 20) < 1e-9);
});

test('heaps are measured from the settled minute to the end', () => {
  assert.deepEqual(measureMinutes(15), [3, 6, 9, 12, 15]);
  assert.deepEqual(measureMinutes(6), [2, 3, 4, 5, 6]);
});
