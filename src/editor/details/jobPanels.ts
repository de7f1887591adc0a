import * as vscode from 'vscode';
import { attempt, Undecodable } from '../../domain/decode/decoder.ts';
import type { Job } from '../../domain/jobs/job.ts';
import { pageState, type PageJob } from '../../domain/protocol.ts';
import { viewIds } from '../ids.ts';
import type { DetailsDeps } from './detailsNeeds.ts';
import { JobPanel } from './jobPanel.ts';

/** How long the editor may take to say in which column a page is. */
const columnMs = 5000;

/** How a job is opened. */
export interface OpenOptions {
  /** Leaves the focus where it is, so that arrow keys go on through the tree. */
  readonly preserveFocus?: boolean;
}

/** The details pages: one that is reused, and those that were opened to the side. They come back after a window reload. */
export class JobPanels implements vscode.WebviewPanelSerializer, vscode.Disposable {
  readonly #needs: DetailsDeps;
  readonly #openJson: (job: Job) => Promise<void>;
  readonly #pages = new Set<JobPanel>();
  readonly #owned: readonly { dispose(): void }[];

  constructor(needs: DetailsDeps, openJson: (job: Job) => Promise<void>) {
    this.#needs = needs;
    this.#openJson = openJson;
    this.#owned = [
      needs.jobs.onDidChange((change) => {
        for (const page of this.#pages) page.follow(change);
      }),
      needs.onDidChangeFacts(() => {
        for (const page of this.#pages) page.refresh();
      }),
    ];
  }

  /** Shows a job on the page that is reused. */
  open(job: Job, { preserveFocus = false }: OpenOptions = {}): void {
    const page = [...this.#pages].find(({ of }) => !of.side);
    this.#show(page, this.#nameOf(job, false), job, { viewColumn: vscode.ViewColumn.Active, preserveFocus });
  }

  /** Shows jobs beside, all in one column, each on a page of its own that stays for it. */
  async openToTheSide(jobs: readonly Job[]): Promise<void> {
    let viewColumn = vscode.ViewColumn.Beside;
    for (const job of jobs) {
      const of = this.#nameOf(job, true);
      const page = [...this.#pages].find((each) => each.of.side && isSame(each.of, of));
      const panel = this.#show(page, of, job, { viewColumn, preserveFocus: false });
      // Beside the column that now has the focus would be yet another one.
      if (viewColumn === vscode.ViewColumn.Beside && jobs.length > 1) viewColumn = await columnOf(panel);
    }
  }

  /** Takes over a page that comes back after a window reload. */
  deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const read = attempt(pageState, state);
    if (read instanceof Undecodable || read.job === undefined) {
      this.#needs.log.debug('closed a details page that came back without saying whose it is');
      panel.dispose();
      return Promise.resolve();
    }
    // Two windows' worth of reloads could bring two pages that want to be the reused one.
    const taken = [...this.#pages].some(({ of }) => !of.side);
    this.#keep(panel, { ...read.job, side: read.job.side || taken }, undefined);
    return Promise.resolve();
  }

  /** Lets go of the pages but does not close them: they are to come back when the window reloads. */
  dispose(): void {
    for (const each of this.#owned) each.dispose();
    for (const page of this.#pages) page.dispose();
  }

  /** @param place where a new page goes; one that is there stays where it is. */
  #show(
    page: JobPanel | undefined,
    of: PageJob,
    job: Job,
    place: { readonly viewColumn: vscode.ViewColumn; readonly preserveFocus: boolean },
  ): vscode.WebviewPanel {
    if (page === undefined) {
      const panel = vscode.window.createWebviewPanel(viewIds.job, '', place, { enableFindWidget: true });
      this.#keep(panel, of, job);
      return panel;
    }
    page.show(of, job);
    page.panel.reveal(undefined, place.preserveFocus);
    return page.panel;
  }

  #nameOf({ kind, id }: Job, side: boolean): PageJob {
    return { connection: this.#needs.connection.current?.name ?? '', kind, id, side };
  }

  #keep(panel: vscode.WebviewPanel, of: PageJob, job: Job | undefined): void {
    const page = new JobPanel(panel, of, job, this.#needs, this.#openJson);
    this.#pages.add(page);
    panel.onDidDispose(() => this.#pages.delete(page));
  }
}

/** The column that the editor has put a page in; the active one, which it should be, if the editor does not say. */
async function columnOf(panel: vscode.WebviewPanel): Promise<vscode.ViewColumn> {
  let listener: vscode.Disposable | undefined;
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve) => {
      const look = (): void => {
        if (panel.viewColumn !== undefined) resolve(panel.viewColumn);
      };
      listener = panel.onDidChangeViewState(look);
      timer = setTimeout(() => resolve(vscode.ViewColumn.Active), columnMs);
      look();
    });
  } finally {
    listener?.dispose();
    clearTimeout(timer);
  }
}

function isSame(a: PageJob, b: PageJob): boolean {
  return a.connection === b.connection && a.kind === b.kind && a.id === b.id;
}
