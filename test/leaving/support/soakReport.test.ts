import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heldGrowth } from '../../soak/heldGrowth.ts';
import { measureMinutes } from '../../soak/soakReport.ts';

test('what a heap holds more is told apart by who holds it, and what the product leaks is named', () => {
  const view = ' .[]:(GC roots) .host:jc ._treeViews:Map .table: .[]:i';
  const row = `${view} ._store:i ._toDispose:Set .table:`;
  const before = new Map([
    [`${row} .[]:i`, { count: 10, bytes: 1_000 }],
    [`${view} ._dataProvider:Et .#jobs:Map .table:`, { count: 1, bytes: 500 }],
  ]);
  const after = new Map([
    [row, { count: 1, bytes: 80 }],
    [`${row} .[]:i`, { count: 20, bytes: 2_000 }],
    [`${row} .[]:i ._toDispose:Set`, { count: 10, bytes: 300 }],
    [`${row} .[]:i ._toDispose:Set .table:`, { count: 10, bytes: 200 }],
    [`${row} .[]:i ._fn:(closure) `, { count: 1, bytes: 64 }],
    [`${view} ._dataProvider:Et .#jobs:Map .table:`, { count: 1, bytes: 900 }],
    [`${view} ._dataProvider:Et .#jobs:Map .table: .[]:(string)`, { count: 3, bytes: 90_000 }],
    [' .[]:(closure) f .code:(code) (code for f)', { count: 1, bytes: 7_000 }],
    [' .[]:Job .map:(object shape) system / Map', { count: 1, bytes: 77 }],
  ]);
  const { ofRows, ofEngine, kept, largest } = heldGrowth(before, after);
  assert.deepEqual([ofRows, ofEngine, kept], [1_580, 7_077, 90_464]);
  assert.match(largest[0] ?? '', /^88 KiB in 3 objects: .*#jobs:Map \.table: \.\[\]:\(string\)$/);
});

test('heaps are measured from the settled minute to the end', () => {
  assert.deepEqual(measureMinutes(15), [3, 6, 9, 12, 15]);
  assert.deepEqual(measureMinutes(6), [2, 3, 4, 5, 6]);
});
