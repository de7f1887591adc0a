import * as vscode from 'vscode';
import { compareSessions } from '../../domain/jobView/compareSessions.ts';
import { jobKey, type Job } from '../../domain/jobs/job.ts';
import { DisposableOwner } from '../../service/disposable.ts';
import type { StoreChange } from '../../service/store/listState.ts';
import { runCommand } from '../runCommand.ts';
import type { JobPanelDeps } from './jobPanel.ts';
import { PageChannel, type PageRequest } from './pageChannel.ts';

const viewType = 'transcriptionJobs.comparison';

/** Actions of the comparison webview. */
export interface ComparisonActions {
  openJob(job: Job): unknown;
  openDiff(left: Job, right: Job): Promise<void>;
}

/** Webview that compares live sessions side by side. Follows their changes; disposed with its panel. */
export class ComparisonPanel extends DisposableOwner {
  readonly #channel: PageChannel;
  readonly #deps: JobPanelDeps;
  readonly #actions: ComparisonActions;
  readonly #connection: string | undefined;
  #jobs: readonly Job[];

  /** @param jobs at least two. */
  constructor(jobs: readonly Job[], deps: JobPanelDeps, actions: ComparisonActions) {
    super();
    this.#jobs = jobs;
    this.#deps = deps;
    this.#actions = actions;
    this.#connection = deps.connection.current?.name;
    const title = vscode.l10n.t('Compare {0} sessions', jobs.length);
    const panel = vscode.window.createWebviewPanel(viewType, title, vscode.ViewColumn.Active, {
      enableFindWidget: true,
    });
    this.own(deps.jobs.onDidChange((change) => this.#follow(change)));
    this.own(deps.onDidChangeFacts(() => this.#refresh()));
    this.#channel = new PageChannel(panel, 'comparison', deps, {
      ready: () => this.#refresh(),
      asks: (request) => {
        void runCommand(deps.log, () => this.#answer(request));
      },
    });
    this.own(panel.onDidDispose(() => this.dispose()));
  }

  #follow(change: StoreChange): void {
    if (change.type === 'reset' || this.#deps.connection.current?.name !== this.#connection) return;
    if (!this.#jobs.some((job) => change.jobs.has(jobKey(job)))) return;
    this.#jobs = this.#jobs.map((job) => this.#deps.jobs.get(job.kind, job.id) ?? job);
    this.#refresh();
  }

  #refresh(): void {
    const sessions = this.#jobs.map((job) => ({ job, title: this.#deps.titleOf(job) }));
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
      if (job !== undefined) await this.#actions.openJob(job);
    } else if (request.type === 'openDiff' && left !== undefined && right !== undefined) {
      await this.#actions.openDiff(left, right);
    } else {
      this.#deps.log.debug(`a comparison asked for ${request.type}`);
    }
  }
}
