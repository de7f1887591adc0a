import type { Job } from '../../domain/jobs/job.ts';
import type { JournalOwner } from '../../domain/submission/submission.ts';
import { DisposableOwner } from '../../service/disposable.ts';
import { watchMemory } from '../../service/watch/watchStore.ts';
import { commandIds } from '../ids.ts';
import { registerCommand, runQuietly } from '../runCommand.ts';
import type { JobWatching, Watchable, WatchDeps } from './jobWatching.ts';

/** Registers `watchJob` and `showWatched`. The watching code is imported with the first job, or when jobs were watched before a reload. */
export class WatchCommands extends DisposableOwner {
  readonly #deps: WatchDeps;
  #opening: Promise<JobWatching> | undefined;

  /** @param jobsOf the jobs that a command acts on. */
  constructor(deps: WatchDeps, jobsOf: (given: readonly unknown[]) => readonly Job[]) {
    super();
    this.#deps = deps;
    const { log, memory } = deps;
    this.own(registerCommand(log, commandIds.watchJob, (...given) => this.watchListed(jobsOf(given))));
    this.own(registerCommand(log, commandIds.showWatched, async () => (await this.#watching()).show()));
    // Unreadable data counts too: it must be reported.
    const isAnythingStored = [watchMemory.jobs, watchMemory.failures].some((name) => memory.get(name) !== undefined);
    if (isAnythingStored) void runQuietly(log, async () => void (await this.#watching()));
  }

  /** Starts watching. Jobs beyond the limit are omitted and reported. */
  watch(connection: JournalOwner, jobs: readonly Watchable[]): void {
    void runQuietly(this.#deps.log, async () => (await this.#watching()).watch(connection, jobs));
  }

  /** Watches jobs of the current connection that are unfinished. @throws UserError when none can be watched */
  async watchListed(jobs: readonly Job[]): Promise<void> {
    (await this.#watching()).watchListed(jobs);
  }

  #watching(): Promise<JobWatching> {
    return (this.#opening ??= import('./jobWatching.ts').then((loaded) =>
      this.own(new loaded.JobWatching(this.#deps)),
    ));
  }
}
