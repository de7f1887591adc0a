import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { submitUris, submitUrlList } from '../../../src/features/submit/editor/submitUris.ts';
import { setFolder, setUser } from '../connections/userSettings.ts';
import { closeEditors, openRequest, writeRequest } from '../requests/requestFiles.ts';
import { answering, type Shown } from './answers.ts';
import { useScene, type SubmitScene } from './submitScene.ts';

const good = '{ "audio_url": "https://audio.example/a.wav" }';
const refusal = /is not a request file in this workspace/;

describe('A submit command with arguments, as called by tasks, keybindings and other extensions', () => {
  let scene: SubmitScene;
  useScene((opened) => (scene = opened));
  const elsewhere = mkdtempSync(join(tmpdir(), 'tj-elsewhere-'));
  const outside = join(elsewhere, 'outside.transcription.json');
  const workspace = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('no folder is open');
  const links: string[] = [];

  before(() => writeFileSync(outside, good));
  after(() => {
    rmSync(elsewhere, { recursive: true });
    for (const link of links) rmSync(link);
  });
  afterEach(async () => {
    await closeEditors();
    await setUser('submit.confirm', undefined);
  });

  const link = (target: string, name: string): vscode.Uri => {
    const uri = vscode.Uri.joinPath(workspace, name);
    symlinkSync(target, uri.fsPath);
    links.push(uri.fsPath);
    return uri;
  };
  /** Submits without confirming anything; returns the dialogs and messages shown. */
  const submit = (...given: readonly unknown[]): Promise<readonly Shown[]> =>
    answering(() => submitUris(scene.submissions, given), []);

  it('always confirms, whatever the setting', async () => {
    await setUser('submit.confirm', 'warnings');
    const document = await openRequest(good);
    for (const given of [
      [document.uri],
      [document.uri, [document.uri]],
      [document.uri, 'more'],
      [undefined],
      [{}],
      ['x'],
    ]) {
      const shown = await submit(...given);
      assert.match(shown[0]?.text ?? '', /^Submit ".+" to Work\?$/, JSON.stringify(given));
      assert.match(shown[0]?.detail ?? '', /new billed job/);
    }
    assert.deepEqual(scene.bodies, []);
    // From the palette the command follows the setting.
    await answering(
      () => submitUris(scene.submissions, []),
      [],
      ({ length }) => length === 1,
    );
    assert.deepEqual(scene.bodies, [good]);
  });

  it('rejects files outside the workspace, however their path is written', async () => {
    const inside = await writeRequest(good);
    const depth = '../'.repeat(workspace.path.split('/').length + 1);
    for (const uri of [
      vscode.Uri.file(outside),
      workspace.with({ path: `${workspace.path}/${depth}${outside}` }),
      workspace.with({ path: `${workspace.path}/./${basename(inside.path)}` }),
      workspace.with({ path: `${workspace.path}/..${workspace.path}/${basename(inside.path)}` }),
      workspace.with({ path: `${workspace.path}-beside/a.transcription.json` }),
      vscode.Uri.parse('https://evil.example/a.transcription.json'),
      vscode.Uri.parse('untitled:/etc/a.transcription.json'),
      vscode.Uri.from({ scheme: 'command', path: 'a.transcription.json' }),
    ]) {
      await assert.rejects(submit(uri), refusal, uri.toString());
      await assert.rejects(submit(inside, [inside, uri]), refusal, uri.toString());
      await assert.rejects(submitUrlList(scene.submissions, [uri]), refusal, uri.toString());
    }
    assert.deepEqual(scene.bodies, []);
  });

  it('rejects files of the workspace that are no request files', async () => {
    for (const name of ['package.json', 'a.transcription.json.txt', '.env']) {
      const uri = vscode.Uri.joinPath(workspace, name);
      await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(good));
      links.push(uri.fsPath);
      await assert.rejects(submit(uri), refusal, name);
    }
    assert.deepEqual(scene.bodies, []);
  });

  it('rejects anything behind a link that a folder contains', async () => {
    const file = link(outside, 'linked.transcription.json');
    const folder = link(elsewhere, 'linked');
    await assert.rejects(submit(file), refusal);
    await assert.rejects(submit(vscode.Uri.joinPath(folder, 'outside.transcription.json')), refusal);
    const list = join(elsewhere, 'outside.csv');
    writeFileSync(list, 'https://audio.example/a.wav');
    for (const uri of [link(list, 'linked.csv'), vscode.Uri.joinPath(folder, 'outside.csv')])
      await assert.rejects(submitUrlList(scene.submissions, [uri]), /is not in this workspace/);
    assert.deepEqual(scene.bodies, []);
  });

  it('shows the warnings that the user has enabled, whatever rules the folder sets', async () => {
    const warned = `{ "audio_url": "https://audio.example/a.wav", "language_config": { "languages": ["en"], "code_switching": true } }`;
    await setFolder('rules', { 'languages/single-ignores-code-switching': 'off' });
    try {
      const shown = await submit(await writeRequest(warned));
      assert.match(shown[0]?.detail ?? '', /• code_switching is ignored/);
      assert.deepEqual(shown[0]?.buttons, ['Show Problems', 'Submit Anyway']);
    } finally {
      await setFolder('rules', undefined);
    }
    await setUser('rules', { 'languages/single-ignores-code-switching': 'off' });
    try {
      const shown = await submit(await writeRequest(warned));
      assert.doesNotMatch(shown[0]?.detail ?? '', /code_switching is ignored/);
    } finally {
      await setUser('rules', undefined);
    }
    assert.deepEqual(scene.bodies, []);
  });

  it('accepts the document in the active editor, wherever it is, and no other open document', async () => {
    await vscode.window.showTextDocument(vscode.Uri.file(outside), { preview: false });
    assert.match((await submit(vscode.Uri.file(outside)))[0]?.text ?? '', /^Submit "outside\.transcription\.json"/);
    await openRequest(good);
    await assert.rejects(submit(vscode.Uri.file(outside)), refusal);
    assert.deepEqual(scene.bodies, []);
  });
});
