import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../../../../src/base/failure.ts';
import { type JobStatus, jobKinds, jobStatuses } from '../../../../../src/jobs/common/job.ts';
import { JobPoller } from '../../../../../src/jobs/node/store/jobPoller.ts';
import { JobStore } from '../../../../../src/jobs/node/store/jobStore.ts';
import type { ListPage } from '../../../../../src/jobs/common/decodePage.ts';
import { FakeClock } from '../../../../support/fakeClock/fakeClock.ts';
import { KeptLog } from '../../../../support/keptLog.ts';
import { MovingList } from '../../../../support/movingList/movingList.ts';
import { fakeReader } from '../../../../support/lists/fakeLists.ts';

const interval = 15_000;

/** A poller of a real store, with jobs of these statuses, everything loaded and no view watched. */
async function loaded(...statuses: readonly JobStatus[]) {
  const clock = new FakeClock();
  const list = new MovingList({ jobs: statuses.length, status: (index) => statuses[index] ?? 'done' });
  let failure: Failure | undefined;
  const source = fakeReader(async (endpoint, params, signal): Promise<ListPage> => {
    const page = await list.answer(endpoint, params, signal);
    if (failure !== undefined) throw failure;
    return page;
  });
  const store = new JobStore(() => ({ limit: 20, groupBy: 'status', listSource: 'byKind' }), clock, new KeptLog());
  store.use(source);
  let intervalMs = interval;
  const poller = new JobPoller(store, clock, () => intervalMs);
  const load = (): Promise<unknown> =>
    Promise.all(jobKinds.flatMap((kind) => jobStatuses.map((status) => store.load({ kind, status }))));
  await load();
  list.asked.length = 0;
  return {
    clock,
    store,
    list,
    poller,
    load,
    setIntervalMs: (ms: number) => void (intervalMs = ms),
    fail: (next: Failure | undefined) => void (failure = next),
    /** The number of polls started: each requests every list once. */
    polls: () => list.asked.length / (jobKinds.length * jobStatuses.length),
  };
}

test('polls at each interval while the view is visible, the window focused and a job unfinished', async () => {
  const { clock, poller, polls } = await loaded('processing', 'done');
  poller.setWatched(true, true);
  await clock.advance(10 * interval);
  assert.ok(polls() >= 9, `${polls()} polls`);
});

for (const [name, statuses, visible, focused, intervalMs] of [
  ['a hidden view', ['processing'], false, true, interval],
  ['an unfocused window', ['processing'], true, false, interval],
  ['a list of finished jobs', ['done', 'error'], true, true, interval],
  ['auto refresh turned off', ['processing'], true, true, 0],
] as const) {
  test(`${name} sends nothing for ten intervals, and has no timer`, async () => {
    const { clock, poller, list, setIntervalMs } = await loaded(...statuses);
    setIntervalMs(intervalMs);
    poller.setWatched(visible, focused);
    await clock.advance(10 * interval);
    assert.deepEqual([list.asked.length, clock.pending], [0, 0]);
  });
}

test('a returning user gets one refresh at once, and the next after the interval', async () => {
  const { clock, poller, polls } = await loaded('processing');
  poller.setWatched(true, true);
  poller.setWatched(true, false);
  await clock.advance(10 * interval);
  assert.equal(polls(), 0);
  poller.setWatched(true, true);
  await clock.advance(0);
  assert.equal(polls(), 1);
  await clock.advance(interval - 1);
  assert.equal(polls(), 1);
  await clock.advance(1);
  assert.equal(polls(), 2);
});

test('switching windows back and forth does not poll each time', async () => {
  const { clock, poller, polls } = await loaded('processing');
  await clock.advance(interval);
  for (let turn = 0; turn < 10; turn++) {
    poller.setWatched(true, true);
    await clock.advance(100);
    poller.setWatched(true, false);
    await clock.advance(100);
  }
  assert.equal(polls(), 1);
});

test('jobs that were just loaded are not polled when the view is first shown', async () => {
  const { clock, poller, polls, store, load } = await loaded('processing');
  store.reset();
  poller.setWatched(true, true);
  await clock.advance(10 * interval);
  assert.equal(polls(), 0);
  await load();
  const before = polls();
  await clock.advance(interval - 1);
  assert.equal(polls(), before);
  await clock.advance(1);
  assert.equal(polls(), before + 1);
});

test('a failed poll keeps the rows, shows the failure, and is repeated after twice the interval', async () => {
  const { clock, poller, polls, store, fail } = await loaded('processing', 'done');
  const key = { kind: 'live', status: 'processing' };
  const rows = store.list(key).jobs.entries;
  poller.setWatched(true, true);
  await clock.advance(5_000);
  fail(new Failure('offline'));
  const before = polls();
  await clock.advance(interval);
  assert.equal(polls(), before + 1);
  assert.deepEqual(store.list(key).jobs.entries, rows);
  assert.equal(store.list(key).failure?.during, 'refreshing');
  await clock.advance(2 * interval - 1);
  assert.equal(polls(), before + 1);
  fail(undefined);
  await clock.advance(1);
  assert.equal(polls(), before + 2);
  assert.equal(store.list(key).failure, undefined);
  await clock.advance(interval);
  assert.equal(polls(), before + 3);
});

