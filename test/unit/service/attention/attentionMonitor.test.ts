import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { HandledRecord } from '../../../../src/domain/attention/handledMarks.ts';
import { Failure } from '../../../../src/domain/failure.ts';
import type { Job } from '../../../../src/domain/jobs/job.ts';
import type { ListEndpoint, ListParams } from '../../../../src/domain/jobs/listParams.ts';
import type { Submission } from '../../../../src/domain/submission/submission.ts';
import { AttentionMonitor, type AttentionSettings } from '../../../../src/service/attention/attentionMonitor.ts';
import { bareJob } from '../../../support/builders/bareJob.ts';
import { FakeClock } from '../../../support/fakeClock/fakeClock.ts';
import { workConnection as connection } from '../../../support/builders/workConnection.ts';
import { KeptLog } from '../../../support/keptLog.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';
import { memoryHandled } from '../../../support/states/memoryHandled.ts';
import { JsonMemory } from '../../../support/states/jsonMemory.ts';
import { aSubmission } from '../submit/aSubmission.ts';
import { fakeReader } from '../../../support/lists/fakeLists.ts';

const minuteMs = 60_000;
const interval = 15_000;

/** A monitor of an in-memory service, watched by default. */
function scene(given: Partial<AttentionSettings> = {}, memory = new JsonMemory()) {
  const clock = new FakeClock();
  const settings: AttentionSettings = {
    intervalMs: interval,
    overdueMinutes: 0,
    ...given,
  };
  const jobs: Job[] = [];
  const sent: Submission[] = [];
  const asked: (ListParams & { readonly endpoint: ListEndpoint })[] = [];
  const told: number[] = [];
  const marked: HandledRecord[] = [];
  let failure: Failure | undefined;
  const source = fakeReader(async (endpoint, params) => {
    asked.push({ endpoint, ...params });
    if (failure !== undefined) throw failure;
    const { statuses = [], offset = 0, limit = 20, beforeDate } = params;
    const matching = jobs.filter(
      ({ kind, status, createdAtMs = 0 }) =>
        kind === endpoint &&
        statuses.some((each) => each === status) &&
        (beforeDate === undefined || createdAtMs < Date.parse(beforeDate)),
    );
    return {
      entries: matching.slice(offset, offset + limit),
      hasMore: offset + limit < matching.length,
      serviceDateMs: clock.now(),
      deviations: [],
    };
  });
  const monitor = new AttentionMonitor({
    clock,
    log: new KeptLog(),
    settings: () => settings,
    state: memory,
    handled: memoryHandled(marked, clock),
    partlyFailed: () => jobs.filter(({ raw }) => raw.includes('failed')),
    submissions: async () => sent,
  });
  monitor.onDidBecomeOverdue(({ overdue }) => told.push(overdue.length));
  monitor.use({ connection, source });
  const job = (id: string, status: string, agoMs: number, changes: Partial<Job> = {}): Job => {
    const made = bareJob({ id, status, kind: 'pre-recorded', createdAtMs: clock.now() - agoMs, ...changes });
    jobs.unshift(made);
    return made;
  };
  return {
    clock,
    monitor,
    source,
    jobs,
    sent,
    asked,
    told,
    job,
    /** Completes the next due reading. */
    look: async (ms = 0): Promise<void> => {
      // Readings in quick succession are combined into one.
      await clock.advance(Math.max(ms, 1000));
      await monitor.refresh();
    },
    fail: (given?: Failure) => (failure = given),
    ids: () => ({
      overdue: monitor.attention?.overdue.map(({ id }) => id) ?? [],
      failed: monitor.attention?.groups.flatMap((group) => group.jobs.map(({ id }) => id)) ?? [],
    }),
  };
}

