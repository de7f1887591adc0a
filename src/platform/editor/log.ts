import * as vscode from 'vscode';
import { logText } from '../../base/outsideText.ts';
import { type Log, nonThrowingLog } from '../../base/log.ts';

/** The extension's log, which can be shown to the user. */
export interface ShownLog extends Log, vscode.Disposable {
  show(): void;
}

/**
 * The extension's only log channel; the editor adds times and levels and keeps the file. It is opened with the first line, because the
 * editor makes a folder and a file for it.
 */
export function openLog(): ShownLog {
  let channel: vscode.LogOutputChannel | undefined;
  let isClosed = false;
  const open = (): vscode.LogOutputChannel => {
    if (isClosed) throw new Error('The log is closed.');
    channel ??= vscode.window.createOutputChannel('Transcription Jobs', { log: true });
    return channel;
  };
  const log = nonThrowingLog({
    debug: (line) => open().debug(logText(line)),
    info: (line) => open().info(logText(line)),
    warn: (line) => open().warn(logText(line)),
    error: (line) => open().error(logText(line)),
  });
  return {
    ...log,
    show: () => open().show(),
    dispose: () => {
      isClosed = true;
      channel?.dispose();
    },
  };
}
