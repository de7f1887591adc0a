import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import type { Job } from '../../../src/jobs/common/job.ts';
import { openTranscripts, saveTranscripts } from '../../../src/features/details/editor/saveTranscript.ts';
import { lastPlanKey } from '../../../src/features/deliver/common/delivery.ts';
import { UserError } from '../../../src/platform/editor/messages.ts';
import { preRecordedItem } from '../../support/builders/jobItem.ts';
import { workConnection as connection } from '../../support/builders/workConnection.ts';
import { KeyMask } from '../../../src/platform/http/keyMask.ts';
import { keyForms, keyFormsIn, markedKey } from '../../support/hostile/keyForms.ts';
import { KeptLog } from '../../support/keptLog.ts';
import { acceptPick, acceptRow, withPicks } from '../browse/withPicks.ts';
import { jobOf } from './fakeDetailsDeps.ts';
import type { Services } from '../../../src/services.ts';
import { fakeServices } from '../../support/fakeServices.ts';
import { until } from '../../support/until.ts';

describe('Saved transcripts', () => {
  const { showSaveDialog, showOpenDialog, showInformationMessage, showWarningMessage, showErrorMessage } =
    vscode.window;
  const keyMask = new KeyMask(markedKey);
  const memory = new Map<string, unknown>();
  /** Files that were saved when their jobs were done, by job. */
  const delivered = new Map<string, vscode.Uri>();
  /** Files that were recorded as saved by the user. */
  const noted: string[] = [];
  const speakers = new Map([['0/', 'Inès *']]);
  const servicesNaming = (titleOf: (job: Job) => string): Services =>
    fakeServices({
      log: new KeptLog(),
      jobs: { whole: (job) => job, readWhole: async (job) => job },
      service: { keyMask },
      connections: { current: connection },
      actions: {
        deliver: {
          savedFile: async (_connection, { id }) => delivered.get(id),
          noteSavedFiles: async (_connection, files) => {
            for (const [{ id }, uri] of files) noted.push(`${id}: ${basename(uri.path)}`);
          },
        },
      },
      workspaceState: { get: (key) => memory.get(key), update: async (key, value) => void memory.set(key, value) },
      facts: { titleOf: (job) => keyMask.apply(titleOf(job)) },
    });
  const services = servicesNaming((job) => `Weekly: ${job.id.slice(0, 1)}`);
  const speakersOf = (job: Job) => (job.id === 'a1' ? speakers : new Map<string, string>());
  const utterances = [{ text: 'Hello there.', start: 1, end: 2.5, speaker: 0, language: 'en' }];
  const timed = jobOf(preRecordedItem({ id: 'a1', result: { transcription: { utterances } } }));
  const same = jobOf(preRecordedItem({ id: 'a2', result: { transcription: { utterances } } }));
  const untimed = jobOf(preRecordedItem({ id: 'b1', result: { transcription: { full_transcript: 'No times.' } } }));
  const bare = jobOf(preRecordedItem({ id: 'c1', result: null }));
  const shown: string[] = [];
  let folder = '';

  beforeEach(() => {
    shown.length = 0;
    noted.length = 0;
    memory.clear();
    folder = mkdtempSync(join(tmpdir(), 'transcripts-'));
    const keep =
      (severity: string) =>
      async (message: string, ...buttons: readonly string[]) =>
        void shown.push([`${severity}: ${message}`, ...buttons].join(' | '));
    Object.assign(vscode.window, {
      showSaveDialog: async (options: vscode.SaveDialogOptions) =>
        vscode.Uri.file(join(folder, `saved.${Object.values(options.filters ?? {}).flat()[0]}`)),
      showOpenDialog: async () => [vscode.Uri.file(folder)],
      showInformationMessage: keep('information'),
      showWarningMessage: keep('warning'),
      showErrorMessage: keep('error'),
    });
  });
  afterEach(() => {
    Object.assign(vscode.window, {
      showSaveDialog,
      showOpenDialog,
      showInformationMessage,
      showWarningMessage,
      showErrorMessage,
    });
    rmSync(folder, { recursive: true, force: true });
  });

  /** Saves with the format in this row. @returns the formats that were offered */
  async function save(jobs: readonly Job[], row: number): Promise<readonly string[]> {
    let offered: readonly string[] = [];
    await withPicks(async (next) => {
      const saving = saveTranscripts(jobs, services, speakersOf);
      const pick = await next();
      offered = pick.items.map(({ label }) => label);
      acceptRow(pick, row);
      await saving;
    });
    return offered;
  }
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

  it('of one job are saved to the chosen file, in a format that the job has content for', async () => {
    const all = ['Text', 'Text with speakers and times', 'Markdown', 'SubRip', 'WebVTT', 'JSON'];
    assert.deepEqual(await save([timed], 3), all);
    assert.equal(read('saved.srt'), '1\n00:00:01,000 --> 00:00:02,500\nInès *: Hello there.\n');
    assert.deepEqual(shown, ['information: The transcript is saved in saved.srt. | Open']);
    assert.deepEqual(noted, ['a1: saved.srt']);
    await save([timed], 1);
    assert.equal(read('saved.txt'), '00:01 · Inès * (en) · Hello there.\n');
    await save([timed], 2);
    assert.match(read('saved.md'), /\*\*00:01 · Inès \\\* \(en\)\*\*/);
    shown.length = 0;
    assert.deepEqual(await save([untimed], 0), [...all.slice(0, 3), 'JSON']);
    assert.equal(read('saved.txt'), 'No times.\n');
  });

  it('are proposed beside the files of their job, else beside the last ones, in the last format', async () => {
    const proposed: (string | undefined)[] = [];
    Object.assign(vscode.window, {
      showSaveDialog: async ({ defaultUri }: vscode.SaveDialogOptions) => {
        proposed.push(defaultUri?.path);
        return vscode.Uri.file(join(folder, 'chosen.srt'));
      },
    });
    await save([timed], 3);
    await withPicks(async (next) => {
      const saving = saveTranscripts([timed], services, speakersOf);
      const pick = await next();
      assert.deepEqual(
        pick.selectedItems.map(({ label }) => label),
        ['SubRip'],
      );
      acceptPick(pick);
      await saving;
    });
    delivered.set('a1', vscode.Uri.file('/w/out/a.md'));
    await save([timed], 3);
    delivered.clear();
    const root = vscode.workspace.workspaceFolders?.[0]?.uri;
    const name = 'Weekly- a.srt';
    assert.deepEqual(proposed, [
      root && `${root.path}/${name}`,
      vscode.Uri.file(join(folder, name)).path,
      `/w/out/${name}`,
    ]);
  });

  it('contain no key that the service repeats, nor do their names', async () => {
    const words = keyForms.map(({ write }, index) => ({
      text: `it is ${write(markedKey)}.`,
      start: index,
      end: index + 1,
    }));
    const shown = jobOf(preRecordedItem({ id: 'a3', result: { transcription: { utterances: words } } }));
    const named = servicesNaming(() => `Call ${markedKey}`);
    for (let row = 0; row < 6; row++) {
      for (const jobs of [[shown], [shown, shown]]) {
        await withPicks(async (next) => {
          const saving = saveTranscripts(jobs, named, speakersOf);
          acceptRow(await next(), row);
          await saving;
        });
      }
    }
    const names = readdirSync(folder);
    assert.ok(names.includes('Call ••• (2).vtt') && names.includes('saved.srt'), names.join(' '));
    for (const name of names) assert.deepEqual(keyFormsIn(`${name} ${read(name)}`, markedKey), [], name);
  });

  it('of several jobs get unused names, and jobs without a transcript are reported', async () => {
    writeFileSync(join(folder, 'WEEKLY- A.srt'), 'mine');
    await save([timed, same, untimed, bare], 3);
    assert.deepEqual(readdirSync(folder).toSorted(), ['WEEKLY- A.srt', 'Weekly- a (2).srt', 'Weekly- a (3).srt']);
    assert.equal(read('WEEKLY- A.srt'), 'mine');
    assert.deepEqual(noted, ['a1: Weekly- a (2).srt', 'a2: Weekly- a (3).srt']);
    const place = folder.split('/').at(-1) ?? '';
    assert.deepEqual(shown, [
      [
        `warning: 2 files are saved in ${place}. Name already taken, saved as: Weekly- a (2).srt, Weekly- a (3).srt.`,
        'No transcript in this format: Weekly: b, Weekly: c. | Show in Folder',
      ].join(' '),
    ]);
  });

  it('of several jobs can be cancelled, and the rest is reported', async () => {
    const { withProgress } = vscode.window;
    const cancelled = {
      isCancellationRequested: false,
      onCancellationRequested: (listen: () => void) => {
        void until('the first file', () => readdirSync(folder).length > 0, 5).then(listen);
        return none;
      },
    };
    const none = new vscode.Disposable(() => undefined);
    Object.assign(vscode.window, {
      withProgress: (_options: unknown, body: (...given: unknown[]) => unknown) =>
        body({ report: () => undefined }, cancelled),
    });
    // Cancellable progress is shown only for long operations.
    const slowly = (job: Job): string => {
      const end = performance.now() + 5;
      while (performance.now() < end);
      return job.id;
    };
    try {
      await withPicks(async (next) => {
        const jobs = Array.from({ length: 400 }, () => timed);
        const saving = saveTranscripts(jobs, servicesNaming(slowly), speakersOf);
        acceptRow(await next(), 0);
        await saving;
      });
    } finally {
      Object.assign(vscode.window, { withProgress });
    }
    const [, saved, left] =
      /^information: (\d+) files? .*Not saved: (\d+)\. \| Show in Folder$/.exec(shown.join()) ?? [];
    assert.equal(Number(saved) + Number(left), 400, shown.join());
    assert.equal(readdirSync(folder).length, Number(saved));
    assert.equal(Number(saved) > 0 && Number(left) > 0, true);
  });

  const translation = {
    success: true,
    results: ['fr', 'es'].map((language) => ({
      languages: [language],
      utterances: [{ text: `Bonjour ${language}.`, start: 1, end: 2.5 }],
    })),
  };
  /** A job with two translations, whose request echoes what it asked for. */
  const translated = (id: string): Job =>
    jobOf(
      preRecordedItem({
        id,
        request_params: { translation_config: { target_languages: ['fr', 'es'] } },
        result: { transcription: { utterances }, translation },
      }),
    );

  /** Saves with these answers: for each prompt, the labels to select. @returns the labels that each prompt offered */
  async function answer(jobs: readonly Job[], answers: readonly (readonly string[])[]) {
    const offered: (readonly string[])[] = [];
    await withPicks(async (next) => {
      const saving = saveTranscripts(jobs, services, speakersOf);
      for (const labels of answers) {
        const pick = await next();
        assert.equal(pick.canSelectMany, true);
        offered.push(pick.items.map(({ label }) => label));
        pick.selectedItems = pick.items.filter(({ label }) => labels.includes(label));
        assert.equal(pick.selectedItems.length, labels.length);
        acceptPick(pick);
      }
      await saving;
    });
    return offered;
  }

  it('of one job are saved in several formats and languages to a folder, next to what is there', async () => {
    writeFileSync(join(folder, 'Weekly- t.fr.srt'), 'mine');
    const offered = await answer(
      [translated('t1')],
      [
        ['Text', 'SubRip', 'JSON'],
        ['As spoken', 'French (fr)'],
      ],
    );
    assert.deepEqual(offered[1], ['As spoken', 'French (fr)', 'Spanish (es)']);
    assert.deepEqual(readdirSync(folder).toSorted(), [
      'Weekly- t (2).fr.srt',
      'Weekly- t (2).fr.txt',
      'Weekly- t (2).json',
      'Weekly- t (2).srt',
      'Weekly- t (2).txt',
      'Weekly- t.fr.srt',
    ]);
    assert.equal(read('Weekly- t.fr.srt'), 'mine');
    assert.equal(read('Weekly- t (2).fr.txt'), 'Bonjour fr.\n');
    assert.equal(read('Weekly- t (2).fr.srt'), '1\n00:00:01,000 --> 00:00:02,500\nBonjour fr.\n');
    assert.match(shown.join(), /^information: 5 files are saved in .* Name already taken/);
  });

  it('are proposed in the last formats and languages, or else as results were last saved when jobs were done', async () => {
    const proposed = async (jobs: readonly Job[]): Promise<readonly (readonly string[])[]> => {
      const selected: (readonly string[])[] = [];
      await withPicks(async (next) => {
        const saving = saveTranscripts(jobs, services, speakersOf);
        for (let prompt = 0; prompt < 2; prompt++) {
          const pick = await next();
          selected.push(pick.selectedItems.map(({ label }) => label));
          if (prompt === 0 && pick.selectedItems.length === 0) pick.selectedItems = pick.items.slice(0, 1);
          acceptPick(pick);
        }
        await saving;
      });
      return selected;
    };
    const plan = { folder: 'file:///w/out', formats: ['markdown', 'srt'], languages: ['*'], name: '{title}' };
    memory.set(lastPlanKey, plan);
    assert.deepEqual(await proposed([translated('t1')]), [
      ['Markdown', 'SubRip'],
      ['As spoken', 'French (fr)', 'Spanish (es)'],
    ]);
    await answer([translated('t1')], [['Text'], ['French (fr)']]);
    assert.deepEqual(await proposed([translated('t1'), translated('t2')]), [['Text'], ['French (fr)']]);
    await answer([translated('t1'), translated('t2')], [['Text'], ['As spoken, and all translations']]);
    assert.deepEqual(await proposed([translated('t1')]), [['Text'], ['As spoken', 'French (fr)', 'Spanish (es)']]);
    for (const damaged of [[{}], 'no address:/']) {
      for (const key of memory.keys()) memory.set(key, damaged);
      assert.deepEqual(await proposed([translated('t1')]), [[], ['As spoken']]);
    }
  });

  it('of one job in one format and language are saved under any name, without a prompt for languages that have no file', async () => {
    assert.deepEqual((await answer([translated('t1')], [['SubRip'], ['Spanish (es)']]))[1], [
      'As spoken',
      'French (fr)',
      'Spanish (es)',
    ]);
    assert.equal(read('saved.srt'), '1\n00:00:01,000 --> 00:00:02,500\nBonjour es.\n');
    await answer([translated('t1')], [['JSON']]);
    assert.match(read('saved.json'), /"Bonjour es\."/);
    await answer([timed], [['Text', 'WebVTT']]);
    assert.deepEqual(readdirSync(folder).toSorted(), ['Weekly- a.txt', 'Weekly- a.vtt', 'saved.json', 'saved.srt']);
  });

  it('of several jobs are saved in several formats and languages, and languages that some lack are reported', async () => {
    const offered = await answer(
      [translated('t1'), timed],
      [
        ['Text', 'WebVTT'],
        ['As spoken', 'Spanish (es)'],
      ],
    );
    assert.deepEqual(offered[1], ['As spoken', 'Spanish (es)', 'French (fr)', 'As spoken, and all translations']);
    assert.deepEqual(readdirSync(folder).toSorted(), [
      'Weekly- a.txt',
      'Weekly- a.vtt',
      'Weekly- t.es.txt',
      'Weekly- t.es.vtt',
      'Weekly- t.txt',
      'Weekly- t.vtt',
    ]);
    assert.match(shown.join(), /^warning: 6 files .* The service sent no translation into es\. \(Weekly: a\)/);
    await answer([translated('u1'), translated('v1')], [['Text'], ['As spoken, and all translations']]);
    assert.deepEqual(
      readdirSync(folder).filter((name) => /- [uv]/.test(name)),
      ['u', 'v'].flatMap((letter) => ['.es', '.fr', ''].map((language) => `Weekly- ${letter}${language}.txt`)),
    );
  });

  it('are saved in the active format if none is selected, and not at all if none is active', async () => {
    await withPicks(async (next) => {
      const saving = saveTranscripts([timed], services, speakersOf);
      const pick = await next();
      pick.activeItems = pick.items.slice(3, 4);
      acceptPick(pick);
      await saving;
    });
    assert.deepEqual(readdirSync(folder), ['saved.srt']);
    await answer([timed], [[]]);
    await answer([translated('t1')], [['Text'], []]);
    assert.deepEqual(readdirSync(folder), ['saved.srt']);
  });

  it('report a folder that cannot be written', async () => {
    rmSync(folder, { recursive: true });
    await save([timed, same], 0);
    assert.match(
      shown.join(),
      /^error: 0 files are saved in .*\. Not saved: 2\. .* can't be written\. This folder doesn't exist/,
    );
  });

  it('do not exist if the service sent none', async () => {
    await assert.rejects(
      saveTranscripts([bare], services, speakersOf),
      new UserError('The service sent no transcript for Weekly: c.'),
    );
    await assert.rejects(saveTranscripts([bare, bare], services, speakersOf), UserError);
    await assert.rejects(openTranscripts([bare], services, speakersOf), UserError);
  });

  it('are opened as text without hidden characters', async () => {
    const hidden = jobOf(
      preRecordedItem({ result: { transcription: { utterances: [{ text: 'so\u202e it\u0007 goes', start: 0 }] } } }),
    );
    await openTranscripts([hidden, bare], services, speakersOf);
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.isUntitled, true);
    assert.match(document?.getText() ?? '', /^Weekly: \S+\n\n00:00 · so {2}it goes\n$/);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('are opened in new documents, whose first line is the label on one line, whatever it contains', async () => {
    const hostile = 'a/../b?#%2f\u202e\n\ud800<h>';
    await openTranscripts(
      [timed, same],
      servicesNaming(() => hostile),
      speakersOf,
    );
    try {
      const documents = vscode.window.tabGroups.activeTabGroup.tabs.flatMap(({ input }) =>
        input instanceof vscode.TabInputText && input.uri.scheme === 'untitled' ? [input.uri] : [],
      );
      assert.equal(new Set(documents.map(String)).size, 2, 'neither replaces the other');
      // Without a file, saving shows a dialog.
      assert.ok(
        documents.every(({ path }) => /^Untitled-\d+$/.test(path)),
        documents.join(),
      );
      const lines = vscode.window.activeTextEditor?.document.getText().split('\n') ?? [];
      assert.deepEqual(lines.slice(0, 2), ['a/../b?#%2f <h>', '']);
    } finally {
      for (let left = 2; left > 0; left--)
        await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
  });
});
