import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hourMs, minuteMs } from '../../../../../src/base/time.ts';
import { buildAttention, type Attention } from '../../../../../src/features/attention/common/attention.ts';
import { nothingHandled } from '../../../../../src/features/attention/common/handledMarks.ts';
import { Failure } from '../../../../../src/base/failure.ts';
import { jobKey, type Job, type ListEntry } from '../../../../../src/jobs/common/job.ts';
import type { ListEndpoint, ListParams } from '../../../../../src/jobs/common/listParams.ts';
import { startSampleService } from '../../../../../src/sample/sampleService.ts';
import { AttentionReader } from '../../../../../src/features/attention/node/attentionReader.ts';
import type { Connection } from '../../../../../src/connections/common/connection.ts';
import type { ListPage } from '../../../../../src/jobs/common/decodePage.ts';
import { bareJob } from '../../../../support/builders/bareJob.ts';
import { FakeClock } from '../../../../support/fakeClock/fakeClock.ts';
import { faultRun } from '../../../../support/faults/faultRun.ts';
import { fakeReader } from '../../../../support/lists/fakeLists.ts';

const nowMs = new FakeClock().now();
const never = new AbortController().signal;
const byKind = { limit: 20, listSource: 'byKind' } as const;

interface Asked {
  readonly endpoint: ListEndpoint;
  readonly params: ListParams;
}

/** Returns the response of a service to a request, given the page that a correct service would send. */
type Habit = (asked: Asked, page: (params: ListParams) => ListPage) => ListPage;

interface Given {
  readonly habit?: Habit;
  readonly connection?: Pick<Connection, 'limit' | 'listSource'>;
  /** How far the service's clock is ahead of ours; undefined if its responses have no date. */
  readonly aheadMs?: number | undefined;
}

/** Creates a reader of a service that lists these jobs in this order. */
function scene(jobs: readonly Job[], { habit, connection = byKind, ...given }: Given = {}) {
  const asked: Asked[] = [];
  const aheadMs = 'aheadMs' in given ? given.aheadMs : 0;
  const clock = new FakeClock();
  const source = fakeReader(async (endpoint, params) => {
    asked.push({ endpoint, params });
    const pageOf = ({ offset = 0, limit = 20, statuses = [], kinds = [] }: ListParams): ListPage => {
      const matching = jobs.filter(
        ({ kind, status }) =>
          statuses.some((each) => each === status) && (kind === endpoint || kinds.some((each) => each === kind)),
      );
      return {
        entries: matching.slice(offset, offset + limit),
        hasMore: offset + limit < matching.length,
        serviceDateMs: aheadMs === undefined ? undefined : clock.now() + aheadMs,
        deviations: [],
      };
    };
    return habit === undefined ? pageOf(params) : habit({ endpoint, params }, pageOf);
  });
  const reader = new AttentionReader(source, connection, clock);
  return { source, asked, clock, reader, read: (isWhole = true) => readWith(reader, isWhole) };
}

/** Reads, and returns the jobs that need attention, including failures of any age. */
async function readWith(reader: AttentionReader, isWhole = true, overdueMinutes = 10): Promise<Attention> {
  const failure = await reader.read(isWhole, overdueMinutes === 0, never);
  return buildAttention({
    ...reader.lists(overdueMinutes),
    marks: { ...nothingHandled, sinceMs: 0 },
    partlyFailed: [],
    unknown: [],
    failure: failure && { failure, sinceMs: 0 },
  });
}

function at(id: string, status: string, agoMs: number, changes: Partial<Job> = {}): Job {
  const createdAtMs = nowMs - agoMs;
  const completedAtMs = status === 'done' || status === 'error' ? createdAtMs + 1000 : undefined;
  return bareJob({ id, status, kind: 'pre-recorded', createdAtMs, completedAtMs, ...changes });
}

const many = (count: number, status: string, prefix = status): readonly Job[] =>
  Array.from({ length: count }, (_, place) => at(`${prefix}${place}`, status, hourMs + place * 1000));

