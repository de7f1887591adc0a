import * as vscode from 'vscode';
import { originOf } from '../../../connections/common/connectionInput.ts';
import { isJobKind, isUnfinished, type Job } from '../../../jobs/common/job.ts';
import type { JournalOwner } from '../../../jobs/common/submission.ts';
import type { FinishedBatch } from '../../submit/common/batch.ts';
import { finishedText, givenUpText, hasFailed, hasLosses } from '../common/watchText.ts';
import {
  type FinishedJob,
  type GivenUpJob,
  storedWatchedJobs,
  watchKey,
  watchMemory,
  type WatchedJob,
  type Watchable,
} from '../common/watchPlan.ts';
import { JobWatcher } from '../node/jobWatcher.ts';
import { commandIds } from '../../../platform/editor/ids.ts';
import { registerCommand, runCommand, runQuietly } from '../../../platform/editor/runCommand.ts';
import { showMessage, type NextStep, UserError } from '../../../platform/editor/messages.ts';
import { openOne, showWatched } from './showWatched.ts';
import { UnseenFailures, WatchStatus } from './unseenFailures.ts';
import { readStored } from '../../../base/stateStore.ts';
import { DisposableOwner } from '../../../base/disposable.ts';
import type { Services } from '../../../services.ts';

/** Registers the watching of jobs. */
export function registerWatching(services: Services): JobWatching {
  const { log, actions } = services;
  const watching = new JobWatching(services);
  const watch = (...given: readonly unknown[]): void => watching.watchListed(actions.tree.chosenJobs(given));
  watching.own(registerCommand(log, commandIds.watchJob, watch));
  watching.own(registerCommand(log, commandIds.showWatched, () => watching.show()));
  actions.provide('watch', {
    watchJobs: (connection, jobs) => watching.watch(connection, jobs),
    watchListed: (jobs) => watching.watchListed(jobs),
    watchWanted: (connection, jobs) => watching.watchWanted(connection, jobs),
  });
  return watching;
}

/** Watches jobs until they are final, resumes after a reload, and reports how they end. */
export class JobWatching extends DisposableOwner {
  readonly #services: Services;
  readonly #watcher: JobWatcher;
  readonly #failures: UnseenFailures;
  readonly #status = this.own(new WatchStatus());
  /** Jobs whose files are reported instead, by `watchKey`. */
  readonly #delivered = new Set<string>();

