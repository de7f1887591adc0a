import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isFailure } from '../../../../../src/base/failure.ts';
import { jobStatuses, type JobStatus } from '../../../../../src/jobs/common/job.ts';
import { parseJobQuery } from '../../../../../src/jobs/common/findJobs.ts';
import type { ListKey } from '../../../../../src/jobs/common/listKey.ts';
import type { ListQuery } from '../../../../../src/jobs/common/listParams.ts';
import { exactCount } from '../../../../../src/jobs/node/exactCount.ts';
import { searchPages } from '../../../../../src/jobs/node/jobSearch.ts';
import { matchesQuery, readAll } from '../../../../../src/jobs/node/list/readAll.ts';
import { JobStore } from '../../../../../src/jobs/node/store/jobStore.ts';
import { FakeClock } from '../../../../support/fakeClock/fakeClock.ts';
import { KeptLog } from '../../../../support/keptLog.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';
import { matchedThroughout, trueRows } from '../../../../support/worlds/oracles.ts';
import { readability } from '../../../../support/worlds/readability.ts';
import { seenWorldExamples } from '../../../../support/worlds/seenWorlds.ts';
import { World } from '../../../../support/worlds/world.ts';
import type { WorldQuery } from '../../../../support/worlds/worldQuery.ts';
import type { WorldSpec } from '../../../../support/worlds/worldSpec.ts';
import { worldSpecs } from '../../../../support/worlds/worldSpecs.ts';
import { isEndless, worldSource } from './worldSource.ts';

const without = ['posts', 'made', 'metadata', 'onDate', 'combined', 'itemBytes'] as const;
const specs = worldSpecs({ maxJobs: 130, without });
/** For properties that check every moment. */
const smallSpecs = worldSpecs({ maxJobs: 60, without });
const statuses = fc.subarray<JobStatus>([...jobStatuses], { maxLength: 2 });
const limit = fc.constantFrom(2, 5, 10, 20, 100);

/** The same query for the product and for the oracles. */
function asked(wanted: readonly JobStatus[]): { readonly query: ListQuery; readonly inWorld: WorldQuery } {
  const params = wanted.length === 0 ? {} : { statuses: wanted };
  return { query: { endpoint: 'pre-recorded', params }, inWorld: { kinds: ['pre-recorded'], ...params } };
}

/** True if a careful reader can read this world completely; in others jobs are lost undetectably, see `docs/limits.md`. */
function isReadable(spec: WorldSpec, wanted: readonly JobStatus[]): boolean {
  return readability(spec, wanted.length === 0 ? {} : { array: 'repeat' }).verdict === 'readable';
}

const completionDates = { kind: 'honoured', inclusive: false, grain: 'millisecond', field: 'completed_at' } as const;

/** Worlds, the requested statuses, and the page size. */
const readExamples: [WorldSpec, JobStatus[], 2 | 10 | 20][] = [
  ...seenWorldExamples.map(([spec]): [WorldSpec, JobStatus[], 20] => [spec, [], 20]),
  // The first jobs happen to be in order of creation: a pin taken from them would hide others.
  [{ order: 'completedFirst' }, ['done', 'error'], 2],
  // With `before_date` unfinished jobs are missing, but the positions of the others do not change.
  [{ seed: 2, beforeDate: completionDates, cut: 'beforeFilter' }, [], 20],
  // With `before_date` unfinished jobs are missing, and the first page has none.
  [{ seed: 3794, beforeDate: { kind: 'honoured', inclusive: true, grain: 'day', field: 'completed_at' } }, [], 10],
];

/** Some lists grow as fast as they are read. */
const maxBatches = 120;

