import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { Failure } from '../../../src/base/failure.ts';
import { extensionId } from '../../../src/jobs/common/jobLink.ts';
import type { Job } from '../../../src/jobs/common/job.ts';
import { answering } from '../submit/answers.ts';
import { JobList } from '../../../src/jobs/common/jobList.ts';
import { partlyFailedGroup } from '../../../src/features/tree/common/jobTree.ts';
import type { ItemFacts } from '../../../src/jobs/editor/jobItem.ts';
import { KeyMask } from '../../../src/platform/http/keyMask.ts';
import { AttentionController } from '../../../src/features/attention/editor/attentionController.ts';
import { Settings } from '../../../src/settings.ts';
import { Journal } from '../../../src/jobs/node/journal/journal.ts';
import { recordLine } from '../../../src/jobs/node/journal/recordLine.ts';
import { ServiceHealth } from '../../../src/jobs/node/serviceHealth.ts';
import { JobStore } from '../../../src/jobs/node/store/jobStore.ts';
import { unloadedList, type StoreChange } from '../../../src/jobs/node/store/listState.ts';
import { listedJob } from '../../support/builders/listedJob.ts';
import { FakeClock } from '../../support/fakeClock/fakeClock.ts';
import { keyForms, keyFormsIn, markedKey } from '../../support/hostile/keyForms.ts';
import { workConnection as connection } from '../../support/builders/workConnection.ts';
import { KeptLog } from '../../support/keptLog.ts';
import { JsonMemory } from '../../support/states/jsonMemory.ts';
import { acceptRow, withPicks } from '../browse/withPicks.ts';
import { fakeReader } from '../../support/lists/fakeLists.ts';
import { fakeServices } from '../../support/fakeServices.ts';

