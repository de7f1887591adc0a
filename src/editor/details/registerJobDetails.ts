import * as vscode from 'vscode';
import type { Job, ListEntry } from '../../domain/job.ts';
import type { CopyWhat } from '../../domain/protocol.ts';
import { commandIds, viewIds, type CommandId } from '../ids.ts';
import { registerCommand } from '../runCommand.ts';
import type { DetailsNeeds } from './detailsNeeds.ts';
import type { JobDetails } from './jobDetails.ts';
import type { OpenOptions } from './jobPages.ts';
import type { NamedJob } from './openNamedJob.ts';
import { rawDocumentScheme } from './rawDocumentUri.ts';

/** What the rest of the extension asks of the details. */
export interface DetailsRoom extends vscode.Disposable {
  /** Shows a job's page. */
  openJob(job: Job, options?: OpenOptions): Promise<void>;
  /** Shows the page of a job that need not be loaded. @throws UserError or Failure, as `openNamedJob` does */
  openNamed(job: NamedJob): Promise<void>;
}

/**
 * Registers the commands about single jobs, the return of their pages after a reload and the scheme of their documents.
 * What does the work is loaded when the first of them is wanted.
 * @param entriesOf what a command's arguments stand for (a row and all selected rows, or nothing: then the view's selection).
 */
export function registerJobDetails(
  needs: DetailsNeeds,
  entriesOf: (given: readonly unknown[]) => readonly ListEntry[],
): DetailsRoom {
  const { log } = needs;
  const documentChanged = new vscode.EventEmitter<vscode.Uri>();
  let loading: Promise<JobDetails> | undefined;
  const load = (): Promise<JobDetails> => {
    loading ??= import('./jobDetails.ts').then((loaded) => new loaded.JobDetails(needs, documentChanged));
    return loading;
  };
  const jobsOf = (given: readonly unknown[]): readonly Job[] =>
    entriesOf(given).filter((entry) => entry.type === 'job');
  const copying = (id: CommandId, what: CopyWhat): vscode.Disposable =>
    registerCommand(log, id, async (...given) => {
      const jobs = jobsOf(given);
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
      const [job] = jobsOf(given);
      if (job !== undefined) await openJob(job, { preserveFocus: true });
    }),
    registerCommand(log, commandIds.openJobToSide, async (...given) => {
      const jobs = jobsOf(given);
      if (jobs.length > 0) await (await load()).pages.openToTheSide(jobs);
    }),
    registerCommand(log, commandIds.openJobJson, async (...given) => {
      const entries = entriesOf(given);
      if (entries.length > 0) await (await load()).openJson(entries);
    }),
    registerCommand(log, commandIds.compareJobs, async (...given) => (await load()).compare(jobsOf(given))),
    copying(commandIds.copyJobId, 'id'),
    copying(commandIds.copyRequestId, 'requestId'),
    copying(commandIds.copyJobJson, 'json'),
    registerCommand(log, commandIds.copyCurl, async (...given) => {
      const jobs = jobsOf(given);
      const question = jobs.length === 0 ? needs.questionOf(given) : undefined;
      if (question !== undefined) await (await load()).copyList(await question);
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
