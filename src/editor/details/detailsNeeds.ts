import * as vscode from 'vscode';
import type { Job } from '../../domain/jobs/job.ts';
import type { Connection, Log } from '../../service/ports.ts';
import type { Disposable } from '../../service/disposable.ts';
import type { StoreChange } from '../../service/store/listState.ts';
import { shortenId } from '../../domain/jobs/jobRow.ts';
import { commandIds } from '../ids.ts';
import { commandStep, UserError } from '../messages.ts';
import { withCancel } from '../progress.ts';

/** What the pages and documents about single jobs are made from. */
export interface DetailsDeps {
  readonly extensionUri: vscode.Uri;
  readonly log: Log;
  readonly jobs: {
    /** A loaded job, as it was observed last. */
    get(kind: string, id: string): Job | undefined;
    readonly onDidChange: (listener: (change: StoreChange) => void) => Disposable;
  };
  /** Searches the service for a job, within bounds. Throws Failure. */
  readonly find: (kind: string, id: string, signal: AbortSignal) => Promise<Job | undefined>;
  readonly connection: {
    /** The connection whose jobs `jobs` has. */
    readonly current: { readonly name: string } | undefined;
    /** Where requests of it really go. Throws Failure. */
    reach(): Promise<Connection>;
  };
  /** What a job is called in the tree. */
  readonly titleOf: (job: Job) => string;
  /** The user's words for error codes, by code. */
  readonly errorLabels: () => Readonly<Record<string, string>>;
  readonly editErrorLabel: (code: number) => unknown;
  /** Titles or labels may read differently now, or another connection is in use. */
  readonly onDidChangeFacts: (listener: () => void) => Disposable;
}

/** A job that need not be loaded, and the name of its connection. */
export interface NamedJob {
  readonly connection: string;
  readonly kind: string;
  readonly id: string;
}

/**
 * Opens a job; one that is not loaded is searched for, which can be cancelled.
 * @throws UserError when it belongs to another connection than the one in use, or is not found; Failure when it cannot be searched for
 */
export async function openNamedJob(
  { connection, kind, id }: NamedJob,
  { jobs, find, connection: inUse }: Pick<DetailsDeps, 'jobs' | 'find' | 'connection'>,
  openJob: (job: Job) => void,
): Promise<void> {
  const { l10n } = vscode;
  if (inUse.current?.name !== connection) {
    throw new UserError(l10n.t('This job belongs to the connection {0}. Switch to it to see the job.', connection), [
      commandStep(l10n.t('Switch Connection'), commandIds.switchConnection),
    ]);
  }
  const job =
    jobs.get(kind, id) ??
    (await withCancel(l10n.t('Searching for job {0}', shortenId(id)), (signal) => find(kind, id, signal)));
  if (job === undefined) throw new UserError(l10n.t('This job was not found among those searched.'));
  openJob(job);
}
