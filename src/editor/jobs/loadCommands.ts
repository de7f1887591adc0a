import * as vscode from 'vscode';
import type { TreeNode } from '../../domain/jobs/jobTree.ts';
import type { ListKey } from '../../domain/jobs/listKey.ts';
import type { JobStore } from '../../service/store/jobStore.ts';
import type { Log } from '../../service/ports.ts';
import type { Clock } from '../../service/clock.ts';
import { commandIds, viewIds } from '../ids.ts';
import { registerCommand, runQuietly } from '../runCommand.ts';
import type { JobsView } from './jobsView.ts';
import { listOf } from './commandArguments.ts';
import { describeListKey } from '../../domain/jobs/jobRow.ts';
import { showMessage } from '../messages.ts';
import { withCancel } from '../progress.ts';
import type { JobPoller } from '../../service/store/jobPoller.ts';
import type { Settings } from '../settings.ts';

/** The commands that load: refresh, load more, load all. */
export function registerLoading(log: Log, store: JobStore, view: JobsView): vscode.Disposable {
  return vscode.Disposable.from(
    // The title of a view hands over the row that has the focus, which says nothing about what is meant.
    registerCommand(log, commandIds.refresh, () => inView(() => store.refresh())),
    registerCommand(log, commandIds.loadMore, (...given) => {
      const node = view.rowOf(given);
      return node !== undefined && 'key' in node ? inView(() => loadMore(store, view, node)) : undefined;
    }),
    registerCommand(log, commandIds.loadAll, async (...given) => {
      const key = listOf(view.rowOf(given));
      if (key === undefined) return;
      await loadAll(store, key);
    }),
  );
}

/** Goes on where a list ends: by a page, by trying again what failed, or by reading it anew. The focus goes to the first new row. */
async function loadMore(store: JobStore, view: JobsView, node: TreeNode & { readonly key: ListKey }): Promise<void> {
  const { key } = node;
  const { failure, jobs } = store.list(key);
  if (node.type === 'notice' || (failure !== undefined && failure.during !== 'loadingMore')) return store.reload(key);
  const rows = jobs.entries.length;
  await store.loadMore(key);
  const next = store
    .list(key)
    .jobs.entries.slice(rows)
    .find((entry) => entry.type === 'job');
  if (next !== undefined) view.focusWhenListed(key, next);
}

/** Work that shows as progress at the top of the view. */
function inView(body: () => Promise<void>): Thenable<void> {
  return vscode.window.withProgress({ location: { viewId: viewIds.jobs } }, body);
}

/** The most items that Load All brings into one list; more is what an export is for. */
const loadAllCap = 10_000;

/** Loads what is left of a list, with progress and cancel. */
export async function loadAll(store: JobStore, key: ListKey): Promise<void> {
  const title = vscode.l10n.t('Loading all jobs: {0}', describeListKey(key));
  await withCancel(title, (signal, report) =>
    store.loadAll(key, loadAllCap, signal, (rows) => report(vscode.l10n.t('{0} jobs', rows))),
  );
  if (store.list(key).hasMore && store.list(key).jobs.entries.length >= loadAllCap) {
    const text = vscode.l10n.t(
      '{0} jobs are loaded, which is the most a list holds at once. A filter or an export reaches the rest.',
      loadAllCap,
    );
    void showMessage('information', text);
  }
}

/** What keeping lists up to date takes. */
export interface AutoRefreshDeps {
  readonly log: Log;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly store: JobStore;
  readonly view: Pick<vscode.TreeView<unknown>, 'visible' | 'onDidChangeVisibility'>;
}

/** Refreshes loaded jobs by itself while somebody looks at them. Its code is read when there is a list. */
export function registerAutoRefresh({ log, clock, settings, store, view }: AutoRefreshDeps): vscode.Disposable {
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
