import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../../../src/domain/failure.ts';
import type { Job, ListEntry } from '../../../../src/domain/jobs/job.ts';
import { JobList } from '../../../../src/domain/jobs/jobList.ts';
import type { ListParams, ListQuery } from '../../../../src/domain/jobs/listParams.ts';
import { JobPager } from '../../../../src/service/list/jobPager.ts';
import { readAll } from '../../../../src/service/list/readAll.ts';
import { pagesAtOnce } from '../../../../src/service/list/pagesAhead.ts';
import type { ListPage, PageSource } from '../../../../src/service/ports.ts';
import { bareJob } from '../../../support/builders/bareJob.ts';
import { listedJob } from '../../../support/builders/listedJob.ts';
import { MovingList } from '../../../support/movingList/movingList.ts';

const question: ListQuery = { endpoint: 'live', params: {} };
const unreadable: ListEntry = { type: 'unreadable', raw: 'null' };

/** A source that answers each request by its parameters and remembers them. */
function answering(answer: (params: ListParams, index: number) => Partial<ListPage>) {
  const asked: ListParams[] = [];
  const source: PageSource = {
    listJobs: (_endpoint, params) => {
      asked.push(params);
      const page = { entries: [], hasMore: false, serviceDateMs: undefined, deviations: [] };
      return Promise.resolve({ ...page, ...answer(params, asked.length - 1) });
    },
  };
  return { source, asked, pager: new JobPager(source) };
}

function jobs(from: number, to: number): ListEntry[] {
  return Array.from({ length: to - from }, (_, index) => listedJob({ id: `j${from + index}` }));
}

function ids(entries: readonly ListEntry[]): string[] {
  return entries.map((entry) => (entry.type === 'job' ? entry.id : entry.raw));
}

/** Jobs created a second apart, the newest first, each completed a minute after its creation. */
function dated(count: number): Job[] {
  return Array.from({ length: count }, (_, index) => {
    const createdAtMs = Date.UTC(2026, 10, 20, 12) - index * 1000;
    return bareJob({ id: `j${index}`, createdAtMs, completedAtMs: createdAtMs + 60_000 });
  });
}

const allDone: ListQuery = { endpoint: 'live', params: { statuses: ['done'] } };

/** A service whose `before_date` leaves out what it will. */
function bounding(all: readonly Job[], keeps: (job: Job, beforeMs: number) => boolean, serviceDateMs?: number) {
  return answering(({ offset = 0, limit = 0, beforeDate }) => {
    const kept = beforeDate === undefined ? all : all.filter((job) => keeps(job, Date.parse(beforeDate)));
    return {
      entries: kept.slice(offset, offset + limit),
      hasMore: offset + limit < kept.length,
      serviceDateMs,
    };
  });
}

test('the pin is taken from the newest job, rounded up to the next second, and not from Date', async () => {
  const { pager, asked } = bounding(
    dated(30),
    ({ createdAtMs = 0 }, beforeMs) => createdAtMs < beforeMs,
    Date.UTC(2020, 0),
  );
  const list = await pager.first(allDone, 10);
  assert.deepEqual(list.pin, { before: '2026-11-20T12:00:01.000Z', isProved: false });
  const longer = await pager.next(allDone, list, 10);
  assert.deepEqual(longer.pin, { before: '2026-11-20T12:00:01.000Z', isProved: true });
  assert.equal(asked.length, 2);
  assert.equal(asked[1]?.beforeDate, '2026-11-20T12:00:01.000Z');
});

for (const [what, keeps] of [
  [
    'counts whole days',
    ({ createdAtMs = 0 }, beforeMs) => createdAtMs < Math.floor(beforeMs / 86_400_000) * 86_400_000,
  ],
  ['is about completion', ({ completedAtMs = 0 }, beforeMs) => completedAtMs < beforeMs],
  ['lets nothing through', () => false],
  ['is an hour late', ({ createdAtMs = 0 }, beforeMs) => createdAtMs < beforeMs - 3_600_000],
] as const satisfies readonly (readonly [string, (job: Job, beforeMs: number) => boolean])[]) {
  test(`a service whose before_date ${what} loses no job: the pin is dropped`, async () => {
    const { pager, asked } = bounding(dated(2000), keeps);
    let list = await pager.first(allDone, 20);
    while (list.hasMore) list = await pager.next(allDone, list, 100);
    assert.equal(list.jobs.entries.length, 2000);
    assert.equal(list.isComplete, true);
    assert.equal(list.pin, undefined);
    assert.equal(asked.filter(({ beforeDate }) => beforeDate !== undefined).length, 1);
  });
}

test('a service that refuses before_date is read without it', async () => {
  const all = dated(50);
  const { pager } = bounding(all, () => {
    throw new Failure('rejected', { status: 400 });
  });
  let list = await pager.first(allDone, 20);
  while (list.hasMore) list = await pager.next(allDone, list, 20);
  assert.deepEqual([list.jobs.entries.length, list.isComplete], [50, true]);
});

