import { config as configureStrings } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Job } from './jobs/common/job.ts';
import { BoardCommands } from './features/board/editor/boardCommands.ts';
import { ConnectionFilters } from './features/browse/editor/connectionFilters.ts';
import { registerBrowsing } from './features/browse/editor/registerBrowsing.ts';
import { registerAttention } from './features/attention/editor/attentionController.ts';
import { ActiveConnection } from './connections/editor/activeConnection.ts';
import { registerConnections } from './features/connect/editor/connectionCommands.ts';
import { SampleConnection, type SampleStarter } from './connections/node/sampleConnection.ts';
import { ActiveService } from './jobs/node/activeService.ts';
import { JobDetails } from './features/details/editor/jobDetails.ts';
import { editErrorLabel } from './features/details/editor/editErrorLabel.ts';
import { commandIds } from './platform/editor/ids.ts';
import { registerAutoRefresh, registerLoading } from './features/tree/editor/loadCommands.ts';
import { CurrentFacts } from './features/tree/editor/currentFacts.ts';
import { JobsView } from './features/tree/editor/jobsView.ts';
import { ViewBadges } from './features/tree/common/viewBadges.ts';
import { openLog } from './platform/editor/log.ts';
import { openSettings } from './platform/editor/messages.ts';
import { registerRequestFiles } from './features/requests/editor/registerRequestFiles.ts';
import { registerCommand, runQuietly } from './platform/editor/runCommand.ts';
import { KeyStore, nameMachine } from './connections/node/keyStore.ts';
import { Settings } from './settings.ts';
import { locale } from './platform/editor/locale.ts';
import { showUnusableSetting } from './writeSetting.ts';
import { readEnvironmentKey } from './connections/common/connection.ts';
import { DisposableOwner } from './base/disposable.ts';
import type { SentRequest } from './language/editor/requestDocuments.ts';
import { registerSavedViews } from './features/views/editor/savedViews.ts';
import { SubmitCommands } from './features/submit/editor/submitCommands.ts';
import { registerTools } from './features/agents/editor/registerTools.ts';
import { registerWatching } from './features/watch/editor/jobWatching.ts';
import { JobStore } from './jobs/node/store/jobStore.ts';
import { systemClock } from './base/clock.ts';

/**
 * Registers everything and returns: sends no request, reads no file, loads no heavy module. On-demand code is imported where it is used.
 */
