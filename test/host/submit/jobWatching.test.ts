import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { JobWatching } from '../../../src/features/watch/editor/jobWatching.ts';
import { watchMemory } from '../../../src/features/watch/common/watchPlan.ts';
import type { Job } from '../../../src/jobs/common/job.ts';
import { bareJob } from '../../support/builders/bareJob.ts';
import { FakeClock } from '../../support/fakeClock/fakeClock.ts';
import { workConnection as connection } from '../../support/builders/workConnection.ts';
import { KeptLog } from '../../support/keptLog.ts';
import { openSettings } from '../connections/userSettings.ts';
import { answering, type Shown } from './answers.ts';
import { fakeReader } from '../../support/lists/fakeLists.ts';
import { fakeServices, replaceActions } from '../../support/fakeServices.ts';

describe('Watching jobs', () => {
  const settings = openSettings();
  after(() => settings.dispose());

  it('reports jobs that end together in one message, and opens the selected one', async () => {
    const { watching, clock, set, opened, memory } = scene();
    const shown = await answering(async () => {
      watching.watch(
        connection,
        ['a', 'b'].map((id) => ({ kind: 'pre-recorded', id, label: `Call ${id}`, createdAtMs: set(id, 'queued') })),
      );
      await clock.advance(3000);
      assert.equal(kept(memory).length, 2);
      set('a', 'done');
      set('b', 'error', 503);
      await clock.advance(3000);
    }, []);
    assert.deepEqual(shown, [
      { text: '2 jobs finished: 1 done · 1 failed.', detail: undefined, buttons: ['Open Job…'] },
    ]);
    assert.deepEqual(kept(memory), []);
    const alone = await answering(
      async () => {
        watching.watch(connection, [
          { kind: 'live', id: 'c', label: 'Call c', createdAtMs: set('c', 'done', undefined, 'live') },
        ]);
        await clock.advance(3000);
      },
      ['Open Job'],
      () => opened.length > 0,
    );
    assert.deepEqual([alone[0]?.text, opened], ['"Call c" is done.', ['Work/live/c']]);
    watching.dispose();
  });

  it('reports a batch by its outcome, unless its page is in front', async () => {
    for (const isInFront of [false, true]) {
      const { watching, services, clock, set, opened } = scene();
      replaceActions(services, 'submit', {
        noteFinished: async () => ({ connection, id: 'batch', outcome: 'Batch of 2: 2 done.', hasLosses: false }),
        batchPage: async (_owner, id) => ({ isInFront, show: () => void opened.push(id) }),
      });
      const shown = await answering(
        async () => {
          watching.watch(
            connection,
            ['a', 'b'].map((id) => ({ kind: 'pre-recorded', id, label: id, createdAtMs: set(id, 'done') })),
          );
          await clock.advance(3000);
        },
        ['Show Batch'],
        () => isInFront || opened.length > 0,
      );
      assert.deepEqual(texts(shown), isInFront ? [] : ['Batch of 2: 2 done.']);
      assert.deepEqual(opened, isInFront ? [] : ['batch']);
      watching.dispose();
    }
  });

  it('names a job by its title', async () => {
    const { watching, services, clock, set } = scene();
    Object.assign(services.facts, { titleOf: () => 'Its title' });
    const shown = await answering(async () => {
      watching.watch(connection, [
        { kind: 'pre-recorded', id: 'a', label: 'cdn.example/a.mp3', createdAtMs: set('a', 'error', 404) },
      ]);
      await clock.advance(3000);
    }, []);
    assert.deepEqual(texts(shown), ['"Its title" failed: error 404.']);
    watching.dispose();
  });

  it('counts unseen failures on the view until it is visible', async () => {
    const { watching, clock, set, badges, show } = scene();
    await answering(async () => {
      watching.watch(
        connection,
        ['a', 'b'].map((id) => ({ kind: 'pre-recorded', id, label: id, createdAtMs: set(id, 'error') })),
      );
      await clock.advance(3000);
    }, []);
    assert.deepEqual(badges.at(-1), { value: 2, tooltip: '2 watched jobs failed' });
    if (vscode.window.state.focused) {
      show();
      assert.equal(badges.at(-1), undefined);
    }
    watching.dispose();
  });

  it('continues after a reload, and starts empty if the stored state is unreadable', async () => {
    const before = scene();
    before.watching.watch(connection, [
      { kind: 'pre-recorded', id: 'a', label: 'Call a', createdAtMs: before.set('a', 'queued') },
    ]);
    await before.clock.advance(100);
    before.watching.dispose();
    const after = scene(before.memory);
    after.set('a', 'done');
    const shown = await answering(() => after.clock.advance(5000), []);
    assert.deepEqual(texts(shown), ['"Call a" is done.']);
    after.watching.dispose();

    const unreadable = [[{ nonsense: true }], { version: 2, jobs: [] }];
    for (const value of unreadable) {
      before.memory.set(watchMemory.jobs, value);
      before.memory.set(watchMemory.failures, value);
      const said = await answering(async () => {
        const broken = scene(before.memory);
        await broken.clock.advance(60_000);
        assert.match(broken.log.lines[0] ?? '', /^warn what is kept as .+ cannot be read; it is set aside/);
        broken.watching.dispose();
      }, []);
      assert.deepEqual(texts(said), [
        'The list of watched jobs is damaged or from another version. It was set aside, and its jobs are not watched.',
      ]);
    }
    for (const name of [watchMemory.jobs, watchMemory.failures]) {
      assert.deepEqual(before.memory.get(`${name}.setAside`), unreadable);
      assert.equal(before.memory.get(name), undefined);
    }
  });

  it('reports that it gives up', async () => {
    const { watching, clock, set } = scene();
    const shown = await answering(async () => {
      watching.watch(connection, [
        { kind: 'pre-recorded', id: 'a', label: 'Call a', createdAtMs: set('a', 'processing') },
      ]);
      await clock.advance(25 * 3_600_000);
    }, []);
    assert.deepEqual(texts(shown), ['"Call a" did not finish within a day and is no longer watched.']);
    watching.dispose();
  });

  it('watches the unfinished ones of several, and reports how many are omitted', async () => {
    const { watching, set, job, memory } = scene();
    for (const [id, status, kind] of [
      ['a', 'queued', 'pre-recorded'],
      ['b', 'done', 'pre-recorded'],
      ['c', 'processing', 'live'],
      ['d', 'queued', 'dream'],
      ['e', 'error', 'live'],
    ] as const) {
      set(id, status, undefined, kind);
    }
    const all = ['a', 'b', 'c', 'd', 'e'].map(job);
    const shown = await answering(() => watching.watchListed(all), []);
    assert.equal(kept(memory).length, 2);
    assert.deepEqual(texts(shown), [
      'Not watched because they have already finished: 2. Not watched because the service has no list for their kind: 1.',
    ]);
    assert.throws(() => watching.watchListed(['b', 'e'].map(job)), /These jobs have already finished\./);
    assert.throws(() => watching.watchListed([job('b')]), /"b" has already finished\./);
    watching.dispose();
  });

  /** Job watching on a service with a few jobs. */
  function scene(memory = new Map<string, unknown>()) {
    const clock = new FakeClock();
    const log = new KeptLog();
    const jobs = new Map<string, Job>();
    const badges: (vscode.ViewBadge | undefined)[] = [];
    const opened: string[] = [];
    const source = fakeReader(async (endpoint) => ({
      entries: [...jobs.values()].filter(({ kind }) => kind === endpoint),
      hasMore: false,
      serviceDateMs: clock.now(),
      deviations: [],
    }));
    const visibility = new vscode.EventEmitter<void>();
    const view = { visible: false, onDidChangeVisibility: visibility.event };
    const services = fakeServices({
      log,
      clock,
      settings,
      workspaceState: {
        get: (key) => memory.get(key),
        update: async (key, value) => void memory.set(key, value),
      },
      service: { current: { connection, source } },
      connections: { onDidChange: new vscode.EventEmitter<never>().event },
      jobs: { observing: () => () => undefined },
      facts: { titleOf: ({ id }) => id },
      view: Object.assign(view, { setBadge: (_part: string, badge?: vscode.ViewBadge) => void badges.push(badge) }),
      actions: {
        submit: { noteFinished: () => Promise.resolve(undefined) },
        deliver: {
          deliver: async () => 'none',
          queueFiles: () => Promise.resolve(),
          abandonFiles: () => Promise.resolve(),
          postponeFiles: (watched) => Promise.resolve(watched),
          catchUpDeliveries: () => Promise.resolve(),
        },
        details: { openNamedJob: async ({ connection: of, kind, id }) => void opened.push(`${of}/${kind}/${id}`) },
      },
    });
    const set = (id: string, status: string, errorCode?: number, kind = 'pre-recorded'): number => {
      const createdAtMs = jobs.get(id)?.createdAtMs ?? clock.now();
      jobs.set(id, bareJob({ id, kind, status, createdAtMs, errorCode, raw: '{}' }));
      return createdAtMs;
    };
    const show = (): void => {
      view.visible = true;
      visibility.fire();
    };
    const job = (id: string): Job => {
      const found = jobs.get(id);
      assert(found);
      return found;
    };
    return { watching: new JobWatching(services), services, clock, log, set, job, badges, opened, memory, show };
  }
});

function kept(memory: ReadonlyMap<string, unknown>): readonly unknown[] {
  const stored = (memory.get(watchMemory.jobs) ?? { jobs: [] }) as { readonly jobs: readonly unknown[] };
  return stored.jobs;
}

function texts(shown: readonly Shown[]): readonly string[] {
  return shown.map(({ text }) => text);
}