test('without times of creation there is no pin', async () => {
  const { pager, asked } = answering(({ offset = 0 }) => ({
    entries: Array.from({ length: 5 }, (_, index) => bareJob({ id: `j${offset + index}` })),
    hasMore: true,
    serviceDateMs: Date.UTC(2026, 10, 20),
  }));
  await pager.next(question, await pager.first(question, 5), 5);
  assert.deepEqual(asked[1], { offset: 4, limit: 5 });
});

test('a limit that the service lowers costs more pages and no job', async () => {
  const source = new MovingList({ jobs: 23, status: () => 'done', clamp: 4 });
  const pager = new JobPager(source);
  let list = await pager.first(question, 10);
  while (list.hasMore) list = await pager.next(question, list, 10);
  assert.equal(list.jobs.entries.length, 23);
  assert.deepEqual(
    source.asked.slice(0, 3).map(({ offset }) => offset),
    [0, 3, 6],
  );
});

test('even one item at a time leads to the end', async () => {
  const source = new MovingList({ jobs: 5, status: () => 'done', clamp: 1 });
  const pager = new JobPager(source);
  let list = await pager.first(question, 10);
  while (list.hasMore) list = await pager.next(question, list, 10);
  assert.deepEqual(ids(list.jobs.entries), ['j4', 'j3', 'j2', 'j1', 'j0']);
  assert.equal(list.stuck, false);
});

test('a service that ignores the offset ends the list with a notice, not in a loop', async () => {
  const { pager, asked, source } = answering(() => ({ entries: jobs(0, 5), hasMore: true }));
  const list = await pager.next(question, await pager.first(question, 5), 5);
  assert.equal(list.stuck, true);
  assert.equal(list.hasMore, false);
  assert.deepEqual(ids(list.jobs.entries), ids(jobs(0, 5)));
  assert.ok(asked.length < 8, `${asked.length} requests`);
  const batches = [];
  for await (const batch of readAll(source, question, { limit: 5 })) batches.push(batch);
  assert.equal(batches.at(-1)?.endedBy, 'stuck');
  assert.deepEqual(ids(batches.flatMap(({ entries }) => entries)), ids(jobs(0, 5)));
});

test('a job between two identical unreadable items is not lost when the first of them leaves its place', async () => {
  const [a, b, c, d] = dated(4) as [Job, Job, Job, Job];
  let all: readonly ListEntry[] = [a, b, unreadable, c, unreadable, d];
  const { pager } = answering(({ offset = 0, limit = 0 }) => ({
    entries: all.slice(offset, offset + limit),
    hasMore: offset + limit < all.length,
  }));
  let list = await pager.first(allDone, 3);
  all = all.slice(2);
  while (list.hasMore) list = await pager.next(allDone, list, 3);
  assert.ok(ids(list.jobs.entries).includes(c.id));
  assert.ok(ids(list.jobs.entries).includes(d.id));
});

test('what stands behind a page that stays empty is read, and the list is not called complete', async () => {
  const all = dated(50);
  const { pager } = answering(({ offset = 0, limit = 0 }) => {
    const page = all.slice(offset, offset + limit);
    return { entries: offset >= 19 && offset < 30 ? [] : page, hasMore: offset + limit < all.length };
  });
  let list = await pager.first(allDone, 20);
  for (let page = 0; list.hasMore && page < 20; page++) list = await pager.next(allDone, list, 20);
  assert.ok(ids(list.jobs.entries).includes('j49'));
  assert.equal(list.isComplete, false);
});

test('an end that is said too early is not believed', async () => {
  const all = dated(50);
  const { pager } = answering(({ offset = 0, limit = 0 }) => ({ entries: all.slice(offset, offset + limit) }));
  let list = await pager.first(allDone, 10);
  for (let page = 0; list.hasMore && page < 20; page++) list = await pager.next(allDone, list, 10);
  assert.deepEqual([list.jobs.entries.length, list.isComplete], [50, false]);
});

test('an order that may change with the jobs is not enough to call what was read complete', async () => {
  const mixed = dated(30).map((job, index) =>
    index === 29 ? { ...job, status: 'processing', completedAtMs: undefined } : job,
  );
  const { pager } = answering(({ offset = 0, limit = 0 }) => ({
    entries: mixed.slice(offset, offset + limit),
    hasMore: offset + limit < mixed.length,
  }));
  let list = await pager.first(question, 10);
  while (list.hasMore) list = await pager.next(question, list, 10);
  assert.deepEqual([list.jobs.entries.length, list.isComplete], [30, false]);
  assert.equal((await pager.first(question, 50)).isComplete, true, 'one answer shows one moment');
});

test('an empty page with more to come is an end with a notice', async () => {
  const empty = answering(() => ({ entries: [], hasMore: true }));
  assert.equal((await empty.pager.first(question, 5)).stuck, true);
  const later = answering((_params, index) =>
    index === 0 ? { entries: jobs(0, 5), hasMore: true } : { hasMore: true },
  );
  const list = await later.pager.next(question, await later.pager.first(question, 5), 5);
  assert.equal(list.stuck, true);
  assert.equal(list.jobs.entries.length, 5);
});

