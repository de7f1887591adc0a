import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sortRows } from '../../../../src/domain/board/boardView.ts';
import { explainGroup, findOnset } from '../../../../src/domain/board/incident.ts';
import type { JobColumns } from '../../../../src/domain/board/jobColumns.ts';
import { boardColumns, columnsOf, jobOf, seededNumbers, type PlantedIncident } from './boardJobs.ts';

const minuteMs = 60_000;
const incidents = 12;

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
    assert.ok(dated >= 11, `the onset is within what was said in ${dated} of ${incidents}`);
    assert.ok(named >= 11, `the true key is first in ${named} of ${incidents}`);
  });

  it('finds nothing where nothing happened', () => {
    let wrong = 0;
    for (let seed = 1; seed <= incidents; seed++) {
      const { onset, differences } = analyse(boardColumns({ seed, count: 4000 }));
      if (onset !== undefined || differences.length > 0) wrong++;
    }
    assert.ok(wrong <= 1, `something stands out in ${wrong} of ${incidents}`);
  });

  it('names what sets the failures of a few jobs apart, each of which has a name of its own', () => {
    let named = 0;
    let wrong = 0;
    for (let seed = 1; seed <= incidents; seed++) {
      // As in the board of one customer: 44 of 131 jobs are of the environment that fails for some hours.
      const next = seededNumbers(seed);
      const boardOf = (isPlanted: boolean): JobColumns =>
        columnsOf(
          Array.from({ length: 131 }, (_, index) => {
            const env = index % 3 === 0 ? 'staging' : 'prod';
            const isHit = isPlanted && env === 'staging' && index >= 50 && index < 125;
            return jobOf({
              id: `job-${index}`,
              status: next() < (isHit ? 0.9 : 0.06) ? 'error' : 'done',
              created_at: new Date(Date.UTC(2026, 9, 1) + index * 10 * minuteMs).toISOString(),
              custom_metadata: {
                name: `Interview ${index}`,
                env,
                team: next() < 0.5 ? 'red' : 'blue',
                ticket: `T-${index}`,
              },
            });
          }),
        );
      const { onset, differences } = analyse(boardOf(true));
      if (onset !== undefined && differences[0]?.key === 'custom_metadata.env') named++;
      const none = analyse(boardOf(false));
      if (none.onset !== undefined || none.differences.length > 0) wrong++;
    }
    assert.ok(named >= 11, `the environment is first in ${named} of ${incidents}`);
    assert.ok(wrong <= 1, `something stands out in ${wrong} of ${incidents} without an incident`);
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
});