describe('AttentionMonitor', () => {
  it('asks for all kinds at once where the connection reads them so', async () => {
    const { monitor, asked, source, look } = scene();
    monitor.use({ connection: { ...connection, listSource: 'combined' }, source: source.with({}) });
    monitor.setWatched(true, true);
    await look();
    assert.deepEqual(new Set(asked.map(({ endpoint }) => endpoint)), new Set(['combined']));
    monitor.dispose();
  });

  it('asks nothing while the view is closed or the window hidden, nor while refreshing is off', async () => {
    const { monitor, clock, asked } = scene();
    await clock.advance(10 * minuteMs);
    monitor.setWatched(true, false);
    await clock.advance(10 * minuteMs);
    monitor.setWatched(false, true);
    await clock.advance(10 * minuteMs);
    assert.equal(asked.length, 0);
    assert.equal(clock.pending, 0);
    const off = scene({ intervalMs: 0 });
    off.monitor.setWatched(true, true);
    await off.clock.advance(10 * minuteMs);
    assert.equal(off.asked.length, 0);
    monitor.dispose();
    off.monitor.dispose();
  });

  it('asks two requests a kind each time, one more at first, and one or two more a kind once a day', async () => {
    const { monitor, clock, asked } = scene();
    monitor.setWatched(true, true);
    await clock.advance(0);
    const sampling = asked.filter(({ statuses = [] }) => statuses.includes('done'));
    assert.equal(sampling.length, 2, 'one each, because there are so few');
    assert.equal(asked.length, 2 + 2 * 2 + 2, 'and one each for failures of any age');
    for (let time = 0; time < 10; time++) {
      asked.length = 0;
      await clock.advance(interval);
      assert.equal(asked.length, 2 * 2);
    }
    monitor.setWatched(false, false);
    asked.length = 0;
    await clock.advance(24 * 60 * minuteMs);
    assert.equal(asked.length, 0);
    monitor.setWatched(true, true);
    await clock.advance(0);
    assert.equal(asked.length, 2 + 2 * 2);
    monitor.dispose();
  });

  it('reads once however often Refresh is pressed', async () => {
    const { monitor, clock, asked } = scene({ overdueMinutes: 1 });
    await Promise.all([monitor.refresh(), monitor.refresh()]);
    await monitor.refresh();
    const [measuring, anyAge, reading] = [2, 2, 4];
    assert.equal(asked.length, measuring + anyAge + reading);
    await clock.advance(500);
    await monitor.refresh();
    assert.equal(asked.length, measuring + anyAge + 2 * reading);
    monitor.dispose();
  });

  it('takes the time that the user has set, and measures what the service obeys', async () => {
    const { monitor, look, job, ids } = scene({ overdueMinutes: 3 });
    for (let place = 0; place < 9; place++) job(`done${place}`, 'done', 60 * minuteMs);
    job('slow', 'queued', 4 * minuteMs);
    job('quick', 'queued', 2 * minuteMs);
    await look();
    assert.deepEqual(ids().overdue, ['slow']);
    assert.deepEqual(monitor.attention?.amounts.overdue, { count: 1, isExact: true });
    monitor.dispose();
  });

  it('lists overdue jobs, the oldest first, and tells once when there are any, until there were none', async () => {
    const memory = new JsonMemory();
    const { monitor, jobs, told, look, job, ids } = scene({}, memory);
    await look();
    assert.equal(monitor.attention, undefined);
    job('older', 'processing', 40 * minuteMs);
    job('old', 'queued', 20 * minuteMs);
    await look();
    assert.deepEqual(ids().overdue, ['older', 'old']);
    job('another', 'queued', 30 * minuteMs);
    await look();
    assert.deepEqual(told, [2]);
    const again = scene({}, memory);
    again.job('older', 'processing', 40 * minuteMs);
    await again.look();
    assert.deepEqual(again.told, [], 'not told again after a reload');
    again.monitor.dispose();
    jobs.length = 0;
    await look();
    assert.equal(monitor.attention, undefined);
    job('new', 'queued', 30 * minuteMs);
    await look();
    assert.deepEqual(told, [2, 1]);
    monitor.dispose();
  });

  it('shows failures until they are handled, and a later one of the group again', async () => {
    const { monitor, look, job, ids } = scene();
    const first = job('a', 'error', minuteMs, { errorCode: 422 });
    job('b', 'error', 2 * minuteMs, { errorCode: 500 });
    await look();
    assert.deepEqual(ids().failed.toSorted(), ['a', 'b']);
    await monitor.markHandled([first]);
    assert.deepEqual(ids().failed, ['b']);
    job('c', 'error', 0, { errorCode: 422 });
    await look(minuteMs);
    assert.deepEqual(ids().failed.toSorted(), ['b', 'c']);
    await monitor.markHandled(monitor.attention?.groups.flatMap((group) => group.jobs) ?? []);
    assert.equal(monitor.attention, undefined);
    await look(minuteMs);
    assert.equal(monitor.attention, undefined);
    monitor.dispose();
  });

  it('shows a failure that came after the first look, however long nobody looks, also after a restart', async () => {
    const memory = new JsonMemory();
    const first = scene({}, memory);
    await first.look();
    first.monitor.dispose();
    const later = scene({}, memory);
    later.job('weekend', 'error', 0);
    await later.clock.advance(60 * 60 * minuteMs);
    await later.look();
    assert.deepEqual(later.ids().failed, ['weekend']);
    later.monitor.dispose();
  });

  it('shows loaded jobs that failed in part until they are handled, without asking for them', async () => {
    const { monitor, look, job, asked, clock } = scene();
    job('half', 'done', 60 * minuteMs, { raw: 'failed', completedAtMs: clock.now() - minuteMs });
    job('old', 'done', 3000 * minuteMs, { raw: 'failed', completedAtMs: clock.now() - 2900 * minuteMs });
    await look();
    assert.deepEqual(
      monitor.attention?.partlyFailed.map(({ id }) => id),
      ['half'],
    );
    assert.deepEqual(monitor.attention?.amounts.total, { count: 1, isExact: false });
    assert.equal(monitor.job('pre-recorded', 'half')?.status, 'done');
    const before = asked.length;
    await monitor.markHandled(monitor.attention?.partlyFailed ?? []);
    assert.equal(monitor.attention, undefined);
    assert.equal(asked.length, before);
    monitor.dispose();
  });

  it('brings up older failures than one request returns, once the newest are handled', async () => {
    const { monitor, look, job } = scene();
    for (let at = 450; at > 0; at--) job(`j${at}`, 'error', at * minuteMs, { errorCode: 500 });
    await look();
    const found: number[] = [];
    for (let rounds = 0; rounds < 10 && monitor.attention !== undefined; rounds++) {
      const shown = monitor.attention.groups.flatMap((group) => group.jobs);
      found.push(shown.length);
      await monitor.markHandled(shown);
    }
    assert.equal(
      found.reduce((sum, count) => sum + count, 0),
      450,
    );
    assert.ok(found.length > 2 && !found.includes(0), found.join());
    assert.equal(monitor.attention, undefined);
    monitor.dispose();
  });

  it('brings back what was marked, the last first, also behind more failures than one request returns', async () => {
    const { monitor, look, job, asked } = scene();
    for (let at = 450; at > 0; at--) job(`j${at}`, 'error', at * minuteMs, { errorCode: 500 });
    await look();
    const shown = (): readonly string[] =>
      (monitor.attention?.groups.flatMap((group) => group.jobs) ?? []).map(({ id }) => id).toSorted();
    const marked: (readonly string[])[] = [];
    for (let rounds = 0; rounds < 10 && monitor.attention !== undefined; rounds++) {
      marked.push(shown());
      await monitor.markHandled(
        monitor.attention.groups.flatMap((group) => group.jobs),
        `act ${rounds}`,
      );
    }
    assert.ok(marked.length > 2);
    for (const ids of marked.toReversed()) {
      const before = asked.length;
      assert.equal(await monitor.undoHandled(), true);
      assert.ok(asked.length > before, 'what is new again may not have been read');
      for (let rounds = 0; rounds < 6; rounds++) await look(minuteMs);
      const now = new Set(shown());
      assert.deepEqual(
        ids.filter((id) => !now.has(id)),
        [],
      );
    }
    assert.equal(await monitor.undoHandled(), false);
    const before = asked.length;
    assert.equal(await monitor.undoHandled('act 0'), false, 'by the message of the act, which is still there');
    assert.equal(asked.length, before);
    monitor.dispose();
  });

  it('finds a new failure also where the service lists the oldest first, behind more than one request returns', async () => {
    const { monitor, clock, jobs, look, job, ids } = scene();
    for (let at = 1; at <= 450; at++) job(`j${at}`, 'error', at * minuteMs, { errorCode: 500 });
    const handleAll = async (): Promise<void> => {
      const shown = (): readonly Job[] => monitor.attention?.groups.flatMap((group) => group.jobs) ?? [];
      for (let rounds = 0; rounds < 20; rounds++) {
        await look();
        await monitor.markHandled(shown());
      }
      assert.deepEqual(shown(), []);
    };
    await handleAll();
    jobs.push(bareJob({ id: 'new', status: 'error', kind: 'pre-recorded', createdAtMs: clock.now() }));
    for (let rounds = 0; rounds < 10 && ids().failed.length === 0; rounds++) await look();
    assert.deepEqual(ids().failed, ['new']);
    monitor.dispose();
  });

  it('shows submissions whose outcome is unknown and whose job was not looked for', async () => {
    const { monitor, sent, asked, look } = scene();
    const unknown = (key: string, lookedAtMs?: number): Submission =>
      aSubmission({ key, outcome: { type: 'unknown', code: undefined, lookedAtMs } });
    sent.push(unknown('open'), unknown('looked', 1), aSubmission({ key: 'running' }));
    await look();
    assert.deepEqual(
      monitor.attention?.unknown.map(({ key }) => key),
      ['open'],
    );
    asked.length = 0;
    sent.length = 0;
    await monitor.lookAgain();
    assert.equal(monitor.attention, undefined);
    assert.equal(asked.length, 0);
    monitor.dispose();
  });

  it('keeps what it knows when a reading fails, waits longer each time, and obeys the service', async () => {
    const { monitor, clock, asked, fail, job, ids, look } = scene({ overdueMinutes: 10 });
    job('old', 'queued', 20 * minuteMs);
    await look();
    monitor.setWatched(true, true);
    await clock.advance(5000);
    fail(new Failure('offline'));
    await clock.advance(interval);
    assert.deepEqual(ids().overdue, ['old']);
    assert.equal(monitor.attention?.failure?.failure.code, 'offline');
    asked.length = 0;
    await clock.advance(interval);
    assert.equal(asked.length, 0, 'twice the interval');
    fail(new Failure('rateLimited', { retryAtMs: clock.now() + 10 * minuteMs }));
    await clock.advance(interval);
    assert.ok(asked.length > 0);
    asked.length = 0;
    await clock.advance(9 * minuteMs);
    assert.equal(asked.length, 0, 'not before the service wants it');
    fail();
    await clock.advance(2 * minuteMs);
    assert.equal(monitor.attention.failure, undefined);
    monitor.dispose();
  });

  it('forgets everything with another service, also an answer that is under way', async () => {
    const { monitor, look, job } = scene();
    job('old', 'queued', 20 * minuteMs);
    await look();
    assert.ok(monitor.attention);
    const late = monitor.refresh();
    monitor.use(undefined);
    await late;
    assert.equal(monitor.attention, undefined);
    assert.equal(monitor.job('pre-recorded', 'old'), undefined);
    monitor.dispose();
  });

  it('property: a failure is shown until it is marked, and again once that is undone, in whatever order', async () => {
    const step = fc.oneof(
      fc.record({ type: fc.constant('fail' as const), code: fc.constantFrom(1, 2, 3) }),
      fc.record({ type: fc.constant('mark' as const), group: fc.nat({ max: 3 }) }),
      fc.record({ type: fc.constant('undo' as const) }),
      fc.record({ type: fc.constant('wait' as const), hours: fc.nat({ max: 12 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
        const { monitor, clock, look, job, ids } = scene({ overdueMinutes: 10 });
        const open = new Set<string>();
        const acts: (readonly string[])[] = [];
        let made = 0;
        let named = 0;
        for (const each of steps) {
          if (each.type === 'fail') {
            const id = `j${made++}`;
            job(id, 'error', 0, { errorCode: each.code, completedAtMs: clock.now() });
            open.add(id);
          }
          await look(each.type === 'wait' ? each.hours * 3_600_000 : 0);
          if (each.type === 'mark') {
            const marked = monitor.attention?.groups[each.group]?.jobs ?? [];
            await monitor.markHandled(marked, `act ${++named}`);
            for (const { id } of marked) open.delete(id);
            if (marked.length > 0) acts.push(marked.map(({ id }) => id));
          }
          if (each.type === 'undo') {
            assert.equal(await monitor.undoHandled(), acts.length > 0);
            for (const id of acts.pop() ?? []) open.add(id);
          }
          assert.deepEqual(ids().failed.toSorted(), [...open].toSorted());
        }
        monitor.dispose();
      }),
      { numRuns: propertyRuns },
    );
  });
});
