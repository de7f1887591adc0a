import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { JobStatus } from '../jobs/common/job.ts';
import { type SampleJobSpec, SampleJobs, type SampleLife } from './sampleJobs.ts';
import { type SampleRequest, sampleRequestListener } from './sampleRequestListener.ts';

export type { SampleRequest } from './sampleRequestListener.ts';

const host = '127.0.0.1';

/** Options of a sample service; all are optional. */
export interface SampleServiceOptions {
  /** The same seed, count and clock give the same jobs. Default: 1. */
  readonly seed?: number;
  /** Number of jobs at the start. Default: 240. */
  readonly count?: number;
  /** Selects whether jobs keep arriving, and sometimes get stuck; with an incident, one customer's jobs fail with one code. Default: none. */
  readonly life?: SampleLife;
  /**
   * True if done jobs have results, as a public service sends them. Beyond the contract, which does not show their content. Default: true
   * if jobs keep arriving.
   */
  readonly results?: boolean;
  /** The service's only clock, in epoch milliseconds. Default: `Date.now`. */
  readonly clock?: () => number;
  /** The only valid key. Default: a random one. */
  readonly key?: string;
  /** Time of the first start, in epoch milliseconds: the same jobs have continued since then. Default: now. */
  readonly startedAt?: number;
  /** Jobs that earlier requests created. Default: none. */
  readonly submitted?: readonly SampleJobSpec[];
  /** Called with every job that a request creates. */
  readonly onSubmitted?: (job: SampleJobSpec) => void;
  /** Called for every request on arrival. */
  readonly onRequest?: (request: SampleRequest) => void;
}

/** A running service on loopback with the interface of the contract. */
export interface SampleService {
  /** Origin with a random port; no slash at the end. */
  readonly baseUrl: string;
  readonly key: string;
  /** Adds a job at once; returns its id. */
  add(spec?: SampleJobSpec): string;
  /** Permanently sets the status of every job with this id. Returns the number of jobs. */
  setStatus(id: string, status: JobStatus): number;
  /** Removes every job with this id. Returns the number of jobs. */
  remove(id: string): number;
  /** Closes the port and every connection; may be called again. */
  stop(): Promise<void>;
}

/**
 * Keep-alive timeout. With Node's default of five seconds, a machine that stalls for that long closes connections on which
 * a request is arriving.
 */
const keptAliveMs = 120_000;

/**
 * Starts a sample service; the caller must stop it.
 * @throws RangeError for an invalid count; Error when no loopback port is available.
 */
export async function startSampleService(options: SampleServiceOptions = {}): Promise<SampleService> {
  const { seed = 1, count = 240, life = 'none', clock = Date.now, key = randomUUID(), onRequest } = options;
  const { results = life !== 'none', startedAt = clock(), submitted = [], onSubmitted } = options;
  if (!Number.isSafeInteger(count) || count < 0) throw new RangeError(`Not a number of jobs: ${count}`);
  const jobs = new SampleJobs(seed, count, startedAt, { life, hasResults: results, continuedAt: clock() });
  for (const each of submitted) jobs.add(each, startedAt);
  const server = createServer({ keepAliveTimeout: keptAliveMs }).listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The sample service has no port');
  const baseUrl = `http://${host}:${address.port}`;
  server.on('request', sampleRequestListener({ jobs, key, baseUrl, clock, onRequest, onSubmitted }));

  return {
    baseUrl,
    key,
    add: (spec = {}) => jobs.add(spec, clock()),
    setStatus: (id, status) => jobs.setStatus(id, status, clock()),
    remove: (id) => jobs.remove(id),
    stop: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
