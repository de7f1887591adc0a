import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { BatchSource } from '../../../src/features/submit/common/batch.ts';
import { resubmitFailed } from '../../../src/features/submit/editor/resubmitFailed.ts';
import { confirmAndSend, resumeBatch, submitFiles } from '../../../src/features/submit/editor/submitBatch.ts';
import { planList } from '../../../src/features/submit/editor/planBatch.ts';
import { markReplaced } from '../../../src/features/submit/node/journal/markReplaced.ts';
import { Submissions } from '../../../src/features/submit/editor/submissions.ts';
import type { Resend } from '../../../src/features/submit/common/resubmission.ts';
import type { Job } from '../../../src/jobs/common/job.ts';
import type { UserError } from '../../../src/platform/editor/messages.ts';
import type { Choice } from '../../../src/platform/editor/quickPick.ts';
import { readListAgain } from '../../../src/features/submit/editor/chooseAudioList.ts';
import { answer } from '../../support/faults/plays.ts';
import { listedJob } from '../../support/builders/listedJob.ts';
import { acceptPick, hidePick, withPicks, type ShownPick } from '../browse/withPicks.ts';
import { writeRequest } from '../requests/requestFiles.ts';
import { answering } from './answers.ts';
import { useScene, type SubmitScene } from './submitScene.ts';

const request = (name: string): string => `{ "audio_url": "https://audio.example/${name}.wav" }`;

function failed(id: string, changes: Parameters<typeof listedJob>[0] = {}): Job {
  return listedJob({ id, kind: 'pre-recorded', status: 'error', error_code: 9, ...changes });
}

function rows({ items, selectedItems }: ShownPick): readonly (readonly [string, string, boolean])[] {
  const jobs = items.filter(({ kind }) => kind !== vscode.QuickPickItemKind.Separator);
  return jobs.map((item) => [item.label, item.description ?? '', selectedItems.includes(item)]);
}

