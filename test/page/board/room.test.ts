import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import {
  addBoardJobs,
  boardJobs,
  BoardScene,
  drag,
  failedJobs,
  hasRows,
  openFullBoard,
} from '../../support/page/boardScene.ts';
import { pageNowMs } from '../../support/page/pageTabs.ts';
import { setPageLanguage } from '../../support/page/pageLanguage.ts';
import { pageUntil, usePages } from '../../support/page/usePages.ts';
import { useRemoteService } from '../../support/remote/remoteService.ts';

const pages = usePages();
const remote = await useRemoteService({ count: 0, clock: () => pageNowMs });
addBoardJobs(remote.sample);
const failing = await useRemoteService({ count: 0, clock: () => pageNowMs });
for (let serial = 0; serial < 200; serial++) {
  const createdAt = pageNowMs - (serial + 1) * 10 * 60_000;
  failing.sample.add({ id: `job-${serial}`, createdAt, status: serial < 30 ? 'error' : 'done', errorCode: 503 });
}

/** Returns the number of rows that can be seen in full without scrolling anything. */
async function visibleRows(page: Page): Promise<number> {
  return page.evaluate(() => {
    const grid = document.querySelector<HTMLElement>('.grid');
    const head = document.querySelector('.grid-head');
    if (grid === null || head === null) return 0;
    const top = head.getBoundingClientRect().bottom;
    const bottom = Math.min(innerHeight, grid.getBoundingClientRect().top + grid.clientTop + grid.clientHeight);
    return [...grid.querySelectorAll('.grid-body .grid-row')].filter((row) => {
      const box = row.getBoundingClientRect();
      return box.top >= top - 1 && box.bottom <= bottom + 1;
    }).length;
  });
}

for (const [width, height] of [
  [1400, 900],
  [1000, 760],
  [1000, 500],
  [700, 500],
  [420, 760],
  [420, 500],
] as const) {
  test(`shows eight rows at ${width} × ${height}, with conditions and with What Changed?`, async () => {
    const page = await openFullBoard(pages, remote, { size: { width, height } });
    await page.getByRole('region', { name: 'What changed' }).waitFor();
    assert.ok((await visibleRows(page)) >= 8, `${await visibleRows(page)} rows`);
    assert.equal(await page.evaluate(() => document.documentElement.scrollHeight), height, 'the page itself stays');
    await page.getByRole('button', { name: 'Show These Jobs' }).first().click();
    await page.getByRole('button', { name: 'Remove customer = acme' }).waitFor();
    assert.ok((await visibleRows(page)) >= 8, `${await visibleRows(page)} rows`);
  });
}

test('shows the title of a finding and its first sentence without scrolling, at any height', async () => {
  const { page } = await new BoardScene(pages, remote).open({ size: { width: 1000, height: 500 } });
  await page.getByRole('button', { name: 'What Changed?' }).click();
  const head = page.locator('.finding h2');
  await head.waitFor();
  await pageUntil('the finding is in sight', async () => {
    const [box, outer] = await Promise.all([head.boundingBox(), page.locator('.board-top').boundingBox()]);
    return box !== null && outer !== null && box.y >= outer.y && box.y + box.height <= outer.y + outer.height;
  });
});

test('shows the conditions without scrolling in half a window', async () => {
  const { page } = await new BoardScene(pages, remote).open({ size: { width: 490, height: 780 } });
  for (const name of [/^acme/, /^503/]) await page.getByRole('button', { name }).first().click();
  const chips = page.getByRole('button', { name: /^Remove / });
  await pageUntil('both conditions can be seen in full', async () => {
    const outer = await page.locator('.board-top').boundingBox();
    const boxes = await Promise.all((await chips.all()).map((chip) => chip.boundingBox()));
    const isSeen = (box: (typeof boxes)[number]): boolean =>
      box !== null && outer !== null && box.y >= outer.y && box.y + box.height <= outer.y + outer.height;
    return boxes.length === 2 && boxes.every(isSeen);
  });
});

