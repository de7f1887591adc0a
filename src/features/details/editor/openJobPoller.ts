import * as vscode from 'vscode';
import { isFailure } from '../../../base/failure.ts';
import { isJobKind, isSameContent, isUnfinished, jobKey, type Job } from '../../../jobs/common/job.ts';
import { DisposableOwner, type Disposable } from '../../../base/disposable.ts';
import { pollDelayMs } from '../../../jobs/node/store/jobPoller.ts';
import { runQuietly } from '../../../platform/editor/runCommand.ts';
import type { Services } from '../../../services.ts';

/** Page whose job is polled. */
export interface PolledPage {
  readonly panel: vscode.WebviewPanel;
  /** Shown job; undefined if there is none, or it belongs to another connection. */
  readonly job: Job | undefined;
  /** Shows a newer state of the job that no list has. */
  take(job: Job): void;
  /** Sets whether the service does not return the job any more. */
  setMissing(isMissing: boolean): void;
}

/** Part of the editor's window that polling needs. */
type WindowFocus = Pick<typeof vscode.window, 'state' | 'onDidChangeWindowState'>;

/**
 * Polls the job of a page, with one request at the interval of automatic refresh, while the page is visible, the job is unfinished, and no
 * polled list shows it. Without this, an open page would keep counting after its job has ended and left the open lists.
 * Has one timer while it polls, and none otherwise.
 */
export class OpenJobPoller extends DisposableOwner {
  readonly #page: PolledPage;
  readonly #services: Services;
  readonly #window: WindowFocus;
  #timer: Disposable | undefined;
  #reading: AbortController | undefined;
  #job: Job | undefined;
  #lastMs = 0;
  #failures = 0;
  #retryAtMs: number | undefined;
  #wasWatched = true;

  constructor(page: PolledPage, services: Services, window: WindowFocus = vscode.window) {
    super();
    this.#page = page;
    this.#services = services;
    this.#window = window;
    this.own({ dispose: () => this.#stop() });
    this.own(page.panel.onDidChangeViewState(() => this.replan()));
    this.own(window.onDidChangeWindowState(() => this.replan()));
    this.own(services.settings.onDidChange(() => this.replan()));
  }

  /** Reschedules the next request. Call it when the page may show another job or state. */
  replan(): void {
    const { clock, settings } = this.#services;
    const { job, panel } = this.#page;
    // A job that a list read again without a change keeps its schedule.
    if (!isSameState(job, this.#job)) {
      this.#stop();
      this.#lastMs = clock.now();
      this.#failures = 0;
      this.#retryAtMs = undefined;
    }
    this.#job = job;
    this.#timer?.dispose();
    this.#timer = undefined;
    if (this.isDisposed || this.#reading !== undefined || job === undefined || !isSoughtLater(job)) return;
    const { focused } = this.#window.state;
    const isWatched = panel.visible && focused;
    const delayMs = pollDelayMs({
      intervalMs: settings.get('autoRefresh.intervalSeconds') * 1000,
      visible: panel.visible,
      focused,
      unfinished: true,
      nowMs: clock.now(),
      lastMs: this.#lastMs,
      failures: this.#failures,
      retryAtMs: this.#retryAtMs,
      returned: isWatched && !this.#wasWatched,
    });
    if (!isWatched) this.#wasWatched = false;
    if (delayMs === undefined) return;
    this.#timer = clock.after(delayMs, () => void runQuietly(this.#services.log, () => this.#poll(job)));
  }

  async #poll(job: Job): Promise<void> {
    const reading = (this.#reading = new AbortController());
    this.#wasWatched = true;
    try {
      if (this.#services.actions.tree.isListed(job)) this.#page.setMissing(false);
      else await this.#read(job, reading.signal);
    } finally {
      // An aborted request does not change the schedule.
      if (!reading.signal.aborted) {
        this.#reading = undefined;
        this.#lastMs = this.#services.clock.now();
        this.replan();
      }
    }
  }

  async #read({ kind, id, createdAtMs }: Job, signal: AbortSignal): Promise<void> {
    if (!isJobKind(kind)) return;
    const end = this.#services.jobs.observing();
    let found: Job | undefined;
    try {
      found = await this.#services.service.findCreated({ kind, id, createdAtMs }, signal);
      if (!signal.aborted) this.#failures = found === undefined ? this.#failures + 1 : 0;
    } catch (error) {
      if (signal.aborted) return;
      this.#failures++;
      if (!isFailure(error)) throw error;
      this.#retryAtMs = error.facts.retryAtMs;
      return;
    } finally {
      end(found === undefined ? [] : [found]);
    }
    const shown = this.#page.job;
    if (signal.aborted || shown === undefined || shown !== this.#job) return;
    this.#page.setMissing(found === undefined);
    if (found !== undefined && !isSameContent(found, shown)) this.#page.take(found);
  }

  #stop(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#reading?.abort();
    this.#reading = undefined;
  }
}

/** True if the service can be queried for a newer state of a job: it is unfinished, of a known kind, and has a creation time. */
function isSoughtLater(job: Job): boolean {
  return isUnfinished(job) && isJobKind(job.kind) && job.createdAtMs !== undefined;
}

function isSameState(job: Job | undefined, other: Job | undefined): boolean {
  if (job === undefined || other === undefined) return job === other;
  return jobKey(job) === jobKey(other) && isSameContent(job, other);
}
