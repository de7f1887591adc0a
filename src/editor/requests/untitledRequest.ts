import * as vscode from 'vscode';
import type { NewRequest } from '../../domain/request/templates.ts';
import { positionsIn, toRange } from './toRange.ts';

/**
 * Opens an unsaved request with the cursor where its author goes on. It has a file name, by which the editor knows what
 * it is, and is saved under it where a folder is open.
 * @param name first part of the file name
 */
export async function openUntitledRequest({ text, cursor }: NewRequest, name: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(await freeUri(name));
  // Written before it is shown, so that nobody types into what is not there yet.
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, new vscode.Position(0, 0), text);
  await vscode.workspace.applyEdit(edit);
  // By line and column: the document may have other line breaks, and so other offsets.
  const selection = toRange(positionsIn(text), { offset: cursor, length: 0 });
  await vscode.window.showTextDocument(document, { selection });
}

/** The first of `name`, `name-2`, … that is neither a file nor an open document. */
async function freeUri(name: string): Promise<vscode.Uri> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const taken = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.path));
  for (let number = 1; ; number++) {
    const fileName = `${number === 1 ? name : `${name}-${number}`}.transcription.json`;
    const file = folder && vscode.Uri.joinPath(folder, fileName);
    const path = file?.path ?? fileName;
    if (!taken.has(path) && !(file && (await exists(file)))) return vscode.Uri.from({ scheme: 'untitled', path });
  }
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}
