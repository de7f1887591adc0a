import { Buffer } from 'node:buffer';
import { posix } from 'node:path';
import * as vscode from 'vscode';
import { commandIds } from '../ids.ts';
import { hasRequestName, requestSelector } from '../requests/isRequestFile.ts';
import { openDocument, readStored, unreadable } from '../requests/readText.ts';
import { chosenUris } from '../requests/chosenUris.ts';
import { UserError } from '../userError.ts';

/** A request as it stands in the editor, or in its file when no editor has it. */
export interface RequestText {
  readonly uri: vscode.Uri;
  /** The file's name. */
  readonly name: string;
  readonly text: string;
}

const mostBytes = 10 * 1024 * 1024;

/** What a command is about: the files handed over by menus and lenses, or the one that is being edited. @throws UserError */
export function requestUris(given: readonly unknown[]): readonly vscode.Uri[] {
  const uris = chosenUris(given);
  // Of several selected files some may be others; one alone was meant.
  const requests = uris.length === 1 ? uris : uris.filter(hasRequestName);
  if (requests.length > 0) return [...new Map(requests.map((uri) => [uri.toString(), uri])).values()];
  const document = vscode.window.activeTextEditor?.document;
  if (uris.length === 0 && document !== undefined && isRequest(document)) return [document.uri];
  throw new UserError(vscode.l10n.t('Open a request file (*.transcription.json) first.'), [
    { title: vscode.l10n.t('New Request File'), run: () => vscode.commands.executeCommand(commandIds.newRequest) },
  ]);
}

/**
 * Reads a request: what an editor shows counts, saved or not.
 * @throws UserError when it is larger than 10 MB or not to be had.
 */
export async function readRequest(uri: vscode.Uri): Promise<RequestText> {
  const name = posix.basename(uri.path);
  const text = openDocument(uri)?.getText() ?? (await storedText(uri, name));
  refuseLarge(Buffer.byteLength(text), name);
  return { uri, name, text };
}

/** Shows a request in an editor. @throws UserError when it is not to be had. */
export async function openRequest(uri: vscode.Uri): Promise<void> {
  const there = openDocument(uri)?.uri ?? savedUri(uri);
  try {
    // An untitled document that is gone would be made anew.
    if (openDocument(there) === undefined) await vscode.workspace.fs.stat(there);
    await vscode.window.showTextDocument(there);
  } catch (error) {
    throw unreadable(uri, error);
  }
}

/** A request on a read-only file system can be sent like any other, and so can JSON that has no name yet. */
function isRequest(document: vscode.TextDocument): boolean {
  return (
    vscode.languages.match(requestSelector, document) > 0 || (document.isUntitled && document.languageId === 'json')
  );
}

async function storedText(uri: vscode.Uri, name: string): Promise<string> {
  const stored = savedUri(uri);
  try {
    refuseLarge((await vscode.workspace.fs.stat(stored)).size, name);
    return await readStored(stored);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw unreadable(stored, error);
  }
}

/** Where a document is that was untitled: in the file that it was to be saved as, if its name says where that is. */
function savedUri(uri: vscode.Uri): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (uri.scheme !== 'untitled' || !uri.path.startsWith('/') || folder === undefined) return uri;
  return uri.with({ scheme: folder.scheme, authority: folder.authority });
}

function refuseLarge(bytes: number, name: string): void {
  if (bytes <= mostBytes) return;
  const megabytes = (bytes / 1024 / 1024).toFixed(1);
  throw new UserError(
    vscode.l10n.t('"{0}" has {1} MB. A request of more than 10 MB is not sent; audio goes by URL.', name, megabytes),
  );
}
