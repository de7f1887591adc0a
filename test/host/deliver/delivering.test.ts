import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { dayMs } from '../../../src/base/time.ts';
import { originOf } from '../../../src/connections/common/connectionInput.ts';
import { deliveryKey, DeliveryStore } from '../../../src/features/deliver/node/deliveryStore.ts';
import { watchMemory } from '../../../src/features/watch/common/watchPlan.ts';
import { saveTranscripts } from '../../../src/features/details/editor/saveTranscript.ts';
import type { Job } from '../../../src/jobs/common/job.ts';
import { recordLine } from '../../../src/jobs/node/journal/recordLine.ts';
import { preRecordedItem } from '../../support/builders/jobItem.ts';
import { workConnection as connection } from '../../support/builders/workConnection.ts';
import { FakeClock } from '../../support/fakeClock/fakeClock.ts';
import { acceptRow, withPicks } from '../browse/withPicks.ts';
import { openSettings } from '../connections/userSettings.ts';
import { jobOf } from '../details/fakeDetailsDeps.ts';
import { answering } from '../submit/answers.ts';
import { openDeliveryScene, type DeliverySceneOptions } from './deliveryScene.ts';

describe('Saving results when jobs are done', () => {
  const settings = openSettings();
  let root = '';
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'tj-host-deliver-'));
  });
  after(() => {
    settings.dispose();
    rmSync(root, { recursive: true });
  });

  const scene = (options: Partial<DeliverySceneOptions> = {}) => openDeliveryScene({ ...options, root, settings });
  const result = (text: string) => ({
    transcription: { utterances: [{ text, start: 1, end: 2.5, speaker: 0, language: 'en' }] },
  });

  it('writes the files of a batch as Save Transcript As does, and reports all in one message', async () => {
    const { watching, delivering, advanceUntil, finish, set, services, planIn, shownBatches } = scene({
      batch: { id: 'batch', isInFront: false },
    });
    const plan = planIn('batch');
    const ids = ['a', 'b', 'c', 'd', 'e'];
    for (const id of ids) set(id, { status: 'queued' });
    const jobs = ids.map((id) => ({ kind: 'pre-recorded', id, label: `Call ${id}`, createdAtMs: undefined }) as const);
    const shown = await answering(
      async () => {
        await delivering.want(connection, jobs, { plan, group: 'batch' });
        watching.watch(connection, jobs);
        set('a', { result: result('One.') });
        set('b', { result: result('Two.') });
        set('d', { status: 'error', error_code: 500 });
        await advanceUntil(() => existsSync(join(root, 'batch', 'title of b.srt')));
        set('c', { result: { transcription: { full_transcript: 'No times.' } } });
        set('e', { result: null });
        await finish();
      },
      ['Show Batch'],
      (messages) => messages.length === 1 && shownBatches.length === 1,
    );
    assert.deepEqual(
      shown.map(({ text, buttons }) => [text, ...buttons]),
      [
        [
          `5 files of 3 jobs are saved in ${vscode.workspace.asRelativePath(join(root, 'batch'))}. title of c: The transcript has nothing to save as SRT. The service sent no result for title of e. Failed: title of d.`,
          'Show Batch',
          'Show in Folder',
        ],
      ],
    );
    assert.deepEqual(shownBatches, ['batch']);
    const saved = join(root, 'saved');
    mkdirSync(saved);
    const { showOpenDialog } = vscode.window;
    Object.assign(vscode.window, { showOpenDialog: async () => [vscode.Uri.file(saved)] });
    for (const row of [2, 3]) {
      await withPicks(async (next) => {
        const saving = answering(
          () =>
            saveTranscripts(
              ids.map((id) => jobNamed(id)),
              services,
              () => new Map(),
            ),
          [],
        );
        acceptRow(await next(), row);
        await saving;
      });
    }
    Object.assign(vscode.window, { showOpenDialog });
    const contents = (folder: string) =>
      Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
    assert.deepEqual(contents(join(root, 'batch')), contents(saved));
    watching.dispose();
    delivering.dispose();

    function jobNamed(id: string): Job {
      return services.jobs.get('pre-recorded', id) ?? assert.fail();
    }
  });

  it('tells what is recorded of the files of a batch, and shows the last one', async () => {
    const { watching, delivering, clock, finish, set, services, planIn, recorded } = scene();
    const filesOf = async () => delivering.filesOfBatch(connection, 'told', ['a', 'b']);
    set('a', { status: 'queued' });
    assert.equal(await filesOf(), undefined);
    const label = { kind: 'pre-recorded', id: 'a', label: 'Call a', createdAtMs: undefined } as const;
    await delivering.want(connection, [label], { plan: planIn('told'), group: 'told' });
    const wanted = await filesOf();
    assert.deepEqual([wanted?.text, wanted?.show, recorded()], ['Not saved yet: 1', undefined, 1]);
    set('a', { result: result('One.') });
    await answering(async () => {
      watching.watch(connection, [label]);
      await finish();
    }, []);
    const told = vscode.workspace.asRelativePath(join(root, 'told'));
    assert.equal((await filesOf())?.text, `Files of 1 job saved in ${told}`);
    assert.equal(recorded(), 2);
    set('b', { result: result('Two.') });
    const own = join(root, 'own of b.srt');
    await clock.advance(1000);
    const b = services.jobs.get('pre-recorded', 'b') ?? assert.fail();
    await delivering.noteSavedFiles(connection, new Map([[b, vscode.Uri.file(own)]]));
    const both = await filesOf();
    assert.match(both?.text ?? '', /^Files of 1 job saved in .*told · Files of 1 job saved in /);
    // The file of the user is gone.
    const { executeCommand } = vscode.commands;
    const shown: string[] = [];
    Object.assign(vscode.commands, { executeCommand: async (_id: string, uri: vscode.Uri) => shown.push(uri.fsPath) });
    try {
      await both?.show?.();
      rmSync(join(root, 'told'), { recursive: true });
      await assert.rejects(both?.show?.() ?? Promise.resolve(), /no longer where they were saved/);
    } finally {
      Object.assign(vscode.commands, { executeCommand });
    }
    assert.deepEqual(shown, [join(root, 'told', 'title of a.md')]);
    watching.dispose();
    delivering.dispose();
  });

  it('reports a batch again only when more of it has ended', async () => {
    const { watching, delivering, finish, set, planIn } = scene();
    const plan = planIn('more');
    const submit = async (...ids: readonly string[]) => {
      const close = delivering.openGroup('more');
      const jobs = ids.map((id) => ({ kind: 'pre-recorded', id, label: id, createdAtMs: undefined }) as const);
      for (const id of ids) set(id, { result: result('One.') });
      if (jobs.length > 0) {
        await delivering.want(connection, jobs, { plan, group: 'more' });
        watching.watch(connection, jobs);
        await finish();
      }
      close();
    };
    const isReported = (messages: readonly unknown[]) => messages.length > 0;
    const first = await answering(() => submit('a'), [], isReported);
    const second = await answering(
      async () => {
        await submit();
        await submit('b', 'c');
      },
      [],
      isReported,
    );
    const folder = vscode.workspace.asRelativePath(join(root, 'more'));
    assert.deepEqual(
      [first, second].map((all) => all.map(({ text }) => text)),
      [[`2 files are saved in ${folder}.`], [`6 files of 3 jobs are saved in ${folder}.`]],
    );
    watching.dispose();
    delivering.dispose();
  });

  it('saves a job that failed, was queued again and is done now', async () => {
    const { watching, delivering, finish, set, planIn } = scene();
    const job = { kind: 'pre-recorded', id: 'a', label: 'Call a', createdAtMs: undefined } as const;
    const shown = await answering(
      async () => {
        await delivering.want(connection, [job], { plan: planIn('again'), group: 'again' });
        for (const changes of [{ status: 'error', error_code: 500 }, { result: result('One.') }]) {
          set('a', changes);
          watching.watch(connection, [job]);
          await finish();
        }
      },
      [],
      (messages) => messages.some(({ text }) => text.startsWith('2 files')),
    );
    assert.doesNotMatch(shown.at(-1)?.text ?? '', /failed/);
    assert.deepEqual(readdirSync(join(root, 'again')).toSorted(), ['title of a.md', 'title of a.srt']);
    watching.dispose();
    delivering.dispose();
  });

  it('writes nothing through a link that leaves the workspace folder, and says so once', async () => {
    const { watching, delivering, clock, advanceUntil, attempts, set, planIn } = scene();
    mkdirSync(join(root, 'outside'));
    mkdirSync(join(root, 'inside'));
    symlinkSync(join(root, 'outside'), join(root, 'inside', 'link'));
    const plan = planIn('inside/link/deep', 'inside');
    const jobs = [{ kind: 'pre-recorded', id: 'a', label: 'Call a', createdAtMs: undefined }] as const;
    set('a', { result: result('One.') });
    const shown = await answering(
      async () => {
        await delivering.want(connection, jobs, { plan, group: undefined });
        watching.watch(connection, jobs);
        await clock.advance(3000);
        await advanceUntil(() => attempts() > 2);
      },
      [],
      (messages) => messages.length > 0,
    );
    assert.equal(shown.length, 1);
    assert.match(
      shown[0]?.text ?? '',
      /^Results are not saved in .*inside\/link\/deep, because it is outside the workspace\.$/,
    );
    assert.deepEqual(readdirSync(join(root, 'outside')), []);
    watching.dispose();
    delivering.dispose();
  });

  it('leaves the files of others alone, and saves a job again only under another name', async () => {
    const { watching, delivering, finish, set, planIn } = scene();
    const plan = planIn('taken');
    mkdirSync(join(root, 'taken'));
    writeFileSync(join(root, 'taken', 'title of a.SRT'), 'mine');
    const jobs = [{ kind: 'pre-recorded', id: 'a', label: 'Call a', createdAtMs: undefined }] as const;
    set('a', { result: result('One.') });
    await answering(async () => {
      await delivering.want(connection, jobs, { plan: { ...plan, formats: ['srt'] }, group: undefined });
      watching.watch(connection, jobs);
      await finish();
      watching.watch(connection, jobs);
      await finish();
    }, []);
    assert.deepEqual(readdirSync(join(root, 'taken')).toSorted(), ['title of a (2).srt', 'title of a.SRT']);
    assert.equal(readFileSync(join(root, 'taken', 'title of a.SRT'), 'utf8'), 'mine');
    watching.dispose();
    delivering.dispose();
  });

  it('returns the file that was saved last, by the user or by itself, while it exists', async () => {
    const { watching, delivering, clock, finish, set, planIn, services } = scene();
    set('a', { result: result('One.') });
    const job = services.jobs.get('pre-recorded', 'a') ?? assert.fail();
    const find = async () => (await delivering.savedFile(connection, job))?.fsPath;
    const [own, later] = [join(root, 'own.srt'), join(root, 'own later.srt')];
    const save = async (path: string): Promise<void> => {
      writeFileSync(path, '');
      await clock.advance(1000);
      await delivering.noteSavedFiles(connection, new Map([[job, vscode.Uri.file(path)]]));
    };
    await save(own);
    assert.equal(await find(), own);
    await answering(async () => {
      const label = { kind: 'pre-recorded', id: 'a', label: 'Call a', createdAtMs: undefined } as const;
      await delivering.want(connection, [label], { plan: planIn('shown'), group: undefined });
      watching.watch(connection, [label]);
      await finish();
    }, []);
    const delivered = join(root, 'shown', 'title of a.md');
    assert.equal(await find(), delivered);
    await save(later);
    assert.equal(await find(), later);
    rmSync(later);
    assert.equal(await find(), delivered);
    watching.dispose();
    delivering.dispose();
  });

  it('catches up with jobs that were done while the window was closed', async () => {
    const before = scene();
    before.set('a', { status: 'queued' });
    const jobs = [{ kind: 'pre-recorded', id: 'a', label: 'Call a', createdAtMs: undefined }] as const;
    // The window ends before it watches the job.
    await before.delivering.want(connection, jobs, { plan: before.planIn('later'), group: undefined });
    before.watching.dispose();
    before.delivering.dispose();
    const { delivering, watching, clock, finish, set, planIn } = scene({ ...before, clock: new FakeClock() });
    set('a', { created_at: new Date(clock.now()).toISOString(), result: result('One.') });
    await clock.advance(3 * 24 * 3_600_000);
    const shown = await answering(
      async () => {
        await delivering.catchUp();
        await finish();
        // A service without results is reported once.
        for (const id of ['b', 'c']) {
          set(id, { result: null });
          const job = { kind: 'pre-recorded', id, label: `Call ${id}`, createdAtMs: undefined } as const;
          await delivering.want(connection, [job], { plan: planIn('later'), group: undefined });
          watching.watch(connection, [job]);
          await finish();
        }
      },
      [],
      (messages) => messages.length > 2,
    );
    assert.deepEqual(readdirSync(join(root, 'later')).toSorted(), ['title of a.md', 'title of a.srt']);
    assert.deepEqual(
      shown.map(({ text }) => text),
      [
        `2 files are saved in ${vscode.workspace.asRelativePath(join(root, 'later'))}.`,
        'The service sent no result for title of b.',
        '"title of c" is done.',
      ],
    );
    watching.dispose();
    delivering.dispose();
  });

  const job = (id: string) => ({ kind: 'pre-recorded', id, label: `Call ${id}`, createdAtMs: undefined }) as const;
  const textsOf = (shown: readonly { readonly text: string }[]) => shown.map(({ text }) => text);
  /** True once there are messages. Advances the clock, because files, which take real time, come before them. */
  const advancing = (clock: FakeClock, count: number) => (messages: readonly unknown[]) => {
    void clock.advance(3000);
    return messages.length >= count;
  };
  const inFolder = (name: string) => vscode.workspace.asRelativePath(join(root, name));

  it('saves a job that takes more than a day when a list, or the next window, has it as done', async () => {
    const { delivering, watching, clock, advanceUntil, set, planIn, requests, ...first } = scene();
    for (const id of ['a', 'b', 'c']) set(id, { status: 'queued' });
    const plan = planIn('late');
    const shown = await answering(
      async () => {
        await delivering.want(connection, [job('a'), job('b'), job('c')], { plan, group: 'late' });
        watching.watch(connection, [job('a'), job('b'), job('c')]);
        set('a', { result: result('One.') });
        await advanceUntil(() => existsSync(join(root, 'late', 'title of a.srt')));
        await clock.advance(dayMs);
      },
      [],
      advancing(clock, 2),
    );
    assert.deepEqual(textsOf(shown), [
      '2 jobs did not finish and are no longer watched.',
      `2 files are saved in ${inFolder('late')}. Not finished and no longer watched: 2.`,
    ]);
    set('b', { created_at: new Date(clock.now() - dayMs).toISOString(), result: result('Two.') });
    const before = requests();
    const listed = await answering(() => delivering.resume(), [], advancing(clock, 1));
    assert.deepEqual(textsOf(listed), [`2 files are saved in ${inFolder('late')}.`]);
    assert.equal(requests(), before);
    watching.dispose();
    delivering.dispose();

    const start = async (changes: Parameters<typeof preRecordedItem>[0]) => {
      const next = scene({ ...first, clock });
      next.set('c', changes);
      await next.delivering.catchUp();
      await next.finish();
      next.watching.dispose();
      next.delivering.dispose();
    };
    const later = await answering(
      async () => {
        await start({ status: 'queued' });
        await start({ result: result('Three.') });
      },
      [],
      advancing(clock, 1),
    );
    assert.deepEqual(textsOf(later), [`2 files are saved in ${inFolder('late')}.`]);
    assert.equal(readdirSync(join(root, 'late')).length, 6);
  });

  it('does not watch jobs again that are given up while the wanted jobs are read', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    for (let turns = 0; turns < 200; turns += 10) {
      const { delivering, watching, clock, memory, set, planIn, requests } = scene();
      for (const id of ids) set(id, { status: 'queued' });
      const shown = await answering(
        async () => {
          await delivering.want(connection, ids.map(job), { plan: planIn('given up'), group: undefined });
          watching.watch(connection, ids.map(job));
          await clock.advance(3000);
          assert.equal(requests(), 1);
          clock.set(dayMs);
          const catchingUp = delivering.catchUp();
          for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
          await clock.advance(10_000);
          await catchingUp;
          await clock.advance(60_000);
        },
        [],
        advancing(clock, 1),
      );
      assert.deepEqual(textsOf(shown), ['6 jobs did not finish and are no longer watched.']);
      assert.deepEqual([requests(), memory.get(watchMemory.jobs)], [2, undefined], `after ${turns} turns`);
      watching.dispose();
      delivering.dispose();
    }
  });

  it('also saves the jobs of a batch that its window did not record before it ended, and none whose files are no longer wanted', async () => {
    const { delivering, watching, clock, shared, globalStorageUri, planIn } = scene();
    await delivering.want(connection, [job('a'), job('c')], { plan: planIn('cut'), group: 'cut' });
    const of = { connection: connection.name, origin: originOf(connection.baseUrl), kind: 'pre-recorded' } as const;
    await delivering.abandon([{ ...of, id: 'c', label: 'Call c', sinceMs: 0, createdAtMs: undefined, misses: 0 }]);
    watching.dispose();
    delivering.dispose();

    const next = scene({ shared, globalStorageUri, clock, batches: { cut: ['a', 'b', 'c'], other: ['d'] } });
    for (const id of ['a', 'b', 'c', 'd']) next.set(id, { result: result('One.') });
    const shown = await answering(
      async () => {
        await next.delivering.catchUp();
        await next.finish();
      },
      [],
      advancing(clock, 1),
    );
    const files = readdirSync(join(root, 'cut')).toSorted();
    assert.deepEqual(files, ['title of a.md', 'title of a.srt', 'title of b.md', 'title of b.srt']);
    assert.match(textsOf(shown).join('\n'), /4 files of 2 jobs are saved/);
    next.watching.dispose();
    next.delivering.dispose();
  });

  it('leaves records of a later version alone, and says so once', async () => {
    const { delivering, watching, clock, globalStorageUri, planIn } = scene();
    const folder = join(globalStorageUri.fsPath, 'deliveries');
    mkdirSync(folder, { recursive: true });
    const path = join(folder, `${String(Math.floor(clock.now() / 86_400_000)).padStart(6, '0')}.ndjson`);
    const later = recordLine({ schema: 99, type: 'wanted', job: 'a' });
    writeFileSync(path, later);
    const shown = await answering(async () => {
      await delivering.catchUp();
      await delivering.want(connection, [job('b')], { plan: planIn('later'), group: undefined });
    }, []);
    assert.ok(readFileSync(path, 'utf8').startsWith(later));
    assert.deepEqual(textsOf(shown), [
      'Records of saved results from a later version are not read. Some results may not be saved, or be saved again.',
    ]);
    watching.dispose();
    delivering.dispose();
  });

  it('takes over from a window of another workspace that was closed, and not before', async () => {
    const { delivering, watching, set, clock, globalStorageUri, planIn, services } = scene();
    const store = new DeliveryStore(join(globalStorageUri.fsPath, 'deliveries'), clock, services.log);
    await delivering.want(connection, [job('own')], { plan: planIn('taken over'), group: 'taken over' });
    const [own] = await store.pending();
    assert(own);
    const { pid: closed } = spawnSync(process.execPath, ['--version'], { env: { ELECTRON_RUN_AS_NODE: '1' } });
    const of = (id: string, pid: number) => ({
      ...own.wanted,
      job: deliveryKey({ ...own.wanted, id }),
      id,
      pid,
    });
    await store.want([{ ...of('open', process.ppid), group: undefined }, of('closed', closed)]);
    for (const id of ['open', 'closed', 'own']) set(id, { result: result('One.') });
    await answering(() => delivering.catchUp(), [], advancing(clock, 1));
    assert.deepEqual(
      readdirSync(join(root, 'taken over'))
        .filter((name) => name.endsWith('.md'))
        .toSorted(),
      ['title of closed.md', 'title of own.md'],
    );
    assert.deepEqual(
      (await store.pending()).map(({ wanted }) => wanted.id),
      ['open'],
    );
    watching.dispose();
    delivering.dispose();
  });

  it('reports a service that sends no result once, until it sends one', async () => {
    const { shared, globalStorageUri } = scene();
    const expected = [
      ['b', null, 'The service sent no result for title of b.'],
      ['c', null, '"title of c" is done.'],
      ['d', result('Four.'), `2 files are saved in ${inFolder('results')}.`],
      ['e', null, 'The service sent no result for title of e.'],
    ] as const;
    for (const [id, sent, text] of expected) {
      // Another window, of another workspace.
      const { delivering, watching, clock, set, planIn } = scene({ shared, globalStorageUri });
      set(id, { result: sent });
      const shown = await answering(
        async () => {
          await delivering.want(connection, [job(id)], { plan: planIn('results'), group: undefined });
          watching.watch(connection, [job(id)]);
        },
        [],
        advancing(clock, 1),
      );
      assert.deepEqual(textsOf(shown), [text]);
      watching.dispose();
      delivering.dispose();
    }
  });

  it('saves nothing in Restricted Mode, and what was wanted once the workspace is trusted', async () => {
    const { delivering, watching, clock, set, planIn } = scene();
    set('a', { result: result('One.') });
    await delivering.want(connection, [job('a')], { plan: planIn('trusted'), group: undefined });
    const isTrusted = Object.getOwnPropertyDescriptor(vscode.workspace, 'isTrusted') ?? assert.fail();
    Object.defineProperty(vscode.workspace, 'isTrusted', { ...isTrusted, get: () => false });
    try {
      const shown = await answering(
        async () => {
          await delivering.catchUp();
          watching.watch(connection, [job('a')]);
        },
        [],
        advancing(clock, 1),
      );
      assert.deepEqual(textsOf(shown), ['"title of a" is done.']);
      assert.equal(existsSync(join(root, 'trusted')), false);
      await assert.rejects(delivering.saveWhenDone([jobOf(preRecordedItem({ status: 'queued' }))]), /Restricted Mode/);
    } finally {
      Object.defineProperty(vscode.workspace, 'isTrusted', isTrusted);
    }
    await answering(() => delivering.catchUp(), [], advancing(clock, 1));
    assert.equal(readdirSync(join(root, 'trusted')).length, 2);
    watching.dispose();
    delivering.dispose();
  });
});
