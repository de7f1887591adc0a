import type * as vscode from 'vscode';
import type { Job } from '../../domain/jobs/job.ts';
import type { Connection, Disposable, Log } from '../../service/ports.ts';
import type { StoreChange } from '../../service/store/listState.ts';

/** What the pages and documents about single jobs are made from. */
export interface DetailsNeeds {
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
