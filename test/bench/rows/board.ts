import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { BoardModel } from '../../../src/features/board/common/boardModel.ts';
import { firstRows, type HostToBoard } from '../../../src/features/board/common/boardProtocol.ts';
import { usualLayout } from '../../../src/features/board/common/boardStorage.ts';
import { JobColumns } from '../../../src/features/board/common/jobColumns.ts';
import { decodeJob } from '../../../src/jobs/common/decodeJob.ts';
import { launchBrowser } from '../../support/editor/launchBrowser.ts';
import { medianRatio } from '../median.ts';
import type { Row } from '../outcome.ts';
import { msToPaint } from '../page/pageUnderTest.ts';
import { benchItem, createdMs, customers } from '../service/benchItem.ts';
import { timed } from '../timed.ts';

const few = 1000;
const many = 20_000;
/** The small board has every n-th job of the large one: over the same time, so that the charts have as many bars, and with all values. */
const fewEach = 21;
const words = { locale: { language: 'en', timeZone: 'UTC' }, errorLabels: {} };
const time = { type: 'last', hours: 24 * 90 } as const;
/** Max number of passes over all jobs that a click may take. */
const floorPasses = 4;
const passed = Array.from({ length: floorPasses }, () => new Float64Array(many).fill(1));

/** Opens a board on jobs that were read, narrows it and scrolls it, on the page as it ships. */
export const row: Row = async ({ quick, builtRoot }) => {
  const browser = await launchBrowser();
  const rounds = quick ? 3 : 31;
  const [small, large] = [columnsOf(few, fewEach), columnsOf(many)];
  const open = { small: [] as number[], large: [] as number[] };
  const frames = { small: [] as number[], large: [] as number[] };
  const facet: number[] = [];
  const clickedFew: number[] = [];
  const passes: number[] = [];
  const floor: number[] = [];
  for (let round = 0; round < rounds; round++) {
    // Alternates the order, as in all rows.
    for (const name of round % 2 === 0 ? (['small', 'large'] as const) : (['large', 'small'] as const)) {
      const columns = name === 'small' ? small : large;
      const page = await boardPage(browser, builtRoot);
      const startMs = performance.now();
      const model = modelOf(columns);
      const message = viewOf(model, 1);
      open[name].push(performance.now() - startMs + (await msToPaint(page, message)));
      for (const [click, value] of customers.entries()) {
        const clickMs = performance.now();
        model.narrow({ facets: [{ key: 'custom_metadata.customer', value, isExcluded: false }], range: undefined });
        const narrowed = viewOf(model, 2 + click);
        const readyMs = performance.now() - clickMs;
        const clickedMs = readyMs + (await msToPaint(page, narrowed));
        if (name === 'large') facet.push(clickedMs);
        else {
          const passMs = rawPassMs();
          passes.push(passMs);
          clickedFew.push(clickedMs);
          floor.push(floorPasses * passMs + clickedMs);
        }
      }
      await msToPaint(page, viewOf(modelOf(columns), 2 + customers.length));
      frames[name].push(await slowFrameMs(page, model));
      await page.close();
    }
  }
  await browser.close();
  return [
    {
      title: 'Board: open',
      measured: 'from the jobs read to painted, 20,000 jobs against 1,000',
      value: medianRatio(open.large, open.small),
      unit: '×',
      atMost: 1.5,
      facts: [timed('20,000 jobs', open.large), timed('1,000 jobs', open.small)],
      limit:
        'Sorting 20,000 rows by processing time, and choosing the metadata that splits the jobs best, are done before the first row is shown.',
    },
    {
      title: 'Board: facet',
      measured:
        'a value of a facet to painted at 20,000 jobs, against the same at 1,000 of them and four passes over a typed array of all',
      value: medianRatio(facet, floor),
      unit: '×',
      atMost: 1.1,
      facts: [timed('facet', facet), timed('1,000 jobs', clickedFew), timed('one pass', passes)],
      limit:
        'One frame for painting is out of reach: a page that paints nothing takes 17 ms, and this one lays out and paints the facets, the rows in sight and both charts at once. What is shown is as much for 1,000 jobs of the same time. So the passes are what is measured: they are what grows with the jobs. What is above that floor is the table’s list of places, an object for each of 4,000 rows that pass, which @tanstack/virtual-core makes.',
    },
    {
      title: 'Board: scrolling',
      measured: '95th percentile of the time between frames while scrolling, 20,000 rows against 1,000',
      value: medianRatio(frames.large, frames.small),
      unit: '×',
      atMost: 1.3,
      facts: [timed('20,000 rows', frames.large), timed('1,000 rows', frames.small)],
    },
  ];
};

