import * as vscode from 'vscode';
import { noFilter } from '../../../jobs/common/jobFilter.ts';
import { DisposableOwner, type Disposable } from '../../../base/disposable.ts';
import type { Log } from '../../../base/log.ts';
import type { JobStore } from '../../../jobs/node/store/jobStore.ts';
import { commandIds } from '../../../platform/editor/ids.ts';
import { openSettingsStep, showMessage } from '../../../platform/editor/messages.ts';
import { registerCommand, runQuietly } from '../../../platform/editor/runCommand.ts';
import { exportInto } from './exportInto.ts';
import { exportJobs } from './exportJobs.ts';
import { askForFilter } from './filterSteps.ts';
import { findJob } from './findJob.ts';
import { countJobs } from './countJobs.ts';
import type { Services } from '../../../services.ts';

/** Registers the filter, find, count and export commands, and the warning about services that ignore a filter. */
export function registerBrowsing(services: Services): Disposable {
  const { log, jobs, connections, filters, actions } = services;
  const owner = new DisposableOwner();
  let finding: Disposable | undefined;
  owner.own({ dispose: () => finding?.dispose() });
  owner.own(reportContradictions(log, jobs, connections));
  const changeFilter = async (): Promise<void> => {
    const filter = await askForFilter(services, await filters.recent());
    if (filter !== undefined) await filters.set(filter);
  };
  owner.own(registerCommand(log, commandIds.filter, changeFilter));
  owner.own(registerCommand(log, commandIds.changeFilter, changeFilter));
  owner.own(registerCommand(log, commandIds.clearFilter, () => filters.set(noFilter)));
  owner.own(
    registerCommand(log, commandIds.findJob, () => {
      finding?.dispose();
      finding = findJob(services);
    }),
  );
  owner.own(registerCommand(log, commandIds.countJobs, (node) => countJobs(services, node)));
  // A view title command receives the focused tree item, which is unrelated to the command.
  owner.own(registerCommand(log, commandIds.exportJobs, () => exportJobs(services, undefined)));
  owner.own(registerCommand(log, commandIds.exportRow, (row) => exportJobs(services, row)));
  actions.provide('browse', { exportJobs: (what) => exportInto(what, services) });
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
