import * as vscode from 'vscode';
import { noFilter, type JobFilter } from '../../../src/jobs/common/jobFilter.ts';
import type { Job } from '../../../src/jobs/common/job.ts';
import { chooseJobLabel } from '../../../src/jobs/common/jobRow.ts';
import { BoardPanels } from '../../../src/features/board/editor/boardPanels.ts';
import { foldHandled, handledRecords, nothingHandled } from '../../../src/features/attention/common/handledMarks.ts';
import type { Attention } from '../../../src/features/attention/common/attention.ts';
import type { TreeNode } from '../../../src/features/tree/common/jobTree.ts';
import type { SampleService } from '../../../src/sample/sampleService.ts';
import { JobsApi } from '../../../src/jobs/node/api/jobsApi.ts';
import { systemClock, type Clock } from '../../../src/base/clock.ts';
import { Emitter } from '../../../src/base/emitter.ts';
import { HttpClient } from '../../../src/platform/http/httpClient.ts';
import type { Connection } from '../../../src/connections/common/connection.ts';
import { openSettings } from '../../host/connections/userSettings.ts';
import { KeptLog } from '../keptLog.ts';
import type { RemoteService } from '../remote/remoteService.ts';
import { JsonMemory } from '../states/jsonMemory.ts';
import type { OpenPage } from './jobScene.ts';
import type { PageOptions, PagePanel } from './pagePanel.ts';
import { pageNowMs } from './pageTabs.ts';
import { pageUntil, type Pages } from './usePages.ts';
import { connectionDefaults } from '../builders/workConnection.ts';
import { ListReader } from '../../../src/jobs/node/list/listReader.ts';
import { KeyMask } from '../../../src/platform/http/keyMask.ts';
import { fakeServices } from '../fakeServices.ts';
import { copyJobs } from '../../../src/features/details/editor/copyJobs.ts';
import { exportInto } from '../../../src/features/browse/editor/exportInto.ts';
import type { ConnectionState } from '../../../src/connections/common/connectionState.ts';

/** The time of the fixtures, with real timers. */
const clock: Clock = { ...systemClock, now: () => pageNowMs };

/** Boards in one window, with the product's own panels and reader on top of a service. */
export class BoardScene {
  readonly log = new KeptLog();
  /** The stored columns. */
  readonly state: JsonMemory;
  /** The filter of the jobs view. */
  filter: JobFilter = noFilter;
  /** Calls to the rest of the product, such as `openJob job-001`. */
  readonly asked: string[] = [];
  /** The connection in use. */
  inUse: { readonly name: string } | undefined;
  /** What needs attention. */
  attention: Attention | undefined;
  /** The failures that were handled. */
  marks = nothingHandled;
  readonly #marked = new Emitter<void>();
  readonly #connectionChanged = new Emitter<ConnectionState>();
  readonly #pages: Pages;
  readonly #boards: BoardPanels;

  constructor(pages: Pages, remote: RemoteService, state = new JsonMemory()) {
    this.#pages = pages;
    this.state = state;
    const connection: Connection = {
      ...connectionDefaults,
      name: 'Remote',
      baseUrl: remote.env['TRANSCRIPTION_BASE_URL'] ?? '',
    };
    this.inUse = connection;
    const client = new HttpClient(connection, () => Promise.resolve(remote.sample.key), {
      clock: systemClock,
      log: this.log,
      random: Math.random,
    });
    const api = new JobsApi(connection, client);
    const source = new ListReader(() => Promise.resolve(api));
    const ask =
      (what: string) =>
      (jobs: readonly Job[]): Promise<void> => {
        this.asked.push(`${what} ${jobs.map(({ id }) => id).join(' ')}`);
        return Promise.resolve();
      };
    const inUse = (): BoardScene['inUse'] => this.inUse;
    const filter = (): JobFilter => this.filter;
    const services = fakeServices({
      log: this.log,
      clock,
      extensionUri: vscode.Uri.file('/extension'),
      globalState: this.state,
      service: {
        get current() {
          const current = inUse();
          return current && { connection: { ...connection, ...current }, source };
        },
        connected: () => source,
        keyMask: new KeyMask(),
      },
      connections: { onDidChange: this.#connectionChanged.event, reach: () => Promise.resolve(connection) },
      filters: {
        set: (given) => {
          this.filter = given;
          return Promise.resolve();
        },
      },
      settings: openSettings(),
      facts: {
        submittedAs: () => new Map(),
        errorLabels: {},
        titleOf: (job) => chooseJobLabel(job, ['name', 'title', 'customer', 'project', 'show']),
      },
      jobs: {
        get filter() {
          return filter();
        },
        get: () => undefined,
        whole: (job) => job,
        readWhole: (job) => Promise.resolve(job),
      },
      actions: {
        attention: {
          current: () => this.attention,
          markHandled: async (jobs) => {
            await ask('markHandled')(jobs);
            this.marks = foldHandled(handledRecords(jobs, pageNowMs));
            this.#marked.fire();
          },
          readHandled: () => Promise.resolve(this.marks),
          onDidMarkHandled: this.#marked.event,
        },
        details: {
          openJob: (job) => ask('openJob')([job]),
          compareJobs: ask('compareJobs'),
          saveTranscripts: ask('saveTranscripts'),
          copyJobs: (jobs, what) => copyJobs(jobs, what, services),
        },
        browse: { exportJobs: (what) => exportInto(what, services) },
        watch: { watchListed: (jobs) => void ask('watch')(jobs) },
        submit: { resubmit: ask('resubmit') },
      },
    });
    this.#boards = new BoardPanels(services);
    pages.checks.push(() => {
      client.dispose();
      return this.log.lines.filter((line) => /^error|dropped a message|came back without/.test(line));
    });
  }

  /**
   * Opens a board for the filter of the jobs view, or by a click on a row of it or What Changed? in its menu, and waits for this status text.
   */
  async open(
    options: PageOptions = {},
    says: string | RegExp = /^Read at .*: [\d,]+ jobs?$/,
    row?: TreeNode,
    explains = false,
  ): Promise<OpenPage> {
    const panel = await this.#pages.open(options, () =>
      explains ? this.explain(row) : void this.#boards.open(row, row !== undefined),
    );
    return this.#drawn(panel, says);
  }

