import type { Job } from '../../domain/jobs/job.ts';
import type { JobStore } from '../../service/store/jobStore.ts';
import type { Connection, PageSource } from '../../service/ports.ts';
import type { SubmitRoom } from '../submit/submitRoom.ts';

/** What agents' tools are made from. */
export interface ToolNeeds {
  readonly store: JobStore;
  /** The service of the connection in use. @throws Failure when there is none */
  readonly source: () => PageSource;
  readonly connection: () => Connection | undefined;
  /** Searches the service for a job, within bounds. @throws Failure */
  readonly find: (kind: string, id: string, signal: AbortSignal) => Promise<Job | undefined>;
  readonly submitRoom: () => Promise<SubmitRoom>;
}
