import * as vscode from 'vscode';
import type { JobPoller } from '../../service/store/jobPoller.ts';
import type { JobStore } from '../../service/store/jobStore.ts';
import type { Clock, Log } from '../../service/ports.ts';
import { runQuietly } from '../runCommand.ts';
import type { Settings } from '../settings.ts';

/** What keeping lists up to date takes. */
export interface AutoRefreshNeeds {
  readonly log: Log;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly store: JobStore;
  readonly view: Pick<vscode.TreeView<unknown>, 'visible' | 'onDidChangeVisibility'>;
}

/** Refreshes loaded jobs by itself while somebody looks at them. Its code is read when there is a list. */
export function registerAutoRefresh({ log, clock, settings, store, view }: AutoRefreshNeeds): vscode.Disposable {
  let poller: JobPoller | undefined;
  let disposed = false;
  const look = (): void => poller?.setWatched(view.visible, vscode.window.state.focused);
  const begin = async (): Promise<void> => {
    const loaded = await import('../../service/store/jobPoller.ts');
    if (disposed) return;
    poller = new loaded.JobPoller(store, clock, () => ({
      enabled: settings.get('autoRefresh.enabled'),
      intervalMs: settings.get('autoRefresh.intervalSeconds') * 1000,
    }));
    look();
  };
  const waiting = store.onDidChange(({ type }) => {
    if (type === 'reset') return;
    waiting.dispose();
    void runQuietly(log, begin);
  });
  return vscode.Disposable.from(
    waiting,
    view.onDidChangeVisibility(look),
    vscode.window.onDidChangeWindowState(look),
    settings.onDidChange(() => poller?.replan()),
    {
      dispose: () => {
        disposed = true;
        poller?.dispose();
      },
    },
  );
}
