import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { foldHandled, type HandledRecord } from '../../../../src/domain/attention/handledMarks.ts';
import { isUnfinished, jobKinds, jobKey, type Job, type JobKind } from '../../../../src/domain/jobs/job.ts';
import type { ListEndpoint, ListParams } from '../../../../src/domain/jobs/listParams.ts';
import { AttentionMonitor } from '../../../../src/service/attention/attentionMonitor.ts';
import { bareJob } from '../../../support/builders/bareJob.ts';
import { FakeClock } from '../../../support/fakeClock/fakeClock.ts';
import { workConnection as connection } from '../../../support/builders/workConnection.ts';
import { KeptLog } from '../../../support/keptLog.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';
import { memoryHandled } from '../../../support/states/memoryHandled.ts';
import { JsonMemory } from '../../../support/states/jsonMemory.ts';
import { fakeReader } from '../../../support/lists/fakeLists.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** What a service makes of a query. */
interface Habits {
  readonly order: 'newest' | 'oldest' | 'id';
  readonly statuses: 'all' | 'first' | 'last';
  readonly beforeDate: 'creation' | 'ignored';
  readonly afterDate: 'creation' | 'completion' | 'ignored';
  readonly pageSize: number;
  readonly aheadMs: number;
  readonly tellsTime: boolean;
}

const usual: Habits = {
  order: 'newest',
  statuses: 'all',
  beforeDate: 'creation',
  afterDate: 'creation',
  pageSize: 200,
  aheadMs: 0,
  tellsTime: true,
};

/** A service with such habits, and a monitor of it. */
function scene(habits: Habits = usual) {
  const clock = new FakeClock();
  const memory = new JsonMemory();
  const jobs = new Map<string, Job>();
  const marked: HandledRecord[] = [];
  const asked: (ListParams & { readonly endpoint: ListEndpoint })[] = [];
  const now = (): number => clock.now() + habits.aheadMs;
  const isListed = (
    job: Job,
    endpoint: ListEndpoint,
    { statuses = [], beforeDate, afterDate }: ListParams,
  ): boolean => {
    const { createdAtMs = 0, completedAtMs = Infinity } = job;
    const counted =
      habits.statuses === 'all' ? statuses : habits.statuses === 'first' ? statuses.slice(0, 1) : statuses.slice(-1);
    const beforeMs = beforeDate === undefined || habits.beforeDate === 'ignored' ? Infinity : Date.parse(beforeDate);
    const afterMs = afterDate === undefined || habits.afterDate === 'ignored' ? -Infinity : Date.parse(afterDate);
    return (
      job.kind === endpoint &&
      (counted.length === 0 || counted.some((each) => each === job.status)) &&
      createdAtMs < beforeMs &&
      (habits.afterDate === 'completion' ? completedAtMs : createdAtMs) > afterMs
    );
  };
  const compare = (a: Job, b: Job): number =>
    habits.order === 'id'
      ? a.id.localeCompare(b.id)
      : ((b.createdAtMs ?? 0) - (a.createdAtMs ?? 0)) * (habits.order === 'newest' ? 1 : -1);
  const source = fakeReader(async (endpoint, params) => {
    asked.push({ endpoint, ...params });
    const matching = [...jobs.values()].filter((job) => isListed(job, endpoint, params)).toSorted(compare);
    const { offset = 0, limit = 20 } = params;
    const end = offset + Math.min(limit, habits.pageSize);
    return {
      entries: matching.slice(offset, end),
      hasMore: end < matching.length,
      serviceDateMs: habits.tellsTime ? Math.floor(now() / 1000) * 1000 : undefined,
      deviations: [],
    };
  });
  const open = (): AttentionMonitor => {
    const monitor = new AttentionMonitor({
      clock,
      log: new KeptLog(),
      settings: () => ({ enabled: true, intervalMs: 15_000, overdueMinutes: 30, listSource: 'byKind' }),
      state: memory,
      handled: memoryHandled(marked, clock),
      partlyFailed: () => [],
      submissions: async () => [],
    });
    // A source of its own, as each session has.
    monitor.use({ connection, source: source.with({}) });
    return monitor;
  };
  let made = 0;
  return {
    clock,
    jobs,
    asked,
    marked,
    now,
    open,
    add: (status: string, ageMs: number, ranMs: number, kind: JobKind = 'pre-recorded'): Job => {
      const createdAtMs = now() - ageMs;
      const isOver = !isUnfinished({ status });
      const completedAtMs = isOver ? Math.min(createdAtMs + ranMs, now()) : undefined;
      // Scattered, for the order by it.
      const id = `${String((++made * 7919) % 1009).padStart(4, '0')}-${made}`;
      const job = bareJob({ id, kind, status, createdAtMs, completedAtMs });
      jobs.set(jobKey(job), job);
      return job;
    },
    end: (job: Job, status: string): void =>
      void jobs.set(jobKey(job), {
        ...job,
        status,
        completedAtMs: now(),
        errorCode: status === 'error' ? 504 : undefined,
      }),
  };
}

