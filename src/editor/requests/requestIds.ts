import * as vscode from 'vscode';

export const helpScheme = 'transcription-help';
export const previewScheme = 'transcription-preview';
/** Type of the task, as `taskDefinitions` in `package.json` declares it. */
export const checkTaskType = 'transcription-check';
/** `source.fixAll.transcriptionJobs`, for fixes on save. */
export const fixAllKind = vscode.CodeActionKind.SourceFixAll.append('transcriptionJobs');
/** Called by lenses only. */
export const explainCommand = '_transcriptionJobs.explain';
