import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { Undecodable } from '../../../../../src/base/decode/decoder.ts';
import { Failure } from '../../../../../src/base/failure.ts';
import { minuteMs } from '../../../../../src/base/time.ts';
import type { Job } from '../../../../../src/jobs/common/job.ts';
import type { ListEndpoint, ListParams } from '../../../../../src/jobs/common/listParams.ts';
import {
  maxMissMs,
  maxWatchMs,
  maxMisses,
  storedWatchedJobs,
  type WatchedJob,
} from '../../../../../src/features/watch/common/watchPlan.ts';
import { JobWatcher, lookUpWatchedJobs, maxWatchedJobs } from '../../../../../src/features/watch/node/jobWatcher.ts';
import type { ListPage } from '../../../../../src/jobs/common/decodePage.ts';
import { bareJob } from '../../../../support/builders/bareJob.ts';
import { FakeClock } from '../../../../support/fakeClock/fakeClock.ts';
import { KeptLog } from '../../../../support/keptLog.ts';
import type { ListReader } from '../../../../../src/jobs/node/list/listReader.ts';
import { fakeReader, FakeService } from '../../../../support/lists/fakeLists.ts';

/** A service whose clock differs from the local one, with jobs that a test changes. Filters by date as in contract 4.5. */
class WatchedService extends FakeService {
  readonly asked: { readonly endpoint: ListEndpoint; readonly params: ListParams }[] = [];
  readonly jobs = new Map<string, Job>();
  /** Its items omit the creation time, although it filters by it. */
  undated = false;
  failure: Failure | undefined;
  readonly #clock: FakeClock;
  readonly #offsetMs: number;

  constructor(clock: FakeClock, offsetMs = 0) {
    super();
    this.#clock = clock;
    this.#offsetMs = offsetMs;
  }

  now(): number {
    return this.#clock.now() + this.#offsetMs;
  }

  set(
    id: string,
    status: string,
    createdAtMs = this.jobs.get(id)?.createdAtMs ?? this.now(),
    kind = 'pre-recorded',
  ): Job {
    const job = bareJob({ id, kind, status, createdAtMs, raw: JSON.stringify({ id, status }) });
    this.jobs.set(id, job);
    return job;
  }

  async answer(endpoint: ListEndpoint, params: ListParams): Promise<ListPage> {
    this.asked.push({ endpoint, params });
    if (this.failure) throw this.failure;
    const { afterDate = '1970-01-01T00:00:00Z', beforeDate = '9999-01-01T00:00:00Z', offset = 0, limit = 20 } = params;
    const matching = [...this.jobs.values()]
      .filter(
        ({ kind, createdAtMs = 0 }) =>
          kind === endpoint && createdAtMs > Date.parse(afterDate) && createdAtMs < Date.parse(beforeDate),
      )
      .toSorted((a, b) => (b.createdAtMs ?? 0) - (a.createdAtMs ?? 0));
    const entries = matching
      .slice(offset, offset + limit)
      .map((job) => (this.undated ? { ...job, createdAtMs: undefined } : job));
    return { entries, hasMore: offset + limit < matching.length, serviceDateMs: this.now(), deviations: [] };
  }
}

function scene(context: TestContext, { offsetMs = 0, focused = true } = {}) {
  const clock = new FakeClock();
  const service = new WatchedService(clock, offsetMs);
  const log = new KeptLog();
  const observed: Job[] = [];
  const focus = { focused, inUse: true, service };
  const watcher = new JobWatcher({
    clock,
    log,
    sourceOf: () => (focus.inUse ? focus.service : undefined),
    isFocused: () => focus.focused,
    observing: () => (jobs) => observed.push(...jobs),
  });
  context.after(() => watcher.dispose());
  const finished: string[][] = [];
  const givenUp: string[] = [];
  let changes = 0;
  watcher.onDidFinish((jobs) => finished.push(jobs.map(({ job }) => `${job.id} ${job.status}`)));
  watcher.onDidGiveUp((jobs) => givenUp.push(...jobs.map(({ watched, why }) => `${watched.id} ${why}`)));
  watcher.onDidChange(() => changes++);
  const watch = (id: string, changesTo: Partial<WatchedJob> = {}): number =>
    watcher.watch([
      {
        connection: 'Work',
        origin: 'https://api.example.com',
        kind: 'pre-recorded',
        id,
        label: id,
        sinceMs: clock.now(),
        createdAtMs: service.jobs.get(id)?.createdAtMs,
        misses: 0,
        ...changesTo,
      },
    ]);
  return { clock, service, log, observed, focus, watcher, finished, givenUp, watch, changes: () => changes };
}

