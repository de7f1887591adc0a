import * as vscode from 'vscode';
import { DisposableOwner, type Disposable } from '../../../base/disposable.ts';
import { Emitter } from '../../../base/emitter.ts';
import { commandIds } from '../../../platform/editor/ids.ts';
import { registerCommand, runQuietly } from '../../../platform/editor/runCommand.ts';
import type { Services } from '../../../services.ts';
import { keptMs, wantedKey } from '../common/delivery.ts';
import type { Delivering } from './delivering.ts';

/** Registers the saving of results when jobs are done. Its code is loaded with the first job that is done. */
export function registerDelivering(services: Services): Disposable {
  const { log, clock, actions, service, jobs, globalState } = services;
  const owner = new DisposableOwner();
  const changes = owner.own(new Emitter<undefined>());
  let loading: Promise<Delivering> | undefined;
  const load = (): Promise<Delivering> =>
    (loading ??= import('./delivering.ts').then((loaded) =>
      owner.own(new loaded.Delivering(services, () => changes.fire(undefined))),
    ));
  owner.own(
    registerCommand(log, commandIds.saveWhenDone, (...given) =>
      actions.deliver.saveWhenDone(actions.tree.chosenJobs(given)),
    ),
  );
  actions.provide('deliver', {
    saveWhenDone: async (jobs) => (await load()).saveWhenDone(jobs),
    deliver: async (watched, job) => (await load()).deliver(watched, job),
    wantFiles: async (connection, jobs, order) => (await load()).want(connection, jobs, order),
    queueFiles: async (connection, jobs) => (await load()).queue(connection, jobs),
    abandonFiles: async (watched) => (await load()).abandon(watched),
    postponeFiles: async (watched) => (await load()).postpone(watched),
    proposedDelivery: async () => (await import('./deliveryPlans.ts')).proposeForBatch(services),
    chooseDelivery: async (what) => (await import('./deliveryPlans.ts')).chooseForBatch(services, what),
    completeDeliveryGroup: async (connection, group, jobs) => (await load()).completeGroup(connection, group, jobs),
    openDeliveryGroup: async (group) => (await load()).openGroup(group),
    filesOfBatch: async (connection, id, jobs) => (await load()).filesOfBatch(connection, id, jobs),
    onDidChangeFiles: (listener) => changes.event(listener),
    savedFile: async (connection, job) => (await load()).savedFile(connection, job),
    noteSavedFiles: async (connection, files) => (await load()).noteSavedFiles(connection, files),
    catchUpDeliveries: async () => {
      const lastMs = globalState.get(wantedKey);
      if (typeof lastMs === 'number' && clock.now() - lastMs < keptMs) await (await load()).catchUp();
    },
  });
  const catchUp = (): void => void runQuietly(log, () => actions.deliver.catchUpDeliveries());
  owner.own(service.onDidChange(catchUp));
  // Another window may have been closed.
  owner.own(vscode.window.onDidChangeWindowState(({ focused }) => (focused ? catchUp() : undefined)));
  owner.own(
    jobs.onDidChange(() => {
      if (loading !== undefined) void runQuietly(log, async () => (await loading)?.resume());
    }),
  );
  owner.own(vscode.workspace.onDidGrantWorkspaceTrust(catchUp));
  return owner;
}