  /** Clicks a row, which an open board shows. */
  click(row: TreeNode): void {
    this.#boards.open(row, true);
  }

  /** Runs What Changed? in the menu of a row. */
  explain(row: TreeNode | undefined): void {
    this.#boards.explain(row);
  }

  /** Runs Open Board in the menu of a row whose board is open. */
  openFromMenu(row: TreeNode): void {
    this.#boards.open(row);
  }

  /** Restores a board of a window that was closed. */
  async restore({ viewType, state, options }: PagePanel): Promise<OpenPage> {
    const panel = this.#pages.create(viewType, { ...options, state });
    this.#boards.restore(panel.asPanel, state);
    return this.#drawn(panel, /^Read at /);
  }

  /** Puts another connection in use. */
  switchConnection(name: string | undefined): void {
    this.inUse = name === undefined ? undefined : { name };
    this.#connectionChanged.fire({ type: 'none' });
  }

  async #drawn(panel: PagePanel, says: string | RegExp): Promise<OpenPage> {
    const page = await panel.page();
    await page.getByText(says).first().waitFor();
    return { panel, page };
  }
}

export const boardJobs = 240;

/** The jobs of {@link addBoardJobs} that failed. */
export const failedJobs = 10;

/**
 * Adds the jobs of five days: one in six belongs to the customer Acme, half of whose jobs in the last two and a half days failed; one in
 * three is a live session; two of these took longer than the others.
 */
export function addBoardJobs(sample: SampleService): void {
  for (let serial = 0; serial < boardJobs; serial++) {
    const createdMs = pageNowMs - (serial + 1) * 30 * 60_000;
    const isAcme = serial % 6 === 0;
    const isFailed = isAcme && serial < 120 && serial % 12 !== 0;
    // Completed in another order than created, to show that the list is sorted by creation.
    const tookMs = ((serial % 3) + 1) * 40 * 60_000 + (serial === 3 ? 60_000 : serial === 6 ? 7_200_000 : 0);
    sample.add({
      id: `job-${String(serial).padStart(3, '0')}`,
      kind: serial % 3 === 0 ? 'live' : 'pre-recorded',
      createdAt: createdMs,
      status: isFailed ? 'error' : 'done',
      errorCode: 503,
      fields: {
        completed_at: new Date(createdMs + tookMs).toISOString(),
        custom_metadata: { customer: isAcme ? 'acme' : `c${serial % 5}`, hostile: '<img src=x onerror=alert(1)>' },
      },
    });
  }
}

/** Waits until the table of a board has this many rows. */
export async function hasRows(page: OpenPage['page'], count: number): Promise<void> {
  const grid = page.getByRole('grid');
  await pageUntil(
    `the table has ${count} rows`,
    async () => (await grid.getAttribute('aria-rowcount')) === `${count + 1}`,
  );
}

/** Opens a board of {@link addBoardJobs} with a result of What Changed?, conditions and a selection. */
export async function openFullBoard(
  pages: Pages,
  remote: RemoteService,
  options?: PageOptions,
): Promise<OpenPage['page']> {
  const { page } = await new BoardScene(pages, remote).open(options);
  await page.getByRole('button', { name: 'What Changed?' }).click();
  await page.getByRole('button', { name: 'Show These Jobs' }).first().waitFor();
  await page.getByRole('button', { name: `Failed ${failedJobs}`, exact: true }).click();
  await hasRows(page, failedJobs);
  await page.locator('.grid-body [role=row]').nth(1).click();
  await page.getByText(`1 of ${failedJobs} selected`).waitFor();
  return page;
}

/** A position on a page and its size, in pixels. */
interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Returns the plots of a board's charts, without their axes. */
export async function chartBoxes(page: OpenPage['page']): Promise<readonly [upper: Box, lower: Box]> {
  const charts = page.locator('.pulse-charts .u-over');
  const [upper, lower] = [await charts.first().boundingBox(), await charts.last().boundingBox()];
  if (upper === null || lower === null) throw new Error('The charts are not on the page');
  return [upper, lower];
}

/** Drags from one point of a page to another. */
export async function drag(
  { mouse }: OpenPage['page'],
  from: readonly [x: number, y: number],
  to: readonly [x: number, y: number],
): Promise<void> {
  await mouse.move(...from);
  await mouse.down();
  await mouse.move((from[0] + to[0]) / 2, from[1], { steps: 4 });
  await mouse.move(...to, { steps: 4 });
  await mouse.up();
}
