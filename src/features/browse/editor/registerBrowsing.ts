import * as vscode from 'vscode';
import { noFilter } from '../../../jobs/common/jobFilter.ts';
import { DisposableOwner, type Disposable } from '../../../base/disposable.ts';
import type { Connection } from '../../../connections/common/connection.ts';
import type { Log } from '../../../base/log.ts';
import type { JobStore } from '../../../jobs/node/store/jobStore.ts';
import { commandIds } from '../../../platform/editor/ids.ts';
import { openSettingsStep, showMessage } from '../../../platform/editor/messages.ts';
import { registerCommand, runQuietly } from '../../../platform/editor/runCommand.ts';
import type { ConnectionFilters } from './connectionFilters.ts';
import { exportJobs, type ExportJobsDeps } from './exportJobs.ts';
import { askForFilter } from './filterSteps.ts';
import { findJob, type FindJobDeps } from './findJob.ts';
import { countJobs, type CountJobsDeps } from './countJobs.ts';

/** Dependencies of {@link registerBrowsing}. */
export interface BrowseDeps extends CountJobsDeps, ExportJobsDeps, FindJobDeps {
  readonly connection: { readonly current: Connection | undefined };
  readonly filters: ConnectionFilters;
}

/** Registers the filter, find, count and export commands, and the warning about services that ignore a filter. */
export function registerBrowsing(deps: BrowseDeps): Disposable {
  const { log, store, connection, filters } = deps;
  const owner = new DisposableOwner();
  let finding: Disposable | undefined;
  owner.own({ dispose: () => finding?.dispose() });
  owner.own(reportContradictions(log, store, connection));
  const changeFilter = async (): Promise<void> => {
    const filter = await askForFilter(deps, await filters.recent());
    if (filter !== undefined) await filters.set(filter);
  };
  owner.own(registerCommand(log, commandIds.filter, changeFilter));
  owner.own(registerCommand(log, commandIds.changeFilter, changeFilter));
  owner.own(registerCommand(log, commandIds.clearFilter, () => filters.set(noFilter)));
  owner.own(
    registerCommand(log, commandIds.findJob, () => {
      finding?.dispose();
      finding = findJob(deps);
    }),
  );
  owner.own(registerCommand(log, commandIds.countJobs, (node) => countJobs(deps, node)));
  // A view title command receives the focused tree item, which is unrelated to the command.
  owner.own(registerCommand(log, commandIds.exportJobs, () => exportJobs(deps, undefined)));
  owner.own(registerCommand(log, commandIds.exportRow, (row) => exportJobs(deps, row)));
  return owner;
}

/** Warns once per connection and window that the service returns jobs that do not match the request. */
export function reportContradictions(
  log: Log,
  store: JobStore,
  connection: { readonly current: { readonly name: string } | undefined },
): Disposable {
  const reported = new Set<string>();
  return store.onDidContradict(() => {
    const name = connection.current?.name;
    if (name === undefined || reported.has(name)) return;
    reported.add(name);
    const sentence = vscode.l10n.t(
      'The service returns jobs that don\'t match the request. They are left out here. It may need lists or metadata in another format: see "arrayFormat" and "metadataFormat" of the connection "{0}".',
      name,
    );
    void runQuietly(log, () => showMessage('warning', sentence, [openSettingsStep('connections')]));
  });
}
