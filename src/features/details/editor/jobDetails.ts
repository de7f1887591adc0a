import * as vscode from 'vscode';
import type { Job, CopyWhat } from '../../../jobs/common/job.ts';
import type { SpeakerNames } from '../../../jobs/common/result/speakerNames.ts';
import { originOf } from '../../../connections/common/connectionInput.ts';
import { maxCompared } from '../../../jobs/common/maxCompared.ts';
import { DisposableOwner, type Disposable } from '../../../base/disposable.ts';
import type { NamedJob } from '../../../jobs/common/listParams.ts';
import {
  commandIds,
  holdRowCommand,
  rawDocumentScheme,
  viewIds,
  type CommandId,
} from '../../../platform/editor/ids.ts';
import { UserError } from '../../../platform/editor/messages.ts';
import { registerCommand, runCommand, suppressNextRowCommand } from '../../../platform/editor/runCommand.ts';
import type { JobPanels, OpenOptions } from './jobPanels.ts';
import { RawDocuments } from './rawDocuments.ts';
import { SpeakerNaming } from './speakerNaming.ts';
import { copyJobs, copyList } from './copyJobs.ts';
import { openAudio } from './openAudio.ts';
import { openJobLink } from './openJobLink.ts';
import type { Services } from '../../../services.ts';

/** Maximum time, in milliseconds, that a row's command stays suppressed: enough for it to follow, also in a slow remote window. */
const maxHoldMs = 1000;

/**
 * Everything about single jobs: webviews, documents, copies and comparisons. Registers the commands, the webview serializer and the
 * document scheme. The pages are imported when the first one is opened.
 */
export class JobDetails extends DisposableOwner {
  readonly #services: Services;
  readonly #speakers: SpeakerNaming;
  readonly #documents: RawDocuments;
  #pages: Promise<JobPanels> | undefined;
  #hold: Disposable | undefined;
  readonly #comparison: ComparisonViews = {
    openSessions: async (jobs) => (await this.#loadPages()).openComparison(jobs),
    openDiff: async (left, right) => {
      const { facts } = this.#services;
      const title = vscode.l10n.t('{0} ↔ {1}', facts.titleOf(left), facts.titleOf(right));
      await this.#documents.openDiff(left, right, title);
    },
  };

