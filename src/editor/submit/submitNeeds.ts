import type * as vscode from 'vscode';
import type { Job } from '../../domain/jobs/job.ts';
import type { Clock, Connection, Log, PageSource, RequestSink } from '../../service/ports.ts';
import type { NamedJob } from '../details/openNamedJob.ts';
import type { Settings } from '../settings.ts';
import type { Watch } from '../watch/registerWatch.ts';

/** The service in use. */
export interface ServiceInUse {
  /** As the user knows it. */
  readonly connection: Connection;
  readonly api: PageSource & RequestSink;
}

/** What submitting requests is made from. */
export interface SubmitNeeds {
  readonly log: Log;
  readonly clock: Clock;
  readonly settings: Settings;
  /** Where files may be kept that all windows share; on this machine's disk. */
  readonly storageUri: vscode.Uri;
  /** @throws Failure `noConnection`, or `noKey` when it is certain that there is none. */
  readonly service: () => ServiceInUse;
  /** The connection's true address, for commands that are run elsewhere. @throws Failure */
  readonly reach: () => Promise<Connection>;
  readonly watch: Watch['watch'];
  /** Brings the lists of a kind up to date, because there is a new job, and its row into sight when it is one. */
  readonly refresh: (kind: string, id?: string) => void;
  readonly titleOf: (job: Job) => string;
  /** @throws UserError or Failure */
  readonly openJob: (job: NamedJob) => unknown;
}
