import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { hourMs, minuteMs } from '../../../../../src/base/time.ts';
import type { HandledRecord } from '../../../../../src/features/attention/common/handledMarks.ts';
import { Failure } from '../../../../../src/base/failure.ts';
import { jobKey, type Job } from '../../../../../src/jobs/common/job.ts';
import type { ListEndpoint, ListParams } from '../../../../../src/jobs/common/listParams.ts';
import type { Submission } from '../../../../../src/jobs/common/submission.ts';
import {
  AttentionMonitor,
  type AttentionSettings,
} from '../../../../../src/features/attention/node/attentionMonitor.ts';
import { bareJob } from '../../../../support/builders/bareJob.ts';
import { FakeClock } from '../../../../support/fakeClock/fakeClock.ts';
import { workConnection as connection } from '../../../../support/builders/workConnection.ts';
import { KeptLog } from '../../../../support/keptLog.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';
import { memoryHandled } from '../../../../support/states/memoryHandled.ts';
import { JsonMemory } from '../../../../support/states/jsonMemory.ts';
import { aSubmission } from '../../submit/node/aSubmission.ts';
import { fakeReader } from '../../../../support/lists/fakeLists.ts';

const interval = 15_000;

/** Creates a monitor of an in-memory service. */
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
  const reported: number[] = [];
  const marked: HandledRecord[] = [];
  /** Newer states of jobs that the lists have. */
  const observed = new Map<string, Job>();
  let failure: Failure | undefined;
  const source = fakeReader(async (endpoint, params) => {
    asked.push({ endpoint, ...params });
    if (failure !== undefined) throw failure;
    const { statuses = [], offset = 0, limit = 20, kinds } = params;
    const matching = jobs.filter(
      ({ kind, status }) =>
        (kind === endpoint || kinds?.some((each) => each === kind)) && statuses.some((each) => each === status),
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
    current: (kind, id) => observed.get(jobKey({ kind, id })),
  });
  monitor.onDidBecomeOverdue(({ overdue }) => reported.push(overdue.length));
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
    reported,
    job,
    observe: (one: Job): void => {
      observed.set(jobKey(one), one);
      monitor.noteObserved();
    },
    /** Lets time pass and due readings complete. */
    pass: async (ms: number): Promise<void> => {
      await clock.advance(ms);
      // Groups are built in slices.
      await monitor.lookAgain();
    },
    /** Completes the next due reading. */
    look: async (ms = 0): Promise<void> => {
      // Readings in quick succession are combined into one.
      await clock.advance(Math.max(ms, 1000));
      await monitor.refresh();
    },
    fail: (given?: Failure) => (failure = given),
    /** Returns and clears the requests, one line each, sorted. */
    takeAsked: (): readonly string[] => {
      const lines = asked.map(({ endpoint, statuses = [], offset = 0 }) => `${endpoint} ${statuses.join()} ${offset}`);
      asked.length = 0;
      return lines.toSorted();
    },
    ids: () => ({
      overdue: monitor.attention?.overdue.map(({ id }) => id) ?? [],
      failed: monitor.attention?.groups.flatMap((group) => group.jobs.map(({ id }) => id)) ?? [],
    }),
  };
}

