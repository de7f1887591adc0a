import * as vscode from 'vscode';
import type { Job } from '../../../jobs/common/job.ts';
import type { FinishedBatch } from '../common/batch.ts';
import type { FinishedJob } from '../../watch/common/watchPlan.ts';
import type { JournalOwner, Submission } from '../../../jobs/common/submission.ts';
import type { AgentSubmission } from './agentSubmission.ts';
import { DisposableOwner } from '../../../base/disposable.ts';
import { AudioHash } from '../node/audioHash.ts';
import { requestSelector } from '../../../language/editor/requestFileType.ts';
import { commandIds, showJobsOfFileCommand, viewIds } from '../../../platform/editor/ids.ts';
import { registerCommand, runCommand } from '../../../platform/editor/runCommand.ts';
import type { SubmittedJobsLens } from './submittedJobsLens.ts';
import type { BatchPanels } from './batchPanels.ts';
import type { SentRequest } from '../../../language/editor/requestDocuments.ts';
import type { Submissions } from './submissions.ts';
import type { Services } from '../../../services.ts';
import type { TreeNode } from '../../tree/common/jobTree.ts';

/** Registers the commands about submissions. Their code, above all the compiled schema, is imported on first use. */
export class SubmitCommands extends DisposableOwner {
  readonly #services: Services;
  #pages: Promise<BatchPanels> | undefined;
  #opening: Promise<Submissions> | undefined;

  constructor(services: Services) {
    super();
    this.#services = services;
    this.#registerCommands();
    this.#provideActions();
    this.#registerLens();
  }

