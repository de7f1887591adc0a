import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('Activation', () => {
  it('succeeds', async () => {
    const extension = vscode.extensions.getExtension('transcription-jobs.transcription-jobs');
    assert(extension, 'the extension is not known to the editor');
    await extension.activate();
    assert.equal(extension.isActive, true);
  });
});
