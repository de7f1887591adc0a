import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { addBoardJobs, boardJobs, BoardScene, chartBoxes, drag, hasRows } from '../../support/page/boardScene.ts';
import { stubEditor } from '../../support/page/editorStub.ts';
import { pageNowMs, turnTo } from '../../support/page/pageTabs.ts';
import { pageUntil, usePages } from '../../support/page/usePages.ts';
import { useRemoteService } from '../../support/remote/remoteService.ts';

const pages = usePages();
const remote = await useRemoteService({ count: 0, clock: () => pageNowMs });
addBoardJobs(remote.sample);

/** Returns the ends of the range that is shown as selected, as fractions of the width of the chart. */
async function band(page: Page): Promise<readonly [from: number, to: number] | undefined> {
  const [outer, inner] = await Promise.all(
    ['.u-over', '.u-select'].map((each) => page.locator(`.pulse-charts ${each}`).first().boundingBox()),
  );
  if (!outer || !inner || inner.height < 10 || inner.width === 0) return undefined;
  return [(inner.x - outer.x) / outer.width, (inner.x + inner.width - outer.x) / outer.width];
}

function chip(page: Page) {
  return page.getByRole('button', { name: /^Remove created Nov/ });
}

test('narrows down to the range dragged with the mouse, wherever the drag ends', async () => {
  const { page } = await new BoardScene(pages, remote).open();
  const grid = page.getByRole('grid');
  const [box, lower] = await chartBoxes(page);
  const y = box.y + box.height / 2;
  const ends = [y, box.y + box.height + 12, lower.y + lower.height / 2, lower.y + lower.height + 60, box.y - 60];
  for (const end of ends) {
    await drag(page, [box.x + box.width * 0.7, y], [box.x + box.width * 0.9, end]);
    await chip(page).waitFor();
    await pageUntil('the table is narrowed to the range', async () => {
      const count = Number(await grid.getAttribute('aria-rowcount')) - 1;
      return count > 0 && count < boardJobs / 2;
    });
    await pageUntil('the range is shown where the mouse has drawn it', async () => {
      const [from = 0, to = 0] = (await band(page)) ?? [];
      return Math.abs(from - 0.7) < 0.03 && Math.abs(to - 0.9) < 0.03;
    });
    await chip(page).click();
    await hasRows(page, boardJobs);
  }
});

test('selects the first bins by a drag that ends beside the chart, and shows the range again on a new chart', async () => {
  const { page } = await new BoardScene(pages, remote).open();
  const [box] = await chartBoxes(page);
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * 0.5, y);
  await page.mouse.down();
  await page.mouse.move(box.x - 30, y, { steps: 4 });
  const [edge = -1] = (await band(page)) ?? [];
  assert.ok(edge > -0.01, `while it is drawn, it ends at the edge of the chart, not at ${edge}`);
  await page.mouse.up();
  await chip(page).waitFor();
  const isHalf = async (): Promise<boolean> => {
    const [from = 1, to = 0] = (await band(page)) ?? [];
    return from < 0.01 && Math.abs(to - 0.5) < 0.03;
  };
  await pageUntil('the first half is shown as selected', isHalf);
  await page.getByRole('button', { name: 'Show as Table' }).click();
  await page.getByRole('button', { name: 'Show as Chart' }).click();
  await pageUntil('it is after the table', isHalf);
  await turnTo(page, 'highContrast');
  await pageUntil('it is in other colours', isHalf);
  const select = page.locator('.u-select').first();
  assert.equal(await select.evaluate((each) => getComputedStyle(each).backgroundColor), 'rgba(0, 0, 0, 0)');
  await page.setViewportSize({ width: 700, height: 760 });
  await pageUntil('it is in a narrower window', isHalf);
});

test('does not select a range on a click', async () => {
  const { page } = await new BoardScene(pages, remote).open();
  const [box] = await chartBoxes(page);
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  assert.equal(await band(page), undefined);
  assert.equal(await page.locator('.chip').count(), 0);
});

test('narrows down to a range with the keyboard, describes its jobs, and clears it with Escape', async () => {
  const { page } = await new BoardScene(pages, remote).open();
  const { keyboard } = page;
  const slider = page.getByRole('slider');
  const grid = page.getByRole('grid');
  await slider.focus();
  await keyboard.press('End');
  assert.match((await slider.getAttribute('aria-valuetext')) ?? '', /11\/20\/26, .*: \d+ jobs, \d+ failed/);
  assert.equal(await slider.getAttribute('aria-valuenow'), await slider.getAttribute('aria-valuemax'));
  for (let step = 0; step < 3; step++) await keyboard.press('Shift+ArrowLeft');
  await pageUntil('the table is narrowed to the range', async () => {
    const count = Number(await grid.getAttribute('aria-rowcount')) - 1;
    return count > 0 && count < boardJobs;
  });
  await slider.focus();
  await keyboard.press('Escape');
  await hasRows(page, boardJobs);
  const cursor = page.locator('.u-cursor-x').first();
  const isOff = (): Promise<boolean> => cursor.evaluate((each) => each.classList.contains('u-off'));
  assert.ok(!(await isOff()));
  await grid.focus();
  await pageUntil('the cursor of the chart has left with the focus', isOff);
});

