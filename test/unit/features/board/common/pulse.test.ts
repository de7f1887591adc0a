import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BoardView, sortRows } from '../../../../../src/features/board/common/boardView.ts';
import { JobColumns } from '../../../../../src/features/board/common/jobColumns.ts';
import {
  chooseTimed,
  layTimeline,
  measurePulse,
  measureTimes,
} from '../../../../../src/features/board/common/pulse.ts';
import { bareJob } from '../../../../support/builders/bareJob.ts';

const startMs = Date.UTC(2026, 10, 20);

/** Returns the percentiles of a minute with jobs that took these numbers of seconds. */
function percentiles(...seconds: readonly number[]) {
  const columns = new JobColumns();
  for (const [index, took] of seconds.entries()) {
    columns.add(bareJob({ id: `j${index}`, createdAtMs: startMs, completedAtMs: startMs + took * 1000 }));
  }
  const data = { columns, size: seconds.length, isPart: false };
  const byDuration = sortRows(data, { key: 'processing_time', isDescending: false });
  const timeline = layTimeline(data, { fromMs: startMs, toMs: startMs + 1 }, byDuration);
  const view = new BoardView(data, { facets: [], range: undefined }, byDuration);
  const [bin] = measurePulse(view, timeline).bins;
  return [bin?.p50Ms, bin?.p95Ms];
}

test('a percentile of a bin is a time within which at least that share of its jobs finished', () => {
  assert.deepEqual(percentiles(7), [7000, 7000]);
  assert.deepEqual(percentiles(9, 1, 5), [5000, 9000]);
  assert.deepEqual(percentiles(4, 3, 2, 1), [2000, 4000]);
  assert.deepEqual(percentiles(...Array.from({ length: 20 }, (_, index) => index + 1)), [10_000, 19_000]);
});

test('times are those of pre-recorded jobs, and of live sessions if no other jobs have a time', () => {
  const columns = new JobColumns();
  const jobs: readonly (readonly [kind: string, minute: number, seconds: number | undefined])[] = [
    ['live', 0, 1800],
    ['pre-recorded', 0, 20],
    ['live', 1, 1900],
    ['pre-recorded', 1, undefined],
    ['pre-recorded', 2, 40],
  ];
  for (const [index, [kind, minute, took]] of jobs.entries()) {
    const createdAtMs = startMs + minute * 60_000;
    const completedAtMs = took === undefined ? undefined : createdAtMs + took * 1000;
    columns.add(bareJob({ id: `j${index}`, kind, createdAtMs, completedAtMs }));
  }
  const data = { columns, size: jobs.length, isPart: false };
  const byDuration = sortRows(data, { key: 'processing_time', isDescending: false });
  const timeline = layTimeline(data, { fromMs: startMs, toMs: startMs + 180_000 }, byDuration);
  const measured = (kind?: string) => {
    const facets = kind === undefined ? [] : [{ key: 'kind', value: kind, isExcluded: false }];
    const view = new BoardView(data, { facets, range: undefined }, byDuration);
    const pulse = measurePulse(view, timeline);
    const { timed, p50Ms, p95Ms } = measureTimes(chooseTimed(view, timeline), timeline);
    assert.deepEqual(pulse.timed, timed);
    return { timed, whole: [p50Ms, p95Ms], medians: pulse.bins.map((bin) => bin.p50Ms) };
  };
  // A minute whose only times belong to sessions has none: the line has a gap there.
  const ofFiles = { whole: [20_000, 40_000], medians: [20_000, undefined, 40_000] };
  assert.deepEqual(measured(), { timed: { of: 'processing', isPart: true }, ...ofFiles });
  assert.deepEqual(measured('pre-recorded'), { timed: { of: 'processing', isPart: false }, ...ofFiles });
  assert.deepEqual(measured('live'), {
    timed: { of: 'session', isPart: false },
    whole: [1_800_000, 1_900_000],
    medians: [1_800_000, 1_900_000, undefined],
  });
});