function shownBy(monitor: AttentionMonitor): readonly string[] {
  return (monitor.attention?.groups ?? []).flatMap((group) => group.jobs.map(jobKey)).toSorted();
}

describe('A job that fails after more than a day', () => {
  it('moves from the overdue jobs to the failures, with one more request in that reading', async () => {
    const { clock, asked, add, end, open } = scene();
    for (let hours = 1; hours <= 20; hours++) add(hours % 4 === 0 ? 'error' : 'done', hours * hourMs, minuteMs);
    const stuck = add('processing', 3 * dayMs, 0);
    const monitor = open();
    await monitor.refresh();
    assert.deepEqual(monitor.attention?.amounts.total, { count: 6, isExact: true });
    await clock.advance(minuteMs);
    asked.length = 0;
    await monitor.refresh();
    assert.equal(asked.length, 4, 'two requests a kind while nothing happens');
    end(stuck, 'error');
    await clock.advance(minuteMs);
    asked.length = 0;
    await monitor.refresh();
    assert.equal(asked.length, 5);
    assert.ok(shownBy(monitor).includes(jobKey(stuck)));
    assert.deepEqual(monitor.attention.amounts.total, { count: 6, isExact: true });
    await clock.advance(minuteMs);
    asked.length = 0;
    await monitor.refresh();
    assert.equal(asked.length, 4);
    assert.ok(shownBy(monitor).includes(jobKey(stuck)));
    await monitor.markHandled(monitor.attention.groups.flatMap(({ jobs }) => jobs));
    await clock.advance(minuteMs);
    await monitor.refresh();
    assert.equal(monitor.attention, undefined, 'it can be handled');
    monitor.dispose();
  });

  it('is found among older failures where it failed before the first look, with a plus until all were read', async () => {
    const { clock, asked, add, open } = scene({ ...usual, pageSize: 20 });
    for (let days = 3; days < 60; days++) add('error', days * dayMs, minuteMs);
    add('done', hourMs, minuteMs);
    const late = add('error', 50.5 * dayMs, 50 * dayMs);
    const recent = add('error', hourMs, minuteMs);
    const monitor = open();
    await monitor.refresh();
    assert.deepEqual(shownBy(monitor), [jobKey(recent)]);
    assert.deepEqual(monitor.attention?.amounts.total, { count: 1, isExact: false });
    for (let rounds = 0; rounds < 5; rounds++) {
      await clock.advance(minuteMs);
      asked.length = 0;
      await monitor.refresh();
      assert.ok(asked.length <= 5, 'one page a reading');
    }
    assert.equal(asked.length, 4);
    assert.deepEqual(shownBy(monitor), [late, recent].map(jobKey).toSorted());
    assert.deepEqual(monitor.attention.amounts.total, { count: 2, isExact: true });
    monitor.dispose();
  });

  it('is asked about with at most four others a reading, with a plus until each was', async () => {
    const { clock, asked, add, end, open } = scene();
    add('done', hourMs, minuteMs);
    add('error', hourMs, minuteMs);
    const stuck = Array.from({ length: 10 }, (_, place) => add('queued', 3 * dayMs + place * minuteMs, 0));
    const monitor = open();
    await monitor.refresh();
    for (const [place, job] of stuck.entries()) end(job, place === 9 ? 'error' : 'done');
    const claims: boolean[] = [];
    for (let rounds = 0; rounds < 4; rounds++) {
      await clock.advance(minuteMs);
      asked.length = 0;
      await monitor.refresh();
      assert.ok(asked.length <= 4 + 4);
      claims.push(monitor.attention?.amounts.failures.isExact ?? false);
    }
    assert.deepEqual(claims, [false, false, true, true]);
    assert.equal(shownBy(monitor).length, 2);
    monitor.dispose();
  });

  it('leaves a plus only until failures of any age were read again where it is gone', async () => {
    const { clock, jobs, asked, add, open } = scene();
    add('error', hourMs, minuteMs);
    const stuck = add('queued', 3 * dayMs, 0);
    const monitor = open();
    await monitor.refresh();
    jobs.delete(jobKey(stuck));
    const claims: boolean[] = [];
    for (let rounds = 0; rounds < 5; rounds++) {
      await clock.advance(minuteMs);
      asked.length = 0;
      await monitor.refresh();
      claims.push(monitor.attention?.amounts.total.isExact ?? false);
    }
    assert.deepEqual(claims, [false, false, true, true, true]);
    assert.equal(asked.length, 4);
    monitor.dispose();
  });
});