test('property: any service is read without duplicates, and marked as complete only with every job', async () => {
  await fc.assert(
    fc.asyncProperty(specs, statuses, limit, async (spec, wanted, pageLimit) => {
      const world = new World(spec);
      const { query, inWorld } = asked(wanted);
      const ids: string[] = [];
      let endedBy: string | undefined;
      let batches = 0;
      try {
        for await (const batch of readAll(worldSource(world), query, { limit: pageLimit })) {
          for (const entry of batch.entries) {
            if (entry.type === 'job' && matchesQuery(entry, query)) ids.push(entry.id);
          }
          ({ endedBy } = batch);
          if (++batches === maxBatches) {
            endedBy = 'given up';
            break;
          }
        }
      } catch (error) {
        assert.ok(isFailure(error), String(error));
        endedBy = 'failed';
      }
      assert.equal(new Set(ids).size, ids.length, 'a job came twice');
      assert.ok(!isEndless(world));
      if (endedBy !== undefined || !isReadable(spec, wanted)) return;
      const missing = matchedThroughout(world, inWorld, 1, world.moment).filter((id) => !ids.includes(id));
      assert.deepEqual(missing, [], 'called complete, but these are missing');
    }),
    { examples: readExamples, numRuns: propertyRuns },
  );
});

/** Its pages are cut before filtering and it never announces the end, so positions are not counts. */
const cutWithoutEnd: WorldSpec = {
  seed: 2,
  jobs: { count: 2, liveEvery: 0, spacingMs: 60_000, tied: 1, newestAgeMs: 60_000, statuses: 'mixed' },
  next: { more: 'url', end: 'empty', late: 'no', nullFrom: null },
  cut: 'beforeFilter',
};

/**
 * True if a position in the list is the number of jobs before it. False if pages are cut before filtering, which pages
 * that happen to be full conceal; see `docs/limits.md`.
 */
function isCountable({ cut = 'afterFilter' }: WorldSpec, wanted: readonly JobStatus[]): boolean {
  return wanted.length === 0 || cut === 'afterFilter';
}

test('a count is not exact if pages are cut before filtering', async () => {
  const world = new World(cutWithoutEnd);
  const { query } = asked(['queued']);
  const { type } = await exactCount(worldSource(world), query, { clock: new FakeClock() });
  assert.notEqual(type, 'exact');
});

/** Worlds, and the statuses to count. */
const countExamples: [WorldSpec, JobStatus[]][] = [
  // A service that ignores the status sends one job that has it, and an item that may have any.
  [
    {
      seed: 3961,
      jobs: { count: 2, liveEvery: 0, spacingMs: 60_000, tied: 1, newestAgeMs: 60_000, statuses: 'mixed' },
      arrays: { understands: [], otherwise: 'ignored' },
      unreadable: { every: 2, as: 'null', identical: false },
    },
    ['done'],
  ],
  ...seenWorldExamples.map(([spec]): [WorldSpec, JobStatus[]] => [spec, []]),
  // From some offset on every offset returns the same page, and most jobs leave meanwhile.
  [
    {
      jobs: { count: 51, liveEvery: 0, spacingMs: 60_000, tied: 1, newestAgeMs: 60_000, statuses: 'mixed' },
      limit: { max: 50, above: 413, default: 20 },
      changes: [{ what: 'leave', count: 40, where: 'start', datedByMs: 0, times: null, per: 'request', every: 5 }],
      beyond: { at: 11, answer: 'stuck', counts: 'offset' },
    },
    [],
  ],
  // From the first offset on every offset returns the newest page, which changes each time.
  [
    {
      repeats: { every: 1, stale: false },
      changes: [
        { what: 'arrive', count: 40, where: 'start', datedByMs: 0, times: null, per: 'ms', every: 30 },
        { what: 'leave', count: 1, where: 'start', datedByMs: 0, times: null, per: 'request', every: 1 },
      ],
      beyond: { at: 1, answer: 'stuck', counts: 'offset' },
    },
    [],
  ],
  // Beyond an offset the last page is repeated, and it changes as jobs arrive.
  [
    {
      limit: { max: 2, above: 413, default: 20 },
      changes: [{ what: 'arrive', count: 40, where: 'start', datedByMs: 0, times: null, per: 'request', every: 7 }],
      beyond: { at: 41, answer: 'stuck', counts: 'offset' },
      replicaLagsMs: [30_000, 0],
    },
    [],
  ],
  // Beyond an offset every page is the same, and those two jobs seem to be moved by others whose status changes.
  [
    {
      limit: { max: 2, above: 400, default: 20 },
      changes: [
        { what: 'leave', count: 1, where: 'start', datedByMs: 0, times: null, per: 'request', every: 5 },
        { what: 'flip', count: 40, where: 'any', datedByMs: 0, times: null, per: 'request', every: 2 },
      ],
      beyond: { at: 14, answer: 'stuck', counts: 'offset' },
      replicaLagsMs: [100, 1000, 0],
    },
    ['queued', 'done'],
  ],
  // Items with a number as id still show their status.
  [
    {
      arrays: { understands: [], otherwise: 'ignored' },
      unreadable: { every: 1, as: 'numberAsId', identical: false },
    },
    ['done'],
  ],
  // The filter is ignored, and so many jobs match that all examined ones do.
  [
    {
      seed: 2,
      latencyMs: 5000,
      next: { more: 'url', end: 'null', late: 'never', nullFrom: null },
      arrays: { understands: [], otherwise: 'ignored' },
      changes: [{ what: 'arrive', count: 40, where: 'start', datedByMs: 0, times: 3, per: 'ms', every: 1000 }],
    },
    ['queued'],
  ],
  // Unreadable items do not show that the filter is ignored.
  [
    { arrays: { understands: [], otherwise: 'ignored' }, unreadable: { every: 1, as: 'null', identical: false } },
    ['processing'],
  ],
];

