import type { SampleService } from '../../src/sample/sampleService.ts';
import { startRemoteService, type RemoteService } from '../support/remote/remoteService.ts';
import { packagedExtension } from '../support/workbench/packagedExtension.ts';
import { Churn } from './service/churn.ts';
import { serviceTruth } from './service/serviceTruth.ts';
import { Weather } from './service/weather.ts';
import { openSoakSession, randomStream, type SoakSession } from './soakSession.ts';
import type { SoakSettings } from './soakSettings.ts';

const jobs = 300;
/** Few, because the results of loaded jobs are cached, and a heap that they fill resembles one with a leak. */
const transcripts = 10;

/** A service that constantly changes, and an editor with two windows on it. */
export interface SoakScene extends SoakSession {
  readonly remote: RemoteService;
  readonly churn: Churn;
  readonly weather: Weather;
  /** Returns the number of POSTs that left the editor, whatever their outcome. */
  readonly posts: () => number;
  /** Stops the service's clock, and with it all changes of jobs. */
  readonly freeze: () => void;
}

/** Sets everything up with connected windows and a healthy service. Nothing changes until it is started. */
export async function soakScene(settings: SoakSettings): Promise<SoakScene> {
  const weather = new Weather(randomStream(settings, 'weather'));
  let frozenAtMs: number | undefined;
  let posts = 0;
  const remote = await startRemoteService({
    count: jobs,
    clock: () => frozenAtMs ?? Date.now(),
    faults: ({ method }) => {
      if (method === 'POST') posts++;
      return weather.play();
    },
    // A silent service must not block a list for long.
    connection: { timeoutSeconds: 3 },
  });
  const known = await Promise.all(['pre-recorded', 'live'].map((kind) => serviceTruth(remote.sample, kind, undefined)));
  addTranscripts(remote.sample);
  const { session, windows, close } = await openSoakSession(settings, {
    pack: packagedExtension,
    userSettings: {
      ...remote.userSettings,
      'transcriptionJobs.autoRefresh.intervalSeconds': 5,
    },
    env: remote.env,
  });
  return {
    remote,
    session,
    windows,
    churn: new Churn(remote.sample, randomStream(settings, 'churn'), known.flat()),
    weather,
    posts: () => posts,
    freeze: () => {
      frozenAtMs = Date.now();
    },
    close: async () => {
      await close();
      await remote.stop();
    },
  };
}

/** Adds done jobs with a transcript, which are never removed. */
function addTranscripts(sample: SampleService): void {
  const utterances = Array.from({ length: 200 }, (_, at) => ({
    text: `The lamp was lit for the ${at}th time.`,
    start: at * 5,
    end: at * 5 + 4,
    speaker: at % 2,
    language: 'en',
  }));
  for (let at = 0; at < transcripts; at++) {
    sample.add({
      kind: 'pre-recorded',
      createdAt: Date.now() - at * 1000,
      status: 'done',
      fields: { custom_metadata: { title: `Interview ${at}` }, result: { transcription: { utterances } } },
    });
  }
}
