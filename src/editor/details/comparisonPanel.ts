import * as vscode from 'vscode';
import { compareSessions } from '../../domain/jobView/compareSessions.ts';
import { jobKey, type Job } from '../../domain/jobs/job.ts';
import type { StoreChange } from '../../service/store/listState.ts';
import { runCommand } from '../runCommand.ts';
import type { DetailsDeps } from './detailsNeeds.ts';
import { PageChannel, type PageRequest } from './pageChannel.ts';

const viewType = 'transcriptionJobs.comparison';

/** What a comparison can lead to. */
export interface ComparisonActions {
  openJob(job: Job): void;
  openDiff(left: Job, right: Job): Promise<void>;
}

/** Live sessions side by side on a page of their own. Follows their changes; gone with its panel. */
export class ComparisonPanel implements vscode.Disposable {
  readonly #channel: PageChannel;
  readonly #needs: DetailsDeps;
  readonly #actions: ComparisonActions;
  readonly #connection: string | undefined;
  readonly #listeners: readonly { dispose(): void }[];
  #jobs: readonly Job[];

  /** @param jobs at least two. */
  constructor(jobs: readonly Job[], needs: DetailsDeps, actions: ComparisonActions) {
    this.#jobs = jobs;
    this.#needs = needs;
    this.#actions = actions;
    this.#connection = needs.connection.current?.name;
    const title = vscode.l10n.t('Compare {0} sessions', jobs.length);
    const panel = vscode.window.createWebviewPanel(viewType, title, vscode.ViewColumn.Active, {
      enableFindWidget: true,
    });
    this.#listeners = [
      needs.jobs.onDidChange((change) => this.#follow(change)),
      needs.onDidChangeFacts(() => this.#refresh()),
    ];
    this.#channel = new PageChannel(panel, 'comparison', needs, {
      ready: () => this.#refresh(),
      asks: (request) => {
        void runCommand(needs.log, () => this.#answer(request));
      },
    });
    panel.onDidDispose(() => this.dispose());
  }

  get panel(): vscode.WebviewPanel {
    return this.#channel.panel;
  }

  dispose(): void {
    for (const each of this.#listeners) each.dispose();
  }

  #follow(change: StoreChange): void {
    if (change.type === 'reset' || this.#needs.connection.current?.name !== this.#connection) return;
    if (!this.#jobs.some((job) => change.jobs.has(jobKey(job)))) return;
    this.#jobs = this.#jobs.map((job) => this.#needs.jobs.get(job.kind, job.id) ?? job);
    this.#refresh();
  }

  #refresh(): void {
    const sessions = this.#jobs.map((job) => ({ job, title: this.#needs.titleOf(job) }));
    this.#channel.send({
      type: 'comparison',
      view: compareSessions(sessions, this.#channel.locale),
      diffOffered: sessions.length === 2,
    });
  }

  async #answer(request: PageRequest): Promise<void> {
    const [left, right] = this.#jobs;
    if (request.type === 'openSession') {
      const job = this.#jobs[request.index];
      if (job !== undefined) this.#actions.openJob(job);
    } else if (request.type === 'openDiff' && left !== undefined && right !== undefined) {
      await this.#actions.openDiff(left, right);
    } else {
      this.#needs.log.debug(`a comparison asked for ${request.type}`);
    }
  }
}
