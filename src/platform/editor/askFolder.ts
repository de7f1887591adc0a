import * as vscode from 'vscode';

/** Prompts for a folder to save files in. @param defaultUri the folder that the dialog shows first */
export async function askFolder(title: string, defaultUri: vscode.Uri | undefined): Promise<vscode.Uri | undefined> {
  const folders = await vscode.window.showOpenDialog({
    title,
    openLabel: vscode.l10n.t('Save Here'),
    canSelectFiles: false,
    canSelectFolders: true,
    canSelectMany: false,
    ...(defaultUri !== undefined && { defaultUri }),
  });
  return folders?.[0];
}
