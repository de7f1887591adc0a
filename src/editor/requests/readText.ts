import { posix } from 'node:path';
import * as vscode from 'vscode';
import { UserError } from '../userError.ts';

/** The document of a URI, if an editor or another part of the product has it open. */
export function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
}

/**
 * The text of a file, as it is in the editor when it is open there, as it is stored otherwise.
 * @throws UserError when it is not to be had.
 */
export async function readText(uri: vscode.Uri): Promise<string> {
  return openDocument(uri)?.getText() ?? readStored(uri);
}

/**
 * The text of a file as the editor would show it: by its byte order mark, which is left out, or the setting for such files.
 * @throws UserError when it is not to be had.
 */
export async function readStored(uri: vscode.Uri): Promise<string> {
  try {
    const text = await vscode.workspace.decode(await vscode.workspace.fs.readFile(uri), { uri });
    return text.replace(/^\uFEFF/u, '');
  } catch (error) {
    throw unreadable(uri, error);
  }
}

/** Why a file is not to be had, in a sentence. */
export function unreadable({ path }: vscode.Uri, error: unknown): UserError {
  const name = posix.basename(path);
  if (error instanceof vscode.FileSystemError && ['FileNotFound', 'Unavailable'].includes(error.code)) {
    return new UserError(vscode.l10n.t('"{0}" is not there any more.', name));
  }
  const why = error instanceof Error ? error.message : String(error);
  return new UserError(vscode.l10n.t('"{0}" cannot be read: {1}', name, why));
}