test('folds the charts and the list of values, and remembers it for other boards', async () => {
  const scene = new BoardScene(pages, remote);
  const { page, panel } = await scene.open();
  const charts = page.getByRole('button', { name: 'Jobs over time', expanded: true });
  const facets = page.getByRole('button', { name: 'Narrow down', expanded: true });
  const before = await visibleRows(page);
  await charts.press('Enter');
  await page.locator('.pulse-charts').waitFor({ state: 'detached' });
  await page.locator('button:focus', { hasText: 'Jobs over time' }).waitFor();
  await pageUntil('the table has its room', async () => (await visibleRows(page)) >= before + 6);
  const width = (await page.getByRole('grid').boundingBox())?.width ?? 0;
  await facets.press('Enter');
  await page.getByRole('region', { name: 'Narrow down' }).waitFor({ state: 'detached' });
  await pageUntil(
    'the table is wider',
    async () => ((await page.getByRole('grid').boundingBox())?.width ?? 0) > width + 150,
  );
  await panel.reload();
  await hasRows(page, boardJobs);
  const { page: other } = await new BoardScene(pages, remote, scene.state).open();
  for (const each of [page, other]) {
    await each.getByRole('button', { name: 'Narrow down', expanded: false }).waitFor();
    assert.equal(await each.locator('.pulse-charts, .facets').count(), 0);
  }
  await other.getByRole('button', { name: 'Jobs over time', expanded: false }).click();
  await other.locator('.pulse-charts canvas').first().waitFor();
});

test('shows the chart of times only where it compares jobs that have not all failed', async () => {
  const { page } = await new BoardScene(pages, remote).open();
  const charts = page.locator('.pulse-charts .u-over');
  await pageUntil('both charts are drawn', async () => (await charts.count()) === 2);
  await page.getByRole('button', { name: `Failed ${failedJobs}`, exact: true }).click();
  await hasRows(page, failedJobs);
  await pageUntil('one chart is left', async () => (await charts.count()) === 1);
  assert.equal(await page.getByText(/^Lower chart/).count(), 0);
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await pageUntil('both charts are back', async () => (await charts.count()) === 2);
});

test('keeps the selection, the active cell and the scrolled rows while its tab is hidden', async () => {
  const { page, panel } = await new BoardScene(pages, remote).open();
  const scrolledTo = (top: number): Promise<unknown> =>
    pageUntil('it is scrolled there', () =>
      page.getByRole('grid').evaluate((grid, wanted) => Math.abs(grid.scrollTop - wanted) < 2, top),
    );
  const row = page.locator('[role=row]', { hasText: 'job-131' });
  await page.getByRole('grid').evaluate((grid) => grid.scrollTo(0, 130 * 24));
  await row.click();
  const last = page.locator('[role=row]', { hasText: 'job-133' });
  await last
    .locator('[role=gridcell]')
    .first()
    .click({ modifiers: ['Shift'] });
  await pageUntil('the editor knows', () => JSON.stringify(panel.received.at(-1)).includes('{"from":131,"to":134}'));
  await scrolledTo(130 * 24);
  await panel.reload();
  await page.getByText(`3 of ${boardJobs} selected`).waitFor();
  await scrolledTo(130 * 24);
  await page.locator('[role=row][aria-selected=true]', { hasText: 'job-132' }).waitFor();
  assert.equal(await page.getByRole('grid').getAttribute('aria-activedescendant'), 'cell-133-1');
  // Other rows in the same places are not selected.
  await page.getByRole('columnheader', { name: 'Job', exact: true }).click();
  await page.getByText('Select rows to act on them').waitFor();
  await panel.reload();
  await hasRows(page, boardJobs);
  assert.equal(await page.locator('[role=row][aria-selected=true]').count(), 0);
});

test('narrows down to the time of a finding', async () => {
  const { page } = await new BoardScene(pages, failing).open({}, /^Read at/);
  await page.getByRole('button', { name: 'What Changed?' }).click();
  await page.getByRole('button', { name: /^Show Jobs Since Nov 20, 2026, 8:00/ }).click();
  await hasRows(page, 30);
  await page.getByRole('button', { name: /^Remove created since Nov 20, 2026, 8:00/ }).waitFor();
  assert.equal(await page.getByRole('button', { name: /^Show Jobs Since/ }).count(), 0, 'they are shown');
});

for (const width of [1400, 1010, 1000]) {
  test(`cuts no column at the right edge at ${width} pixels, with the list of values and without it`, async () => {
    const { page } = await new BoardScene(pages, remote).open({ size: { width, height: 760 } });
    for (const isFolded of [false, true]) {
      if (isFolded) await page.getByRole('button', { name: 'Narrow down' }).click();
      assert.deepEqual(await edges(page), { hidden: 0, empty: 0 });
      // The columns of the rows are those of the heading.
      assert.deepEqual(await lefts(page, '.grid-head'), await lefts(page, '.grid-body'));
    }
  });
}

