import assert from 'node:assert/strict';
import { test } from 'node:test';
import { row } from '../../bench/rows/idle.ts';

const settings = { quick: true, builtRoot: '', vsix: '', peers: '' };

test('ten minutes hidden, unfocused, or with nothing unfinished take no request and no timer', async () => {
  // The row itself fails if a visible view is not polled either.
  const outcomes = await row(settings);
  assert.deepEqual(
    outcomes.map(({ unit, value }) => ({ unit, value })),
    [
      { unit: 'requests', value: 0 },
      { unit: 'timers', value: 0 },
    ],
  );
});
