import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { extensionId } from '../../../src/jobs/common/jobLink.ts';
import { Submissions } from '../../../src/features/submit/editor/submissions.ts';
import type { Submission } from '../../../src/jobs/common/submission.ts';
import { Journal } from '../../../src/jobs/node/journal/journal.ts';
import { Settings } from '../../../src/settings.ts';
import type { Connection } from '../../../src/connections/common/connection.ts';
import { KeyMask } from '../../../src/platform/http/keyMask.ts';
import { faultRun, sentinelKey } from '../../support/faults/faultRun.ts';
import { startFaultServer, type Play, type Stage } from '../../support/faults/faultServer.ts';
import { answer } from '../../support/faults/plays.ts';
import { AudioHash } from '../../../src/features/submit/node/audioHash.ts';
import { MemorySecrets } from '../../support/states/memorySecrets.ts';
import { KeptLog } from '../../support/keptLog.ts';
import { workConnection } from '../../support/builders/workConnection.ts';
import { fakeServices } from '../../support/fakeServices.ts';

/** Submissions to a real HTTP service whose behaviour the test sets, and their results. */
export interface SubmitScene {
  readonly submissions: Submissions;
  /** Response of the service to the next requests. */
  play: Play;
  readonly bodies: readonly string[];
  readonly watched: readonly string[];
  /** Connection and ID of each batch that was shown. */
  readonly shownBatches: readonly string[];
  /** Reports for support that were asked for. */
  readonly reported: readonly unknown[];
  /** What is stored for the workspace. */
  readonly state: Map<string, unknown>;
  readonly log: KeptLog;
  journal(): Promise<readonly Submission[]>;
  close(): Promise<void>;
}

const nothing = { dispose: () => undefined };

export const accepting: Play = answer(201, '{"id":"job-1"}');

/**
 * Opens a scene before each test of a suite, passes it to `take`, and closes it afterwards.
 * @param key of the service; by default the sentinel
 */
export function useScene(take: (scene: SubmitScene) => void, key?: string): void {
  let opened: SubmitScene | undefined;
  beforeEach(async () => {
    opened = await openScene(key);
    take(opened);
  });
  afterEach(() => opened?.close());
}

async function openScene(key: string | undefined): Promise<SubmitScene> {
  const bodies: string[] = [];
  const watched: string[] = [];
  const shownBatches: string[] = [];
  const reported: unknown[] = [];
  const state = new Map<string, unknown>();
  const memory = {
    get: (name: string) => state.get(name),
    update: async (name: string, value: unknown) => void state.set(name, value),
  };
  const server = await startFaultServer((stage: Stage) => {
    if (stage.request.method === 'POST') bodies.push(stage.body);
    scene.play(stage);
  });
  const run = faultRun(server.origin, undefined, key);
  const connection: Connection = { ...workConnection, baseUrl: server.origin };
  const storage = mkdtempSync(join(tmpdir(), 'tj-host-submit-'));
  const extension = vscode.extensions.getExtension(extensionId);
  const settings = new Settings(extension?.packageJSON, () => undefined);
  const log = new KeptLog();
  const submissions = new Submissions(
    fakeServices({
      log,
      clock: run.clock,
      settings,
      secrets: new MemorySecrets(),
      workspaceState: memory,
      globalState: memory,
      journal: new Journal(storage, run.clock, log),
      service: {
        keyMask: new KeyMask(key ?? sentinelKey),
        toSubmit: () => ({ connection, api: { lists: run.lists, submit: run.api.submit.bind(run.api) } }),
      },
      connections: { current: connection, reach: async () => connection },
      facts: { titleOf: ({ id }) => id, nameJobs: () => undefined, errorLabels: {}, onDidChange: () => nothing },
      jobs: {
        jobs: () => [].values(),
        get: () => undefined,
        observing: () => () => undefined,
        onDidChange: () => nothing,
      },
      extensionUri: vscode.Uri.file('/extension'),
      actions: {
        submit: { showBatch: async (owner, id) => void shownBatches.push(`${owner.name} ${id}`) },
        watch: { watchJobs: (_connection, jobs) => void watched.push(...jobs.map(({ id }) => id)) },
        tree: { showNewJob: () => Promise.resolve() },
        attention: { copyReport: async (jobs, rows) => void reported.push({ jobs, rows }) },
        deliver: {
          proposedDelivery: async () => ({ plan: undefined, text: undefined, canChange: false }),
          filesOfBatch: () => Promise.resolve(undefined),
          onDidChangeFiles: () => nothing,
        },
        details: { openNamedJob: () => Promise.resolve() },
      },
    }),
    new AudioHash('key'),
  );
  const scene: SubmitScene = {
    submissions,
    play: accepting,
    bodies,
    watched,
    shownBatches,
    reported,
    state,
    log,
    journal: async () => (await submissions.readJournal(connection)).submissions,
    close: async () => {
      run.client.dispose();
      await server.stop();
      submissions.dispose();
      settings.dispose();
      rmSync(storage, { recursive: true });
    },
  };
  return scene;
}
