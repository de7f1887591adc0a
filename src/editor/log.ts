import * as vscode from 'vscode';
import type { Log } from '../service/ports.ts';
import { nonThrowingLog } from '../service/nonThrowingLog.ts';

/** The product's log, which the editor shows to whoever wants to see it. */
export interface ShownLog extends Log, vscode.Disposable {
  show(): void;
}

/** The product's one log channel; the editor adds times and levels, and keeps the file. */
export function openLog(): ShownLog {
  const channel = vscode.window.createOutputChannel('Transcription Jobs', { log: true });
  return { ...nonThrowingLog(channel), show: () => channel.show(), dispose: () => channel.dispose() };
}
