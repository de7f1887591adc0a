import * as vscode from 'vscode';
import { keptFailures } from '../../domain/watch/watchPlan.ts';
import { runQuietly } from '../runCommand.ts';
import { restoreKept } from './restoreKept.ts';
import { watchMemory } from './watchMemory.ts';
import type { WatchNeeds } from './watchNeeds.ts';

/** Counts watched jobs that failed while nobody looked at the view, as a badge on it. */
export class UnseenFailures implements vscode.Disposable {
  readonly #needs: Pick<WatchNeeds, 'log' | 'memory' | 'view' | 'setBadge'>;
  readonly #owned: readonly vscode.Disposable[];
  #jobs: ReadonlySet<string>;

  constructor(needs: Pick<WatchNeeds, 'log' | 'memory' | 'view' | 'setBadge'>) {
    this.#needs = needs;
    this.#jobs = new Set(restoreKept(needs, watchMemory.failures, keptFailures));
    this.#owned = [
      needs.view.onDidChangeVisibility(() => this.#look()),
      vscode.window.onDidChangeWindowState(() => this.#look()),
    ];
    this.#show();
    this.#look();
  }

  /** @param jobs names as `watchKey` gives them. */
  add(jobs: readonly string[]): void {
    if (jobs.length === 0 || this.#isSeen) return;
    this.#set(new Set([...this.#jobs, ...jobs]));
  }

  dispose(): void {
    for (const each of this.#owned) each.dispose();
  }

  get #isSeen(): boolean {
    return this.#needs.view.visible && vscode.window.state.focused;
  }

  #look(): void {
    if (this.#isSeen && this.#jobs.size > 0) this.#set(new Set());
  }

  #set(jobs: ReadonlySet<string>): void {
    this.#jobs = jobs;
    const { log, memory } = this.#needs;
    void runQuietly(log, async () => memory.update(watchMemory.failures, keptFailures.form([...jobs])));
    this.#show();
  }

  #show(): void {
    const { size } = this.#jobs;
    const tooltip = size === 1 ? vscode.l10n.t('A watched job failed') : vscode.l10n.t('{0} watched jobs failed', size);
    this.#needs.setBadge(size === 0 ? undefined : { value: size, tooltip });
  }
}
