import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { forwardTo } from '../../support/faults/faultyService.ts';
import type { Stage } from '../../support/faults/faultServer.ts';
import { answer, silence } from '../../support/faults/plays.ts';
import { addBoardJobs, boardJobs, BoardScene, hasRows } from '../../support/page/boardScene.ts';
import { pageNowMs, turnTo } from '../../support/page/pageTabs.ts';
import { pageUntil, usePages } from '../../support/page/usePages.ts';
import { useRemoteService } from '../../support/remote/remoteService.ts';
import { axeViolations } from '../../support/workbench/axeViolations.ts';

const pages = usePages();
const remote = await useRemoteService({ count: 0, clock: () => pageNowMs });
addBoardJobs(remote.sample);
const large = await useRemoteService({ count: 0, clock: () => pageNowMs });
const largeJobs = 20_450;
for (let serial = 0; serial < largeJobs; serial++) {
  const createdAt = pageNowMs - (serial + 1) * 20_000;
  large.sample.add({
    id: `job-${serial}`,
    kind: serial % 20 === 0 ? 'live' : 'pre-recorded',
    createdAt,
    status: serial % 50 === 0 ? 'error' : 'done',
    // The order of completion differs from that of creation, so that sorting by creation shows.
    fields: { completed_at: new Date(createdAt + ((serial % 3) + 1) * 600_000).toISOString() },
  });
}

const furtherPages = ({ path }: { readonly path: string }): boolean => /offset=(?!0&)/.test(path);

async function figure(page: Page, name: string): Promise<string> {
  return page.locator('.figures div', { hasText: name }).locator('dd').innerText();
}

test('draws the first page as soon as it arrives, and reports that it is still reading', async () => {
  remote.break(silence, furtherPages);
  try {
    const { page } = await new BoardScene(pages, remote).open({}, /^Reading: \d+ jobs, \d+ requests$/);
    await hasRows(page, 150);
    await page.getByText('Reading: 150 jobs, 2 requests').waitFor();
    assert.equal(await figure(page, 'Jobs'), '150');
    assert.equal(await page.locator('main').getAttribute('aria-busy'), 'true');
    assert.deepEqual(await axeViolations(page), []);
    remote.break();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: /^Read On/ }).click();
    await page.getByText(`Read at 1:00 PM: ${boardJobs} jobs`, { exact: true }).waitFor();
    await hasRows(page, boardJobs);
    assert.equal(await page.locator('main').getAttribute('aria-busy'), 'false');
  } finally {
    remote.break();
  }
});

test('stops at 20,000 jobs, shows the total and since when, and reads the others with Read On', async () => {
  const { page } = await new BoardScene(pages, large).open(
    {},
    /^Read at 1:00 PM: 20,000 of 20,450 jobs: all since Nov 15, /,
  );
  await hasRows(page, 20_000);
  assert.equal(await figure(page, 'Jobs'), '20,000');
  assert.equal(await figure(page, 'Failure rate'), '2%');
  // The unread part does not look like a time without jobs.
  await page.getByText(/Jobs before Nov 15, .* have not been read\./).waitFor();
  const cover = page.locator('.pulse-unread').first();
  await pageUntil('the part that was not read is covered', async () => ((await cover.boundingBox())?.width ?? 0) > 5);
  for (const theme of ['light', 'highContrast', 'dark'] as const) {
    await turnTo(page, theme);
    assert.deepEqual(await axeViolations(page), []);
  }
  await page.getByRole('button', { name: /^Read On \(450 jobs, \d requests\)$/ }).press('Enter');
  await page.getByText('Read at 1:00 PM: 20,450 jobs', { exact: true }).waitFor();
  await hasRows(page, largeJobs);
  await pageUntil('nothing is covered', async () => ((await cover.boundingBox())?.width ?? 0) === 0);
  assert.equal(await page.getByText('have not been read').count(), 0);
  // The focused button was removed, and the focus moved nearby.
  await page.locator('.basis button:focus', { hasText: 'Read Again' }).waitFor();
  assert.doesNotMatch(await page.locator('body').innerText(), /sampl|estimat|interval|±|at least/i);
});

test('keeps rows selected when the number of jobs of the range arrives', async () => {
  const held: Stage[] = [];
  large.break(
    (stage) => void held.push(stage),
    ({ path }) => /offset=\d{4,}&limit=2&/.test(path),
  );
  try {
    const { page } = await new BoardScene(pages, large).open({}, /20,000/);
    await hasRows(page, 20_000);
    await pageUntil('the jobs are counted', () => held.length > 0);
    await page.locator('.grid-body [role=row]').first().click();
    await page.getByText(/\b1 of 20,000 selected/).waitFor();
    large.break();
    for (const stage of held) forwardTo(large.sample.baseUrl)(stage);
    await page.getByText(/20,000 of 20,450 jobs/).waitFor();
    assert.equal(await page.getByText(/\b1 of 20,000 selected/).count(), 1);
  } finally {
    large.break();
  }
});

