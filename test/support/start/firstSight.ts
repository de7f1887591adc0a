import type { SmallExtension } from '../extensions/packExtension.ts';

/** The request file that `npm start` opens. */
export const shownRequest = 'interview.transcription.json';

/** An extension for `npm start` only: reveals the jobs view and a request file, once per window. */
export const firstSight: SmallExtension = {
  name: 'first-sight',
  manifest: { activationEvents: ['onStartupFinished'] },
  code: `
import * as vscode from 'vscode';
export async function activate({ workspaceState }) {
  if (workspaceState.get('shown')) return;
  await workspaceState.update('shown', true);
  await vscode.commands.executeCommand('transcriptionJobs.jobs.focus');
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder) await vscode.window.showTextDocument(vscode.Uri.joinPath(folder.uri, '${shownRequest}'));
}`,
};
