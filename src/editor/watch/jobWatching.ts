import * as vscode from 'vscode';
import { originOf } from '../../domain/connection/connectionInput.ts';
import { isJobKind, isUnfinished, type Job } from '../../domain/jobs/job.ts';
import type { JournalOwner } from '../../domain/submission/submission.ts';
import { finishedText, givenUpText, hasFailed } from '../../domain/watch/watchText.ts';
import {
  type FinishedJob,
  type GivenUpJob,
  storedWatchedJobs,
  watchKey,
  type WatchedJob,
} from '../../domain/watch/watchPlan.ts';
import { JobWatcher } from '../../service/watch/jobWatcher.ts';
import { runCommand, runQuietly } from '../runCommand.ts';
import { showMessage, type NextStep, UserError } from '../messages.ts';
import { openOne, showWatched } from './showWatched.ts';
import { restoreStored, type Watchable, type WatchDeps } from './watchNeeds.ts';
import { UnseenFailures, WatchStatus } from './unseenFailures.ts';
import { watchMemory } from './watchMemory.ts';

/** Watches jobs until they are final, goes on with what was watched before a reload, and tells how it ends. */
export class JobWatching implements vscode.Disposable {
  readonly #needs: WatchDeps;
  readonly #watcher: JobWatcher;
  readonly #failures: UnseenFailures;
  readonly #status = new WatchStatus();
  readonly #owned: vscode.Disposable;

  constructor(needs: WatchDeps) {
    const { log, clock, memory, inUse } = needs;
    this.#needs = needs;
    const watcher = new JobWatcher({
      clock,
      log,
      sourceOf: (job) => {
        const current = inUse();
        return current !== undefined && isAt(job, current.connection) ? current.source : undefined;
      },
      isFocused: () => vscode.window.state.focused,
      observing: () => needs.observing(),
    });
    this.#watcher = watcher;
    this.#failures = new UnseenFailures(needs);
    watcher.watch(restoreStored(needs, watchMemory.jobs, storedWatchedJobs));
    this.#status.show(watcher.watched);

    this.#owned = vscode.Disposable.from(
      watcher,
      this.#failures,
      this.#status,
      watcher.onDidChange(() => {
        this.#status.show(watcher.watched);
        void runQuietly(log, async () => memory.update(watchMemory.jobs, storedWatchedJobs.form(watcher.kept)));
      }),
      watcher.onDidFinish((finished) => this.#tellFinished(finished)),
      watcher.onDidGiveUp((givenUp) => void showMessage('warning', givenUpText(givenUp), [this.#openStep(givenUp)])),
      vscode.window.onDidChangeWindowState(() => watcher.wake()),
      needs.onDidChangeInUse(() => watcher.wake()),
    );
  }

  watch(connection: JournalOwner, jobs: readonly Watchable[]): void {
    const { clock } = this.#needs;
    const of = { connection: connection.name, origin: originOf(connection.baseUrl), sinceMs: clock.now(), misses: 0 };
    const taken = this.#watcher.watch(jobs.map((job) => ({ ...job, ...of })));
    if (taken < jobs.length) {
      const text = vscode.l10n.t('{0} of {1} jobs are watched, which is the most at a time.', taken, jobs.length);
      void showMessage('warning', text);
    }
  }

  /** Watches those jobs of the connection in use that can be, and says how many cannot. @throws UserError when none of them can. */
  watchListed(jobs: readonly Job[]): void {
    const { l10n } = vscode;
    const current = this.#needs.inUse();
    const [first] = jobs;
    if (current === undefined || first === undefined) return;
    const unfinished = jobs.filter(isUnfinished);
    if (unfinished.length === 0) {
      throw new UserError(
        jobs.length === 1
          ? l10n.t('"{0}" has finished already.', this.#needs.titleOf(first))
          : l10n.t('These jobs have finished already.'),
      );
    }
    const watchable = unfinished.flatMap((job) => this.#watchable(job));
    if (watchable.length === 0) throw new UserError(l10n.t('The service cannot be asked for jobs of this kind.'));
    this.watch(current.connection, watchable);
    const [finished, unknown] = [jobs.length - unfinished.length, unfinished.length - watchable.length];
    const leftOut = [
      ...(finished === 0 ? [] : [l10n.t('Not watched because they have finished already: {0}.', finished)]),
      ...(unknown === 0
        ? []
        : [l10n.t('Not watched because the service cannot be asked for their kind: {0}.', unknown)]),
    ];
    if (leftOut.length > 0) void showMessage('information', leftOut.join(' '));
  }

  async show(): Promise<void> {
    await showWatched(this.#watcher, this.#needs);
  }

  dispose(): void {
    this.#owned.dispose();
  }

  /** None of a kind that the service cannot be asked for. */
  #watchable(job: Job): readonly Watchable[] {
    const { kind, id, createdAtMs } = job;
    const undated = createdAtMs === undefined;
    return isJobKind(kind) ? [{ kind, id, createdAtMs, undated, label: this.#needs.titleOf(job) }] : [];
  }

  #tellFinished(finished: readonly FinishedJob[]): void {
    const { settings } = this.#needs;
    this.#failures.add(finished.filter(hasFailed).map((each) => watchKey(each.watched)));
    if (!settings.get('notifyWhenFinished')) return;
    const text = finishedText(finished, Object.fromEntries(settings.get('errorLabels')));
    void showMessage(finished.some(hasFailed) ? 'warning' : 'information', text, [this.#openStep(finished)]);
  }

  #openStep(jobs: readonly (FinishedJob | GivenUpJob)[]): NextStep {
    const { log, openJob } = this.#needs;
    const watched = jobs.map((each) => each.watched);
    return {
      title: jobs.length === 1 ? vscode.l10n.t('Open Job') : vscode.l10n.t('Open Job…'),
      run: () => runCommand(log, () => openOne(watched, openJob)),
    };
  }
}

function isAt(job: WatchedJob, { name, baseUrl }: JournalOwner): boolean {
  return job.connection === name && job.origin === originOf(baseUrl);
}
