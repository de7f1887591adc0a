import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { JobStatus } from '../domain/jobs/job.ts';
import { type SampleJobSpec, SampleJobs } from './sampleJobs.ts';
import { type SampleRequest, sampleRequestListener } from './sampleRequestListener.ts';

export type { SampleJobSpec } from './sampleJobs.ts';
export type { SampleRequest } from './sampleRequestListener.ts';

const host = '127.0.0.1';

/** How to start a sample service; nothing is needed. */
export interface SampleServiceOptions {
  /** The same seed, count and clock give the same jobs. Default: 1. */
  readonly seed?: number;
  /** How many jobs there are at the start. Default: 240. */
  readonly count?: number;
  /** Epoch milliseconds; all that the service knows of time. Default: `Date.now`. */
  readonly clock?: () => number;
  /** The only key that is let in. Default: a random one. */
  readonly key?: string;
  /** Is told of every request as it arrives. */
  readonly onRequest?: (request: SampleRequest) => void;
}

/** A running service on loopback with the interface of the contract. */
export interface SampleService {
  /** Origin with a random port; no slash at the end. */
  readonly baseUrl: string;
  readonly key: string;
  /** Adds a job at once; returns its id. */
  add(spec?: SampleJobSpec): string;
  /** Gives every job with this id a status that it keeps. Returns how many there were. */
  setStatus(id: string, status: JobStatus): number;
  /** Takes every job with this id away. Returns how many there were. */
  remove(id: string): number;
  /** Closes the port and every connection; may be called again. */
  stop(): Promise<void>;
}

/**
 * How long an idle connection stays open. With Node's own five seconds, a machine that stands still for as long as that lets the service
 * close a connection on which a request is just coming.
 */
const keptAliveMs = 120_000;

/**
 * Starts a sample service; whoever starts it stops it.
 * @throws RangeError for a count that is none; Error when loopback has no port to give.
 */
export async function startSampleService(options: SampleServiceOptions = {}): Promise<SampleService> {
  const { seed = 1, count = 240, clock = Date.now, key = randomUUID(), onRequest } = options;
  if (!Number.isSafeInteger(count) || count < 0) throw new RangeError(`Not a number of jobs: ${count}`);
  const jobs = new SampleJobs(seed, count, clock());
  const server = createServer({ keepAliveTimeout: keptAliveMs }).listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The sample service has no port');
  const baseUrl = `http://${host}:${address.port}`;
  server.on('request', sampleRequestListener({ jobs, key, baseUrl, clock, onRequest }));

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
