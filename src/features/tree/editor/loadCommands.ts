import * as vscode from 'vscode';
import type { TreeNode } from '../common/jobTree.ts';
import type { ListKey } from '../../../jobs/common/listKey.ts';
import type { JobStore } from '../../../jobs/node/store/jobStore.ts';
import { describeListKey } from '../../../jobs/common/jobRow.ts';
import { DisposableOwner, type Disposable } from '../../../base/disposable.ts';
import { commandIds, viewIds } from '../../../platform/editor/ids.ts';
import { showMessage } from '../../../platform/editor/messages.ts';
import { withCancel } from '../../../platform/editor/progress.ts';
import { registerCommand } from '../../../platform/editor/runCommand.ts';
import type { JobsView } from './jobsView.ts';
import { listOf } from '../common/commandArguments.ts';
import { JobPoller } from '../../../jobs/node/store/jobPoller.ts';
import type { Services } from '../../../services.ts';

/** Registers the load commands: refresh, load more, load all. */
export function registerLoading(
  { log, jobs: store }: Services,
  view: JobsView,
  attention: { refresh(): Promise<void> },
): Disposable {
  const owner = new DisposableOwner();
  // A command of the view title receives the focused tree item, which is unrelated to the user's intent.
  owner.own(
    registerCommand(log, commandIds.refresh, () => {
      view.prepareRefresh();
      return inView(async () => void (await Promise.all([store.refresh(), attention.refresh()])));
    }),
  );
  owner.own(
    registerCommand(log, commandIds.loadMore, (...given) => {
      const node = view.rowOf(given);
      return node !== undefined && 'key' in node ? inView(() => loadMore(store, view, node)) : undefined;
    }),
  );
  owner.own(registerCommand(log, commandIds.sortJobs, () => view.sort()));
  owner.own(
    registerCommand(log, commandIds.loadAll, async (...given) => {
      const key = listOf(view.rowOf(given));
      if (key !== undefined) await loadAll(store, key);
    }),
  );
  return owner;
}

/**
 * Continues at the end of a list: loads a page, retries a failure, or reloads the list. Reads rows that could not be refreshed again before
 * adding further rows. Focuses the first new item.
 */
export async function loadMore(
  store: JobStore,
  view: Pick<JobsView, 'focusWhenListed'>,
  node: TreeNode & { readonly key: ListKey },
): Promise<void> {
  const { key } = node;
  const { failure } = store.list(key);
  if (node.type === 'notice' || (failure !== undefined && failure.during !== 'loadingMore')) {
    await store.reload(key);
    if (node.type !== 'loadMore' || store.list(key).failure !== undefined) return;
  }
  const rows = store.list(key).jobs.entries.length;
  await store.loadMore(key);
  const next = store
    .list(key)
    .jobs.entries.slice(rows)
    .find((entry) => entry.type === 'job');
  if (next !== undefined) view.focusWhenListed(key, next);
}

/** Maximum number of items that Load All loads into one list; export handles more. */
const loadAllCap = 10_000;

/** Loads the rest of a list, with progress and a cancel button. */
async function loadAll(store: JobStore, key: ListKey): Promise<void> {
  const title = vscode.l10n.t('Loading all jobs: {0}', describeListKey(key));
  await withCancel(title, (signal, report) =>
    store.loadAll(key, loadAllCap, signal, (rows) => report(vscode.l10n.t('{0} jobs', rows))),
  );
  if (store.list(key).hasMore && store.list(key).jobs.entries.length >= loadAllCap) {
    const text = vscode.l10n.t(
      '{0} jobs are loaded, the maximum for a list. Filter or export to reach the rest.',
      loadAllCap,
    );
    void showMessage('information', text);
  }
}

/** Runs work with a progress bar at the top of the view. */
function inView(body: () => Promise<void>): Thenable<void> {
  return vscode.window.withProgress({ location: { viewId: viewIds.jobs } }, body);
}

/** Refreshes loaded jobs automatically while the view is visible. */
export function registerAutoRefresh(
  { clock, settings, jobs }: Services,
  jobsView: Pick<JobsView, 'view' | 'onDidInteract' | 'usePoller'>,
): Disposable {
  const { view, onDidInteract } = jobsView;
  const owner = new DisposableOwner();
  const poller = owner.own(new JobPoller(jobs, clock, () => settings.get('autoRefresh.intervalSeconds') * 1000));
  jobsView.usePoller(poller);
  const look = (): void => poller.setWatched(view.visible, vscode.window.state.focused);
  owner.own(view.onDidChangeVisibility(look));
  owner.own(onDidInteract(() => poller.touch()));
  owner.own(vscode.window.onDidChangeWindowState(look));
  owner.own(settings.onDidChange(() => poller.replan()));
  look();
  return owner;
}
