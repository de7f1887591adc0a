import * as vscode from 'vscode';
import type { TreeNode } from '../../domain/jobs/jobTree.ts';
import type { ListKey } from '../../domain/jobs/listKey.ts';
import type { JobStore } from '../../service/store/jobStore.ts';
import type { Log } from '../../service/ports.ts';
import { commandIds, viewIds } from '../ids.ts';
import { registerCommand } from '../runCommand.ts';
import type { JobsView } from './jobsView.ts';
import { listOf } from './listOf.ts';

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
      const { loadAll } = await import('./loadAll.ts');
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
