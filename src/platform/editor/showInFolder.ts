import * as vscode from 'vscode';

/**
 * Shows a file in the editor's explorer if it is in the workspace, otherwise in the system's file manager. A browser has none, so the
 * file is opened there.
 */
export function showInFolder(file: vscode.Uri): Thenable<unknown> {
  const isInWorkspace = vscode.workspace.getWorkspaceFolder(file) !== undefined;
  const isInBrowser = vscode.env.uiKind === vscode.UIKind.Web;
  const command = isInWorkspace ? 'revealInExplorer' : isInBrowser ? 'vscode.open' : 'revealFileInOS';
  return vscode.commands.executeCommand(command, file);
}
