import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../../../../src/base/failure.ts';
import type { Job, ListEntry } from '../../../../../src/jobs/common/job.ts';
import { JobList } from '../../../../../src/jobs/common/jobList.ts';
import type { ListParams, ListQuery } from '../../../../../src/jobs/common/listParams.ts';
import { JobPager } from '../../../../../src/jobs/node/list/jobPager.ts';
import { ServiceTraits } from '../../../../../src/jobs/node/list/serviceTraits.ts';
import { readAll } from '../../../../../src/jobs/node/list/readAll.ts';
import { pagesAtOnce } from '../../../../../src/jobs/node/list/pagesAhead.ts';
import type { ListPage } from '../../../../../src/jobs/common/decodePage.ts';
import { bareJob } from '../../../../support/builders/bareJob.ts';
import { listedJob } from '../../../../support/builders/listedJob.ts';
import { MovingList } from '../../../../support/movingList/movingList.ts';
import { fakeReader } from '../../../../support/lists/fakeLists.ts';

const question: ListQuery = { endpoint: 'live', params: {} };
const unreadable: ListEntry = { type: 'unreadable', raw: 'null' };

/** A source that computes each page from the request's parameters and records the requests. */
function answering(
  answer: (params: ListParams, index: number) => Partial<ListPage>,
  traits: ServiceTraits = new ServiceTraits(),
) {
  const asked: ListParams[] = [];
  const source = fakeReader((_endpoint, params) => {
    asked.push(params);
    const page = { entries: [], hasMore: false, serviceDateMs: undefined, deviations: [] };
    return Promise.resolve({ ...page, ...answer(params, asked.length - 1) });
  }, traits);
  return { source, asked, pager: new JobPager(source) };
}

function jobs(from: number, to: number): ListEntry[] {
  return Array.from({ length: to - from }, (_, index) => listedJob({ id: `j${from + index}` }));
}

function ids(entries: readonly ListEntry[]): string[] {
  return entries.map((entry) => (entry.type === 'job' ? entry.id : entry.raw));
}

/** Jobs created a second apart, newest first, each completed one to two minutes after its creation. */
function dated(count: number): Job[] {
  return Array.from({ length: count }, (_, index) => {
    const createdAtMs = Date.UTC(2026, 10, 20, 12) - index * 1000;
    return bareJob({ id: `j${index}`, createdAtMs, completedAtMs: createdAtMs + 60_000 + ((index * 37) % 60) * 1000 });
  });
}

const allDone: ListQuery = { endpoint: 'live', params: { statuses: ['done'] } };

/** Traits of a service whose `before_date` is known to refer to creation. */
function dating(): ServiceTraits {
  return Object.assign(new ServiceTraits(), { datesAreOfCreation: true });
}

/** A service whose `before_date` filters by `keeps`, although it was known to refer to creation. */
function bounding(
  all: readonly Job[],
  keeps: (job: Job, beforeMs: number) => boolean,
  { traits = dating(), serviceDateMs }: { readonly traits?: ServiceTraits; readonly serviceDateMs?: number } = {},
) {
  return answering(({ offset = 0, limit = 0, beforeDate }) => {
    const kept = beforeDate === undefined ? all : all.filter((job) => keeps(job, Date.parse(beforeDate)));
    return {
      entries: kept.slice(offset, offset + limit),
      hasMore: offset + limit < kept.length,
      serviceDateMs,
    };
  }, traits);
}

test('the pin is taken from the newest job, rounded up to the next second, and not from Date', async () => {
  const { pager, asked } = bounding(dated(30), ({ createdAtMs = 0 }, beforeMs) => createdAtMs < beforeMs, {
    serviceDateMs: Date.UTC(2020, 0),
  });
  const list = await pager.first(allDone, 10);
  assert.deepEqual(list.pin, { before: '2026-11-20T12:00:01.000Z', isProved: false });
  const longer = await pager.next(allDone, list, 10);
  assert.deepEqual(longer.pin, { before: '2026-11-20T12:00:01.000Z', isProved: true });
  assert.equal(asked.length, 2);
  assert.equal(asked[1]?.beforeDate, '2026-11-20T12:00:01.000Z');
});

