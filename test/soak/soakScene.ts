import { Random } from '../../src/sample/random.ts';
import { temporaryFolder } from '../support/editor/ownedFolder.ts';
import { startRemoteService, type RemoteService } from '../support/remote/remoteService.ts';
import { copyExampleWorkspace } from '../support/start/exampleWorkspace.ts';
import { openWorkbench, type WorkbenchSession } from '../support/workbench/openWorkbench.ts';
import { packagedExtension } from '../support/workbench/packagedExtension.ts';
import { HostProbes } from './probe/hostProbe.ts';
import { Churn } from './service/churn.ts';
import { serviceTruth } from './service/serviceTruth.ts';
import { Weather } from './service/weather.ts';
import { SoakWindow } from './soakWindow.ts';

const jobs = 300;
/** Streams of choices of one seed must not be alike. */
const streams = { churn: 1, weather: 2, firstWindow: 3, secondWindow: 4 } as const;

/** A service that is never at rest, and an editor with two windows on it. */
export interface SoakScene {
  readonly remote: RemoteService;
  readonly session: WorkbenchSession;
  readonly windows: readonly SoakWindow[];
  readonly churn: Churn;
  readonly weather: Weather;
  /** POSTs that have left the editor, whatever became of them. */
  readonly posts: () => number;
  /** Time at the service stands still from now on, and with it every job. */
  readonly freeze: () => void;
  readonly close: () => Promise<void>;
}

/** Sets everything up, the windows connected and the service in good order; nothing moves before it is started. */
export async function soakScene(seed: number): Promise<SoakScene> {
  const random = (stream: number): Random => new Random(seed * 16 + stream);
  const weather = new Weather(random(streams.weather));
  let frozenAtMs: number | undefined;
  let posts = 0;
  const remote = await startRemoteService({
    count: jobs,
    clock: () => frozenAtMs ?? Date.now(),
    faults: ({ method }) => {
      if (method === 'POST') posts++;
      return weather.play();
    },
  });
  const known = await Promise.all(['pre-recorded', 'live'].map((kind) => serviceTruth(remote.sample, kind, undefined)));
  const folder = temporaryFolder();
  const probes = new HostProbes(folder.path);
  const session = await openWorkbench({
    extensionVsix: [packagedExtension(), await probes.pack()],
    userSettings: {
      ...remote.userSettings,
      'transcriptionJobs.autoRefresh.enabled': true,
      'transcriptionJobs.autoRefresh.intervalSeconds': 5,
      // A service that is silent holds no list up for long.
      'transcriptionJobs.requestTimeoutSeconds': 3,
    },
    env: { ...remote.env, ...probes.env },
    folder: copyExampleWorkspace(),
  });
  const first = new SoakWindow('first window', session.workbench, await probes.next(), random(streams.firstWindow));
  const beside = await session.openWindow();
  const second = new SoakWindow('second window', beside, await probes.next(), random(streams.secondWindow));
  return {
    remote,
    session,
    windows: [first, second],
    churn: new Churn(remote.sample, random(streams.churn), known.flat()),
    weather,
    posts: () => posts,
    freeze: () => {
      frozenAtMs = Date.now();
    },
    close: async () => {
      await session.close();
      await remote.stop();
      folder.remove();
    },
  };
}
