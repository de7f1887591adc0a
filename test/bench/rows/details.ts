import { decodeJob } from '../../../src/domain/jobs/decodeJob.ts';
import type { JsonObject } from '../../../src/domain/json/json.ts';
import { buildJobView } from '../../../src/domain/jobView/buildJobView.ts';
import { fixtureItem } from '../../support/details/fixtureItems.ts';
import { launchBrowser } from '../../support/editor/launchBrowser.ts';
import { alternate } from '../alternate.ts';
import { median } from '../median.ts';
import { timed } from '../timed.ts';
import type { Outcome, Row } from '../outcome.ts';
import { withLargeMetadata } from '../page/largeMetadata.ts';
import { livePage, msToPaint, staticPage } from '../page/pageUnderTest.ts';
import { withLargeResult } from '../page/largeResult.ts';

/** Without these flags, waiting for a frame adds up to 16 ms. */
const noFrameRate = ['--disable-frame-rate-limit', '--disable-gpu-vsync'];

/** Shows a job on the details page, and the same elements as HTML on a page that only displays what it is sent. */
export const row: Row = async ({ quick, builtRoot }) => {
  const browser = await launchBrowser(noFrameRate);
  const live = await livePage(browser, builtRoot);
  const still = await staticPage(browser, builtRoot);
  const measure = async (title: string, what: string, item: JsonObject, alone?: string): Promise<Outcome> => {
    const message = jobMessage(item);
    let shown = 0;
    await msToPaint(live, { type: 'hello', language: 'en', strings: {} });
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
      { rounds: quick ? 7 : 21, warmUps: 5 },
    );
    const against = alone === undefined ? 'the same elements as HTML' : 'its text alone as HTML';
    return {
      title,
      measured: `message to painted, ${what}, against a static page that is sent the same and has ${against}`,
      value: median(runs.ours) / median(runs.still),
      unit: '×',
      atMost: 1.5,
      facts: [timed('details page', runs.ours), timed('static page', runs.still)],
    };
  };
  const item = fixtureItem('liveDone');
  const large = withLargeResult(item);
  const outcomes = [
    await measure('Details page', 'a live job with 30 fields', item),
    await measure('Details page, 1 MB', 'the same with 1 MB of metadata', withLargeMetadata(item)),
    await measure('Details page, 5 MB', 'the same with 5 MB of result, 10 hours of speech', large.item, large.html),
  ];
  await browser.close();
  return outcomes;
};

function jobMessage(item: JsonObject) {
  const job = decodeJob(item, JSON.stringify(item), 'live', () => undefined);
  if (job.type !== 'job') throw new Error('the item is no job');
  const facts = {
    title: 'Town hall, main stage',
    nowMs: Date.UTC(2026, 10, 20, 12),
    locale: { language: 'en', timeZone: 'UTC' },
    errorLabels: {},
  };
  return { type: 'job', view: buildJobView(job, facts) };
}