test('unreadable items count as received and are listed as often as they come', async () => {
  const all = [...jobs(0, 3), unreadable, unreadable, unreadable, ...jobs(3, 6)];
  const { pager } = answering(({ offset = 0, limit = 0 }) => ({
    entries: all.slice(offset, offset + limit),
    hasMore: offset + limit < all.length,
  }));
  let list = await pager.first(question, 4);
  while (list.hasMore) list = await pager.next(question, list, 4);
  assert.deepEqual(ids(list.jobs.entries), ids(all));
});

test('jobs of two kinds with one id are two jobs', async () => {
  const twins = [listedJob({ id: 'x' }), listedJob({ id: 'x', kind: 'pre-recorded' })];
  const { pager } = answering(() => ({ entries: twins }));
  assert.equal((await pager.first(question, 5)).jobs.entries.length, 2);
});

test('the top of a list is brought up to date by one request, below it nothing moves', async () => {
  const source = new MovingList({ jobs: 30, status: () => 'done' });
  const pager = new JobPager(source);
  let list = await pager.first(allDone, 10);
  list = await pager.next(allDone, list, 10);
  source.apply({ type: 'arrive', status: 'done' });
  source.apply({ type: 'leave', place: 3 });
  source.asked.length = 0;
  const fresh = await pager.head(allDone, list, { page: 10, most: 100 });
  assert.equal(source.asked.length, 1);
  assert.deepEqual(ids(fresh.jobs.entries), ['j30', 'j29', 'j28', ...ids(list.jobs.entries).slice(3)]);
  const longer = await pager.next(allDone, fresh, 10);
  assert.equal(new Set(ids(longer.jobs.entries)).size, longer.jobs.entries.length);
  assert.ok(ids(longer.jobs.entries).includes('j5'));
});

test('unreadable items stay as many as they are, wherever the top of the list ends', async () => {
  const [a, b, c, d] = jobs(0, 4) as [ListEntry, ListEntry, ListEntry, ListEntry];
  const other: ListEntry = { type: 'unreadable', raw: '{}' };
  const all = [unreadable, a, unreadable, unreadable, other, b, c, other, unreadable, d, unreadable];
  const { pager } = answering(({ offset = 0, limit = 0 }) => ({
    entries: all.slice(offset, offset + limit),
    hasMore: offset + limit < all.length,
  }));
  for (let limit = 2; limit <= all.length; limit++) {
    let list = await pager.first(question, 5);
    while (list.hasMore) list = await pager.next(question, list, 5);
    const { received } = list;
    for (let looks = 0; looks < 3; looks++) list = await pager.head(question, list, { page: limit, most: 100 });
    assert.deepEqual(ids(list.jobs.entries), ids(all), `a top of ${limit}`);
    assert.equal(list.received, received);
  }
});

test('an excerpt from the middle of a list brings its unreadable items once', () => {
  const [a, b, c, d] = jobs(0, 4) as [ListEntry, ListEntry, ListEntry, ListEntry];
  const all = [a, unreadable, b, c, unreadable, unreadable, d];
  const list = JobList.of(all);
  for (const [from, to] of [
    [1, 5],
    [1, 6],
    [2, 4],
  ] as const) {
    assert.deepEqual(ids(list.overlay(all.slice(from, to), false).entries), ids(all));
  }
});

test('pages are in flight at once, one after a 429', async () => {
  let inFlight = 0;
  let most = 0;
  const all = jobs(0, 400);
  const read = async (slowDown: boolean): Promise<number> => {
    most = 0;
    const source: PageSource = {
      listJobs: async (_endpoint, { offset = 0, limit = 0 }) => {
        most = Math.max(most, ++inFlight);
        await new Promise((resolve) => setImmediate(resolve));
        inFlight--;
        const entries = all.slice(offset, offset + limit);
        return { entries, hasMore: offset + limit < all.length, serviceDateMs: undefined, deviations: [], slowDown };
      },
    };
    const seen: string[] = [];
    let counted = 0;
    for await (const { entries } of readAll(source, question, { limit: 20 })) {
      seen.push(...ids(entries));
      // What was in flight when the service asked to slow down still comes; after that it is one at a time.
      if (++counted === 8) most = 0;
    }
    assert.deepEqual(seen, ids(all));
    return most;
  };
  assert.equal(await read(false), pagesAtOnce);
  assert.equal(await read(true), 1);
});

test('reading all breaks off when it is told to', async () => {
  const stop = new AbortController();
  const source = new MovingList({ jobs: 500, status: () => 'done' });
  const reading = async (): Promise<void> => {
    for await (const _batch of readAll(source, question, { limit: 20, signal: stop.signal })) stop.abort();
  };
  await assert.rejects(reading());
  assert.ok(source.asked.length <= 2, `${source.asked.length} requests`);
});
