import * as vscode from 'vscode';
import type { ListKey } from '../../domain/jobs/listKey.ts';
import { listKeyText } from '../../domain/jobs/jobRow.ts';
import type { JobStore } from '../../service/store/jobStore.ts';
import { showMessage } from '../showMessage.ts';
import { withCancel } from '../withCancel.ts';

/** The most items that Load All brings into one list; more is what an export is for. */
const loadAllCap = 10_000;

/** Loads what is left of a list, with progress and cancel. */
export async function loadAll(store: JobStore, key: ListKey): Promise<void> {
  const title = vscode.l10n.t('Loading all jobs: {0}', listKeyText(key));
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
