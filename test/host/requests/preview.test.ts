import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { MemoryFiles } from '../browse/memoryFiles.ts';
import { closeEditors, diagnosticsOf, isBuiltIn, openRequest, replaceText } from './requestFiles.ts';

describe('Preview', () => {
  afterEach(closeEditors);

  it('shows the request as it would be sent, without the key, and follows the file', async () => {
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

  it('shows in place of a request that is too long to be sent why it is not', async () => {
    const document = await openRequest(`{ "audio_url": "${'a'.repeat(1_200_000)}", } // note`);
    await vscode.commands.executeCommand('transcriptionJobs.previewRequest', document.uri);
    const preview = vscode.workspace.textDocuments.find(({ uri }) => uri.query === document.uri.toString());
    assert.match(
      preview?.getText() ?? '',
      /^This request has 1,200,\d{3} characters\. VS Code neither checks nor submits/,
    );
    assert.ok(preview);
    const followed = nowHas(preview, 'POST ');
    await replaceText(document, '{}');
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
    // The first change also makes the document dirty, which is reported separately and a little later.
    for (const piece of ['"subtitles": true', '"sentences": true,']) {
      const followed = Promise.all(previews.map((preview) => nowHas(preview, piece)));
      const edit = new vscode.WorkspaceEdit();
      for (const { uri } of documents) edit.insert(uri, new vscode.Position(0, 1), piece);
      assert.ok(await vscode.workspace.applyEdit(edit));
      await followed;
    }
  });

  it('reports no problems in an old, read-only state of a file', async () => {
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

/** Resolves when a document contains a text. */
function nowHas(document: vscode.TextDocument, piece: string): Promise<void> {
  return new Promise((resolve) => {
    const listener = vscode.workspace.onDidChangeTextDocument(({ document: changed }) => {
      if (changed !== document || !changed.getText().includes(piece)) return;
      listener.dispose();
      resolve();
    });
  });
}
