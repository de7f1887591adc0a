import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { extensionId } from '../../../src/jobs/common/jobLink.ts';
import { fewParityRequests, parityRequests, writeRequests } from '../../support/parity/parityRequests.ts';
import { recordCommand } from '../../support/parity/recordOutside.ts';
import { differences } from '../../support/parity/recordedRequest.ts';
import { recordInEditor } from '../../support/parity/recordInEditor.ts';
import { closeEditors } from './requestFiles.ts';

describe('The extension and the command', () => {
  after(closeEditors);

  it('report the same for all fixtures and for random requests', async () => {
    const extension = vscode.extensions.getExtension(extensionId);
    const root = extension?.extensionPath ?? '';
    const folder = join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'parity');
    const requests = parityRequests(root, fewParityRequests);
    writeRequests(join(folder, 'requests'), requests);
    const command = recordCommand(join(root, 'dist/cli.js'), join(folder, 'requests'), join(folder, 'fixed'));
    const recorded = await recordInEditor(vscode, vscode.Uri.file(join(folder, 'requests')));
    rmSync(folder, { recursive: true });
    assert.equal(Object.keys(recorded).length, requests.size);
    assert.deepEqual(differences(command, recorded).slice(0, 3), []);
  });
});