test('reads only the first page after the window was reloaded, and the rest on request', async () => {
  const scene = new BoardScene(pages, remote);
  const { panel } = await scene.open();
  remote.takeRequests();
  const { page } = await scene.restore(panel);
  await page
    .getByText(/^Read at 1:00 PM: 150 jobs: all since Nov 17, 10:30 AM; only the first page was read$/)
    .waitFor();
  await hasRows(page, 150);
  const asked = remote.takeRequests();
  assert.ok(
    asked.every((request) => request.includes('offset=0')),
    asked.join('\n'),
  );
  await page.getByRole('button', { name: /^Read \(up to \d+ requests\)$/ }).click();
  await page.getByText(`Read at 1:00 PM: ${boardJobs} jobs`, { exact: true }).waitFor();
  await hasRows(page, boardJobs);
});

test('keeps the jobs read so far when a page fails, shows why, and continues from there', async () => {
  // The page fails both by offset and by time.
  remote.break(
    answer(403, 'no'),
    (request) =>
      request.path.includes('/pre-recorded') && (furtherPages(request) || request.path.includes('before_date')),
  );
  try {
    const { page } = await new BoardScene(pages, remote).open({}, /^Read at .*there may be older ones$/);
    await hasRows(page, 180);
    await page.locator('.basis').getByText(/key/i).first().waitFor();
    remote.break();
    await page.getByRole('button', { name: /^Read On/ }).click();
    await page.getByText(`Read at 1:00 PM: ${boardJobs} jobs`, { exact: true }).waitFor();
    await hasRows(page, boardJobs);
    assert.equal(await page.locator('.basis').getByText(/key/i).count(), 0);
  } finally {
    remote.break();
  }
});

test('reads one kind completely when the other cannot be read', async () => {
  remote.break(answer(403, 'no'), ({ path }) => path.includes('/live?'));
  try {
    const { page } = await new BoardScene(pages, remote).open({}, /^Read at .*there may be more$/);
    await hasRows(page, (boardJobs * 2) / 3);
    await page.getByRole('button', { name: /^Read On/ }).waitFor();
  } finally {
    remote.break();
  }
});

test('shows no time for a list in another order', async () => {
  const items = Array.from({ length: 300 }, (_, index) => ({
    id: `job-${index}`,
    kind: 'live',
    status: 'done',
    created_at: new Date(pageNowMs - ((index * 7919) % 300) * 60_000).toISOString(),
  }));
  remote.break(({ request, response }) => {
    const { pathname, searchParams } = new URL(request.url ?? '', remote.sample.baseUrl);
    const offset = Number(searchParams.get('offset'));
    const listed = pathname.endsWith('/live') ? items.slice(offset, offset + 100) : [];
    const next = offset + 100 < items.length && pathname.endsWith('/live') ? remote.sample.baseUrl : null;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ items: listed, next }));
  });
  try {
    const scene = new BoardScene(pages, remote);
    const { panel } = await scene.open({}, 'Read at 1:00 PM: 300 jobs; there may be more');
    const { page } = await scene.restore(panel);
    await page.getByText("Read at 1:00 PM: 100 jobs, in the service's order; only the first page was read").waitFor();
  } finally {
    remote.break();
  }
});

test('dims the figures of another range until the new ones arrive, and keeps them if none arrive', async () => {
  const { page } = await new BoardScene(pages, remote).open();
  const outdated = page.locator('main.outdated');
  try {
    remote.break(silence);
    await page.getByRole('button', { name: '24 hours' }).click();
    await outdated.waitFor();
    await page.getByText(`Read at 1:00 PM: ${boardJobs} jobs`, { exact: true }).waitFor();
    await hasRows(page, boardJobs);
    assert.ok(await page.locator('.pulse-charts').evaluate((each) => Number(getComputedStyle(each).opacity) < 1));
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Read Again' }).waitFor();
    await outdated.waitFor();
    remote.break(answer(403, 'no'));
    await page.getByRole('button', { name: 'Read Again' }).click();
    await page.getByRole('button', { name: 'Try Again' }).waitFor();
    await outdated.waitFor();
    remote.break();
    await page.getByRole('button', { name: 'Try Again' }).click();
    await page.getByText('Read at 1:00 PM: 47 jobs', { exact: true }).waitFor();
    await outdated.waitFor({ state: 'detached' });
    await hasRows(page, 47);
  } finally {
    remote.break();
  }
});

test('fits into a narrow window, with the close button of What Changed? beside its heading', async () => {
  const { page } = await new BoardScene(pages, remote).open({ size: { width: 420, height: 800 } });
  await page.getByRole('button', { name: 'What Changed?' }).click();
  const finding = page.getByRole('region', { name: 'What changed' });
  const heading = await finding.getByRole('heading').boundingBox();
  const close = await finding.getByRole('button', { name: 'Close' }).boundingBox();
  assert.ok(heading !== null && close !== null);
  assert.ok(close.y < heading.y + heading.height && close.x >= heading.x + heading.width, 'it is beside the heading');
  const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(sideways <= 0);
});
