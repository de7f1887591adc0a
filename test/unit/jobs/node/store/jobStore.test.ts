import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Failure } from '../../../../../src/base/failure.ts';
import type { Job, JobStatus } from '../../../../../src/jobs/common/job.ts';
import { noFilter } from '../../../../../src/jobs/common/jobFilter.ts';
import type { ListKey } from '../../../../../src/jobs/common/listKey.ts';
import type { ListParams } from '../../../../../src/jobs/common/listParams.ts';
import { bulkLimit } from '../../../../../src/jobs/node/list/jobPager.ts';
import { JobStore } from '../../../../../src/jobs/node/store/jobStore.ts';
import type { StoreOptions } from '../../../../../src/jobs/node/store/listWork.ts';
import type { ListPage } from '../../../../../src/jobs/common/decodePage.ts';
import type { StoreChange } from '../../../../../src/jobs/node/store/listState.ts';
import { bareJob } from '../../../../support/builders/bareJob.ts';
import { FakeClock } from '../../../../support/fakeClock/fakeClock.ts';
import { KeptLog } from '../../../../support/keptLog.ts';
import { MovingList, type Event } from '../../../../support/movingList/movingList.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';
import type { ListReader } from '../../../../../src/jobs/node/list/listReader.ts';
import { fakeReader, FakeService } from '../../../../support/lists/fakeLists.ts';

const done = { kind: 'live', status: 'done' } as const satisfies ListKey;
const processing = { kind: 'live', status: 'processing' } as const satisfies ListKey;

function storeOver(source: ListReader, options: Partial<StoreOptions> = {}) {
  const clock = new FakeClock();
  const log = new KeptLog();
  const store = new JobStore(() => ({ limit: 10, groupBy: 'status', listSource: 'byKind', ...options }), clock, log);
  store.use(source);
  const changes: StoreChange[] = [];
  store.onDidChange((change) => changes.push(change));
  return { store, clock, log, changes };
}

function ids(store: JobStore, key: ListKey): string[] {
  return store.list(key).jobs.entries.map((entry) => (entry.type === 'job' ? entry.id : entry.raw));
}

function job(id: string, status: string, changes: Partial<Job> = {}): Job {
  return bareJob({ id, status, raw: JSON.stringify({ id, status }), ...changes });
}

function page(...entries: ListPage['entries']): ListPage {
  return { entries, hasMore: false, serviceDateMs: undefined, deviations: [] };
}

interface HeldRequest {
  readonly statuses: readonly JobStatus[];
  answer(page: ListPage): void;
  fail(failure: Failure): void;
}

/** Max event loop turns to wait for a request. */
const maxTurns = 1000;

/** A source whose responses are given by the test. */
class HeldSource extends FakeService {
  readonly asked: HeldRequest[] = [];

  answer(_endpoint: unknown, params: { readonly statuses?: readonly JobStatus[] }): Promise<ListPage> {
    return new Promise((resolve, reject) => {
      this.asked.push({ statuses: params.statuses ?? [], answer: resolve, fail: reject });
    });
  }

  /** Waits for a request; the first is 0. */
  async request(nth: number): Promise<HeldRequest> {
    for (let turn = 0; turn < maxTurns; turn++) {
      const request = this.asked[nth];
      if (request !== undefined) return request;
      await new Promise((resolve) => setImmediate(resolve));
    }
    throw new Error(`request ${nth} was never made`);
  }
}

/** A store whose lists of processing and done jobs have loaded these pages; the next request is number 2. */
async function withBothLoaded(inWork: ListPage, finished: ListPage) {
  const source = new HeldSource();
  const { store, changes } = storeOver(source);
  const loading = [store.load(processing), store.load(done)];
  (await source.request(0)).answer(inWork);
  (await source.request(1)).answer(finished);
  await Promise.all(loading);
  return { source, store, changes };
}

test('a list is requested once, at its own endpoint with its own status', async () => {
  const source = new MovingList({ jobs: 25, status: (index) => (index % 5 === 0 ? 'error' : 'done') });
  const { store } = storeOver(source);
  await Promise.all([store.load(done), store.load(done)]);
  await store.load(done);
  assert.deepEqual(source.asked, [{ endpoint: 'live', statuses: ['done'], offset: 0, limit: 10 }]);
  assert.equal(ids(store, done).length, 10);
  assert.equal(store.list(done).hasMore, true);
});