test('each further failed poll doubles the pause, up to five minutes, until one succeeds', async () => {
  const { clock, poller, polls, fail } = await loaded('processing');
  poller.setWatched(true, true);
  await clock.advance(5_000);
  fail(new Failure('offline'));
  const before = polls();
  await clock.advance(interval);
  for (const [nth, pauseMs] of [2 * interval, 4 * interval, 8 * interval, 16 * interval, 300_000, 300_000].entries()) {
    assert.equal(polls(), before + 1 + nth);
    await clock.advance(pauseMs - 1);
    assert.equal(polls(), before + 1 + nth, `not before ${pauseMs} ms`);
    await clock.advance(1);
  }
  fail(undefined);
  await clock.advance(300_000);
  const then = polls();
  await clock.advance(interval);
  assert.equal(polls(), then + 1);
});

test('announces each new time of the next poll, also after a failed one, so that no past time stays shown', async () => {
  const { clock, poller, fail } = await loaded('processing');
  let announcedMs: number | undefined;
  poller.onDidPlan(() => (announcedMs = poller.nextMs));
  poller.setWatched(true, true);
  fail(new Failure('offline'));
  for (let step = 0; step < 40; step++) {
    await clock.advance(interval / 4);
    assert.equal(announcedMs, poller.nextMs);
    assert.ok(announcedMs === undefined || announcedMs > clock.now());
  }
});

test('obeys Retry-After, even if the user returns', async () => {
  const { clock, poller, polls, fail } = await loaded('processing');
  poller.setWatched(true, true);
  await clock.advance(5_000);
  const before = polls();
  fail(new Failure('rateLimited', { retryAtMs: clock.now() + 20 * interval }));
  await clock.advance(interval);
  assert.equal(polls(), before + 1);
  poller.setWatched(true, false);
  await clock.advance(interval);
  poller.setWatched(true, true);
  await clock.advance(interval);
  assert.equal(polls(), before + 1);
  await clock.advance(20 * interval);
  assert.ok(polls() > before + 1);
});

test('stops when the last job has finished', async () => {
  const { clock, poller, list, store } = await loaded('processing');
  poller.setWatched(true, true);
  list.apply({ type: 'change', place: 0, status: 'done' });
  await clock.advance(2 * interval);
  assert.equal(store.mayChange, false);
  assert.equal(clock.pending, 0);
});

for (const code of ['serverFailed', 'offline', 'keyRejected', 'notJson'] as const) {
  test(`finished jobs that could not be refreshed (${code}) are polled until a refresh succeeds`, async () => {
    const { clock, poller, store, list, fail } = await loaded('done', 'error');
    poller.setWatched(true, true);
    fail(new Failure(code));
    await store.refresh();
    const failed = () => jobKinds.some((kind) => store.lists(kind).some(({ failure }) => failure !== undefined));
    assert.ok(failed());
    await clock.advance(4 * interval);
    assert.ok(failed());
    fail(undefined);
    await clock.advance(5 * 60_000);
    assert.ok(!failed());
    list.asked.length = 0;
    await clock.advance(60 * 60_000);
    assert.deepEqual([list.asked.length, clock.pending], [0, 0]);
  });
}

test('a list that failed to load is polled again', async () => {
  const { clock, poller, store } = await loaded('done');
  poller.setWatched(true, true);
  store.use(fakeReader(() => Promise.reject(new Failure('timeout'))));
  await store.load({ kind: 'live', status: 'done' });
  const list = () => store.list({ kind: 'live', status: 'done' });
  assert.ok(list().failure !== undefined && !list().loaded);
  await clock.advance(interval);
  assert.ok(clock.pending > 0, 'it is polled again');
});

test('a permanent failure is not polled again', async () => {
  const { clock, poller, store, list, fail } = await loaded('done');
  poller.setWatched(true, true);
  fail(new Failure('notFound'));
  await store.refresh();
  list.asked.length = 0;
  await clock.advance(20 * interval);
  assert.deepEqual([list.asked.length, clock.pending], [0, 0]);
});

test('a change of the interval takes effect at once', async () => {
  const { clock, poller, polls, setIntervalMs } = await loaded('processing');
  poller.setWatched(true, true);
  await clock.advance(5_000);
  const before = polls();
  setIntervalMs(3_600_000);
  poller.replan();
  await clock.advance(10 * interval);
  assert.equal(polls(), before);
  setIntervalMs(5_000);
  poller.replan();
  await clock.advance(0);
  assert.equal(polls(), before + 1);
});

test('a disposed poller sends no requests', async () => {
  const { clock, poller, polls, store, load } = await loaded('processing');
  poller.setWatched(true, true);
  poller.dispose();
  store.reset();
  await load();
  const before = polls();
  await clock.advance(10 * interval);
  assert.deepEqual([polls(), clock.pending], [before, 0]);
});
