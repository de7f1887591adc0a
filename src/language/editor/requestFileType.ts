import * as vscode from 'vscode';
import { requestExtension, requestGlob } from '../requestGlob.ts';

/** URI scheme of explanations and reports. */
export const helpScheme = 'transcription-help';
/** URI scheme of previews of requests as they would be sent. */
export const previewScheme = 'transcription-preview';
/** Task type, as declared by `taskDefinitions` in `package.json`. */
export const checkTaskType = 'transcription-check';
/** `source.fixAll.transcriptionJobs`, for fixes on save. */
export const fixAllKind = vscode.CodeActionKind.SourceFixAll.append('transcriptionJobs');
/** Kind of edits for supported pasted or dropped data. */
export const pasteKind = vscode.DocumentDropOrPasteEditKind.Empty.append('transcriptionJobs');
/** Supported MIME types, in order of preference. */
export const pastedTypes = ['text/uri-list', 'text/plain'] as const;

/** True if a file has the name of a request file. */
export function hasRequestName({ path }: vscode.Uri): boolean {
  return path.endsWith(requestExtension);
}

/** Selects request files by name and language, in any file system. */
export const requestSelector: vscode.DocumentFilter = { language: 'json', pattern: requestGlob };

/** True if a document is an editable request file, not an old version in a diff. */
export function isRequestFile(document: vscode.TextDocument): boolean {
  return (
    vscode.languages.match(requestSelector, document) > 0 &&
    vscode.workspace.fs.isWritableFileSystem(document.uri.scheme) !== false
  );
}
