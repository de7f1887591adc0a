import * as vscode from 'vscode';
import { attempt, Undecodable } from '../../domain/decoder.ts';
import type { Job } from '../../domain/job.ts';
import { pageState, type PageJob } from '../../domain/protocol.ts';
import { viewIds } from '../ids.ts';
import type { DetailsNeeds } from './detailsNeeds.ts';
import { JobPage } from './jobPage.ts';

/** How a job is opened. */
export interface OpenOptions {
  /** On a page of its own, beside, that stays for this job; otherwise on the one that is reused. */
  readonly toTheSide?: boolean;
  /** Leaves the focus where it is, so that arrow keys go on through the tree. */
  readonly preserveFocus?: boolean;
}

/** The details pages: one that is reused, and those that were opened to the side. They come back after a window reload. */
export class JobPages implements vscode.WebviewPanelSerializer, vscode.Disposable {
  readonly #needs: DetailsNeeds;
  readonly #openJson: (job: Job) => Promise<void>;
  readonly #pages = new Set<JobPage>();
  readonly #owned: readonly { dispose(): void }[];

  constructor(needs: DetailsNeeds, openJson: (job: Job) => Promise<void>) {
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

  open(job: Job, { toTheSide = false, preserveFocus = false }: OpenOptions = {}): void {
    const of = this.#nameOf(job, toTheSide);
    const page = [...this.#pages].find((each) => each.of.side === toTheSide && (!toTheSide || isSame(each.of, of)));
    if (page === undefined) {
      const column = toTheSide ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
      const place = { viewColumn: column, preserveFocus };
      const panel = vscode.window.createWebviewPanel(viewIds.job, '', place, { enableFindWidget: true });
      this.#keep(panel, of, job);
    } else {
      page.show(of, job);
      page.panel.reveal(undefined, preserveFocus);
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

  #nameOf({ kind, id }: Job, side: boolean): PageJob {
    return { connection: this.#needs.connection.current?.name ?? '', kind, id, side };
  }

  #keep(panel: vscode.WebviewPanel, of: PageJob, job: Job | undefined): void {
    const page = new JobPage(panel, of, job, this.#needs, this.#openJson);
    this.#pages.add(page);
    panel.onDidDispose(() => this.#pages.delete(page));
  }
}

function isSame(a: PageJob, b: PageJob): boolean {
  return a.connection === b.connection && a.kind === b.kind && a.id === b.id;
}
