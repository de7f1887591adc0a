import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Job } from '../../../src/jobs/common/job.ts';
import { RequestHelp } from '../../../src/language/editor/diagnostics.ts';
import { openSentRequest, retryJob } from '../../../src/features/requests/editor/retryJob.ts';
import { submitFiles } from '../../../src/features/submit/editor/submitBatch.ts';
import { findSentRequest } from '../../../src/features/submit/editor/sentRequest.ts';
import { UserError } from '../../../src/platform/editor/messages.ts';
import { findServiceKnowledge } from '../../../src/known/serviceKnowledge.ts';
import { liveItem, preRecordedItem } from '../../support/builders/jobItem.ts';
import { answer } from '../../support/faults/plays.ts';
import { FakeClock } from '../../support/fakeClock/fakeClock.ts';
import { jobOf } from '../details/fakeDetailsDeps.ts';
import { answering, type Shown } from '../submit/answers.ts';
import { useScene, type SubmitScene } from '../submit/submitScene.ts';
import { closeEditors, replaceText, writeRequest } from './requestFiles.ts';
import { fakeServices } from '../../support/fakeServices.ts';
import { Actions } from '../../../src/services.ts';

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
  afterEach(closeEditors);

  async function retry(
    job: Job | undefined,
    errorLabels: Readonly<Record<string, string>> = {},
    baseUrl?: string,
  ): Promise<readonly Shown[]> {
    const owner = { ...connection, baseUrl: baseUrl ?? scene.submissions.target().connection.baseUrl };
    return answering(
      () =>
        retryJob(
          job,
          fakeServices({
            clock: new FakeClock(),
            facts: { errorLabels },
            actions: { findSentRequest: (each) => findSentRequest(scene.submissions, owner, each) },
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
      /^The job failed: 415, Audio not found\. The service may not have been able to fetch the audio/u,
    );
    assert.deepEqual(shown[0]?.buttons, ['Show List']);
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

  it('does not report a file of a batch as changed, because it may be a template', async () => {
    const uris = await Promise.all(
      ['a', 'b'].map((name) => writeRequest(sentText.replace('a.wav', `${name}.wav`), `retry-${name}`)),
    );
    scene.play = (stage) => answer(201, `{"id":"job-${stage.nth}"}`)(stage);
    await answering(
      () => submitFiles(scene.submissions, uris),
      ['Submit', 'Submit Anyway'],
      ({ length }) => length === 2,
    );
    const [first] = uris;
    assert(first);
    await retry(failedJob('job-1'));
    assert.equal(editor().document.uri.toString(), first.toString());
    await replaceText(editor().document, '{"audio_url": "https://audio.example/other.wav"}');
    const [shown] = await retry(failedJob('job-1'));
    assert.match(
      shown?.text ?? '',
      /^The job was part of a batch: this file is only its template, or has changed since\. The job failed/u,
    );
    const { document, selection } = editor();
    assert.match(document.getText(selection), /other\.wav/, 'the audio is selected, which is not that of the job');
  });

  it('opens the file of any job that was submitted here, and reports when there is none', async () => {
    const uri = await submit(sentText);
    const owner = { ...connection, baseUrl: scene.submissions.target().connection.baseUrl };
    const actions = new Actions();
    actions.provide({ findSentRequest: (each) => findSentRequest(scene.submissions, owner, each) });
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

  it('is for failed jobs that a request has created', async () => {
    const isRefused = (error: unknown): boolean => error instanceof UserError && error.message.startsWith('Select a');
    for (const job of [undefined, jobOf(preRecordedItem(echo)), jobOf(liveItem({ status: 'error' }))]) {
      await assert.rejects(retry(job), isRefused);
    }
  });
});
