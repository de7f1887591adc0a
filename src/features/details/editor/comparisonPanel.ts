import * as vscode from 'vscode';
import { isFailure } from '../../../base/failure.ts';
import { failureSentence } from '../../../base/failureText.ts';
import { compareJobFacts, compareSessions } from '../common/compareSessions.ts';
import { maxCompared } from '../../../jobs/common/maxCompared.ts';
import { isJobKind, jobKey, type Job } from '../../../jobs/common/job.ts';
import {
  pageToHost,
  type AbsentView,
  type ComparedSessions,
  type HostToPage,
  type PageToHost,
} from '../common/protocol.ts';
import { DisposableOwner } from '../../../base/disposable.ts';
import type { StoreChange } from '../../../jobs/node/store/listState.ts';
import { runQuietly } from '../../../platform/editor/runCommand.ts';
import { WebviewChannel } from '../../../platform/editor/webviewChannel.ts';
import type { Services } from '../../../services.ts';

/** Actions of the comparison webview. */
export interface ComparisonActions {
  openJob(job: Job): unknown;
  openDiff(left: Job, right: Job): Promise<void>;
}

/** Webview that compares live sessions, or other jobs of one kind, side by side. Follows their changes and is disposed with its panel. */
export class ComparisonPanel extends DisposableOwner {
  readonly #panel: vscode.WebviewPanel;
  readonly #channel: WebviewChannel<HostToPage, PageToHost>;
  readonly #services: Services;
  readonly #actions: ComparisonActions;
  readonly #sessions: ComparedSessions;
  readonly #kind: string;
  /** Known jobs, by ID. */
  readonly #jobs: Map<string, Job>;
  /** Search for the missing jobs. */
  #search: AbortController | undefined;
  /** Result of the last search. */
  #searched: string | undefined;
  /** The missing jobs are searched by their creation times once, without a request of the user. */
  #isSearchedByTime = false;