test('a job is polled with narrow lists until it is final, and reported once', async (context) => {
  const { clock, service, observed, watcher, finished, watch } = scene(context);
  for (let index = 0; index < 300; index++)
    service.set(`other${index}`, 'done', clock.now() - 3_600_000 - index * minuteMs);
  service.set('a', 'queued', clock.now() - 3_600_000);
  watch('a');
  await clock.advance(7000);
  assert.ok(service.asked.length >= 2);
  for (const { endpoint, params } of service.asked) {
    const { afterDate = '', beforeDate = '', limit } = params;
    assert.deepEqual([endpoint, Date.parse(beforeDate) - Date.parse(afterDate), limit], ['pre-recorded', 2000, 20]);
  }
  service.set('a', 'error');
  await clock.advance(4000);
  assert.deepEqual([finished, watcher.watched, clock.pending], [[['a error']], [], 0]);
  assert.equal(observed.at(-1)?.status, 'error');
});

test('a job among hundreds created in the same millisecond is polled with few requests per hour', async (context) => {
  const { clock, service, finished, watch } = scene(context);
  const atMs = clock.now() - minuteMs;
  for (let index = 0; index < 400; index++) service.set(`j${index}`, 'done', atMs);
  service.set('j390', 'processing', atMs);
  watch('j390');
  await clock.advance(120 * minuteMs);
  assert.ok(service.asked.length < 1200, `${service.asked.length} requests`);
  service.set('j390', 'done');
  await clock.advance(5 * minuteMs);
  assert.deepEqual(finished, [['j390 done']]);
});

test('jobs created close together share one request', async (context) => {
  const { clock, service, watch } = scene(context);
  for (let index = 0; index < 40; index++) {
    service.set(`j${index}`, 'queued', clock.now() - index * 1000);
    watch(`j${index}`);
  }
  service.set('live', 'processing', clock.now(), 'live');
  watch('live', { kind: 'live' });
  await clock.advance(3000);
  assert.deepEqual(
    service.asked.map(({ endpoint, params }) => [endpoint, params.limit]),
    [
      // One more than there are jobs: a shorter page shows that this is the end.
      ['pre-recorded', 41],
      ['live', 20],
    ],
  );
});

for (const offsetMs of [0, -3_600_000, 26 * 3_600_000]) {
  test(`a job that was never seen is found with a clock that is ${offsetMs / 3_600_000} hours off`, async (context) => {
    const { clock, service, watcher, finished, watch } = scene(context, { offsetMs });
    // The service's clock is known from earlier lookups, or from the first one.
    watch('new');
    await clock.advance(3000);
    service.set('new', 'queued');
    await clock.advance(3000);
    assert.equal(watcher.watched[0]?.createdAtMs, service.jobs.get('new')?.createdAtMs);
    service.set('new', 'done');
    await clock.advance(3000);
    assert.deepEqual(finished, [['new done']]);
  });
}

test('jobs that end together are reported together, whichever round finds them', async (context) => {
  const { clock, service, watcher, finished, watch } = scene(context);
  for (const id of ['a', 'b', 'c', 'd']) {
    service.set(id, 'queued');
    watch(id);
  }
  await clock.advance(3000);
  service.set('a', 'done');
  service.set('b', 'error');
  await clock.advance(3000);
  service.set('c', 'done');
  // Ended but not reported yet: after a reload it would be polled again.
  assert.deepEqual(
    watcher.watched.map(({ id }) => id),
    ['c', 'd'],
  );
  assert.deepEqual(watcher.kept.map(({ id }) => id).toSorted(), ['a', 'b', 'c', 'd']);
  await clock.advance(9000);
  assert.deepEqual(finished, [['a done', 'b error', 'c done']]);
  service.set('d', 'done');
  await clock.advance(3000);
  assert.deepEqual(finished.slice(1), [['d done']]);
});

