import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { extensionId } from '../../src/jobs/common/jobLink.ts';
import { commandIds } from '../../src/platform/editor/ids.ts';

describe('Activation', () => {
  it('succeeds', async () => {
    const extension = vscode.extensions.getExtension(extensionId);
    assert(extension, 'the extension is not known to the editor');
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  it('registers every command of the manifest', async () => {
    const registered = new Set(await vscode.commands.getCommands(true));
    const missing = Object.values(commandIds).filter((id) => !registered.has(id));
    assert.deepEqual(missing, []);
  });
});