export function activate(context: vscode.ExtensionContext): void {
  const owner = new DisposableOwner();
  context.subscriptions.push(owner);
  if (vscode.l10n.bundle !== undefined) configureStrings({ contents: vscode.l10n.bundle });

  const log = owner.own(openLog());
  const clock = systemClock;
  const settings = owner.own(
    new Settings(context.extension.packageJSON, (name, problem) => {
      void runQuietly(log, () => showUnusableSetting(name, problem));
    }),
  );
  const keys = owner.own(
    new KeyStore(context.secrets, {
      environmentKey: () => readEnvironmentKey(process.env),
      machine: remoteMachine(context.extension),
      clock,
    }),
  );
  const sample = owner.own(
    new SampleConnection(
      settings.connectionDefaults,
      (options) => startSample(options, context.workspaceState),
      process.env,
    ),
  );
  const active = owner.own(new ActiveConnection(settings, keys, sample));
  const facts = owner.own(new CurrentFacts(settings, active, clock, locale));
  const titleOf = (job: Job): string => facts.titleOf(job);

  // The current service, its loaded jobs and its filter.
  const service = owner.own(
    new ActiveService({
      active,
      sample,
      http: {
        clock,
        log,
        random: Math.random,
      },
      loadHttp,
    }),
  );
  const store = owner.own(
    new JobStore(
      () => ({ ...(active.current ?? settings.connectionDefaults), groupBy: settings.get('groupBy') }),
      clock,
      log,
    ),
  );
  owner.own(
    settings.onDidChange((change) => {
      if (change.affects('groupBy')) store.reset();
    }),
  );
  const filters = new ConnectionFilters({ log, store, state: context.workspaceState, locale });
  const badges = new ViewBadges((badge) => (view.view.badge = badge));
  const attention = owner.own(
    registerAttention({
      log,
      clock,
      settings,
      state: context.globalState,
      storageUri: context.globalStorageUri,
      service: () => service.pair,
      store,
      findJobOf: (submission): Promise<void> => submitting.findJobOf(submission),
      nameJobs: (connection, names) => facts.nameJobs(connection, names),
      errorLabels: () => facts.errorLabels,
      setBadge: (badge) => badges.set('attention', badge),
      show: (row, expand): Promise<void> => view.showAttention(row, expand),
    }),
  );
  const connect = (): void => {
    const api = service.connect();
    attention.connect();
    store.use(undefined);
    void runQuietly(log, async () => {
      // The filter must be known before the first request.
      await filters.restore(active.current?.name);
      if (api !== undefined && api === service.api) store.use(api.lists);
    });
  };
  connect();
  owner.own(active.onDidChange(connect));

  const views = owner.own(
    registerSavedViews({
      log,
      clock,
      settings,
      locale,
      service: () => service.pair,
      filter: () => store.filter,
      setFilter: (filter) => filters.set(filter),
      setBadge: (badge) => badges.set('view', badge),
      onDidChangeConnection: active.onDidChange,
    }),
  );

  // The jobs view.
  const view = owner.own(
    new JobsView({
      store,
      clock,
      connection: active,
      isSample: () => active.current === sample.connection,
      facts: () => facts.now(),
      filterText: () => filters.text,
      attention,
      views,
      log,
      state: context.workspaceState,
    }),
  );
  owner.own(facts.onDidChange(() => view.redraw()));
  views.follow(view.view);
  owner.own(registerAutoRefresh({ clock, settings, store, view }));
  attention.follow(view.view);

  // Commands and their targets.
  const details = owner.own(
    new JobDetails(
      {
        extensionUri: context.extensionUri,
        log,
        clock,
        jobs: store,
        find: service.findJob.bind(service),
        findCreated: service.findCreated.bind(service),
        isPolled: ({ kind, id }) => view.view.visible && store.placeOf(kind, id) !== undefined,
        settings,
        connection: active,
        keyMask: () => service.keyMask,
        titleOf,
        errorLabels: () => facts.errorLabels,
        editErrorLabel: (code) => editErrorLabel(settings, code),
        onDidChangeFacts: facts.onDidChange,
        retry: (job): Promise<void> => requestFiles.retryJob(job),
        newRequest: (job): Promise<void> => requestFiles.newRequestFromJob(job),
        openRequest: (job): Promise<void> => requestFiles.openRequestOf(job),
        watch: async (job): Promise<void> => watch.watchListed([job]),
        isSubmitted: ({ id }) => facts.now().submittedAs?.has(id) === true,
      },
      view,
    ),
  );
  owner.own(registerLoading(log, store, view, attention.monitor));
  owner.own(
    registerBrowsing({
      log,
      store,
      clock,
      connection: active,
      source: () => service.connected(),
      keyMask: () => service.keyMask,
      filters,
      locale,
      facts: () => facts.now(),
      reveal: (job) => view.reveal(job),
      openJob: (job, find) => details.openJob(job, { find }),
      openLink: (link) => details.openLink(link),
      attention: () => attention.attention,
    }),
  );
  owner.own(
    registerConnections({
      log,
      settings,
      keys,
      active,
      sample: sample.connection,
      continueSubmissions: async (former, now) => {
        await (await submitting.submissions()).journal.continueAs(former, now);
        await attention.continueAs(former, now);
      },
      pagesFor: (connection, keyOf) => service.open(() => Promise.resolve(connection), keyOf, connection.baseUrl).lists,
    }),
  );
  const watch = owner.own(
    registerWatching(
      {
        log,
        clock,
        settings,
        memory: context.workspaceState,
        inUse: () => service.pair,
        onDidChangeInUse: active.onDidChange,
        observing: () => store.observing(),
        titleOf,
        view: view.view,
        setBadge: (badge) => badges.set('watched', badge),
        openJob: (job) => details.openNamed(job),
        onFinished: (finished) => void runQuietly(log, () => submitting.markReplaced(finished)),
      },
      (given) => view.jobsOf(given),
    ),
  );
  const submitting = owner.own(
    new SubmitCommands({
      log,
      clock,
      settings,
      secrets: context.secrets,
      storageUri: context.globalStorageUri,
      service: () => service.toSubmit(),
      reach: () => active.reach(),
      watch: (connection, jobs) => watch.watch(connection, jobs),
      refresh: (kind, id) => void runQuietly(log, () => view.showNew(kind, id)),
      titleOf,
      nameJobs: (connection, names) => facts.nameJobs(connection, names),
      openJob: (job) => details.openNamed(job),
      loadedJobs: () => store.jobs(),
      onDidChangeJobs: store.onDidChange,
      jobsOf: (given) => view.jobsWithin(given),
      markHandled: (connection, jobs) => attention.markReplaced(connection, jobs, (kind, id) => store.get(kind, id)),
    }),
  );
  owner.own(
    new BoardCommands({
      log,
      clock,
      extensionUri: context.extensionUri,
      state: context.globalState,
      service: () => service.pair,
      onDidChangeConnection: active.onDidChange,
      filter: () => store.filter,
      setFilter: (filter) => filters.set(filter),
      attention: () => attention.attention,
      settings,
      submittedAs: (connection) => facts.submittedAs(connection),
      errorLabels: () => facts.errorLabels,
      jobs: store,
      keyMask: () => service.keyMask,
      titleOf,
      reach: () => active.reach(),
      openJob: (job) => details.openJob(job),
      compareJobs: (jobs) => details.compareJobs(jobs),
      saveTranscripts: (jobs) => details.saveTranscripts(jobs),
      watch: async (jobs) => watch.watchListed(jobs),
      resubmit: (jobs) => submitting.resubmit(jobs),
      markHandled: (jobs) => attention.markJobsHandled(jobs),
    }),
  );
  const requestFiles = owner.own(
    registerRequestFiles({
      log,
      clock,
      settings,
      loadedJobs: () => store.jobs(),
      connection: () => active.current,
      onDidChangeConnection: active.onDidChange,
      chosenJob: (given) => view.jobsOf(given)[0],
      errorLabels: () => facts.errorLabels,
      sentRequest: (job): Promise<SentRequest | undefined> =>
        active.current === undefined ? Promise.resolve(undefined) : submitting.sentRequest(active.current, job),
    }),
  );
  owner.own(
    registerTools({
      store,
      source: () => service.connected(),
      connection: () => active.current,
      find: service.findJob.bind(service),
      submissions: () => submitting.submissionTool(),
      keyMask: () => service.keyMask,
      clock,
      attention: () => attention.monitor.read(),
      errorLabels: () => facts.errorLabels,
      readable: () => settings.getOfUser('agents.connections'),
    }),
  );
  owner.own(registerCommand(log, commandIds.showLog, () => log.show()));
  owner.own(registerCommand(log, commandIds.openSettings, () => openSettings(`@ext:${context.extension.id}`)));
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
