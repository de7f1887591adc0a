import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { fixtureItem } from '../../support/details/fixtureItems.ts';
import { addBoardJobs, BoardScene, openFullBoard } from '../../support/page/boardScene.ts';
import { echoingJob, translatedJob } from '../../support/page/jobItems.ts';
import { openUnfolded } from '../../support/page/jobScene.ts';
import type { PageOptions } from '../../support/page/pagePanel.ts';
import { pageNowMs } from '../../support/page/pageTabs.ts';
import { usePages } from '../../support/page/usePages.ts';
import { useRemoteService } from '../../support/remote/remoteService.ts';
import { axeViolations } from '../../support/workbench/axeViolations.ts';

const pages = usePages();
const remote = await useRemoteService({ count: 0, clock: () => pageNowMs });
addBoardJobs(remote.sample);

/** For a page, half the window size is the same as a zoom of 200 %. */
const zoomed: PageOptions = { size: { width: 500, height: 380 } };
const narrow: PageOptions = { size: { width: 300, height: 600 } };

const layouts: Readonly<Record<string, (options: PageOptions) => Promise<Page>>> = {
  'a done job': (options) => openUnfolded(pages, fixtureItem('preRecordedDone'), options),
  'a job with a translation': async (options) => {
    const page = await openUnfolded(pages, translatedJob, options);
    await page.getByRole('button', { name: 'Translation: en' }).click();
    return page;
  },
  'a live session': (options) => openUnfolded(pages, fixtureItem('liveDone'), options),
  'a failed job': (options) => openUnfolded(pages, echoingJob, options),
  'a board': (options) => openFullBoard(pages, remote, options),
};

for (const [name, open] of Object.entries(layouts)) {
  for (const [when, options] of Object.entries({ 'at 200 %': zoomed, 'at 300 pixels': narrow })) {
    test(`${name} ${when} clips nothing and does not scroll sideways`, async () => {
      const page = await open(options);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), options.size?.width);
      const cut = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('h1, h2, h3, button, dt, dd, th, p, li')]
          .filter((each) => each.closest('.grid, .acts, .pulse-table') === null && each.checkVisibility())
          .filter((each) => {
            const { left, right } = each.getBoundingClientRect();
            return left < 0 || right > innerWidth + 1;
          })
          .map((each) => each.outerHTML.slice(0, 200)),
      );
      assert.deepEqual(cut, []);
      assert.deepEqual(await axeViolations(page), []);
    });
  }
}

test('the buttons for time ranges have the same height at 200 %', async () => {
  const { page } = await new BoardScene(pages, remote).open(zoomed);
  const heights = await page.locator('.toggle').evaluateAll((all) => all.map((each) => each.clientHeight));
  assert.equal(new Set(heights).size, 1, heights.join(' '));
});