const habits = fc.record<Habits>({
  order: fc.constantFrom('newest', 'newest', 'newest', 'oldest', 'id'),
  statuses: fc.constantFrom('all', 'all', 'all', 'first', 'last'),
  beforeDate: fc.constantFrom('creation', 'creation', 'creation', 'ignored'),
  afterDate: fc.constantFrom('creation', 'creation', 'completion', 'ignored'),
  pageSize: fc.constantFrom(200, 20, 5),
  aheadMs: fc.constantFrom(0, 3 * hourMs, -26 * hourMs, 26 * hourMs),
  tellsTime: fc.constantFrom(true, true, false),
});
const hours = fc.constantFrom<number[]>(0.1, 1, 5, 22, 30, 50, 75, 200);
const job = fc.record({
  status: fc.constantFrom('done', 'error', 'error', 'queued', 'processing'),
  age: hours,
  ran: hours,
  kind: fc.constantFrom(...jobKinds),
});
const step = fc.oneof(
  fc.record({ type: fc.constant('add' as const), jobs: fc.array(job, { maxLength: 6 }) }),
  fc.record({
    type: fc.constant('end' as const),
    every: fc.integer({ min: 1, max: 3 }),
    status: fc.constantFrom('done', 'error'),
  }),
  fc.record({ type: fc.constant('gone' as const) }),
  fc.record({ type: fc.constant('mark' as const), every: fc.integer({ min: 1, max: 2 }) }),
  fc.record({ type: fc.constant('elsewhere' as const) }),
  fc.record({ type: fc.constant('undo' as const) }),
  fc.record({ type: fc.constant('session' as const) }),
  fc.record({ type: fc.constant('wait' as const), hours }),
);

it('property: each new failure is shown, however long its job ran, or the number says that it is not all', async () => {
  const seen = { exact: 0, late: 0, open: 0 };
  await fc.assert(
    fc.asyncProperty(
      habits,
      fc.array(job, { maxLength: 30 }),
      fc.array(step, { maxLength: 12 }),
      async (given, first, steps) => {
        const { clock, jobs, asked, marked, now, add, end, open } = scene(given);
        const addAll = (many: typeof first): void => {
          for (const { status, age, ran, kind } of many) add(status, age * hourMs, ran * hourMs, kind);
        };
        addAll(first);
        let monitor = open();
        let acts = 0;
        for (const each of [...steps, { type: 'wait', hours: 0.1 } as const]) {
          const unfinished = [...jobs.values()].filter(isUnfinished);
          const shown = monitor.attention?.groups.flatMap((group) => group.jobs) ?? [];
          // What comes later is new, whatever its age at the start would have been.
          if (each.type === 'add') addAll(each.jobs.map((one) => ({ ...one, age: 0 })));
          if (each.type === 'end')
            for (const [place, one] of unfinished.entries()) if (place % each.every === 0) end(one, each.status);
          if (each.type === 'gone') for (const one of unfinished.slice(0, 1)) jobs.delete(jobKey(one));
          if (each.type === 'mark')
            await monitor.markHandled(
              shown.filter((_job, place) => place % each.every === 0),
              `act ${acts++}`,
            );
          if (each.type === 'undo') await monitor.undoHandled();
          if (each.type === 'wait') await clock.advance(each.hours * hourMs);
          // A window that has read everything moves the time on from which failures are new.
          if (each.type === 'elsewhere') marked.push({ type: 'since', sinceMs: now() - dayMs, act: `act ${acts++}` });
          if (each.type === 'session') {
            monitor.dispose();
            monitor = open();
          }
          for (let reading = 0; reading < 3; reading++) {
            await clock.advance(1000);
            asked.length = 0;
            await monitor.refresh();
            const most = jobKinds.length * (2 + 2 + 4 + 1);
            assert.ok(asked.length <= most, `${asked.length} requests`);
            const { attention } = monitor;
            // Nothing is said.
            if (attention === undefined) continue;
            if (!attention.amounts.failures.isExact) {
              assert.ok(!attention.amounts.total.isExact);
              seen.open++;
              continue;
            }
            seen.exact++;
            const handled = foldHandled(marked).jobs;
            const truth = [...jobs.values()].filter(
              (one) =>
                one.status === 'error' &&
                (one.completedAtMs ?? 0) >= attention.sinceMs + 1000 &&
                (handled.get(jobKey(one))?.failedAtMs ?? -Infinity) < (one.completedAtMs ?? 0),
            );
            const there = new Set(shownBy(monitor));
            assert.deepEqual(
              truth.filter((one) => !there.has(jobKey(one))),
              [],
              'all of them',
            );
            if (truth.some(({ createdAtMs = 0 }) => createdAtMs < attention.sinceMs - dayMs)) seen.late++;
          }
        }
        monitor.dispose();
      },
    ),
    { numRuns: propertyRuns },
  );
  assert.ok(seen.exact > 0 && seen.late > 0 && seen.open > 0, JSON.stringify(seen));
});
