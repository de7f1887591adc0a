import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { sortRows } from '../../../../src/domain/board/boardView.ts';
import { explainCode, explainGroup, findOnset } from '../../../../src/domain/board/incident.ts';
import type { JobColumns } from '../../../../src/domain/board/jobColumns.ts';
import type { Job } from '../../../../src/domain/jobs/job.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';
import {
  boardColumns,
  columnsOf,
  jobOf,
  seededNumbers,
  type PlantedIncident,
} from '../../../unit/domain/board/boardJobs.ts';

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

/** The failures of an incident. */
function hitsWithin(columns: JobColumns, { onsetMs, endMs = Infinity, key, value }: PlantedIncident): number {
  return Array.from(columns.created).filter(
    (at, row) =>
      at >= onsetMs &&
      at < endMs &&
      columns.column(`custom_metadata.${key}`)?.value(row) === value &&
      columns.column('status')?.value(row) === 'error',
  ).length;
}

const dayMs = Date.UTC(2026, 10, 24);

/** A day with some 67 failures of six codes, and then with 22 of one customer and one code, while far more jobs come than usual. */
function dayWithIncident(seed: number, minutes: number, onsetMinute: number): readonly Job[] {
  const next = seededNumbers(seed);
  const codes = [400, 408, 422, 429, 500, 503];
  const customers = ['acme', 'borealis', 'cobalt', 'dahlia'];
  const job = (id: string, minute: number, customer: string, errorCode: number | undefined): Job =>
    jobOf({
      id,
      status: errorCode === undefined ? 'done' : 'error',
      kind: 'pre-recorded',
      created_at: new Date(dayMs + minute * minuteMs).toISOString(),
      custom_metadata: { customer },
      ...(errorCode !== undefined && { error_code: errorCode }),
    });
  const pick = <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)] as T;
  const background = Array.from({ length: 160 }, (_, serial) =>
    job(`b${serial}`, next() * minutes, pick(customers), next() < 0.42 ? pick(codes) : undefined),
  );
  const during = Array.from({ length: 40 }, (_, serial) =>
    job(
      `i${serial}`,
      onsetMinute + next() * (minutes - onsetMinute),
      serial < 22 ? 'acme' : pick(customers.slice(1)),
      serial < 22 ? 422 : undefined,
    ),
  );
  return [...background, ...during];
}

