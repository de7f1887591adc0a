import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Failure } from '../../../../../src/base/failure.ts';
import { jobStatuses, type JobStatus, type ListEntry } from '../../../../../src/jobs/common/job.ts';
import { JobPager, type PagedList, type ReadLimits } from '../../../../../src/jobs/node/list/jobPager.ts';
import type { ListQuery } from '../../../../../src/jobs/common/listParams.ts';
import { readAll } from '../../../../../src/jobs/node/list/readAll.ts';
import { MovingList, type Event } from '../../../../support/movingList/movingList.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';
import { fakeReader } from '../../../../support/lists/fakeLists.ts';

const status = fc.constantFrom<JobStatus>(...jobStatuses);
const event: fc.Arbitrary<Event> = fc.oneof(
  fc.record({ type: fc.constant('arrive'), status }),
  fc.record({ type: fc.constant('leave'), place: fc.nat(60) }),
  fc.record({ type: fc.constant('change'), place: fc.nat(60), status }),
);
const world = fc.record({
  jobs: fc.nat(60),
  statuses: fc.array(status, { minLength: 1, maxLength: 7 }),
  events: fc.array(fc.array(event, { maxLength: 6 }), { maxLength: 30 }),
  clamp: fc.option(fc.integer({ min: 2, max: 9 }), { nil: undefined }),
  ties: fc.integer({ min: 1, max: 5 }),
  limit: fc.integer({ min: 1, max: 12 }),
  asked: fc.option(status, { nil: undefined }),
  tellsTime: fc.boolean(),
});

type World = typeof world extends fc.Arbitrary<infer W> ? W : never;

/**
 * Jobs arrive as fast as pages are read, and then stop: the same page appears at several offsets and is not the last.
 */
const keepsPace: World = {
  jobs: 3,
  statuses: ['queued'],
  events: [
    [],
    [{ type: 'arrive', status: 'queued' }],
    [{ type: 'arrive', status: 'queued' }],
    [{ type: 'arrive', status: 'queued' }],
    [{ type: 'leave', place: 0 }],
    [{ type: 'leave', place: 0 }],
  ],
  clamp: undefined,
  ties: 1,
  limit: 2,
  asked: undefined,
  tellsTime: false,
};

/** A full page, then one that repeats it because a job has arrived above. */
const arrivingAbove: World = {
  jobs: 1,
  statuses: ['queued'],
  events: [
    [{ type: 'arrive', status: 'queued' }],
    [{ type: 'arrive', status: 'queued' }],
    [{ type: 'leave', place: 0 }],
  ],
  clamp: undefined,
  ties: 1,
  limit: 2,
  asked: undefined,
  tellsTime: false,
};

function service({ jobs, statuses, events, clamp, ties, tellsTime }: World) {
  return new MovingList({
    jobs,
    status: (index) => statuses[index % statuses.length] ?? 'done',
    events,
    ties,
    tellsTime,
    ...(clamp === undefined ? {} : { clamp }),
  });
}

function question(asked: JobStatus | undefined): ListQuery {
  return { endpoint: 'live', params: asked === undefined ? {} : { statuses: [asked] } };
}

function limits(page: number): ReadLimits {
  return { page, max: page };
}

function idsOf(entries: readonly ListEntry[]): string[] {
  return entries.map((entry) => (entry.type === 'job' ? entry.id : entry.raw));
}

function assertEachOnce(listed: readonly string[], matched: readonly string[]): void {
  assert.equal(new Set(listed).size, listed.length, 'no job is listed twice');
  assert.deepEqual(
    matched.filter((id) => !listed.includes(id)),
    [],
    'no job that matched all along is lost',
  );
}

test('property: reading page by page lists every job that matched throughout exactly once', async () => {
  await fc.assert(
    fc.asyncProperty(world, async (given) => {
      const source = service(given);
      const pager = new JobPager(source);
      let list = await pager.first(question(given.asked), given.limit);
      for (let page = 0; list.hasMore && page < 400; page++) {
        list = await pager.next(question(given.asked), list, given.limit);
      }
      assert.equal(list.hasMore, false);
      if (list.stuck) {
        assert.ok(given.events.flat().length > 0, 'only a list that moves may end with a notice');
        source.rest();
        list = await readWhole(pager, question(given.asked), given.limit);
      }
      assertEachOnce(idsOf(list.jobs.entries), source.matchedAllAlong(given.asked));
    }),
    { numRuns: propertyRuns },
  );
});

