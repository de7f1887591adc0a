import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { estimateCount, percentileRanks } from '../../../../src/domain/board/estimate.ts';
import { seededNumbers } from '../../../unit/domain/board/boardJobs.ts';

describe('An estimate', () => {
  it('is a count where everything was read', () => {
    assert.deepEqual(estimateCount([{ read: 40, total: 40 }], [7]), { count: 7, low: 7, high: 7 });
    assert.deepEqual(
      estimateCount(
        [
          { read: 40, total: 40 },
          { read: 0, total: 0 },
        ],
        [7, 0],
      ),
      { count: 7, low: 7, high: 7 },
    );
  });

  it('holds the truth in 93 of 100 samples and more, of rare and of common values, of one list and of two', () => {
    for (const [share, sizes] of [
      [0.01, [50_000]],
      [0.1, [50_000]],
      [0.5, [4000, 700]],
      [0.15, [40_000, 10_000]],
    ] as const) {
      let holding = 0;
      const samples = 400;
      for (let seed = 1; seed <= samples; seed++) {
        const next = seededNumbers(seed);
        const total = sizes.reduce((sum, each) => sum + each, 0);
        const strata = sizes.map((size) => ({ read: Math.floor((300 * size) / total), total: size }));
        // The second list has twice the share of the first.
        const hits = strata.map(
          ({ read }, list) => Array.from({ length: read }, () => next() < share * (list + 1)).filter(Boolean).length,
        );
        const truth = sizes.reduce((sum, size, list) => sum + size * share * (list + 1), 0);
        const { low, high } = estimateCount(strata, hits);
        if (low <= truth && truth <= high) holding++;
      }
      assert.ok(holding >= 0.93 * samples, `${share}: ${holding} of ${samples}`);
    }
  });

  it('holds the truth as often of the largest numbers of many, which are largest by chance, too', () => {
    const values = 30;
    const [shown, read, total] = [8, 300, 50_000];
    let holding = 0;
    const samples = 200;
    for (let seed = 1; seed <= samples; seed++) {
      const next = seededNumbers(seed);
      const hits = Array.from({ length: values }, () => 0);
      for (let job = 0; job < read; job++) {
        const value = Math.floor(next() * values);
        hits[value] = (hits[value] ?? 0) + 1;
      }
      for (const found of hits.toSorted((a, b) => b - a).slice(0, shown)) {
        const { low, high } = estimateCount([{ read, total }], [found], { shown, of: values });
        if (low <= total / values && total / values <= high) holding++;
      }
    }
    assert.ok(holding >= 0.93 * samples * shown, `${holding} of ${samples * shown}`);
    const all = { shown: values, of: values };
    assert.deepEqual(estimateCount([{ read, total }], [9], all), estimateCount([{ read, total }], [9]));
  });

  it('never says less than was seen, or more than there can be', () => {
    const { low, high } = estimateCount([{ read: 10, total: 12 }], [9]);
    assert.ok(low >= 9 && high <= 11);
    for (const found of [1, 2, 3, 4]) {
      assert.ok(estimateCount([{ read: 5, total: 7 }], [found]).low >= found, `${found} of 5`);
      assert.ok(estimateCount([{ read: 5, total: 7 }], [5 - found]).high <= 7 - found, `${5 - found} of 5`);
    }
    assert.deepEqual(estimateCount([{ read: 0, total: 30 }], [0]), { count: 0, low: 0, high: 30 });
  });

  it('gives ranks around a percentile', () => {
    const { low, high } = percentileRanks(1000, 0.95);
    assert.ok(low < 950 && high > 950 && high <= 1000);
  });
});