const byCreation = ({ createdAtMs = 0 }: Job, beforeMs: number): boolean => createdAtMs < beforeMs;

test('there is no pin until unfinished jobs show that before_date refers to creation', async () => {
  const traits = new ServiceTraits();
  const finished = bounding(dated(30), byCreation, { traits });
  assert.equal((await finished.pager.first(allDone, 10)).pin, undefined);
  const first = bareJob({ id: 'new', status: 'queued', createdAtMs: Date.UTC(2026, 10, 20, 12, 1) });
  const { pager, asked } = bounding([first, ...dated(30)], byCreation, { traits });
  const list = await pager.next(question, await pager.first(question, 10), 10);
  assert.equal(list.pin?.isProved, true);
  // The second page has no unfinished job, so the first one is requested with the pin, too.
  assert.deepEqual(
    asked.map(({ offset, beforeDate }) => [offset, beforeDate !== undefined]),
    [
      [0, false],
      [9, true],
      [0, true],
    ],
  );
  assert.notEqual((await finished.pager.first(allDone, 10)).pin, undefined);
});

test('a pin is dropped if before_date turns out to refer to completion, even if pages are cut before filtering', async () => {
  const waiting = new Set([2, 25]);
  const all = dated(40).map((job, index) =>
    waiting.has(index) ? bareJob({ id: job.id, status: 'queued', createdAtMs: job.createdAtMs ?? 0 }) : job,
  );
  const { pager } = answering(({ offset = 0, limit = 0, beforeDate }) => ({
    entries: all
      .slice(offset, offset + limit)
      .filter(({ completedAtMs = Infinity }) => beforeDate === undefined || completedAtMs < Date.parse(beforeDate)),
    hasMore: offset + limit < all.length,
  }));
  let list = await pager.first(question, 10);
  assert.notEqual(list.pin, undefined);
  while (list.hasMore) list = await pager.next(question, list, 10);
  assert.equal(list.pin, undefined);
  assert.deepEqual(ids(list.jobs.entries), ids(all));
});