test('polls are rare without focus, and become rarer', async (context) => {
  const rounds = async (focused: boolean): Promise<number> => {
    const { clock, service, watch } = scene(context, { focused });
    service.set('a', 'queued');
    watch('a');
    await clock.advance(60 * minuteMs);
    return service.asked.length;
  };
  const [withFocus, without] = [await rounds(true), await rounds(false)];
  assert.ok(withFocus < 200 && withFocus > 100, String(withFocus));
  assert.ok(without < withFocus / 3 && without > 20, String(without));
});

test('regaining focus polls at once if a poll is due', async (context) => {
  const { clock, service, focus, watcher, watch } = scene(context, { focused: false });
  service.set('a', 'queued');
  watch('a');
  await clock.advance(5000);
  assert.equal(service.asked.length, 0);
  focus.focused = true;
  watcher.wake();
  await clock.advance(0);
  assert.equal(service.asked.length, 1);
});

test('a clock that is set back does not delay polls', async (context) => {
  const { clock, service, watcher, watch } = scene(context);
  service.set('a', 'queued');
  watch('a');
  service.failure = new Failure('rateLimited', { retryAtMs: clock.now() + minuteMs });
  await clock.advance(10_000);
  const asked = service.asked.length;
  clock.set(-9 * 60 * minuteMs);
  watcher.wake();
  await clock.advance(2 * minuteMs);
  assert.ok(service.asked.length > asked);
});

test('failures delay polls, and as long as the service requests; rows and watch stay', async (context) => {
  const { clock, service, log, watcher, watch } = scene(context);
  service.set('a', 'queued');
  watch('a');
  service.failure = new Failure('offline');
  await clock.advance(10 * minuteMs);
  const offline = service.asked.length;
  assert.ok(offline < 12, String(offline));
  service.failure = new Failure('rateLimited', { retryAtMs: clock.now() + 60 * minuteMs });
  await clock.advance(30 * minuteMs);
  assert.ok(service.asked.length <= offline + 1);
  assert.equal(watcher.watched.length, 1);
  assert.ok(log.lines.length > 0 && log.lines.every((line) => line.startsWith('warn watch:')));
});

test('the delay that one service requests does not hold up another', async (context) => {
  const { clock, service, focus, watcher, watch } = scene(context);
  service.set('a', 'queued');
  watch('a');
  service.failure = new Failure('rateLimited', { retryAtMs: clock.now() + 60 * minuteMs });
  await clock.advance(minuteMs);
  assert.equal(service.asked.length, 1);
  const other = new WatchedService(clock);
  other.set('a', 'queued');
  focus.service = other;
  watcher.wake();
  await clock.advance(minuteMs);
  assert.ok(other.asked.length > 0);
  focus.service = service;
  watcher.wake();
  await clock.advance(30 * minuteMs);
  assert.equal(service.asked.length, 1, 'it is still given its time');
});

test('a job is given up after a day, also if the service cannot be reached', async (context) => {
  const { clock, service, focus, watcher, givenUp, watch } = scene(context);
  service.set('a', 'processing');
  watch('a');
  await clock.advance(maxWatchMs / 2);
  focus.inUse = false;
  await clock.advance(maxWatchMs / 2 + 5 * minuteMs);
  assert.deepEqual([givenUp, watcher.watched], [['a tooLong'], []]);
});

test('a job that is gone from the list is given up after several polls and some time', async (context) => {
  const { clock, service, givenUp, watcher, watch } = scene(context);
  service.set('a', 'processing');
  watch('a');
  await clock.advance(3000);
  service.jobs.delete('a');
  await clock.advance(3000 + maxMissMs - 1);
  assert.ok((watcher.watched[0]?.misses ?? 0) >= maxMisses);
  assert.deepEqual(givenUp, []);
  await clock.advance(10_000);
  assert.deepEqual(givenUp, ['a gone']);
});

test('a job that is gone is given up only once enough time and polls have passed', async (context) => {
  const { clock, service, givenUp, watch } = scene(context, { focused: false });
  service.set('a', 'processing');
  watch('a');
  await clock.advance(12_000);
  service.jobs.delete('a');
  await clock.advance(maxMissMs + minuteMs);
  assert.deepEqual(givenUp, []);
  await clock.advance(20 * minuteMs);
  assert.deepEqual(givenUp, ['a gone']);
});

