import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noFilter } from '../../../src/jobs/common/jobFilter.ts';
import { addBoardJobs, boardJobs, BoardScene, failedJobs, hasRows } from '../../support/page/boardScene.ts';
import { stubEditor } from '../../support/page/editorStub.ts';
import { pageNowMs } from '../../support/page/pageTabs.ts';
import { pageUntil, usePages } from '../../support/page/usePages.ts';
import { useRemoteService } from '../../support/remote/remoteService.ts';

const pages = usePages();
const remote = await useRemoteService({ count: 0, clock: () => pageNowMs });
addBoardJobs(remote.sample);
const failed = `Failed ${failedJobs}`;

test('narrows the table down to the jobs of a value, and removes that condition', async () => {
  const { page } = await new BoardScene(pages, remote).open();
  await page.getByRole('button', { name: failed, exact: true }).click();
  await hasRows(page, failedJobs);
  await page.getByRole('button', { name: `acme ${failedJobs}`, exact: true }).waitFor();
  assert.equal(await page.locator('.grid-body [role=row]').count(), failedJobs);
  assert.equal(await page.getByRole('button', { name: failed, exact: true }).getAttribute('aria-pressed'), 'true');
  await page.getByRole('button', { name: 'Remove Status = Failed' }).click();
  await hasRows(page, boardJobs);
});

test('lists jobs without a value last, as none', async () => {
  const { page } = await new BoardScene(pages, remote).open();
  const codes = page.getByRole('group', { name: 'Error code' }).locator('.facet-label');
  assert.deepEqual(await codes.allInnerTexts(), ['503', 'none']);
});

test('draws bars relative to the most frequent value', async () => {
  const { page } = await new BoardScene(pages, remote).open();
  const bars = page.getByRole('group', { name: 'Kind' }).locator('.facet-bar');
  const shares = await bars.evaluateAll((all) => all.map((each) => getComputedStyle(each).getPropertyValue('--share')));
  assert.deepEqual(shares, ['100%', '50%']);
});

test('excludes the jobs of a value with Alt, and with the button beside it', async () => {
  const { page } = await new BoardScene(pages, remote).open();
  const value = page.getByRole('button', { name: failed, exact: true });
  await value.click({ modifiers: ['Alt'] });
  await hasRows(page, boardJobs - failedJobs);
  await page.getByRole('button', { name: 'Remove Status ≠ Failed' }).waitFor();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await hasRows(page, boardJobs);
  await value.hover();
  await page.getByRole('button', { name: 'Exclude Failed' }).click();
  await hasRows(page, boardJobs - failedJobs);
});

test('reports that no job meets the conditions, shows no empty heading, and clears them by keyboard', async () => {
  const { page } = await new BoardScene(pages, remote).open();
  const shown = await page.locator('.facet').count();
  await page.getByRole('button', { name: failed, exact: true }).click();
  await hasRows(page, failedJobs);
  await page.getByRole('button', { name: `503 ${failedJobs}`, exact: true }).click({ modifiers: ['Alt'] });
  await page.getByText('No jobs meet these conditions.').waitFor();
  assert.ok((await page.locator('.facet').count()) < shown);
  assert.equal(await page.locator('.facet:not(:has(li))').count(), 0);
  await page.getByRole('button', { name: 'Clear', exact: true }).press('Enter');
  await hasRows(page, boardJobs);
  // The focused button was removed, and the focus moved nearby.
  await page.locator('.grid:focus').waitFor();
});

