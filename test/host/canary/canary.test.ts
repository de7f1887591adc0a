import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { startCanaryServer, CanaryService } from '../../support/hostile/canary.ts';
import { keyForms, keyFormsIn, markedKey } from '../../support/hostile/keyForms.ts';
import { sentinelKey } from '../../support/faults/faultRun.ts';
import { until } from '../../support/until.ts';
import { resetSettings, setUser } from '../connections/userSettings.ts';
import { writeRequest } from '../requests/requestFiles.ts';
import { answering } from '../submit/answers.ts';
import { useScene, type SubmitScene } from '../submit/submitScene.ts';

/** Forms from which only a person could reconstruct the key; they may also occur by chance. */
const altered = new Set(keyForms.filter(({ kind }) => kind === 'altered').map(({ name }) => name));

/** The forms in which a text contains a key. */
function formsIn(text: string, key: string): readonly string[] {
  return keyFormsIn(text, key).filter((form) => !altered.has(form));
}

describe('A key with a mark, at a service that says it wherever it says anything', () => {
  const environment = ['TRANSCRIPTION_API_KEY', 'TRANSCRIPTION_BASE_URL'] as const;
  const before = environment.map((name) => process.env[name]);
  let stop: () => Promise<void>;

  beforeEach(async () => {
    const canary = await startCanaryServer();
    stop = () => canary.stop();
    process.env['TRANSCRIPTION_API_KEY'] = markedKey;
    process.env['TRANSCRIPTION_BASE_URL'] = canary.origin;
    await vscode.extensions.getExtension('transcription-jobs.transcription-jobs')?.activate();
    await setUser('connections', [{ name: 'Canary', baseUrl: canary.origin }]);
    await setUser('connection', 'Canary');
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await resetSettings();
    environment.forEach((name, index) => {
      if (before[index] === undefined) delete process.env[name];
      else process.env[name] = before[index];
    });
    await stop();
  });

  it('is in no log, setting, state or copied command after browsing, opening, copying and failing', async () => {
    const run = (command: string, ...given: readonly unknown[]): Thenable<unknown> =>
      vscode.commands.executeCommand(`transcriptionJobs.${command}`, ...given);
    const clipboard: string[] = [];
    const told: string[] = [];
    await run('jobs.focus');
    // The canary answers every few requests with an error, a redirect or a rate limit: six rounds reach them all.
    for (let round = 0; round < 6; round++) {
      await run('refresh');
      for (const kind of ['pre-recorded', 'live']) {
        for (const status of ['done', 'error']) {
          const key = { kind, status };
          // Reloads the list whether or not it was loaded before, then loads its next page.
          await run('loadMore', { type: 'notice', key });
          await run('loadMore', { type: 'loadMore', key });
          await run('copyCurl', { type: 'group', key });
          clipboard.push(await vscode.env.clipboard.readText());
        }
        const tool = await use('listJobs', { kind, statuses: ['done'], limit: 3 });
        told.push(tool);
        // The tool puts its data between two marker lines.
        const data = /^\{.*\}$/ms.exec(tool)?.[0];
        if (data !== undefined) {
          const { jobs } = JSON.parse(data) as { readonly jobs: readonly { readonly id: string }[] };
          // An id that contains the key is masked and therefore names no job.
          for (const { id } of jobs.filter((job) => /^\d+$/.test(job.id)).slice(0, 1)) {
            told.push(await use('getJob', { kind, id }), await use('getJob', { kind, id, includeResult: true }));
            const row = { type: 'job', kind, id };
            await run('openJob', row);
            await run('openJobJson', row);
            await run('copyCurl', row);
            clipboard.push(await vscode.env.clipboard.readText());
          }
        }
      }
    }
    told.push(await use('getJob', { kind: 'live', id: 'no-such-job' }));
    told.push(await use('checkRequest', { request: '{ "audio_url": 7 }' }));

    await until('lines of the log', () => filesBelow(dataFolder()).some(({ text }) => text.includes('GET /v2/')));
    const files = [
      ...filesBelow(dataFolder()),
      { path: 'settings', text: JSON.stringify(vscode.workspace.getConfiguration('transcriptionJobs')) },
    ];
    const written = files.filter(({ text }) => formsIn(text, markedKey).length > 0);
    assert.deepEqual(
      written.map(({ path, text }) => [path, formsIn(text, markedKey)]),
      [],
    );
    assert.ok(clipboard.length > 5 && clipboard.every((text) => text.includes('curl ')), JSON.stringify(clipboard));
    assert.deepEqual(
      clipboard.flatMap((text) => formsIn(text, markedKey)),
      [],
    );
    assert.deepEqual(
      told.flatMap((text) => formsIn(text, markedKey)),
      [],
    );
    // The only place where the key may appear: the document that shows a job exactly as received.
    const documents = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === 'transcription-job');
    assert.ok(documents.some((document) => formsIn(document.getText(), markedKey).length > 0));
  });

  describe('submitting', () => {
    let scene: SubmitScene;
    useScene((opened) => (scene = opened));

    it('is in no journal and no message', async () => {
      const canary = new CanaryService();
      scene.play = ({ request, response, body }) => {
        const answer = canary.handle(request.method ?? '', request.url ?? '', request.headers, body);
        response.writeHead(answer.status, answer.headers).end(answer.body);
      };
      const shown: string[] = [];
      for (let round = 0; round < 3; round++) {
        const uri = await writeRequest(`{ "audio_url": "https://audio.example/${round}.wav" }`);
        const messages = await answering(
          () => scene.submissions.submitFile(uri),
          ['Submit'],
          ({ length }) => length >= 2,
        );
        shown.push(...messages.map(({ text, detail }) => `${text}\n${detail}`));
      }
      const journal = await scene.journal();
      assert.equal(journal.length, 3);
      assert.deepEqual(formsIn(JSON.stringify(journal), sentinelKey), []);
      assert.deepEqual(
        shown.flatMap((text) => formsIn(text, sentinelKey)),
        [],
      );
      assert.ok(!/sk-sentinel/i.test(JSON.stringify([journal, shown])));
    });
  });
});

async function use(name: string, input: object): Promise<string> {
  const result = await vscode.lm.invokeTool(`transcriptionJobs_${name}`, { input, toolInvocationToken: undefined });
  return result.content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
}

/** The folder with this editor's logs, settings and state. */
function dataFolder(): string {
  // The test editor keeps everything in its own temporary folder.
  const folder = join(tmpdir(), 'data', 'data');
  assert.ok(existsSync(folder), `no data folder: ${folder}`);
  return folder;
}

function filesBelow(folder: string): readonly { readonly path: string; readonly text: string }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
}