test('property: a count of any service is correct or a lower bound', async () => {
  await fc.assert(
    fc.asyncProperty(smallSpecs, statuses, async (spec, wanted) => {
      if (!isReadable(spec, wanted) || !isCountable(spec, wanted)) return;
      const world = new World(spec);
      const { query, inWorld } = asked(wanted);
      const result = await exactCount(worldSource(world), query, { clock: new FakeClock() }).catch((error: unknown) => {
        assert.ok(isFailure(error), String(error));
      });
      assert.ok(!isEndless(world));
      if (result === undefined || result.type === 'unreliable') return;
      const { type, count } = result;
      const isRight = (moment: number): boolean => {
        const rows = trueRows(world, inWorld, moment);
        return type === 'exact' ? rows === count : rows >= count;
      };
      let moment = world.moment;
      while (moment >= 0 && !isRight(moment)) moment--;
      assert.ok(moment >= 0, `${type} ${count} was never right`);
    }),
    { examples: countExamples, numRuns: propertyRuns },
  );
});

const actions: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    what: fc.constantFrom<Step['what']>('more', 'more', 'refresh', 'poll', 'reload', 'all'),
    afterMs: fc.constantFrom(0, 1000, 30_000),
  }),
  { maxLength: 8 },
);

interface Step {
  readonly what: 'more' | 'refresh' | 'poll' | 'reload' | 'all';
  readonly afterMs: number;
}

function steps(...whats: readonly Step['what'][]): readonly Step[] {
  return whats.map((what) => ({ what, afterMs: 0 }));
}

/** Runs an action of a user on a list. */
async function act(store: JobStore, key: ListKey, what: Step['what']): Promise<void> {
  switch (what) {
    case 'more':
      return store.loadMore(key);
    case 'refresh':
      return store.refresh();
    case 'poll':
      return store.poll();
    case 'reload':
      return store.reload(key);
    case 'all':
      return store.loadAll(key, 300, new AbortController().signal, () => undefined);
  }
}

const arrivals = { what: 'arrive', count: 1, where: 'start', datedByMs: 0, times: null } as const;

