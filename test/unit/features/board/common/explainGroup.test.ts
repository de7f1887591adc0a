import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dayMs, minuteMs } from '../../../../../src/base/time.ts';
import { sortRows } from '../../../../../src/features/board/common/boardView.ts';
import { explainGroup, type Standout } from '../../../../../src/features/board/common/explainGroup.ts';
import type { Job } from '../../../../../src/jobs/common/job.ts';
import { readJobItem } from '../../../../../src/jobs/common/job.ts';
import { isJsonObject, type JsonObject } from '../../../../../src/base/json/json.ts';
import { boardJobs, columnsOf, jobOf, seededNumbers, type PlantedIncident } from './boardJobs.ts';

const startMs = Date.UTC(2026, 9, 1);

/** Returns the findings about the failed jobs. */
function explainFailures(jobs: readonly Job[]): Promise<readonly Standout[]> {
  const columns = columnsOf(jobs);
  return explainGroup(
    columns,
    sortRows({ columns, size: columns.size }, { key: 'created_at', isDescending: false }),
    (row) => columns.column('status')?.value(row) === 'error',
    { withTime: true, withOutcomes: false, rest: () => Promise.resolve() },
  );
}

/** Formats a finding, values sorted by their keys. */
function brief({ shared, time, having, rest }: Standout): string {
  const values = shared.map(({ key, value }) => `${key.replace('custom_metadata.', '')}=${value}`).toSorted();
  const at = time === undefined ? '' : ` ${time.side} ${new Date(time.atMs).toISOString()}`;
  return `${values.join(' ')}${at}: ${having.hits} of ${having.of}, ${rest.hits} of ${rest.of}`;
}

interface MadeJob {
  readonly atMs: number;
  readonly code?: number | undefined;
  readonly metadata: JsonObject;
}

function made({ atMs, code, metadata }: MadeJob, index: number): Job {
  return jobOf({
    id: `job-${index}`,
    kind: 'pre-recorded',
    status: code === undefined ? 'done' : 'error',
    created_at: new Date(atMs).toISOString(),
    custom_metadata: metadata,
    ...(code !== undefined && { error_code: code }),
  });
}

/** Creates jobs a minute apart. */
function madeJobs(count: number, of: (index: number) => Omit<MadeJob, 'atMs'>): readonly Job[] {
  return Array.from({ length: count }, (_, index) => made({ atMs: startMs + index * minuteMs, ...of(index) }, index));
}

function plantedBySeed(seed: number): PlantedIncident {
  return {
    onsetMs: Date.UTC(2026, 9, 3) + ((seed * 7919) % 1000) * 0.001 * 3 * dayMs,
    endMs: undefined,
    key: seed % 2 === 0 ? 'customer' : 'region',
    value: seed % 2 === 0 ? 'acme' : 'south',
    failing: 0.3 + (seed % 5) * 0.1,
  };
}