test('shows titles and kinds whole in French, which is longer', async () => {
  setPageLanguage('fr');
  const { page } = await new BoardScene(pages, remote).open({ size: { width: 900, height: 760 } }, /^Lu à /);
  const texts = page
    .locator('.grid-name, .grid-cell')
    .filter({ hasText: /Type|Code d’erreur|Durée de traitement|Préenregistrée/ });
  await texts.filter({ hasText: 'Préenregistrée' }).first().waitFor();
  const cut = await texts.evaluateAll((cells) =>
    cells.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ textContent }) => textContent),
  );
  assert.deepEqual(cut, []);
});

test('scrolls the heading with the rows where the columns need more room than there is', async () => {
  const { page } = await new BoardScene(pages, remote).open({ size: { width: 420, height: 760 } });
  const { hidden } = await edges(page);
  assert.ok(hidden > 100, `${hidden} pixels`);
  await page.getByRole('grid').evaluate((grid) => grid.scrollTo(grid.scrollWidth, 0));
  assert.deepEqual(await edges(page), { hidden: 0, empty: 0 });
  assert.deepEqual(await lefts(page, '.grid-head'), await lefts(page, '.grid-body'));
  const head = page.getByRole('columnheader').last();
  assert.equal(await head.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), 0, 'it is whole');
});

test('keeps the width of a resized column, shares the rest, and resets it by a double click', async () => {
  const { page } = await new BoardScene(pages, remote).open({ size: { width: 1400, height: 760 } });
  const head = page.getByRole('columnheader', { name: 'Created' });
  const width = async (): Promise<number> => Math.round((await head.boundingBox())?.width ?? 0);
  const usual = await width();
  const edge = await head.locator('.grid-edge').boundingBox();
  assert.ok(edge);
  await drag(page, [edge.x + 3, edge.y + 10], [edge.x + 103, edge.y + 10]);
  await pageUntil('it is wider', async () => (await width()) === usual + 100);
  const moved = await head.locator('.grid-edge').boundingBox();
  assert.ok(Math.abs((moved?.x ?? 0) - edge.x - 100) <= 1, 'the edge is where the mouse is');
  assert.deepEqual(await edges(page), { hidden: 0, empty: 0 });
  await page.setViewportSize({ width: 800, height: 760 });
  await pageUntil('the others are narrower', async () => (await edges(page)).hidden > 0);
  assert.equal(await width(), usual + 100);
  await page.setViewportSize({ width: 1400, height: 760 });
  await head.locator('.grid-edge').dblclick();
  await pageUntil('it has its usual width', async () => (await width()) === usual);
});

test('at 200 %, scrolls as a whole, with the list of values as tall as the table beside it, and buttons side by side', async () => {
  const page = await openFullBoard(pages, remote, { size: { width: 700, height: 450 } });
  const [facets, table] = await Promise.all([
    page.getByRole('region', { name: 'Narrow down' }).boundingBox(),
    page.getByRole('region', { name: 'Jobs', exact: true }).boundingBox(),
  ]);
  assert.ok(facets && table);
  assert.deepEqual([facets.y, facets.height], [table.y, table.height]);
  const buttons = page.getByRole('region', { name: 'What changed' }).getByRole('button', { name: /Show|Use/ });
  const tops = await buttons.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
  assert.ok(tops.length > 1 && new Set(tops).size === 1, tops.join());
  assert.ok(await page.evaluate(() => document.documentElement.scrollHeight > innerHeight));
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0);
});

/** Returns the width of the table that is hidden to the right, and the empty space after its last column, in pixels. */
async function edges(page: Page): Promise<{ readonly hidden: number; readonly empty: number }> {
  return page.getByRole('grid').evaluate((grid) => {
    const inner = grid.getBoundingClientRect().left + grid.clientLeft + grid.clientWidth;
    const last = grid.querySelector('.grid-head .grid-row')?.lastElementChild?.getBoundingClientRect().right ?? 0;
    return { hidden: Math.max(0, Math.round(last - inner)), empty: Math.max(0, Math.round(inner - last)) };
  });
}

/** Returns where the cells of the first row of a part of the table begin. */
async function lefts(page: Page, part: string): Promise<readonly number[]> {
  const cells = page.locator(`${part} .grid-row`).first().locator('> *');
  return cells.evaluateAll((all) => all.map((cell) => Math.round(cell.getBoundingClientRect().left)));
}
