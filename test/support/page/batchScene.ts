import { mkdtempSync, rmSync } from 'node:fs';
import { appendFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { openSettings } from '../../host/connections/userSettings.ts';
import { systemClock, type Clock } from '../../../src/base/clock.ts';
import { Emitter } from '../../../src/base/emitter.ts';
import type { Connection } from '../../../src/connections/common/connection.ts';
import type { BatchFiles } from '../../../src/features/deliver/common/delivery.ts';
import type { BatchPlan } from '../../../src/features/submit/common/batch.ts';
import { BatchPanels } from '../../../src/features/submit/editor/batchPanels.ts';
import type { Submissions } from '../../../src/features/submit/editor/submissions.ts';
import { BatchStore } from '../../../src/features/submit/node/journal/batchStore.ts';
import type { Job } from '../../../src/jobs/common/job.ts';
import { chooseJobLabel } from '../../../src/jobs/common/jobRow.ts';
import { journalSchema, type SubmissionOutcome } from '../../../src/jobs/common/submission.ts';
import { JobsApi } from '../../../src/jobs/node/api/jobsApi.ts';
import { Journal } from '../../../src/jobs/node/journal/journal.ts';
import { recordLine } from '../../../src/jobs/node/journal/recordLine.ts';
import { ListReader } from '../../../src/jobs/node/list/listReader.ts';
import type { StoreChange } from '../../../src/jobs/node/store/listState.ts';
import { KeyMask } from '../../../src/platform/http/keyMask.ts';
import { HttpClient } from '../../../src/platform/http/httpClient.ts';
import { connectionDefaults } from '../builders/workConnection.ts';
import { fakeServices } from '../fakeServices.ts';
import { KeptLog } from '../keptLog.ts';
import { JsonMemory } from '../states/jsonMemory.ts';
import type { RemoteService } from '../remote/remoteService.ts';
import type { OpenPage } from './jobScene.ts';
import type { PageOptions, PagePanel } from './pagePanel.ts';
import { pageNowMs } from './pageTabs.ts';
import type { Pages } from './usePages.ts';

/** The time of the fixtures, with real timers. */
const clock: Clock = { ...systemClock, now: () => pageNowMs };

/** A request of a batch as its ledger has it. */
export interface LedgerItem {
  readonly label: string;
  readonly outcome: SubmissionOutcome;
}

/** Pages of batches in one window, with the product's own panel, ledger, journal and reader on top of a service. */
export class BatchScene {
  readonly log = new KeptLog();
  /** Calls to the rest of the product, such as `openJob job-001`. */
  readonly asked: string[] = [];
  /** What is recorded of the files of the batch. */
  files: BatchFiles | undefined;
  readonly filesChanges = new Emitter<void>();
  readonly #pages: Pages;
  readonly #journal: Journal;
  readonly #batches: BatchStore;
  readonly #connection: Connection;
  readonly #panels: BatchPanels;

  constructor(pages: Pages, remote: RemoteService) {
    this.#pages = pages;
    const folder = mkdtempSync(join(tmpdir(), 'tj-page-batch-'));
    const connection: Connection = {
      ...connectionDefaults,
      name: 'Remote',
      baseUrl: remote.env['TRANSCRIPTION_BASE_URL'] ?? '',
    };
    this.#connection = connection;
    const client = new HttpClient(connection, () => Promise.resolve(remote.sample.key), {
      clock: systemClock,
      log: this.log,
      random: Math.random,
    });
    const api = new JobsApi(connection, client);
    const lists = new ListReader(() => Promise.resolve(api));
    this.#journal = new Journal(folder, clock, this.log);
    this.#batches = new BatchStore(this.#journal, clock, this.log);
    const ask =
      (what: string) =>
      (jobs: readonly Job[]): Promise<void> => {
        this.asked.push(`${what} ${jobs.map(({ id }) => id).join(' ')}`);
        return Promise.resolve();
      };
    const services = fakeServices({
      log: this.log,
      clock,
      extensionUri: vscode.Uri.file('/extension'),
      settings: openSettings(),
      globalState: new JsonMemory(),
      service: { keyMask: new KeyMask() },
      connections: { current: connection },
      facts: {
        errorLabels: {},
        titleOf: (job) => chooseJobLabel(job, ['title']),
        onDidChange: new Emitter<void>(() => undefined).event,
      },
      jobs: {
        get: () => undefined,
        observing: () => () => undefined,
        placeOf: () => undefined,
        onDidChange: new Emitter<StoreChange>(() => undefined).event,
      },
      actions: {
        tree: { isListed: () => false },
        details: { openJob: (job) => ask('openJob')([job]), saveTranscripts: ask('saveTranscripts') },
        deliver: { filesOfBatch: () => Promise.resolve(this.files), onDidChangeFiles: this.filesChanges.event },
      },
    });
    const submissions = {
      services,
      journal: this.#journal,
      batches: this.#batches,
      target: () => ({ connection, api: { lists } }),
    };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- using a missing member fails the test
    this.#panels = new BatchPanels(submissions as unknown as Submissions);
    pages.checks.push(() => {
      client.dispose();
      rmSync(folder, { recursive: true });
      return this.log.lines.filter((line) => /^error|dropped a message|came back without/.test(line));
    });
  }

  /** Writes the ledger of a batch. @returns its ID */
  async add(items: readonly LedgerItem[], plan: Partial<BatchPlan> = {}): Promise<string> {
    const id = `${String(pageNowMs).padStart(15, '0')}-${items.length}`;
    const [folder = ''] = await this.#journal.foldersOf(this.#connection);
    const batches = join(folder, 'batches');
    const template = 'file:///w/episodes.transcription.json';
    const source = { type: 'list', template, list: 'file:///w/november.csv' } as const;
    const lines = [
      {
        type: 'plan',
        schema: journalSchema,
        connection: 'Remote',
        origin: this.#connection.baseUrl,
        startedAtMs: pageNowMs - 3_600_000,
        total: items.length,
        source,
        skipped: [],
        ...plan,
      },
      { type: 'run', run: 'r', sender: process.pid },
      ...items.flatMap(({ label, outcome }, at) => [
        { type: 'send', run: 'r', item: `${at}`, label, file: template },
        { type: 'outcome', run: 'r', item: `${at}`, outcome },
      ]),
      { type: 'end', run: 'r', end: { type: 'done' } },
    ];
    await mkdir(batches, { recursive: true });
    await appendFile(join(batches, `${id}.ndjson`), lines.map(recordLine).join(''));
    return id;
  }

  /** Records how jobs ended, as a watch does. */
  async note(
    ...fates: Parameters<BatchStore['noteFates']>[1] extends ReadonlyMap<infer I, infer F> ? [I, F][] : never
  ) {
    await this.#batches.noteFates(this.#connection, new Map(fates));
  }

  /** Opens the page of a batch, and waits for this text. */
  async open(id: string, options: PageOptions = {}, says: string | RegExp = /done/): Promise<OpenPage> {
    const panel = await this.#pages.open(options, () => this.#panels.open(this.#connection, id));
    return this.#drawn(panel, says);
  }

  /** Restores a page of a window that was closed. */
  async restore({ viewType, state, options }: PagePanel, says: string | RegExp = /done/): Promise<OpenPage> {
    const panel = this.#pages.create(viewType, { ...options, state });
    this.#panels.restore(panel.asPanel, state);
    return this.#drawn(panel, says);
  }

  async #drawn(panel: PagePanel, says: string | RegExp): Promise<OpenPage> {
    const page = await panel.page();
    await page.locator('main').getByText(says).first().waitFor();
    return { panel, page };
  }
}

