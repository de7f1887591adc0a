import * as vscode from 'vscode';
import { startSampleService, type SampleService } from '../../../src/sample/sampleService.ts';
import { ConnectionFilters } from '../../../src/jobs/editor/connectionFilters.ts';
import { registerBrowsing } from '../../../src/features/browse/editor/registerBrowsing.ts';
import { commandIds } from '../../../src/platform/editor/ids.ts';
import { JobStore } from '../../../src/jobs/node/store/jobStore.ts';
import { startFaultyService } from '../../support/faults/faultyService.ts';
import { faultRun } from '../../support/faults/faultRun.ts';
import type { Play, SeenRequest } from '../../support/faults/faultServer.ts';
import { KeptLog } from '../../support/keptLog.ts';
import { JsonMemory } from '../../support/states/jsonMemory.ts';
import { KeyMask } from '../../../src/platform/http/keyMask.ts';
import { fakeServices } from '../../support/fakeServices.ts';

/** The commands that browse jobs, over HTTP to a sample service. */
export interface BrowseScene {
  readonly sample: SampleService;
  readonly store: JobStore;
  readonly filters: ConnectionFilters;
  /** The requests since the last call, as `METHOD path?query`. */
  takeRequests(): readonly string[];
  /** Returns a fault instead of a response to a request; undefined for a normal response. */
  fault: (request: SeenRequest) => Play | undefined;
  /** Calls a command as the editor does. Settles when it has ended. */
  run(command: keyof typeof commandIds, ...given: readonly unknown[]): Promise<void>;
  /** The jobs that were opened and those that were revealed, by id. */
  readonly opened: readonly string[];
  /** Texts that each opened job was opened at, the best first. */
  readonly found: readonly (readonly string[])[];
  readonly revealed: readonly string[];
  close(): Promise<void>;
}

/** @param count number of jobs in the service at the start */
export async function openBrowseScene(count: number): Promise<BrowseScene> {
  const nowMs = Date.now();
  const key = 'sesame';
  const sample = await startSampleService({ count, key, clock: () => nowMs });
  const service = await startFaultyService({ target: sample.baseUrl, faults: (request) => scene.fault(request) });
  const { lists, client, clock } = faultRun(service.origin, 30_000, key);
  const store = new JobStore(() => ({ limit: 20, groupBy: 'status', listSource: 'byKind' }), clock, new KeptLog());
  store.use(lists);
  const locale = { language: 'en', timeZone: 'UTC' };
  const filters = new ConnectionFilters(store, new JsonMemory(), locale, new KeptLog());
  await filters.restore('Work');
  const opened: string[] = [];
  const found: (readonly string[])[] = [];
  const revealed: string[] = [];
  const handlers = new Map<string, (...given: readonly unknown[]) => unknown>();
  const { registerCommand } = vscode.commands;
  // The installed extension has registered them.
  const keep = (id: string, handler: (...given: readonly unknown[]) => unknown): vscode.Disposable => {
    handlers.set(id, handler);
    return new vscode.Disposable(() => handlers.delete(id));
  };
  Object.assign(vscode.commands, { registerCommand: keep });
  const browsing = registerBrowsing(
    fakeServices({
      log: new KeptLog(),
      jobs: store,
      clock,
      connections: { current: undefined },
      service: { connected: () => lists, keyMask: new KeyMask(sample.key) },
      filters,
      facts: { now: () => ({ connection: '', host: '', locale, nowMs, labelKeys: ['title'], errorLabels: {} }) },
      actions: {
        tree: { revealJob: async ({ id }) => void revealed.push(id) },
        details: {
          openJob: async ({ id }, find = []) => {
            opened.push(id);
            found.push(find);
          },
          openJobLink: async () => undefined,
        },
        attention: { current: () => undefined },
      },
    }),
  );
  Object.assign(vscode.commands, { registerCommand });
  let taken = 0;
  const scene: BrowseScene = {
    sample,
    store,
    filters,
    takeRequests: () => {
      const fresh = service.seen.slice(taken);
      taken = service.seen.length;
      return fresh.map(({ method, path }) => `${method} ${path}`);
    },
    fault: () => undefined,
    run: async (command, ...given) => void (await handlers.get(commandIds[command])?.(...given)),
    opened,
    found,
    revealed,
    close: async () => {
      browsing.dispose();
      store.dispose();
      client.dispose();
      await service.stop();
      await sample.stop();
    },
  };
  return scene;
}