test('a list that briefly lacks a job ends no watch', async (context) => {
  const { clock, service, watcher, givenUp, watch } = scene(context);
  const job = service.set('a', 'processing');
  watch('a');
  for (let times = 0; times < 3; times++) {
    service.jobs.delete('a');
    await clock.advance(maxMissMs - 10_000);
    service.jobs.set('a', job);
    await clock.advance(10_000);
  }
  assert.deepEqual([givenUp, watcher.watched[0]?.misses, watcher.watched[0]?.missedSinceMs], [[], 0, undefined]);
});

test('a job without a creation time is polled, however old it is', async (context) => {
  const { clock, service, watcher, finished, givenUp, watch } = scene(context);
  for (let index = 0; index < 150; index++) service.set(`other${index}`, 'done', clock.now() - index * 1000);
  service.set('a', 'processing', clock.now() - 3_600_000);
  service.undated = true;
  watch('a', { createdAtMs: undefined });
  await clock.advance(3 * minuteMs);
  assert.deepEqual([givenUp, watcher.watched[0]?.undated], [[], true]);
  const { offset, limit, afterDate } = service.asked.at(-1)?.params ?? {};
  assert.deepEqual([offset, limit, afterDate], [99, 100, undefined]);
  service.set('a', 'done');
  await clock.advance(30_000);
  assert.deepEqual(finished, [['a done']]);
});

test('a job that never existed is given up, however long the list of all others is', async (context) => {
  const { clock, service, givenUp, watch } = scene(context);
  for (let index = 0; index < 2000; index++) service.set(`other${index}`, 'done', clock.now() - 3_600_000 - index);
  watch('a');
  await clock.advance(maxMissMs + 20_000);
  assert.deepEqual(givenUp, ['a gone']);
  assert.ok(service.asked.length < 40, String(service.asked.length));
});

test('a list whose end is never proved reports no job as gone', async (context) => {
  const { clock, service, watcher, givenUp, watch } = scene(context);
  for (let index = 0; index < 150; index++) service.set(`other${index}`, 'done', clock.now() - index);
  service.undated = true;
  watch('a', { createdAtMs: clock.now() });
  await clock.advance(10 * maxMissMs);
  assert.ok((watcher.watched[0]?.misses ?? 0) > maxMisses);
  assert.deepEqual(givenUp, []);
});

test('failed polls do not report a job as gone', async (context) => {
  const { clock, service, watcher, givenUp, watch } = scene(context);
  watch('a', { misses: 3 });
  service.failure = new Failure('offline');
  await clock.advance(60 * minuteMs);
  assert.deepEqual([givenUp, watcher.watched[0]?.misses], [[], 3]);
});

test('unchanged jobs are not stored again', async (context) => {
  const { clock, service, watch, changes } = scene(context);
  service.set('a', 'queued');
  watch('a');
  await clock.advance(10 * minuteMs);
  assert.ok(service.asked.length > 50);
  assert.equal(changes(), 1);
});

test('the number of watched jobs has a max, and stopped jobs are not polled', async (context) => {
  const { clock, service, watcher, watch } = scene(context);
  for (let index = 0; index < maxWatchedJobs; index++) assert.equal(watch(`j${index}`), 1);
  assert.equal(watch('one too many'), 0);
  assert.equal(watch('j1'), 1);
  watcher.stop(watcher.watched);
  await clock.advance(minuteMs);
  assert.deepEqual([service.asked.length, clock.pending], [0, 0]);
});

test('watching a job again changes nothing: its day does not start over', async (context) => {
  const { clock, service, watcher, givenUp, watch, changes } = scene(context);
  service.set('a', 'processing');
  watch('a');
  await clock.advance(maxWatchMs / 2);
  const [before] = watcher.watched;
  const changesBefore = changes();
  assert.equal(watch('a', { label: 'another name' }), 1);
  assert.equal(watcher.watched[0], before);
  assert.equal(changes(), changesBefore);
  await clock.advance(maxWatchMs / 2 + 6 * minuteMs);
  assert.deepEqual(givenUp, ['a tooLong']);
});

test('a session that ends during a poll leaves nothing behind', async (context) => {
  const { clock, watcher, watch } = scene(context);
  watch('a');
  watcher.dispose();
  await clock.advance(minuteMs);
  assert.equal(clock.pending, 0);
});

