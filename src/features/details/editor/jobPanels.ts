import * as vscode from 'vscode';
import { attempt, Undecodable } from '../../../base/decode/decoder.ts';
import { isUnfinished, type Job } from '../../../jobs/common/job.ts';
import { pageState, type ComparedSessions, type PageJob } from '../common/protocol.ts';
import { viewIds } from '../../../platform/editor/ids.ts';
import type { Clock } from '../../../base/clock.ts';
import { DisposableOwner } from '../../../base/disposable.ts';
import { ComparisonPanel } from './comparisonPanel.ts';
import { JobPanel } from './jobPanel.ts';
import { openNamedJob } from './openNamedJob.ts';
import type { NamedJob } from '../../../jobs/common/listParams.ts';
import type { Services } from '../../../services.ts';
import type { SpeakerNaming } from './speakerNaming.ts';

/** Maximum time, in milliseconds, to wait until the editor reports the column of a panel. */
const columnMs = 5000;

/** Options for opening a job. */
export interface OpenOptions {
  /** Keeps the focus in the tree, so that arrow keys keep working there. */
  readonly preserveFocus?: boolean;
  /** Texts to search in the transcript, best first. */
  readonly find?: readonly string[] | undefined;
}

/** Opens documents for the webviews. */
export interface JobDocuments {
  openJson(job: Job): Promise<void>;
  openDiff(left: Job, right: Job): Promise<void>;
}

/**
 * All job webviews: the reused details webview, those opened to the side, and comparisons. All are restored after a window reload.
 * Imported when the first one is opened.
 */
export class JobPanels extends DisposableOwner implements vscode.WebviewPanelSerializer {
  readonly #services: Services;
  readonly #speakers: SpeakerNaming;
  readonly #documents: JobDocuments;
  readonly #pages = new Set<JobPanel>();
  readonly #comparisons = new Set<ComparisonPanel>();

