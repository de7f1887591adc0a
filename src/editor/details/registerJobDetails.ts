import * as vscode from 'vscode';
import type { Job, ListEntry } from '../../domain/jobs/job.ts';
import type { CopyWhat } from '../../domain/protocol.ts';
import type { ListQuery } from '../../domain/jobs/listParams.ts';
import { commandIds, rawDocumentScheme, viewIds, type CommandId } from '../ids.ts';
import { registerCommand } from '../runCommand.ts';
import type { DetailsDeps, NamedJob } from './detailsNeeds.ts';
import type { JobDetails } from './jobDetails.ts';
import type { OpenOptions } from './jobPanels.ts';

/** What the rest of the extension asks of the details. */
export interface DetailsRoom extends vscode.Disposable {
  /** Shows a job's page. */
  openJob(job: Job, options?: OpenOptions): Promise<void>;
  /** Shows the page of a job that need not be loaded. @throws UserError or Failure, as `openNamedJob` does */
  openNamed(job: NamedJob): Promise<void>;
}

/** What commands are called on: a row with all that are selected, or nothing, which stands for the selection. */
export interface CalledOn {
  /** The items behind the rows. */
  entriesOf(given: readonly unknown[]): readonly ListEntry[];
  jobsOf(given: readonly unknown[]): readonly Job[];
  /** The question that a list's row asks the service; undefined when it is no list's. */
  questionOf(given: readonly unknown[]): ListQuery | undefined;
}

/**
 * Registers the commands about single jobs, the return of their pages after a reload and the scheme of their documents.
 * What does the work is loaded when the first of them is wanted.
 */
export function registerJobDetails(needs: DetailsDeps, rows: CalledOn): DetailsRoom {
  const { log } = needs;
  const documentChanged = new vscode.EventEmitter<vscode.Uri>();
  let loading: Promise<JobDetails> | undefined;
  const load = (): Promise<JobDetails> => {
    loading ??= import('./jobDetails.ts').then((loaded) => new loaded.JobDetails(needs, documentChanged));
    return loading;
  };
  const copying = (id: CommandId, what: CopyWhat): vscode.Disposable =>
    registerCommand(log, id, async (...given) => {
      const jobs = rows.jobsOf(given);
      if (jobs.length > 0) await (await load()).copy(jobs, what);
    });
  const openJob = async (job: Job, options?: OpenOptions): Promise<void> => (await load()).pages.open(job, options);

  const registered = vscode.Disposable.from(
    documentChanged,
    vscode.window.registerWebviewPanelSerializer(viewIds.job, {
      deserializeWebviewPanel: async (panel, state) => (await load()).pages.deserializeWebviewPanel(panel, state),
    }),
    vscode.workspace.registerTextDocumentContentProvider(rawDocumentScheme, {
      onDidChange: documentChanged.event,
      provideTextDocumentContent: async (uri) => (await load()).documents.textOf(uri),
    }),
    registerCommand(log, commandIds.openJob, async (...given) => {
      const [job] = rows.jobsOf(given);
      if (job !== undefined) await openJob(job, { preserveFocus: true });
    }),
    registerCommand(log, commandIds.openJobToSide, async (...given) => {
      const jobs = rows.jobsOf(given);
      if (jobs.length > 0) await (await load()).pages.openToTheSide(jobs);
    }),
    registerCommand(log, commandIds.openJobJson, async (...given) => {
      const entries = rows.entriesOf(given);
      if (entries.length > 0) await (await load()).openJson(entries);
    }),
    registerCommand(log, commandIds.compareJobs, async (...given) => (await load()).compare(rows.jobsOf(given))),
    copying(commandIds.copyJobId, 'id'),
    copying(commandIds.copyRequestId, 'requestId'),
    copying(commandIds.copyJobJson, 'json'),
    registerCommand(log, commandIds.copyCurl, async (...given) => {
      const jobs = rows.jobsOf(given);
      const question = jobs.length === 0 ? rows.questionOf(given) : undefined;
      if (question !== undefined) await (await load()).copyList(question);
      else if (jobs.length > 0) await (await load()).copy(jobs, 'curl');
    }),
  );
  return {
    openJob,
    openNamed: async (job) => (await load()).openNamed(job),
    dispose: () => {
      registered.dispose();
      void loading?.then((details) => details.dispose());
    },
  };
}
