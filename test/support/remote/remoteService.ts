import { randomUUID } from 'node:crypto';
import { after } from 'node:test';
import type { ConnectionDefaults } from '../../../src/connections/common/connection.ts';
import {
  startSampleService,
  type SampleRequest,
  type SampleService,
  type SampleServiceOptions,
} from '../../../src/sample/sampleService.ts';
import { startFaultyService } from '../faults/faultyService.ts';
import type { Play, SeenRequest } from '../faults/faultServer.ts';
import { sharedEditor } from '../workbench/sharedEditor.ts';
import { serviceEnv, type ServiceAddress } from './serviceAddress.ts';

/** A service outside the editor, a connection to it, and a record of its requests. */
export interface RemoteService {
  readonly sample: SampleService;
  /** Every request, in order. */
  readonly requests: readonly SampleRequest[];
  /** The list requests since the last call, as `METHOD path?query`, without those of the attention monitor. */
  takeRequests(): string[];
  /** All requests since the last call. */
  takeAllRequests(): string[];
  /**
   * Plays this fault for every request, or for those that `which` selects, until it is called again without arguments.
   */
  break(play?: Play, which?: (request: SeenRequest) => boolean): void;
  /** Its connection, as in the user settings. */
  readonly connection: Readonly<Record<string, unknown>>;
  /** User settings that select its connection. */
  readonly userSettings: Readonly<Record<string, unknown>>;
  /** Environment variables that give the editor its key. */
  readonly env: Readonly<Record<string, string>>;
}

export interface RemoteServiceOptions {
  readonly count?: number;
  readonly clock?: () => number;
  /** True if done jobs have results; by default they have none. */
  readonly results?: boolean;
  /** Called with every job that a request creates. */
  readonly onSubmitted?: Required<SampleServiceOptions>['onSubmitted'];
  /** Plays for single requests, used unless {@link RemoteService.break} set one. */
  readonly faults?: (request: SeenRequest) => Play | undefined;
  /** By default a random one. */
  readonly address?: ServiceAddress;
  /** Name of the connection; by default `Remote`. */
  readonly name?: string;
  /** Further fields of the connection in the user settings. */
  readonly connection?: Partial<ConnectionDefaults>;
}

/** The requests for unfinished jobs, for the usual processing time, and for the proofs that a list of failures is complete. */
const forAttention =
  /&status=(queued&status=processing|processing&status=queued|done&status=error)$|&limit=2&(before_date=[^&]+&)?status=error$/;
/** The first request for unfinished jobs; a request for failures follows it, which is like one of the tree. */
const forUnfinished = /^(GET [^?]+\?offset=0&limit=\d+)&status=queued&status=processing$/;

/**
 * Starts a service with switchable faults for the tests of a file, and stops it after them. In an editor that files share
 * it listens where that editor expects it.
 */
export async function useRemoteService(options: RemoteServiceOptions = {}): Promise<RemoteService> {
  const address = sharedEditor()?.service;
  const { stop, ...service } = await startRemoteService({ ...(address && { address }), ...options });
  after(stop);
  return service;
}

/** Starts a service with switchable faults. The caller stops it. */
export async function startRemoteService(
  options: RemoteServiceOptions = {},
): Promise<RemoteService & { readonly stop: () => Promise<void> }> {
  const requests: SampleRequest[] = [];
  let taken = 0;
  let fault: (request: SeenRequest) => Play | undefined = () => undefined;
  const take = (): string[] => {
    const fresh = requests.slice(taken);
    taken = requests.length;
    return fresh.map(({ method, path }) => `${method} ${path}`);
  };
  /** Removes the requests of the attention monitor. */
  const ofOthers = (lines: readonly string[]): string[] => {
    const others: string[] = [];
    for (const line of lines) {
      const [, request] = forUnfinished.exec(line) ?? [];
      if (request !== undefined) expected.push(`${request}&status=error`);
      const at = expected.indexOf(line);
      if (at >= 0) expected.splice(at, 1);
      else if (!forAttention.test(line)) others.push(line);
    }
    return others;
  };
  const expected: string[] = [];
  const { port = 0, key = randomUUID() } = options.address ?? {};
  const { name = 'Remote' } = options;
  const sample = await startSampleService({
    ...options,
    key,
    onRequest: (request) => void requests.push(request),
  });
  const faulty = await startFaultyService({
    target: sample.baseUrl,
    faults: (request) => fault(request) ?? options.faults?.(request),
    port,
  });
  const connection = { name, baseUrl: faulty.origin, ...options.connection };
  return {
    stop: async () => {
      await faulty.stop();
      await sample.stop();
    },
    sample,
    requests,
    takeRequests: () => ofOthers(take()),
    takeAllRequests: take,
    break: (play, which = () => true) => {
      fault = (request) => (which(request) ? play : undefined);
    },
    connection,
    userSettings: {
      'transcriptionJobs.connections': [connection],
      'transcriptionJobs.connection': name,
      'transcriptionJobs.autoRefresh.intervalSeconds': 0,
    },
    env: serviceEnv({ port: Number(new URL(faulty.origin).port), key }),
  };
}
