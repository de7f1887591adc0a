import * as vscode from 'vscode';
import { describeListKey } from '../../../jobs/common/jobRow.ts';
import type { ListKey } from '../../../jobs/common/listKey.ts';
import type { JobStore } from '../../../jobs/node/store/jobStore.ts';
import { showMessage } from '../../../platform/editor/messages.ts';
import { withCancel } from '../../../platform/editor/progress.ts';

/** Maximum number of items that Load All loads into one list; export handles more. */
const loadAllCap = 10_000;

/** Loads the rest of a list, with progress and a cancel button. */
export async function loadAll(store: JobStore, key: ListKey): Promise<void> {
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
