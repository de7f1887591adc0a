import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { leastOverdueMs, overdueLimit, type OverdueLimit } from '../../../../src/domain/attention/overdue.ts';
import { Failure } from '../../../../src/domain/failure.ts';
import { isUnfinished, type Job } from '../../../../src/domain/jobs/job.ts';
import type { ListEndpoint, ListParams } from '../../../../src/domain/jobs/listParams.ts';
import { AttentionReader } from '../../../../src/service/attention/attentionReader.ts';
import { bareJob } from '../../../support/builders/bareJob.ts';
import { FakeClock } from '../../../support/fakeClock/fakeClock.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';
import { World } from '../../../support/worlds/world.ts';
import type { DateKnob, WorldSpec } from '../../../support/worlds/worldSpec.ts';
import { worldSource } from '../../../unit/service/list/worldSource.ts';
import { fakeReader } from '../../../support/lists/fakeLists.ts';

const hourMs = 3_600_000;
const tenMinutes: OverdueLimit = { type: 'unmeasured', afterMs: leastOverdueMs, finished: 0 };
const query = {
  kind: 'pre-recorded',
  listSource: 'byKind',
  limit: tenMinutes,
  sinceMs: (nowMs: number) => nowMs - 24 * hourMs,
  unhandled: (failed: readonly Job[]) => failed,
  signal: new AbortController().signal,
} as const;

interface Asked {
  readonly endpoint: ListEndpoint;
  readonly params: ListParams;
}

/** A service with these jobs, which records every request. Its clock is ahead of ours. */
function service(jobs: readonly Job[], { aheadMs = 0, clock = new FakeClock() } = {}) {
  const asked: Asked[] = [];
  const source = fakeReader(async (endpoint, params) => {
    asked.push({ endpoint, params });
    const { offset = 0, limit = 20, statuses = [], beforeDate } = params;
    const matching = jobs.filter(
      ({ status, createdAtMs = 0 }) =>
        statuses.some((each) => each === status) && (beforeDate === undefined || createdAtMs < Date.parse(beforeDate)),
    );
    return {
      entries: matching.slice(offset, offset + limit),
      hasMore: offset + limit < matching.length,
      serviceDateMs: clock.now() + aheadMs,
      deviations: [],
    };
  });
  return { source, asked, clock, reader: new AttentionReader(source, clock) };
}