  constructor(services: Services) {
    super();
    const { log, clock, workspaceState, service, jobs, connections } = services;
    this.#services = services;
    const watcher = this.own(
      new JobWatcher({
        clock,
        log,
        sourceOf: (job) => {
          const current = service.current;
          return current !== undefined && isAt(job, current.connection) ? current.source : undefined;
        },
        deliver: async (watched, job) => {
          const result = await services.actions.deliver.deliver(watched, job);
          if (result === 'delivered') this.#delivered.add(watchKey(watched));
          return result === 'held';
        },
        isFocused: () => vscode.window.state.focused,
        observing: () => jobs.observing(),
      }),
    );
    this.#watcher = watcher;
    this.#failures = this.own(new UnseenFailures(services));
    const restored = readStored(workspaceState, watchMemory.jobs, storedWatchedJobs.decode, (line) => {
      log.warn(line);
      const sentence = vscode.l10n.t(
        'The list of watched jobs is damaged or from another version. It was set aside, and its jobs are not watched.',
      );
      void showMessage('warning', sentence);
    });
    watcher.watch(restored ?? []);
    this.#status.show(watcher.watched);

    this.own(
      watcher.onDidChange(() => {
        this.#status.show(watcher.watched);
        void runQuietly(log, async () => workspaceState.update(watchMemory.jobs, storedWatchedJobs.form(watcher.kept)));
      }),
    );
    this.own(watcher.onDidFinish((finished) => void runQuietly(log, () => this.#showFinished(finished))));
    this.own(
      watcher.onDidGiveUp((givenUp) => {
        void runQuietly(log, () => this.#showGivenUp(givenUp));
      }),
    );
    this.own(vscode.window.onDidChangeWindowState(() => watcher.wake()));
    this.own(connections.onDidChange(() => watcher.wake()));
  }

  /** Starts watching. Jobs beyond the limit are omitted and reported. */
  watch(connection: JournalOwner, jobs: readonly Watchable[]): void {
    const watchable = this.#watchableOf(connection, jobs);
    const taken = this.#watcher.watch(watchable);
    if (taken < jobs.length) {
      const { log, actions } = this.#services;
      const watched = new Set(this.#watcher.watched.map(watchKey));
      const omitted = watchable.filter((job) => !watched.has(watchKey(job)));
      void runQuietly(log, () => actions.deliver.queueFiles(connection, omitted));
      const text = vscode.l10n.t('{0} of {1} jobs are watched, the maximum at a time.', taken, jobs.length);
      void showMessage('warning', text);
    }
  }

  /** Watches these jobs, at most as many as can still be watched. `sinceMs` is the time of their submission. */
  watchWanted(connection: JournalOwner, jobs: readonly (Watchable & Pick<WatchedJob, 'sinceMs'>)[]): void {
    this.#watcher.watch(this.#watchableOf(connection, jobs));
  }

  #watchableOf(connection: JournalOwner, jobs: readonly Watchable[]): readonly WatchedJob[] {
    const { name, baseUrl } = connection;
    const owner = { connection: name, origin: originOf(baseUrl), sinceMs: this.#services.clock.now(), misses: 0 };
    return jobs.map((job) => ({ ...owner, ...job }));
  }

  /** Watches the jobs of the current connection that can be watched and reports how many cannot. @throws UserError when none can */
  watchListed(jobs: readonly Job[]): void {
    const { l10n } = vscode;
    const current = this.#services.service.current;
    const [first] = jobs;
    if (current === undefined || first === undefined) return;
    const unfinished = jobs.filter(isUnfinished);
    if (unfinished.length === 0) {
      throw new UserError(
        jobs.length === 1
          ? l10n.t('"{0}" has already finished.', this.#services.facts.titleOf(first))
          : l10n.t('These jobs have already finished.'),
      );
    }
    const watchable = unfinished.flatMap((job) => this.#watchable(job));
    if (watchable.length === 0) throw new UserError(l10n.t('The service has no list of jobs of this kind.'));
    this.watch(current.connection, watchable);
    const [finished, unknown] = [jobs.length - unfinished.length, unfinished.length - watchable.length];
    const leftOut = [
      ...(finished === 0 ? [] : [l10n.t('Not watched because they have already finished: {0}.', finished)]),
      ...(unknown === 0 ? [] : [l10n.t('Not watched because the service has no list for their kind: {0}.', unknown)]),
    ];
    if (leftOut.length > 0) void showMessage('information', leftOut.join(' '));
  }

  async show(): Promise<void> {
    await showWatched(this.#watcher, this.#services);
  }

  /** Empty for a kind that cannot be requested from the service. */
  #watchable(job: Job): readonly Watchable[] {
    const { kind, id, createdAtMs } = job;
    const undated = createdAtMs === undefined;
    return isJobKind(kind) ? [{ kind, id, createdAtMs, undated, label: this.#services.facts.titleOf(job) }] : [];
  }

  async #showFinished(finished: readonly FinishedJob[]): Promise<void> {
    const { log, settings, actions } = this.#services;
    let batch: FinishedBatch | undefined;
    const noted = runQuietly(log, async () => {
      batch = await actions.submit.noteFinished(finished);
    });
    this.#failures.add(finished.filter(hasFailed).map((each) => watchKey(each.watched)));
    void runQuietly(log, () => actions.deliver.catchUpDeliveries());
    // Not reported twice.
    const others = finished
      .filter(({ watched }) => !this.#delivered.delete(watchKey(watched)))
      .map((each) => this.#named(each));
    await noted;
    if (others.length === 0 || !settings.get('notifyWhenFinished')) return;
    const page = batch && (await actions.submit.batchPage(batch.connection, batch.id));
    if (page?.isInFront === true) return;
    const text = batch?.outcome ?? finishedText(others, Object.fromEntries(settings.get('errorLabels')));
    const isWarning = batch?.outcome === undefined ? others.some(hasLosses) : batch.hasLosses;
    const showBatch = { title: vscode.l10n.t('Show Batch'), run: () => runCommand(log, () => page?.show()) };
    const step = page === undefined ? this.#openStep(others) : showBatch;
    void showMessage(isWarning ? 'warning' : 'information', text, [step]);
  }

  /** Names a job by its title if it has one. */
  #named({ watched, job }: FinishedJob): FinishedJob {
    const title = this.#services.facts.titleOf(job);
    return { watched: title === job.id ? watched : { ...watched, label: title }, job };
  }

  async #showGivenUp(givenUp: readonly GivenUpJob[]): Promise<void> {
    const { actions } = this.#services;
    const watchedOf = (reason: GivenUpJob['why']): readonly WatchedJob[] =>
      givenUp.flatMap(({ why, watched }) => (why === reason ? [watched] : []));
    await actions.deliver.abandonFiles(watchedOf('gone'));
    const reported = new Set(await actions.deliver.postponeFiles(watchedOf('tooLong')));
    const shown = givenUp.filter(({ why, watched }) => why === 'gone' || reported.has(watched));
    if (shown.length > 0) void showMessage('warning', givenUpText(shown), [this.#openStep(shown)]);
  }

  #openStep(jobs: readonly (FinishedJob | GivenUpJob)[]): NextStep {
    const { log, actions } = this.#services;
    const watched = jobs.map((each) => each.watched);
    return {
      title: jobs.length === 1 ? vscode.l10n.t('Open Job') : vscode.l10n.t('Open Job…'),
      run: () => runCommand(log, () => openOne(watched, (job) => actions.details.openNamedJob(job))),
    };
  }
}

function isAt(job: WatchedJob, { name, baseUrl }: JournalOwner): boolean {
  return job.connection === name && job.origin === originOf(baseUrl);
}
