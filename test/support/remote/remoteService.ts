import { after } from 'node:test';
import { startSampleService, type SampleRequest, type SampleService } from '../../../src/sample/sampleService.ts';
import { startFaultyService } from '../faults/faultyService.ts';
import type { Play, SeenRequest } from '../faults/faultServer.ts';

/** A service outside the editor, a connection to it, and its own record of what it was asked. */
export interface RemoteService {
  readonly sample: SampleService;
  /** Every request that came, in order. */
  readonly requests: readonly SampleRequest[];
  /** The list requests since the last call, as `METHOD path?query`. */
  takeRequests(): string[];
  /** Plays this fault for every request, or for those that `which` names, until it is called again with nothing. */
  break(play?: Play, which?: (request: SeenRequest) => boolean): void;
  /** User settings that make it the chosen connection. */
  readonly userSettings: Readonly<Record<string, unknown>>;
  /** Environment that gives the editor its key. */
  readonly env: Readonly<Record<string, string>>;
}

export interface RemoteServiceOptions {
  readonly count?: number;
  readonly clock?: () => number;
  /** Plays for single requests, while none is played for every request. */
  readonly faults?: (request: SeenRequest) => Play | undefined;
}

/** Starts a service with faults on demand for the tests of a file, and stops it after them. */
export async function useRemoteService(options: RemoteServiceOptions = {}): Promise<RemoteService> {
  const { stop, ...service } = await startRemoteService(options);
  after(stop);
  return service;
}

/** Starts a service with faults on demand; whoever starts it stops it. */
export async function startRemoteService(
  options: RemoteServiceOptions = {},
): Promise<RemoteService & { readonly stop: () => Promise<void> }> {
  const requests: SampleRequest[] = [];
  let taken = 0;
  let fault: (request: SeenRequest) => Play | undefined = () => undefined;
  const sample = await startSampleService({ ...options, onRequest: (request) => void requests.push(request) });
  const faulty = await startFaultyService({
    target: sample.baseUrl,
    faults: (request) => fault(request) ?? options.faults?.(request),
  });
  return {
    stop: async () => {
      await faulty.stop();
      await sample.stop();
    },
    sample,
    requests,
    takeRequests: () => {
      const fresh = requests.slice(taken);
      taken = requests.length;
      return fresh.map(({ method, path }) => `${method} ${path}`);
    },
    break: (play, which = () => true) => {
      fault = (request) => (which(request) ? play : undefined);
    },
    userSettings: {
      'transcriptionJobs.connections': [{ name: 'Remote', baseUrl: faulty.origin }],
      'transcriptionJobs.connection': 'Remote',
      'transcriptionJobs.autoRefresh.enabled': false,
    },
    env: { TRANSCRIPTION_API_KEY: sample.key, TRANSCRIPTION_BASE_URL: faulty.origin },
  };
}