describe('AttentionReader', () => {
  const nowMs = new FakeClock().now();
  const at = (id: string, status: string, agoMs: number): Job =>
    bareJob({ id, status, kind: 'pre-recorded', createdAtMs: nowMs - agoMs, completedAtMs: nowMs - agoMs + 1000 });

  it('asks for the newest failures, for what is unfinished since before a time of the service, and once for all', async () => {
    const { reader, asked } = service([at('old', 'queued', 5 * hourMs), at('bad', 'error', hourMs)], {
      aheadMs: 2 * hourMs,
    });
    const { overdue, failed } = await reader.read(query);
    assert.deepEqual(asked, [
      {
        endpoint: 'pre-recorded',
        params: { statuses: ['error'], limit: 200, afterDate: new Date(nowMs - 48 * hourMs).toISOString() },
      },
      {
        endpoint: 'pre-recorded',
        params: {
          statuses: ['queued', 'processing'],
          limit: 100,
          beforeDate: new Date(nowMs + 2 * hourMs - leastOverdueMs).toISOString(),
        },
      },
      { endpoint: 'pre-recorded', params: { statuses: ['error'], limit: 200, offset: 0 } },
    ]);
    await reader.read(query);
    assert.equal(asked.length, 3 + 2);
    assert.deepEqual(overdue.type === 'known' && overdue.jobs.map(({ id }) => id), ['old']);
    assert.deepEqual(failed.type === 'known' && failed.jobs.map(({ id }) => id), ['bad']);
  });

  it('measures by two requests, of a hundred each, the statuses the other way round in the second one', async () => {
    const many = Array.from({ length: 300 }, (_, place) => at(`j${place}`, 'done', place * 1000));
    const { reader, asked } = service(many);
    const limit = await reader.measure(query);
    assert.deepEqual(limit, {
      type: 'measured',
      afterMs: leastOverdueMs,
      p95Ms: 1000,
      finished: 200,
      isNewest: true,
      obeysStatuses: true,
    });
    assert.deepEqual(
      asked.map(({ params }) => [params.offset, params.limit, params.statuses?.join()]),
      [
        [0, 100, 'done,error'],
        [100, 100, 'error,done'],
      ],
    );
    const few = service(many.slice(0, 30));
    assert.equal((await few.reader.measure(query)).obeysStatuses, true);
    assert.equal(few.asked.length, 2);
    const none = service([]);
    assert.equal((await none.reader.measure(query)).obeysStatuses, undefined);
    assert.equal(none.asked.length, 1);
  });

  const usual = Array.from({ length: 300 }, (_, place): Job => {
    const createdAtMs = nowMs - place * 20_000;
    return bareJob({
      id: `j${place}`,
      status: 'done',
      kind: 'pre-recorded',
      createdAtMs,
      completedAtMs: createdAtMs + 180_000,
    });
  });
  for (const [what, isBefore, ignoresBefore] of [
    ['is about creation', ({ createdAtMs = 0 }: Job, ms: number) => createdAtMs < ms, false],
    [
      'counts whole seconds',
      ({ createdAtMs = 0 }: Job, ms: number) => createdAtMs < Math.floor(ms / 1000) * 1000,
      false,
    ],
    ['is about completion', ({ completedAtMs = 0 }: Job, ms: number) => completedAtMs < ms, true],
    ['is ignored', () => true, true],
  ] as const) {
    it(`sees by the jobs that it measures whether before_date ${what}, with two requests`, async () => {
      let requests = 0;
      const stuck = at('stuck', 'processing', hourMs);
      const source = fakeReader(async (_endpoint, { offset = 0, limit = 20, statuses = [], beforeDate }) => {
        requests++;
        const boundMs = beforeDate === undefined ? undefined : Date.parse(beforeDate);
        const matching = [...usual, { ...stuck, completedAtMs: undefined }].filter(
          (job) => statuses.some((each) => each === job.status) && (boundMs === undefined || isBefore(job, boundMs)),
        );
        const entries = matching.slice(offset, offset + limit);
        return { entries, hasMore: offset + limit < matching.length, serviceDateMs: nowMs, deviations: [] };
      });
      const reader = new AttentionReader(source, new FakeClock());
      const limit = await reader.measure(query);
      assert.equal(requests, 2);
      assert.ok(limit.type === 'measured');
      assert.equal(limit.ignoresBefore ?? false, ignoresBefore);
      assert.ok(ignoresBefore || limit.finished > 190, `${limit.finished} jobs measured`);
      assert.equal(limit.p95Ms, 180_000);
      const { overdue } = await reader.read({ ...query, limit });
      assert.equal(overdue.type, ignoresBefore ? 'unknown' : 'known');
    });
  }

  for (const [which, taken] of [
    ['first', 0],
    ['last', -1],
  ] as const) {
    it(`does not take the ${which} status alone for all of them`, async () => {
      const { source } = service([...usual, at('bad', 'error', hourMs)]);
      const reader = new AttentionReader(
        fakeReader((endpoint, params) =>
          source.readPage(endpoint, { ...params, statuses: [params.statuses?.at(taken) ?? 'done'] }),
        ),
        new FakeClock(),
      );
      assert.equal((await reader.measure(query)).obeysStatuses, undefined);
    });
  }

  it('says that it cannot know where the service refuses times, and asks for them no more', async () => {
    const asked: ListParams[] = [];
    const source = fakeReader(async (_endpoint, params) => {
      asked.push(params);
      if (params.beforeDate !== undefined || params.afterDate !== undefined) throw new Failure('rejected');
      return { entries: [at('bad', 'error', 1)], hasMore: false, serviceDateMs: undefined, deviations: [] };
    });
    const reader = new AttentionReader(source, new FakeClock());
    const first = await reader.read(query);
    assert.deepEqual([first.overdue.type, first.failed.type], ['unknown', 'unknown']);
    const second = await reader.read(query);
    assert.deepEqual([second.overdue.type, second.failed.type], ['unknown', 'known']);
    assert.equal(asked.length, 3);
  });

  it('looks for older failures in every other reading while the newest are handled, until it has seen all', async () => {
    const failures = Array.from({ length: 450 }, (_, place) => at(`f${place}`, 'error', place * 60_000));
    const { reader, asked } = service([...failures, at('old', 'queued', 5 * hourMs)]);
    // Everything but the oldest failure.
    const unhandled = (failed: readonly Job[]): readonly Job[] => failed.filter(({ id }) => id === 'f449');
    const turns: string[] = [];
    let failed;
    for (let turn = 0; turn < 5; turn++) {
      const before = asked.length;
      const reading = await reader.read({ ...query, unhandled });
      failed = reading.failed;
      assert.deepEqual(reading.overdue.type === 'known' && reading.overdue.jobs.map(({ id }) => id), ['old']);
      const { params } = asked[before + 1] ?? assert.fail('two requests a reading');
      const isWhole = failed.type === 'known' && !failed.hasMore;
      // Failures of any age are looked for once those that were asked for are all there.
      assert.equal(asked.length, before + (turn === 4 ? 3 : 2));
      turns.push(`${params.statuses?.join()} ${params.offset ?? 0}${isWhole ? ' all' : ''}`);
    }
    assert.deepEqual(turns, [
      'queued,processing 0',
      'error 180',
      'queued,processing 0',
      'error 360 all',
      'queued,processing 0 all',
    ]);
    assert.deepEqual(failed?.type === 'known' && unhandled(failed.jobs).map(({ id }) => id), ['f449']);
  });
});

