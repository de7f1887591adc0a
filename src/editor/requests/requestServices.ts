import type { Job } from '../../domain/jobs/job.ts';
import type { Connection, Log } from '../../service/ports.ts';
import type { Clock } from '../../service/clock.ts';
import type { Settings } from '../settings.ts';

/** What request files need of the rest of the extension. */
export interface RequestDeps {
  readonly log: Log;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'get' | 'onDidChange' | 'connectionDefaults'>;
  /** The jobs that are loaded. */
  readonly loadedJobs: () => Iterable<Job>;
  /** The connection that a submit would use; undefined when there is none. */
  readonly connection: () => Pick<Connection, 'name' | 'baseUrl' | 'apiKeyHeader'> | undefined;
  /** The job that a command was called on, or the selected one; undefined when there is none. */
  readonly chosenJob: (given: readonly unknown[]) => Job | undefined;
}