test('a query to the combined endpoint contains the kind', async () => {
  const source = new MovingList({ jobs: 3, status: () => 'done' });
  const { store } = storeOver(source, { listSource: 'combined', groupBy: 'none' });
  await store.load({ kind: 'live', status: undefined });
  assert.deepEqual(source.asked, [{ endpoint: 'combined', kinds: ['live'], offset: 0, limit: 10 }]);
});

test('the combined endpoint returns one list of all kinds in its order, one request per page', async () => {
  const [twin, otherTwin] = [job('a', 'done', { kind: 'live' }), job('a', 'done', { kind: 'pre-recorded' })];
  const dubbing = job('d', 'done', { kind: 'dubbing' });
  const asked: ListParams[] = [];
  const source = fakeReader(async (_endpoint, params) => {
    asked.push(params);
    return page(twin, dubbing, otherTwin);
  });
  const { store } = storeOver(source, { listSource: 'combined', groupBy: 'none' });
  assert.deepEqual(store.kinds(), [undefined]);
  const [all] = store.lists(undefined);
  assert.ok(all);
  await store.load(all.key);
  assert.deepEqual(asked, [{ kinds: ['pre-recorded', 'live'], offset: 0, limit: 10 }]);
  assert.deepEqual(store.list(all.key).jobs.entries, [twin, dubbing, otherTwin]);
  assert.deepEqual(store.kinds(), [undefined]);
  assert.deepEqual(store.placeOf('live', 'a'), all.key);
});

test('in a list of all kinds a job that changes leaves its group, and its twin of another kind stays', async () => {
  const twins = [job('a', 'processing', { kind: 'live' }), job('a', 'processing', { kind: 'pre-recorded' })] as const;
  const source = fakeReader(async (_endpoint, { statuses }) =>
    statuses?.includes('processing') === true ? page(...twins) : page(),
  );
  const { store } = storeOver(source, { listSource: 'combined' });
  const keys = store.lists(undefined).map(({ key }) => key);
  assert.deepEqual(
    keys.map(({ status }) => status),
    ['queued', 'processing', 'done', 'error'],
  );
  await Promise.all(keys.map((key) => store.load(key)));
  store.observing()([job('a', 'done', { kind: 'live' })]);
  assert.deepEqual(store.list({ kind: undefined, status: 'processing' }).jobs.entries, [twins[1]]);
});

test('Load More sends a before_date derived from the newest job, and an offset that overlaps by one item', async () => {
  const source = new MovingList({ jobs: 25, status: () => 'processing' });
  const { store } = storeOver(source);
  await store.load(processing);
  await store.loadMore(processing);
  assert.deepEqual(source.asked[1], {
    endpoint: 'live',
    statuses: ['processing'],
    beforeDate: '2026-11-01T00:00:25.000Z',
    offset: 9,
    limit: 10,
  });
  assert.equal(ids(store, processing).length, 19);
});

test('only pages that are kept whole share their text: a refresh would keep a page for each row it leaves', async () => {
  const shares: unknown[] = [];
  const jobs = ['a', 'b', 'c', 'd'].map((id) => job(id, 'done'));
  const { store } = storeOver(
    fakeReader(async (_endpoint, { offset = 0, limit = 1 }, _signal, sharesText) => {
      shares.push(sharesText ?? false);
      return { ...page(...jobs.slice(offset, offset + limit)), hasMore: offset + limit < jobs.length };
    }),
    { limit: 2 },
  );
  const sharesOf = async (read: () => Promise<void>): Promise<unknown[]> => {
    shares.length = 0;
    await read();
    return [...new Set(shares)];
  };
  assert.deepEqual(await sharesOf(() => store.load(done)), [true]);
  assert.deepEqual(await sharesOf(() => store.loadMore(done)), [true]);
  assert.deepEqual(await sharesOf(() => store.poll()), [false]);
  assert.deepEqual(await sharesOf(() => store.refresh()), [false]);
});

test("Load More keeps the user's own earlier end", async () => {
  const source = new MovingList({ jobs: 25, status: () => 'done' });
  const { store } = storeOver(source);
  const before = '2026-11-01T00:00:20.000Z';
  store.setFilter({ ...noFilter, time: { type: 'range', after: undefined, before } });
  await store.load(done);
  await store.loadMore(done);
  assert.deepEqual(
    source.asked.map(({ beforeDate }) => beforeDate),
    [before, before],
  );
});

