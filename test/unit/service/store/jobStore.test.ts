import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../../../src/domain/failure.ts';
import type { Job, JobStatus } from '../../../../src/domain/job.ts';
import { noFilter } from '../../../../src/domain/jobFilter.ts';
import type { ListKey } from '../../../../src/domain/listKey.ts';
import { JobStore, type StoreOptions } from '../../../../src/service/jobStore.ts';
import type { JobPage, PageSource } from '../../../../src/service/ports.ts';
import type { StoreChange } from '../../../../src/service/storeChange.ts';
import { FakeClock } from '../../../support/fakeClock/fakeClock.ts';
import { KeptLog } from '../../../support/keptLog.ts';
import { MovingList } from '../../../support/movingList/movingList.ts';

const done: ListKey = { kind: 'live', status: 'done' };
const processing: ListKey = { kind: 'live', status: 'processing' };

function storeOver(source: PageSource, options: Partial<StoreOptions> = {}) {
  const clock = new FakeClock();
  const log = new KeptLog();
  const store = new JobStore(() => ({ pageSize: 10, groupBy: 'status', listSource: 'byKind', ...options }), clock, log);
  store.use(source);
  const changes: StoreChange[] = [];
  store.onDidChange((change) => changes.push(change));
  return { store, clock, log, changes };
}

function ids(store: JobStore, key: ListKey): string[] {
  return store.list(key).jobs.entries.map((entry) => (entry.type === 'job' ? entry.id : entry.raw));
}

function job(id: string, status: string, changes: Partial<Job> = {}): Job {
  return {
    type: 'job',
    id,
    kind: 'live',
    status,
    createdAtMs: undefined,
    completedAtMs: undefined,
    errorCode: undefined,
    raw: JSON.stringify({ id, status }),
    ...changes,
  };
}

function page(...entries: JobPage['entries']): JobPage {
  return { entries, hasMore: false, serviceDateMs: undefined, surprises: [] };
}

interface HeldRequest {
  readonly statuses: readonly JobStatus[];
  answer(page: JobPage): void;
  fail(failure: Failure): void;
}

/** A source that answers when it is told to. */
class HeldSource implements PageSource {
  readonly asked: HeldRequest[] = [];

  listJobs(_endpoint: unknown, params: { readonly statuses?: readonly JobStatus[] }): Promise<JobPage> {
    return new Promise((resolve, reject) => {
      this.asked.push({ statuses: params.statuses ?? [], answer: resolve, fail: reject });
    });
  }

  /** Waits for a request; the first is 0. */
  async request(nth: number): Promise<HeldRequest> {
    for (;;) {
      const request = this.asked[nth];
      if (request !== undefined) return request;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

test('a list is asked for once, at its own endpoint with its own status', async () => {
  const source = new MovingList({ jobs: 25, status: (index) => (index % 5 === 0 ? 'error' : 'done') });
  const { store } = storeOver(source);
  await Promise.all([store.load(done), store.load(done)]);
  await store.load(done);
  assert.deepEqual(source.asked, [{ endpoint: 'live', statuses: ['done'], offset: 0, limit: 10 }]);
  assert.equal(ids(store, done).length, 10);
  assert.equal(store.list(done).hasMore, true);
});

test('the combined endpoint is asked with the kind', async () => {
  const source = new MovingList({ jobs: 3, status: () => 'done' });
  const { store } = storeOver(source, { listSource: 'combined', groupBy: 'none' });
  await store.load({ kind: 'live', status: undefined });
  assert.deepEqual(source.asked, [{ endpoint: 'combined', kinds: ['live'], offset: 0, limit: 10 }]);
});

test('loading more asks under the pin, one item back', async () => {
  const source = new MovingList({ jobs: 25, status: () => 'done' });
  const { store } = storeOver(source);
  await store.load(done);
  await store.loadMore(done);
  assert.deepEqual(source.asked[1], {
    endpoint: 'live',
    statuses: ['done'],
    beforeDate: '2026-11-01T00:00:26.000Z',
    offset: 9,
    limit: 10,
  });
  assert.equal(ids(store, done).length, 19);
});

test("the user's own earlier end stays when more is loaded", async () => {
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

test('a refresh keeps the number of rows and brings changes in place', async () => {
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

test('a list that was there to its end is so after a refresh that brings arrivals', async () => {
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

test('five quick presses of refresh cost one request per list', async () => {
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

test('a slow old answer never overwrites a newer one', async () => {
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

test('a job that changes status stands in one list only', async () => {
  const source = new HeldSource();
  const { store } = storeOver(source);
  const both = [store.load(processing), store.load(done)];
  (await source.request(0)).answer(page(job('a', 'processing')));
  (await source.request(1)).answer(page());
  await Promise.all(both);
  const refreshed = store.reload(done);
  (await source.request(2)).answer(page(job('a', 'done')));
  await refreshed;
  assert.deepEqual([ids(store, processing), ids(store, done)], [[], ['a']]);
});

test('an answer to a question that is no longer asked is dropped', async () => {
  const source = new HeldSource();
  const { store } = storeOver(source);
  const old = store.load(done);
  const asked = await source.request(0);
  store.setFilter({ ...noFilter, metadata: { customer: 'x' } });
  asked.answer(page(job('a', 'done')));
  await old;
  assert.equal(store.list(done).loaded, false);
  assert.deepEqual(ids(store, done), []);
});

test('a failure keeps the rows and is told; the next success clears it', async () => {
  const source = new HeldSource();
  const { store, clock } = storeOver(source);
  const loading = store.load(done);
  (await source.request(0)).answer(page(job('a', 'done')));
  await loading;
  const failing = store.refresh();
  (await source.request(1)).fail(new Failure('offline', { cause: 'ECONNREFUSED' }));
  await failing;
  const { failure } = store.list(done);
  assert.equal(failure?.failure.code, 'offline');
  assert.equal(failure.during, 'refreshing');
  assert.equal(failure.atMs, clock.now());
  assert.deepEqual(ids(store, done), ['a']);
  await clock.advance(1000);
  const again = store.refresh();
  (await source.request(2)).answer(page(job('a', 'done')));
  await again;
  assert.equal(store.list(done).failure, undefined);
});

test('items that contradict the question are left out and reported', async () => {
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

test('unknown kinds and statuses get lists of their own', async () => {
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
  assert.ok(changes.some((change) => change.type === 'lists' && change.kinds));
});

test('an event names the rows that changed and no others', async () => {
  const source = new HeldSource();
  const { store, changes } = storeOver(source);
  const loading = store.load(done);
  (await source.request(0)).answer(page(job('a', 'done'), job('b', 'done')));
  await loading;
  changes.length = 0;
  store.observe(job('b', 'done', { errorCode: 7, raw: '{"id":"b","status":"done","error_code":7}' }));
  assert.deepEqual(changes, [{ type: 'lists', lists: [], jobs: new Set(['live/b']), kinds: false }]);
});

test('poll reads lists of unfinished jobs whole and others at their top', async () => {
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
      ['processing', 19],
    ],
  );
  assert.ok(ids(store, done).includes('j55'));
  assert.ok(!ids(store, processing).includes('j55'));
});

test('load all stops at its bound and when it is told to', async () => {
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
