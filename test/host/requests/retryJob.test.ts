import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Job } from '../../../src/jobs/common/job.ts';
import { RequestHelp } from '../../../src/language/editor/diagnostics.ts';
import { openSentRequest, retryJob } from '../../../src/features/requests/editor/retryJob.ts';
import { readListAgain } from '../../../src/features/submit/editor/chooseAudioList.ts';
import { planList } from '../../../src/features/submit/editor/planBatch.ts';
import { confirmAndSend } from '../../../src/features/submit/editor/submitBatch.ts';
import { findSentRequest } from '../../../src/features/submit/editor/findSentRequest.ts';
import { Submissions } from '../../../src/features/submit/editor/submissions.ts';
import { UserError } from '../../../src/platform/editor/messages.ts';
import { findServiceKnowledge } from '../../../src/known/serviceKnowledge.ts';
import { liveItem, preRecordedItem } from '../../support/builders/jobItem.ts';
import { FakeClock } from '../../support/fakeClock/fakeClock.ts';
import { jobOf } from '../details/fakeDetailsDeps.ts';
import { aNewSubmission } from '../../unit/features/submit/node/aSubmission.ts';
import { answering, type Shown } from '../submit/answers.ts';
import { useScene, type SubmitScene } from '../submit/submitScene.ts';
import { workConnection } from '../../support/builders/workConnection.ts';
import { answer } from '../../support/faults/plays.ts';
import { closeEditors, replaceText, writeRequest } from './requestFiles.ts';
import { fakeServices } from '../../support/fakeServices.ts';

const sentText = '// A call\n{ "audio_url": "https://audio.example/a.wav", "diarization": true, }\n';
const connection = { name: 'Work', baseUrl: '' };

function failedJob(id: string, fields = {}): Job {
  return jobOf(preRecordedItem({ id, status: 'error', error_code: 415, ...fields }));
}

const echo = {
  request_params: { audio_url: 'https://audio.example/a.wav', language: 'fr', moderation: true, diarization: true },
};