test('a refresh keeps the number of rows and updates them in place', async () => {
  const source = new MovingList({ jobs: 40, status: () => 'done' });
  const { store, clock } = storeOver(source);
  await store.load(done);
  await store.loadMore(done);
  await store.loadMore(done);
  const rows = ids(store, done);
  source.apply({ type: 'arrive', status: 'done' });
  source.apply({ type: 'leave', place: 5 });
  await clock.advance(1000);
  await store.refresh();
  const after = ids(store, done);
  assert.equal(after[0], 'j40');
  assert.deepEqual(
    after.slice(1, rows.length),
    rows.filter((id) => id !== 'j35'),
  );
});

test('a refresh of a list without changes adds no row below, however many are loaded', async () => {
  const source = new MovingList({ jobs: 400, status: () => 'done' });
  const { store } = storeOver(source);
  await store.load(done);
  for (let more = 0; more < 12; more++) await store.loadMore(done);
  const rows = ids(store, done);
  assert.ok(rows.length > bulkLimit, 'more than one request reads');
  for (let refreshes = 0; refreshes < 3; refreshes++) {
    await store.refresh();
    assert.deepEqual(ids(store, done), rows);
  }
});

test('one refresh shows the current jobs without a notice once the service no longer changes', async () => {
  const status = fc.constantFrom<JobStatus>('queued', 'processing', 'done');
  const event: fc.Arbitrary<Event> = fc.oneof(
    fc.record({ type: fc.constant('arrive'), status }),
    fc.record({ type: fc.constant('leave'), place: fc.nat(80) }),
    fc.record({ type: fc.constant('change'), place: fc.nat(80), status }),
  );
  const world = fc.record({
    jobs: fc.nat(80),
    events: fc.array(fc.array(event, { maxLength: 6 }), { maxLength: 40 }),
    // With smaller pages the requests of one refresh may not reach the end of a list in doubt: it then keeps its notice.
    maxLimit: fc.option(fc.integer({ min: 13, max: 30 }), { nil: undefined }),
    clamp: fc.option(fc.integer({ min: 9, max: 20 }), { nil: undefined }),
    ties: fc.integer({ min: 1, max: 3 }),
    pageSize: fc.integer({ min: 2, max: 12 }),
    acts: fc.array(
      fc.tuple(fc.constantFrom('load', 'loadMore', 'reload', 'refresh', 'poll'), fc.constantFrom(processing, done)),
      { minLength: 1, maxLength: 12 },
    ),
  });
  const arrive: Event = { type: 'arrive', status: 'queued' };
  /** Requests for as many rows as are in doubt never end here; bulk reading does. */
  const settledByBulkReading: typeof world extends fc.Arbitrary<infer T> ? T : never = {
    jobs: 28,
    events: [
      [arrive, arrive],
      [arrive, arrive, arrive],
      [arrive],
      [],
      [{ type: 'leave', place: 0 }],
      [],
      [{ type: 'change', place: 8, status: 'queued' }],
    ],
    maxLimit: undefined,
    clamp: undefined,
    ties: 3,
    pageSize: 2,
    acts: [
      ['load', done],
      ['load', processing],
      ['reload', processing],
      ['refresh', processing],
      ['poll', processing],
      ['load', processing],
    ],
  };
  /** All jobs of a list have one creation time, so that its order is unknown, and the loaded one has left it. */
  const settledByWhole: typeof settledByBulkReading = {
    jobs: 1,
    events: [
      ...Array.from({ length: 5 }, () => []),
      [
        { type: 'change', place: 0, status: 'queued' },
        { type: 'arrive', status: 'queued' },
        { type: 'change', place: 0, status: 'processing' },
        { type: 'arrive', status: 'processing' },
        { type: 'arrive', status: 'processing' },
      ],
    ],
    maxLimit: undefined,
    clamp: undefined,
    ties: 1,
    pageSize: 2,
    acts: [
      ['load', processing],
      ['load', done],
      ['poll', processing],
      ['reload', processing],
      ['loadMore', done],
    ],
  };
  await fc.assert(
    fc.asyncProperty(world, async ({ jobs, events, maxLimit, clamp, ties, pageSize, acts }) => {
      const source = new MovingList({
        jobs,
        status: (index) => (index % 3 === 0 ? 'processing' : 'done'),
        events,
        ties,
        ...(maxLimit !== undefined && { maxLimit }),
        ...(clamp !== undefined && { clamp }),
      });
      const { store, clock } = storeOver(source, { limit: pageSize });
      for (const [act, key] of acts) {
        await (act === 'refresh' || act === 'poll' ? store[act]() : store[act](key));
        await clock.advance(1000);
      }
      source.rest();
      await store.refresh();
      // A job that left one list may be in another one, which is then reread.
      while ([processing, done].some((key) => store.list(key).activity !== 'none')) await clock.advance(0);
      for (const key of [processing, done]) {
        const { loaded, hasMore, notice, failure } = store.list(key);
        if (!loaded) continue;
        const shown = ids(store, key);
        const truth = source.matching(key.status).map(({ id }) => id);
        assert.deepEqual(shown, truth.slice(0, shown.length));
        assert.deepEqual([notice, failure], [undefined, undefined]);
        assert.ok(hasMore || shown.length === truth.length, 'all of it is shown');
      }
    }),
    { numRuns: propertyRuns, examples: [[settledByBulkReading], [settledByWhole]] },
  );
});

