import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installExtensions } from '../../support/editor/installExtensions.ts';
import { temporaryFolder } from '../../support/editor/ownedFolder.ts';
import { packExtension } from '../../support/extensions/packExtension.ts';
import { LanguageClient } from '../../support/command/languageClient.ts';
import { until } from '../../support/until.ts';
import { openWorkbench } from '../../support/workbench/openWorkbench.ts';
import { median } from '../median.ts';
import type { Row } from '../outcome.ts';
import { smallRequest } from '../requests/requestTexts.ts';
import { timed } from '../timed.ts';

/** Types a character into the open request repeatedly, and records the delay until its problems change. */
const driver = `
import { writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
export async function activate() {
  const { uri } = vscode.workspace.workspaceFolders[0];
  const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(uri, 'typed.transcription.json'));
  await vscode.window.showTextDocument(document);
  const followed = (wanted) => new Promise((resolve) => {
    const look = () => {
      const found = vscode.languages.getDiagnostics(document.uri).some(({ message }) => message.includes(wanted));
      if (!found) return;
      listener.dispose();
      resolve();
    };
    const listener = vscode.languages.onDidChangeDiagnostics(look);
    look();
  });
  const at = document.positionAt(document.getText().indexOf('"sentence"') + 9);
  const runs = [];
  await followed('sentence');
  let name = 'sentence';
  for (let round = 0; round < Number(process.env.BENCH_ROUNDS) + 3; round++) {
    const edit = new vscode.WorkspaceEdit();
    const letter = 'abcdefgh'[round % 8];
    edit.insert(document.uri, at.translate(0, round), letter);
    name += letter;
    const startMs = performance.now();
    await vscode.workspace.applyEdit(edit);
    await followed(name);
    if (round >= 3) runs.push(performance.now() - startMs);
  }
  writeFileSync(process.env.BENCH_TYPED, JSON.stringify(runs));
}`;

/** Measures from a typed character to the findings that it changes: the language server, against the extension in its real host. */
export const row: Row = async ({ quick, vsix, builtRoot }) => {
  const rounds = quick ? 7 : 21;
  const folder = temporaryFolder();
  const typed = join(folder.path, 'typed');
  const workspace = temporaryFolder();
  writeFileSync(typed, '');
  writeFileSync(join(workspace.path, 'typed.transcription.json'), smallRequest());
  const extensionsDir = join(folder.path, 'extensions');
  const driving = { name: 'typing', manifest: { activationEvents: ['onStartupFinished'] }, code: driver };
  await installExtensions([vsix, await packExtension(folder.path, driving)], extensionsDir);
  const session = await openWorkbench({
    extensionsDir,
    folder: workspace.path,
    builtinExtensions: ['theme-defaults', 'json'],
    env: { BENCH_TYPED: typed, BENCH_ROUNDS: String(rounds) },
  });
  await until('the characters are typed', () => Promise.resolve(readFileSync(typed, 'utf8') !== ''));
  const extension = JSON.parse(readFileSync(typed, 'utf8')) as readonly number[];
  await session.close();
  const server = await typeIntoServer(join(builtRoot, 'dist/cli.js'), rounds);
  folder.remove();
  workspace.remove();
  return [
    {
      title: 'Keystroke in other editors',
      measured:
        'from a typed character to the findings that it changes, of which 150 ms are the wait for the next one: the language server, against the extension in its host',
      value: median(server) / median(extension),
      unit: '×',
      atMost: 1.3,
      facts: [timed('language server', server), timed('extension', extension)],
    },
  ];
};

async function typeIntoServer(script: string, rounds: number): Promise<readonly number[]> {
  const client = await LanguageClient.start(script);
  const uri = 'file:///typed.transcription.json';
  const text = smallRequest();
  await client.open(uri, text);
  const lines = text.slice(0, text.indexOf('"sentence"') + 9).split('\n');
  const runs: number[] = [];
  for (let round = 0; round < rounds + 3; round++) {
    const at = { line: lines.length - 1, character: (lines.at(-1)?.length ?? 0) + round };
    const startMs = performance.now();
    await client.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: round + 2 },
      contentChanges: [{ range: { start: at, end: at }, text: 'abcdefgh'[round % 8] }],
    });
    await client.published(uri, round + 2);
    if (round >= 3) runs.push(performance.now() - startMs);
  }
  await client.stop();
  return runs;
}
