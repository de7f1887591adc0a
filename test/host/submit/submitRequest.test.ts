import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { SubmittedJobsLens } from '../../../src/features/submit/editor/submittedJobsLens.ts';
import { UserError } from '../../../src/platform/editor/messages.ts';
import { runCommand } from '../../../src/platform/editor/runCommand.ts';
import { answer, reset, silence } from '../../support/faults/plays.ts';
import { until } from '../../support/until.ts';
import { MemoryFiles } from '../browse/memoryFiles.ts';
import { diagnosticsOf, openRequest, replaceText, writeRequest } from '../requests/requestFiles.ts';
import { answering } from './answers.ts';
import { useScene, type SubmitScene } from './submitScene.ts';
import { replaceActions } from '../../support/fakeServices.ts';

const good = '{ "audio_url": "https://audio.example/a.wav" }';
const warned =
  '{ "audio_url": "https://audio.example/a.wav", "language_config": { "languages": ["en"], "code_switching": true } }';

describe('Submitting a request', () => {
  let scene: SubmitScene;
  useScene((opened) => (scene = opened));
  afterEach(async () => {
    await configure('submit.confirm', undefined);
    await configure('submit.correlationTag', undefined);
  });

  it('confirms with connection, host and audio host, sends one POST and watches the job', async () => {
    const uri = await writeRequest(good, 'asked');
    const shown = await answering(
      () => scene.submissions.submitFile(uri),
      ['Submit'],
      ({ length }) => length === 2,
    );
    assert.equal(shown[0]?.text, 'Submit "asked.transcription.json" to Work?');
    assert.match(
      shown[0].detail ?? '',
      /Service: http:\/\/127\.0\.0\.1:\d+\/v2\/pre-recorded\n.+x-service-key\.\nAudio: audio\.example\nSize: \d+ bytes\nThis creates a new billed job\.$/,
    );
    assert.equal(shown[1]?.text, '"asked.transcription.json" was submitted as job job-1.');
    assert.deepEqual([scene.bodies, scene.watched], [[good], ['job-1']]);
    const [entry] = await scene.journal();
    assert.deepEqual([entry?.outcome.type, entry?.file], ['accepted', uri.toString()]);
  });

  it('opens the facts in an editor when a dialog cannot show them, and confirms next to it', async () => {
    const hosts = Array.from({ length: 40 }, (_, index) => `https://cb${index}.example/x${'x'.repeat(index)}?token=t`);
    const body = JSON.stringify({ audio_url: 'https://audio.example/a.wav', padding: '\u202ex', hosts });
    const uri = await writeRequest(body, 'many');
    const shown = await answering(() => scene.submissions.submitFile(uri), []);
    const detail = shown[0]?.detail ?? '';
    assert.match(
      detail,
      /Other addresses in the request: 40\.\nThey don't fit here\. Read them in the editor that just opened/,
    );
    assert.match(
      detail,
      /Service: http:\/\/127\.0\.0\.1.+\n.+x-service-key.+\nSize: \d+ bytes\nThis creates a new billed job/,
    );
    assert.ok(detail.split('\n').length < 20);
    const text = vscode.window.activeTextEditor?.document.getText() ?? '';
    const lines = text.split('\n');
    for (const [index] of hosts.entries()) {
      assert.ok(lines.includes(`• cb${index}.example/x${'x'.repeat(index)}?…`), String(index));
    }
    assert.ok(lines.includes('Audio: audio.example'));
    // The request is shown escaped, so that no invisible character hides in it.
    assert.ok(text.includes('\\u202ex') && !text.includes('\u202e'));
    assert.deepEqual(scene.bodies, []);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('sends nothing when the dialog is closed', async () => {
    const shown = await answering(async () => scene.submissions.submitFile(await writeRequest(warned)), []);
    assert.deepEqual(shown[0]?.buttons, ['Show Problems', 'Submit Anyway']);
    assert.match(shown[0].detail ?? '', /• code_switching is ignored/);
    assert.deepEqual([scene.bodies, await scene.journal()], [[], []]);
  });

  for (const [what, body, warning] of [
    [
      'the link has expired',
      '{ "audio_url": "https://audio.example/a.wav?expires=1763000000" }',
      /expired on \w+ \d+, 2025/,
    ],
    ['the service cannot fetch the audio', '{ "audio_url": "/home/anna/a.wav" }', /the service can't fetch it/],
    ['there is no audio', '{ "language": "en" }', /can only be sent with a list of audio URLs/],
  ] as const) {
    it(`sends nothing on Enter when ${what}`, async () => {
      const shown = await answering(async () => scene.submissions.submitFile(await writeRequest(body)), []);
      assert.deepEqual(shown[0]?.buttons, ['Show Problems', 'Submit Anyway']);
      assert.match(shown[0].detail ?? '', warning);
      assert.deepEqual(scene.bodies, []);
    });
  }

  it('confirms only warnings if the setting requires it', async () => {
    await configure('submit.confirm', 'warnings');
    const quiet = await answering(
      async () => scene.submissions.submitFile(await writeRequest(good)),
      [],
      ({ length }) => length > 0,
    );
    assert.equal(quiet[0]?.detail, undefined);
    const again = await answering(async () => scene.submissions.submitFile(await writeRequest(good)), []);
    assert.match(again[0]?.text ?? '', /^".+" was just submitted\. Submit it again\?$/);
    assert.match(
      again[0]?.detail ?? '',
      /^You already submitted this request just now \(job job-1\)\.\n\nConnection: Work\n[^]+This creates another billed job\.$/,
    );
    assert.deepEqual(again[0]?.buttons, ['Open That Job', 'Submit Again']);
    assert.deepEqual(scene.bodies, [good]);
  });

  it('sends the content of the editor, saved or not, also if the file no longer exists', async () => {
    const document = await openRequest(good);
    const unsaved = good.replace('a.wav', 'unsaved.wav');
    await replaceText(document, unsaved);
    await submitted(document.uri);
    await vscode.workspace.fs.delete(document.uri);
    await submitted(document.uri);
    assert.deepEqual(scene.bodies, [unsaved, unsaved]);
  });

  it('sends an untitled request, and JSON without a name', async () => {
    const untitled = await vscode.workspace.openTextDocument({ language: 'json', content: good });
    await submitted(untitled.uri);
    assert.deepEqual(scene.bodies, [good]);
  });

  it('keeps the line about its jobs when the new request is first saved', async () => {
    const { services } = scene.submissions;
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('no folder is open');
    const file = vscode.Uri.joinPath(folder, 'first save.transcription.json');
    const untitled = await vscode.workspace.openTextDocument(file.with({ scheme: 'untitled' }));
    await replaceText(untitled, good);
    await submitted(untitled.uri);
    assert.ok(await untitled.save());
    const linesOf = async (uri: vscode.Uri): Promise<readonly (string | undefined)[]> => {
      const lenses = await new SubmittedJobsLens(services).provideCodeLenses(
        await vscode.workspace.openTextDocument(uri),
      );
      return lenses.map(({ command }) => command?.title);
    };
    assert.deepEqual(await linesOf(file), ['1 job from this file']);
    await submitted(file);
    assert.deepEqual(await linesOf(file), ['2 jobs from this file']);
    assert.deepEqual(await linesOf(await writeRequest(good)), []);
  });

  it('sends a file of a read-only file system other than the disk, without its byte order mark', async () => {
    const files = new MemoryFiles();
    const registered = vscode.workspace.registerFileSystemProvider('memory-requests', files, { isReadonly: true });
    try {
      const uri = vscode.Uri.parse('memory-requests:/virtual.transcription.json');
      files.writeFile(uri, new TextEncoder().encode(`\uFEFF${good}`));
      await submitted(uri);
      assert.deepEqual(scene.bodies, [good]);
    } finally {
      registered.dispose();
    }
  });

  it('reports in a sentence that a file is missing, or too large', async () => {
    const gone = await writeRequest(good, 'gone');
    await vscode.workspace.fs.delete(gone);
    await assert.rejects(
      scene.submissions.submitFile(gone),
      new UserError('"gone.transcription.json" no longer exists.'),
    );
    const large = await writeRequest(`{ "audio_url": "${'x'.repeat(11 * 1024 * 1024)}" }`, 'large');
    await assert.rejects(
      scene.submissions.submitFile(large),
      /"large\.transcription\.json" is 11\.0 MB\. Requests over 10 MB are not sent/,
    );
    await vscode.workspace.fs.delete(large);
    assert.deepEqual(scene.bodies, []);
  });

  it('blocks invalid JSON and wrong types', async () => {
    for (const text of ['', '{ "audio_url": ', '[]', '{ "audio_url": 5 }', '{ "diarization": "yes" }']) {
      await assert.rejects(scene.submissions.submitFile(await writeRequest(text)), /can't be sent\. Line 1: ./);
    }
    assert.deepEqual(scene.bodies, []);
  });

  it('shows the line of the problem that blocks it', async () => {
    const uri = await writeRequest('{\n  "audio_url": "https://audio.example/a.wav",\n  "summarization": "on"\n}');
    const shown = await answering(
      () => runCommand(scene.submissions.services.log, () => scene.submissions.submitFile(uri)),
      ['Go to Line 3'],
      ({ length }) => length === 1,
    );
    assert.match(shown[0]?.text ?? '', /can't be sent\. Line 3: summarization must be true or false\./);
    const editor = await until('the file is open', () => editorOf(uri));
    assert.deepEqual([editor.selection.active.line, editor.selection.active.character], [2, 19]);
    assert.deepEqual(scene.bodies, []);
  });

  it('submits once when it is pressed twice', async () => {
    const uri = await writeRequest(good);
    const shown = await answering(
      () => Promise.all([scene.submissions.submitFile(uri), scene.submissions.submitFile(uri)]),
      ['Submit', 'Submit'],
      ({ length }) => length === 2,
    );
    assert.deepEqual([shown.length, scene.bodies], [2, [good]]);
  });

  it('proposes to save the results when the job is done, and records that before it is watched', async () => {
    const wanted: string[] = [];
    const plan = {
      folder: 'file:///w/out',
      root: undefined,
      formats: ['srt'],
      languages: ['*'],
      name: '{title}',
    } as const;
    replaceActions(scene.submissions.services, 'deliver', {
      proposedDelivery: async () => ({ plan: undefined, text: undefined, canChange: true }),
      chooseDelivery: async (what) => ({ plan, text: `SubRip of ${what}`, canChange: true }),
      wantFiles: async ({ name }, jobs, order) =>
        void wanted.push(`${name} ${jobs.map(({ id }) => id).join()} ${order.plan.folder} ${scene.watched.length}`),
    });
    const uri = await writeRequest(good, 'saved');
    const shown = await answering(
      () => scene.submissions.submitFile(uri),
      ['Save Results When Done…', 'Submit'],
      ({ length }) => length === 3,
    );
    assert.doesNotMatch(shown[0]?.detail ?? '', /Saved when done/);
    assert.match(shown[1]?.detail ?? '', /\nSaved when done: SubRip of saved\.transcription\.json$/);
    assert.deepEqual(shown[1]?.buttons, ['Submit', 'Change What Is Saved…']);
    assert.deepEqual(wanted, ['Work job-1 file:///w/out 0']);
    assert.deepEqual(scene.watched, ['job-1']);
  });

  it('adds a tag if the setting names a key', async () => {
    await configure('submit.correlationTag', 'job-tag');
    await submitted(await writeRequest(good));
    const [entry] = await scene.journal();
    assert.equal(scene.bodies[0], good.replace('{', `{"custom_metadata":{"job-tag":"${entry?.tag?.value}"},`));
  });

  it('locates the errors of the service until the request is edited', async () => {
    const document = await openRequest('{\n  "audio_url": "https://audio.example/a.wav"\n}');
    scene.play = answer(400, JSON.stringify({ message: 'No.', validation_errors: ['audio_url must be nicer'] }));
    const shown = await answering(
      () => scene.submissions.submitFile(document.uri),
      ['Submit', 'Show Problems'],
      ({ length }) => length === 2,
    );
    assert.match(
      shown[1]?.text ?? '',
      /was not accepted\. The service refused the request \(status 400\)\. The service says: No\./,
    );
    assert.equal(shown[1]?.buttons[0], 'Show Problems');
    const isOurs = ({ source }: vscode.Diagnostic): boolean => source === 'Work';
    const [complaint] = (await diagnosticsOf(document.uri, (all) => all.some(isOurs))).filter(isOurs);
    assert.equal(document.getText(complaint?.range), '"https://audio.example/a.wav"');
    const isShown = () => complaint?.range.isEqual(editorOf(document.uri)?.selection ?? new vscode.Range(0, 0, 0, 0));
    await until('it is shown at its place', isShown);
    await replaceText(document, `${document.getText()}\n`);
    await diagnosticsOf(document.uri, (all) => !all.some(isOurs));
  });

  it('leaves an unknown outcome open, and offers to search for the job', async () => {
    scene.play = reset();
    const shown = await answering(
      async () => scene.submissions.submitFile(await writeRequest(good)),
      ['Submit'],
      ({ length }) => length === 2,
    );
    assert.match(shown[1]?.text ?? '', /may or may not have become a job\. .+ It won't be resent automatically\.$/);
    assert.deepEqual(shown[1]?.buttons, ['Find Job', 'Show Submissions']);
    assert.equal((await scene.journal())[0]?.outcome.type, 'unknown');
    assert.equal(scene.bodies.length, 1);

    // The same body again: the user is first offered a search for the job.
    scene.play = answer(200, '{"first":"","current":"","next":null,"items":[]}');
    const again = await answering(
      async () => scene.submissions.submitFile(await writeRequest(good)),
      ['Find Job'],
      ({ length }) => length === 2,
    );
    assert.deepEqual(again[0]?.buttons, ['Find Job', 'Submit Again']);
    assert.match(again[1]?.text ?? '', /The service lists no job/);
    assert.equal(scene.bodies.length, 1);
  });

  it('leaves the outcome open when it is cancelled after the request was sent, and does not send it again', async () => {
    const { withProgress } = vscode.window;
    const cancel = new vscode.CancellationTokenSource();
    let title: string | undefined;
    const progress: typeof withProgress = (options, task) => {
      ({ title } = options);
      return task({ report: () => undefined }, cancel.token);
    };
    Object.assign(vscode.window, { withProgress: progress });
    scene.play = silence;
    try {
      const shown = await answering(
        async () => {
          const submitting = scene.submissions.submitFile(await writeRequest(good, 'lost'));
          await until('it has left and can be cancelled', () => scene.bodies.length === 1 && title !== undefined);
          cancel.cancel();
          await submitting;
        },
        ['Submit'],
        ({ length }) => length === 2,
      );
      assert.equal(title, 'Submitting "lost.transcription.json" to Work');
      assert.match(shown[1]?.text ?? '', /^"lost\.transcription\.json" may or may not have become a job\./);
      assert.deepEqual(shown[1]?.buttons, ['Find Job', 'Show Submissions']);
    } finally {
      Object.assign(vscode.window, { withProgress });
    }
    assert.deepEqual([(await scene.journal()).map(({ outcome }) => outcome.type), scene.bodies], [['unknown'], [good]]);
  });

  async function submitted(uri: vscode.Uri): Promise<void> {
    const before = scene.bodies.length;
    const answers = ['Submit', 'Submit Again'].slice(before === 0 ? 0 : 1);
    await answering(
      () => scene.submissions.submitFile(uri),
      answers,
      ({ length }) => length === 2,
    );
  }
});

function editorOf(uri: vscode.Uri): vscode.TextEditor | undefined {
  const { activeTextEditor: editor } = vscode.window;
  return editor?.document.uri.toString() === uri.toString() ? editor : undefined;
}

function configure(name: string, value: string | undefined): Thenable<void> {
  return vscode.workspace.getConfiguration('transcriptionJobs').update(name, value, vscode.ConfigurationTarget.Global);
}
