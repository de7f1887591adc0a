import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JobStatus, ListEntry } from '../../../../src/jobs/common/job.ts';
import { isFixedOrder, observeOrder, unseenOrder } from '../../../../src/jobs/common/listOrder.ts';
import { bareJob } from '../../../support/builders/bareJob.ts';

/** @param times of the jobs from the top of a list: creation, and completion of finished ones */
function isFixed(
  times: readonly (readonly [createdAtMs: number, completedAtMs?: number])[],
  statuses?: readonly JobStatus[],
): boolean {
  const entries: readonly ListEntry[] = times.map(([createdAtMs, completedAtMs], index) => ({
    ...bareJob({
      id: String(index),
      createdAtMs,
      completedAtMs,
      status: completedAtMs === undefined ? 'queued' : 'done',
    }),
  }));
  return isFixedOrder(observeOrder(unseenOrder, entries), statuses === undefined ? {} : { statuses });
}

test('a list that may be in order of completion is not fixed, even if it is also in order of creation', () => {
  assert.equal(isFixed([[30, 33], [20, 23], [10, 13], [9], [8]]), false);
  assert.equal(isFixed([[30], [20, 25], [19, 24]]), false, 'by completion, or by creation if that is missing');
  assert.equal(isFixed([[10, 11], [20, 21], [30, 31], [40], [50]]), false, 'oldest first');
});

test('a list in order of creation is fixed if neither completion nor the latest time explains its order', () => {
  assert.equal(isFixed([[30], [20, 90], [19], [18, 24]]), true);
  assert.equal(isFixed([[8], [9, 12], [10], [11, 11]]), true, 'oldest first');
});

test('a list in order of creation is fixed if all of its jobs are finished, or none', () => {
  assert.equal(
    isFixed(
      [
        [30, 33],
        [20, 23],
        [10, 13],
      ],
      ['done', 'error'],
    ),
    true,
  );
  assert.equal(isFixed([[30], [20], [10]], ['queued']), true);
  assert.equal(isFixed([[30], [20], [10]], ['queued', 'done']), false);
  assert.equal(isFixed([[30], [20], [25]], ['queued']), false, 'no order');
});
