import * as vscode from 'vscode';

/** Names of request files. */
export const requestGlob = '**/*.transcription.json';

/** Whether a file is called like a request file. */
export function hasRequestName({ path }: vscode.Uri): boolean {
  return path.endsWith('.transcription.json');
}

/** Which documents are request files: by name and language, whatever the file system. */
export const requestSelector: vscode.DocumentFilter = { language: 'json', pattern: requestGlob };

/** Whether a document is a request file that somebody writes, and not an old state of one in a comparison. */
export function isRequestFile(document: vscode.TextDocument): boolean {
  return (
    vscode.languages.match(requestSelector, document) > 0 &&
    vscode.workspace.fs.isWritableFileSystem(document.uri.scheme) !== false
  );
}