describe('Retrying a failed job', () => {
  let scene: SubmitScene;
  useScene((opened) => (scene = opened));
  afterEach(async () => {
    await tagWith(undefined);
    await closeEditors();
  });

  async function retry(
    job: Job | undefined,
    errorLabels: Readonly<Record<string, string>> = {},
    baseUrl?: string,
    submissions = scene.submissions,
  ): Promise<readonly Shown[]> {
    const owner = { ...connection, baseUrl: baseUrl ?? scene.submissions.target().connection.baseUrl };
    return answering(
      () =>
        retryJob(
          job,
          fakeServices({
            clock: new FakeClock(),
            facts: { errorLabels },
            connections: { current: { ...workConnection, ...owner } },
            actions: {
              submit: {
                findSentRequest: (each) => findSentRequest(submissions, owner, each),
                noteRetry: async (of, { id }, file) => submissions.retried.add(of, id, file),
              },
            },
          }),
          new RequestHelp(),
          findServiceKnowledge('gladia'),
        ),
      [],
      ({ length }) => length === 1,
    );
  }

  /** Submits a file, which becomes the job `job-1`. */
  async function submit(text: string): Promise<vscode.Uri> {
    const uri = await writeRequest(text);
    await answering(
      () => scene.submissions.submitFile(uri),
      ['Submit', 'Submit Again'],
      (shown) => shown.some((each) => each.text.includes('was submitted')),
    );
    return uri;
  }

  function editor(): vscode.TextEditor {
    return vscode.window.activeTextEditor ?? assert.fail('nothing was opened');
  }

  it('opens the echoed request as a new request, with the advice for the label, at its field', async () => {
    const shown = await retry(failedJob('other', echo), { '415': 'Audio not found' });
    const { document, selection } = editor();
    assert.match(document.uri.path, /retry(?:-\d+)?\.transcription\.json$/u);
    assert.ok(document.isUntitled);
    assert.deepEqual(JSON.parse(document.getText()), {
      audio_url: 'https://audio.example/a.wav',
      language_config: { languages: ['fr'] },
      diarization: true,
      custom_metadata: { customer: 'Blue Harbor', episode: 12 },
    });
    assert.equal(document.getText(selection), '"https://audio.example/a.wav"');
    assert.match(
      shown[0]?.text ?? '',
      /^The job failed: 415, Audio not found\. Going by your label: The service may not have found the audio/u,
    );
    assert.deepEqual(shown[0]?.buttons, ['Show List', 'Open Job']);
    assert.deepEqual(scene.bodies, []);
  });

  it('shows the advice for the code if there is no label', async () => {
    const [shown] = await retry(failedJob('other', echo));
    assert.match(shown?.text ?? '', /^The job failed: error 415\. The service may not support this audio/u);
    const [unnamed] = await retry(failedJob('other', { ...echo, error_code: null }));
    assert.match(unnamed?.text ?? '', /^The job failed without an error code\. The meaning of the code is unknown/u);
  });

  it('opens the submitted file while it is unchanged, including comments', async () => {
    const uri = await submit(sentText);
    await retry(failedJob('job-1', echo));
    assert.equal(editor().document.uri.toString(), uri.toString());
    assert.equal(editor().document.getText(), sentText);
  });

  it('prefers the echoed request to a changed file, and reports the change if there is no echo', async () => {
    const uri = await submit(sentText);
    await replaceText(await vscode.workspace.openTextDocument(uri), '{"audio_url": "https://audio.example/b.wav"}');
    await retry(failedJob('job-1', echo));
    assert.ok(editor().document.isUntitled);
    const [shown] = await retry(failedJob('job-1'));
    assert.equal(editor().document.uri.toString(), uri.toString());
    assert.match(shown?.text ?? '', /^The file has changed since it was sent\. The job failed/u);
    assert.deepEqual(scene.bodies.length, 1);
  });

  it('opens a request of its own for a job of a list, with the row of the list if that is still there', async () => {
    const templateText = '{ "audio_url": "", "diarization": true, } // For all episodes\n';
    const template = await writeRequest(templateText, 'retry-template');
    const list = vscode.Uri.joinPath(template, '..', 'episodes.csv');
    const write = (url: string): Thenable<void> =>
      vscode.workspace.fs.writeFile(list, Buffer.from(`audio,custom_metadata.guest\n${url},Ana\n`));
    await write('https://audio.example/404.wav');
    await tagWith('tag');
    const { submissions } = scene;
    const chosen = (await readListAgain(submissions, list)) ?? assert.fail();
    const planned = await planList(submissions, template, chosen, new AbortController().signal, () => undefined);
    submissions.retried.add(submissions.target().connection, 'other', template);
    await answering(
      () => confirmAndSend(submissions, submissions.target(), planned, chosen),
      ['Submit'],
      ({ length }) => length === 2,
    );
    const [{ tag, replaces } = {}] = await scene.journal();
    assert.equal(replaces, undefined, 'a template is not about one job');
    assert(tag);
    const job = failedJob('job-1', { custom_metadata: { guest: 'Ana', [tag.key]: tag.value } });
    const [same] = await retry(job, { '415': 'Audio not found' });
    const isOwn = ({ document }: vscode.TextEditor): boolean => document.uri.toString() !== template.toString();
    assert.ok(isOwn(editor()), 'the template is not opened');
    const sent = { audio_url: 'https://audio.example/404.wav', diarization: true, custom_metadata: { guest: 'Ana' } };
    assert.deepEqual(JSON.parse(editor().document.getText()), sent);
    assert.match(same?.text ?? '', /^This request is for this job only\. The job failed: 415, Audio not found\. /u);

    // The address was corrected in the list.
    await write('https://audio.example/ep-3.wav');
    const reopened = new Submissions(submissions.services, submissions.audio);
    const [gone] = await retry(job, {}, undefined, reopened);
    reopened.dispose();
    assert.ok(isOwn(editor()));
    assert.deepEqual(JSON.parse(editor().document.getText()), { ...sent, audio_url: '' });
    assert.match(
      gone?.text ?? '',
      /^This request is for this job only\. The URL of its audio was only in your list\. .+ Enter the URL/u,
    );
    assert.deepEqual(gone?.buttons, ['Open Job'], 'the editor does not cut messages with a button');
    const { document, selection } = editor();
    assert.ok(selection.isEmpty);
    assert.match(
      document.getText().slice(document.offsetAt(selection.active) - 1),
      /^"",/,
      'typing goes between the quotes',
    );
    assert.equal(new TextDecoder().decode(await vscode.workspace.fs.readFile(template)), templateText);
  });

  it('opens the file of any job that was submitted here, and reports when there is none', async () => {
    const uri = await submit(sentText);
    const owner = { ...connection, baseUrl: scene.submissions.target().connection.baseUrl };
    const { actions } = fakeServices({
      actions: { submit: { findSentRequest: (each) => findSentRequest(scene.submissions, owner, each) } },
    });
    const open = (id: string): Promise<void> => openSentRequest(jobOf(preRecordedItem({ id })), actions);
    await closeEditors();
    await open('job-1');
    assert.equal(editor().document.uri.toString(), uri.toString());
    await assert.rejects(open('job-2'), /lists no existing file for this job/u);
  });

  it('rejects a job without a known request: another job, a missing file, another connection', async () => {
    const isUntold = (error: unknown): boolean =>
      error instanceof UserError && error.message.startsWith('It is unknown how this job was requested');
    const uri = await submit(sentText);
    await assert.rejects(retry(failedJob('job-2')), isUntold);
    await assert.rejects(retry(failedJob('job-1'), {}, 'https://other.example'), isUntold);
    await vscode.workspace.fs.delete(uri);
    await assert.rejects(retry(failedJob('job-1')), isUntold);
  });

  describe('and submitting the opened request', () => {
    const line = 'Retries job job-1, which counts as handled when the new job is done.';
    const replaced = async (): Promise<readonly (string | undefined)[]> =>
      (await scene.journal()).map(({ replaces }) => replaces).toReversed();

    /** Submits a request that was changed to this audio. @returns the lines of the confirmation */
    async function submitChanged(uri: vscode.Uri, audio: string, by = scene.submissions): Promise<string> {
      await replaceText(
        await vscode.workspace.openTextDocument(uri),
        `{"audio_url": "https://audio.example/${audio}"}`,
      );
      const [question] = await answering(
        () => by.submitFile(uri),
        ['Submit'],
        ({ length }) => length === 2,
      );
      return question?.detail ?? '';
    }

    beforeEach(() => {
      let jobs = 0;
      scene.play = (stage) => answer(201, `{"id":"job-${++jobs}"}`)(stage);
    });

    it('repeats the failed job once, from its own file and after a rejection', async () => {
      const uri = await submit(sentText);
      await retry(failedJob('job-1'));
      const { play } = scene;
      scene.play = answer(422, '{}');
      assert.ok((await submitChanged(uri, 'b.wav')).includes(line));
      scene.play = play;
      assert.ok((await submitChanged(uri, 'c.wav')).includes(line));
      assert.ok(!(await submitChanged(uri, 'd.wav')).includes('Retries'));
      assert.deepEqual(await replaced(), [undefined, 'job-1', 'job-1', undefined]);
    });

    it('repeats the failed job from a new request that is saved, renamed or copied, also in the next window', async () => {
      await retry(failedJob('job-1', echo));
      const { document } = editor();
      assert.ok(await document.save());
      const saved = document.uri.with({ scheme: 'file' });
      const renamed = vscode.Uri.joinPath(saved, '..', `${randomUUID()}.transcription.json`);
      const edit = new vscode.WorkspaceEdit();
      edit.renameFile(saved, renamed);
      assert.ok(await vscode.workspace.applyEdit(edit));
      // "Save As" shows a dialog: the editor writes the text into the new file and saves it while the other is open.
      const other = await vscode.workspace.openTextDocument(await writeRequest(''));
      await replaceText(other, (await vscode.workspace.openTextDocument(renamed)).getText());
      assert.ok(await other.save());
      const next = new Submissions(scene.submissions.services, scene.submissions.audio);
      assert.ok((await submitChanged(other.uri, 'b.wav', next)).includes(line));
      next.dispose();
      await vscode.workspace.fs.delete(renamed);
      assert.deepEqual(await replaced(), ['job-1']);
    });

    it('does not repeat a job of another connection, one that was repeated meanwhile, or one of yesterday', async () => {
      await retry(failedJob('other', echo), {}, 'https://other.example');
      await submitChanged(editor().document.uri, 'a.wav');
      const { journal, retried, services } = scene.submissions;
      const { connection: ours } = scene.submissions.target();

      await retry(failedJob('failed', echo));
      const sent = await journal.add(ours, aNewSubmission({ replaces: 'failed', sentAtMs: services.clock.now() }));
      await journal.settle(ours, sent, { type: 'accepted', status: 201, id: 'resubmitted' });
      await submitChanged(editor().document.uri, 'b.wav');

      const old = await writeRequest('');
      scene.state.set('retriedFiles', {
        version: 1,
        retries: [
          {
            file: old.toString(),
            connection: ours.name,
            origin: ours.baseUrl,
            job: 'old',
            openedAtMs: services.clock.now() - 25 * 3_600_000,
          },
        ],
      });
      const next = new Submissions(services, scene.submissions.audio);
      await submitChanged(old, 'c.wav', next);
      next.dispose();
      assert.equal(retried.jobOf(ours, old.toString()), undefined);
      assert.deepEqual(await replaced(), [undefined, 'failed', undefined, undefined]);
    });
  });

  it('is for failed jobs that a request has created', async () => {
    const isRefused = (error: unknown): boolean => error instanceof UserError && error.message.startsWith('Select a');
    for (const job of [undefined, jobOf(preRecordedItem(echo)), jobOf(liveItem({ status: 'error' }))]) {
      await assert.rejects(retry(job), isRefused);
    }
  });
});

function tagWith(key: string | undefined): Thenable<void> {
  const settings = vscode.workspace.getConfiguration('transcriptionJobs');
  return settings.update('submit.correlationTag', key, vscode.ConfigurationTarget.Global);
}
