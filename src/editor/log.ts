import * as vscode from 'vscode';
import { logText } from '../domain/outsideText.ts';
import type { Log } from '../service/ports.ts';
import { nonThrowingLog } from '../service/nonThrowingLog.ts';

/** The extension's log, which can be shown to the user. */
export interface ShownLog extends Log, vscode.Disposable {
  show(): void;
}

/** Opens the extension's only log channel; the editor adds times and levels and keeps the file. */
export function openLog(): ShownLog {
  const channel = vscode.window.createOutputChannel('Transcription Jobs', { log: true });
  const log = nonThrowingLog(channel);
  return {
    debug: (line) => log.debug(logText(line)),
    info: (line) => log.info(logText(line)),
    warn: (line) => log.warn(logText(line)),
    error: (line) => log.error(logText(line)),
    show: () => channel.show(),
    dispose: () => channel.dispose(),
  };
}
