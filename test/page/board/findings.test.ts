import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import {
  addBoardJobs,
  boardJobs,
  BoardScene,
  chartBoxes,
  drag,
  failedJobs,
  hasRows,
} from '../../support/page/boardScene.ts';
import { pageNowMs } from '../../support/page/pageTabs.ts';
import { pageUntil, usePages } from '../../support/page/usePages.ts';
import { useRemoteService } from '../../support/remote/remoteService.ts';

const pages = usePages();
const remote = await useRemoteService({ count: 0, clock: () => pageNowMs });
addBoardJobs(remote.sample);
const failed = `Failed ${failedJobs}`;

function finding(page: Page): Locator {
  return page.getByRole('region', { name: 'What changed' });
}

async function explain(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'What Changed?' }).click();
  await finding(page).getByRole('heading').waitFor();
}

test('shows what the failures have in common, and moves the focus there', async () => {
  const { page } = await new BoardScene(pages, remote).open();
  await page.getByRole('button', { name: 'What Changed?' }).press('Enter');
  await finding(page).locator('h2:focus').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await finding(page).locator('button:focus', { hasText: 'Show These Jobs' }).waitFor();
  await finding(page)
    .getByText('customer = acme: 10 of 40 failed (25%), compared with 0 of 200 other jobs (0%)')
    .waitFor();
  await finding(page).getByText('All of them have error code 503.').waitFor();
  await finding(page)
    .getByRole('heading', { name: `What changed: ${failedJobs} failures of ${boardJobs} finished jobs` })
    .waitFor();
});

test('shows the jobs of a finding, and reports that the finding is about the earlier jobs', async () => {
  const { page } = await new BoardScene(pages, remote).open();
  await explain(page);
  const earlier = finding(page).getByText('About the jobs before the conditions were changed.');
  assert.equal(await earlier.count(), 0);
  await finding(page).getByRole('button', { name: 'Show These Jobs' }).first().click();
  await hasRows(page, boardJobs / 6);
  await earlier.waitFor();
});

test('does not call the same answer outdated when failures are selected', async () => {
  const { page } = await new BoardScene(pages, remote).open();
  await explain(page);
  const earlier = finding(page).getByText('About the jobs before the conditions were changed.');
  await page.getByRole('button', { name: failed, exact: true }).click();
  await hasRows(page, failedJobs);
  assert.equal(await earlier.count(), 0);
  await page.getByRole('button', { name: `503 ${failedJobs}`, exact: true }).click();
  await earlier.waitFor();
});

test('says what all compared jobs have in common', async () => {
  const { page } = await new BoardScene(pages, remote).open();
  await page.getByRole('button', { name: /^acme/ }).click();
  await hasRows(page, boardJobs / 6);
  await explain(page);
  await finding(page).getByText('Only jobs with customer = acme were compared.').waitFor();
});

test('closes with the keyboard, and returns the focus to its button', async () => {
  const { page } = await new BoardScene(pages, remote).open();
  await explain(page);
  await finding(page).getByRole('button', { name: 'Close' }).press('Enter');
  await finding(page).waitFor({ state: 'detached' });
  await page.locator('button:focus', { hasText: 'What Changed?' }).waitFor();
});

test('compares selected jobs with the others, and shows which values the jobs view cannot filter by', async () => {
  const { page } = await new BoardScene(pages, remote).open();
  await page.getByRole('columnheader', { name: 'Kind' }).click();
  await page.locator('[role=columnheader][aria-sort=ascending]', { hasText: 'Kind' }).waitFor();
  const rows = page.locator('.grid-body [role=row]');
  await rows.first().click();
  await rows.nth(11).click({ modifiers: ['Shift'] });
  await page.getByText(`12 of ${boardJobs} selected`).waitFor();
  await explain(page);
  await finding(page).getByText('What changed: 12 selected jobs').waitFor();
  await finding(page)
    .getByText(`Compared with the ${boardJobs - 12} other jobs in the table.`)
    .waitFor();
  const live = finding(page).getByRole('listitem').filter({ hasText: 'Kind = Live: 12 of 80 are among these jobs' });
  await live.getByText("The jobs view can't filter by this value").waitFor();
  assert.equal(await live.getByRole('button').count(), 1);
});

test('reports that a filter will leave out a condition of the finding', async () => {
  const { page } = await new BoardScene(pages, remote).open();
  await page.getByRole('button', { name: `Live ${boardJobs / 3}`, exact: true }).click();
  await page.getByRole('button', { name: failed, exact: true }).click();
  await hasRows(page, failedJobs);
  await explain(page);
  const leftOut = "The filter will ignore Kind = Live: the jobs view can't filter by it";
  await finding(page).getByText(leftOut).waitFor();
  assert.equal(await page.getByText(leftOut).count(), 1, 'the conditions do not say it again');
  assert.equal(
    await page.locator('.conditions').getByRole('button', { name: 'Use as Filter in Jobs View' }).count(),
    0,
  );
  assert.equal(await page.getByText('Failure rate').count(), 0, 'all of them are failures');
});

test('uses a value that distinguishes the failures as the filter of the jobs view', async () => {
  const scene = new BoardScene(pages, remote);
  const { page } = await scene.open();
  await explain(page);
  await finding(page).getByRole('button', { name: 'Use as Filter in Jobs View' }).first().click();
  await pageUntil('the jobs view shows failed jobs of the customer', () => {
    const { statuses, metadata } = scene.filter;
    return statuses.join() === 'error' && metadata['customer'] === 'acme';
  });
});

test('uses the range of a finding as a filter, also after the range was cleared on the board', async () => {
  const scene = new BoardScene(pages, remote);
  const { page } = await scene.open();
  await page.getByRole('button', { name: `acme ${boardJobs / 6}`, exact: true }).click();
  await hasRows(page, boardJobs / 6);
  const [box] = await chartBoxes(page);
  const y = box.y + box.height / 2;
  await drag(page, [box.x + box.width * 0.63, y], [box.x + box.width * 0.995, y]);
  await page.getByRole('button', { name: /^Remove created since Nov/ }).waitFor();
  await explain(page);
  await finding(page)
    .getByText(/jobs in the range/)
    .waitFor();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await hasRows(page, boardJobs);
  await finding(page).getByRole('button', { name: 'Use as Filter in Jobs View' }).first().click();
  await pageUntil('the jobs view shows the range, the customer and what stands out in it', () => {
    const { statuses, metadata, time } = scene.filter;
    return statuses.join() === 'error' && metadata['customer'] === 'acme' && time.type === 'range';
  });
});
