import { config as configureStrings } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Job } from './domain/jobs/job.ts';
import { ConnectionFilters } from './editor/browse/connectionFilters.ts';
import { registerBrowsing } from './editor/browse/registerBrowsing.ts';
import { ActiveConnection } from './editor/connections/activeConnection.ts';
import { registerConnections } from './editor/connections/registerConnections.ts';
import { SampleConnection } from './editor/connections/sampleConnection.ts';
import { ActiveService } from './editor/connections/activeService.ts';
import { registerJobDetails } from './editor/details/registerJobDetails.ts';
import { commandIds } from './editor/ids.ts';
import { registerAutoRefresh, registerLoading } from './editor/jobs/loadCommands.ts';
import { CurrentFacts } from './editor/jobs/currentFacts.ts';
import { JobsView } from './editor/jobs/jobsView.ts';
import { openLog } from './editor/log.ts';
import { registerRequestFiles } from './editor/requests/registerRequestFiles.ts';
import { registerCommand, runQuietly } from './editor/runCommand.ts';
import { KeyStore } from './editor/keyStore.ts';
import { Settings } from './editor/settings.ts';
import { SubmitCommands } from './editor/submit/submitCommands.ts';
import { registerTools } from './editor/tools/registerTools.ts';
import { JobWatching } from './editor/watch/jobWatching.ts';
import { JobStore } from './service/store/jobStore.ts';
import { withDeviationsLogged } from './service/api/connectedApi.ts';
import { systemClock } from './service/clock.ts';

/** Builds everything and returns: no request, no file, no heavy module. What is loaded on demand is imported where it is wanted. */
export function activate(context: vscode.ExtensionContext): void {
  const own = <T extends { dispose(): unknown }>(disposable: T): T => {
    context.subscriptions.push(disposable);
    return disposable;
  };
  if (vscode.l10n.bundle !== undefined) configureStrings({ contents: vscode.l10n.bundle });

  const log = own(openLog());
  const clock = systemClock;
  const settings = own(
    new Settings(context.extension.packageJSON, (name, problem) => {
      void runQuietly(log, async () => {
        const { tellUnusableSetting } = await import('./editor/writeSetting.ts');
        await tellUnusableSetting(name, problem);
      });
    }),
  );
  const keys = new KeyStore(context.secrets, lentKey);
  const sample = own(new SampleConnection(settings.connectionDefaults, startSample, process.env));
  const active = own(new ActiveConnection(settings, keys, sample));
  const locale = { language: vscode.env.language, timeZone: undefined };
  const facts = own(new CurrentFacts(settings, active, clock, locale));
  const titleOf = (job: Job): string => facts.titleOf(job);

  // The service in use, what is loaded of it, and by which filter.
  const service = own(
    new ActiveService({
      active,
      sample,
      surroundings: {
        clock,
        log,
        random: Math.random,
        requestTimeoutMs: () => settings.get('requestTimeoutSeconds') * 1000,
      },
      loadHttp,
    }),
  );
  const store = own(
    new JobStore(
      () => ({
        pageSize: settings.get('pageSize'),
        groupBy: settings.get('groupBy'),
        listSource: settings.get('listSource'),
      }),
      clock,
      log,
    ),
  );
  own(
    settings.onDidChange((change) => {
      if (change.affects('groupBy') || change.affects('listSource') || change.affects('pageSize')) store.reset();
    }),
  );
  const filters = new ConnectionFilters({ log, store, memory: context.workspaceState, locale });
  const connect = (): void => {
    const api = service.connect();
    store.use(undefined);
    void runQuietly(log, async () => {
      // Nothing is asked before it is known by which filter.
      await filters.restore(active.current?.name);
      if (api !== undefined && api === service.api) store.use(withDeviationsLogged(api, log));
    });
  };
  connect();
  own(active.onDidChange(connect));

  // The jobs view.
  const view = own(
    new JobsView({
      store,
      settings,
      connection: active,
      isSample: () => active.current === sample.connection,
      facts: () => facts.now(),
      filterText: () => filters.text,
    }),
  );
  own(facts.onDidChange(() => view.redraw()));
  own(registerAutoRefresh({ log, clock, settings, store, view: view.view }));

  // Commands, and what they lead to.
  const details = own(
    registerJobDetails(
      {
        extensionUri: context.extensionUri,
        log,
        jobs: store,
        find: service.findJob.bind(service),
        connection: active,
        titleOf,
        errorLabels: () => facts.errorLabels,
        editErrorLabel: async (code) => {
          const { editErrorLabel } = await import('./editor/details/editErrorLabel.ts');
          await editErrorLabel(settings, code);
        },
        onDidChangeFacts: facts.onDidChange,
      },
      view,
    ),
  );
  own(registerLoading(log, store, view));
  own(
    registerBrowsing({
      log,
      store,
      clock,
      connection: active,
      source: () => service.connected(),
      filters,
      locale,
      facts: () => facts.now(),
      reveal: (job) => view.reveal(job),
      openJob: (job) => details.openJob(job),
    }),
  );
  own(
    registerConnections({
      log,
      settings,
      keys,
      active,
      sample: sample.connection,
      keepSubmissions: async (former, now) => (await submitting.submissions()).journal.continueAs(former, now),
      pagesFor: (connection, keyOf) => service.open(() => Promise.resolve(connection), keyOf),
    }),
  );
  const watch = own(
    new JobWatching({
      log,
      clock,
      settings,
      memory: context.workspaceState,
      inUse: () => service.pair,
      onDidChangeInUse: active.onDidChange,
      observing: () => store.observing(),
      titleOf,
      view: view.view,
      setBadge: (badge) => (view.view.badge = badge),
      openJob: (job) => details.openNamed(job),
    }),
  );
  watch.registerCommands((given) => view.jobsOf(given));
  const submitting = own(
    new SubmitCommands({
      log,
      clock,
      settings,
      storageUri: context.globalStorageUri,
      service: () => service.toSubmit(),
      reach: () => active.reach(),
      watch: (connection, jobs) => watch.watch(connection, jobs),
      refresh: (kind, id) => void runQuietly(log, () => view.showNew(kind, id)),
      titleOf,
      openJob: (job) => details.openNamed(job),
    }),
  );
  own(
    registerRequestFiles({
      log,
      clock,
      settings,
      loadedJobs: () => store.jobs(),
      connection: () => active.current,
      chosenJob: (given) => view.jobsOf(given)[0],
    }),
  );
  own(
    registerTools({
      store,
      source: () => service.connected(),
      connection: () => active.current,
      find: service.findJob.bind(service),
      submissions: () => submitting.submissions(),
    }),
  );
  own(registerCommand(log, commandIds.showLog, () => log.show()));
}

async function lentKey() {
  const { environmentKey } = await import('./domain/connection/connection.ts');
  return environmentKey(process.env);
}

async function startSample(options: { readonly count?: number }) {
  const { startSampleService } = await import('./sample/sampleService.ts');
  return startSampleService(options);
}

async function loadHttp() {
  const [{ HttpClient }, { JobsApi }] = await Promise.all([
    import('./service/http/httpClient.ts'),
    import('./service/api/jobsApi.ts'),
  ]);
  return { HttpClient, JobsApi };
}
