import { extensionId } from '../../../src/jobs/common/jobLink.ts';
import type { SmallExtension } from './packExtension.ts';

/**
 * An extension that submits all request files of a folder, as a selection in the explorer does, and shows if the product is
 * active.
 */
export const selecting: SmallExtension = {
  name: 'selecting',
  manifest: {
    contributes: {
      commands: [
        { command: 'selecting.submit', title: 'Selecting: Submit Calls' },
        { command: 'selecting.showState', title: 'Selecting: Show State' },
      ],
    },
  },
  code: `
import * as vscode from 'vscode';
export function activate({ subscriptions }) {
  subscriptions.push(vscode.commands.registerCommand('selecting.submit', async () => {
    const uris = await vscode.workspace.findFiles('calls/*.transcription.json');
    uris.sort((a, b) => (a.path < b.path ? -1 : 1));
    await vscode.commands.executeCommand('transcriptionJobs.submitRequest', uris[0], uris);
  }));
  subscriptions.push(vscode.commands.registerCommand('selecting.showState', () => {
    const { isActive } = vscode.extensions.getExtension('${extensionId}');
    void vscode.window.showInformationMessage(isActive ? 'The product is active.' : 'The product is not active.');
  }));
}`,
};