  constructor(services: Services, speakers: SpeakerNaming, documents: JobDocuments) {
    super();
    this.#services = services;
    this.#speakers = speakers;
    this.#documents = documents;
    this.own(
      services.jobs.onDidChange((change) => {
        for (const page of [...this.#pages, ...this.#comparisons]) page.follow(change);
      }),
    );
    this.own(
      services.facts.onDidChange(() => {
        for (const page of [...this.#pages, ...this.#comparisons]) page.refresh();
      }),
    );
    this.own(
      services.actions.attention.onDidChange(() => {
        for (const page of this.#pages) page.followAttention();
      }),
    );
    this.own(
      speakers.onDidChange(() => {
        for (const page of this.#pages) page.refresh();
      }),
    );
    // Release the panels without closing them: they are restored after a window reload.
    this.own({
      dispose: () => {
        for (const page of [...this.#pages, ...this.#comparisons]) page.dispose();
      },
    });
  }

  /** Shows a job in the reused webview. */
  open(given: Job, { preserveFocus = false, find }: OpenOptions = {}): void {
    const job = this.#newest(given);
    const page = [...this.#pages].find(({ jobRef }) => !jobRef.side);
    this.#show(page, this.#refOf(job, false), job, { viewColumn: vscode.ViewColumn.Active, preserveFocus, find });
  }

  /** Shows a job that may not be loaded. @throws UserError or Failure, as {@link openNamedJob} does */
  openNamed(job: NamedJob): Promise<void> {
    return openNamedJob(job, this.#services, (found) => this.open(found));
  }

  /** Shows jobs to the side, all in one column, each in a separate webview that is not reused. */
  async openToTheSide(jobs: readonly Job[]): Promise<void> {
    let viewColumn = vscode.ViewColumn.Beside;
    for (const job of jobs.map((each) => this.#newest(each))) {
      const jobRef = this.#refOf(job, true);
      const page = [...this.#pages].find((each) => each.jobRef.side && isSame(each.jobRef, jobRef));
      const panel = this.#show(page, jobRef, job, { viewColumn, preserveFocus: false });
      // `Beside` is relative to the focused column, so each further panel would open yet another column.
      if (viewColumn === vscode.ViewColumn.Beside && jobs.length > 1)
        viewColumn = await columnOf(panel, this.#services.clock);
    }
  }

  /** Compares jobs side by side in a webview of their own. @param jobs at least two of one kind */
  openComparison(jobs: readonly Job[]): void {
    const panel = vscode.window.createWebviewPanel(viewIds.comparison, '', vscode.ViewColumn.Active, {
      enableFindWidget: true,
    });
    const connection = this.#services.connections.current?.name ?? '';
    const ids = jobs.map(({ id }) => id);
    const times = jobs.map(({ createdAtMs }) => createdAtMs);
    this.#compare(panel, { connection, kind: jobs[0]?.kind, ids, createdAtMs: times }, jobs);
  }

  /** Restores a webview after a window reload. */
  deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const read = attempt(pageState, state);
    if (!(read instanceof Undecodable) && panel.viewType === viewIds.comparison && read.compared !== undefined) {
      this.#compare(panel, read.compared, []);
      return Promise.resolve();
    }
    if (read instanceof Undecodable || read.job === undefined) {
      this.#services.log.debug('closed a details page that came back without saying whose it is');
      panel.dispose();
      return Promise.resolve();
    }
    // Repeated reloads could restore two webviews that both claim to be the reused one.
    const taken = [...this.#pages].some(({ jobRef }) => !jobRef.side);
    this.#adopt(panel, { ...read.job, side: read.job.side || taken }, undefined);
    return Promise.resolve();
  }

  /**
   * Returns the state of a job in the lists, which pages show. If a board or a search has read meanwhile that the job has ended, updates
   * the lists first: an ended job stays ended.
   */
  #newest(job: Job): Job {
    const { jobs } = this.#services;
    const known = jobs.get(job.kind, job.id);
    if (known === undefined || !isUnfinished(known) || isUnfinished(job)) return known ?? job;
    jobs.observing()([job]);
    return jobs.get(job.kind, job.id) ?? job;
  }

  /** @param place column of a new webview; an existing one keeps its column */
  #show(
    page: JobPanel | undefined,
    jobRef: PageJob,
    job: Job,
    place: Omit<OpenOptions, 'preserveFocus'> & {
      readonly viewColumn: vscode.ViewColumn;
      readonly preserveFocus: boolean;
    },
  ): vscode.WebviewPanel {
    if (page === undefined) {
      const panel = vscode.window.createWebviewPanel(viewIds.job, '', place, { enableFindWidget: true });
      this.#adopt(panel, jobRef, job, place.find);
      return panel;
    }
    page.show(jobRef, job, place.find);
    page.panel.reveal(undefined, place.preserveFocus);
    return page.panel;
  }

  #refOf({ kind, id, createdAtMs }: Job, side: boolean): PageJob {
    return { connection: this.#services.connections.current?.name ?? '', kind, id, side, createdAtMs };
  }

  #adopt(panel: vscode.WebviewPanel, jobRef: PageJob, job: Job | undefined, find?: readonly string[]): void {
    const page = new JobPanel(panel, { jobRef, job, find }, this.#services, this.#speakers, (each) =>
      this.#documents.openJson(each),
    );
    this.#pages.add(page);
    page.own({ dispose: () => this.#pages.delete(page) });
  }

  #compare(panel: vscode.WebviewPanel, sessions: ComparedSessions, jobs: readonly Job[]): void {
    const page = new ComparisonPanel(panel, sessions, jobs, this.#services, {
      openJob: (job) => this.open(job),
      openDiff: (left, right) => this.#documents.openDiff(left, right),
    });
    this.#comparisons.add(page);
    page.own({ dispose: () => this.#comparisons.delete(page) });
  }
}

/** Returns the column that the editor assigned to a panel; `Active` if the editor does not report it in time. */
async function columnOf(panel: vscode.WebviewPanel, clock: Clock): Promise<vscode.ViewColumn> {
  const owner = new DisposableOwner();
  try {
    return await new Promise((resolve) => {
      const look = (): void => {
        if (panel.viewColumn !== undefined) resolve(panel.viewColumn);
      };
      owner.own(panel.onDidChangeViewState(look));
      owner.own(clock.after(columnMs, () => resolve(vscode.ViewColumn.Active)));
      look();
    });
  } finally {
    owner.dispose();
  }
}

function isSame(a: PageJob, b: PageJob): boolean {
  return a.connection === b.connection && a.kind === b.kind && a.id === b.id;
}