describe('AttentionMonitor', () => {
  it('requests all kinds at once if the connection has one list of all kinds', async () => {
    const { monitor, asked, source, look } = scene();
    monitor.use({ connection: { ...connection, listSource: 'combined' }, source: source.with({}) });
    monitor.setWatched(true, true);
    await look();
    assert.deepEqual(new Set(asked.map(({ endpoint }) => endpoint)), new Set(['combined']));
    monitor.dispose();
  });

  it('reads again soon once the service has answered others, if its last reading failed', async () => {
    const { monitor, asked, clock, look, fail, pass } = scene();
    monitor.setWatched(true, true);
    await look();
    fail(new Failure('offline'));
    await look();
    await pass(interval * 2);
    assert.ok(monitor.latest?.failure);
    fail();
    await pass(5000);
    asked.length = 0;
    monitor.noteAnswer();
    await pass(1);
    assert.equal(monitor.latest.failure, undefined);
    asked.length = 0;
    monitor.noteAnswer();
    await clock.advance(interval - 1000);
    assert.equal(asked.length, 0, 'nothing had failed');
    monitor.dispose();
  });

  it('sends no requests while the view is closed, the window is hidden or refreshing is off', async () => {
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

  const firstPages = [
    'live error 0',
    'live queued,processing 0',
    'pre-recorded error 0',
    'pre-recorded queued,processing 0',
  ];

  it('reads everything when the view opens and every ten minutes, and two first pages per kind in between', async () => {
    const { monitor, clock, pass, takeAsked, asked } = scene();
    monitor.setWatched(true, true);
    await pass(0);
    const samples = ['live done,error 0', 'pre-recorded done,error 0'];
    // Until a list has had jobs of several statuses, each status is also requested separately.
    const proofs = ['live processing 0', 'live queued 0', 'pre-recorded processing 0', 'pre-recorded queued 0'];
    assert.deepEqual(takeAsked(), [...firstPages, ...samples, ...proofs].toSorted());
    for (let at = interval; at < 10 * minuteMs; at += interval) {
      await pass(interval);
      assert.deepEqual(takeAsked(), firstPages, `${at} ms later`);
    }
    await pass(interval);
    assert.deepEqual(takeAsked(), [...firstPages, ...proofs].toSorted(), 'ten minutes later');
    monitor.setWatched(false, false);
    await pass(24 * 60 * minuteMs);
    assert.equal(asked.length, 0);
    assert.equal(clock.pending, 0);
    monitor.setWatched(true, true);
    await pass(0);
    assert.deepEqual(takeAsked(), [...firstPages, ...samples, ...proofs].toSorted(), 'measured again after a day');
    monitor.setWatched(false, false);
    await pass(minuteMs);
    monitor.setWatched(true, true);
    await pass(0);
    assert.deepEqual(takeAsked(), [...firstPages, ...proofs].toSorted(), 'opened again');
    monitor.setWatched(true, false);
    await pass(minuteMs);
    monitor.setWatched(true, true);
    await pass(0);
    assert.deepEqual(takeAsked(), firstPages, 'another window had the focus');
    monitor.dispose();
  });

  it('sends no condition on time, and uses a page size of a hundred or the larger limit of the connection', async () => {
    const { monitor, asked, look, source } = scene();
    await look();
    assert.ok(asked.length > 0);
    assert.ok(asked.every((each) => each.beforeDate === undefined && each.afterDate === undefined));
    const limits = (): readonly (number | undefined)[] =>
      asked.filter(({ statuses = [] }) => !statuses.includes('done')).map((each) => each.limit);
    assert.deepEqual(new Set(limits()), new Set([100]));
    monitor.use({ connection: { ...connection, limit: 250 }, source: source.with({}) });
    asked.length = 0;
    await look();
    assert.deepEqual(new Set(limits()), new Set([250]));
    monitor.dispose();
  });

  it('reads once, however often Refresh is pressed', async () => {
    const { monitor, clock, takeAsked } = scene({ overdueMinutes: 1 });
    await Promise.all([monitor.refresh(), monitor.refresh()]);
    await monitor.refresh();
    const once = takeAsked();
    assert.equal(once.length, 2 * (2 + 2));
    await clock.advance(500);
    await monitor.refresh();
    assert.deepEqual(takeAsked(), once);
    monitor.dispose();
  });

  it('reads everything when it is due, also after the clock was set back', async () => {
    const { monitor, clock, pass, takeAsked } = scene();
    monitor.setWatched(true, true);
    await pass(0);
    takeAsked();
    clock.set(-9 * hourMs);
    await monitor.refresh();
    assert.ok(takeAsked().length > firstPages.length, 'Refresh');
    await pass(interval);
    assert.deepEqual(takeAsked(), firstPages);
    clock.set(-9 * hourMs);
    await pass(interval);
    assert.ok(takeAsked().length > firstPages.length, 'in the view');
    monitor.dispose();
  });

  it('reads everything on Refresh, even while a first page is being read', async () => {
    const { monitor, clock, pass, takeAsked, job } = scene();
    for (let at = 150; at > 0; at--) job(`j${at}`, 'error', at * 1000);
    monitor.setWatched(true, true);
    await pass(0);
    takeAsked();
    const between = clock.advance(interval);
    await monitor.refresh();
    await between;
    assert.ok(takeAsked().some((line) => line.endsWith('error 99')));
    assert.deepEqual(monitor.attention?.amounts.failures, { count: 150, isExact: true });
    monitor.dispose();
  });

  it('shows numbers with a plus after reading a first page that is not the whole list, and without right after reading everything', async () => {
    const { monitor, pass, job, ids } = scene({ overdueMinutes: 10 });
    job('late', 'queued', 20 * minuteMs);
    for (let at = 150; at > 0; at--) job(`f${at}`, 'error', at * 1000);
    monitor.setWatched(true, true);
    await pass(0);
    assert.deepEqual(monitor.attention?.amounts.total, { count: 151, isExact: true });
    job('more', 'error', 0);
    await pass(interval);
    assert.deepEqual(monitor.attention.amounts, {
      overdue: { count: 1, isExact: true },
      failures: { count: 151, isExact: false },
      total: { count: 152, isExact: false },
    });
    assert.ok(ids().failed.includes('f150') && ids().failed.includes('more'), 'what was read before stays');
    for (let at = 2 * interval; at <= 10 * minuteMs; at += interval) await pass(interval);
    assert.deepEqual(monitor.attention.amounts.total, { count: 152, isExact: true });
    monitor.dispose();
  });

  it('uses newer states of the lists at once, and never shows a job as both failed and overdue', async () => {
    const { monitor, clock, job, ids, observe, asked } = scene({ overdueMinutes: 10 });
    const failed = job('again', 'error', 60 * minuteMs);
    const other = job('ended', 'error', 60 * minuteMs);
    const late = job('late', 'processing', 60 * minuteMs);
    await monitor.refresh();
    assert.deepEqual(ids(), { overdue: ['late'], failed: ['ended', 'again'] });
    asked.length = 0;
    observe({ ...failed, status: 'queued', raw: '{"again":1}' });
    observe({ ...other, status: 'done', raw: '{"ended":1}' });
    observe({ ...late, status: 'error', raw: '{"late":1}', completedAtMs: clock.now() });
    await monitor.lookAgain();
    assert.deepEqual(ids(), { overdue: ['again'], failed: ['late'] });
    assert.equal(asked.length, 0);
    assert.equal(monitor.job('pre-recorded', 'again')?.status, 'queued');
    monitor.dispose();
  });

  it('uses the last state of a job that is in both lists of one reading', async () => {
    const { monitor, jobs, ids, source, look, job } = scene({ overdueMinutes: 10 });
    const running = job('j', 'processing', 60 * minuteMs);
    const moving = fakeReader(async (endpoint, params) => {
      const page = await source.readPage(endpoint, params);
      const isUnfinished = params.statuses?.includes('queued') === true;
      if (endpoint === 'pre-recorded') jobs.splice(0, 1, { ...running, status: isUnfinished ? 'error' : 'queued' });
      return page;
    });
    monitor.use({ connection, source: moving });
    await look();
    const { overdue, failed } = ids();
    assert.equal(overdue.length + failed.length, 1);
    monitor.dispose();
  });

  it('uses the time from the settings, and measures nothing', async () => {
    const { monitor, look, job, ids, takeAsked } = scene({ overdueMinutes: 3 });
    job('slow', 'queued', 4 * minuteMs);
    job('quick', 'queued', 2 * minuteMs);
    await look();
    assert.deepEqual(ids().overdue, ['slow']);
    assert.deepEqual(monitor.attention?.amounts.overdue, { count: 1, isExact: true });
    assert.ok(!takeAsked().some((line) => line.includes('done')));
    monitor.dispose();
  });

  it('lists overdue jobs, oldest first, and notifies once until there are none again', async () => {
    const memory = new JsonMemory();
    const { monitor, jobs, reported, look, job, ids } = scene({}, memory);
    await look();
    assert.equal(monitor.attention, undefined);
    job('older', 'processing', 40 * minuteMs);
    job('old', 'queued', 20 * minuteMs);
    await look();
    assert.deepEqual(ids().overdue, ['older', 'old']);
    job('another', 'queued', 30 * minuteMs);
    await look();
    assert.deepEqual(reported, [2]);
    const again = scene({}, memory);
    again.job('older', 'processing', 40 * minuteMs);
    await again.look();
    assert.deepEqual(again.reported, [], 'not told again after a reload');
    again.monitor.dispose();
    jobs.length = 0;
    await look();
    assert.equal(monitor.attention, undefined);
    job('new', 'queued', 30 * minuteMs);
    await look();
    assert.deepEqual(reported, [2, 1]);
    monitor.dispose();
  });

  it('shows failures until they are handled, and then later failures of the same group', async () => {
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

  it('says when failures become handled, also old ones, and when that is undone', async () => {
    const { monitor, look, job } = scene();
    const old = job('old', 'error', 3000 * minuteMs);
    const reports: boolean[] = [];
    monitor.onDidChangeHandled(() => void reports.push(monitor.isHandled(old)));
    await look();
    assert.equal(monitor.attention, undefined);
    await monitor.markHandled([old], 'act');
    await look(minuteMs);
    assert.deepEqual(reports, [true]);
    assert.equal(monitor.isHandled({ ...old, completedAtMs: Date.now() }), false, 'it has failed again');
    await monitor.undoHandled('act');
    assert.deepEqual(reports, [true, false]);
    monitor.dispose();
  });

  it('shows a failure from after the first reading, however late the next reading is, also after a restart', async () => {
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

  it('shows loaded jobs that failed in part until they are handled, without requests', async () => {
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

  it('shows a job that fails late, behind more than two hundred handled failures', async () => {
    for (const order of ['newest', 'oldest'] as const) {
      const { monitor, clock, jobs, look, job, ids } = scene({ overdueMinutes: 10 });
      for (let at = 450; at > 0; at--) job(`j${at}`, 'error', at * minuteMs, { errorCode: 500 });
      const createdAtMs = clock.now() - 40 * 60 * minuteMs;
      const stuck = bareJob({ id: 'stuck', status: 'processing', kind: 'pre-recorded', createdAtMs });
      jobs.push(stuck);
      if (order === 'oldest') jobs.reverse();
      await look();
      assert.deepEqual(monitor.attention?.amounts.failures, { count: 450, isExact: true });
      await monitor.markHandled(monitor.attention.groups.flatMap((group) => group.jobs));
      await clock.advance(36 * 60 * minuteMs);
      await look();
      assert.deepEqual(ids(), { overdue: ['stuck'], failed: [] });
      jobs[jobs.indexOf(stuck)] = { ...stuck, status: 'error', completedAtMs: clock.now() };
      await look();
      assert.deepEqual(ids(), { overdue: [], failed: ['stuck'] });
      assert.deepEqual(monitor.attention.amounts.total, { count: 1, isExact: true });
      monitor.dispose();
    }
  });

  it('restores marked failures, the last act first, without a request', async () => {
    const { monitor, look, job, asked } = scene();
    for (let at = 450; at > 0; at--) job(`j${at}`, 'error', at * minuteMs, { errorCode: at % 3 });
    await look();
    const shown = (): readonly string[] =>
      (monitor.attention?.groups.flatMap((group) => group.jobs) ?? []).map(({ id }) => id).toSorted();
    const before: (readonly string[])[] = [];
    for (let rounds = 0; rounds < 3; rounds++) {
      before.push(shown());
      await monitor.markHandled(monitor.attention?.groups[0]?.jobs ?? [], `act ${rounds}`);
    }
    assert.deepEqual(shown(), []);
    asked.length = 0;
    for (const ids of before.toReversed()) {
      assert.equal(await monitor.undoHandled(), true);
      assert.deepEqual(shown(), ids);
    }
    assert.equal(await monitor.undoHandled(), false);
    assert.equal(await monitor.undoHandled('act 0'), false, 'by the message of the act, which is still there');
    assert.equal(asked.length, 0);
    monitor.dispose();
  });

  it('undoes an older act after a later one, however long ago its jobs failed', async () => {
    const { monitor, clock, look, job, ids } = scene({ overdueMinutes: 10 });
    await look();
    const old = job('old', 'error', 0);
    await clock.advance(50 * 60 * minuteMs);
    const recent = job('recent', 'error', 0);
    await look();
    await monitor.markHandled([old], 'first');
    await monitor.markHandled([recent], 'second');
    assert.equal(monitor.attention, undefined);
    await monitor.undoHandled('first');
    assert.deepEqual(ids().failed, ['old']);
    monitor.dispose();
  });

  it('loses no failure that was missing from a list briefly while others were handled', async () => {
    const { monitor, clock, pass, jobs, job, ids } = scene({ overdueMinutes: 10 });
    monitor.setWatched(true, true);
    await pass(0);
    const kept = job('kept', 'error', 0);
    await clock.advance(50 * 60 * minuteMs);
    await pass(interval);
    job('other', 'error', 0, { kind: 'live' });
    jobs.splice(jobs.indexOf(kept), 1);
    await pass(interval);
    assert.deepEqual(ids().failed, ['other']);
    await monitor.markHandled(monitor.attention?.groups.flatMap((group) => group.jobs) ?? []);
    jobs.push(kept);
    await pass(interval);
    assert.deepEqual(ids().failed, ['kept']);
    monitor.dispose();
  });

  it('shows submissions with an unknown outcome whose job was not searched since it can no longer appear', async () => {
    const { monitor, sent, asked, look } = scene();
    const unknown = (key: string, lookedAtMs?: number): Submission =>
      aSubmission({ key, outcome: { type: 'unknown', code: undefined, lookedAtMs } });
    const early = unknown('early', 1);
    const late = unknown('late', early.expectedByMs + 3 * minuteMs);
    sent.push(unknown('open'), early, late, aSubmission({ key: 'running' }));
    await look();
    assert.deepEqual(
      monitor.attention?.unknown.map(({ key }) => key),
      ['open', 'early'],
    );
    asked.length = 0;
    sent.length = 0;
    await monitor.lookAgain();
    assert.equal(monitor.attention, undefined);
    assert.equal(asked.length, 0);
    monitor.dispose();
  });

  it('keeps its jobs when a reading fails, waits longer after each failure, and respects Retry-After', async () => {
    const { monitor, clock, pass, asked, fail, job, ids, look } = scene({ overdueMinutes: 10 });
    job('old', 'queued', 20 * minuteMs);
    await look();
    monitor.setWatched(true, true);
    await pass(5000);
    fail(new Failure('offline'));
    await pass(interval);
    assert.deepEqual(ids().overdue, ['old']);
    assert.equal(monitor.attention?.failure?.failure.code, 'offline');
    assert.deepEqual(monitor.attention.amounts.overdue, { count: 1, isExact: false });
    asked.length = 0;
    await pass(interval);
    assert.equal(asked.length, 0, 'twice the interval');
    fail(new Failure('rateLimited', { retryAtMs: clock.now() + 10 * minuteMs }));
    await pass(interval);
    assert.ok(asked.length > 0);
    asked.length = 0;
    await pass(9 * minuteMs);
    assert.equal(asked.length, 0, 'not before the service wants it');
    fail();
    await pass(2 * minuteMs);
    assert.equal(monitor.attention.failure, undefined);
    monitor.dispose();
  });

  it('drops everything on a change of the service, including a response in flight', async () => {
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

  it('property: a failure is shown until it is marked, and again after that is undone, in any order', async () => {
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

  it('hides a muted group with the failures to come, and shows it again when its time is over, without a request', async () => {
    const { monitor, job, look, ids, asked, clock } = scene({ intervalMs: 0 });
    for (const id of ['a', 'b', 'c']) job(id, 'error', 1000, { errorCode: 422 });
    job('other', 'error', 1000, { errorCode: 500 });
    await look();
    assert.equal(monitor.attention?.amounts.total.count, 4);
    await monitor.mute(['[422,null,null]'], 60 * minuteMs, 'act');
    assert.deepEqual(ids().failed, ['other']);
    assert.equal(monitor.attention?.amounts.total.count, 1);
    assert.deepEqual(
      monitor.attention.muted.map(({ id, isUntilItStops }) => [id, isUntilItStops]),
      [['[422,null,null]', false]],
    );
    job('d', 'error', 0, { errorCode: 422 });
    await look(30 * minuteMs);
    assert.deepEqual(ids().failed, ['other'], 'a later failure stays hidden');
    asked.length = 0;
    const changed = new Promise<void>((resolve) => monitor.onDidChange(resolve));
    await clock.advance(30 * minuteMs);
    await changed;
    assert.deepEqual([...ids().failed].toSorted(), ['a', 'b', 'c', 'd', 'other']);
    assert.equal(asked.length, 0);
    await monitor.markHandled(monitor.attention?.groups.flatMap(({ jobs }) => jobs) ?? [], 'handled');
    await look(minuteMs);
    assert.deepEqual(ids().failed, [], 'it comes back once');
    monitor.dispose();
    assert.equal(clock.pending, 0);
  });

  it('ends a mute without a time an hour after the last failure, and undoes one at once', async () => {
    const { monitor, job, look, ids } = scene({ intervalMs: 0 });
    job('a', 'error', 1000, { errorCode: 422 });
    await look();
    await monitor.mute(['[422,null,null]'], undefined, 'act');
    assert.equal(monitor.attention, undefined);
    await look(50 * minuteMs);
    job('b', 'error', 0, { errorCode: 422 });
    await look(50 * minuteMs);
    assert.equal(monitor.attention, undefined, 'it goes on');
    await look(15 * minuteMs);
    assert.deepEqual([...ids().failed].toSorted(), ['a', 'b']);
    job('c', 'error', 0, { errorCode: 422 });
    await look(minuteMs);
    assert.equal(ids().failed.length, 3, 'a later failure does not renew it');
    await monitor.mute(['[422,null,null]'], undefined, 'again');
    assert.equal(monitor.attention, undefined);
    assert.equal(await monitor.undoHandled('again'), true);
    assert.equal(ids().failed.length, 3);
    monitor.dispose();
  });

  it('hides the jobs that failed in part', async () => {
    const { monitor, job, look } = scene({ intervalMs: 0 });
    job('part', 'done', 1000, { raw: '{"failed":1}' });
    await look();
    assert.equal(monitor.attention?.partlyFailed.length, 1);
    await monitor.mute(['partlyFailed'], 60 * minuteMs, 'act');
    assert.equal(monitor.attention, undefined);
    await look(61 * minuteMs);
    assert.equal(monitor.latest?.partlyFailed.length, 1);
    monitor.dispose();
  });
});
