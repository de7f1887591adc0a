import * as vscode from 'vscode';

/** Scheme of explanations and reports. */
export const helpScheme = 'transcription-help';
/** Scheme of requests as they would be sent. */
export const previewScheme = 'transcription-preview';
/** Type of the task, as `taskDefinitions` in `package.json` declares it. */
export const checkTaskType = 'transcription-check';
/** `source.fixAll.transcriptionJobs`, for fixes on save. */
export const fixAllKind = vscode.CodeActionKind.SourceFixAll.append('transcriptionJobs');
/** Kind of what is understood when it is pasted or dropped. */
export const pasteKind = vscode.DocumentDropOrPasteEditKind.Empty.append('transcriptionJobs');
/** Types of data that are understood, in the order in which they are tried. */
export const pastedTypes = ['text/uri-list', 'text/plain'] as const;

/** Names of request files. */
export const requestGlob = '**/*.transcription.json';

/** Whether a file has the name of a request file. */
export function hasRequestName({ path }: vscode.Uri): boolean {
  return path.endsWith('.transcription.json');
}

/** Which documents are request files: by name and language, whatever the file system. */
export const requestSelector: vscode.DocumentFilter = { language: 'json', pattern: requestGlob };

/** Whether a document is an editable request file, not an old version in a diff. */
export function isRequestFile(document: vscode.TextDocument): boolean {
  return (
    vscode.languages.match(requestSelector, document) > 0 &&
    vscode.workspace.fs.isWritableFileSystem(document.uri.scheme) !== false
  );
}