test('property: reading several pages at once lists every job that matched throughout exactly once', async () => {
  await fc.assert(
    fc.asyncProperty(world, fc.integer({ min: 1, max: 5 }), async (given, concurrency) => {
      const source = service(given);
      const listed: string[] = [];
      let endedBy: string | undefined;
      for await (const batch of readAll(source, question(given.asked), { limit: given.limit, concurrency })) {
        ({ endedBy } = batch);
        listed.push(...idsOf(batch.entries));
      }
      // This service's order depends only on fields that never change, but its items do not always prove that.
      const endedEarly = endedBy === 'stuck' || endedBy === 'lost';
      if (endedEarly) assert.ok(given.events.flat().length > 0, 'only a list that moves may end with a notice');
      assertEachOnce(listed, endedEarly ? [] : source.matchedAllAlong(given.asked));
    }),
    { examples: [[keepsPace, 3]], numRuns: propertyRuns },
  );
});

test('property: reading the rest of a list lists every job that matched throughout exactly once', async () => {
  await fc.assert(
    fc.asyncProperty(world, async (given) => {
      const source = service(given);
      const pager = new JobPager(source);
      const asked = question(given.asked);
      let list = await pager.first(asked, given.limit);
      for await (const longer of pager.rest(asked, list, given.limit, new AbortController().signal)) {
        assert.ok(longer.jobs.entries.length > list.jobs.entries.length || !longer.hasMore || longer.moved);
        list = longer;
      }
      const endedEarly = list.stuck || list.hasMore;
      if (endedEarly) assert.ok(given.events.flat().length > 0, 'only a list that moves may end with a notice');
      assertEachOnce(idsOf(list.jobs.entries), endedEarly ? [] : source.matchedAllAlong(given.asked));
    }),
    { examples: [[arrivingAbove]], numRuns: propertyRuns },
  );
});

async function readWhole(pager: JobPager, query: ListQuery, limit: number): Promise<PagedList> {
  let list = await pager.first(query, limit);
  for (let page = 0; list.hasMore && page < 400; page++) list = await pager.next(query, list, limit);
  return list;
}

test('property: rereading shows the current jobs', async () => {
  await fc.assert(
    fc.asyncProperty(world, fc.nat(8), async (given, pages) => {
      const source = service({ ...given, events: [] });
      const pager = new JobPager(source);
      const query = question(given.asked);
      let list = await pager.first(query, given.limit);
      for (let page = 0; list.hasMore && page < pages; page++) list = await pager.next(query, list, given.limit);
      const again = await pager.again(query, list, limits(given.limit));
      const all = await readWhole(pager, query, given.limit);
      assert.ok(again.received >= list.received);
      assert.deepEqual(idsOf(again.jobs.entries), idsOf(all.jobs.entries).slice(0, again.received));
    }),
    { numRuns: propertyRuns },
  );
});

test('property: a refresh shows the current jobs, even if responses were too large while the list moved', async () => {
  // A list of finished and unfinished jobs may be sorted by completion, so its rows are never proved to stay in place.
  const sorted = fc.record({ given: world, asked: status }).map(({ given, asked }) => ({ ...given, asked }));
  const isTooLarge = fc.array(fc.boolean(), { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(sorted, isTooLarge, fc.array(fc.nat(2), { maxLength: 8 }), async (given, tooLarge, steps) => {
      const source = service({ ...given, jobs: 3 * given.jobs, clamp: undefined });
      let request = 0;
      const reader = fakeReader(async (endpoint, params, signal) => {
        if (params.limit !== 1 && tooLarge[request++] === true) throw new Failure('tooLarge');
        return source.answer(endpoint, params, signal);
      });
      const pager = new JobPager(reader);
      const query = question(given.asked);
      const page = given.limit + 4;
      const limits = { page, max: 100 };
      let list = await pager.first(query, page);
      for (const step of steps) {
        if (step === 0 && list.hasMore) list = await pager.next(query, list, page);
        else list = step === 1 ? await pager.head(query, list, limits) : await pager.again(query, list, limits);
      }
      // Jobs that arrive and leave at once can look like a service with an unreliable `next`. Then no end is trusted.
      fc.pre(!reader.traits.nextIsUnreliable);
      request = tooLarge.length;
      source.rest();
      for (let time = 0; time < 10; time++) list = await pager.again(query, list, limits);
      const listed = idsOf(list.jobs.entries);
      assert.equal(list.moved, false);
      assert.deepEqual(listed, idsOf((await readWhole(pager, query, 100)).jobs.entries).slice(0, listed.length));
    }),
    { numRuns: propertyRuns },
  );
});
