import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { extensionId } from '../../../src/jobs/common/jobLink.ts';
import { canaryFailures, startCanaryServer, type CanaryService } from '../../support/hostile/canary.ts';
import { keyFormsIn, markedKey } from '../../support/hostile/keyForms.ts';
import { until } from '../../support/until.ts';
import { resetSettings, setUser } from '../connections/userSettings.ts';
import { writeRequest } from '../requests/requestFiles.ts';
import { answering } from '../submit/answers.ts';
import { useScene, type SubmitScene } from '../submit/submitScene.ts';

describe('A recognizable key, with a service that repeats it in every possible place', () => {
  const environment = ['TRANSCRIPTION_API_KEY', 'TRANSCRIPTION_BASE_URL'] as const;
  const before = environment.map((name) => process.env[name]);
  let canary: CanaryService;
  let stop: () => Promise<void>;

  beforeEach(async () => {
    const server = await startCanaryServer();
    ({ canary } = server);
    stop = () => server.stop();
    process.env['TRANSCRIPTION_API_KEY'] = markedKey;
    process.env['TRANSCRIPTION_BASE_URL'] = server.origin;
    await vscode.extensions.getExtension(extensionId)?.activate();
    await setUser('connections', [{ name: 'Canary', baseUrl: server.origin }]);
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

  /** Fails if a request had the key in its URL, its body, or another header. */
  function assertSentOnlyInHeader(): void {
    const parts = [...canary.sentKeys].map((each) => each.replace(/^\S+ /, ''));
    assert.deepEqual([...new Set(parts)], [`x-service-key: ${markedKey}`]);
  }

  it('is in no log, setting, state or copied command after browsing, opening, copying and failing', async () => {
    const run = (command: string, ...given: readonly unknown[]): Thenable<unknown> =>
      vscode.commands.executeCommand(`transcriptionJobs.${command}`, ...given);
    const clipboard: string[] = [];
    const reported: string[] = [];
    await run('jobs.focus');
    const keys = ['pre-recorded', 'live'].flatMap((kind) => ['done', 'error'].map((status) => ({ kind, status })));
    // Reads a list again, even if it was loaded before.
    const reload = (key: object) => run('loadMore', { type: 'notice', key });
    const loadMore = (key: object) => run('loadMore', { type: 'loadMore', key });
    // The tool puts its data between two marker lines.
    const listed = (answer: string): readonly { readonly id: string }[] =>
      (JSON.parse(/^\{.*\}$/ms.exec(answer)?.[0] ?? '{"jobs":[]}') as { readonly jobs: readonly { id: string }[] })
        .jobs;

    canary.failure = 'none';
    const rows: { readonly type: 'job'; readonly kind: string; readonly id: string }[] = [];
    for (const kind of ['pre-recorded', 'live']) {
      const answer = await use('listJobs', { kind, statuses: ['done'], limit: 3 });
      reported.push(answer);
      // An id that contains the key is masked and therefore names no job.
      const { id } = listed(answer).find((job) => /^\d+$/.test(job.id)) ?? assert.fail(answer);
      reported.push(await use('getJob', { kind, id }), await use('getJob', { kind, id, includeResult: true }));
      rows.push({ type: 'job', kind, id });
    }
    await vscode.env.clipboard.writeText('');
    await until('the jobs are loaded', async () => {
      await Promise.all([run('refresh'), ...keys.map(reload)]);
      await run('copyCurl', rows[0]);
      return (await vscode.env.clipboard.readText()) !== '';
    });
    for (const row of rows) {
      await run('openJob', row);
      await run('openJobJson', row);
    }
    for (const given of [...rows, ...keys.map((key) => ({ type: 'group', key }))]) {
      await run('copyCurl', given);
      clipboard.push(await vscode.env.clipboard.readText());
    }
    // Meets each failure with each way of reading until it gives up.
    for (const failure of canaryFailures) {
      canary.failure = 'none';
      await Promise.all(keys.map(reload));
      canary.failure = failure;
      const before = canary.lists.length;
      const tools = rows.map(({ kind }) => use('listJobs', { kind, statuses: ['done'], limit: 3 }));
      await Promise.all([...keys.slice(0, 2).map(loadMore), ...keys.slice(2).map(reload), ...tools]);
      reported.push(...(await Promise.all(tools)));
      const asked = canary.lists.slice(before);
      for (const part of [/offset=0&limit=20/, /offset=[1-9]/, /limit=3/]) {
        assert.ok(
          asked.some((path) => part.test(path)),
          `${failure}: ${part.source} is missing in ${asked.join(' ')}`,
        );
      }
    }
    reported.push(await use('getJob', { kind: 'live', id: 'no-such-job' }));
    reported.push(await use('checkRequest', { request: '{ "audio_url": 7 }' }));

    assertSentOnlyInHeader();
    await until('lines of the log', () => filesBelow(dataFolder()).some(({ text }) => text.includes('GET /v2/')));
    const files = [
      ...filesBelow(dataFolder()),
      { path: 'settings', text: JSON.stringify(vscode.workspace.getConfiguration('transcriptionJobs')) },
    ];
    const written = files.filter(({ text }) => keyFormsIn(text, markedKey).length > 0);
    assert.deepEqual(
      written.map(({ path, text }) => [path, keyFormsIn(text, markedKey)]),
      [],
    );
    assert.ok(clipboard.length > 5 && clipboard.every((text) => text.includes('curl ')), JSON.stringify(clipboard));
    assert.deepEqual(
      clipboard.flatMap((text) => keyFormsIn(text, markedKey)),
      [],
    );
    assert.deepEqual(
      reported.flatMap((text) => keyFormsIn(text, markedKey)),
      [],
    );
    const documents = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === 'transcription-job');
    assert.ok(documents.length > 0);
    assert.deepEqual(
      documents.flatMap((document) => keyFormsIn(document.getText(), markedKey)),
      [],
    );
  });

  describe('submitting', () => {
    let scene: SubmitScene;
    useScene((opened) => (scene = opened), markedKey);

    it('is in no journal and no message', async () => {
      scene.play = ({ request, response, body }) => {
        const answer = canary.handle(request.method ?? '', request.url ?? '', request.headers, body);
        response.writeHead(answer.status, answer.headers).end(answer.body);
      };
      const shown: string[] = [];
      for (let round = 0; round < 5; round++) {
        const uri = await writeRequest(`{ "audio_url": "https://audio.example/${round}.wav" }`);
        const messages = await answering(
          () => scene.submissions.submitFile(uri),
          ['Submit'],
          ({ length }) => length >= 2,
        );
        shown.push(...messages.map(({ text, detail }) => `${text}\n${detail}`));
      }
      assertSentOnlyInHeader();
      const journal = await scene.journal();
      assert.deepEqual(
        journal.map(({ outcome }) => outcome.type),
        ['unknown', 'rejected', 'accepted', 'rejected', 'accepted'],
      );
      assert.deepEqual(keyFormsIn(JSON.stringify(journal), markedKey), []);
      assert.deepEqual(
        shown.flatMap((text) => keyFormsIn(text, markedKey)),
        [],
      );
    });
  });
});

/** Returns what a model is given: the result of a tool, or its error. */
async function use(name: string, input: object): Promise<string> {
  try {
    const result = await vscode.lm.invokeTool(`transcriptionJobs_${name}`, { input, toolInvocationToken: undefined });
    return result.content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
  } catch (error) {
    return String(error);
  }
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
