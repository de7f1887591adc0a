import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BoardView, sortRows, type BoardData } from '../../../../src/domain/board/boardView.ts';
import { boundBins } from '../../../../src/domain/board/boundBins.ts';
import { layTimeline, measurePulse } from '../../../../src/domain/board/pulse.ts';
import { columnsOf, jobOf } from '../../../unit/domain/board/boardJobs.ts';

const minuteMs = 60_000;
const startMs = Date.UTC(2026, 10, 20, 12);

/** A sample of a list: for each job the minutes from the start, and how many jobs stood before it. */
function sampled(total: number, ...jobs: readonly (readonly [minute: number, offset: number])[]): BoardData {
  const columns = columnsOf(
    jobs.map(([minute], index) => {
      const created_at = new Date(startMs + minute * minuteMs).toISOString();
      return jobOf({ id: `j${index}`, status: 'done', kind: 'live', created_at });
    }),
  );
  return {
    columns,
    strata: [{ read: jobs.length, total }],
    stratumOf: () => 0,
    offsetOf: (row) => jobs[row]?.[1] ?? 0,
  };
}

const halves = [0, 10].map((minute) => ({
  fromMs: startMs + minute * minuteMs,
  toMs: startMs + (minute + 10) * minuteMs,
}));

describe('The bounds of bins', () => {
  it('count the sampled job itself, in a list that begins with the oldest and in one with the newest first', () => {
    const expected = [
      { low: 1, high: 90 },
      { low: 1, high: 94 },
    ];
    assert.deepEqual(boundBins(sampled(100, [1, 5], [11, 90]), halves), expected);
    assert.deepEqual(boundBins(sampled(100, [11, 9], [1, 94]), halves), expected);
  });

  it('say nothing where nobody knows where jobs stood', () => {
    const { offsetOf: _offsetOf, ...data } = sampled(100, [1, 5]);
    assert.deepEqual(boundBins(data, halves), []);
  });

  it('hold for the statuses of a bin, too: they share in what is known of all its jobs', () => {
    // Half of the sample is of the first minutes, but six of ten jobs are.
    const data = sampled(1000, [0, 0], [1, 300], [2, 500], [3, 599], [500, 601], [501, 750], [502, 880], [503, 999]);
    const all = sortRows(data, { key: 'created_at', isDescending: false });
    const byDuration = sortRows(data, { key: 'processing_time', isDescending: false });
    const timeline = layTimeline(data, { fromMs: startMs, toMs: startMs + 600 * minuteMs }, byDuration);
    const { bins } = measurePulse(new BoardView(data, { facets: [], range: undefined }, all), timeline);
    const [first] = bins;
    assert.equal(first?.figures[0]?.count, 600, 'as the places of its jobs tell');
    for (const { figures, byStatus } of bins) assert.equal(byStatus[0], figures[0]?.count);
  });

  it('raise what is known of a status as far as the number of all jobs of its bin', () => {
    // Two of twelve sampled jobs are of the first minutes, but nine of ten jobs are.
    const early = [
      [0, 0],
      [1, 900],
    ] as const;
    const late = Array.from({ length: 10 }, (_, place) => [500 + place, 902 + place * 10] as const);
    const data = sampled(1000, ...early, ...late);
    const byTime = sortRows(data, { key: 'created_at', isDescending: false });
    const timeline = layTimeline(data, { fromMs: startMs, toMs: startMs + 600 * minuteMs }, byTime);
    const view = new BoardView(data, { facets: [], range: undefined }, byTime);
    const [first] = measurePulse(view, timeline).bins;
    const [all, done] = first?.figures ?? [];
    assert.ok((all?.count ?? 0) >= 900);
    assert.deepEqual([done?.count, first?.byStatus[0]], [all?.count, all?.count]);
    assert.ok((done?.high ?? 0) >= (all?.count ?? 0));
  });
});