test('a list loaded to its end stays loaded to its end after a refresh with new jobs', async () => {
  const source = new MovingList({ jobs: 12, status: () => 'done' });
  const { store } = storeOver(source);
  await store.load(done);
  await store.loadMore(done);
  assert.equal(store.list(done).hasMore, false);
  for (let arrival = 0; arrival < 3; arrival++) source.apply({ type: 'arrive', status: 'done' });
  await store.refresh();
  assert.equal(ids(store, done).length, 15);
  assert.equal(store.list(done).hasMore, false);
});

test('five quick refreshes take one request per list', async () => {
  const source = new MovingList({ jobs: 5, status: () => 'done' });
  const { store, clock } = storeOver(source);
  await store.load(done);
  for (let press = 0; press < 5; press++) {
    void store.refresh();
    await clock.advance(50);
  }
  assert.equal(source.asked.length, 2);
  await clock.advance(1000);
  await store.refresh();
  assert.equal(source.asked.length, 3);
});

test('a slow old response never overwrites a newer one', async () => {
  const source = new HeldSource();
  const { store } = storeOver(source);
  const slow = store.load(processing);
  const quick = store.load(done);
  const first = await source.request(0);
  const second = await source.request(1);
  assert.deepEqual([first.statuses, second.statuses], [['processing'], ['done']]);
  second.answer(page(job('a', 'done')));
  await quick;
  first.answer(page(job('a', 'processing'), job('b', 'processing')));
  await slow;
  assert.deepEqual(ids(store, done), ['a']);
  assert.deepEqual(ids(store, processing), ['b']);
  assert.equal(store.get('live', 'a')?.status, 'done');
});

test('a later response only wins for the jobs that it contains, not for other pages of its list', async () => {
  const inWork = page(job('p', 'processing'), job('a', 'processing'));
  const { source, store } = await withBothLoaded({ ...inWork, hasMore: true }, page());
  const slow = store.reload(done);
  const slowRequest = await source.request(2);
  const more = store.loadMore(processing);
  (await source.request(3)).answer(page(job('a', 'processing'), job('b', 'processing')));
  // The list had more jobs, and now has as many as before: another page must show that this is the end.
  (await source.request(4)).answer(page(job('b', 'processing')));
  await more;
  slowRequest.answer(page(job('p', 'done')));
  await slow;
  assert.deepEqual([ids(store, processing), ids(store, done)], [['a', 'b'], ['p']]);
});

test('a list is reread when another list loses a job that it had to leave out', async () => {
  const source = new HeldSource();
  const { store } = storeOver(source);
  const slow = store.load(done);
  const quick = store.load(processing);
  const slowRequest = await source.request(0);
  (await source.request(1)).answer(page(job('a', 'processing')));
  await quick;
  slowRequest.answer(page(job('a', 'done'), job('b', 'done')));
  await slow;
  assert.deepEqual([ids(store, processing), ids(store, done)], [['a'], ['b']]);
  const reloaded = store.reload(processing);
  (await source.request(2)).answer(page());
  await reloaded;
  const reread = await source.request(3);
  assert.deepEqual(reread.statuses, ['done']);
  reread.answer(page(job('a', 'done'), job('b', 'done')));
  await store.reload(done);
  assert.deepEqual([ids(store, processing), ids(store, done)], [[], ['a', 'b']]);
  assert.equal(source.asked.length, 4);
});

