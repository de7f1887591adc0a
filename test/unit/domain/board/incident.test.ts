import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sortRows } from '../../../../src/domain/board/boardView.ts';
import { explainGroup, findOnset } from '../../../../src/domain/board/incident.ts';
import type { JobColumns } from '../../../../src/domain/board/jobColumns.ts';
import { boardColumns, type PlantedIncident } from './boardJobs.ts';

const minuteMs = 60_000;
const incidents = 100;

/** What the analysis says of the failures of jobs. */
function analyse(columns: JobColumns) {
  const rows = sortRows({ columns }, { key: 'created_at', isDescending: false });
  const isFailed = (row: number): boolean => columns.column('status')?.value(row) === 'error';
  return explainGroup(columns, rows, isFailed);
}

function plantedBySeed(seed: number): PlantedIncident {
  const day = 24 * 60 * minuteMs;
  const onsetMs = Date.UTC(2026, 9, 3) + ((seed * 7919) % 1000) * 0.001 * 3 * day;
  return {
    onsetMs,
    endMs: seed % 3 === 0 ? onsetMs + day : undefined,
    key: seed % 2 === 0 ? 'customer' : 'region',
    value: seed % 2 === 0 ? 'acme' : 'south',
    failing: 0.2 + (seed % 5) * 0.1,
  };
}

describe('What changed', () => {
  it('dates planted incidents, and names what they have in common first', () => {
    let dated = 0;
    let named = 0;
    for (let seed = 1; seed <= incidents; seed++) {
      const planted = plantedBySeed(seed);
      const { onset, differences } = analyse(boardColumns({ seed, count: 4000, planted }));
      const { fromMs = -Infinity, toMs = Infinity } = onset?.between ?? {};
      if (onset !== undefined && fromMs <= planted.onsetMs && planted.onsetMs <= toMs) dated++;
      const [first] = differences;
      if (first?.key === `custom_metadata.${planted.key}` && first.value === planted.value) named++;
    }
    assert.ok(dated >= 95, `the onset is within what was said in ${dated} of ${incidents}`);
    assert.ok(named >= 95, `the true key is first in ${named} of ${incidents}`);
  });

  it('says when an incident began to within a few hours', () => {
    const planted = { ...plantedBySeed(4), failing: 0.9 };
    const { onset } = analyse(boardColumns({ seed: 4, count: 20_000, planted }));
    assert.ok(onset?.between);
    assert.ok(onset.between.toMs - onset.between.fromMs < 6 * 60 * minuteMs);
    assert.ok(onset.inside.hits / onset.inside.of > 2 * (onset.outside.hits / onset.outside.of));
  });

  it('finds nothing where nothing happened', () => {
    let wrong = 0;
    for (let seed = 1; seed <= incidents; seed++) {
      const { onset, differences } = analyse(boardColumns({ seed, count: 4000 }));
      if (onset !== undefined || differences.length > 0) wrong++;
    }
    assert.ok(wrong <= 5, `something stands out in ${wrong} of ${incidents}`);
  });

  it('says nothing of a handful of failures, or of nothing but failures', () => {
    const created = Float64Array.from({ length: 50 }, (_, row) => row);
    const rows = Uint32Array.from(created);
    assert.equal(
      findOnset(created, rows, (row) => row > 46),
      undefined,
    );
    assert.equal(
      findOnset(created, rows, () => true),
      undefined,
    );
  });

  it('knows an incident that was there from the start, and one that is over', () => {
    const created = Float64Array.from({ length: 400 }, (_, row) => row * minuteMs);
    const rows = Uint32Array.from(created, (_, row) => row);
    const onset = findOnset(created, rows, (row) => row < 100);
    assert.equal(onset?.between, undefined);
    assert.equal(onset?.endMs, 99 * minuteMs);
    assert.deepEqual(onset?.inside, { hits: 100, of: 100 });
    const undated = findOnset(created.fill(NaN), rows, (row) => row < 100);
    assert.equal(undated, undefined);
  });
});
