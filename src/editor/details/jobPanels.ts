import * as vscode from 'vscode';
import { attempt, Undecodable } from '../../domain/decode/decoder.ts';
import type { Job } from '../../domain/jobs/job.ts';
import { pageState, type PageJob } from '../../domain/protocol.ts';
import { viewIds } from '../ids.ts';
import type { Clock } from '../../service/clock.ts';
import { DisposableOwner } from '../../service/disposable.ts';
import { ComparisonPanel, type ComparisonActions } from './comparisonPanel.ts';
import { JobPanel, type JobPanelDeps } from './jobPanel.ts';

/** How long the editor may take to say in which column a page is. */
const columnMs = 5000;

/** How a job is opened. */
export interface OpenOptions {
  /** Leaves the focus where it is, so that arrow keys go on through the tree. */
  readonly preserveFocus?: boolean;
}

/**
 * The pages about jobs: the details page that is reused, those that were opened to the side, and comparisons. Details pages come back
 * after a window reload. Read when the first page is wanted.
 */
export class JobPanels extends DisposableOwner implements vscode.WebviewPanelSerializer {
  readonly #deps: JobPanelDeps;
  readonly #openJson: (job: Job) => Promise<void>;
  readonly #pages = new Set<JobPanel>();
  readonly #comparisons = new Set<ComparisonPanel>();

  constructor(deps: JobPanelDeps, openJson: (job: Job) => Promise<void>) {
    super();
    this.#deps = deps;
    this.#openJson = openJson;
    this.own(
      deps.jobs.onDidChange((change) => {
        for (const page of this.#pages) page.follow(change);
      }),
    );
    this.own(
      deps.onDidChangeFacts(() => {
        for (const page of this.#pages) page.refresh();
      }),
    );
    // Pages are let go of, not closed: they are to come back when the window reloads.
    this.own({
      dispose: () => {
        for (const page of [...this.#pages, ...this.#comparisons]) page.dispose();
      },
    });
  }

  /** Shows a job on the page that is reused. */
  open(job: Job, { preserveFocus = false }: OpenOptions = {}): void {
    const page = [...this.#pages].find(({ jobRef }) => !jobRef.side);
    this.#show(page, this.#refOf(job, false), job, { viewColumn: vscode.ViewColumn.Active, preserveFocus });
  }

  /** Shows jobs beside, all in one column, each on a page of its own that stays for it. */
  async openToTheSide(jobs: readonly Job[]): Promise<void> {
    let viewColumn = vscode.ViewColumn.Beside;
    for (const job of jobs) {
      const jobRef = this.#refOf(job, true);
      const page = [...this.#pages].find((each) => each.jobRef.side && isSame(each.jobRef, jobRef));
      const panel = this.#show(page, jobRef, job, { viewColumn, preserveFocus: false });
      // Beside the column that now has the focus would be yet another one.
      if (viewColumn === vscode.ViewColumn.Beside && jobs.length > 1)
        viewColumn = await columnOf(panel, this.#deps.clock);
    }
  }

  /** Shows live sessions side by side on a page of their own. @param jobs at least two */
  openComparison(jobs: readonly Job[], actions: ComparisonActions): void {
    const page = new ComparisonPanel(jobs, this.#deps, actions);
    this.#comparisons.add(page);
    page.own({ dispose: () => this.#comparisons.delete(page) });
  }

  /** Takes over a page that comes back after a window reload. */
  deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const read = attempt(pageState, state);
    if (read instanceof Undecodable || read.job === undefined) {
      this.#deps.log.debug('closed a details page that came back without saying whose it is');
      panel.dispose();
      return Promise.resolve();
    }
    // Two windows' worth of reloads could bring two pages that want to be the reused one.
    const taken = [...this.#pages].some(({ jobRef }) => !jobRef.side);
    this.#adopt(panel, { ...read.job, side: read.job.side || taken }, undefined);
    return Promise.resolve();
  }

  /** @param place where a new page goes; one that is there stays where it is. */
  #show(
    page: JobPanel | undefined,
    jobRef: PageJob,
    job: Job,
    place: { readonly viewColumn: vscode.ViewColumn; readonly preserveFocus: boolean },
  ): vscode.WebviewPanel {
    if (page === undefined) {
      const panel = vscode.window.createWebviewPanel(viewIds.job, '', place, { enableFindWidget: true });
      this.#adopt(panel, jobRef, job);
      return panel;
    }
    page.show(jobRef, job);
    page.panel.reveal(undefined, place.preserveFocus);
    return page.panel;
  }

  #refOf({ kind, id }: Job, side: boolean): PageJob {
    return { connection: this.#deps.connection.current?.name ?? '', kind, id, side };
  }

  #adopt(panel: vscode.WebviewPanel, jobRef: PageJob, job: Job | undefined): void {
    const page = new JobPanel(panel, jobRef, job, this.#deps, this.#openJson);
    this.#pages.add(page);
    page.own({ dispose: () => this.#pages.delete(page) });
  }
}

/** The column that the editor has put a page in; the active one, which it should be, if the editor does not say. */
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