for (const [what, keeps] of [
  [
    'counts whole days',
    ({ createdAtMs = 0 }, beforeMs) => createdAtMs < Math.floor(beforeMs / 86_400_000) * 86_400_000,
  ],
  ['refers to completion', ({ completedAtMs = 0 }, beforeMs) => completedAtMs < beforeMs],
  ['matches nothing', () => false],
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

test('a list in order of completion has no pin, which would hide jobs', async () => {
  const byCompletion = dated(60).map((job) => ({ ...job, completedAtMs: (job.createdAtMs ?? 0) + 60_000 }));
  // Created last, and completed at once.
  const quick = bareJob({
    id: 'quick',
    createdAtMs: Date.UTC(2026, 10, 20, 12, 0, 30),
    completedAtMs: (byCompletion[30]?.completedAtMs ?? 0) + 1,
  });
  const all = [...byCompletion.slice(0, 30), quick, ...byCompletion.slice(30)];
  const { pager, asked } = bounding(all, ({ createdAtMs = 0 }, beforeMs) => createdAtMs < beforeMs);
  let list = await pager.first(allDone, 20);
  while (list.hasMore) list = await pager.next(allDone, list, 20);
  assert.deepEqual(ids(list.jobs.entries), ids(all));
  assert.ok(asked.every(({ beforeDate }) => beforeDate === undefined));
});

test('a few jobs in order by chance do not lead to a pin', async () => {
  const [a, b, c, d, e, f] = dated(6).map((job, index) => ({
    ...job,
    completedAtMs: (job.createdAtMs ?? 0) + (index % 2) * 60_000 + 60_000,
  })) as [Job, Job, Job, Job, Job, Job];
  const all = [b, c, d, e, a, f];
  const { pager } = bounding(all, ({ createdAtMs = 0 }, beforeMs) => createdAtMs < beforeMs);
  let list = await pager.first(allDone, 3);
  while (list.hasMore) list = await pager.next(allDone, list, 3);
  assert.deepEqual(ids(list.jobs.entries), ids(all));
});

test('a pin is dropped if the order of the list ends, and the list is not complete', async () => {
  const all = dated(60);
  const late = bareJob({ id: 'late', createdAtMs: Date.UTC(2026, 10, 20, 13) });
  const early = bareJob({ id: 'early', createdAtMs: Date.UTC(2026, 10, 19) });
  const mixed = [...all.slice(0, 40), early, late, ...all.slice(40)];
  const { pager, asked } = bounding(mixed, ({ createdAtMs = 0 }, beforeMs) => createdAtMs < beforeMs);
  let list = await pager.first(allDone, 20);
  while (list.hasMore) list = await pager.next(allDone, list, 20);
  assert.equal(list.isComplete, false);
  assert.deepEqual(
    asked.map(({ beforeDate }) => beforeDate !== undefined),
    [false, true, true, false],
  );
});

test('a service that rejects before_date is read without it', async () => {
  const all = dated(50);
  const { pager } = bounding(all, () => {
    throw new Failure('rejected', { status: 400 });
  });
  let list = await pager.first(allDone, 20);
  while (list.hasMore) list = await pager.next(allDone, list, 20);
  assert.deepEqual([list.jobs.entries.length, list.isComplete], [50, true]);
});

test('without creation times there is no pin', async () => {
  const { pager, asked } = answering(({ offset = 0 }) => ({
    entries: Array.from({ length: 5 }, (_, index) => bareJob({ id: `j${offset + index}` })),
    hasMore: true,
    serviceDateMs: Date.UTC(2026, 10, 20),
  }));
  await pager.next(question, await pager.first(question, 5), 5);
  assert.deepEqual(asked[1], { offset: 4, limit: 5 });
});

test('a limit that the service lowers leads to more pages, and no job is lost', async () => {
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

test('a list is read to its end even with one item per page', async () => {
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

for (const leavers of [2, 3]) {
  test(`a job between two identical unreadable items is not lost if ${leavers} items above it leave`, async () => {
    const [a, b, c, d] = dated(4) as [Job, Job, Job, Job];
    let all: readonly ListEntry[] = [a, b, unreadable, c, unreadable, d];
    const { pager } = answering(({ offset = 0, limit = 0 }) => ({
      entries: all.slice(offset, offset + limit),
      hasMore: offset + limit < all.length,
    }));
    let list = await pager.first(allDone, 3);
    all = all.slice(leavers);
    while (list.hasMore) list = await pager.next(allDone, list, 3);
    assert.ok(ids(list.jobs.entries).includes(c.id));
    assert.ok(ids(list.jobs.entries).includes(d.id));
  });
}

test('jobs after an empty page are read, and the list is not marked as complete', async () => {
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

test('an end that is announced too early is not trusted', async () => {
  const all = dated(50);
  const { pager } = answering(({ offset = 0, limit = 0 }) => ({ entries: all.slice(offset, offset + limit) }));
  let list = await pager.first(allDone, 10);
  for (let page = 0; list.hasMore && page < 20; page++) list = await pager.next(allDone, list, 10);
  assert.deepEqual([list.jobs.entries.length, list.isComplete], [50, false]);
});

test('a list whose order may change with its jobs is not marked as complete', async () => {
  const mixed = dated(30).map((job, index) =>
    index === 29
      ? { ...job, status: 'processing', completedAtMs: undefined }
      : { ...job, completedAtMs: (job.createdAtMs ?? 0) + 60_000 },
  );
  const { pager } = answering(({ offset = 0, limit = 0 }) => ({
    entries: mixed.slice(offset, offset + limit),
    hasMore: offset + limit < mixed.length,
  }));
  let list = await pager.first(question, 10);
  while (list.hasMore) list = await pager.next(question, list, 10);
  assert.deepEqual([list.jobs.entries.length, list.isComplete], [30, false]);
  assert.equal((await pager.first(question, 50)).isComplete, true, 'one response shows one moment');
});

test('an empty page that announces more ends the list with a notice', async () => {
  const empty = answering(() => ({ entries: [], hasMore: true }));
  assert.equal((await empty.pager.first(question, 5)).stuck, true);
  const later = answering((_params, index) =>
    index === 0 ? { entries: jobs(0, 5), hasMore: true } : { hasMore: true },
  );
  const list = await later.pager.next(question, await later.pager.first(question, 5), 5);
  assert.equal(list.stuck, true);
  assert.equal(list.jobs.entries.length, 5);
});

test('unreadable items count as received, and each is listed', async () => {
  const all = [...jobs(0, 3), unreadable, unreadable, unreadable, ...jobs(3, 6)];
  const { pager } = answering(({ offset = 0, limit = 0 }) => ({
    entries: all.slice(offset, offset + limit),
    hasMore: offset + limit < all.length,
  }));
  let list = await pager.first(question, 4);
  while (list.hasMore) list = await pager.next(question, list, 4);
  assert.deepEqual(ids(list.jobs.entries), ids(all));
});

test('jobs of two kinds with one ID are two jobs', async () => {
  const twins = [listedJob({ id: 'x' }), listedJob({ id: 'x', kind: 'pre-recorded' })];
  const { pager } = answering(() => ({ entries: twins }));
  assert.equal((await pager.first(question, 5)).jobs.entries.length, 2);
});

test('one request updates the top of a list, and nothing below it moves', async () => {
  const source = new MovingList({ jobs: 30, status: () => 'done' });
  const pager = new JobPager(source);
  let list = await pager.first(allDone, 10);
  list = await pager.next(allDone, list, 10);
  source.apply({ type: 'arrive', status: 'done' });
  source.apply({ type: 'leave', place: 3 });
  source.asked.length = 0;
  const fresh = await pager.head(allDone, list, { page: 10, max: 100 });
  assert.equal(source.asked.length, 1);
  assert.deepEqual(ids(fresh.jobs.entries), ['j30', 'j29', 'j28', ...ids(list.jobs.entries).slice(3)]);
  const longer = await pager.next(allDone, fresh, 10);
  assert.equal(new Set(ids(longer.jobs.entries)).size, longer.jobs.entries.length);
  assert.ok(ids(longer.jobs.entries).includes('j5'));
});

test('a job that arrives above a list with a pin does not move later pages', async () => {
  const all = dated(30);
  const { pager, asked } = bounding(all, byCreation);
  let list = await pager.first(allDone, 10);
  list = await pager.next(allDone, list, 10);
  const { received } = list;
  assert.notEqual(list.pin, undefined);
  const createdAtMs = Date.UTC(2026, 10, 20, 12, 0, 30);
  all.unshift(...['new', 'newer'].map((id) => bareJob({ id, createdAtMs, completedAtMs: createdAtMs })));
  list = await pager.head(allDone, list, { page: 10, max: 100 });
  assert.deepEqual(ids(list.jobs.entries).slice(0, 3), ['new', 'newer', 'j0']);
  assert.equal(list.received, received);
  asked.length = 0;
  list = await pager.next(allDone, list, 10);
  assert.deepEqual(
    asked.map(({ offset }) => offset),
    [received - 1],
  );
  assert.deepEqual(ids(list.jobs.entries), ids(all).slice(0, list.jobs.entries.length));
});

test('the number of unreadable items stays the same, wherever the top of the list ends', async () => {
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
    for (let looks = 0; looks < 3; looks++) list = await pager.head(question, list, { page: limit, max: 100 });
    assert.deepEqual(ids(list.jobs.entries), ids(all), `a top of ${limit}`);
    assert.equal(list.received, received);
  }
});

test('an excerpt from the middle of a list does not duplicate its unreadable items', () => {
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

test('several pages are requested at once, but only one after a 429', async () => {
  let inFlight = 0;
  let max = 0;
  const all = jobs(0, 400);
  const read = async (slowDown: boolean): Promise<number> => {
    max = 0;
    const source = fakeReader(async (_endpoint, { offset = 0, limit = 0 }) => {
      max = Math.max(max, ++inFlight);
      await new Promise((resolve) => setImmediate(resolve));
      inFlight--;
      const entries = all.slice(offset, offset + limit);
      return { entries, hasMore: offset + limit < all.length, serviceDateMs: undefined, deviations: [], slowDown };
    });
    const seen: string[] = [];
    let counted = 0;
    for await (const { entries } of readAll(source, question, { limit: 20 })) {
      seen.push(...ids(entries));
      // Requests in flight when the service asked to slow down still finish; after that there is one at a time.
      if (++counted === 8) max = 0;
    }
    assert.deepEqual(seen, ids(all));
    return max;
  };
  assert.equal(await read(false), pagesAtOnce);
  assert.equal(await read(true), 1);
});

test('reading all stops when it is cancelled', async () => {
  const stop = new AbortController();
  const source = new MovingList({ jobs: 500, status: () => 'done' });
  const reading = async (): Promise<void> => {
    for await (const _batch of readAll(source, question, { limit: 20, signal: stop.signal })) stop.abort();
  };
  await assert.rejects(reading());
  assert.ok(source.asked.length <= 2, `${source.asked.length} requests`);
});

/** A correct service with `count` jobs, or one whose `next` is null on a full page although there are more. */
function full(count: number, said = count) {
  const all = dated(count);
  return answering(({ offset = 0, limit = 0 }) => ({
    entries: all.slice(offset, offset + limit),
    hasMore: offset + limit < said,
  }));
}

test('a full first page marked as the last takes one request, and is confirmed as the end by another', async () => {
  const { pager, asked } = full(20);
  const opened = await pager.first(allDone, 20);
  assert.deepEqual([asked.length, opened.hasMore, opened.isComplete], [1, true, false]);
  const proved = await pager.next(allDone, opened, 20);
  assert.deepEqual([asked.length, proved.hasMore, proved.isComplete, proved.stuck], [2, false, true, false]);
  assert.equal(proved.jobs.entries.length, 20);
});

test('a service that was right about its end is trusted at first, and checked when all is read', async () => {
  const { pager, asked } = full(20);
  await pager.next(allDone, await pager.first(allDone, 20), 20);
  const again = await pager.first(allDone, 20);
  assert.deepEqual([asked.length, again.hasMore, again.isComplete], [3, false, true]);
  const read = [];
  for await (const list of pager.rest(allDone, again, 20, new AbortController().signal)) read.push(list);
  // One request checks the end, and one looks for older jobs.
  assert.deepEqual([asked.length, read.at(-1)?.isComplete, read.at(-1)?.hasMore], [5, true, false]);
});

test('reading continues after a full first page that is wrongly marked as the last', async () => {
  const { pager } = full(30, 20);
  let list = await pager.first(allDone, 20);
  list = await pager.next(allDone, list, 20);
  assert.equal(list.jobs.entries.length, 30);
});

test('reading all of a list of one page takes one request to check its end and one for older jobs', async () => {
  const { source, asked } = full(20);
  const batches = [];
  for await (const batch of readAll(source, allDone, { limit: 20 })) batches.push(batch);
  assert.deepEqual([asked.length, batches.at(-1)?.endedBy], [3, undefined]);
});

test('loaded jobs stay if the list is reread and one of its pages is empty', async () => {
  const all = dated(100);
  let hasHole = false;
  const { pager } = answering(({ offset = 0, limit = 0 }) => {
    const page = all.slice(offset, offset + limit);
    return { entries: hasHole && offset > 0 ? [] : page, hasMore: offset + limit < all.length };
  });
  let list = await pager.first(allDone, 20);
  for (let page = 0; page < 3; page++) list = await pager.next(allDone, list, 20);
  const loaded = ids(list.jobs.entries);
  hasHole = true;
  const again = await pager.again(allDone, list, { page: 20, max: 20 });
  assert.deepEqual(
    loaded.filter((id) => !ids(again.jobs.entries).includes(id)),
    [],
  );
  assert.equal(again.isComplete, false);
});

test('jobs that arrive above while a list is read do not mark it as moved, and do not hide its end', async () => {
  const all = dated(39).map((job) => ({ ...job, completedAtMs: (job.createdAtMs ?? 0) + 60_000 }));
  let arrived: readonly Job[] = [];
  const { pager, asked } = answering(({ offset = 0, limit = 0 }, index) => {
    const createdAtMs = Date.UTC(2026, 10, 20, 13) + index;
    arrived = [bareJob({ id: `new${index}`, createdAtMs, completedAtMs: createdAtMs + 60_000 }), ...arrived];
    const now = [...arrived, ...all];
    return { entries: now.slice(offset, offset + limit), hasMore: offset + limit < now.length };
  });
  let list = await pager.first(allDone, 21);
  while (list.hasMore) list = await pager.next(allDone, list, 21);
  assert.deepEqual([list.moved, list.stuck, list.isComplete], [false, false, true]);
  assert.deepEqual(ids(list.jobs.entries), ['new0', ...ids(all)]);
  assert.ok(asked.length <= 4, `${asked.length} requests`);
});

test('rereading a list in doubt removes only jobs that have left, and clears its notice', async () => {
  const all = dated(60);
  let now: readonly Job[] = all;
  const { pager, asked } = answering(({ offset = 0, limit = 0, beforeDate }) => {
    const before = now.filter(
      ({ createdAtMs = 0 }) => beforeDate === undefined || createdAtMs < Date.parse(beforeDate),
    );
    return { entries: before.slice(offset, offset + limit), hasMore: offset + limit < before.length };
  }, dating());
  const loaded = await pager.first(allDone, 20);
  const gone = new Set(['j2', 'j9', 'j10']);
  const createdAtMs = Date.UTC(2026, 10, 20, 13);
  const added = ['x', 'y'].map((id) => bareJob({ id, createdAtMs, completedAtMs: createdAtMs + 60_000 }));
  now = [...added, ...all.filter(({ id }) => !gone.has(id))];
  const before = asked.length;
  const again = await pager.again(
    allDone,
    { ...loaded, isContiguous: false, isInPlace: false },
    { page: 20, max: 100 },
  );
  const shown = ids(again.jobs.entries);
  assert.deepEqual(shown, ids(now).slice(0, shown.length));
  assert.ok(shown.includes('j19'), shown.join());
  assert.deepEqual([again.isContiguous, again.isInPlace, again.moved], [true, true, false]);
  assert.ok(asked.length - before <= 2, `${asked.length - before} requests`);
});

test('after rereading, Load More continues below the loaded jobs that were not reread', async () => {
  const all = dated(60);
  let now: readonly Job[] = all;
  const { pager, asked } = answering(({ offset = 0, limit = 0 }) => ({
    entries: now.slice(offset, offset + limit),
    hasMore: offset + limit < now.length,
  }));
  const loaded = await pager.first(allDone, 20);
  const createdAtMs = Date.UTC(2026, 10, 20, 13);
  const added = Array.from({ length: 10 }, (_, index) =>
    bareJob({ id: `new${index}`, createdAtMs: createdAtMs - index * 1000, completedAtMs: createdAtMs + index * 1000 }),
  );
  now = [...added, ...all];
  const again = await pager.again(allDone, loaded, { page: 20, max: 100 });
  assert.deepEqual(ids(again.jobs.entries), ids(now.slice(0, 30)));
  const before = asked.length;
  const longer = await pager.next(allDone, again, 20);
  assert.deepEqual(ids(longer.jobs.entries), ids(now.slice(0, 49)));
  assert.deepEqual(
    asked.slice(before).map(({ offset }) => offset),
    [29],
  );
});

test('rows are marked as out of place if no order places the next page below them', async () => {
  const createdAtMs = Date.UTC(2026, 10, 20);
  const [a, b, x, y] = ['a', 'b', 'x', 'y'].map((id) => bareJob({ id, createdAtMs }));
  assert(a && b && x && y);
  let now: readonly Job[] = [a, b, y];
  const { pager } = answering(({ offset = 0, limit = 0 }) => ({
    entries: now.slice(offset, offset + limit),
    hasMore: offset + limit < now.length,
  }));
  const loaded = await pager.first(allDone, 2);
  now = [y, x, a, b];
  const longer = await pager.next(allDone, loaded, 2);
  assert.deepEqual(ids(longer.jobs.entries), ['a', 'b', 'x']);
  assert.equal(longer.isInPlace, false);
});

test('the check of before_date does not repeat requests for pages that were read ahead', async () => {
  const first = bareJob({ id: 'new', status: 'queued', createdAtMs: Date.UTC(2026, 10, 20, 12, 1) });
  const { source, asked } = bounding([first, ...dated(200)], byCreation, { traits: new ServiceTraits() });
  const read: string[] = [];
  for await (const { entries } of readAll(source, question, { limit: 20 })) read.push(...ids(entries));
  assert.equal(new Set(read).size, 201);
  const bounded = asked.filter(({ beforeDate }) => beforeDate !== undefined);
  const pinned = bounded.filter(({ beforeDate }) => beforeDate === bounded[0]?.beforeDate);
  const offsets = pinned.map(({ offset }) => offset);
  assert.equal(new Set(offsets).size, offsets.length, offsets.join());
  assert.ok(offsets.includes(0));
});

test('if the last loaded job has left, the order of creation shows it, and rereading takes one request', async () => {
  const all = dated(60);
  let now: readonly Job[] = all;
  const { pager, asked } = answering(({ offset = 0, limit = 0 }) => ({
    entries: now.slice(offset, offset + limit),
    hasMore: offset + limit < now.length,
  }));
  const loaded = await pager.first(allDone, 20);
  now = all.filter(({ id }) => id !== 'j19');
  const before = asked.length;
  const again = await pager.again(allDone, loaded, { page: 20, max: 100 });
  assert.deepEqual(ids(again.jobs.entries), ids(now.slice(0, 20)));
  assert.equal(asked.length - before, 1);
});

test('a list that one request reads whole replaces the loaded rows, in any order', async () => {
  let now = ['d', 'a', 'f', 'b', 'e', 'c', 'h', 'g'].map((id) => bareJob({ id }));
  const { pager } = answering(({ offset = 0, limit = 0 }) => ({
    entries: now.slice(offset, offset + limit),
    hasMore: offset + limit < now.length,
  }));
  const loaded = await pager.first(allDone, 1);
  now = [bareJob({ id: 'x' }), ...now.slice(0, 2)];
  const read = await pager.next(allDone, loaded, 4);
  assert.deepEqual(ids(read.jobs.entries), ['x', 'd', 'a']);
  assert.deepEqual([read.hasMore, read.isComplete, read.isInPlace], [false, true, true]);
});

for (const [what, announces] of [
  ['announces it when requested again', true],
  ['is still marked as the last', false],
] as const) {
  test(`a job found behind a full page that ${what} ${announces ? 'arrived in between' : 'shows that next is unreliable'}`, async () => {
    const all = ['d', 'a', 'f', 'b', 'e', 'c', 'h'].map((id) => bareJob({ id }));
    const traits = new ServiceTraits();
    const { pager } = answering(({ offset = 0, limit = 0 }, index) => {
      const now = all.slice(0, index > 1 ? 7 : 6);
      return {
        entries: now.slice(offset, offset + limit),
        hasMore: offset + limit < now.length && (announces || offset === 0),
      };
    }, traits);
    let list = await pager.first(allDone, 3);
    list = await pager.next(allDone, list, 4);
    assert.deepEqual(
      [ids(list.jobs.entries), list.hasMore, traits.nextIsUnreliable],
      [['d', 'a', 'f', 'b', 'e', 'c'], true, !announces],
    );
    list = await pager.next(allDone, list, 4);
    assert.deepEqual(ids(list.jobs.entries).at(-1), 'h');
  });
}

test('a list of a service with an unreliable next ends without a notice', async () => {
  const all = ['d', 'a', 'f'].map((id) => bareJob({ id }));
  for (const nextIsUnreliable of [false, true]) {
    const { pager } = answering(
      ({ offset = 0, limit = 0 }, index) => ({ entries: all.slice(offset, offset + limit), hasMore: index === 0 }),
      Object.assign(new ServiceTraits(), { nextIsUnreliable }),
    );
    const list = await pager.next(allDone, await pager.first(allDone, 3), 3);
    assert.deepEqual([list.hasMore, list.stuck, list.isComplete], [false, !nextIsUnreliable, false]);
  }
});
