import type * as vscode from 'vscode';
import type { Job } from '../../domain/jobs/job.ts';
import type { RowFacts } from '../../domain/jobs/jobRow.ts';
import type { Locale } from '../../domain/format.ts';
import type { JobStore } from '../../service/store/jobStore.ts';
import type { Connection, Log, PageSource } from '../../service/ports.ts';
import type { Clock } from '../../service/clock.ts';
import type { ConnectionFilters } from './connectionFilters.ts';

/** What the commands around the tree are made from. */
export interface BrowseDeps {
  readonly log: Log;
  readonly store: JobStore;
  readonly clock: Clock;
  readonly connection: { readonly current: Connection | undefined; readonly onDidChange: vscode.Event<unknown> };
  /** The service of the connection in use. @throws Failure `noConnection` or `noKey` */
  readonly source: () => PageSource;
  readonly filters: ConnectionFilters;
  readonly locale: Locale;
  readonly facts: () => RowFacts;
  /** Brings a loaded job's row into sight. */
  readonly reveal: (job: Job) => Promise<void>;
  readonly openJob: (job: Job) => unknown;
}
