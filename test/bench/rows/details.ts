import { decodeJob } from '../../../src/jobs/common/decodeJob.ts';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { buildJobView } from '../../../src/features/details/common/buildJobView.ts';
import type { HostToPage } from '../../../src/features/details/common/protocol.ts';
import { fixtureItem } from '../../support/details/fixtureItems.ts';
import { launchBrowser } from '../../support/editor/launchBrowser.ts';
import type { Page } from 'playwright-core';
import { alternate } from '../alternate.ts';
import { median, medianRatio } from '../median.ts';
import { timed } from '../timed.ts';
import type { Fact, Outcome, Row } from '../outcome.ts';
import { withLargeMetadata } from '../page/largeMetadata.ts';
import { droppedWhileScrolling, livePage, msToPaint, staticPage } from '../page/pageUnderTest.ts';
import { withLargeResult } from '../page/largeResult.ts';

const hello = { type: 'hello', language: 'en', strings: {} } satisfies HostToPage;
/** Paint times of about 20 ms vary by half, and are quick to repeat. */
const fastRounds = 101;
const slowRounds = 21;
/** Without these flags, waiting for a frame adds up to 16 ms. */
const noFrameRate = ['--disable-frame-rate-limit', '--disable-gpu-vsync'];

/** Shows a job on the details page, and the same elements as HTML on a page that only displays the HTML it is sent. */
export const row: Row = async ({ quick, builtRoot }) => {
  const browser = await launchBrowser(noFrameRate);
  const live = await livePage(browser, builtRoot);
  const still = await staticPage(browser, builtRoot);
  const measure = async (
    title: string,
    what: string,
    item: JsonObject,
    rounds: number,
    alone?: string,
  ): Promise<Outcome> => {
    const message = jobMessage(item);
    let shown = 0;
    await msToPaint(live, hello);
    // A different job each time, so that no element can be reused.
    const next = (): object => ({
      ...message,
      job: { connection: 'Bench', kind: 'live', id: `${shown++}`, side: false },
    });
    await msToPaint(live, next());
    const html = alone ?? (await live.evaluate<string>('document.body.innerHTML'));
    const text = await live.evaluate<string>('document.body.innerText');
    if (!text.includes(message.view.title)) throw new Error('the job is not on the page');
    const runs = await alternate(
      { ours: () => msToPaint(live, next()), still: () => msToPaint(still, { ...next(), html }) },
      { rounds: quick ? 7 : rounds, warmUps: 5 },
    );
    const against = alone === undefined ? 'the same elements as HTML' : 'its text alone as HTML';
    return {
      title,
      measured: `message to painted, ${what}, against a static page that is sent the same and has ${against}`,
      value: medianRatio(runs.ours, runs.still),
      unit: '×',
      atMost: 1.5,
      facts: [timed('details page', runs.ours), timed('static page', runs.still)],
    };
  };
  const item = fixtureItem('liveDone');
  const large = withLargeResult(item, 10 * 3600);
  const outcomes = [
    await measure('Details page', 'a live job with 30 fields', item, fastRounds),
    await measure('Details page, 1 MB', 'the same with 1 MB of metadata', withLargeMetadata(item), slowRounds),
    await measure(
      'Details page, 5 MB',
      'the same with 5 MB of result, 10 hours of speech',
      large.item,
      slowRounds,
      large.html,
    ),
  ];
  await browser.close();
  return [...outcomes, await scrolled(item, quick, builtRoot)];
};

/** Even an idle machine drops one frame out of about this many, and not always the same number. */
const fewFrames = 1000;

/** Scrolls the transcript of ten hours and that of ten minutes, each on a separate page, at the usual frame rate. */
async function scrolled(item: JsonObject, quick: boolean, builtRoot: string): Promise<Outcome> {
  const browser = await launchBrowser();
  const shown = async (seconds: number): Promise<Page> => {
    const page = await livePage(browser, builtRoot);
    const { item: spoken, lines } = withLargeResult(item, seconds);
    await msToPaint(page, hello);
    await msToPaint(page, { ...jobMessage(spoken), job: { connection: 'Bench', kind: 'live', id: 'a', side: false } });
    await page.waitForFunction(`document.querySelectorAll('.transcript .line').length === ${lines}`);
    return page;
  };
  const hours = await shown(10 * 3600);
  const minutes = await shown(10 * 60);
  const frames = quick ? 60 : 240;
  const runs = await alternate(
    { hours: () => droppedWhileScrolling(hours, frames), minutes: () => droppedWhileScrolling(minutes, frames) },
    { rounds: quick ? 3 : 15, warmUps: 2 },
  );
  await browser.close();
  const sum = (each: readonly number[]): number => each.reduce((total, dropped) => total + dropped, 0);
  const dropped = (what: string, each: readonly number[]): Fact => ({
    what,
    value: median(each),
    unit: 'frames',
    runs: each,
  });
  return {
    title: 'Transcript, scrolled',
    measured: `frames dropped while a transcript of 10 hours is scrolled, against one of 10 minutes, or against one frame of ${fewFrames} where that drops fewer`,
    value: sum(runs.hours) / Math.max((runs.hours.length * frames) / fewFrames, sum(runs.minutes)),
    unit: '×',
    atMost: 1,
    facts: [dropped('10 hours', runs.hours), dropped('10 minutes', runs.minutes)],
  };
}

function jobMessage(item: JsonObject) {
  const job = decodeJob(item, JSON.stringify(item), 'live', () => undefined);
  if (job.type !== 'job') throw new Error('the item is no job');
  const facts = {
    title: 'Town hall, main stage',
    nowMs: Date.UTC(2026, 10, 20, 12),
    locale: { language: 'en', timeZone: 'UTC' },
    errorLabels: {},
    // All are open, so that everything is drawn.
    chosenSections: { opened: ['transcript', 'addOns', 'request', 'details', 'raw'], closed: [] },
  };
  return { type: 'job', view: buildJobView(job, facts) };
}