test('a response to an earlier request does not undo the observation of a watch', async () => {
  for (const [key, after] of [
    [processing, []],
    [{ kind: 'live', status: undefined }, ['a']],
  ] as const) {
    const source = new HeldSource();
    const { store } = storeOver(source);
    const loading = store.load(key);
    (await source.request(0)).answer(page(job('a', 'processing')));
    await loading;
    const slow = store.reload(key);
    const request = await source.request(1);
    store.observing()([job('a', 'done')]);
    request.answer(page(job('a', 'processing', { raw: '{"progress":1}' })));
    await slow;
    assert.deepEqual(ids(store, key), after);
    assert.equal(store.get('live', 'a')?.status, 'done');
  }
});

test('a response to a later request takes precedence over the observation of a watch', async () => {
  const source = new HeldSource();
  const { store } = storeOver(source);
  const loading = store.load(processing);
  (await source.request(0)).answer(page(job('a', 'queued', { status: 'processing' })));
  await loading;
  const observe = store.observing();
  const reloaded = store.reload(processing);
  (await source.request(1)).answer(page(job('a', 'processing', { raw: '{"progress":2}' })));
  await reloaded;
  observe([job('a', 'processing', { raw: '{"progress":1}' })]);
  assert.equal(store.get('live', 'a')?.raw, '{"progress":2}');
});

test('of two observations the one that began last wins, whichever ends first', () => {
  const { store } = storeOver(new HeldSource());
  store.observing()([job('a', 'queued')]);
  const older = store.observing();
  const newer = store.observing();
  newer([job('a', 'done')]);
  older([job('a', 'processing')]);
  assert.equal(store.get('live', 'a')?.status, 'done');
  store.observing()([job('a', 'error')]);
  assert.equal(store.get('live', 'a')?.status, 'error');
});

test('a watched job that ends is requested in its new list, and is available meanwhile', async () => {
  const { source, store, changes } = await withBothLoaded(page(job('a', 'processing')), page(job('b', 'done')));
  changes.length = 0;
  store.observing()([job('a', 'done')]);
  assert.deepEqual([ids(store, processing), ids(store, done)], [[], ['b']]);
  assert.equal(store.get('live', 'a')?.status, 'done');
  assert.ok(changes.some((change) => change.type === 'lists' && change.jobs.has('live/a')));
  const head = await source.request(2);
  assert.deepEqual(head.statuses, ['done']);
  const reloaded = store.reload(done);
  head.answer(page(job('a', 'done'), job('b', 'done')));
  const whole = await source.request(3);
  assert.deepEqual(ids(store, done), ['a', 'b']);
  whole.answer(page(job('a', 'done'), job('b', 'done')));
  await reloaded;
});

test('a change is reported for a job that enters a list after it has left another', async () => {
  const { source, store, changes } = await withBothLoaded(page(job('a', 'processing')), page());
  const left = store.reload(processing);
  (await source.request(2)).answer(page());
  await left;
  assert.equal(store.get('live', 'a')?.status, 'processing', 'as last seen');
  assert.equal(store.placeOf('live', 'a'), undefined);
  changes.length = 0;
  const come = store.reload(done);
  (await source.request(3)).answer(page(job('a', 'done')));
  await come;
  assert.equal(store.get('live', 'a')?.status, 'done');
  assert.ok(changes.some((change) => change.type === 'lists' && change.jobs.has('live/a')));
});

test('a job that is in no list is tracked until another service is used', async () => {
  const { store, changes } = storeOver(new HeldSource());
  const observe = store.observing();
  changes.length = 0;
  store.observing()([job('a', 'processing')]);
  store.observing()([job('a', 'processing')]);
  store.observing()([job('a', 'done')]);
  assert.equal(store.get('live', 'a')?.status, 'done');
  assert.equal(changes.filter((change) => change.type === 'lists' && change.jobs.has('live/a')).length, 2);
  store.use(new HeldSource());
  observe([job('a', 'done')]);
  assert.equal(store.get('live', 'a'), undefined);
});

test('a job that changes status is in one list only', async () => {
  const { source, store } = await withBothLoaded(page(job('a', 'processing')), page());
  const refreshed = store.reload(done);
  (await source.request(2)).answer(page(job('a', 'done')));
  await refreshed;
  assert.deepEqual([ids(store, processing), ids(store, done)], [[], ['a']]);
});

