import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BoardView, sortRows } from '../../../../src/domain/board/boardView.ts';
import { JobColumns } from '../../../../src/domain/board/jobColumns.ts';
import { layTimeline, measurePulse } from '../../../../src/domain/board/pulse.ts';
import { bareJob } from '../../../support/builders/bareJob.ts';

const startMs = Date.UTC(2026, 10, 20);

/** The percentiles of a minute with jobs that took so many seconds. */
function percentiles(...seconds: readonly number[]) {
  const columns = new JobColumns();
  for (const [index, took] of seconds.entries()) {
    columns.add(bareJob({ id: `j${index}`, createdAtMs: startMs, completedAtMs: startMs + took * 1000 }));
  }
  const data = { columns, strata: [{ read: seconds.length, total: seconds.length }], stratumOf: () => 0 };
  const byDuration = sortRows(data, { key: 'processing_time', isDescending: false });
  const timeline = layTimeline(data, { fromMs: startMs, toMs: startMs + 1 }, byDuration);
  const view = new BoardView(data, { facets: [], range: undefined }, byDuration);
  const [bin] = measurePulse(view, timeline).bins;
  return [bin?.p50Ms, bin?.p95Ms];
}

test('the percentiles of a bin are times that at least that share of its jobs kept to', () => {
  assert.deepEqual(percentiles(7), [7000, 7000]);
  assert.deepEqual(percentiles(9, 1, 5), [5000, 9000]);
  assert.deepEqual(percentiles(4, 3, 2, 1), [2000, 4000]);
  assert.deepEqual(percentiles(...Array.from({ length: 20 }, (_, index) => index + 1)), [10_000, 19_000]);
});
