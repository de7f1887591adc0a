import * as vscode from 'vscode';
import type { Job, ListEntry } from '../../domain/jobs/job.ts';
import type { CopyWhat } from '../../domain/protocol.ts';
import type { ListQuery } from '../../domain/jobs/listParams.ts';
import { UserError } from '../messages.ts';
import { ComparisonPanel } from './comparisonPanel.ts';
import { copyJobs } from './copyJobs.ts';
import { type DetailsDeps, openNamedJob, type NamedJob } from './detailsNeeds.ts';
import { listCurl } from '../../service/api/curl.ts';
import { JobPanels } from './jobPanels.ts';
import { RawDocuments } from './rawDocuments.ts';

/** Everything that is about single jobs: pages, documents, copies, comparisons. Loaded when the first of them is wanted. */
export class JobDetails implements vscode.Disposable {
  readonly pages: JobPanels;
  readonly documents: RawDocuments;
  readonly #needs: DetailsDeps;
  readonly #comparisons = new Set<ComparisonPanel>();

  /** @param documentChanged tells the editor that a document reads differently now. */
  constructor(needs: DetailsDeps, documentChanged: vscode.EventEmitter<vscode.Uri>) {
    this.#needs = needs;
    this.documents = new RawDocuments(needs, documentChanged);
    this.pages = new JobPanels(needs, (job) => this.documents.open([job]));
  }

  /** Shows the page of a job that need not be loaded. @throws UserError or Failure, as {@link openNamedJob} does */
  openNamed(job: NamedJob): Promise<void> {
    return openNamedJob(job, this.#needs, (found) => this.pages.open(found));
  }

  /** Shows items as they were received. */
  openJson(entries: readonly ListEntry[]): Promise<void> {
    return this.documents.open(entries);
  }

  /** Throws UserError when no job has it, Failure when a command has no connection. */
  copy(jobs: readonly Job[], what: CopyWhat): Promise<void> {
    return copyJobs(jobs, what, this.#needs.connection);
  }

  /** Puts the request of a list on the clipboard, as a shell command. @throws Failure when there is no connection */
  async copyList({ endpoint, params }: ListQuery): Promise<void> {
    await vscode.env.clipboard.writeText(listCurl(endpoint, params, await this.#needs.connection.reach()));
  }

  /** Live jobs side by side; two jobs of any kind as texts. Throws UserError when the jobs are not for comparing. */
  async compare(jobs: readonly Job[]): Promise<void> {
    const [left, right, ...others] = jobs;
    if (left !== undefined && right !== undefined) {
      if (jobs.every(({ kind }) => kind === 'live')) return this.#compareSessions(jobs);
      if (others.length === 0) return this.#openDiff(left, right);
    }
    throw new UserError(vscode.l10n.t('Select two jobs, or two and more live jobs, to compare them.'));
  }

  dispose(): void {
    this.documents.dispose();
    this.pages.dispose();
    for (const page of this.#comparisons) page.dispose();
  }

  #openDiff(left: Job, right: Job): Promise<void> {
    const { titleOf } = this.#needs;
    return this.documents.openDiff(left, right, vscode.l10n.t('{0} ↔ {1}', titleOf(left), titleOf(right)));
  }

  #compareSessions(jobs: readonly Job[]): void {
    const page = new ComparisonPanel(jobs, this.#needs, {
      openJob: (job) => this.pages.open(job),
      openDiff: (left, right) => this.#openDiff(left, right),
    });
    this.#comparisons.add(page);
    page.panel.onDidDispose(() => this.#comparisons.delete(page));
  }
}
