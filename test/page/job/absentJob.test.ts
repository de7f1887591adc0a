import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../../src/base/failure.ts';
import type { Job } from '../../../src/jobs/common/job.ts';
import { fixtureItem } from '../../support/details/fixtureItems.ts';
import { secondSession } from '../../support/page/jobItems.ts';
import { JobScene, toggleSection } from '../../support/page/jobScene.ts';
import type { PagePanel } from '../../support/page/pagePanel.ts';
import { pageUntil, usePages } from '../../support/page/usePages.ts';

const pages = usePages();
const done = fixtureItem('preRecordedDone');

/** The stored state of a job page with an expanded fold that was scrolled down. */
interface LeftPage {
  readonly panel: PagePanel;
  /** Creates the pages of the next session. */
  readonly next: () => JobScene;
}

async function leftPage(): Promise<LeftPage> {
  const scene = new JobScene(pages);
  const { page, panel } = await scene.open(done, { size: { width: 900, height: 300 } });
  await toggleSection(page, 'Details');
  await page.getByRole('button', { name: 'chapters: 4 items' }).click();
  await page.getByText('Storm warning').waitFor();
  await page.evaluate(() => scrollTo(0, 150));
  await pageUntil('the place is stored', () => JSON.stringify(panel.state).includes('"scrollY":150'));
  const next = (): JobScene => {
    const reopened = new JobScene(pages);
    reopened.deps.globalState = scene.deps.globalState;
    return reopened;
  };
  return { panel, next };
}

test('restores its folds and scroll position after a reload', async () => {
  const { panel, next } = await leftPage();
  const scene = next();
  scene.deps.load(done);
  const { page } = await scene.restore(panel);
  await page.getByText('Storm warning').waitFor();
  await pageUntil('it is scrolled to where it was', async () => (await page.evaluate(() => scrollY)) === 150);
});

test('stores no content of the job', async () => {
  const {
    panel: { state },
  } = await leftPage();
  assert.doesNotMatch(JSON.stringify(state), /Harbour|Storm|chapters|archive/);
});

test('keeps its folds while it is hidden', async () => {
  const { page, panel } = await new JobScene(pages).open(done);
  await toggleSection(page, 'Details');
  await page.getByRole('button', { name: 'chapters: 4 items' }).click();
  await page.getByText('Storm warning').waitFor();
  await panel.reload();
  await page.getByText('Storm warning').waitFor();
});

test('reads its job again by itself after a reload, with its folds', async () => {
  const { panel, next } = await leftPage();
  const scene = next();
  const asked: unknown[] = [];
  scene.deps.findCreated = async ({ id, createdAtMs }) => {
    asked.push({ id, createdAtMs });
    return scene.deps.load(done);
  };
  const { page } = await scene.restore(panel);
  await page.getByRole('heading', { name: 'Harbour lights, episode 12', level: 1 }).waitFor();
  await page.getByText('Storm warning').waitFor();
  assert.deepEqual(asked, [{ id: done.id, createdAtMs: Date.parse('2026-11-19T09:12:04.118Z') }]);
});

test('reports that its job was not found, finds it, and moves the focus to its heading', async () => {
  const { panel, next } = await leftPage();
  const scene = next();
  let end: (found: Job) => void = () => undefined;
  scene.deps.find = () => new Promise((resolve) => (end = resolve));
  const { page, panel: back } = await scene.restore(panel);
  await page.getByText('This job was not found among the jobs searched.').waitFor();
  assert.equal(back.title, 'Job 7f3c9a52');
  await page.getByRole('button', { name: 'Search' }).press('Enter');
  await page.getByText('Searching for this job…').waitFor();
  assert.ok(
    await page.getByRole('button', { name: 'Cancel' }).evaluate((button) => document.activeElement === button),
    'the focus stays on the button',
  );
  end(scene.deps.load(done));
  const heading = page.getByRole('heading', { name: 'Harbour lights, episode 12', level: 1 });
  await heading.waitFor();
  assert.ok(await heading.evaluate((found) => document.activeElement === found));
  await page
    .getByRole('status')
    .filter({ hasText: 'Harbour lights, episode 12 · Status: Done' })
    .waitFor({ state: 'attached' });
  await page.getByText('Storm warning').waitFor();
});

test('stops searching on request, and reports that nothing was found or the search failed', async () => {
  const { panel, next } = await leftPage();
  const scene = next();
  let signal: AbortSignal | undefined;
  scene.deps.find = (_kind, _id, given) => {
    signal = given;
    return new Promise(() => {});
  };
  const { page } = await scene.restore(panel);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('This job is not loaded.').waitFor();
  assert.equal(signal?.aborted, true);
  scene.deps.find = () => Promise.resolve(undefined);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByText('This job was not found among the jobs searched.').waitFor();
  scene.deps.find = () => Promise.reject(new Failure('offline'));
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByText('This job was not found').waitFor({ state: 'detached' });
  assert.ok((await page.locator('.absent [role=status]').innerText()).length > 10);
  await page.getByRole('button', { name: 'Search' }).waitFor();
});

test('names the connection of a job that belongs to another one, and does not search', async () => {
  const { panel, next } = await leftPage();
  const scene = next();
  scene.deps.connection = { ...scene.deps.connection, current: { name: 'Elsewhere' } };
  const { page } = await scene.restore(panel);
  await page.getByText('This job belongs to the connection Test. Switch to it to see the job.').waitFor();
  assert.equal(await page.getByRole('button').count(), 0);
});

test('finds the sessions of a comparison again, with its expanded folds', async () => {
  const items = [fixtureItem('liveDone'), secondSession];
  const { page: before, panel } = await new JobScene(pages).compare(items);
  await before.getByRole('button', { name: /^Audio/ }).click();
  await before.getByRole('rowheader', { name: 'Sample rate' }).waitFor();
  const scene = new JobScene(pages);
  scene.deps.find = (_kind, id) =>
    Promise.resolve(items.filter((each) => each.id === id).map((each) => scene.deps.load(each))[0]);
  const { page } = await scene.restore(panel);
  await page.getByText('Not every job was found among the jobs searched.').waitFor();
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByText('All 39 parameters are identical.').waitFor();
  await page.getByRole('rowheader', { name: 'Sample rate' }).waitFor();
});