describe('Resubmitting failed jobs', () => {
  let scene: SubmitScene;
  let made: number;
  useScene((opened) => {
    scene = opened;
    made = 0;
    scene.play = (stage) => answer(201, `{"id":"job-${++made}"}`)(stage);
  });

  /** Submits files, which become job-1, job-2 and so on. */
  async function sent(names: readonly string[]): Promise<readonly vscode.Uri[]> {
    const uris = await Promise.all(names.map((name) => writeRequest(request(name), `again-${name}`)));
    await answering(
      () => submitFiles(scene.submissions, uris),
      ['Submit'],
      ({ length }) => length === 2,
    );
    return uris;
  }

  /** Runs the command and confirms its default selection and the dialog. @returns the rows of the quick pick. */
  async function resubmit(
    jobs: readonly Job[],
    also: (pick: ShownPick) => void = () => undefined,
    by: Submissions = scene.submissions,
  ) {
    let shown: ReturnType<typeof rows> = [];
    await withPicks(async (next) => {
      await answering(
        async () => {
          const done = resubmitFailed(by, jobs);
          const pick = await next();
          shown = rows(pick);
          also(pick);
          acceptPick(pick);
          await done;
        },
        ['Submit'],
        ({ length }) => length === 2,
      );
    });
    return shown;
  }

  it('shows what would be sent for each job, sends the default selection, and records what replaces what', async () => {
    const uris = await sent(['same', 'edited', 'gone']);
    if (uris[1]) await vscode.workspace.fs.writeFile(uris[1], new TextEncoder().encode(request('other')));
    if (uris[2]) await vscode.workspace.fs.delete(uris[2]);
    const echo = {
      custom_metadata: null,
      request_params: { audio_url: 'https://audio.example/echo.wav', diarization: true },
    };
    const audio = 'https://audio.example/a.wav?expires=1763000000';
    const expired = failed('expired', { custom_metadata: null, request_params: { audio_url: audio } });
    const ours = ['job-1', 'job-2', 'job-3'].map((id) => failed(id));
    const jobs = [...ours, failed('echoed', echo), failed('foreign'), expired];
    let details: readonly (string | undefined)[] = [];
    const shown = await resubmit(
      [...jobs, listedJob({ id: 'fine', kind: 'pre-recorded', status: 'done' })],
      ({ items }) => (details = items.map(({ detail }) => detail)),
    );
    assert.deepEqual(shown, [
      ['job-1', 'same as sent · again-same.transcription.json · error 9', true],
      ['job-2', 'changed since · again-edited.transcription.json · error 9', false],
      ['job-3', 'file gone · again-gone.transcription.json · error 9', false],
      ['echoed', "from the service's copy · error 9", true],
      ['foreign', 'not known to be from here · error 9', false],
      ['expired', "from the service's copy · error 9", false],
    ]);
    assert.deepEqual(
      [0, 1, 2, 5].map((row) => details[row]),
      [
        undefined,
        'The request has changed since it was sent.',
        'The request file no longer exists.',
        'The link to the audio has expired.',
      ],
    );
    assert.deepEqual(
      scene.bodies.slice(3).map((body) => JSON.parse(body) as unknown),
      [
        { audio_url: 'https://audio.example/same.wav' },
        { audio_url: 'https://audio.example/echo.wav', diarization: true },
      ],
    );
    const replaced = (await scene.journal()).flatMap(({ replaces }) => replaces ?? []);
    assert.deepEqual(replaced.toSorted(), ['echoed', 'job-1']);

    // The second time nothing is selected by default, because each request has become a job.
    await withPicks(async (next) => {
      const done = resubmitFailed(scene.submissions, jobs);
      const pick = await next();
      assert.ok(rows(pick).every(([, , isTicked]) => !isTicked));
      assert.match(pick.items[0]?.detail ?? '', /Already resubmitted: job job-4/);
      acceptPick(pick);
      await done;
    });
    assert.equal(scene.bodies.length, 5);

    const marked: unknown[] = [];
    const { connection } = scene.submissions.target();
    const watched = {
      connection: connection.name,
      origin: connection.baseUrl,
      kind: 'pre-recorded',
      id: 'job-4',
    } as const;
    const finished = (status: string) =>
      [
        {
          watched: { ...watched, label: '', createdAtMs: undefined, sinceMs: 0, misses: 0 },
          job: { ...failed('job-4'), status },
        },
      ] as const;
    const mark = (_owner: unknown, handled: unknown): unknown => marked.push(handled);
    await markReplaced(scene.submissions.journal, finished('error'), mark);
    assert.deepEqual(marked, []);
    await markReplaced(scene.submissions.journal, finished('done'), mark);
    assert.deepEqual(marked, [[{ kind: 'pre-recorded', id: 'job-1' }]]);
  });

  it('when stopped in the middle, sends the rest once, and only confirmed requests', async () => {
    const uris = await sent(['one', 'two', 'three', 'four']);
    const jobs = ['job-1', 'job-2', 'job-3', 'job-4'].map((id) => failed(id));
    scene.play = (stage) => (stage.nth === 6 ? answer(401, '{}') : answer(201, `{"id":"new-${stage.nth}"}`))(stage);
    await resubmit(jobs);
    assert.deepEqual(scene.bodies.slice(4), [request('one'), request('two')]);
    if (uris[3]) await vscode.workspace.fs.writeFile(uris[3], new TextEncoder().encode(request('edited')));
    const service = scene.submissions.target();
    const [id = ''] = await scene.submissions.batches.ids(service.connection);
    const shown = await answering(
      () => resumeBatch(scene.submissions, service, id),
      ['Submit'],
      ({ length }) => length === 2,
    );
    assert.deepEqual(scene.bodies.slice(6), [request('two'), request('three')]);
    assert.match(
      shown[0]?.detail ?? '',
      /again-four\.transcription\.json: The request has changed since you confirmed it\./,
    );
  });

  it('continues with no request that another batch has sent meanwhile', async () => {
    await sent(['first', 'second']);
    const jobs = ['job-1', 'job-2'].map((id) => failed(id));
    scene.play = (stage) => (stage.nth === 3 ? answer(401, '{}') : answer(201, `{"id":"new-${stage.nth}"}`))(stage);
    await resubmit(jobs);
    const service = scene.submissions.target();
    const [stopped = ''] = await scene.submissions.batches.ids(service.connection);
    await resubmit(jobs);
    assert.equal(scene.bodies.length, 2 + 1 + 2);
    await assert.rejects(resumeBatch(scene.submissions, service, stopped), /Nothing left to send/);
    assert.equal(scene.bodies.length, 5);
  });

  it('of a list prompts for the list again, and finds the URL of each job by its hash', async () => {
    const template = await writeRequest(
      '{ "audio_url": "https://audio.example/x.wav", "sentences": true }',
      'template',
    );
    const uri = vscode.Uri.joinPath(template, '..', 'again.txt');
    const urls = ['https://audio.example/l1.wav', 'https://audio.example/l2.wav'];
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(urls.join('\n')));
    const service = scene.submissions.target();
    // As if its file were missing: neither the ledger nor this window has the list.
    const chosen = { ...((await readListAgain(scene.submissions, uri)) ?? assert.fail()), uri: undefined };
    const { signal } = new AbortController();
    const planned = await planList(scene.submissions, template, chosen, signal, () => undefined);
    await answering(
      () => confirmAndSend(scene.submissions, service, planned),
      ['Submit'],
      ({ length }) => length === 2,
    );
    await vscode.workspace.openTextDocument(uri);
    await withPicks(async (next) => {
      const done = resubmitFailed(scene.submissions, [failed('job-2')]);
      const origin = await next();
      assert.equal(origin.title, 'Resubmit Failed Jobs');
      assert.match(origin.placeholder ?? '', /submitted with "template\.transcription\.json"\?/);
      const row = origin.items.findIndex(({ label }) => label.endsWith('again.txt'));
      origin.selectedItems = origin.items.slice(row, row + 1);
      await answering(
        async () => {
          acceptPick(origin);
          await done;
        },
        ['Submit'],
        ({ length }) => length === 2,
      );
    });
    assert.equal(scene.bodies.at(-1), '{ "audio_url": "https://audio.example/l2.wav", "sentences": true }');
    // The list is remembered, and one job needs no list to select from.
    const shown = await answering(
      () => resubmitFailed(scene.submissions, [failed('job-1')]),
      ['Submit'],
      ({ length }) => length === 2,
    );
    assert.match(shown[0]?.text ?? '', /^Resubmit "audio\.example\/.*" to Work\?$/u);
    assert.match(shown[0]?.detail ?? '', /^Effect: .*\n\n/mu);
    assert.equal(scene.bodies.at(-1), '{ "audio_url": "https://audio.example/l1.wav", "sentences": true }');
  });

  it('shows no prompt if the window had the list, and reports if none was provided', async () => {
    const template = await writeRequest('{ "audio_url": "https://audio.example/x.wav" }', 'template');
    const uri = vscode.Uri.joinPath(template, '..', 'known.txt');
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode('https://audio.example/l1.wav'));
    const { submissions } = scene;
    const chosen = (await readListAgain(scene.submissions, uri)) ?? assert.fail();
    const planned = await planList(submissions, template, chosen, new AbortController().signal, () => undefined);
    await answering(
      () => confirmAndSend(submissions, submissions.target(), planned, chosen),
      ['Submit'],
      ({ length }) => length === 2,
    );
    const look = async (by: Submissions, isAsked: boolean): Promise<ReturnType<typeof rows>> => {
      let shown: ReturnType<typeof rows> = [];
      await withPicks(async (next) => {
        const done = resubmitFailed(by, [failed('job-1'), failed('foreign')]);
        let pick = await next();
        if (isAsked) {
          hidePick(pick);
          pick = await next();
        }
        shown = rows(pick);
        const hint = 'Same rows as before. To change one, use Retry with Other Settings';
        assert.equal(pick.placeholder === hint, !isAsked);
        // A separator would take room from the first job.
        assert.equal(pick.items.length, 2);
        hidePick(pick);
        await done;
      });
      return shown;
    };
    assert.deepEqual((await look(submissions, false))[0], ['job-1', 'same as sent · l1.wav · error 9', true]);
    const reloaded = new Submissions(submissions.services, submissions.audio);
    assert.deepEqual((await look(reloaded, false))[0], ['job-1', 'same as sent · l1.wav · error 9', true]);
    await vscode.workspace.fs.delete(uri);
    assert.deepEqual((await look(reloaded, true))[0], ['job-1', 'no list selected · l1.wav · error 9', false]);
    reloaded.dispose();
  });

  it('keeps the name of the list and the keys of its columns, however often its jobs are resubmitted', async () => {
    const { submissions } = scene;
    const template = await writeRequest('{ "audio_url": "https://audio.example/x.wav" }', 'columns');
    const uri = vscode.Uri.joinPath(template, '..', 'guests.csv');
    const rowsOfList = ['audio,custom_metadata.guest', 'https://audio.example/1.wav,Ada'];
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(rowsOfList.join('\n')));
    const chosen = (await readListAgain(submissions, uri)) ?? assert.fail();
    const planned = await planList(submissions, template, chosen, new AbortController().signal, () => undefined);
    const submit = async (send: () => Promise<void>): Promise<BatchSource> => {
      await answering(send, ['Submit'], ({ length }) => length === 2);
      const { connection } = submissions.target();
      const [id = ''] = await submissions.batches.ids(connection);
      const batch = (await submissions.batches.read(await submissions.batches.find(connection, id))) ?? assert.fail();
      return batch.plan.source;
    };
    await submit(() => confirmAndSend(submissions, submissions.target(), planned, chosen));
    for (const id of ['job-1', 'job-2']) {
      const source = await submit(() => resubmitFailed(submissions, [failed(id)]));
      assert.ok(source.type === 'resubmit');
      assert.deepEqual([source.list, source.metadataKeys], [uri.toString(), ['guest']]);
    }
  });

  it('repeatedly sends the first body with the same label, whatever its origin', async () => {
    const { submissions } = scene;
    const template = await writeRequest('{ "audio_url": "https://audio.example/x.wav" }', 'base');
    const uri = vscode.Uri.joinPath(template, '..', 'calls.csv');
    const rowsOfList = ['audio,custom_metadata.customer', 'https://audio.example/calls/l1.wav,acme'];
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(rowsOfList.join('\n')));
    const chosen = (await readListAgain(scene.submissions, uri)) ?? assert.fail();
    const { signal } = new AbortController();
    const planned = await planList(submissions, template, chosen, signal, () => undefined, {
      ...chosen.metadata,
      titleKey: 'title',
    });
    await answering(
      () => confirmAndSend(submissions, submissions.target(), planned, chosen),
      ['Submit'],
      ({ length }) => length === 2,
    );
    await sent(['file']);
    const params = { request_params: { audio_url: 'https://audio.example/echo.wav' }, custom_metadata: null };
    let ids = ['job-1', 'job-2', 'echoed'];
    let first: readonly string[] = [];
    const labels = ['audio.example/…/l1.wav', 'again-file.transcription.json', 'audio.example/echo.wav'];
    const [listed = ''] = scene.bodies;
    assert.deepEqual(JSON.parse(listed), {
      audio_url: 'https://audio.example/calls/l1.wav',
      custom_metadata: { title: 'l1.wav', customer: 'acme' },
    });
    let by = submissions;
    for (let round = 1; round <= 3; round++) {
      const before = scene.bodies.length;
      const jobs = ids.map((id, at) => failed(id, at === 2 ? params : {}));
      const shown = await resubmit(jobs, () => undefined, by);
      assert.deepEqual(
        shown.map(([, description, isTicked]) => [description.split(' · ')[0], isTicked]),
        [
          ['same as sent', true],
          ['same as sent', true],
          ["from the service's copy", true],
        ],
      );
      const bodies = scene.bodies.slice(before);
      if (round === 1) first = bodies;
      assert.deepEqual([bodies, bodies[0]], [first, listed]);
      const { connection } = by.target();
      const [id = ''] = await by.batches.ids(connection);
      const batch = (await by.batches.read(await by.batches.find(connection, id))) ?? assert.fail();
      assert.deepEqual(
        [...batch.items.values()].map(({ label }) => label),
        labels,
      );
      ids = [...batch.items.values()].flatMap(({ outcome }) => (outcome.type === 'accepted' ? (outcome.id ?? []) : []));
      // The next round runs in another window, which has not been given the list.
      if (by !== submissions) by.dispose();
      by = new Submissions(submissions.services, submissions.audio);
    }
    // Even if the batch of the list is gone, the hash of the body identifies the metadata that were sent.
    await vscode.workspace.openTextDocument(uri);
    const { connection } = by.target();
    const oldest = (await by.batches.ids(connection)).at(-1) ?? '';
    const folders = await by.journal.foldersOf(connection);
    const ledger = vscode.Uri.joinPath(vscode.Uri.file(folders[0] ?? ''), 'batches', `${oldest}.ndjson`);
    await vscode.workspace.fs.delete(ledger);
    await withPicks(async (next) => {
      const done = resubmitFailed(by, [failed(ids[0] ?? '')]);
      const origin = await next();
      const row = origin.items.findIndex(({ label }) => label.endsWith('calls.csv'));
      origin.selectedItems = origin.items.slice(row, row + 1);
      const [question] = await answering(async () => {
        acceptPick(origin);
        await done;
      }, []);
      // Otherwise a list would show that the request differs from the one that was sent.
      assert.match(question?.text ?? '', /^Resubmit ".+" to /);
    });
    by.dispose();
  });

  it('of a job that may come from a submission of unknown outcome leads to the search for it', async () => {
    scene.play = (stage) => (stage.nth === 1 ? answer(502, '')(stage) : answer(201, '{}')(stage));
    await answering(
      async () => scene.submissions.submitFile(await writeRequest(request('one'), 'one')),
      ['Submit'],
      ({ length }) => length === 2,
    );
    const [sent] = await scene.journal();
    assert.equal(sent?.outcome.type, 'unknown');
    const job = failed('maybe', { created_at: new Date(sent.sentAtMs + 1000).toISOString(), custom_metadata: null });
    await withPicks(async (next) => {
      const done = resubmitFailed(scene.submissions, [job, failed('foreign', { created_at: '2020-01-01T00:00:00Z' })]);
      const pick = await next();
      assert.deepEqual(rows(pick), [
        ['maybe', 'may be from here · one.transcription.json · error 9', false],
        ['foreign', 'not known to be from here · error 9', false],
      ]);
      assert.match(pick.items[0]?.detail ?? '', /May be "one\.transcription\.json", whose outcome is unknown/);
      assert.equal(pick.items[0]?.buttons?.[0]?.tooltip, 'Find Job');
      hidePick(pick);
      await done;
    });
    assert.equal(scene.bodies.length, 1);
  });

  it('cannot select a request that cannot be sent', async () => {
    const [uri] = await sent(['edited', 'gone']);
    if (uri) await vscode.workspace.fs.delete(uri);
    const before = scene.bodies.length;
    await withPicks(async (next) => {
      const done = resubmitFailed(scene.submissions, [failed('job-1'), failed('foreign')]);
      const pick = await next();
      pick.selectedItems = [...pick.items];
      assert.deepEqual(
        (pick.items as readonly Choice<Resend>[]).map(({ isLocked }) => isLocked),
        [true, true],
      );
      acceptPick(pick);
      await done;
    });
    assert.equal(scene.bodies.length, before);
  });

  it('reports the reason if nothing can be sent for one reason', async () => {
    await assert.rejects(
      resubmitFailed(scene.submissions, [failed('foreign')]),
      /^UserError: This job can't be resubmitted\. Its request isn't known here/,
    );
    await assert.rejects(resubmitFailed(scene.submissions, [failed('foreign')]), ({ nextSteps }: UserError) => {
      assert.deepEqual(
        nextSteps.map(({ title }) => title),
        ['Copy Report for Support'],
      );
      return true;
    });
    await assert.rejects(
      resubmitFailed(scene.submissions, [failed('foreign'), failed('another')]),
      /^UserError: None of these 2 jobs can be resubmitted\. Their requests aren't known here/,
    );
    await assert.rejects(
      resubmitFailed(scene.submissions, [failed('foreign'), listedJob({ kind: 'live', status: 'error' })]),
      /^UserError: None of these 2 jobs can be resubmitted\. Live sessions, .*: 1\. Pre-recorded jobs: 1\. Its request isn't known/,
    );
    const jobs = [failed('foreign'), listedJob({ kind: 'live', status: 'error' })];
    const chosen = [{ type: 'failureGroup', group: '9' }] as const;
    await assert.rejects(resubmitFailed(scene.submissions, jobs, chosen), ({ nextSteps }: UserError) => {
      void nextSteps[0]?.run();
      return true;
    });
    assert.deepEqual(scene.reported, [{ jobs, rows: chosen }], 'the report is about all of the chosen rows');
    assert.deepEqual(scene.bodies, []);
    await assert.rejects(
      resubmitFailed(scene.submissions, [listedJob({ kind: 'live', status: 'error' })]),
      /Select failed jobs/,
    );
  });
});