function accepted(id: string): SubmissionOutcome {
  return { type: 'accepted', status: 201, id };
}

/** Adds the jobs of twelve episodes to a service: ten are done, one of them without its translation, and two failed. */
export function addEpisodes(sample: RemoteService['sample']): void {
  for (let episode = 1; episode <= 12; episode++) {
    const isFailed = episode === 4 || episode === 9;
    const error = { message: 'The language is not supported for this audio.' };
    sample.add({
      id: `job-${String(episode).padStart(3, '0')}`,
      kind: 'pre-recorded',
      createdAt: pageNowMs - 3_600_000 + episode * 1000,
      status: isFailed ? 'error' : 'done',
      errorCode: 422,
      fields: {
        custom_metadata: { title: `Episode ${episode}: How we made it`, guest: `Guest ${episode}`, season: 2 },
        ...(episode === 7 && { result: { translation: { success: false, error } } }),
      },
    });
  }
}

/** The batch of {@link addEpisodes} with a request that was rejected, one of unknown outcome, and rows that were left out. */
export async function openEpisodes(scene: BatchScene, options: PageOptions = {}): Promise<OpenPage> {
  const jobs = Array.from({ length: 12 }, (_, at): LedgerItem => {
    const serial = String(at + 1).padStart(3, '0');
    return { label: `cdn.audio.example/…/episode-${serial}.mp3`, outcome: accepted(`job-${serial}`) };
  });
  const id = await scene.add(
    [
      ...jobs,
      {
        label: 'cdn.audio.example/…/episode-013.mp3',
        outcome: { type: 'rejected', code: 'rejected', status: 422, requestId: undefined },
      },
      {
        label: 'cdn.audio.example/…/episode-014.mp3',
        outcome: { type: 'unknown', code: 'timeout', lookedAtMs: undefined },
      },
    ],
    {
      source: {
        type: 'list',
        template: 'file:///w/episodes.transcription.json',
        list: 'file:///w/november.csv',
        metadataKeys: ['title', 'guest'],
      },
      leftOut: [
        { row: 15, reason: 'no URL' },
        { row: 16, reason: 'duplicate' },
      ],
    },
  );
  return scene.open(id, options, '10 done, 1 of them without its translation · 2 failed');
}