describe('AttentionReader', () => {
  it('reads both lists of each kind completely, without conditions on time', async () => {
    const { read, asked } = scene([...many(150, 'queued'), ...many(230, 'error')]);
    const { amounts } = await read();
    assert.deepEqual(
      [amounts.overdue, amounts.failures],
      [
        { count: 150, isExact: true },
        { count: 230, isExact: true },
      ],
    );
    assert.ok(asked.some(({ params }) => params.statuses?.join() === 'queued,processing' && params.offset === 99));
    const { read: again, asked: pages } = scene(many(20, 'error'));
    await again(false);
    const lines = pages.map(
      ({ endpoint, params: { statuses, offset, limit } }) => `${endpoint} ${statuses?.join()} ${offset} ${limit}`,
    );
    assert.deepEqual(lines.toSorted(), [
      'live error 0 100',
      'live queued,processing 0 100',
      'pre-recorded error 0 100',
      'pre-recorded queued,processing 0 100',
    ]);
  });

  it('reads one list of both kinds if the connection has one', async () => {
    const jobs = [at('a', 'error', hourMs), at('b', 'error', hourMs, { kind: 'live' }), at('c', 'queued', hourMs)];
    const { read, asked } = scene(jobs, { connection: { limit: 20, listSource: 'combined' } });
    const { amounts } = await read();
    assert.deepEqual(amounts.total, { count: 3, isExact: true });
    assert.deepEqual(new Set(asked.map(({ endpoint }) => endpoint)), new Set(['combined']));
    // Until a list has had jobs of two statuses and kinds, each of them is also requested separately.
    assert.ok(asked.every(({ params }) => params.kinds?.length === 2 || params.statuses?.length === 1));
    assert.equal(
      asked.filter(({ params: { offset, statuses } }) => offset === 0 && statuses?.[0] === 'error').length,
      1,
    );
  });

  it('shows at least a thousand jobs if there are more, and all if there are exactly a thousand', async () => {
    const full = await scene(many(1000, 'error')).read();
    assert.deepEqual(full.amounts.failures, { count: 1000, isExact: true });
    const { read, asked } = scene([...many(1001, 'error'), ...many(1500, 'queued')]);
    const { amounts, overdueGaps } = await read();
    assert.deepEqual(
      [amounts.failures, amounts.overdue],
      [
        { count: 1000, isExact: false },
        { count: 1000, isExact: false },
      ],
    );
    assert.deepEqual(overdueGaps, ['cut']);
    assert.ok(asked.length < 40, `${asked.length} requests`);
  });

  it('does not report that nothing is overdue if the oldest jobs were not read', async () => {
    const young = Array.from({ length: 1200 }, (_, place) => at(`y${place}`, 'queued', place));
    const attention = await scene([...young, at('stuck', 'queued', 5 * hourMs)]).read();
    assert.deepEqual(attention.amounts.overdue, { count: 0, isExact: false });
    assert.ok(attention.isOverdueUnknown);
  });

  it('does not report a complete list if its end is not proven or an item cannot be read', async () => {
    const jobs = many(150, 'error');
    const stuck = scene(jobs, {
      habit: ({ params }, page) => ((params.offset ?? 0) > 0 ? page({ ...params, offset: 0 }) : page(params)),
    });
    const { amounts } = await stuck.read();
    assert.ok(!amounts.failures.isExact && amounts.failures.count >= 100);
    const unreadable: ListEntry = { type: 'unreadable', raw: '7' };
    const odd = scene(many(5, 'error'), {
      habit: ({ params }, page) => ({ ...page(params), entries: [...page(params).entries, unreadable] }),
    });
    const { amounts: some, mayHaveUnread } = await odd.read();
    assert.deepEqual([some.failures.count, some.failures.isExact, mayHaveUnread], [5, false, false]);
  });

  it('does not report that nothing failed if a service uses another name for failures', async () => {
    const { read } = scene(many(5, 'error'), {
      habit: ({ params }, page) => {
        const { entries, ...others } = page(params);
        return {
          ...others,
          entries: entries.map((each) => (each.type === 'job' ? { ...each, status: 'failed' } : each)),
        };
      },
    });
    assert.deepEqual((await read()).amounts.failures, { count: 0, isExact: false });
  });

  it('shows a job once, in the state of its own endpoint, if an endpoint also lists other kinds', async () => {
    const own = at('own', 'queued', hourMs, { kind: 'live' });
    const both: Habit = ({ endpoint, params }, page) => {
      const { entries, ...others } = page(params);
      const isFailed = params.statuses?.includes('error') === true;
      const foreign =
        isFailed && endpoint === 'pre-recorded'
          ? [{ ...own, status: 'error' }, at('other', 'error', hourMs, { kind: 'live' })]
          : [];
      return { ...others, entries: [...entries, ...foreign] };
    };
    const { overdue, groups } = await scene([own], { habit: both }).read();
    assert.deepEqual(
      [overdue, groups.flatMap(({ jobs }) => jobs)].map((jobs) => jobs.map(({ id }) => id)),
      [['own'], ['other']],
    );
  });

  it('keeps at most fifty million characters of a list, with a plus', async () => {
    const raw = `"${'x'.repeat(1_000_000)}"`;
    const { amounts } = await scene(many(300, 'error').map((job) => ({ ...job, raw }))).read();
    assert.deepEqual(amounts.failures, { count: 100, isExact: false });
  });

  it('keeps the jobs read so far if the service rejects further pages, with a plus', async () => {
    const refused = scene(many(500, 'error'), {
      habit: ({ params }, page) => {
        if ((params.offset ?? 0) > 250) throw new Failure('rejected', { status: 422 });
        return page(params);
      },
    });
    const { amounts, failure } = await refused.read();
    assert.ok(amounts.failures.count >= 200 && !amounts.failures.isExact, JSON.stringify(amounts));
    assert.equal(failure, undefined);
  });

  it('counts the other lists if one fails, with a plus, and reports the failure', async () => {
    const { read } = scene([at('bad', 'error', hourMs), at('late', 'queued', hourMs)], {
      habit: ({ endpoint, params }, page) => {
        if (endpoint === 'live' && params.statuses?.[0] === 'error') throw new Failure('serverFailed', { status: 500 });
        return page(params);
      },
    });
    const { amounts, failure } = await read();
    assert.equal(failure?.failure.code, 'serverFailed');
    assert.deepEqual(amounts, {
      overdue: { count: 1, isExact: true },
      failures: { count: 1, isExact: false },
      total: { count: 2, isExact: false },
    });
  });

  it('keeps the earlier jobs when a reading fails, with a plus', async () => {
    let isDown = false;
    const { read } = scene([at('bad', 'error', hourMs)], {
      habit: ({ params }, page) => {
        if (isDown) throw new Failure('offline');
        return page(params);
      },
    });
    assert.deepEqual((await read()).amounts.failures, { count: 1, isExact: true });
    isDown = true;
    assert.deepEqual((await read()).amounts.failures, { count: 1, isExact: false });
  });

  it('ignores a kind that the service does not have, unless it has neither', async () => {
    const habit: Habit = ({ endpoint, params }, page) => {
      if (endpoint === 'live') throw new Failure('notFound', { status: 404 });
      return page(params);
    };
    const { amounts, failure } = await scene([at('bad', 'error', hourMs)], { habit }).read();
    assert.deepEqual([amounts.total, failure], [{ count: 1, isExact: true }, undefined]);
    const none = await scene([], {
      habit: () => {
        throw new Failure('notFound', { status: 404 });
      },
    }).read();
    assert.equal(none.failure?.failure.code, 'notFound');
  });

  it('does not ignore a kind that the service has had before', async () => {
    let isGone = false;
    const { read } = scene([at('bad', 'error', hourMs)], {
      habit: ({ endpoint, params }, page) => {
        if (isGone && endpoint === 'live') throw new Failure('notFound', { status: 404 });
        return page(params);
      },
    });
    await read();
    isGone = true;
    for (let time = 0; time < 2; time++)
      assert.deepEqual((await read()).amounts, {
        overdue: { count: 0, isExact: false },
        failures: { count: 1, isExact: false },
        total: { count: 1, isExact: false },
      });
  });

  it('reports that overdue jobs are unknown if the service rejects their list, and requests it again with a full reading', async () => {
    const { read, asked } = scene([at('bad', 'error', hourMs)], {
      habit: ({ params }, page) => {
        if (params.statuses?.includes('queued') === true) throw new Failure('rejected', { status: 400 });
        return page(params);
      },
    });
    const { isOverdueUnknown, overdueGaps, amounts } = await read();
    assert.deepEqual([isOverdueUnknown, overdueGaps], [true, ['refused']]);
    assert.deepEqual(amounts.failures, { count: 1, isExact: true });
    asked.length = 0;
    await read(false);
    assert.ok(!asked.some(({ params }) => params.statuses?.includes('queued') === true));
    await read();
    assert.ok(asked.some(({ params }) => params.statuses?.includes('queued') === true));
  });

  for (const [which, taken] of [
    ['first', 0],
    ['last', -1],
  ] as const) {
    it(`does not report that nothing is overdue if a service uses only the ${which} status`, async () => {
      const habit: Habit = ({ params }, page) =>
        page({
          ...params,
          statuses: [params.statuses?.at(taken) ?? 'done'],
          ...(params.kinds && { kinds: [params.kinds.at(taken) ?? 'live'] }),
        });
      for (const status of ['queued', 'processing']) {
        const alone = await scene([at('stuck', status, hourMs)], { habit }).read();
        const { count, isExact } = alone.amounts.overdue;
        assert.ok(count === 1 || !isExact, status);
        for (const kind of ['live', 'pre-recorded']) {
          const combined = { limit: 20, listSource: 'combined' } as const;
          const both = await scene([at('stuck', status, hourMs, { kind })], { habit, connection: combined }).read();
          assert.ok(both.amounts.overdue.count === 1 || !both.amounts.overdue.isExact, `${kind} ${status}`);
        }
      }
      assert.deepEqual((await scene([], { habit }).read()).amounts.overdue, { count: 0, isExact: true });
    });
  }

  it('finds overdue jobs by the clock of the service', async () => {
    const slow = at('slow', 'processing', 11 * minuteMs);
    const quick = at('quick', 'queued', 9 * minuteMs);
    for (const aheadMs of [0, 5 * hourMs, -30 * hourMs]) {
      const moved = [slow, quick].map((job) => ({ ...job, createdAtMs: (job.createdAtMs ?? 0) + aheadMs }));
      const { overdue, amounts } = await scene(moved, { aheadMs }).read();
      assert.deepEqual([overdue.map(({ id }) => id), amounts.overdue.isExact], [['slow'], true]);
    }
  });

  it('does not report overdue jobs because our clock is ahead of a service whose responses have no date', async () => {
    const ahead = 5 * hourMs;
    const jobs = [
      at('done', 'error', ahead + minuteMs),
      at('stuck', 'queued', ahead + 20 * minuteMs),
      at('new', 'queued', ahead + 2 * minuteMs),
    ];
    const { read, clock } = scene(jobs, { aheadMs: undefined });
    const { overdue, amounts } = await read();
    assert.deepEqual([overdue.map(({ id }) => id), amounts.overdue.isExact], [['stuck'], false]);
    await clock.advance(9 * minuteMs);
    assert.equal((await read()).overdue.length, 2, 'time passes there, too');
  });

  it('measures with one page of the last two hundred finished jobs, once a day', async () => {
    const { reader, asked, clock } = scene([...many(300, 'done'), at('slow', 'queued', 11 * minuteMs)]);
    const samples = (): readonly Asked[] => asked.filter(({ params }) => params.statuses?.includes('done'));
    const { limits } = await readWith(reader, true, 0);
    assert.deepEqual(limits.get('pre-recorded'), {
      type: 'measured',
      afterMs: 10 * minuteMs,
      p95Ms: 1000,
      finished: 200,
      isNewest: true,
    });
    assert.deepEqual(limits.get('live'), { type: 'unmeasured', afterMs: 10 * minuteMs, finished: 0 });
    assert.deepEqual(
      samples().map(({ endpoint, params }) => [endpoint, params.limit, params.beforeDate]),
      [
        ['pre-recorded', 200, undefined],
        ['live', 200, undefined],
      ],
    );
    await readWith(reader, true, 0);
    assert.equal(samples().length, 2);
    await clock.advance(24 * hourMs);
    await readWith(reader, false, 0);
    assert.equal(samples().length, 4);
  });

  it('reports that nothing could be measured if the service lists no finished jobs', async () => {
    const { reader } = scene([at('slow', 'queued', 2 * hourMs)], {
      habit: ({ params }, page) => {
        if (params.statuses?.includes('done') === true) throw new Failure('rejected', { status: 400 });
        return page(params);
      },
    });
    const { overdueGaps, isOverdueUnknown } = await readWith(reader, true, 0);
    assert.deepEqual([overdueGaps, isOverdueUnknown], [['unmeasured'], true]);
  });

  it('drops jobs missing from a first page that is the complete list, and keeps jobs that may follow a longer one', async () => {
    const few = [at('a', 'queued', hourMs), at('b', 'queued', hourMs)];
    const small = scene(few);
    await small.read();
    few.splice(0, 1);
    assert.deepEqual(
      (await small.read(false)).overdue.map(({ id }) => id),
      ['b'],
    );
    const lots = [...many(150, 'queued')];
    const large = scene(lots);
    await large.read();
    lots.splice(100, 1);
    assert.deepEqual((await large.read(false)).amounts.overdue, { count: 150, isExact: false });
    assert.deepEqual((await large.read()).amounts.overdue, { count: 149, isExact: true });
  });

  it('keeps exact counts with first pages that are the whole lists, and reads a list in full again when it changes', async () => {
    const jobs = [at('bad', 'error', hourMs), at('stuck', 'processing', hourMs)];
    const { read, asked } = scene(jobs);
    await read();
    asked.length = 0;
    assert.deepEqual((await read(false)).amounts.total, { count: 2, isExact: true });
    assert.equal(asked.length, 4, 'one request per list');
    jobs.unshift(at('next', 'error', minuteMs));
    assert.deepEqual((await read(false)).amounts.failures, { count: 2, isExact: true });
    jobs.splice(1, 2, ...many(150, 'error'));
    const { failures, overdue } = (await read(false)).amounts;
    assert.deepEqual(overdue, { count: 0, isExact: true });
    assert.equal(failures.isExact, false);
  });

  it('reports each page to the lists before it adopts their newer states', async () => {
    const { source, clock } = scene([at('again', 'error', hourMs)]);
    const reported: string[] = [];
    let open = 0;
    const reader = new AttentionReader(source, byKind, clock, () => {
      open++;
      return (jobs) => {
        open--;
        reported.push(...jobs.map(jobKey));
      };
    });
    await reader.read(true, false, never);
    assert.deepEqual([open, new Set(reported)], [0, new Set(['pre-recorded/again'])]);
    const known = at('again', 'queued', hourMs, { raw: '{"id":"again","version":2}' });
    assert.equal(
      reader.adopt((_kind, id) => (id === known.id ? known : undefined)),
      true,
    );
    assert.deepEqual(reader.lists(10).jobs, [known]);
    assert.equal(
      reader.adopt(() => known),
      false,
    );
  });

  it('finds a late failure over HTTP, with pages that the service shortens', async (context) => {
    let serviceNow = Date.UTC(2026, 10, 20, 12);
    const service = await startSampleService({ count: 0, clock: () => serviceNow });
    context.after(() => service.stop());
    const run = faultRun(service.baseUrl, 30_000, service.key);
    context.after(() => run.client.dispose());
    const iso = (ms: number): string => new Date(ms).toISOString();
    for (let place = 0; place < 260; place++) {
      const createdAt = serviceNow - place * minuteMs;
      service.add({ createdAt, status: 'error', fields: { completed_at: iso(createdAt + 1000) } });
    }
    const id = service.add({ createdAt: serviceNow - 40 * hourMs, status: 'processing' });
    const reader = new AttentionReader(run.lists, byKind, new FakeClock());
    const first = await readWith(reader);
    assert.deepEqual([first.overdue.map((job) => job.id), first.amounts.total], [[id], { count: 261, isExact: true }]);
    serviceNow += 36 * hourMs;
    service.setStatus(id, 'error');
    const second = await readWith(reader);
    assert.deepEqual([second.overdue, second.amounts.total], [[], { count: 261, isExact: true }]);
    assert.ok(second.groups.some(({ jobs }) => jobs.some((job) => job.id === id)));
    service.setStatus(id, 'queued');
    assert.deepEqual(
      (await readWith(reader)).overdue.map((job) => job.id),
      [id],
    );
  });
});
