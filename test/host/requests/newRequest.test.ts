import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { closeEditors, codeOf, diagnosticsOf, replaceText } from './requestFiles.ts';

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
    assert.equal(document.getText(), '{\n    "audio_url": ""\n}\n');
    assert.deepEqual([selection.active.line, selection.active.character], [1, 18]);
    const found = await diagnosticsOf(document.uri, (all) => all.length > 0);
    assert.deepEqual(found.map(codeOf), ['audio-url/missing']);
    await replaceText(document, '{"audio_url": 3}');
    await diagnosticsOf(document.uri, (all) => all.some((each) => codeOf(each) === 'schema/type'));
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
    assert.equal(document.getText(), '{\r\n    "audio_url": ""\r\n}\r\n');
    assert.deepEqual([selection.active.line, selection.active.character], [1, 18]);
  });
});

describe('New request, where the editor indents otherwise', () => {
  const editor = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('editor');
  after(async () => {
    await editor().update('tabSize', undefined, vscode.ConfigurationTarget.Global);
    await editor().update('insertSpaces', undefined, vscode.ConfigurationTarget.Global);
  });
  afterEach(closeEditors);

  it('is indented like that', async () => {
    for (const [name, value, indent] of [
      ['tabSize', 3, '   '],
      ['insertSpaces', false, '\t'],
    ] as const) {
      await editor().update(name, value, vscode.ConfigurationTarget.Global);
      await vscode.commands.executeCommand('transcriptionJobs.newRequest', 'minimal');
      const { document } = vscode.window.activeTextEditor ?? assert.fail();
      assert.equal(document.getText(), `{\n${indent}"audio_url": ""\n}\n`);
    }
  });
});
