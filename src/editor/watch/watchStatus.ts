import * as vscode from 'vscode';
import { watchedNames, watchedText } from '../../domain/watch/watchText.ts';
import type { WatchedJob } from '../../domain/watch/watchPlan.ts';
import { commandIds } from '../ids.ts';

/** The one entry in the status bar: there only while something is watched. */
export class WatchStatus implements vscode.Disposable {
  #item: vscode.StatusBarItem | undefined;

  show(watched: readonly WatchedJob[]): void {
    if (watched.length === 0) {
      this.dispose();
      return;
    }
    this.#item ??= made();
    const text = watchedText(watched.length);
    this.#item.text = `$(eye) ${text}`;
    this.#item.tooltip = `${vscode.l10n.t('Watched until they finish:')}\n${watchedNames(watched)}`;
    this.#item.accessibilityInformation = { label: vscode.l10n.t('Watching {0}', text), role: 'button' };
    this.#item.show();
  }

  dispose(): void {
    this.#item?.dispose();
    this.#item = undefined;
  }
}

function made(): vscode.StatusBarItem {
  const item = vscode.window.createStatusBarItem('watched', vscode.StatusBarAlignment.Left);
  item.name = vscode.l10n.t('Watched Transcription Jobs');
  item.command = commandIds.showWatched;
  return item;
}