describe('Needs attention', () => {
  const clock = new FakeClock();
  const rooms: AttentionController[] = [];
  let folder = '';
  let failed: Job[] = [];
  let loaded: Job[] = [];
  /** Set while the service does not answer. */
  let outage: Failure | undefined;
  const health = new ServiceHealth(clock);
  const store = new vscode.EventEmitter<StoreChange>();
  const known = new JobStore(
    () => ({ limit: 20, groupBy: 'status', listSource: 'byKind' }),
    new FakeClock(),
    new KeptLog(),
  );
  const facts: ItemFacts = {
    connection: 'Work',
    host: '',
    labelKeys: [],
    errorLabels: { 422: 'bad \u202eaudio' },
    locale: { language: 'en', timeZone: 'UTC' },
    nowMs: clock.now(),
  };

  const failure = (id: string): Job =>
    listedJob({
      id,
      status: 'error',
      error_code: 422,
      created_at: new Date(clock.now() - 60_000).toISOString(),
      completed_at: new Date(clock.now() - 1000).toISOString(),
    });

  /** Opens a window: its own attention controller on the storage folder that all windows share. */
  const openWindow = async (badges: (vscode.ViewBadge | undefined)[] = []): Promise<AttentionController> => {
    const source = fakeReader(async (endpoint, { statuses = [] }) => {
      if (outage !== undefined) throw outage;
      return {
        entries: endpoint === 'live' && statuses.join() === 'error' ? failed : [],
        hasMore: false,
        serviceDateMs: clock.now(),
        deviations: [],
      };
    });
    const extension = vscode.extensions.getExtension(extensionId);
    const room = new AttentionController(
      fakeServices({
        log: new KeptLog(),
        clock,
        settings: new Settings(extension?.packageJSON, () => undefined),
        globalState: new JsonMemory(),
        globalStorageUri: vscode.Uri.file(folder),
        journal: new Journal(join(folder, 'submissions'), clock, new KeptLog()),
        service: {
          current: { connection, source },
          keyMask: new KeyMask(markedKey),
          onDidChange: () => ({ dispose: () => undefined }),
          health,
        },
        jobs: {
          kinds: () => ['live'],
          lists: () => [{ ...unloadedList({ kind: 'live', status: 'done' }), jobs: JobList.of(loaded) }],
          onDidChange: store.event,
          get: (kind, id) => known.get(kind, id),
          observing: () => known.observing(),
        },
        facts: { nameJobs: () => undefined, noteHandled: () => undefined, errorLabels: facts.errorLabels },
        view: {
          visible: false,
          onDidChangeVisibility: () => ({ dispose: () => undefined }),
          setBadge: (_part, badge) => void badges.push(badge),
        },
        actions: {
          submit: { findJobOf: () => assert.fail('nothing is looked for') },
          tree: { showAttention: () => Promise.resolve() },
        },
      }),
    );
    rooms.push(room);
    await room.monitor.refresh();
    return room;
  };

  const groups = (room: AttentionController) =>
    (room.attention?.groups ?? []).map(({ id }) => ({ type: 'failureGroup', group: id }) as const);
  const idsIn = (room: AttentionController): readonly string[] =>
    (room.attention?.groups ?? []).flatMap(({ jobs }) => jobs.map(({ id }) => id)).toSorted();
  const partIdsIn = (room: AttentionController): readonly string[] =>
    (room.attention?.partlyFailed ?? []).map(({ id }) => id);
  const reread = async (room: AttentionController): Promise<void> => {
    await clock.advance(1000);
    await room.monitor.refresh();
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tj-attention-'));
    failed = [failure('a'), failure('b')];
    loaded = [];
  });
  afterEach(async () => {
    for (const room of rooms.splice(0)) room.dispose();
    await rm(folder, { recursive: true });
  });

  it('reports the jobs that it has read to lists and pages, and no others', async () => {
    const processing = listedJob({ id: 'a', status: 'processing' });
    known.use(
      fakeReader(async (_endpoint, { statuses = [] }) => ({
        entries: statuses.join() === 'processing' ? [processing] : [],
        hasMore: false,
        serviceDateMs: undefined,
        deviations: [],
      })),
    );
    const key = { kind: 'live', status: 'processing' };
    await known.load(key);
    assert.equal(known.get('live', 'a')?.status, 'processing');
    await openWindow();
    assert.equal(known.get('live', 'a')?.status, 'error');
    assert.deepEqual(known.list(key).jobs.entries, []);
    assert.equal(known.get('live', 'b'), undefined);
    known.use(undefined);
  });

  it('leaves marks of a later version alone, and says so once', async () => {
    await (await openWindow()).markJobsHandled(failed);
    const [path = ''] = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ndjson'));
    const file = join(folder, path);
    const marks = (await readFile(file, 'utf8')) + recordLine({ schema: 99, type: 'handled', job: 'live/c' });
    await writeFile(file, marks);
    failed = [...failed, failure('c')];
    const shown = await answering(async () => {
      const room = await openWindow();
      assert.deepEqual(idsIn(room), ['c']);
      await room.markJobsHandled(failed);
    }, []);
    assert.deepEqual(
      shown.map(({ text }) => text).filter((text) => text.includes('later version')),
      ['Records of handled or muted failures from a later version are not read. Their failures may be shown again.'],
    );
    assert.ok((await readFile(file, 'utf8')).startsWith(marks));
  });

  it('drops a failure that a list has seen queued again, without a request', async () => {
    const room = await openWindow();
    assert.deepEqual(idsIn(room), ['a', 'b']);
    const again = listedJob({ id: 'a', status: 'queued' });
    known.use(fakeReader(async () => ({ entries: [again], hasMore: false, serviceDateMs: undefined, deviations: [] })));
    await known.load({ kind: 'live', status: 'queued' });
    const changed = new Promise<void>((resolve) => room.monitor.onDidChange(resolve));
    store.fire({ type: 'reset' });
    await changed;
    assert.deepEqual(idsIn(room), ['b']);
    known.use(undefined);
  });

  it('keeps marks of two windows, each independent of the other, and across a reload', async () => {
    const [one, other] = [await openWindow(), await openWindow()];
    const job = (id: string, room: AttentionController) => {
      const [group] = groups(room);
      return { type: 'attentionJob', group: group?.group, kind: 'live', id } as const;
    };
    await Promise.all([one.markHandled([job('a', one)]), other.markHandled([job('b', other)])]);
    for (const room of [one, other]) {
      await reread(room);
      assert.equal(room.attention, undefined);
    }
    const reloaded = await openWindow();
    assert.equal(reloaded.attention, undefined);
    failed = [...failed, failure('c')];
    await reread(reloaded);
    assert.deepEqual(idsIn(reloaded), ['c'], 'a later failure of the group');
  });

  it('undoes the selected mark, the only one directly, also of another window, and on another connection', async () => {
    const [one, other] = [await openWindow(), await openWindow()];
    const mark = async (id: string) => one.markJobsHandled(failed.filter((job) => job.id === id));
    await mark('a');
    await mark('b');
    assert.equal(one.attention, undefined);
    await withPicks(async (next) => {
      const done = other.undoHandled();
      const pick = await next();
      assert.deepEqual(
        pick.items.map(({ label }) => label),
        ['Handled: bad audio (422)', 'Handled: bad audio (422)'],
      );
      acceptRow(pick, 1);
      await done;
    });
    assert.deepEqual(idsIn(other), ['a'], 'the first of the two');
    await reread(one);
    assert.deepEqual(idsIn(one), ['a']);
    await one.undoHandled({ act: 'another', owner: { ...connection, name: 'Office' } });
    assert.deepEqual(idsIn(one), ['a']);
    await one.undoHandled();
    await one.undoHandled();
    assert.deepEqual(idsIn(one).toSorted(), ['a', 'b']);
    await one.markReplaced(connection, [{ kind: 'live', id: 'a' }], () => undefined);
    await one.undoHandled();
    assert.deepEqual(idsIn(one), ['b'], 'what another job repeats is no mark of the user');
  });

  it('marks jobs that another job repeats, also unknown ones or those of a connection that is not in use', async () => {
    failed = [];
    const room = await openWindow();
    const jobs = ['a', 'b'].map((id) => ({ kind: 'live', id }));
    await room.markReplaced(connection, jobs.slice(0, 1), () => undefined);
    await room.markReplaced({ ...connection, name: 'Office' }, jobs.slice(1), () =>
      assert.fail('of another connection'),
    );
    failed = [failure('a'), failure('b')];
    await reread(room);
    assert.deepEqual(idsIn(room), ['b']);
    await room.handled.continueAs({ ...connection, name: 'Office' }, connection);
    await reread(room);
    assert.equal(room.attention, undefined);
  });

  it('marks a whole group, and lowers the badge', async () => {
    const badges: (vscode.ViewBadge | undefined)[] = [];
    const room = await openWindow(badges);
    assert.equal(badges.at(-1)?.value, 2);
    const [group] = groups(room);
    assert.ok(group);
    const item = room.item(group, facts);
    assert.equal(item?.label, 'bad audio (422)');
    assert.equal(item?.description, '2');
    assert.deepEqual(
      item.command?.arguments,
      [group, true],
      'a click opens the board and leaves the focus in the view',
    );
    assert.match(item?.contextValue ?? '', /\bunhandled\b/);
    await room.markHandled([group]);
    assert.equal(room.attention, undefined);
    assert.equal(badges.at(-1), undefined);
  });

  it('shows the age of a failure before what sets it apart from others with its label, which may be long', async () => {
    failed = failed.map((job) => {
      const metadata = { name: 'support-line', caller: `${job.id} of a department with a long name` };
      return { ...job, raw: JSON.stringify({ id: job.id, custom_metadata: metadata }) };
    });
    const room = await openWindow();
    const [group] = groups(room);
    const node = { type: 'attentionJob', group: group?.group, kind: 'live', id: 'a' } as const;
    const item = room.item(node, { ...facts, labelKeys: ['name'] });
    assert.equal(item?.description, 'now · a of a department with a long name');
  });

  it('reads again soon once the service has answered the lists after an outage', async () => {
    const room = await openWindow();
    room.monitor.setWatched(true, true);
    await clock.advance(10_000);
    await room.monitor.lookAgain();
    outage = new Failure('offline');
    health.observe().ended(outage);
    await room.monitor.refresh();
    assert.ok(room.attention?.failure);
    outage = undefined;
    health.observe().ended(undefined);
    await clock.advance(5000);
    await room.monitor.lookAgain();
    assert.equal(room.attention.failure, undefined);
  });

  it('labels the jobs of a group by what sets them apart instead of repeating the label of the group', async () => {
    failed = ['a', 'b', 'c', 'd'].map((id) => {
      const metadata = { customer: id === 'd' ? 'other' : 'Aurora Health', caller: `${id} of a department` };
      return { ...failure(id), raw: JSON.stringify({ id, custom_metadata: metadata }) };
    });
    const room = await openWindow();
    const named = { ...facts, labelKeys: ['customer'] };
    const group = groups(room).find((each) => room.item(each, named)?.label === 'Aurora Health');
    assert.ok(group);
    const item = room.item({ type: 'attentionJob', group: group.group, kind: 'live', id: 'a' }, named);
    assert.deepEqual([item?.label, item?.description], ['a of a department', 'now']);
  });

  it('mutes the groups of rows and of jobs for the chosen time, and undoes that', async () => {
    const room = await openWindow();
    const mute = async (muting: () => Promise<void>, row: number): Promise<readonly string[]> => {
      const shown = await answering(
        () =>
          withPicks(async (next) => {
            const done = muting();
            const pick = await next();
            assert.equal(pick.title, 'Mute bad audio (422)');
            acceptRow(pick, row);
            await done;
          }),
        [],
        ({ length }) => length === 1,
      );
      return shown.map(({ text }) => text);
    };
    const [group] = groups(room);
    assert.ok(group);
    const [hidden] = await mute(() => room.mute([group]), 0);
    assert.match(hidden ?? '', /^Muted on this computer until .+: bad audio \(422\)$/);
    assert.equal(room.attention, undefined);
    await clock.advance(3_600_000);
    await reread(room);
    assert.deepEqual(idsIn(room), ['a', 'b'], 'an hour later');
    const [job] = failed;
    assert.ok(job);
    assert.deepEqual(await mute(() => room.muteJobs([job]), 2), [
      'Muted on this computer until it stops: bad audio (422)',
    ]);
    assert.equal(room.attention, undefined, 'the group of the job');
    await room.undoHandled();
    assert.deepEqual(idsIn(room), ['a', 'b']);
    await assert.rejects(room.muteJobs([{ ...job, status: 'queued' }]), /None of these jobs failed/);
  });

  it('shows done jobs with a partly failed result, and the failed part, until they are handled', async () => {
    failed = [];
    const half = { ...failure('half'), status: 'done' };
    const summary = { success: false, error: { message: 'Too \u202elong' } };
    loaded = [{ ...half, raw: JSON.stringify({ id: 'half', result: { summarization: summary } }) }, failure('a')];
    const badges: (vscode.ViewBadge | undefined)[] = [];
    const room = await openWindow(badges);
    const node = { type: 'partlyFailed' } as const;
    const item = room.item(node, facts);
    assert.equal(item?.description, '1+');
    const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    assert.equal(item?.collapsibleState, Collapsed);
    assert.equal(room.item(node, facts, true)?.collapsibleState, Expanded, 'as the user left it');
    assert.equal(room.item({ type: 'attention' }, facts, false)?.collapsibleState, Collapsed);
    assert.match(item?.contextValue ?? '', /\bpartlyFailed\b/);
    const job = { type: 'attentionJob', group: partlyFailedGroup, kind: 'live', id: 'half' } as const;
    assert.equal(room.item(job, facts)?.description, 'Summary failed: Too long');
    assert.match(
      room.item(job, facts)?.contextValue ?? '',
      / partlyFailed$/,
      'the menu of its row has Mark as Handled',
    );
    assert.equal(badges.at(-1)?.value, 1);
    await room.markHandled([job]);
    assert.equal(room.attention, undefined);
    assert.equal(badges.at(-1), undefined);
    await room.undoHandled();
    assert.deepEqual(partIdsIn(room), ['half']);
    assert.equal(badges.at(-1)?.value, 1);
    await room.markHandled([job]);
    // A job that is added to a list is checked without a request.
    loaded = [{ ...half, id: 'later', raw: loaded[0]?.raw ?? '' }];
    const changed = new Promise<void>((resolve) => room.monitor.onDidChange(resolve));
    store.fire({ type: 'reset' });
    await changed;
    assert.deepEqual(partIdsIn(room), ['later']);
    // A filter removes it from the lists; nothing about it has changed.
    loaded = [];
    store.fire({ type: 'reset' });
    await reread(room);
    assert.deepEqual(partIdsIn(room), ['later']);
    await room.markHandled([node]);
    assert.equal(room.attention, undefined);
  });

  it('copies a report for support with ids and times, and with metadata only on request', async () => {
    const room = await openWindow();
    for (const [row, isThere] of [
      [0, false],
      [1, true],
    ] as const) {
      await withPicks(async (next) => {
        const copying = room.copyReport([{ type: 'failures' }]);
        acceptRow(await next(), row);
        await copying;
      });
      const report = await vscode.env.clipboard.readText();
      assert.match(report, /^# Failed transcription jobs[^]+- Failures: 2/);
      assert.equal(report.includes('Blue Harbor'), isThere, report);
    }
  });

  it('copies the same report for the jobs of a group as for the group, with those that fail meanwhile', async () => {
    failed = ['a', 'b', 'c', 'd'].map((id) => {
      const customer = id === 'd' ? 'Aurora Health' : 'Blue Harbor';
      return { ...failure(id), raw: JSON.stringify({ custom_metadata: { customer } }) };
    });
    const room = await openWindow();
    const group = groups(room).slice(0, 1);
    const jobs = (room.attention?.groups[0]?.jobs ?? []).slice(1);
    const reports: string[] = [];
    for (const copy of [() => room.copyReport(group), () => room.copyReportOfJobs(jobs, group)]) {
      await withPicks(async (next) => {
        const copying = copy();
        acceptRow(await next(), 0);
        await copying;
      });
      reports.push(await vscode.env.clipboard.readText());
    }
    assert.match(reports[0] ?? '', /- Failures: 3 of 4/);
    assert.equal(reports[1], reports[0]);
  });

  it('copies a report about chosen failures, also without others', async () => {
    failed = [];
    const room = await openWindow();
    const job = listedJob({ id: 'chosen', kind: 'pre-recorded', status: 'error' });
    await withPicks(async (next) => {
      const copying = room.copyReportOfJobs([job]);
      acceptRow(await next(), 0);
      await copying;
    });
    assert.match(await vscode.env.clipboard.readText(), /- Filter: none\n- Failures: 1\n[^]*chosen/);
  });

  it('copies no key that the service repeats', async () => {
    const room = await openWindow();
    const jobs = keyForms.map(({ write }) => {
      const key = write(markedKey);
      const long = `${'x'.repeat(280)}${key}`;
      return listedJob({ id: key, request_id: key, status: 'error', custom_metadata: { [key]: key, long } });
    });
    await withPicks(async (next) => {
      const copying = room.copyReportOfJobs(jobs);
      acceptRow(await next(), 1);
      await copying;
    });
    const report = await vscode.env.clipboard.readText();
    assert.match(report, /- Failures: 1\d\n/);
    assert.deepEqual(keyFormsIn(report, markedKey), []);
  });

  it('shows submissions whose outcome is unknown, by the name of their file', async () => {
    const journal = new Journal(join(folder, 'submissions'), clock, new KeptLog());
    const submission = await journal.add(connection, {
      sentAtMs: clock.now(),
      expectedByMs: clock.now(),
      file: 'file:///w/interview.transcription.json',
      bodyHash: 'body',
      audioHash: undefined,
      tag: undefined,
      batch: undefined,
    });
    await journal.settle(connection, submission, { type: 'unknown', code: 'timeout', lookedAtMs: undefined });
    failed = [];
    const room = await openWindow();
    const [only] = room.attention?.unknown ?? [];
    assert.equal(only?.key, submission.key);
    const item = room.item({ type: 'submission', submission: submission.key }, facts);
    assert.equal(item?.label, 'interview.transcription.json');
    assert.deepEqual(item?.command?.arguments, [submission.key]);
  });
});