describe('What changed', () => {
  it('dates incidents that grow slowly, of which the first failures are few', () => {
    const hour = 60 * minuteMs;
    let [dated, found, wide] = [0, 0, 0];
    for (let seed = 1; seed <= incidents; seed++) {
      const planted = {
        ...plantedBySeed(seed),
        endMs: undefined,
        risesMs: (6 + ((seed * 31) % 90)) * hour,
        failing: 0.6,
      };
      const { onset } = analyse(boardColumns({ seed, count: 4000, planted }));
      if (onset === undefined) continue;
      found++;
      const { fromMs = -Infinity, toMs = Infinity } = onset.between ?? {};
      if (fromMs <= planted.onsetMs && planted.onsetMs <= toMs) dated++;
      // Half of a rise goes unseen, but no interval is all there is.
      if (onset.between === undefined || toMs - fromMs > planted.risesMs + 48 * hour) wide++;
    }
    assert.ok(found >= 95, `${found} of ${incidents} are found`);
    assert.ok(wide <= 15, `${wide} intervals say next to nothing`);
    assert.ok(dated >= found * 0.95, `the onset is within what was said in ${dated} of ${found}`);
  });

  it('tells when an incident ended, and of none that goes on that it has', () => {
    let right = 0;
    let claimed = 0;
    for (let seed = 1; seed <= incidents; seed++) {
      const planted = plantedBySeed(seed);
      const { onset } = analyse(boardColumns({ seed, count: 4000, planted }));
      const { endBetween } = onset ?? {};
      const isOpen = planted.endMs === undefined;
      if (isOpen && endBetween !== undefined) claimed++;
      const isWithin =
        endBetween !== undefined &&
        endBetween.fromMs <= Number(planted.endMs) &&
        Number(planted.endMs) <= endBetween.toMs;
      if (onset !== undefined && (isOpen ? endBetween === undefined : isWithin)) right++;
    }
    assert.ok(right >= 95, `the end is within what was said in ${right} of ${incidents}`);
    assert.ok(claimed <= 3, `${claimed} that go on are said to be over`);
  });

  it('finds what befell one customer for a few hours, which shows neither in those hours nor in that customer', () => {
    const hour = 60 * minuteMs;
    let found = 0;
    let planted = 0;
    for (let seed = 1; seed <= incidents; seed++) {
      const onsetMs = Date.UTC(2026, 9, 2) + ((seed * 7919) % 1000) * 0.001 * 96 * hour;
      const endMs = onsetMs + (6 + (seed % 19)) * hour;
      const incident = { onsetMs, endMs, key: 'customer', value: 'acme', failing: 0.6 };
      const columns = boardColumns({ seed, count: 3000, planted: incident });
      const hits = hitsWithin(columns, incident);
      // Fewer could be chance among so many values and times.
      if (hits < 10) continue;
      planted++;
      const { onset, differences } = analyse(columns);
      if (onset !== undefined && differences[0]?.value === 'acme') found++;
    }
    assert.ok(planted > 30, `${planted} incidents`);
    assert.ok(found >= planted * 0.95, `${found} of ${planted} are found`);
  });

  it('says when an incident began to within a few hours', () => {
    const planted = { ...plantedBySeed(4), failing: 0.9 };
    const { onset } = analyse(boardColumns({ seed: 4, count: 20_000, planted }));
    assert.ok(onset?.between);
    assert.ok(onset.between.toMs - onset.between.fromMs < 6 * 60 * minuteMs);
    assert.ok(onset.inside.hits / onset.inside.of > 2 * (onset.outside.hits / onset.outside.of));
  });

  it('dates the failures of one code among those of others, which together show no beginning', () => {
    const minutes = 1440;
    const onsetMinute = minutes - 35;
    let [hidden, told, named] = [0, 0, 0];
    for (let seed = 1; seed <= incidents; seed++) {
      const columns = columnsOf(dayWithIncident(seed, minutes, onsetMinute));
      const rows = sortRows({ columns }, { key: 'created_at', isDescending: false });
      const isFailed = (row: number): boolean => columns.column('status')?.value(row) === 'error';
      if (explainGroup(columns, rows, isFailed).onset !== undefined) continue;
      hidden++;
      const found = explainCode(columns, rows, isFailed);
      if (found?.code !== '422' || found.onset === undefined) continue;
      told++;
      const startsMs = found.onset.within.fromMs - dayMs;
      const isNear = Math.abs(startsMs / minuteMs - onsetMinute) < 60;
      if (isNear && found.differences[0]?.key === 'custom_metadata.customer') named++;
    }
    assert.ok(hidden >= incidents / 4, `${hidden} of ${incidents} show no beginning`);
    assert.ok(told >= hidden * 0.95, `of ${hidden}, the code is told in ${told}`);
    assert.ok(named >= told * 0.9, `of ${told}, date and customer are right in ${named}`);
  });

  it('dates no code where nothing happened', () => {
    let found = 0;
    for (let seed = 1; seed <= incidents; seed++) {
      const columns = boardColumns({ seed, count: 1000, failing: 0.2 });
      const rows = sortRows({ columns }, { key: 'created_at', isDescending: false });
      const isFailed = (row: number): boolean => columns.column('status')?.value(row) === 'error';
      if (explainCode(columns, rows, isFailed) !== undefined) found++;
    }
    assert.ok(found <= 3, `${found} of ${incidents}`);
  });

  it('compares with all other jobs where the time of the failures has too few others', () => {
    const { onset, differences, compared } = analyse(
      columnsOf(
        Array.from({ length: 200 }, (_, index) => {
          const isHit = index >= 100 && index < 130;
          return jobOf({
            id: `job-${index}`,
            status: isHit && index % 10 > 0 ? 'error' : 'done',
            created_at: new Date(Date.UTC(2026, 9, 1) + index * 10 * minuteMs).toISOString(),
            custom_metadata: { name: `Interview ${index}`, env: isHit || index === 10 ? 'staging' : 'prod' },
          });
        }),
      ),
    );
    assert.ok(onset);
    assert.deepEqual([differences[0]?.value, differences[0]?.having], ['staging', { hits: 27, of: 31 }]);
    assert.equal(compared, undefined);
  });

  it('property: each figure is that of the time that is named with it, and the last failure is the last', () => {
    const entries = fc.array(fc.record({ seconds: fc.nat(200), kind: fc.nat(99) }), { minLength: 40, maxLength: 300 });
    let told = 0;
    fc.assert(
      fc.property(entries, fc.double({ min: 0.1, max: 0.6, noNaN: true }), fc.nat(9), (drawn, start, undated) => {
        let atMs = Date.UTC(2026, 9, 1);
        const jobs = drawn.map(({ seconds, kind }, index) => {
          atMs += seconds * 1000;
          const isWithin = index >= drawn.length * start && index < drawn.length * (start + 0.3);
          const isAcme = kind % 2 === 0;
          return {
            atMs: index % 50 < undated ? undefined : atMs,
            isFailed: isWithin && isAcme ? kind < 90 : kind > 94,
            customer: isAcme ? 'acme' : 'other',
          };
        });
        const { onset, differences, compared } = analyse(
          columnsOf(
            jobs.map(({ atMs: createdMs, isFailed, customer }, index) =>
              jobOf({
                id: `job-${index}`,
                status: isFailed ? 'error' : 'done',
                ...(createdMs !== undefined && { created_at: new Date(createdMs).toISOString() }),
                custom_metadata: { customer },
              }),
            ),
          ),
        );
        const shareOf = (some: typeof jobs) => ({
          hits: some.filter(({ isFailed }) => isFailed).length,
          of: some.length,
        });
        if (onset !== undefined) {
          told++;
          const { fromMs, toMs } = onset.within;
          assert.deepEqual([fromMs % minuteMs, toMs % minuteMs], [0, 0]);
          const dated = jobs.filter((job) => job.atMs !== undefined);
          const isInside = (job: (typeof jobs)[number]): boolean =>
            Number(job.atMs) >= fromMs && Number(job.atMs) < toMs;
          assert.deepEqual(onset.inside, shareOf(dated.filter(isInside)));
          assert.deepEqual(onset.outside, shareOf(dated.filter((job) => !isInside(job))));
          const later = dated.filter((job) => job.isFailed && Number(job.atMs) >= toMs);
          assert.deepEqual([onset.later, onset.lastMs], [later.length, later.at(-1)?.atMs]);
          assert.equal(onset.latestMs, dated.at(-1)?.atMs);
          if (onset.endBetween === undefined) assert.ok(onset.latestMs < toMs);
          else assert.ok(onset.endBetween.fromMs < toMs && onset.endBetween.fromMs <= onset.endBetween.toMs);
        }
        const ofPeriod = jobs.filter(
          ({ atMs: at }) => compared === undefined || (Number(at) >= compared.fromMs && Number(at) < compared.toMs),
        );
        for (const { key, value, having, lacking } of differences) {
          if (key !== 'custom_metadata.customer') continue;
          assert.deepEqual(having, shareOf(ofPeriod.filter(({ customer }) => customer === value)));
          assert.deepEqual(lacking, shareOf(ofPeriod.filter(({ customer }) => customer !== value)));
        }
      }),
      { numRuns: propertyRuns },
    );
    assert.ok(told * 4 > propertyRuns, `${told} incidents were told`);
  });

  it('knows an incident that was there from the start, and one that is over', () => {
    const created = Float64Array.from({ length: 400 }, (_, row) => row * minuteMs);
    const rows = Uint32Array.from(created, (_, row) => row);
    const onset = findOnset(created, rows, (row) => row < 100);
    assert.equal(onset?.between, undefined);
    assert.deepEqual(onset?.endBetween, { fromMs: 99 * minuteMs, toMs: 100 * minuteMs });
    assert.deepEqual(onset?.inside, { hits: 100, of: 100 });
    const undated = findOnset(created.fill(NaN), rows, (row) => row < 100);
    assert.equal(undated, undefined);
  });
});