/** Cases found by the property: a world, the requested status, the page size, and the actions. */
const seenLosses: [WorldSpec, JobStatus | undefined, 1 | 2 | 5 | 20 | 50, readonly Step[]][] = [
  // A read that fails after the first page says nothing about the rest, even of a list that was complete before.
  [
    {
      changes: [{ ...arrivals, per: 'ms', every: 1000 }],
      beyond: { at: 1, answer: 400, counts: 'offset' },
    },
    undefined,
    50,
    [
      { what: 'more', afterMs: 30_000 },
      { what: 'reload', afterMs: 0 },
    ],
  ],
  // An older state continues below rows that it does not contain, so their position is unknown.
  [
    {
      latencyMs: 5000,
      changes: [
        { ...arrivals, what: 'progress', count: 2, times: 3, per: 'ms', every: 30 },
        { ...arrivals, what: 'return', count: 40, per: 'ms', every: 30 },
      ],
      replicaLagsMs: [30_000, 0],
    },
    'done',
    5,
    steps('poll', 'poll'),
  ],
  // A first page that is empty once, followed by a full one that ends the list.
  [
    {
      seed: 4702,
      limit: { max: 17, above: 'capped', default: 20 },
      cut: 'beforeFilter',
      changes: [
        { ...arrivals, count: 4, per: 'request', every: 3 },
        { ...arrivals, what: 'return', per: 'request', every: 1 },
      ],
    },
    'error',
    50,
    steps('more', 'more', 'more', 'more', 'more'),
  ],
  // A lower page repeats a job from above: from then on the rows are not in the service's order.
  [
    {
      seed: 2,
      changes: [
        { ...arrivals, count: 3, per: 'request', every: 2 },
        { ...arrivals, what: 'return', per: 'request', every: 1 },
      ],
    },
    'queued',
    2,
    steps('more', 'more'),
  ],
  // The same page is repeated, with unreadable items: reading must still end.
  [
    {
      jobs: { count: 6, liveEvery: 3, spacingMs: 60_000, tied: 1, newestAgeMs: 60_000, statuses: 'mixed' },
      unreadable: { every: 2, as: 'null', identical: false },
      changes: [{ ...arrivals, what: 'progress', per: 'request', every: 1 }],
      beyond: { at: 1, answer: 'stuck', counts: 'offset' },
    },
    undefined,
    1,
    steps('more', 'more', 'refresh', 'all'),
  ],
  // Listed by arrival, but dated an hour earlier: creation order does not show that the older arrivals have left.
  [
    {
      order: 'completedLast',
      changes: [
        { ...arrivals, datedByMs: -3_600_000, per: 'ms', every: 1000 },
        { ...arrivals, what: 'leave', per: 'request', every: 1 },
      ],
    },
    'queued',
    20,
    [{ what: 'more', afterMs: 30_000 }],
  ],
  // The list always announces more, and its last rows are unreadable: loaded rows stay if nothing follows them.
  [
    {
      seed: 2,
      next: { more: 'url', end: 'null', late: 'never', nullFrom: null },
      unreadable: { every: 9, as: 'null', identical: false },
    },
    undefined,
    2,
    steps('more', 'all', 'all'),
  ],
  // Half of the items are unreadable, and the list moves as fast as it is read: reading all must end.
  [
    {
      unreadable: { every: 2, as: 'null', identical: false },
      changes: [
        { ...arrivals, per: 'ms', every: 1000 },
        { ...arrivals, what: 'leave', where: 'middle', per: 'ms', every: 1000 },
      ],
    },
    undefined,
    1,
    steps('all'),
  ],
  // The same without departing jobs: a pin at the newest job of the first page would hide loaded jobs below that are dated later.
  [
    { order: 'completedLast', changes: [{ ...arrivals, datedByMs: -3_600_000, per: 'ms', every: 100 }] },
    'queued',
    1,
    [
      { what: 'more', afterMs: 1000 },
      { what: 'refresh', afterMs: 30_000 },
    ],
  ],
];

