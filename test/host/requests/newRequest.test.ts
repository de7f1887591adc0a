import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { MemoryFiles } from '../browse/memoryFiles.ts';
import {
  closeEditors,
  codeOf,
  diagnosticsOf,
  isBuiltIn,
  openRequest,
  replaceText,
  writeRequest,
} from './requestFiles.ts';

describe('New request', () => {
  afterEach(closeEditors);

  it('opens an unsaved request file with the cursor on the address', async () => {
    await vscode.commands.executeCommand('transcriptionJobs.newRequest', 'minimal');
    const editor = vscode.window.activeTextEditor;
    assert.ok(editor);
    const { document, selection } = editor;
    assert.match(document.uri.path, /\/minimal\.transcription\.json$/u);
    assert.equal(document.isUntitled, true);
    assert.equal(document.languageId, 'json');
    assert.equal(document.getText(), '{\n  "audio_url": ""\n}\n');
    assert.deepEqual([selection.active.line, selection.active.character], [1, 16]);
    const found = await diagnosticsOf(document.uri, (all) => all.length > 0);
    assert.deepEqual(found.map(codeOf), ['audio-url/missing']);
    await replaceText(document, '{"audio_url": 3}');
    await diagnosticsOf(document.uri, (all) => all.some(isBuiltIn));
  });
});

describe('New request, where lines end in CRLF', () => {
  const files = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('files');
  before(() => files().update('eol', '\r\n', vscode.ConfigurationTarget.Global));
  after(() => files().update('eol', undefined, vscode.ConfigurationTarget.Global));
  afterEach(closeEditors);

  it('has the cursor on the address, too', async () => {
    await vscode.commands.executeCommand('transcriptionJobs.newRequest', 'minimal');
    const { document, selection } = vscode.window.activeTextEditor ?? assert.fail();
    assert.equal(document.getText(), '{\r\n  "audio_url": ""\r\n}\r\n');
    assert.deepEqual([selection.active.line, selection.active.character], [1, 16]);
  });
});

/** Settles when a document has a piece of text. */
function nowHas(document: vscode.TextDocument, piece: string): Promise<void> {
  return new Promise((resolve) => {
    const listener = vscode.workspace.onDidChangeTextDocument(({ document: changed }) => {
      if (changed !== document || !changed.getText().includes(piece)) return;
      listener.dispose();
      resolve();
    });
  });
}

describe('Preview', () => {
  afterEach(closeEditors);

  it('shows what would be sent, without the key, and follows the file', async () => {
    const document = await openRequest('{ "audio_url": "https://media.example.com/a.mp3", }');
    await vscode.commands.executeCommand('transcriptionJobs.previewRequest', document.uri);
    const preview = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'transcription-preview');
    assert.ok(preview);
    assert.match(
      preview.getText(),
      /^POST .*\/v2\/pre-recorded\ncontent-type: application\/json\nx-service-key: •+\n\n\{/u,
    );
    assert.ok(preview.getText().endsWith('{ "audio_url": "https://media.example.com/a.mp3" }'));
    const followed = nowHas(preview, '"subtitles"');
    await replaceText(document, '{"subtitles": true}');
    await followed;
  });

  it('follows each of several files that change at once', async () => {
    const documents = [await openRequest('{}'), await openRequest('{}')];
    for (const { uri } of documents) await vscode.commands.executeCommand('transcriptionJobs.previewRequest', uri);
    const previews = vscode.workspace.textDocuments.filter(
      ({ uri }) =>
        uri.scheme === 'transcription-preview' && documents.some((each) => each.uri.toString() === uri.query),
    );
    assert.equal(previews.length, 2);
    // The first change also makes them dirty, which is told apart from it and a little later.
    for (const piece of ['"subtitles": true', '"sentences": true,']) {
      const followed = Promise.all(previews.map((preview) => nowHas(preview, piece)));
      const edit = new vscode.WorkspaceEdit();
      for (const { uri } of documents) edit.insert(uri, new vscode.Position(0, 1), piece);
      assert.ok(await vscode.workspace.applyEdit(edit));
      await followed;
    }
  });

  it('leaves an old state of a file, which nobody writes, without problems', async () => {
    const scheme = 'old-state';
    const files = new MemoryFiles();
    const uri = vscode.Uri.parse(`${scheme}:/old.transcription.json`);
    files.writeFile(uri, new TextEncoder().encode('{"diarization_config": {}}'));
    const provider = vscode.workspace.registerFileSystemProvider(scheme, files, { isReadonly: true });
    const rules = (value: unknown): Thenable<void> =>
      vscode.workspace.getConfiguration('transcriptionJobs').update('rules', value, vscode.ConfigurationTarget.Global);
    const old = await vscode.workspace.openTextDocument(uri);
    const written = await openRequest('{"diarization_config": {}}');
    await diagnosticsOf(written.uri, (all) => all.length > 0);
    await vscode.commands.executeCommand('transcriptionJobs.previewRequest', old.uri);
    await rules({ 'audio-url/missing': 'hint' });
    await diagnosticsOf(written.uri, (all) => all.some(({ severity }) => severity === vscode.DiagnosticSeverity.Hint));
    assert.deepEqual(
      vscode.languages.getDiagnostics(uri).filter((each) => !isBuiltIn(each)),
      [],
    );
    await rules(undefined);
    provider.dispose();
  });
});

