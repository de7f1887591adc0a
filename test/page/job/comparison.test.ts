import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixtureItem } from '../../support/details/fixtureItems.ts';
import { liveItem } from '../../support/builders/jobItem.ts';
import { otherSession, secondSession } from '../../support/page/jobItems.ts';
import { JobScene } from '../../support/page/jobScene.ts';
import { pageUntil, usePages } from '../../support/page/usePages.ts';

const pages = usePages();
const first = fixtureItem('liveDone');

test('reports that two live sessions have the same parameters, and shows them when expanded', async () => {
  const { page, panel } = await new JobScene(pages).compare([first, secondSession]);
  assert.equal(panel.title, 'Compare 2 sessions');
  await page.getByText('All 39 parameters are identical.').waitFor();
  const rate = page.getByRole('rowheader', { name: 'Sample rate' });
  assert.equal(await rate.isVisible(), false);
  await page.getByRole('button', { name: /^Audio/ }).click();
  await rate.waitFor();
  const cell = page.getByRole('row', { name: /^Sample rate/ }).getByRole('cell');
  assert.deepEqual([await cell.count(), await cell.getAttribute('colspan')], [1, '2']);
  const group = page.locator('th[scope=rowgroup]').first();
  assert.equal(await group.getAttribute('colspan'), '3', 'a group is as wide as the table');
  assert.equal(await page.locator('.odd').count(), 0, 'nothing differs');
});

test('compares the same sessions after the window was reloaded', async () => {
  const scene = new JobScene(pages);
  const { panel } = await scene.compare([first, secondSession]);
  const { page } = await scene.restore(panel);
  await page.getByText('All 39 parameters are identical.').waitFor();
});

test('shows parameters that differ without expanding', async () => {
  const { page } = await new JobScene(pages).compare([first, otherSession]);
  const row = page.getByRole('row', { name: /^Channels/ });
  assert.deepEqual(await row.getByRole('cell').allInnerTexts(), ['2', '1']);
  assert.equal(await row.getByRole('rowheader').getAttribute('aria-description'), 'differs');
  await page.getByText(/^\d+ of \d+ parameters differ\.$/).waitFor();
});

test('marks a differing session with a line and for screen readers, without making the row higher', async () => {
  const session = (id: string, minutes: number) =>
    liveItem({
      id,
      created_at: '2026-11-20T10:00:00.000Z',
      completed_at: new Date(Date.UTC(2026, 10, 20, 10, minutes)).toISOString(),
    });
  const { page } = await new JobScene(pages).compare([session('a', 40), session('b', 40), session('c', 41)]);
  const row = page.getByRole('row').filter({ hasText: 'Session length' });
  const odd = row.locator('.odd');
  assert.equal(await odd.count(), 1);
  assert.match((await odd.textContent()) ?? '', /41 min\s*differs/);
  assert.equal(await odd.evaluate((each) => getComputedStyle(each).borderInlineStartStyle), 'solid');
  const oneLine = await row
    .getByRole('rowheader')
    .evaluate((each) => Number.parseFloat(getComputedStyle(each).lineHeight) * 1.6);
  assert.ok(((await odd.boundingBox())?.height ?? Infinity) < oneLine, 'the row is as high as its value');
});

test('keeps the headers in view while the page scrolls', async () => {
  const { page } = await new JobScene(pages).compare([first, secondSession], { size: { width: 900, height: 300 } });
  const head = page.getByRole('columnheader', { name: 'Room B2' });
  assert.match(await head.innerText(), /second-s/);
  await page.getByRole('button', { name: /^Messages/ }).click();
  await page.getByRole('rowheader', { name: 'Lifecycle events' }).first().scrollIntoViewIfNeeded();
  const { scrolled, top } = await head.evaluate((cell) => ({
    scrolled: window.scrollY,
    top: cell.getBoundingClientRect().top,
  }));
  assert.ok(scrolled > 0);
  assert.ok(Math.abs(top) < 1, `the head is at ${top}`);
});

test('shows the statuses of two jobs, and explains why their settings are not compared', async () => {
  const scene = new JobScene(pages);
  const { page, panel } = await scene.compare([fixtureItem('preRecordedDone'), fixtureItem('preRecordedFailed')]);
  assert.equal(panel.title, 'Compare 2 jobs');
  const cells = page.getByRole('row', { name: /^Status/ }).getByRole('cell');
  assert.deepEqual(await cells.allInnerTexts(), ['Done', 'Failed']);
  await page
    .getByText("Settings aren't compared, because the service sent them with only some of these jobs.")
    .waitFor();
});

test('opens both sessions as text, and each of them by its header', async () => {
  const scene = new JobScene(pages);
  const { page } = await scene.compare([first, secondSession]);
  await page.getByRole('button', { name: 'Compare as JSON' }).click();
  await pageUntil('the texts are opened', () => scene.documents.includes(`diff ${first.id} ${secondSession.id}`));
  const opened = pages.next();
  await page.getByRole('columnheader').getByRole('button', { name: 'Room B2' }).click();
  const panel = await opened;
  assert.equal(panel.title, 'Room B2');
});

test('does not offer a text diff of three sessions', async () => {
  const { page } = await new JobScene(pages).compare([first, secondSession, { ...otherSession, id: 'third' }]);
  await page.getByRole('heading', { name: '3 sessions compared' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Compare as JSON' }).count(), 0);
});

test('follows a running session', async () => {
  const scene = new JobScene(pages);
  const { page } = await scene.compare([first, { ...secondSession, status: 'processing', completed_at: null }]);
  const head = page.getByRole('columnheader', { name: 'Room B2' });
  await head.getByText('Processing').waitFor();
  scene.deps.load(secondSession);
  await head.getByText('Done').waitFor();
});