  /** @param jobs known jobs of the sessions. A restored webview looks them up among the loaded ones. */
  constructor(
    panel: vscode.WebviewPanel,
    sessions: ComparedSessions,
    jobs: readonly Job[],
    services: Services,
    actions: ComparisonActions,
  ) {
    super();
    this.#panel = panel;
    this.#sessions = sessions;
    this.#kind = sessions.kind ?? 'live';
    this.#jobs = new Map(jobs.map((job) => [job.id, job]));
    this.#services = services;
    this.#actions = actions;
    panel.title = this.#title();
    this.#takeLoaded();
    this.#channel = this.own(
      new WebviewChannel(panel, 'job', pageToHost, services, {
        onReady: (language) => {
          this.#channel.send({ type: 'hello', ...language });
          this.refresh();
        },
        onMessage: (request) => this.#answer(request),
      }),
    );
    this.#channel.load();
    this.own({ dispose: () => this.#search?.abort() });
    this.own(panel.onDidDispose(() => this.dispose()));
  }

  /** Applies a store change. Sessions that left the store stay visible unchanged. */
  follow(change: StoreChange): void {
    const isComplete = this.#jobs.size === this.#sessions.ids.length;
    if (change.type === 'reset' && !isComplete) this.refresh();
    if (change.type === 'reset' || !this.#isOfCurrentConnection()) return;
    if (isComplete && !this.#sessions.ids.some((id) => change.jobs.has(jobKey({ kind: this.#kind, id })))) return;
    if (this.#takeLoaded()) this.refresh();
  }

  /** Sends everything again, for example after labels changed. */
  refresh(): void {
    const jobs = this.#sessions.ids.flatMap((id) => this.#jobs.get(id) ?? []);
    const sessions = this.#sessions;
    if (jobs.length < sessions.ids.length) {
      if (this.#canSearchByTime()) {
        this.#isSearchedByTime = true;
        void runQuietly(this.#services.log, () => this.#find('byTime'));
        return;
      }
      this.#channel.send({ type: 'absentSessions', sessions, view: this.#absentView() });
      return;
    }
    const titled = jobs.map((job) => ({ job, title: this.#services.facts.titleOf(job) }));
    const { locale } = this.#channel;
    this.#channel.send({
      type: 'comparison',
      sessions,
      view:
        this.#kind === 'live'
          ? compareSessions(titled, locale)
          : compareJobFacts(titled, { locale, errorLabels: this.#services.facts.errorLabels }),
      diffOffered: jobs.length === 2,
    });
  }

  /** Takes over loaded jobs. Returns true if any session has changed. */
  #takeLoaded(): boolean {
    if (!this.#isOfCurrentConnection()) return false;
    let isChanged = false;
    for (const id of this.#sessions.ids) {
      const job = this.#services.jobs.get(this.#kind, id);
      if (job === undefined || job === this.#jobs.get(id)) continue;
      this.#jobs.set(id, job);
      isChanged = true;
    }
    return isChanged;
  }

  #canSearchByTime(): boolean {
    if (this.#isSearchedByTime || this.#search !== undefined || !this.#panel.visible) return false;
    const missing = this.#sessions.ids.filter((id) => !this.#jobs.has(id));
    const areTimesKnown = missing.length <= maxCompared && missing.every((id) => this.#createdAtMs(id) !== undefined);
    return areTimesKnown && this.#isOfCurrentConnection() && this.#services.connections.state.type === 'ready';
  }

  #createdAtMs(id: string): number | undefined {
    return this.#sessions.createdAtMs?.[this.#sessions.ids.indexOf(id)];
  }

  #isOfCurrentConnection(): boolean {
    return this.#services.connections.current?.name === this.#sessions.connection;
  }

  #title(): string {
    const { length } = this.#sessions.ids;
    return this.#kind === 'live'
      ? vscode.l10n.t('Compare {0} sessions', length)
      : vscode.l10n.t('Compare {0} jobs', length);
  }

  #absentView(): AbsentView {
    const { l10n } = vscode;
    const { connection } = this.#sessions;
    const title = this.#title();
    if (!this.#isOfCurrentConnection()) {
      const text = l10n.t('These jobs belong to the connection {0}. Switch to it to see them.', connection);
      return { title, text, search: 'none' };
    }
    if (this.#search !== undefined) return { title, text: l10n.t('Searching for these jobs…'), search: 'running' };
    return { title, text: this.#searched ?? l10n.t('These jobs are not loaded.'), search: 'offered' };
  }

  async #answer(request: PageToHost): Promise<void> {
    const { ids } = this.#sessions;
    const [left, right] = ids.map((id) => this.#jobs.get(id));
    if (request.type === 'openSession') {
      const job = this.#jobs.get(ids[request.index] ?? '');
      if (job !== undefined) await this.#actions.openJob(job);
    } else if (request.type === 'openDiff' && left !== undefined && right !== undefined) {
      await this.#actions.openDiff(left, right);
    } else if (request.type === 'search') {
      await this.#find('all');
    } else if (request.type === 'cancelSearch') {
      this.#search?.abort();
      this.#search = undefined;
      this.refresh();
    } else {
      this.#services.log.debug(`a comparison asked for ${request.type}`);
    }
  }

  /**
   * Searches the service for the sessions that are not loaded: with one request each by their times of creation, or in all ways. Shows a
   * failure in the webview, where the search was started.
   */
  async #find(how: 'byTime' | 'all'): Promise<void> {
    if (this.#search !== undefined || !this.#isOfCurrentConnection()) return;
    const running = new AbortController();
    this.#search = running;
    this.refresh();
    let end: string | undefined;
    try {
      for (const id of this.#sessions.ids.filter((each) => !this.#jobs.has(each))) {
        const job = await this.#findOne(id, how, running.signal);
        if (job !== undefined) this.#jobs.set(id, job);
        else end = vscode.l10n.t('Not every job was found among the jobs searched.');
      }
    } catch (error) {
      if (!isFailure(error)) throw error;
      // Another connection came into use.
      if (error.code === 'cancelled') this.#isSearchedByTime = false;
      else end = failureSentence(error);
    } finally {
      // Otherwise the search was cancelled.
      if (this.#search === running) {
        this.#search = undefined;
        this.#searched = end;
        this.refresh();
      }
    }
  }

  async #findOne(id: string, how: 'byTime' | 'all', signal: AbortSignal): Promise<Job | undefined> {
    const { service } = this.#services;
    const kind = this.#kind;
    const createdAtMs = this.#createdAtMs(id);
    return how === 'byTime' && isJobKind(kind)
      ? service.findCreated({ kind, id, createdAtMs }, signal)
      : service.findJob(kind, id, signal, { createdAtMs });
  }
}
