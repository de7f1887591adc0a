import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { saveTranscripts } from '../../../src/features/details/editor/saveTranscript.ts';
import { chooseJobLabel } from '../../../src/jobs/common/jobRow.ts';
import { KeyMask } from '../../../src/platform/http/keyMask.ts';
import { preRecordedItem } from '../../support/builders/jobItem.ts';
import { workConnection as connection } from '../../support/builders/workConnection.ts';
import { keyForms, keyFormsIn, markedKey } from '../../support/hostile/keyForms.ts';
import { acceptRow, withPicks } from '../browse/withPicks.ts';
import { openSettings } from '../connections/userSettings.ts';
import { jobOf } from '../details/fakeDetailsDeps.ts';
import { answering } from '../submit/answers.ts';
import { openDeliveryScene, type DeliverySceneOptions } from './deliveryScene.ts';
import { SmallDisk } from './smallDisk.ts';

describe('Results that are saved when jobs are done', () => {
  const settings = openSettings();
  const scheme = 'delivery-safety';
  const disk = new SmallDisk();
  let root = '';
  let registration: vscode.Disposable;
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'tj-host-safety-'));
    registration = vscode.workspace.registerFileSystemProvider(scheme, disk.provider);
  });
  after(() => {
    registration.dispose();
    settings.dispose();
    rmSync(root, { recursive: true });
  });

  const scene = (options: Partial<DeliverySceneOptions> = {}) => openDeliveryScene({ ...options, root, settings });
  const utterances = [{ text: 'One.', start: 1, end: 2.5, speaker: 0, language: 'en' }];
  const result = { transcription: { utterances } };
  const job = (id: string, label = id) => ({ kind: 'pre-recorded', id, label, createdAtMs: undefined }) as const;

  it('contain no key that the service repeats, nor do their names, the records, the log and the messages', async () => {
    const titleOf = (each: Parameters<typeof chooseJobLabel>[0]) => chooseJobLabel(each, ['title'], new Map());
    const { delivering, watching, clock, set, planIn, globalStorageUri, log, shared } = scene({
      keyMask: new KeyMask(markedKey),
      titleOf,
    });
    const plan = {
      ...planIn('canary'),
      name: '{title} {customer} {id}',
      formats: ['text', 'turns', 'markdown', 'json'],
    } as const;
    const jobs = keyForms.map(({ write }, index) => {
      const key = write(markedKey);
      const words = [{ text: `it is ${key}.`, start: 1, end: 2, speaker: 0, language: key }];
      set(`job-${index}`, {
        custom_metadata: { title: `Call ${key}`, customer: key },
        request_params: { model: key },
        result: {
          metadata: { audio_duration: key },
          transcription: { utterances: words, languages: [key], subtitles: [{ format: 'srt', subtitles: key }] },
          translation: {
            success: true,
            results: [{ languages: [key], error: { message: key }, full_transcript: key }],
          },
        },
      });
      return job(`job-${index}`, `Call ${key}`);
    });
    set('failed', { status: 'error', error_code: markedKey, custom_metadata: { title: markedKey } });
    const shown = await answering(
      async () => {
        await delivering.want(connection, [...jobs, job('failed', markedKey)], { plan, group: 'canary' });
        // Others than those that were wanted are saved, too, if the setting says so.
        watching.watch(connection, [...jobs, job('failed', markedKey)]);
      },
      [],
      (messages) => {
        void clock.advance(3000);
        return messages.some(({ text }) => text.includes('are saved in'));
      },
    );
    const names = readdirSync(join(root, 'canary'));
    assert.ok(names.length > 3 * jobs.length, names.join('\n'));
    const records = readdirSync(join(globalStorageUri.fsPath, 'deliveries'));
    assert.ok(records.length > 0);
    const found = [
      ...names.map((name) => [name, `${name} ${readFileSync(join(root, 'canary', name), 'utf8')}`] as const),
      ...records.map(
        (name) => [name, readFileSync(join(globalStorageUri.fsPath, 'deliveries', name), 'utf8')] as const,
      ),
      ['log', log.lines.join('\n')] as const,
      ['state', JSON.stringify([...shared])] as const,
      ['messages', shown.map(({ text }) => text).join('\n')] as const,
    ].flatMap(([where, text]) => keyFormsIn(text, markedKey).map((form) => `${where}: ${form}`));
    assert.deepEqual(found, []);
    watching.dispose();
    delivering.dispose();
  });

  it('have the names that the user gave to the speakers', async () => {
    const { delivering, watching, finish, set, planIn } = scene({ speakersOf: () => new Map([['0/', 'Inès *']]) });
    set('a', { result });
    await answering(async () => {
      await delivering.want(connection, [job('a')], { plan: planIn('speakers'), group: undefined });
      watching.watch(connection, [job('a')]);
      await finish();
    }, []);
    const read = (name: string): string => readFileSync(join(root, 'speakers', name), 'utf8');
    assert.match(read('title of a.md'), /\*\*00:01 · Inès \\\* \(en\)\*\*/);
    assert.equal(read('title of a.srt'), '1\n00:00:01,000 --> 00:00:02,500\nInès *: One.\n');
    watching.dispose();
    delivering.dispose();
  });

  it('wait in Restricted Mode, where saving by hand works', async () => {
    const { delivering, services, set, clock } = scene();
    set('a', { result });
    const isTrusted = Object.getOwnPropertyDescriptor(vscode.workspace, 'isTrusted') ?? assert.fail();
    const { showSaveDialog } = vscode.window;
    const target = join(root, 'by hand.srt');
    Object.assign(vscode.window, { showSaveDialog: async () => vscode.Uri.file(target) });
    Object.defineProperty(vscode.workspace, 'isTrusted', { ...isTrusted, get: () => false });
    try {
      await answering(
        () =>
          withPicks(async (next) => {
            const done = services.jobs.get('pre-recorded', 'a') ?? assert.fail();
            const saving = saveTranscripts([done], services, () => new Map());
            acceptRow(await next(), 3);
            await saving;
          }),
        [],
      );
      assert.equal(readFileSync(target, 'utf8'), '1\n00:00:01,000 --> 00:00:02,500\nOne.\n');
      const watched = {
        ...job('a'),
        connection: 'Work',
        origin: 'https://api.example.com',
        sinceMs: clock.now(),
        misses: 0,
      };
      await delivering.want(connection, [job('a')], {
        plan: {
          folder: vscode.Uri.file(join(root, 'restricted')).toString(),
          root: undefined,
          formats: ['srt'],
          languages: ['*'],
          name: '{title}',
        },
        group: undefined,
      });
      assert.equal(await delivering.deliver(watched, jobOf(preRecordedItem({ id: 'a', result }))), 'none');
      assert.equal(existsSync(join(root, 'restricted')), false);
    } finally {
      Object.assign(vscode.window, { showSaveDialog });
      Object.defineProperty(vscode.workspace, 'isTrusted', isTrusted);
    }
    delivering.dispose();
  });

  it('are reported once if the disk is full, leave nothing, and are saved once there is room', async () => {
    const { delivering, watching, set, planIn, finish, advanceUntil, attempts } = scene();
    const plan = { ...planIn(''), folder: `${scheme}:/`, root: undefined };
    set('a', { result });
    disk.isFull = true;
    const shown = await answering(
      async () => {
        await delivering.want(connection, [job('a')], { plan, group: undefined });
        watching.watch(connection, [job('a')]);
        await advanceUntil(() => attempts() > 1);
        assert.deepEqual(disk.names, []);
        disk.isFull = false;
        await finish();
      },
      [],
      (messages) => messages.length > 1,
    );
    assert.deepEqual(
      shown.map(({ text }) => text),
      ["can't be written. The disk is full.", '2 files are saved in /.'],
    );
    assert.deepEqual(disk.names.toSorted(), ['title of a.md', 'title of a.srt']);
    watching.dispose();
    delivering.dispose();
  });

  it('are tried again after a minute, or if the clock was set back', async () => {
    const { delivering, planIn, clock } = scene({ titleOf: () => 'Set back' });
    const plan = { ...planIn(''), folder: `${scheme}:/`, root: undefined };
    const done = jobOf(preRecordedItem({ id: 'a', result }));
    const times = { sinceMs: clock.now(), misses: 0 };
    const watched = { ...job('a'), ...times, connection: connection.name, origin: connection.baseUrl };
    await answering(async () => {
      await delivering.want(connection, [job('a')], { plan, group: undefined });
      disk.isFull = true;
      assert.equal(await delivering.deliver(watched, done), 'held');
      disk.isFull = false;
      assert.equal(await delivering.deliver(watched, done), 'held');
      await clock.advance(-3_600_000);
      assert.equal(await delivering.deliver(watched, done), 'delivered');
    }, []);
    assert.ok(disk.names.includes('Set back.srt'), disk.names.join());
    delivering.dispose();
  });
});