test('is one tab stop, with arrow keys inside; Enter narrows down and Delete excludes', async () => {
  const { page } = await new BoardScene(pages, remote).open();
  const { keyboard } = page;
  const focused = page.locator('.facet-button:focus');
  const hasFocus = (text: string): Promise<void> => focused.filter({ hasText: text }).waitFor();
  const status = page.getByRole('group', { name: 'Status', exact: true });
  await status.locator('.facet-button').first().focus();
  await keyboard.press('ArrowDown');
  await hasFocus('Failed');
  await keyboard.press('Delete');
  await hasRows(page, boardJobs - failedJobs);
  await page.getByRole('button', { name: 'Remove Status ≠ Failed' }).waitFor();
  await hasFocus('Failed');
  await keyboard.press('Enter');
  await hasRows(page, boardJobs);
  await hasFocus('Failed');
  await keyboard.press('Tab');
  await keyboard.press('Shift+Tab');
  await hasFocus('Failed');
  await keyboard.press('Home');
  await hasFocus('Done');
  await keyboard.press('ArrowRight');
  await page.getByRole('group', { name: 'Kind' }).locator(':focus').waitFor();
  await keyboard.press('ArrowLeft');
  await hasFocus('Done');
  await keyboard.press('End');
  await page.locator('.facet:last-child li:last-child .facet-button:focus').waitFor();
  await keyboard.press('ArrowUp');
  await page.locator('.facets .facet-button:focus').waitFor();
  assert.equal(await page.locator('.facets [tabindex="0"]').count(), 1);
  await keyboard.press('Tab');
  await page.locator('body:not(:has(.facets :focus))').waitFor();
});

test('uses its conditions as the filter of the jobs view, and uses and clears that filter on request', async () => {
  const scene = new BoardScene(pages, remote);
  const { page, panel } = await scene.open();
  const clear = page.getByRole('button', { name: 'Clear Filter' });
  const filterText = page.locator('.filter-text');
  await page.getByRole('button', { name: failed, exact: true }).click();
  await hasRows(page, failedJobs);
  assert.equal(panel.title, 'Failed · 7d');
  await page.getByRole('button', { name: 'Use as Filter in Jobs View' }).click();
  await pageUntil('the jobs view has a filter', () => scene.filter.statuses.join() === 'error');
  await pageUntil('the status bar says so', () => stubEditor.status === 'The jobs view has a new filter');
  assert.ok(stubEditor.asked.includes('command transcriptionJobs.jobs.focus'));

  assert.equal(await clear.count(), 0);
  await page.getByRole('button', { name: "Use the View's Filter" }).click();
  await filterText.filter({ hasText: 'Failed' }).waitFor();
  await clear.click();
  await clear.waitFor({ state: 'detached' });
  await filterText.filter({ hasNotText: 'Failed' }).waitFor();
  await hasRows(page, failedJobs);
});

test('shows which conditions a filter of the jobs view leaves out, before and after it is set', async () => {
  const scene = new BoardScene(pages, remote);
  const { page } = await scene.open();
  const use = page.locator('.conditions').getByRole('button', { name: 'Use as Filter in Jobs View' });
  await page.getByRole('button', { name: `Live ${boardJobs / 3}`, exact: true }).click();
  await page.getByText("The jobs view can't filter by this condition").waitFor();
  assert.equal(await use.count(), 0);
  await page.getByRole('button', { name: failed, exact: true }).click();
  await hasRows(page, failedJobs);
  const leftOut = "The filter will ignore Kind = Live: the jobs view can't filter by it";
  await page.locator('.conditions').getByText(leftOut).waitFor();
  const description = await use.getAttribute('aria-describedby');
  assert.equal(await page.locator(`[id="${description}"]`).innerText(), leftOut);
  await use.click();
  await pageUntil(
    'the status bar says so',
    () => stubEditor.status === 'The jobs view has a new filter, which ignores Kind = Live',
  );
});

test('opens with the filter of the jobs view, shows it, and reads only matching jobs', async () => {
  const scene = new BoardScene(pages, remote);
  scene.filter = { ...noFilter, metadata: { customer: 'acme' } };
  const { page } = await scene.open();
  await hasRows(page, boardJobs / 6);
  await page.locator('.filter-text', { hasText: 'customer' }).waitFor();
  await page.getByRole('button', { name: 'Clear Filter' }).waitFor();
});

test('reports that another connection is in use, and does not act on its jobs', async () => {
  const scene = new BoardScene(pages, remote);
  const { page } = await scene.open();
  scene.switchConnection('Elsewhere');
  await page.getByText('Another connection is now in use.').waitFor();
  await page.getByRole('button', { name: 'Read Again' }).click();
  await page
    .locator('.basis', { hasText: 'This board belongs to the connection Remote. Switch to it to continue.' })
    .waitFor();
});
