import type { ListKey } from '../../../src/jobs/common/listKey.ts';
import { HttpClient } from '../../../src/platform/http/httpClient.ts';
import { JobsApi } from '../../../src/jobs/node/api/jobsApi.ts';
import { JobStore } from '../../../src/jobs/node/store/jobStore.ts';
import type { Connection } from '../../../src/connections/common/connection.ts';
import type { Log } from '../../../src/base/log.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { connectionDefaults } from '../../support/builders/workConnection.ts';
import { ListReader } from '../../../src/jobs/node/list/listReader.ts';

/** The list that all measurements read. */
export const measuredList: ListKey = { kind: 'pre-recorded', status: 'done' };

const nothing = (): void => undefined;
const silent: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** The product's own path from the service to the rows, without the editor. */
export interface OpenStore {
  readonly store: JobStore;
  readonly lists: ListReader;
  readonly ids: () => readonly string[];
  /** Loads the measured list to its end, up to `max` jobs. */
  readonly loadAll: (max: number) => Promise<void>;
  readonly dispose: () => void;
}

/** Opens a store on a service. The caller disposes it. */
export function openStore(baseUrl: string, pageSize: number): OpenStore {
  const connection: Connection = { ...connectionDefaults, name: 'Bench', baseUrl, limit: pageSize };
  const surroundings = { clock: systemClock, log: silent, random: Math.random };
  const client = new HttpClient(connection, () => Promise.resolve('none'), surroundings);
  const api = new JobsApi(connection, client);
  const lists = new ListReader(() => Promise.resolve(api));
  const store = new JobStore(() => ({ ...connection, groupBy: 'status' }), systemClock, silent);
  store.use(lists);
  return {
    store,
    lists,
    ids: () => store.list(measuredList).jobs.entries.map((entry) => (entry.type === 'job' ? entry.id : '')),
    loadAll: (max) => store.loadAll(measuredList, max, new AbortController().signal, nothing),
    dispose: () => {
      store.dispose();
      client.dispose();
    },
  };
}