/** Returns the number of drawn pixels in each column of a chart, or only those of a given colour. */
async function readInks(
  chart: Locator,
  colour?: readonly [red: number, green: number, blue: number],
): Promise<number[]> {
  return chart.evaluate((canvas, wanted) => {
    if (!(canvas instanceof HTMLCanvasElement)) throw new Error('no canvas');
    const { width, height } = canvas;
    // The browser warns about reading a canvas without `willReadFrequently`.
    const copy = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
    copy?.drawImage(canvas, 0, 0);
    const bytes = copy?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray();
    const inks = Array.from({ length: width }, () => 0);
    for (let at = 0; at < bytes.length; at += 4) {
      const isInk = wanted?.every((part, place) => bytes[at + place] === part) ?? (bytes[at + 3] ?? 0) > 0;
      const column = (at / 4) % width;
      if (isInk) inks[column] = (inks[column] ?? 0) + 1;
    }
    return inks;
  }, colour);
}

/** Returns the share of columns of the lower chart with more drawn pixels than usual, which means its lines. */
async function inkedShare(page: Page): Promise<number> {
  const columns = await readInks(page.locator('.pulse-charts canvas').last());
  // Skips the axis and its labels.
  const inks = columns.slice(Math.round(columns.length / 5));
  const usual = inks.toSorted((a, b) => a - b)[Math.floor(inks.length / 4)] ?? 0;
  return inks.filter((each) => each > usual).length / inks.length;
}

test('names times after the jobs they belong to, and draws no line where there are no jobs', async () => {
  const { page } = await new BoardScene(pages, remote).open();
  const times = page.locator('.figures');
  await times.getByText('Median processing time').waitFor();
  await page.getByText('Times are for pre-recorded jobs only, not live sessions').waitFor();
  await pageUntil('a line is drawn over all days with jobs', async () => (await inkedShare(page)) > 0.5);
  // These jobs are hours apart, and all are live.
  await page.getByRole('button', { name: `acme ${boardJobs / 6}`, exact: true }).click();
  await hasRows(page, boardJobs / 6);
  await times.getByText('Median session length').waitFor();
  await pageUntil('only points are drawn', async () => {
    const share = await inkedShare(page);
    return share > 0.01 && share < 0.4;
  });
});

test('shows the whole caption of the charts in a narrow window', async () => {
  const { page } = await new BoardScene(pages, remote).open({ size: { width: 360, height: 700 } });
  const caption = page.getByText('Lower chart: median and 95th percentile (dashed) of processing times');
  assert.ok(((await caption.boundingBox())?.height ?? 0) > 24, 'it takes two lines');
  assert.ok(await caption.evaluate((each) => each.scrollWidth <= each.clientWidth));
});

test('draws jobs in the colours of their statuses, and follows a change of the theme', async () => {
  const { page } = await new BoardScene(pages, remote).open({ theme: 'light' });
  assert.deepEqual(await page.locator('.legend li').allInnerTexts(), ['Done', 'Failed']);
  const swatch = page.locator('.legend-error .swatch');
  const colour = await swatch.evaluate((each) => getComputedStyle(each).backgroundColor);
  assert.equal(colour, 'rgb(229, 20, 0)');
  const chart = page.locator('.pulse-charts canvas').first();
  const inks = await readInks(chart, [229, 20, 0]);
  const drawn = inks.reduce((sum, each) => sum + each, 0);
  assert.ok(drawn > 20, `${drawn} pixels of failed jobs`);
  await turnTo(page, 'dark');
  // This is the red of the dark theme.
  const isDark = async (): Promise<boolean> => (await readInks(chart, [241, 76, 76])).some((each) => each > 0);
  await pageUntil('the chart is drawn in the colours of the dark theme', isDark);
});

test('shows the same data as a table, and copies the table', async () => {
  const { page } = await new BoardScene(pages, remote).open();
  await page.getByRole('button', { name: 'Show as Table' }).click();
  const table = page.locator('.pulse-table');
  const heads = await table.getByRole('columnheader').allInnerTexts();
  assert.deepEqual(heads, [
    'From',
    'Jobs',
    'Done',
    'Failed',
    'Failure rate',
    'Median processing time',
    '95th percentile',
  ]);
  const counts = await table.locator('tbody tr td:nth-child(2)').allInnerTexts();
  assert.equal(
    counts.reduce((sum, each) => sum + Number(each), 0),
    boardJobs,
  );
  await page.getByRole('button', { name: 'Copy Table' }).click();
  await pageUntil('it is copied', () => stubEditor.clipboard.startsWith(heads.join('\t')));
  const copied = stubEditor.clipboard.split('\n').slice(1);
  // The copy includes bins without jobs, as a spreadsheet needs them.
  assert.ok(copied.length > counts.length);
  assert.equal(
    copied.reduce((sum, line) => sum + Number(line.split('\t')[1]), 0),
    boardJobs,
  );
  await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor({ state: 'attached' });
});
