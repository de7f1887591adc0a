import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { checkRequests } from '../../../src/features/requests/editor/checkRequests.ts';
import { FileChecks } from '../../../src/features/requests/editor/fileChecks.ts';
import { createRequestLanguage } from '../../../src/language/requestLanguage.ts';
import { maxEditorLength } from '../../../src/language/request/requestFile.ts';
import { until } from '../../support/until.ts';
import { heardMessages } from '../connections/heardMessages.ts';
import { closeEditors, codeOf, openRequest, diagnosticsOf, isBuiltIn, writeRequest } from './requestFiles.ts';

describe('Check', () => {
  afterEach(closeEditors);

  it('shows the problems of closed files, including types, until they are opened', async () => {
    const uri = await writeRequest('{"audio_url": 1, "diarization_config": {"min_speakers": 2}}', 'closed');
    await vscode.commands.executeCommand('transcriptionJobs.checkRequest', uri);
    const found = vscode.languages.getDiagnostics(uri);
    assert.deepEqual(found.map(codeOf), ['schema/type', 'switches/config-without-switch']);
    await vscode.window.showTextDocument(uri);
    const open = await diagnosticsOf(uri, (all) => all.filter((each) => codeOf(each) === 'schema/type').length === 1);
    assert.equal(open.filter((each) => codeOf(each) === 'switches/config-without-switch').length, 1);
    assert.ok(!open.some(isBuiltIn), 'types are told once');
  });

  it('checks all files of the workspace, whatever is open, and the open one', async () => {
    const uris = [await writeRequest('{"audio_url": 1}', 'all-a'), await writeRequest('{"audio_url": 2}', 'all-b')];
    const unsaved = await openRequest('{"audio_url": 3}');
    await vscode.commands.executeCommand('transcriptionJobs.checkRequest');
    for (const uri of uris) assert.deepEqual(vscode.languages.getDiagnostics(uri).map(codeOf), ['schema/type']);
    const found = vscode.languages.getDiagnostics(unsaved.uri).map(codeOf);
    assert.ok(found.includes('schema/type'), found.join());
    for (const uri of uris) await vscode.workspace.fs.delete(uri);
  });

  it('is about the clicked file if the click was outside of a selection', async () => {
    const [clicked, one, other] = [
      await writeRequest('{"audio_url": 1}', 'clicked'),
      await writeRequest('{"audio_url": 2}', 'selected-one'),
      await writeRequest('{"audio_url": 3}', 'selected-other'),
    ];
    await vscode.commands.executeCommand('transcriptionJobs.checkRequest', clicked, [one, other]);
    assert.deepEqual(vscode.languages.getDiagnostics(clicked).map(codeOf), ['schema/type']);
    assert.deepEqual(vscode.languages.getDiagnostics(one), []);
    for (const uri of [clicked, one, other]) await vscode.workspace.fs.delete(uri);
  });

  it('accepts folders', async () => {
    const watcher = vscode.workspace.createFileSystemWatcher('**/in-folder*');
    const heard: string[] = [];
    watcher.onDidCreate(({ path }) => heard.push(path));
    const uri = await writeRequest('{"audio_url": 1}', 'in-folder');
    await vscode.commands.executeCommand('transcriptionJobs.checkRequest', vscode.Uri.joinPath(uri, '..'));
    assert.deepEqual(vscode.languages.getDiagnostics(uri).map(codeOf), ['schema/type']);
    // The event for the written file may arrive only now; the unchanged file keeps its diagnostics.
    await until('the file was seen', () => heard.includes(uri.path));
    watcher.dispose();
    assert.deepEqual(vscode.languages.getDiagnostics(uri).map(codeOf), ['schema/type']);
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode('{"audio_url": 12}'));
    await diagnosticsOf(uri, (all) => all.length === 0);
    await vscode.workspace.fs.delete(uri);
  });

  it('continues after a file that cannot be read', async () => {
    const binary = await writeRequest('\0'.repeat(8), 'a-binary');
    const uri = await writeRequest('{"audio_url": 1}', 'after-it');
    await vscode.commands.executeCommand('transcriptionJobs.checkRequest', vscode.Uri.joinPath(uri, '..'));
    assert.deepEqual(vscode.languages.getDiagnostics(uri).map(codeOf), ['schema/type']);
    await vscode.workspace.fs.delete(binary);
    await vscode.workspace.fs.delete(uri);
  });

  it('reports a file that is too long as not checked, with what to do', async () => {
    const locale = { language: 'en', timeZone: undefined };
    const language = createRequestLanguage({ schema: () => [], now: Date.now, knowledge: () => undefined, locale });
    const checks = new FileChecks(language);
    const long = await writeRequest('/'.repeat(maxEditorLength + 1), 'long');
    const uri = await writeRequest('{"audio_url": "https://media.example.com/a.mp3"}', 'beside-it');
    const problem =
      'long.transcription.json: This request has 1,200,001 characters. VS Code neither checks nor submits more than 1,200,000: shorten it, or check and send it with other tools.';
    await assert.rejects(checkRequests([long], checks), { message: problem });
    const [report] = await heardMessages(() => checkRequests([uri, [long, uri]], checks));
    assert.equal(report?.text, `1 request file checked. Errors: 0. Warnings: 0. Notes: 0. ${problem}`);
    checks.dispose();
    await vscode.workspace.fs.delete(long);
    await vscode.workspace.fs.delete(uri);
  });

  it('ignores other selected files', async () => {
    const uri = await writeRequest('{"audio_url": 1}', 'selected');
    const other = vscode.Uri.joinPath(uri, '..', 'notes.md');
    await vscode.workspace.fs.writeFile(other, new TextEncoder().encode('# Notes'));
    await vscode.commands.executeCommand('transcriptionJobs.checkRequest', uri, [uri, other]);
    assert.deepEqual(vscode.languages.getDiagnostics(uri).map(codeOf), ['schema/type']);
    assert.deepEqual(vscode.languages.getDiagnostics(other), []);
    await vscode.workspace.fs.delete(other);
    await vscode.workspace.fs.delete(uri);
  });

  it('reads a file in its own encoding', async () => {
    const uri = await writeRequest('', 'encoded');
    const text = '\uFEFF{"audio_url": 1}';
    const bytes = new Uint8Array(Uint16Array.from(text, (character) => character.charCodeAt(0)).buffer);
    await vscode.workspace.fs.writeFile(uri, bytes);
    await vscode.commands.executeCommand('transcriptionJobs.checkRequest', uri);
    assert.deepEqual(vscode.languages.getDiagnostics(uri).map(codeOf), ['schema/type']);
    await vscode.workspace.fs.delete(uri);
  });

  it('is a task with a problem matcher', async () => {
    const uri = await writeRequest('{"audio_url": 1}', 'in-task');
    const [task] = await vscode.tasks.fetchTasks({ type: 'transcription-check' });
    assert.ok(task);
    assert.deepEqual(task.problemMatchers, ['$transcription']);
    const ended = new Promise<void>((resolve) => {
      const listener = vscode.tasks.onDidEndTask(({ execution }) => {
        if (execution.task.name !== task.name) return;
        listener.dispose();
        resolve();
      });
    });
    await vscode.tasks.executeTask(task);
    await ended;
    const [found] = await diagnosticsOf(uri, (all) => all.length > 0);
    assert.equal(found?.message, 'audio_url must be a string.');
    assert.deepEqual([found.range.start.line, found.range.start.character], [0, 14]);
  });
});