  constructor(services: Services) {
    super();
    this.#services = services;
    this.#speakers = new SpeakerNaming(services.globalState);
    const documentChanged = this.own(new vscode.EventEmitter<vscode.Uri>());
    this.#documents = this.own(new RawDocuments(services, documentChanged));
    this.own(
      vscode.workspace.registerTextDocumentContentProvider(rawDocumentScheme, {
        onDidChange: documentChanged.event,
        provideTextDocumentContent: (uri) => this.#documents.provideTextDocumentContent(uri),
      }),
    );
    for (const view of [viewIds.job, viewIds.comparison]) {
      this.own(
        vscode.window.registerWebviewPanelSerializer(view, {
          deserializeWebviewPanel: async (panel, state) =>
            (await this.#loadPages()).deserializeWebviewPanel(panel, state),
        }),
      );
    }
    this.own(
      vscode.window.registerUriHandler({
        handleUri: (uri) => this.openLink(uri),
      }),
    );
    this.#registerCommands();
    services.actions.provide('details', {
      openJob: (job, find) => this.openJob(job, { find }),
      openNamedJob: (job) => this.openNamed(job),
      openJobLink: (link) => this.openLink(link),
      compareJobs: (jobs) => this.compareJobs(jobs),
      saveTranscripts: (jobs) => this.saveTranscripts(jobs),
      speakersOf: (origin, { kind, id }) => this.#speakers.namesOf({ origin, kind, id }),
      copyJobs: (jobs, what) => this.#copy(jobs, what),
    });
  }

  #registerCommands(): void {
    const { log, clock, facts, actions } = this.#services;
    this.own({ dispose: () => this.#hold?.dispose() });
    this.own(
      vscode.commands.registerCommand(holdRowCommand, () => {
        const suppression = suppressNextRowCommand();
        this.#hold?.dispose();
        this.#hold = clock.after(maxHoldMs, () => suppression.dispose());
      }),
    );
    this.#register(commandIds.openJob, async ([job]) => {
      if (job !== undefined) await this.openJob(job, { preserveFocus: true });
    });
    this.#register(commandIds.openJobToSide, async (jobs) => {
      if (jobs.length > 0) await (await this.#loadPages()).openToTheSide(jobs);
    });
    this.#register(commandIds.compareJobs, (jobs) => this.compareJobs(jobs));
    this.#register(commandIds.saveTranscript, (jobs) => this.saveTranscripts(jobs));
    this.#register(commandIds.openTranscript, async (jobs) => {
      const { openTranscripts } = await import('./saveTranscript.ts');
      await openTranscripts(jobs, this.#services, this.#speakersOf());
    });
    this.#register(commandIds.openAudio, async ([job]) => {
      if (job !== undefined) await openAudio(job, facts);
    });
    this.#register(commandIds.copyJobId, (jobs) => this.#copy(jobs, 'id'));
    this.#register(commandIds.copyRequestId, (jobs) => this.#copy(jobs, 'requestId'));
    this.#register(commandIds.copyLink, (jobs) => this.#copy(jobs, 'link'));
    this.#register(commandIds.copyJobJson, (jobs) => this.#copy(jobs, 'json'));
    this.#register(commandIds.copyCurl, (jobs, given) =>
      jobs.length > 0 ? this.#copy(jobs, 'curl') : this.#copyList(given),
    );
    // Unreadable items are included: they are not jobs, but have a text.
    this.own(
      registerCommand(log, commandIds.openJobJson, async (...given) => {
        const entries = actions.tree.chosenEntries(given);
        if (entries.length > 0) await this.#documents.open(entries);
      }),
    );
  }

  /** Opens a job's webview. */
  async openJob(job: Job, options?: OpenOptions): Promise<void> {
    (await this.#loadPages()).open(job, options);
  }

  /** Opens the webview of a job that may not be loaded. @throws UserError or Failure like {@link JobPanels.openNamed} */
  async openNamed(job: NamedJob): Promise<void> {
    await (await this.#loadPages()).openNamed(job);
  }

  /** Compares jobs of the current connection. @throws UserError when they cannot be compared */
  async compareJobs(jobs: readonly Job[]): Promise<void> {
    await showComparison(jobs, this.#comparison);
  }

  /** Saves transcripts of jobs of the current connection to a place that the user selects. @throws UserError */
  async saveTranscripts(jobs: readonly Job[]): Promise<void> {
    const { saveTranscripts } = await import('./saveTranscript.ts');
    await saveTranscripts(jobs, this.#services, this.#speakersOf());
  }

  #register(id: CommandId, run: (jobs: readonly Job[], given: readonly unknown[]) => Promise<void>): void {
    const { log, actions } = this.#services;
    this.own(registerCommand(log, id, (...given) => run(actions.tree.chosenJobs(given), given)));
  }

  /** Opens the job of a link from an untrusted source. Never rejects. */
  async openLink(link: vscode.Uri): Promise<void> {
    await runCommand(this.#services.log, async () => openJobLink(link, this.#services, (job) => this.openJob(job)));
  }

  #loadPages(): Promise<JobPanels> {
    this.#pages ??= import('./jobPanels.ts').then(({ JobPanels }) =>
      this.own(
        new JobPanels(this.#services, this.#speakers, {
          openJson: (job) => this.#documents.open([job]),
          openDiff: (left, right) => this.#comparison.openDiff(left, right),
        }),
      ),
    );
    return this.#pages;
  }

  /** Returns the speaker names of loaded jobs, which belong to the current connection. */
  #speakersOf(): (job: Job) => SpeakerNames {
    const origin = originOf(this.#services.connections.current?.baseUrl ?? '');
    return ({ kind, id }) => this.#speakers.namesOf({ origin, kind, id });
  }

  /** @throws UserError if no job has the value; Failure if a command needs a connection and there is none */
  async #copy(jobs: readonly Job[], what: CopyWhat): Promise<void> {
    if (jobs.length === 0) return;
    await copyJobs(jobs, what, this.#services);
  }

  async #copyList(given: readonly unknown[]): Promise<void> {
    const query = this.#services.actions.tree.chosenQuery(given);
    if (query === undefined) return;
    await copyList(query, this.#services);
  }
}

/** Opens comparisons. */
export interface ComparisonViews {
  /** @param jobs at least two of one kind */
  openSessions(jobs: readonly Job[]): Promise<void>;
  openDiff(left: Job, right: Job): Promise<void>;
}

/**
 * Compares live sessions or two jobs of one kind side by side, and jobs of two kinds as text.
 * @throws UserError when the jobs cannot be compared
 */
export async function showComparison(jobs: readonly Job[], views: ComparisonViews): Promise<void> {
  const [left, right, ...others] = jobs;
  if (left !== undefined && right !== undefined) {
    const isOfOneKind = jobs.every(({ kind }) => kind === left.kind);
    if (isOfOneKind && (others.length === 0 || (left.kind === 'live' && jobs.length <= maxCompared)))
      return views.openSessions(jobs);
    if (others.length === 0) return views.openDiff(left, right);
  }
  throw new UserError(vscode.l10n.t('Select two jobs, or up to {0} live jobs, to compare them.', maxCompared));
}
