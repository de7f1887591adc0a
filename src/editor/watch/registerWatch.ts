import * as vscode from 'vscode';
import type { JournalOwner } from '../../domain/submission/submission.ts';
import { commandIds } from '../ids.ts';
import { registerCommand, runQuietly } from '../runCommand.ts';
import { isAnythingStored } from './watchMemory.ts';
import type { Watchable, WatchDeps } from './watchNeeds.ts';
import type { JobWatching } from './jobWatching.ts';

/** Watching jobs until they are final. */
export interface Watch extends vscode.Disposable {
  /** Begins to watch. Jobs beyond the bound are left out, which is told. */
  watch(connection: JournalOwner, jobs: readonly Watchable[]): void;
}

/** Registers `watchJob` and `showWatched`. What watches is loaded with the first job, or when there were some before a reload. */
export function registerWatch(needs: WatchDeps): Watch {
  const { log } = needs;
  let loading: Promise<JobWatching> | undefined;
  const room = (): Promise<JobWatching> => {
    loading ??= import('./jobWatching.ts').then((loaded) => new loaded.JobWatching(needs));
    return loading;
  };
  const quietly = (body: (watching: JobWatching) => void): void => void runQuietly(log, async () => body(await room()));
  if (isAnythingStored(needs.memory)) quietly(() => undefined);
  const commands = vscode.Disposable.from(
    registerCommand(log, commandIds.watchJob, async (...given) => {
      const jobs = needs.jobsOf(given);
      (await room()).watchListed(jobs);
    }),
    registerCommand(log, commandIds.showWatched, async () => (await room()).show()),
  );
  return {
    watch: (connection, jobs) => quietly((watching) => watching.watch(connection, jobs)),
    dispose: () => {
      commands.dispose();
      void loading?.then((watching) => watching.dispose());
    },
  };
}
