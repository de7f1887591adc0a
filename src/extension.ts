import { config as configureStrings } from '@vscode/l10n';
import * as vscode from 'vscode';
import { systemClock } from './base/clock.ts';
import { DisposableOwner } from './base/disposable.ts';
import { readEnvironmentKey } from './connections/common/connection.ts';
import { ActiveConnection } from './connections/editor/activeConnection.ts';
import { KeyStore, nameMachine } from './connections/node/keyStore.ts';
import { SampleConnection, type SampleStarter } from './connections/node/sampleConnection.ts';
import { registerTools } from './features/agents/editor/registerTools.ts';
import { registerAttention } from './features/attention/editor/attentionController.ts';
import { BoardCommands } from './features/board/editor/boardCommands.ts';
import { registerBrowsing } from './features/browse/editor/registerBrowsing.ts';
import { registerConnections } from './features/connect/editor/connectionCommands.ts';
import { registerDelivering } from './features/deliver/editor/registerDelivering.ts';
import { JobDetails } from './features/details/editor/jobDetails.ts';
import { registerRequestFiles } from './features/requests/editor/registerRequestFiles.ts';
import { SubmitCommands } from './features/submit/editor/submitCommands.ts';
import { registerTree } from './features/tree/editor/registerTree.ts';
import { registerSavedViews } from './features/views/editor/savedViews.ts';
import { registerWatching } from './features/watch/editor/jobWatching.ts';
import { ConnectionFilters } from './jobs/editor/connectionFilters.ts';
import { CurrentFacts } from './jobs/editor/currentFacts.ts';
import { ActiveService } from './jobs/node/activeService.ts';
import { Journal } from './jobs/node/journal/journal.ts';
import { JobStore } from './jobs/node/store/jobStore.ts';
import { ViewPresence } from './jobs/node/viewPresence.ts';
import type { Log } from './base/log.ts';
import { commandIds } from './platform/editor/ids.ts';
import { locale } from './platform/editor/locale.ts';
import { openLog } from './platform/editor/log.ts';
import { openSettings } from './platform/editor/messages.ts';
import { registerCommand, runQuietly } from './platform/editor/runCommand.ts';
import { Actions, type Services } from './services.ts';
import { Settings } from './settings.ts';
import { showUnusableSetting } from './writeSetting.ts';

/**
 * Creates the services, registers every feature and returns: sends no request, reads no file, loads no heavy module.
 */
export function activate(context: vscode.ExtensionContext): void {
  const owner = new DisposableOwner();
  context.subscriptions.push(owner);
  if (vscode.l10n.bundle !== undefined) configureStrings({ contents: vscode.l10n.bundle });
  const log = owner.own(openLog());
  const services = createServices(context, owner, log);
  const attention = owner.own(registerAttention(services));
  const views = owner.own(registerSavedViews(services));
  owner.own(registerTree(services, attention, views));
  owner.own(new JobDetails(services));
  owner.own(registerBrowsing(services));
  owner.own(registerConnections(services));
  owner.own(registerWatching(services));
  owner.own(registerDelivering(services));
  owner.own(new SubmitCommands(services));
  owner.own(new BoardCommands(services));
  owner.own(registerRequestFiles(services));
  owner.own(registerTools(services));
  owner.own(registerCommand(log, commandIds.showLog, () => log.show()));
  owner.own(registerCommand(log, commandIds.openSettings, () => openSettings(`@ext:${context.extension.id}`)));
}

function createServices(context: vscode.ExtensionContext, owner: DisposableOwner, log: Log): Services {
  const { extension, extensionUri, globalState, globalStorageUri, secrets, workspaceState } = context;
  const clock = systemClock;
  const settings = owner.own(
    new Settings(extension.packageJSON, (name, problem) => {
      void runQuietly(log, () => showUnusableSetting(name, problem));
    }),
  );
  const environmentKey = (): ReturnType<typeof readEnvironmentKey> => readEnvironmentKey(process.env);
  const keys = owner.own(new KeyStore(secrets, { environmentKey, machine: remoteMachine(extension), clock }));
  const start: SampleStarter = (options) => startSample(options, workspaceState);
  const sample = owner.own(new SampleConnection(settings.connectionDefaults, start, process.env));
  const connections = owner.own(new ActiveConnection(settings, keys, sample));
  const http = { clock, log, random: Math.random };
  const service = owner.own(new ActiveService({ active: connections, sample, http, loadHttp }));
  const jobs = owner.own(
    new JobStore(
      () => ({ ...(connections.current ?? settings.connectionDefaults), groupBy: settings.get('groupBy') }),
      clock,
      log,
    ),
  );
  owner.own(
    settings.onDidChange((change) => {
      if (change.affects('groupBy')) jobs.reset();
    }),
  );
  const filters = new ConnectionFilters(jobs, workspaceState, locale, log);
  const connect = (): void => {
    const api = service.connect();
    jobs.use(undefined);
    void runQuietly(log, async () => {
      // The filter must be known before the first request.
      await filters.restore(connections.current?.name);
      if (api !== undefined && api === service.api) jobs.use(api.lists);
    });
  };
  connect();
  owner.own(connections.onDidChange(connect));
  return {
    log,
    clock,
    extensionUri,
    globalStorageUri,
    workspaceState,
    globalState,
    secrets,
    settings,
    journal: new Journal(vscode.Uri.joinPath(globalStorageUri, 'submissions').fsPath, clock, log),
    keys,
    sample,
    connections,
    service,
    jobs,
    filters,
    facts: owner.own(new CurrentFacts(settings, connections, service, clock, locale)),
    view: new ViewPresence(),
    actions: new Actions(),
  };
}

/** Returns the machine whose loopback the extension host reaches, if it differs from the machine of the editor window. */
function remoteMachine({ extensionKind }: vscode.Extension<unknown>): string | undefined {
  if (extensionKind === vscode.ExtensionKind.UI) return undefined;
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  const places = [workspaceFile, ...workspaceFolders.map(({ uri }) => uri)];
  return nameMachine(vscode.env.remoteName, places.find((uri) => uri?.scheme === 'vscode-remote')?.authority);
}

async function startSample(options: Parameters<SampleStarter>[0], memory: vscode.Memento) {
  const [{ startSampleService }, { continueSample }] = await Promise.all([
    import('./sample/sampleService.ts'),
    import('./connections/node/sampleMemory.ts'),
  ]);
  return startSampleService({ ...options, ...(await continueSample(memory, systemClock, JSON.stringify(options))) });
}

async function loadHttp() {
  const [{ HttpClient }, { JobsApi }] = await Promise.all([
    import('./platform/http/httpClient.ts'),
    import('./jobs/node/api/jobsApi.ts'),
  ]);
  return { HttpClient, JobsApi };
}