test('a job that moves to another list during a refresh is always in one of them', async () => {
  const { source, store } = await withBothLoaded(page(job('a', 'processing')), page());
  const places: (string | undefined)[] = [];
  store.onDidChange(() => places.push(store.placeOf('live', 'a')?.status));
  const refreshed = store.refresh();
  const second = await source.request(3);
  (await source.request(2)).answer(page());
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
  second.answer(page(job('a', 'done')));
  await refreshed;
  assert.deepEqual(places, ['done']);
});

test('a watched job that ends during a refresh is reported with the refresh, not before', async () => {
  const { source, store, changes } = await withBothLoaded(page(job('a', 'processing')), page());
  const refreshed = store.refresh();
  const inWork = await source.request(2);
  const finished = await source.request(3);
  changes.length = 0;
  store.observing()([job('a', 'done')]);
  assert.deepEqual(changes, []);
  inWork.answer(page());
  finished.answer(page(job('a', 'done')));
  await refreshed;
  assert.ok(changes.length > 0);
  assert.deepEqual([ids(store, processing), ids(store, done)], [[], ['a']]);
});

test('a response to an outdated query is dropped', async () => {
  const source = new HeldSource();
  const { store } = storeOver(source);
  const old = store.load(done);
  const asked = await source.request(0);
  store.setFilter({ ...noFilter, metadata: { customer: 'x' } });
  const anew = store.load(done);
  const askedAnew = await source.request(1);
  asked.answer(page(job('a', 'done')));
  await old;
  assert.equal(store.list(done).loaded, false);
  assert.deepEqual(ids(store, done), []);
  askedAnew.answer(page());
  await anew;
  assert.equal(store.list(done).loaded, true);
});

test('a failure is reported and keeps the rows; the next success clears it', async () => {
  const source = new HeldSource();
  const { store, clock } = storeOver(source);
  const loading = store.load(done);
  (await source.request(0)).answer(page(job('a', 'done')));
  await loading;
  assert.equal(store.list(done).isComplete, true);
  const failing = store.refresh();
  (await source.request(1)).fail(new Failure('offline', { cause: 'ECONNREFUSED' }));
  await failing;
  const { failure } = store.list(done);
  assert.equal(failure?.failure.code, 'offline');
  assert.equal(failure.during, 'refreshing');
  assert.equal(failure.atMs, clock.now());
  assert.deepEqual(ids(store, done), ['a']);
  assert.deepEqual([store.list(done).loaded, store.list(done).isComplete], [true, false], 'it may have changed since');
  await clock.advance(1000);
  const failingStill = store.refresh();
  (await source.request(2)).fail(new Failure('offline', { cause: 'ECONNREFUSED' }));
  await failingStill;
  assert.equal(store.list(done).failure?.atMs, clock.now());
  assert.equal(store.list(done).failure?.sinceMs, failure.atMs);
  await clock.advance(1000);
  const again = store.refresh();
  (await source.request(3)).answer(page(job('a', 'done')));
  await again;
  assert.equal(store.list(done).failure, undefined);
});

test('items that contradict the query are left out and reported', async () => {
  const source = new HeldSource();
  const { store } = storeOver(source);
  const contradictions: string[] = [];
  store.onDidContradict((contradiction) => contradictions.push(contradiction));
  const loading = store.load(done);
  (await source.request(0)).answer(
    page(job('a', 'done'), job('b', 'error'), job('c', 'done', { kind: 'pre-recorded' }), job('d', 'done')),
  );
  await loading;
  assert.deepEqual(ids(store, done), ['a', 'd']);
  assert.deepEqual(contradictions, ['status', 'kind']);
});

test('the response to a poll is checked against the query of the poll', async () => {
  const source = new HeldSource();
  const { store, clock } = storeOver(source);
  const contradictions: string[] = [];
  store.onDidContradict((contradiction) => contradictions.push(contradiction));
  store.setFilter({ ...noFilter, time: { type: 'last', hours: 24 } });
  const loading = store.load(done);
  const old = job('old', 'done', { createdAtMs: clock.now() - 24 * 3_600_000 + 60_000 });
  (await source.request(0)).answer(page(old));
  await loading;
  await clock.advance(120_000);
  const polled = store.poll();
  (await source.request(1)).answer(page({ ...old }));
  await polled;
  assert.deepEqual(ids(store, done), ['old']);
  assert.deepEqual(contradictions, []);
});

