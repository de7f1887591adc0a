import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { closeEditors, openRequest, replaceText } from './requestFiles.ts';

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
    const followed = new Promise<void>((resolve) => {
      const listener = vscode.workspace.onDidChangeTextDocument(({ document: changed }) => {
        if (changed !== preview || !changed.getText().includes('"subtitles"')) return;
        listener.dispose();
        resolve();
      });
    });
    await replaceText(document, '{"subtitles": true}');
    await followed;
  });
});
