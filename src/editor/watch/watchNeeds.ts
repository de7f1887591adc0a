import type * as vscode from 'vscode';
import type { Job } from '../../domain/jobs/job.ts';
import type { WatchedJob } from '../../domain/watch/watchPlan.ts';
import type { Clock, Connection, Log, PageSource } from '../../service/ports.ts';
import type { NamedJob } from '../details/openNamedJob.ts';
import type { Settings } from '../settings.ts';

/** A job to be watched, as far as it is known. */
export type Watchable = Pick<WatchedJob, 'kind' | 'id' | 'label' | 'createdAtMs' | 'undated'>;

/** What watching jobs is made from. */
export interface WatchNeeds {
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