test('unknown kinds and statuses get their own lists', async () => {
  const source = new HeldSource();
  const { store, changes } = storeOver(source);
  const loading = store.load(done);
  (await source.request(0)).answer(page(job('a', 'archived'), job('b', 'done', { kind: 'batch' })));
  await loading;
  assert.deepEqual(store.kinds(), ['pre-recorded', 'live', 'batch']);
  assert.deepEqual(
    store.lists('live').map(({ key }) => key.status),
    ['queued', 'processing', 'done', 'error', 'archived'],
  );
  assert.deepEqual(ids(store, { kind: 'live', status: 'archived' }), ['a']);
  assert.deepEqual(ids(store, { kind: 'batch', status: undefined }), ['b']);
  const archived: ListKey = { kind: 'live', status: 'archived' };
  await store.loadAll(archived, 10, new AbortController().signal, () => undefined);
  await store.reload(archived);
  assert.equal(source.asked.length, 1, 'they cannot be requested');
  assert.equal(store.list(archived).failure, undefined);
  assert.ok(changes.some((change) => change.type === 'lists' && change.kinds));
});

test('an event contains only the rows that changed', async () => {
  const source = new HeldSource();
  const { store, changes } = storeOver(source);
  const loading = store.load(done);
  (await source.request(0)).answer(page(job('a', 'done'), job('b', 'done')));
  await loading;
  changes.length = 0;
  store.observing()([job('b', 'done', { errorCode: 7, raw: '{"id":"b","status":"done","error_code":7}' })]);
  assert.deepEqual(changes, [{ type: 'lists', lists: [], jobs: new Set(['live/b']), kinds: false }]);
});

test('a poll reads lists of unfinished jobs whole, and only the top of others', async () => {
  const source = new MovingList({ jobs: 60, status: (index) => (index % 2 === 0 ? 'done' : 'processing') });
  const { store, clock } = storeOver(source);
  for (const key of [done, processing]) {
    await store.load(key);
    await store.loadMore(key);
  }
  source.asked.length = 0;
  source.apply({ type: 'change', place: 4, status: 'done' });
  await clock.advance(1000);
  await store.poll();
  assert.deepEqual(
    source.asked.map(({ statuses, limit }) => [statuses?.[0], limit]),
    [
      ['done', 10],
      // As many as are loaded: there are more, so the end need not be shown.
      ['processing', 19],
    ],
  );
  assert.ok(ids(store, done).includes('j55'));
  assert.ok(!ids(store, processing).includes('j55'));
});

test('a listener that throws does not prevent a list from loading, and is logged', async () => {
  const { store, log } = storeOver(new MovingList({ jobs: 3, status: () => 'done' }));
  const listening = store.onDidChange(() => {
    throw new Error('of the view');
  });
  await store.load(done);
  listening.dispose();
  assert.equal(ids(store, done).length, 3);
  assert.equal(store.list(done).activity, 'none');
  assert.match(log.lines.join('\n'), /jobs: Error: of the view/);
});

test('a disposed store sends no requests', async () => {
  const source = new MovingList({ jobs: 3, status: () => 'done' });
  const { store } = storeOver(source);
  store.dispose();
  await store.load(done);
  assert.deepEqual(source.asked, []);
});

test('Load All stops at its max and when it is cancelled', async () => {
  const source = new MovingList({ jobs: 1000, status: () => 'done' });
  const { store } = storeOver(source);
  const rows: number[] = [];
  await store.loadAll(done, 300, new AbortController().signal, (count) => rows.push(count));
  assert.ok(ids(store, done).length >= 300 && ids(store, done).length < 420, String(ids(store, done).length));
  assert.deepEqual(
    rows,
    rows.toSorted((a, b) => a - b),
  );
  const stop = new AbortController();
  await store.loadAll(done, Infinity, stop.signal, () => stop.abort());
  assert.ok(ids(store, done).length < 600);
  assert.equal(store.list(done).failure, undefined);
  await store.loadAll(done, Infinity, new AbortController().signal, () => undefined);
  assert.equal(ids(store, done).length, 1000);
});

