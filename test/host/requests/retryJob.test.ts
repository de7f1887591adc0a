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
    const owner = { ...connection, baseUrl: baseUrl ?? scene.submissions.deps.service().connection.baseUrl };
    return answering(
      () =>
        retryJob(job, {
          clock: new FakeClock(),
          errorLabels: () => errorLabels,
          sentRequest: (each) => findSentRequest(scene.submissions, owner, each),
          help: new RequestHelp(),
          knowledge: findServiceKnowledge('gladia'),
        }),
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

  it('opens what the job echoes as a new request, with what the label suggests, at its field', async () => {
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

  it('says what the code suggests where there is no label', async () => {
    const [shown] = await retry(failedJob('other', echo));
    assert.match(shown?.text ?? '', /^The job failed: error 415\. The service may not support this audio/u);
    const [unnamed] = await retry(failedJob('other', { ...echo, error_code: null }));
    assert.match(unnamed?.text ?? '', /^The job failed without an error code\. The meaning of the code is unknown/u);
  });

  it('opens the file that the journal knows while it says what was sent, comments and all', async () => {
    const uri = await submit(sentText);
    await retry(failedJob('job-1', echo));
    assert.equal(editor().document.uri.toString(), uri.toString());
    assert.equal(editor().document.getText(), sentText);
  });

  it('prefers what the job echoes to a file that has changed, and says so where there is no echo', async () => {
    const uri = await submit(sentText);
    await replaceText(await vscode.workspace.openTextDocument(uri), '{"audio_url": "https://audio.example/b.wav"}');
    await retry(failedJob('job-1', echo));
    assert.ok(editor().document.isUntitled);
    const [shown] = await retry(failedJob('job-1'));
    assert.equal(editor().document.uri.toString(), uri.toString());
    assert.match(shown?.text ?? '', /^The file has changed since it was sent\. The job failed/u);
    assert.deepEqual(scene.bodies.length, 1);
  });

  it('does not say of a file of a batch that it has changed: it may be a template', async () => {
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

  it('opens the file of any job that was submitted from here, and says when there is none', async () => {
    const uri = await submit(sentText);
    const owner = { ...connection, baseUrl: scene.submissions.deps.service().connection.baseUrl };
    const open = (id: string): Promise<void> =>
      openSentRequest(jobOf(preRecordedItem({ id })), (each) => findSentRequest(scene.submissions, owner, each));
    await closeEditors();
    await open('job-1');
    assert.equal(editor().document.uri.toString(), uri.toString());
    await assert.rejects(open('job-2'), /lists no existing file for this job/u);
  });

  it('refuses what nothing tells: another job, a file that is gone, another connection', async () => {
    const isUntold = (error: unknown): boolean =>
      error instanceof UserError && error.message.startsWith('It is unknown how this job was requested');
    const uri = await submit(sentText);
    await assert.rejects(retry(failedJob('job-2')), isUntold);
    await assert.rejects(retry(failedJob('job-1'), {}, 'https://other.example'), isUntold);
    await vscode.workspace.fs.delete(uri);
    await assert.rejects(retry(failedJob('job-1')), isUntold);
  });

  it('is for failed jobs that a request has made', async () => {
    const isRefused = (error: unknown): boolean => error instanceof UserError && error.message.startsWith('Select a');
    for (const job of [undefined, jobOf(preRecordedItem(echo)), jobOf(liveItem({ status: 'error' }))]) {
      await assert.rejects(retry(job), isRefused);
    }
  });
});