const date = fc.constantFrom<DateKnob>(
  { kind: 'ignored' },
  { kind: 'refused', status: 400 },
  { kind: 'honoured', inclusive: true, grain: 'millisecond', field: 'created_at' },
  { kind: 'honoured', inclusive: false, grain: 'second', field: 'created_at' },
);
const worlds = fc.record<WorldSpec>({
  seed: fc.nat({ max: 9999 }),
  beforeDate: date,
  afterDate: date,
  order: fc.constantFrom('newest', 'oldest', 'id', 'changed'),
  clientOffsetMs: fc.constantFrom(0, 5 * hourMs, -5 * hourMs),
  limit: fc.constantFrom({ max: null, above: 'capped', default: 20 }, { max: 10, above: 'capped', default: 10 }),
  jobs: fc.record({
    count: fc.nat({ max: 60 }),
    liveEvery: fc.constant(0),
    spacingMs: fc.constantFrom(1000, 60_000),
    tied: fc.constant(1),
    newestAgeMs: fc.constantFrom(0, 60_000),
    statuses: fc.constantFrom('mixed', 'queued'),
  }),
  createdAt: fc.constantFrom(null, { every: 3, as: 'missing' }),
});

describe('Property: whatever the service makes of times and orders', () => {
  it('overdue jobs are all that there are, or some of them, or said not to be known', async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(worlds, async (spec) => {
        const world = new World(spec);
        const clock = { now: () => world.clientNow() };
        const reader = new AttentionReader(worldSource(world), clock);
        const { overdue } = await reader.read({ ...query, limit: overdueLimit([], 10) });
        assert.ok(world.requests.length <= 3, 'two requests at most, and one for failures of any age');
        seen.add(overdue.type);
        if (overdue.type === 'unknown') return;
        assert.ok(overdue.jobs.every(isUnfinished));
        const beforeMs = world.now() - leastOverdueMs;
        const slackMs = 2000;
        const truth = world.jobs.filter((job) => isUnfinished({ status: job.states.at(-1)?.status ?? '' }));
        const createdAt = (id: string): number => truth.find((job) => job.id === id)?.createdAt ?? Infinity;
        assert.ok(
          overdue.jobs.every(({ id }) => createdAt(id) <= beforeMs + slackMs),
          'none that is not overdue',
        );
        if (overdue.hasMore) return;
        const found = new Set(overdue.jobs.map(({ id }) => id));
        const missing = truth.filter((job) => job.createdAt < beforeMs - slackMs && !found.has(job.id));
        assert.deepEqual(missing, [], 'all of them');
      }),
      { numRuns: propertyRuns },
    );
    assert.deepEqual([...seen].toSorted(), ['known', 'unknown']);
  });
});