test('Load All reads to the end even during Load More', async () => {
  const source = new MovingList({ jobs: 95, status: () => 'done' });
  const { store } = storeOver(source);
  await store.load(done);
  const more = store.loadMore(done);
  await Promise.all([more, store.loadAll(done, 1000, new AbortController().signal, () => undefined)]);
  assert.equal(ids(store, done).length, 95);
  assert.equal(store.list(done).hasMore, false);
});

test('a refresh reads a list whole even while a poll reads its top', async () => {
  const source = new MovingList({ jobs: 95, status: () => 'done' });
  const { store, clock } = storeOver(source);
  await store.load(done);
  await store.loadMore(done);
  await store.loadMore(done);
  source.apply({ type: 'leave', place: 20 });
  await clock.advance(1000);
  const poll = store.poll();
  await Promise.all([poll, store.refresh()]);
  assert.equal(ids(store, done).includes('j74'), false);
});

test('a poll of the top of a list joins a full read of it in progress', async () => {
  const { source, store } = await withBothLoaded(page(), page(job('a', 'done')));
  const whole = store.reload(done);
  const request = await source.request(2);
  const polled = store.poll();
  // The other list is empty and is reread; the top of this one is included in the full read.
  (await source.request(3)).answer(page());
  request.answer(page(job('b', 'done'), job('a', 'done')));
  await Promise.all([whole, polled]);
  assert.deepEqual(
    source.asked.map(({ statuses }) => statuses),
    [['processing'], ['done'], ['done'], ['processing']],
  );
  assert.deepEqual(ids(store, done), ['b', 'a']);
});

/** A list in which a job leaves and another arrives, once in `every` responses. */
function churning(jobs: number, every: number): MovingList {
  const events = Array.from({ length: 4000 }, (_, index) =>
    index % every === 0
      ? ([
          { type: 'leave', place: 0 },
          { type: 'arrive', status: 'processing' },
        ] as const)
      : [],
  );
  return new MovingList({ jobs, status: () => 'processing', events });
}

test('neither refreshes nor polls remove loaded rows while jobs leave', async () => {
  for (const every of [1, 3, 10]) {
    const source = churning(1500, every);
    const { store, clock } = storeOver(source, { limit: 100 });
    await store.loadAll(processing, 700, new AbortController().signal, () => undefined);
    for (let round = 0; round < 6; round++) {
      const before = ids(store, processing);
      await clock.advance(1000);
      await (round % 2 === 0 ? store.poll() : store.refresh());
      const still = new Set(source.matchedAllAlong('processing'));
      const now = new Set(ids(store, processing));
      assert.deepEqual(
        before.filter((id) => still.has(id) && !now.has(id)),
        [],
        `round ${round}, one leaves every ${every} requests`,
      );
    }
  }
});

test('Load More adds rows even if one job leaves and one arrives with each request', async () => {
  const source = churning(2000, 1);
  const { store } = storeOver(source, { limit: 20 });
  await store.load(processing);
  let rows = ids(store, processing).length;
  for (let press = 0; press < 40; press++) {
    await store.loadMore(processing);
    const now = ids(store, processing).length;
    assert.ok(now >= rows - 6, `${now} after ${rows} rows: more are gone than have left`);
    rows = now;
  }
  assert.ok(rows > 600, `${rows} rows after 40 presses`);
});

test('rows keep no results, a changed result changes its row, and observations of a watch are stored without results', async () => {
  const spoken = (text: string): Job => {
    const raw = JSON.stringify({
      id: 'a',
      status: 'done',
      result: { transcription: { full_transcript: text.repeat(2000) } },
    });
    return job('a', 'done', { raw });
  };
  let text = 'a';
  const { store, changes, clock } = storeOver(fakeReader(() => Promise.resolve(page(spoken(text)))));
  await store.load(done);
  const first = store.get('live', 'a') ?? assert.fail('it is loaded');
  assert.ok(first.raw.length < 200);
  assert.deepEqual(store.whole(first), spoken('a'));
  changes.length = 0;
  text = 'b';
  await clock.advance(1000);
  await store.refresh();
  assert.ok(changes.some((change) => change.type === 'lists' && change.jobs.has('live/a')));
  const second = store.get('live', 'a') ?? assert.fail('it is loaded');
  assert.deepEqual(await store.readWhole(second, new AbortController().signal), spoken('b'));
  store.observing()([spoken('c')]);
  const third = store.get('live', 'a') ?? assert.fail('it is loaded');
  assert.ok(third.raw.length < 200);
  assert.deepEqual(store.whole(third), spoken('c'));
});