describe('What Changed?', () => {
  it('finds something among random jobs on at most about one of a hundred boards', async () => {
    let found = 0;
    const boards = 400;
    for (let seed = 1; seed <= boards; seed++) {
      const failing = [0.05, 0.2, 0.4][seed % 3] ?? 0;
      if ((await explainFailures(boardJobs({ seed, count: 200, failing }))).length > 0) found++;
    }
    // The limit is three standard deviations above the expected four.
    assert.ok(found <= 10, `something stands out on ${found} of ${boards} boards`);
  });

  it('finds what the jobs of an incident share, since when, and their error code', async () => {
    let [named, dated] = [0, 0];
    const incidents = 12;
    for (let seed = 1; seed <= incidents; seed++) {
      const planted = plantedBySeed(seed);
      const [first, ...others] = await explainFailures(boardJobs({ seed, count: 2500, planted }));
      const [value] = first?.shared ?? [];
      if (value?.key === `custom_metadata.${planted.key}` && value.value === planted.value) named++;
      const lateMs = (first?.time?.atMs ?? NaN) - planted.onsetMs;
      if (first?.time?.side === 'since' && Math.abs(lateMs) < dayMs / 4) dated++;
      assert.equal(first?.code?.code, '503');
      assert.deepEqual(others.map(brief), [], 'nothing else changed');
    }
    assert.ok(named >= 11, `the value is named in ${named} of ${incidents}`);
    assert.ok(dated >= 10, `the start is close in ${dated} of ${incidents}`);
  });

  it('answers the questions in an incident: which customer, how many, compared with what, since when', async () => {
    const jobs = madeJobs(2000, (index) => {
      const isAurora = index % 50 === 7;
      const isBroken = isAurora && index >= 1000 && index % 500 !== 7;
      return {
        code: isBroken ? 422 : index % 40 === 3 ? [400, 500][index % 80 === 3 ? 0 : 1] : undefined,
        metadata: { customer: isAurora ? 'Aurora Health' : `customer ${index % 9}`, call: `c-${index}` },
      };
    });
    const [first, ...others] = await explainFailures(jobs);
    assert.ok(first);
    assert.equal(brief(first), 'customer=Aurora Health since 2026-10-01T17:37:00.000Z: 18 of 19, 23 of 924');
    assert.deepEqual(first.code, { code: '422', hits: 18 });
    const sinceMs = first.time?.atMs ?? NaN;
    const failed = jobs.filter(({ status }) => status === 'error');
    const isIncident = ({ errorCode, raw }: Job): boolean => errorCode === 422 && raw.includes('"Aurora Health"');
    const share = (of: readonly Job[]) => ({ hits: of.filter(isIncident).length, of: of.length });
    assert.deepEqual(first.incident, {
      since: share(failed.filter(({ createdAtMs = NaN }) => createdAtMs >= sinceMs)),
      before: share(failed.filter(({ createdAtMs = NaN }) => createdAtMs < sinceMs)),
    });
    assert.deepEqual([first.incident?.since.hits, first.incident?.before.hits], [18, 0]);
    assert.deepEqual(others, []);
  });

  it('finds since when all jobs fail more often, or until when they did', async () => {
    const failing = (isBad: (index: number) => boolean): readonly Job[] =>
      madeJobs(1200, (index) => ({
        code: (isBad(index) ? index % 5 > 0 : index % 60 === 30) ? 503 : undefined,
        metadata: { customer: `c${index % 7}` },
      }));
    const since = await explainFailures(failing((index) => index >= 1022));
    assert.deepEqual(since.map(brief), [' since 2026-10-01T17:02:00.000Z: 143 of 178, 17 of 1022']);
    const until = await explainFailures(failing((index) => index < 120));
    assert.deepEqual(until.map(brief), [' until 2026-10-01T02:00:00.000Z: 96 of 120, 18 of 1080']);
  });

  it('finds first that all jobs fail more often, and then which of them fail even more often', async () => {
    const next = seededNumbers(7);
    const jobs = madeJobs(2000, (index) => {
      const customer = `c${index % 5}`;
      const share = index < 1500 ? 0.02 : customer === 'c3' ? 0.98 : 0.5;
      return { code: next() < share ? 503 : undefined, metadata: { customer } };
    });
    const found = await explainFailures(jobs);
    assert.deepEqual(
      found.map(({ shared, time }) => [shared[0]?.value, time?.side, new Date(time?.atMs ?? 0).getUTCDate()]),
      [
        [undefined, 'since', 2],
        ['c3', 'since', 2],
      ],
    );
  });

  it('merges values of the same jobs into one finding, and does not repeat correlated values', async () => {
    const jobs = madeJobs(1000, (index) => {
      const isHit = index % 20 === 0;
      return {
        code: isHit && index % 200 !== 0 ? 503 : undefined,
        metadata: {
          customer: isHit ? 'acme' : `c${index % 6}`,
          project: isHit ? 'support' : `p${index % 4}`,
          language: isHit || index % 50 === 1 ? 'fr' : 'en',
          agent: isHit ? `agent ${index % 3}` : `agent ${3 + (index % 30)}`,
        },
      };
    });
    assert.deepEqual((await explainFailures(jobs)).map(brief), ['customer=acme project=support: 45 of 50, 0 of 950']);
  });

  it('finds at most three sets of jobs, each compared with the jobs that the others leave', async () => {
    const jobs = madeJobs(3000, (index) => ({
      code: index % 10 < 5 && index % 3 > 0 ? 500 : undefined,
      metadata: { customer: `c${index % 10}` },
    }));
    const found = await explainFailures(jobs);
    assert.equal(found.length, 3);
    assert.deepEqual(
      found.map(({ having, rest }) => having.of + rest.of),
      [3000, 2700, 2400],
    );
  });

  it('finds no start of failures with a constant share, although others began', async () => {
    const next = seededNumbers(4);
    const jobs = madeJobs(4000, (index) => {
      const customer = `c${index % 8}`;
      const share = customer === 'c1' ? 0.5 : customer === 'c2' && index >= 3600 ? 0.95 : 0.01;
      return { code: next() < share ? 422 : undefined, metadata: { customer } };
    });
    const found = await explainFailures(jobs);
    const sides = new Map(found.map(({ shared: [value], time }) => [value?.value, time?.side]));
    assert.deepEqual(
      sides,
      new Map([
        ['c1', undefined],
        ['c2', 'since'],
      ]),
    );
  });

  it('finds nothing among a handful of failures, or if all jobs failed', async () => {
    const failing = (isFailed: (index: number) => boolean): readonly Job[] =>
      madeJobs(60, (index) => ({ code: isFailed(index) ? 500 : undefined, metadata: { half: String(index >= 30) } }));
    assert.deepEqual(await explainFailures(failing((index) => index > 55)), []);
    assert.deepEqual(await explainFailures(failing(() => true)), []);
    assert.deepEqual(await explainFailures([]), []);
  });

  it('has figures that match the jobs, at a time within their range', async () => {
    let recounted = 0;
    for (let seed = 1; seed <= 10; seed++) {
      const jobs = boardJobs({ seed, count: 1000, planted: plantedBySeed(seed) });
      const [first] = await explainFailures(jobs);
      if (first === undefined) continue;
      const times = jobs.map(({ createdAtMs = NaN }) => createdAtMs);
      const { side, atMs } = first.time ?? { side: 'since', atMs: -Infinity };
      if (first.time !== undefined) assert.ok(atMs > Math.min(...times) && atMs < Math.max(...times));
      const within = jobs.filter(({ createdAtMs = NaN }) =>
        side === 'since' ? createdAtMs >= atMs : createdAtMs < atMs,
      );
      const isShared = (job: Job): boolean => {
        const metadata = readJobItem(job)['custom_metadata'];
        return first.shared.every(
          ({ key, value }) => isJsonObject(metadata) && metadata[key.replace('custom_metadata.', '')] === value,
        );
      };
      for (const [share, has] of [
        [first.having, true],
        [first.rest, false],
      ] as const) {
        const counted = within.filter((job) => isShared(job) === has);
        assert.deepEqual(share, {
          hits: counted.filter(({ status }) => status === 'error').length,
          of: counted.length,
        });
      }
      recounted++;
    }
    assert.ok(recounted >= 8, `${recounted} of 10`);
  });

  it('finds the same for any order of jobs and any names of values', async () => {
    let shown = 0;
    for (let seed = 1; seed <= 8; seed++) {
      const jobs = boardJobs({ seed, count: 800, planted: plantedBySeed(seed) });
      const found = (await explainFailures(jobs)).map(brief);
      shown += found.length;
      const next = seededNumbers(seed + 1000);
      const shuffled = jobs
        .map((job) => ({ job, at: next() }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ job }) => job);
      assert.deepEqual((await explainFailures(shuffled)).map(brief), found);
      const renamed = jobs.map((job) => {
        const item = readJobItem(job);
        const metadata = Object.entries(item['custom_metadata'] ?? {});
        return jobOf({
          ...item,
          custom_metadata: Object.fromEntries(metadata.map(([key, value]) => [key, renamedValue(value)])),
        });
      });
      const back = (await explainFailures(renamed)).map((each) => ({
        ...each,
        shared: each.shared.map(({ key, value }) => ({
          key,
          value: key.startsWith('custom') ? formerValue(value) : value,
        })),
      }));
      assert.deepEqual(back.map(brief), found);
    }
    assert.ok(shown >= 7, `${shown} findings`);
  });

  it('puts the earlier of two sets with equal figures first, whatever the names of their values', async () => {
    for (const [first, second] of [
      ['acme', 'zeta'],
      ['zeta', 'acme'],
    ] as const) {
      const jobs = madeJobs(400, (index) => {
        const customer = index % 10 === 4 ? first : index % 10 === 7 ? second : `c${index % 10}`;
        return { code: index % 10 === 4 || index % 10 === 7 ? 500 : undefined, metadata: { customer } };
      });
      const found = await explainFailures(jobs);
      assert.deepEqual(
        found.map(({ shared }) => shared[0]?.value),
        [first, second],
      );
    }
  });

  it('compares the outcomes of selected jobs, too, and finds no time for them', async () => {
    const jobs = boardJobs({ seed: 5, count: 400, failing: 0.2 });
    const columns = columnsOf(jobs);
    const rows = sortRows({ columns, size: columns.size }, { key: 'created_at', isDescending: false });
    const isFailed = (row: number): boolean => columns.column('status')?.value(row) === 'error';
    const options = { withTime: false, withOutcomes: true, rest: () => Promise.resolve() };
    const [first] = await explainGroup(columns, rows, isFailed, options);
    assert.deepEqual(first?.shared, [{ key: 'status', value: 'error' }]);
    assert.equal(first.time, undefined);
  });
});

/** Renames a value so that names sort in another order. */
function renamedValue(value: unknown): string {
  return Buffer.from(String(value)).toString('base64url');
}

function formerValue(value: string): string {
  return Buffer.from(value, 'base64url').toString();
}
