import * as vscode from 'vscode';

/** The product's one log channel. It is a `Log` of the service layer; the editor adds times and levels, and keeps the file. */
export function openLog(): vscode.LogOutputChannel {
  return vscode.window.createOutputChannel('Transcription Jobs', { log: true });
}
