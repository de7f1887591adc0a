import * as vscode from 'vscode';
import { commandIds } from '../ids.ts';
import { registerCommand, runQuietly } from '../runCommand.ts';
import type { BrowseDeps } from './browseNeeds.ts';
import { noFilter } from '../../domain/filter/jobFilter.ts';
import type { JobStore } from '../../service/store/jobStore.ts';
import type { Log } from '../../service/ports.ts';
import type { Disposable } from '../../service/disposable.ts';
import { openSettingsStep, showMessage } from '../messages.ts';

/**
 * Registers what is around the tree: filter, find, count, export, and the word about services that do not heed a filter.
 * What the commands do is loaded when it is asked for.
 */
export function registerBrowsing(needs: BrowseDeps): vscode.Disposable {
  const { log } = needs;
  const exportOf = async (row: unknown): Promise<void> => {
    const { exportJobs } = await import('./exportJobs.ts');
    await exportJobs(needs, row);
  };
  let finding: vscode.Disposable | undefined;
  return vscode.Disposable.from(
    registerFilter(needs),
    watchContradictions(log, needs.store, needs.connection),
    registerCommand(log, commandIds.findJob, async () => {
      const { findJob } = await import('./findJob.ts');
      finding?.dispose();
      finding = findJob(needs);
    }),
    registerCommand(log, commandIds.countJobs, async (node) => {
      const { countJobs } = await import('./countJobs.ts');
      await countJobs(needs, node);
    }),
    // The title of a view hands over the row that has the focus, which says nothing about what is meant.
    registerCommand(log, commandIds.exportJobs, () => exportOf(undefined)),
    registerCommand(log, commandIds.exportRow, exportOf),
    { dispose: () => void finding?.dispose() },
  );
}

/** Registers the commands about the filter. */
export function registerFilter({ log, store, connection, filters, locale }: BrowseDeps): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand(log, commandIds.filter, async () => {
      const { askForFilter } = await import('./filterSteps.ts');
      const filter = await askForFilter(store, () => connection.current, locale);
      if (filter !== undefined) await filters.set(filter);
    }),
    registerCommand(log, commandIds.clearFilter, () => filters.set(noFilter)),
  );
}

/** Tells once per connection and session that the service sends jobs that were not asked for. The words are loaded when there is need. */
export function watchContradictions(
  log: Log,
  store: JobStore,
  connection: { readonly current: { readonly name: string } | undefined },
): Disposable {
  const told = new Set<string>();
  return store.onDidContradict(() => {
    const name = connection.current?.name;
    if (name === undefined || told.has(name)) return;
    told.add(name);
    void runQuietly(log, async () => {
      await tellContradiction(name);
    });
  });
}

/** Says that a service sends jobs that were not asked for, and what may be the reason. Settles when the message is gone. */
export function tellContradiction(connectionName: string): Promise<void> {
  const sentence = vscode.l10n.t(
    'The service sends jobs that do not match what was asked for. They are left out here. Perhaps it wants lists or metadata written in another way: the connection "{0}" has "arrayFormat" and "metadataFormat" for that.',
    connectionName,
  );
  return showMessage('warning', sentence, [openSettingsStep('connections')]);
}
