import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { minOverdueMs, overdueLimit } from '../../../../../src/features/attention/common/overdue.ts';
import { percentile } from '../../../../../src/jobs/common/processingMs.ts';
import { bareJob } from '../../../../support/builders/bareJob.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';

const took = (ms: number) => bareJob({ createdAtMs: 0, completedAtMs: ms });

describe('overdueLimit', () => {
  it('is the 95th percentile of finished jobs, but at least ten minutes', () => {
    const slow = Array.from({ length: 100 }, (_, minute) => took((minute + 1) * 60_000));
    assert.deepEqual(overdueLimit(slow, 0), {
      type: 'measured',
      afterMs: 95 * 60_000,
      p95Ms: 95 * 60_000,
      finished: 100,
      isNewest: false,
    });
    const quick = Array.from({ length: 20 }, () => took(4000));
    assert.deepEqual(overdueLimit(quick, 0), {
      type: 'measured',
      afterMs: minOverdueMs,
      p95Ms: 4000,
      finished: 20,
      isNewest: false,
    });
  });

  it('reports too few jobs to measure, and leaves out jobs without a valid duration', () => {
    const untold = [
      bareJob({ createdAtMs: 0 }),
      bareJob({ completedAtMs: 9 }),
      bareJob({ createdAtMs: 9, completedAtMs: 0 }),
    ];
    const few = [...untold, took(1), took(2), took(3), took(4)];
    assert.deepEqual(overdueLimit(few, 0), { type: 'unmeasured', afterMs: minOverdueMs, finished: 4 });
  });

  it('is the value of the setting if there is one', () => {
    assert.deepEqual(overdueLimit([took(1)], 3), { type: 'set', afterMs: 180_000 });
  });
});

describe('percentile', () => {
  it('is one of the values, and at most the remaining share exceeds it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(), { minLength: 1 }),
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        (values, share) => {
          const found = percentile(values, share);
          assert(values.includes(found));
          const atMost = values.filter((value) => value <= found).length;
          const below = values.filter((value) => value < found).length;
          assert(atMost >= share * values.length - 1e-9);
          assert(below < share * values.length + 1e-9);
        },
      ),
      { numRuns: propertyRuns },
    );
  });
});
