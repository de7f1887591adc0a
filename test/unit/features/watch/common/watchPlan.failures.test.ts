import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addFailures } from '../../../../../src/features/watch/common/watchPlan.ts';

test('failures that nobody views are counted once each, and the latest thousand are stored', () => {
  assert.deepEqual([...addFailures(new Set(['a', 'b']), ['b', 'c', 'c'])], ['a', 'b', 'c']);
  const many = Array.from({ length: 1500 }, (_, place) => `job ${place}`);
  const kept = [...addFailures(new Set(many.slice(0, 900)), many.slice(900))];
  assert.deepEqual(kept, many.slice(500));
});