test('a listener that throws is logged and prevents no report', async (context) => {
  const { clock, service, log, watcher, finished, watch } = scene(context);
  const broken = (): void => {
    throw new Error('a bug');
  };
  watcher.onDidChange(broken);
  watcher.onDidFinish(broken);
  service.set('a', 'queued');
  assert.equal(watch('a'), 1);
  service.set('a', 'done');
  await clock.advance(3000);
  assert.deepEqual(finished, [['a done']]);
  assert.ok(log.lines.length > 1 && log.lines.every((line) => line.startsWith('error watch: Error: a bug')));
});

test('stored jobs are validated when they are read', () => {
  const kept = { connection: 'Work', origin: 'o', kind: 'live', id: 'a', label: 'a', sinceMs: 1, misses: 0 };
  const jobs = [{ ...kept, more: 1 }];
  assert.deepEqual(storedWatchedJobs.decode({ version: 1, jobs }), [
    { ...kept, createdAtMs: undefined, undated: undefined, missedSinceMs: undefined },
  ]);
  const missed = { ...kept, undated: true, missedSinceMs: 7, createdAtMs: undefined };
  assert.deepEqual(storedWatchedJobs.decode({ version: 1, jobs: [missed] }), [missed]);
  for (const broken of [1, [1], [{ ...kept, kind: 'other' }], [{ ...kept, sinceMs: '1' }]]) {
    assert.throws(() => storedWatchedJobs.decode({ version: 1, jobs: broken }), Undecodable);
  }
  for (const other of [undefined, null, {}, jobs, { version: 2, jobs }])
    assert.throws(() => storedWatchedJobs.decode(other), Undecodable);
});

test('a list without a proved end leaves the jobs that it did not return open', async () => {
  const jobs = Array.from({ length: 150 }, (_, index) => bareJob({ id: `j${index}` }));
  const source = (order: readonly Job[]): ListReader =>
    fakeReader(async (_endpoint, { offset = 0, limit = 20 }) => ({
      entries: order.slice(offset, offset + limit),
      hasMore: offset + limit < order.length,
      serviceDateMs: undefined,
      deviations: [],
    }));
  const watched: WatchedJob = {
    connection: 'Production',
    origin: 'https://api.example.com',
    kind: 'pre-recorded',
    id: 'gone',
    label: 'gone',
    sinceMs: 0,
    createdAtMs: undefined,
    misses: 0,
  };
  const never = new AbortController().signal;
  const absence = async (order: readonly Job[]): Promise<string> =>
    (await lookUpWatchedJobs(source(order), { kind: 'pre-recorded', params: {}, jobs: [watched] }, never)).absence;
  const newestMs = Date.UTC(2026, 10, 20);
  const dated = jobs.map((job, index) => ({
    ...job,
    createdAtMs: newestMs - index * 1000,
    completedAtMs: newestMs + ((index * 37) % 60) * 1000,
  }));
  // Undated jobs may change their order between two responses.
  assert.deepEqual(
    [await absence(jobs), await absence(jobs.slice(0, 90)), await absence(dated)],
    ['likely', 'proved', 'proved'],
  );
});

test('the oldest jobs of a batch of a thousand are found, and a service that ignores dates is not read further than usual', async (context) => {
  for (const ignoresDates of [false, true]) {
    const { clock, service, watcher } = scene(context);
    if (ignoresDates)
      for (let index = 0; index < 5000; index++) service.set(`old ${index}`, 'done', clock.now() - 86_400_000 - index);
    for (let index = 0; index < 1000; index++) service.set(`job ${index}`, 'done');
    const oldest = ['job 0', 'job 1'];
    for (const [index, id] of oldest.entries()) service.set(id, 'done', clock.now() - 1000 - index);
    const answer = service.answer.bind(service);
    if (ignoresDates) service.answer = async (endpoint, { afterDate: _after, ...params }) => answer(endpoint, params);
    const finished: string[] = [];
    watcher.onDidFinish((jobs) => finished.push(...jobs.map(({ watched }) => watched.id)));
    watcher.watch(
      oldest.map((id) => ({
        connection: 'Production',
        origin: 'https://api.example.com',
        kind: 'pre-recorded',
        id,
        label: id,
        sinceMs: clock.now(),
        createdAtMs: undefined,
        misses: 0,
      })),
    );
    await clock.advance(minuteMs);
    if (ignoresDates) assert.ok(service.asked.length <= 40, `${service.asked.length} requests`);
    assert.deepEqual(finished.toSorted(), oldest, String(ignoresDates));
    watcher.dispose();
  }
});