describe('Check', () => {
  afterEach(closeEditors);

  it('shows the problems of closed files, types included, until they are opened', async () => {
    const uri = await writeRequest('{"audio_url": 1, "diarization_config": {"min_speakers": 2}}', 'closed');
    await vscode.commands.executeCommand('transcriptionJobs.checkRequest', uri);
    const found = vscode.languages.getDiagnostics(uri);
    assert.deepEqual(found.map(codeOf), ['schema/type', 'switches/config-without-switch']);
    await vscode.window.showTextDocument(uri);
    const open = await diagnosticsOf(uri, (all) => all.some(isBuiltIn));
    assert.equal(open.filter((each) => codeOf(each) === 'switches/config-without-switch').length, 1);
    assert.ok(!open.map(codeOf).includes('schema/type'));
  });

  it('takes folders', async () => {
    const uri = await writeRequest('{"audio_url": 1}', 'in-folder');
    await vscode.commands.executeCommand('transcriptionJobs.checkRequest', vscode.Uri.joinPath(uri, '..'));
    assert.deepEqual(vscode.languages.getDiagnostics(uri).map(codeOf), ['schema/type']);
    // Word of the file's writing may come only now; what was found of it as it is stays.
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.deepEqual(vscode.languages.getDiagnostics(uri).map(codeOf), ['schema/type']);
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode('{"audio_url": 12}'));
    await diagnosticsOf(uri, (all) => all.length === 0);
    await vscode.workspace.fs.delete(uri);
  });

  it('goes on after a file that cannot be read', async () => {
    const binary = await writeRequest('\0'.repeat(8), 'a-binary');
    const uri = await writeRequest('{"audio_url": 1}', 'after-it');
    await vscode.commands.executeCommand('transcriptionJobs.checkRequest', vscode.Uri.joinPath(uri, '..'));
    assert.deepEqual(vscode.languages.getDiagnostics(uri).map(codeOf), ['schema/type']);
    await vscode.workspace.fs.delete(binary);
    await vscode.workspace.fs.delete(uri);
  });

  it('leaves other files that are selected alone', async () => {
    const uri = await writeRequest('{"audio_url": 1}', 'selected');
    const other = vscode.Uri.joinPath(uri, '..', 'notes.md');
    await vscode.workspace.fs.writeFile(other, new TextEncoder().encode('# Notes'));
    await vscode.commands.executeCommand('transcriptionJobs.checkRequest', uri, [uri, other]);
    assert.deepEqual(vscode.languages.getDiagnostics(uri).map(codeOf), ['schema/type']);
    assert.deepEqual(vscode.languages.getDiagnostics(other), []);
    await vscode.workspace.fs.delete(other);
    await vscode.workspace.fs.delete(uri);
  });

  it('reads a file in the encoding in which it is written', async () => {
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
    assert.equal(found?.message, 'This must be of type string.');
    assert.deepEqual([found.range.start.line, found.range.start.character], [0, 14]);
  });
});
