import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { DeliveryPlan } from '../../../src/features/deliver/common/delivery.ts';
import { Delivering } from '../../../src/features/deliver/editor/delivering.ts';
import { JobWatching } from '../../../src/features/watch/editor/jobWatching.ts';
import { watchMemory } from '../../../src/features/watch/common/watchPlan.ts';
import type { Job } from '../../../src/jobs/common/job.ts';
import type { SpeakerNames } from '../../../src/jobs/common/result/speakerNames.ts';
import { KeyMask } from '../../../src/platform/http/keyMask.ts';
import type { Services } from '../../../src/services.ts';
import { preRecordedItem } from '../../support/builders/jobItem.ts';
import { workConnection as connection } from '../../support/builders/workConnection.ts';
import { FakeClock } from '../../support/fakeClock/fakeClock.ts';
import { fakeServices } from '../../support/fakeServices.ts';
import { KeptLog } from '../../support/keptLog.ts';
import { fakeReader } from '../../support/lists/fakeLists.ts';
import { until } from '../../support/until.ts';
import { jobOf } from '../details/fakeDetailsDeps.ts';

/** What a window has; by default, it is the first one. */
export interface DeliverySceneOptions {
  /** A temporary folder. */
  readonly root: string;
  readonly settings: Services['settings'];
  readonly memory?: Map<string, unknown>;
  readonly shared?: Map<string, unknown>;
  readonly globalStorageUri?: vscode.Uri;
  readonly clock?: FakeClock;
  readonly keyMask?: KeyMask;
  readonly titleOf?: (job: Job) => string;
  readonly speakersOf?: () => SpeakerNames;
  /** The only batch. */
  readonly batch?: { readonly id: string; readonly isInFront: boolean };
  /** IDs of the jobs of each batch. */
  readonly batches?: Readonly<Record<string, readonly string[]>>;
}

/** A window that watches jobs and saves their files, on a service with a few jobs. */
export function openDeliveryScene({
  root,
  settings,
  memory = new Map(),
  shared = new Map(),
  globalStorageUri = vscode.Uri.file(mkdtempSync(join(root, 'storage-'))),
  clock = new FakeClock(),
  keyMask = new KeyMask(),
  titleOf = ({ id }) => `title of ${id}`,
  speakersOf = () => new Map(),
  batch,
  batches = {},
}: DeliverySceneOptions) {
  const shownBatches: string[] = [];
  const jobs = new Map<string, Job>();
  let requests = 0;
  const source = fakeReader(async (endpoint, { afterDate = '1970-01-01T00:00:00Z' }) => {
    requests++;
    const entries = [...jobs.values()].filter(
      ({ kind, createdAtMs = 0 }) => kind === endpoint && createdAtMs > Date.parse(afterDate),
    );
    return { entries, hasMore: false, serviceDateMs: clock.now(), deviations: [] };
  });
  const log = new KeptLog();
  const services = fakeServices({
    log,
    clock,
    settings,
    globalStorageUri,
    workspaceState: {
      get: (key) => memory.get(key),
      update: async (key, value) => void memory.set(key, value),
    },
    globalState: {
      get: (key) => shared.get(key),
      update: async (key, value) => void shared.set(key, value),
    },
    service: { current: { connection, source }, keyMask },
    connections: { current: connection, onDidChange: new vscode.EventEmitter<never>().event },
    jobs: {
      get: (_kind, id) => jobs.get(id),
      whole: (job) => job,
      readWhole: async (job) => job,
      observing: () => () => undefined,
    },
    facts: { titleOf: (job) => keyMask.apply(titleOf(job)) },
    view: { visible: true, onDidChangeVisibility: new vscode.EventEmitter<void>().event, setBadge: () => undefined },
    actions: {
      submit: {
        noteFinished: () => Promise.resolve(undefined),
        batchPage: async (_owner, id) =>
          id === batch?.id ? { isInFront: batch.isInFront, show: () => void shownBatches.push(id) } : undefined,
        jobsOfBatch: async (_connection, batch) =>
          (batches[batch] ?? []).map((id) => ({
            kind: 'pre-recorded',
            id,
            label: `Call ${id}`,
            createdAtMs: undefined,
          })),
      },
      details: { speakersOf },
      deliver: {
        deliver: (watched, job) => delivering.deliver(watched, job),
        queueFiles: () => Promise.resolve(),
        abandonFiles: (watched) => delivering.abandon(watched),
        postponeFiles: (watched) => delivering.postpone(watched),
        savedFile: (of, job) => delivering.savedFile(of, job),
        noteSavedFiles: (of, files) => delivering.noteSavedFiles(of, files),
        catchUpDeliveries: () => delivering.catchUp(),
      },
      watch: {
        watchJobs: (of, wanted) => watching.watch(of, wanted),
        watchWanted: (of, wanted) => watching.watchWanted(of, wanted),
      },
    },
  });
  let recorded = 0;
  const delivering = new Delivering(services, () => recorded++);
  const watching = new JobWatching(services);
  const set = (id: string, changes: Parameters<typeof preRecordedItem>[0]): void => {
    jobs.set(id, jobOf(preRecordedItem({ id, created_at: new Date(clock.now()).toISOString(), ...changes })));
  };
  /** Advances the clock until files or requests, which take real time, have led to a state. */
  const advanceUntil = (isReached: () => boolean) =>
    until('a delivery', async () => {
      await clock.advance(3000);
      return isReached();
    });
  /** Waits until no job is watched, and lets the messages come. */
  const finish = async (): Promise<void> => {
    await advanceUntil(() => memory.get(watchMemory.jobs) === undefined);
    await clock.advance(40_000);
  };
  const attempts = (): number => log.lines.filter((line) => line.includes('delivery:')).length;
  const planIn = (folder: string, within = '.'): DeliveryPlan => ({
    folder: vscode.Uri.file(join(root, folder)).toString(),
    root: vscode.Uri.file(join(root, within)).toString(),
    formats: ['markdown', 'srt'],
    languages: ['*'],
    name: '{title}',
  });
  return {
    memory,
    shared,
    globalStorageUri,
    watching,
    delivering,
    clock,
    advanceUntil,
    finish,
    attempts,
    log,
    requests: () => requests,
    recorded: () => recorded,
    shownBatches,
    set,
    services,
    planIn,
  };
}
