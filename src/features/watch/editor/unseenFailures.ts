import * as vscode from 'vscode';
import { addFailures, storedFailures, watchMemory, type WatchedJob } from '../common/watchPlan.ts';
import { runQuietly } from '../../../platform/editor/runCommand.ts';
import { DisposableOwner } from '../../../base/disposable.ts';
import { readStored } from '../../../base/stateStore.ts';
import { watchedNames, watchedText } from '../common/watchText.ts';
import { commandIds } from '../../../platform/editor/ids.ts';
import type { Services } from '../../../services.ts';

/** Counts watched jobs that failed while the view was hidden, as a badge on it. */
export class UnseenFailures extends DisposableOwner {
  readonly #services: Services;
  #jobs: ReadonlySet<string>;

  constructor(services: Services) {
    super();
    this.#services = services;
    const { workspaceState, log } = services;
    this.#jobs = new Set(
      readStored(workspaceState, watchMemory.failures, storedFailures.decode, (line) => log.warn(line)),
    );
    this.own(services.view.onDidChangeVisibility(() => this.#clearIfSeen()));
    this.own(vscode.window.onDidChangeWindowState(() => this.#clearIfSeen()));
    this.#show();
    this.#clearIfSeen();
  }

  /** @param jobs names from `watchKey`. */
  add(jobs: readonly string[]): void {
    if (jobs.length === 0 || this.#isSeen) return;
    this.#set(addFailures(this.#jobs, jobs));
  }

  get #isSeen(): boolean {
    return this.#services.view.visible && vscode.window.state.focused;
  }

  #clearIfSeen(): void {
    if (this.#isSeen && this.#jobs.size > 0) this.#set(new Set());
  }

  #set(jobs: ReadonlySet<string>): void {
    this.#jobs = jobs;
    const { log, workspaceState } = this.#services;
    void runQuietly(log, async () => workspaceState.update(watchMemory.failures, storedFailures.form([...jobs])));
    this.#show();
  }

  #show(): void {
    const { size } = this.#jobs;
    const tooltip = size === 1 ? vscode.l10n.t('A watched job failed') : vscode.l10n.t('{0} watched jobs failed', size);
    this.#services.view.setBadge('watched', size === 0 ? undefined : { value: size, tooltip });
  }
}

/** The status bar item, visible only while something is watched. */
export class WatchStatus implements vscode.Disposable {
  #item: vscode.StatusBarItem | undefined;

  show(watched: readonly WatchedJob[]): void {
    if (watched.length === 0) {
      this.dispose();
      return;
    }
    this.#item ??= made();
    const text = vscode.l10n.t('Watching {0}', watchedText(watched.length));
    this.#item.text = `$(eye) ${text}`;
    this.#item.tooltip = `${vscode.l10n.t('Watched until they finish:')}\n${watchedNames(watched)}`;
    this.#item.accessibilityInformation = { label: text, role: 'button' };
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