test('property: for any service, loaded jobs that still match stay, and a list marked as complete has every job', async () => {
  await fc.assert(
    fc.asyncProperty(
      specs,
      fc.option(fc.constantFrom(...jobStatuses), { nil: undefined }),
      fc.constantFrom(1, 2, 5, 20, 50),
      actions,
      async (spec, status, pageSize, taken) => {
        const wanted = status === undefined ? [] : [status];
        if (!isReadable(spec, wanted)) return;
        const world = new World(spec);
        const { inWorld } = asked(wanted);
        const key: ListKey = { kind: 'pre-recorded', status };
        const groupBy = status === undefined ? 'none' : 'status';
        const clock = new FakeClock();
        const store = new JobStore(() => ({ limit: pageSize, groupBy, listSource: 'byKind' }), clock, new KeptLog());
        store.use(worldSource(world));
        const loaded = (): string[] =>
          store.list(key).jobs.entries.flatMap((entry) => (entry.type === 'job' ? [entry.id] : []));
        await store.load(key);
        for (const { what, afterMs } of taken) {
          const before = loaded();
          const from = world.moment;
          world.advance(afterMs);
          await clock.advance(1000);
          await act(store, key, what);
          assert.ok(!isEndless(world));
          const now = new Set(loaded());
          const still = new Set(matchedThroughout(world, inWorld, from, world.moment));
          const lost = before.filter((id) => still.has(id) && !now.has(id));
          assert.deepEqual(lost, [], `gone after ${what}`);
          if (!store.list(key).isComplete) continue;
          // The other actions keep rows that were read earlier.
          const isAnew = what === 'reload' || what === 'refresh';
          const all = isAnew ? [...still] : matchedThroughout(world, inWorld, 1, world.moment);
          const missing = all.filter((id) => !now.has(id));
          assert.deepEqual(missing, [], `called complete after ${what}, but these are missing`);
        }
        store.dispose();
      },
    ),
    { examples: seenLosses, numRuns: propertyRuns },
  );
});

test('property: for any service, a count after reads and refreshes is correct or a lower bound', async () => {
  await fc.assert(
    fc.asyncProperty(
      specs,
      fc.option(fc.constantFrom(...jobStatuses), { nil: undefined }),
      fc.constantFrom(1, 2, 5, 20, 50),
      actions,
      async (spec, status, pageSize, taken) => {
        const wanted = status === undefined ? [] : [status];
        if (!isReadable(spec, wanted) || !isCountable(spec, wanted)) return;
        const world = new World(spec);
        const { query, inWorld } = asked(wanted);
        const key: ListKey = { kind: 'pre-recorded', status };
        const groupBy = status === undefined ? 'none' : 'status';
        const clock = new FakeClock();
        const store = new JobStore(() => ({ limit: pageSize, groupBy, listSource: 'byKind' }), clock, new KeptLog());
        const reader = worldSource(world);
        store.use(reader);
        await store.load(key);
        for (const { what, afterMs } of [...taken, { what: 'refresh', afterMs: 0 } as const]) {
          world.advance(afterMs);
          await clock.advance(1000);
          await act(store, key, what);
        }
        store.dispose();
        const result = await exactCount(reader, query, { clock }).catch((error: unknown) => {
          assert.ok(isFailure(error), String(error));
        });
        assert.ok(!isEndless(world));
        if (result?.type !== 'exact' && result?.type !== 'atLeast') return;
        let moment = world.moment;
        const isRight = (at: number): boolean => {
          const rows = trueRows(world, inWorld, at);
          return result.type === 'exact' ? rows === result.count : rows >= result.count;
        };
        while (moment >= 0 && !isRight(moment)) moment--;
        assert.ok(moment >= 0, `${result.type} ${result.count} was never right`);
      },
    ),
    { numRuns: propertyRuns },
  );
});

test('property: for any service, a search never reports that an existing job does not exist', async () => {
  await fc.assert(
    fc.asyncProperty(smallSpecs, fc.nat(60), limit, async (spec, place, pageLimit) => {
      if (!isReadable(spec, [])) return;
      const world = new World(spec);
      const { query, inWorld } = asked([]);
      const id = world.jobs[place]?.id ?? 'none';
      const found: string[] = [];
      const outcome = await searchPages(worldSource(world), [query], {
        query: parseJobQuery(id),
        limit: pageLimit,
        max: 200,
        signal: new AbortController().signal,
        onPage: (jobs) => found.push(...jobs.map((job) => job.id)),
      }).catch((error: unknown) => {
        assert.ok(isFailure(error), String(error));
      });
      assert.ok(!isEndless(world));
      if (outcome !== 'all') return;
      assert.ok(found.includes(id) || !matchedThroughout(world, inWorld, 1, world.moment).includes(id));
    }),
    { examples: [[{ seed: 1990, beforeDate: completionDates, cut: 'beforeFilter' }, 3, 10]], numRuns: propertyRuns },
  );
});
