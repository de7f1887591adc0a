import type { SampleService } from '../../../src/sample/sampleService.ts';
import type { Random } from '../../../src/sample/random.ts';
import type { Play } from '../../support/faults/faultServer.ts';
import { forwardTo } from '../../support/faults/faultyService.ts';
import { startRemoteService, type RemoteService } from '../../support/remote/remoteService.ts';
import { Churn } from './churn.ts';
import { serviceTruth } from './serviceTruth.ts';
import { Weather } from './weather.ts';

const jobs = 300;
/** Few, so that a search finds the same text in several of them. */
const transcripts = 10;

/** A list of audio URLs that a user submits as a batch. */
export interface SoakBatch {
  /** Name of its file. */
  readonly list: string;
  /** Each is in no other list. */
  readonly urls: readonly string[];
  /** Number of POSTs before each time that its requests were sent. */
  readonly runs: number[];
}

/** A service that constantly changes, its connection, and what was sent to it. */
export interface SoakService {
  /** Of the connection. */
  readonly name: string;
  readonly remote: RemoteService;
  readonly sample: SampleService;
  readonly churn: Churn;
  readonly weather: Weather;
  /** Audio URLs of all POSTs that left the editor, in order, whatever their outcome. */
  readonly posts: readonly string[];
  /** Lists whose submission was begun. */
  readonly batches: SoakBatch[];
  readonly counts: {
    /** Confirmed requests, without those of {@link batches}. */
    submitted: number;
  };
  /** Stops its clock, and with it all changes of jobs. */
  readonly freeze: () => void;
  readonly stop: () => Promise<void>;
}

/** The random choices of a service. */
export interface ServiceRandoms {
  readonly churn: Random;
  readonly weather: Random;
}

/** Starts a healthy service. Nothing changes until its churn and weather are started. @param name of its connection */
export async function startSoakService(name: string, randoms: ServiceRandoms): Promise<SoakService> {
  const weather = new Weather(randoms.weather);
  const posts: string[] = [];
  let frozenAtMs: number | undefined;
  const remote = await startRemoteService({
    name,
    count: jobs,
    // Transcripts of batches are saved.
    results: true,
    clock: () => frozenAtMs ?? Date.now(),
    faults: ({ method }) => {
      const fault = weather.play();
      return method === 'POST' ? noting(posts, fault ?? forwardTo(remote.sample.baseUrl)) : fault;
    },
    // A silent service must not block a list for long.
    connection: { timeoutSeconds: 3 },
  });
  const { sample } = remote;
  const known = await Promise.all(['pre-recorded', 'live'].map((kind) => serviceTruth(sample, kind, undefined)));
  addTranscripts(sample);
  return {
    name,
    remote,
    sample,
    churn: new Churn(sample, randoms.churn, known.flat()),
    weather,
    posts,
    batches: [],
    counts: { submitted: 0 },
    freeze: () => {
      frozenAtMs = Date.now();
    },
    stop: remote.stop,
  };
}

/** Plays for a POST, after its audio URL is noted. */
function noting(posts: string[], play: Play): Play {
  return (stage) => {
    const { audio_url: url } = JSON.parse(stage.body) as { readonly audio_url: string };
    posts.push(url);
    play(stage);
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