  #registerCommands(): void {
    const { log, jobs, actions, connections } = this.#services;
    this.own(
      registerCommand(log, commandIds.submitRequest, async (...given) => {
        const { submitUris } = await import('./submitUris.ts');
        await submitUris(await this.submissions(), given);
      }),
    );
    this.own(
      registerCommand(log, commandIds.submitBatch, async (...given) => {
        const { submitUrlList } = await import('./submitUris.ts');
        await submitUrlList(await this.submissions(), given);
      }),
    );
    this.own(
      registerCommand(log, commandIds.resubmitFailed, (...given) =>
        this.resubmit(actions.tree.chosenJobsWithin(given), actions.tree.chosenRows(given)),
      ),
    );
    this.own(
      registerCommand(log, commandIds.copyRequestCurl, async (...given) => {
        const { copyRequestCurl } = await import('./submitUris.ts');
        await copyRequestCurl(await this.submissions(), given);
      }),
    );
    this.own(
      registerCommand(log, commandIds.showSubmissions, async () => {
        const { showSubmissions } = await import('./showSubmissions.ts');
        await showSubmissions(await this.submissions(), jobs.onDidChange);
      }),
    );
    this.own(
      registerCommand(log, commandIds.showBatch, async (...given) => {
        const [job] = actions.tree.chosenJobsWithin(given);
        const { current } = connections;
        if (job === undefined || current === undefined) return;
        const { submissions } = await (await this.submissions()).readJournal(current);
        const sent = submissions.find(({ outcome }) => outcome.type === 'accepted' && outcome.id === job.id);
        if (sent?.batch !== undefined) (await this.#panels()).open(current, sent.batch);
      }),
    );
    this.own(
      vscode.window.registerWebviewPanelSerializer(viewIds.batch, {
        deserializeWebviewPanel: async (panel, state) => (await this.#panels()).restore(panel, state),
      }),
    );
  }

  #registerLens(): void {
    const { log, facts } = this.#services;
    let lens: SubmittedJobsLens | undefined;
    const load = async (): Promise<SubmittedJobsLens> => {
      const loaded = await import('./submittedJobsLens.ts');
      return (lens ??= new loaded.SubmittedJobsLens(this.#services));
    };
    // Fires after each submission, and when another connection is in use.
    this.own(facts.onDidChange(() => lens?.invalidate()));
    this.own(
      vscode.languages.registerCodeLensProvider(requestSelector, {
        onDidChangeCodeLenses: facts.onDidChange,
        provideCodeLenses: async (document) => (await load()).provideCodeLenses(document),
      }),
    );
    this.own(
      vscode.commands.registerCommand(showJobsOfFileCommand, (file: unknown) =>
        runCommand(log, async () => (file instanceof vscode.Uri ? (await load()).show(file) : undefined)),
      ),
    );
  }

  #provideActions(): void {
    const { actions, connections } = this.#services;
    actions.provide('submit', {
      resubmit: (failed) => this.resubmit(failed),
      showBatch: async (connection, id) => (await this.#panels()).open(connection, id),
      batchPage: async (connection, id) => {
        const { batches } = await this.submissions();
        if (!(await batches.ids(connection)).includes(id)) return undefined;
        const pages = await this.#panels();
        return { isInFront: pages.isInFront(id), show: () => pages.open(connection, id) };
      },
      jobsOfBatch: async (connection, id) => (await this.submissions()).jobsOfBatch(connection, id),
      findSentRequest: async (job) =>
        connections.current === undefined ? undefined : this.sentRequest(connections.current, job),
      noteRetry: async (connection, { id }, file) => (await this.submissions()).retried.add(connection, id, file),
      findJobOf: (submission) => this.findJobOf(submission),
      noteFinished: (finished) => this.noteFinished(finished),
      continueSubmissions: async (former, now) => (await this.submissions()).journal.continueAs(former, now),
      openRequestTool: () => this.submissionTool(),
    });
  }

  /** Created on first use and shared. */
  submissions(): Promise<Submissions> {
    return (this.#opening ??= this.#open());
  }

  /**
   * Finds the file that a job of a connection was submitted from; undefined if the journal does not contain the job, or the file no longer
   * exists.
   */
  async sentRequest(connection: JournalOwner, job: Job): Promise<SentRequest | undefined> {
    const { findSentRequest } = await import('./findSentRequest.ts');
    return findSentRequest(await this.submissions(), connection, job);
  }

  /** Searches for the job of a submission whose outcome is unknown. @throws Failure */
  async findJobOf(submission: Submission): Promise<void> {
    const submissions = await this.submissions();
    await submissions.findJob(submissions.target(), submission);
  }

  /** Returns the operations on requests that agents may call. */
  async submissionTool(): Promise<AgentSubmission> {
    const { AgentSubmission } = await import('./agentSubmission.ts');
    return new AgentSubmission(await this.submissions());
  }

  /**
   * Sends the requests of failed jobs again, after confirmation. Other jobs are left out.
   * @param rows the chosen rows
   * @throws UserError or Failure
   */
  async resubmit(jobs: readonly Job[], rows: readonly TreeNode[] = []): Promise<void> {
    const { resubmitJobs } = await import('./submitUris.ts');
    await resubmitJobs(await this.submissions(), jobs, rows);
  }

  /** Records in batches how watched jobs ended, and marks failed jobs as handled if a finished job repeats them. */
  async noteFinished(finished: readonly FinishedJob[]): Promise<FinishedBatch | undefined> {
    const [{ markReplaced, noteFinished }, { describeFinished }] = await Promise.all([
      import('../node/journal/markReplaced.ts'),
      import('../common/batchCounts.ts'),
    ]);
    const { journal, batches } = await this.submissions();
    const stored = await noteFinished(batches, finished);
    const { attention } = this.#services.actions;
    await markReplaced(journal, finished, (connection, jobs) => attention.markReplaced(connection, jobs));
    const batch = stored && (await batches.read(stored));
    const ended = batch && describeFinished(batch);
    return stored && ended && { connection: stored.owner, id: stored.id, ...ended };
  }

  async #open(): Promise<Submissions> {
    const opened = await import('./submissions.ts');
    const { secrets, journal, clock } = this.#services;
    const audio = await AudioHash.load(secrets, journal.folder, clock);
    const submissions = this.own(new opened.Submissions(this.#services, audio));
    return submissions;
  }

  #panels(): Promise<BatchPanels> {
    return (this.#pages ??= this.#openPanels());
  }

  async #openPanels(): Promise<BatchPanels> {
    const [{ BatchPanels }, submissions] = await Promise.all([import('./batchPanels.ts'), this.submissions()]);
    return this.own(new BatchPanels(submissions));
  }
}