/** @param step to the number of the next job */
function columnsOf(count: number, step = 1): JobColumns {
  const columns = new JobColumns();
  for (let place = 0; place < count; place++) {
    const raw = benchItem(place * step);
    const job = decodeJob(JSON.parse(raw), raw, undefined, () => undefined);
    if (job.type === 'job') columns.add(job);
  }
  return columns;
}

function modelOf(columns: JobColumns): BoardModel {
  const data = { columns, size: columns.size, isPart: false };
  return new BoardModel(data, usualLayout, { facets: [], range: undefined }, time, createdMs(-1));
}

function viewOf(model: BoardModel, revision: number): HostToBoard {
  const facts = {
    isOutdated: false,
    isSlowed: false,
    atMs: createdMs(-1),
    unreadable: 0,
    contradicting: 0,
    error: undefined,
  };
  return { type: 'view', revision, extent: { type: 'whole' }, ...facts, ...model.show(firstRows, words) };
}

/** Opens the board as it ships, in a browser without the editor; {@link slowFrameMs} takes the editor's part. */
async function boardPage(browser: Browser, builtRoot: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1300, height: 900 } });
  const read = (ending: string): string => readFileSync(join(builtRoot, `dist/page/board.page.${ending}`), 'utf8');
  const editor = `globalThis.acquireVsCodeApi = () => ({
    postMessage(message) { if (message.type === 'slice') globalThis.answerRows?.(JSON.stringify(message)); },
    getState() {}, setState() {} });`;
  const code = `${editor}${read('js')}`.replaceAll('</script', String.raw`<\/script`);
  await page.setContent(
    `<!DOCTYPE html><html lang="en"><style>${read('css')}</style><body><script>${code}</script></body></html>`,
  );
  await msToPaint(page, { type: 'hello', language: 'en', strings: {}, folded: [] } satisfies HostToBoard);
  return page;
}

/** Returns the 95th percentile of the time between frames while the table scrolls by one screen per frame. */
async function slowFrameMs(page: Page, model: BoardModel): Promise<number> {
  await page.exposeFunction('answerRows', async (text: string) => {
    const { revision, from, to } = JSON.parse(text) as { revision: number; from: number; to: number };
    const message = { type: 'rows', revision, slice: model.slice({ from, to }, words) };
    await page.evaluate(`postMessage(${JSON.stringify(message)}, '*')`);
  });
  const gridIsShown = await page.locator('.grid').isVisible();
  if (!gridIsShown) throw new Error('the board shows no table');
  return page.evaluate<number>(`new Promise((resolve) => {
    const grid = document.querySelector('.grid');
    const times = [];
    let before = performance.now();
    const step = () => {
      const now = performance.now();
      times.push(now - before);
      before = now;
      grid.scrollTop = (grid.scrollTop + 300) % (grid.scrollHeight - grid.clientHeight);
      if (times.length < 120) requestAnimationFrame(step);
      else resolve(times.slice(1).sort((a, b) => a - b)[Math.floor(0.95 * (times.length - 1))]);
    };
    requestAnimationFrame(step);
  })`);
}

/**
 * Measures one pass over a typed array with a number for each of 20,000 jobs, as the mean over several separate arrays: a click passes over
 * each column once, so none is in the processor's cache from the pass before.
 */
function rawPassMs(): number {
  const startMs = performance.now();
  for (const numbers of passed) {
    let sum = 0;
    for (const each of numbers) sum += each;
    if (sum !== many) throw new Error('not summed');
  }
  return (performance.now() - startMs) / passed.length;
}
