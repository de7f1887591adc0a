import { config as configureStrings } from '@vscode/l10n';
import * as vscode from 'vscode';
import { commandIds, contextKeys, viewIds } from '../platform/editor/ids.ts';
import { openLog } from '../platform/editor/log.ts';
import { openSettings, UserError } from '../platform/editor/messages.ts';
import { registerRequestFiles } from '../features/requests/editor/registerRequestFiles.ts';
import { registerCommand, runQuietly } from '../platform/editor/runCommand.ts';
import { Settings } from '../settings.ts';
import { showUnusableSetting } from '../writeSetting.ts';
import { systemClock } from '../base/clock.ts';
import { DisposableOwner } from '../base/disposable.ts';

/** Commands that work in a browser, because they need no service. */
const commandsHere: ReadonlySet<string> = new Set([
  commandIds.newRequest,
  commandIds.newRequestFromJob,
  commandIds.retryJob,
  commandIds.openRequest,
  commandIds.checkRequest,
  commandIds.previewRequest,
  commandIds.showLog,
  commandIds.openSettings,
]);

/**
 * Activates the extension without Node, as in an editor on a web page: all features of request files that need no network. All other
 * commands and the jobs view explain what they require.
 */
export function activate(context: vscode.ExtensionContext): void {
  const owner = new DisposableOwner();
  context.subscriptions.push(owner);
  if (vscode.l10n.bundle !== undefined) configureStrings({ contents: vscode.l10n.bundle });
  const log = owner.own(openLog());
  const settings = owner.own(
    new Settings(context.extension.packageJSON, (name, problem) => {
      void runQuietly(log, () => showUnusableSetting(name, problem));
    }),
  );
  const connectionChanges = owner.own(new vscode.EventEmitter<never>());
  owner.own(
    registerRequestFiles({
      log,
      clock: systemClock,
      settings,
      jobs: { jobs: () => [] },
      connections: { current: undefined, onDidChange: connectionChanges.event },
      facts: { errorLabels: {} },
      actions: {
        provide: () => undefined,
        tree: { chosenJobs: () => [] },
        details: { openJob: () => Promise.resolve() },
        submit: { findSentRequest: () => Promise.resolve(undefined), noteRetry: () => Promise.resolve() },
      },
    }),
  );
  owner.own(registerCommand(log, commandIds.showLog, () => log.show()));
  owner.own(registerCommand(log, commandIds.openSettings, () => openSettings(`@ext:${context.extension.id}`)));
  for (const id of Object.values(commandIds)) {
    if (!commandsHere.has(id)) owner.own(registerCommand(log, id, refuseInBrowser));
  }
  // An empty tree shows the welcome text of its state.
  owner.own(
    vscode.window.registerTreeDataProvider(viewIds.jobs, { getChildren: () => [], getTreeItem: refuseInBrowser }),
  );
  // Not awaited: the welcome text appears when the context key is set.
  void vscode.commands.executeCommand('setContext', contextKeys.state, 'desktopOnly');
}

function refuseInBrowser(): never {
  throw new UserError(
    vscode.l10n.t(
      "This requires the desktop editor or a remote connection: in a browser, extensions can't send an API key to a service on another origin. Request files are checked and completed here too.",
    ),
  );
}
