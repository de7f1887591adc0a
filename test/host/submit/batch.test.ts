import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { batchCounts } from '../../../src/features/submit/common/batchCounts.ts';
import { batchChoices } from '../../../src/features/submit/editor/batchChoices.ts';
import { resumeBatch, submitFiles } from '../../../src/features/submit/editor/submitBatch.ts';
import { readListAgain } from '../../../src/features/submit/editor/chooseAudioList.ts';
import { planList } from '../../../src/features/submit/editor/planBatch.ts';
import { answer } from '../../support/faults/plays.ts';
import { preRecordedItem } from '../../support/builders/jobItem.ts';
import { jobOf } from '../details/fakeDetailsDeps.ts';
import { writeRequest } from '../requests/requestFiles.ts';
import { requestUris } from '../../../src/language/editor/requestDocuments.ts';
import { answering } from './answers.ts';
import { accepting, useScene, type SubmitScene } from './submitScene.ts';
import { replaceActions } from '../../support/fakeServices.ts';

const request = (name: string): string => `{ "audio_url": "https://audio.example/${name}.wav" }`;

describe('Submitting a batch', () => {
  let scene: SubmitScene;
  useScene((opened) => (scene = opened));

  it('offers first to omit requests with an expired link', async () => {
    const texts = [request('fresh'), '{ "audio_url": "https://audio.example/a.wav?expires=1763000000" }'];
    const uris = await Promise.all(texts.map((text, at) => writeRequest(text, `expired-${at}`)));
    const shown = await answering(
      () => submitFiles(scene.submissions, uris),
      ['Submit the Other'],
      ({ length }) => length === 2,
    );
    assert.deepEqual(shown[0]?.buttons, ['Submit the Other', 'Submit Anyway']);
    assert.deepEqual(scene.bodies, texts.slice(0, 1));
  });

  it('confirms once, stops when the key is rejected, and continues with the rest', async () => {
    const uris = await Promise.all(['one', 'two', 'three'].map((name) => writeRequest(request(name), `batch-${name}`)));
    scene.play = (stage) => (stage.nth === 2 ? answer(401, '{"message":"no such user"}') : accepting)(stage);
    const shown = await answering(
      () => submitFiles(scene.submissions, uris),
      ['Submit'],
      ({ length }) => length === 2,
    );
    assert.equal(shown[0]?.text, 'Submit 3 requests to Work?');
    assert.match(shown[1]?.text ?? '', /^The batch stopped: 1 accepted · 1 rejected · 1 not sent\. .+no such user/);
    assert.deepEqual(shown[1]?.buttons, ['Show Batch', 'Set API Key', 'Show Log']);
    assert.deepEqual(scene.bodies, [request('one'), request('two')]);

    const { connection } = scene.submissions.target();
    const [id = ''] = await scene.submissions.batches.ids(connection);
    const counts = async (): Promise<string> => {
      const { batches } = scene.submissions;
      const batch = await batches.read(await batches.find(connection, id));
      return batch === undefined ? '' : batchCounts(batch);
    };
    assert.equal(await counts(), '1 accepted · 1 rejected · 1 not sent');

    await answering(
      () => resumeBatch(scene.submissions, scene.submissions.target(), id),
      ['Submit'],
      ({ length }) => length === 2,
    );
    assert.deepEqual(scene.bodies.slice(2), [request('two'), request('three')]);
    assert.equal(await counts(), '3 accepted');
    await assert.rejects(resumeBatch(scene.submissions, scene.submissions.target(), id), /Nothing left to send/);
    assert.equal(scene.bodies.length, 4);
  });

  it('stops at a rate limit, and Retry continues with the rejected request', async () => {
    const names = ['one', 'two', 'three'];
    const uris = await Promise.all(names.map((name) => writeRequest(request(name), `slower-${name}`)));
    scene.play = (stage) => (stage.nth === 2 ? answer(429, '{"message":"too many requests"}') : accepting)(stage);
    const shown = await answering(
      () => submitFiles(scene.submissions, uris),
      ['Submit', 'Retry', 'Submit'],
      ({ length }) => length === 4,
    );
    assert.match(shown[1]?.text ?? '', /^The batch stopped: 1 accepted · 1 rejected · 1 not sent\./);
    assert.match(shown[3]?.text ?? '', /^Batch sent: 3 accepted\./);
    assert.deepEqual(scene.bodies, ['one', 'two', 'two', 'three'].map(request));
  });

  it('names the files with a warning', async () => {
    const silent = '{ "diarization": true }';
    const texts = [request('one'), silent, silent, silent];
    const uris = await Promise.all(texts.map((text, index) => writeRequest(text, `warned-${index}`)));
    const warned = async (...indices: readonly number[]): Promise<string | undefined> => {
      const chosen = uris.filter((_, index) => indices.includes(index));
      const [shown] = await answering(() => submitFiles(scene.submissions, chosen), []);
      return shown?.detail?.split('\n').find((line) => line.startsWith('•'));
    };
    assert.match((await warned(0, 1)) ?? '', /^• warned-1\.transcription\.json: .*audio_url/);
    assert.match((await warned(0, 1, 2)) ?? '', /^• warned-1\.\S+, warned-2\.\S+: /);
    assert.match((await warned(0, 1, 2, 3)) ?? '', /^• warned-1\.\S+ and 2 more: /);
    assert.match((await warned(1, 2)) ?? '', /^• All: /);
    assert.deepEqual(scene.bodies, []);
  });

  it('with more hosts than a dialog can show is confirmed next to an editor that shows them', async () => {
    const uris = await Promise.all(
      Array.from({ length: 15 }, (_, index) =>
        writeRequest(`{ "audio_url": "https://a${index}.example/a.wav", "to": "https://b${index}.example" }`),
      ),
    );
    const shown = await answering(async () => submitFiles(scene.submissions, uris), []);
    assert.match(shown[0]?.detail ?? '', /Hosts of audio: 15\. Other addresses in the request: 15\.\nThey don't fit/);
    const text = vscode.window.activeTextEditor?.document.getText() ?? '';
    for (let index = 0; index < 15; index++)
      assert.ok(text.includes(`• b${index}.example`) && text.includes(`a${index}.example`));
    assert.deepEqual(scene.bodies, []);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('continues under the new name of its connection', async () => {
    const uris = await Promise.all(['left', 'right'].map((name) => writeRequest(request(name), `renamed-${name}`)));
    scene.play = (stage) => (stage.nth === 2 ? answer(401, '{}') : accepting)(stage);
    await answering(
      () => submitFiles(scene.submissions, uris),
      ['Submit'],
      ({ length }) => length === 2,
    );
    const { submissions } = scene;
    const { connection, api } = submissions.target();
    const renamed = { ...connection, name: 'Studio' };
    await submissions.journal.continueAs(connection, renamed);
    const [{ id } = assert.fail()] = await batchChoices(submissions, renamed);
    const shown = await answering(
      () => resumeBatch(submissions, { connection: renamed, api }, id),
      ['Submit'],
      ({ length }) => length === 2,
    );
    assert.match(shown[1]?.text ?? '', /Batch sent: 2 accepted/);
  });

  it('omits requests that cannot be sent, and reports them first', async () => {
    const uris = [
      await writeRequest(request('good'), 'good'),
      await writeRequest('{', 'broken'),
      await writeRequest('', 'gone'),
    ];
    if (uris[2]) await vscode.workspace.fs.delete(uris[2]);
    const shown = await answering(() => submitFiles(scene.submissions, uris), []);
    assert.equal(shown[0]?.text, 'Submit "good.transcription.json" to Work?');
    assert.match(
      shown[0].detail ?? '',
      /Left out:\n• broken\.transcription\.json: .+\n• "gone\.transcription\.json" no longer exists/,
    );
    assert.deepEqual(scene.bodies, []);
  });

  it('reports that several files contain the same request, and counts a file that was selected twice once', async () => {
    const twins = [await writeRequest(request('twin')), await writeRequest(request('twin'))];
    const shown = await answering(
      () => submitFiles(scene.submissions, requestUris([twins[0], [...twins, ...twins]])),
      [],
    );
    assert.equal(shown[0]?.text, 'Submit 2 requests to Work?');
    assert.match(shown[0].detail ?? '', /Identical to another request in this batch: 1/);
  });

  it('offers to send only requests that were not sent within the last day', async () => {
    const uris = await Promise.all(['old', 'new'].map((name) => writeRequest(request(name))));
    await answering(
      () => submitFiles(scene.submissions, uris.slice(0, 1)),
      ['Submit'],
      ({ length }) => length === 2,
    );
    const shown = await answering(
      () => submitFiles(scene.submissions, uris),
      ['Submit the Other'],
      ({ length }) => length === 2,
    );
    assert.match(shown[0]?.detail ?? '', /^Already submitted unchanged in the last 24 hours: 1\n\n/);
    assert.deepEqual(scene.bodies, [request('old'), request('new')]);
    // The excluded request is not part of the batch.
    const { connection } = scene.submissions.target();
    const [id = ''] = await scene.submissions.batches.ids(connection);
    await assert.rejects(resumeBatch(scene.submissions, scene.submissions.target(), id), /Nothing left to send/);
  });

  it('mentions in its title that all requests would be sent again, and sends nothing on Enter', async () => {
    const uris = await Promise.all(['left', 'right'].map((name) => writeRequest(request(name))));
    const submit = (answers: readonly string[], messages: number) =>
      answering(
        () => submitFiles(scene.submissions, uris),
        answers,
        ({ length }) => length === messages,
      );
    await submit(['Submit'], 2);
    const [again] = await submit([], 1);
    assert.equal(again?.text, 'These 2 requests were already submitted to Work. Submit them again?');
    assert.deepEqual(again.buttons, ['Show Submissions', 'Submit Again']);
    assert.equal(scene.bodies.length, 2);
    await submit(['Submit Again'], 2);
    assert.equal(scene.bodies.length, 4);
  });

  it('of one request asks and reports as for one, and names the job that it already has', async () => {
    const uris = [await writeRequest(request('single'), 'single')];
    const submit = (answers: readonly string[], messages: number) =>
      answering(
        () => submitFiles(scene.submissions, uris),
        answers,
        ({ length }) => length === messages,
      );
    const [first, sent] = await submit(['Submit'], 2);
    assert.equal(first?.text, 'Submit "single.transcription.json" to Work?');
    assert.equal(sent?.text, '"single.transcription.json" was submitted as job job-1.');
    assert.deepEqual(sent.buttons, ['Open Job', 'Show Batch']);
    const opened: unknown[] = [];
    const listed = jobOf(preRecordedItem({ id: 'job-1', status: 'done' }));
    Object.assign(scene.submissions.services.jobs, { get: () => listed });
    replaceActions(scene.submissions.services, 'details', { openNamedJob: async ({ id }) => void opened.push(id) });
    const [again] = await submit(['Open That Job'], 1);
    assert.equal(again?.text, '"single.transcription.json" was just submitted. Submit it again?');
    assert.match(
      again.detail ?? '',
      /^You already submitted this request just now \(job job-1: done\)\.\n\nConnection: Work\n[^]+This creates another billed job\.$/,
    );
    assert.deepEqual(again.buttons, ['Open That Job', 'Submit Again']);
    assert.deepEqual([opened, scene.bodies.length], [['job-1'], 1]);
  });

  it('makes one request per URL of a table with quotes, blank lines and repeats, 10,000 rows long, until it is cancelled', async () => {
    // To decode this, the editor loads a library that leaves a global which packages mistake for a module loader.
    await vscode.workspace.decode(Uint8Array.of(0xff, 0xfe, 0x41, 0));
    const template = await writeRequest('{ "audio_url": "https://audio.example/x.wav", "sentences": true }');
    const uri = vscode.Uri.joinPath(template, '..', 'calls.csv');
    const rows = Array.from({ length: 10_000 }, (_, at) => `"Call ""${at}""";https://audio.example/${at % 9990}.wav`);
    const text = `name;audio\r\n${rows.join('\r\n')}\r\n\r\nlast;not a url\r\n`;
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    const chosen = (await readListAgain(scene.submissions, uri)) ?? assert.fail();
    const reported: string[] = [];
    const never = new AbortController().signal;
    const { requests, leftOut } = await planList(scene.submissions, template, chosen, never, (message) =>
      reported.push(message),
    );
    assert.equal(requests.length, 9990);
    assert.equal(
      requests[1]?.request.body,
      String.raw`{"custom_metadata":{"name":"Call \"1\""}, "audio_url": "https://audio.example/1.wav", "sentences": true }`,
    );
    assert.deepEqual(leftOut, [
      'Row 9992, 9993, 9994, 9995, 9996, 9997, 9998, 9999, 10000, 10001: duplicate',
      'Row 10003: no URL',
    ]);
    assert.ok(reported.length > 100 && reported[1] === '50 of 9990');

    const stop = new AbortController();
    const cancelled = planList(scene.submissions, template, chosen, stop.signal, (message) => {
      if (message.startsWith('500 ')) stop.abort();
    });
    await assert.rejects(cancelled, vscode.CancellationError);
    assert.deepEqual(scene.bodies, []);
  });
});
