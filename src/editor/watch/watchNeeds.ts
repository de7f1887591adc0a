import type * as vscode from 'vscode';
import type { Job } from '../../domain/jobs/job.ts';
import type { WatchedJob, StoredList } from '../../domain/watch/watchPlan.ts';
import type { Connection, Log, PageSource } from '../../service/ports.ts';
import type { Clock } from '../../service/clock.ts';
import type { NamedJob } from '../details/openNamedJob.ts';
import type { Settings } from '../settings.ts';
import { runQuietly } from '../runCommand.ts';
import { quarantine } from '../../service/quarantine.ts';

/** A job to be watched, as far as it is known. */
export type Watchable = Pick<WatchedJob, 'kind' | 'id' | 'label' | 'createdAtMs' | 'undated'>;

/** What watching jobs is made from. */
export interface WatchDeps {
  readonly log: Log;
  readonly clock: Clock;
  readonly settings: Settings;
  /** Of the workspace: the window that began to watch goes on after a reload, and no other tells the same. */
  readonly memory: vscode.Memento;
  /** The connection in use and its lists; undefined when nothing can be asked now. The same lists for the same connection. */
  readonly inUse: () => { readonly connection: Connection; readonly source: PageSource } | undefined;
  readonly onDidChangeInUse: vscode.Event<unknown>;
  /** Called before the service is asked; what it returns takes in what was seen of a job. */
  readonly observing: () => (job: Job) => void;
  /** The jobs that a row command is about. */
  readonly jobsOf: (given: readonly unknown[]) => readonly Job[];
  /** What a job is called in the tree. */
  readonly titleOf: (job: Job) => string;
  readonly view: Pick<vscode.TreeView<unknown>, 'visible' | 'onDidChangeVisibility'>;
  readonly setBadge: (badge: vscode.ViewBadge | undefined) => void;
  /** @throws UserError or Failure */
  readonly openJob: (job: NamedJob) => unknown;
}

/** What was kept under a name before a reload. Set aside when it cannot be read, for it is about to be overwritten. */
export function restoreStored<T>(
  { log, memory }: Pick<WatchDeps, 'log' | 'memory'>,
  name: string,
  kept: StoredList<T>,
): readonly T[] {
  const value = memory.get<unknown>(name);
  if (value === undefined) return [];
  const restored = kept.read(value);
  if (restored !== undefined) return restored;
  const listName = `${name}.setAside`;
  log.warn(`what is kept as ${name} cannot be read; it is set aside as ${listName}`);
  void runQuietly(log, async () => quarantine(memory, name, listName, value));
  return [];
}
