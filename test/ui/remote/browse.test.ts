import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import type { Stage } from '../../support/faults/faultServer.ts';
import { answer } from '../../support/faults/plays.ts';
import { useRemoteService } from '../../support/remote/remoteService.ts';
import type { Tree } from '../../support/workbench/tree.ts';
import { isReached, until } from '../../support/until.ts';
import { useWorkbench } from '../../support/workbench/useWorkbench.ts';
import type { Workbench } from '../../support/workbench/workbench.ts';
import { exportTests } from './jobsView/export.ts';

// The service's clock stands still: jobs change only when a test changes them.
const nowMs = Date.now();
const remote = await useRemoteService({ count: 2000, clock: () => nowMs });
const session = useWorkbench(import.meta.filename, {
  userSettings: { ...remote.userSettings, 'transcriptionJobs.pageSize': 100 },
  env: remote.env,
});

/** A refresh without effect by then was combined with an earlier one. */
const redrawMs = 2_000;
// Anchored, because the accessible names of job rows contain "done", too.
const done = /^Done/;
/** The age in a row, which changes with time. */
const age = /(?:now|yesterday|last \w+|\d+ \w+ ago|\d+[mhd]|[A-Z][a-z]{2} \d+)$/;

test('opening the view asks for the groups that stand open and for nothing else', async () => {
  const { workbench } = session();
  await workbench.showView('Transcription Jobs');
  await workbench.tree('Jobs').row('Processing').first().waitFor();
  await until('both groups of jobs in work have answered', () => remote.requests.length === 2);
  assert.deepEqual(remote.takeRequests().toSorted(), [
    'GET /v2/live?offset=0&limit=100&status=processing',
    'GET /v2/pre-recorded?offset=0&limit=100&status=processing',
  ]);
});

test("the title's Refresh and Export are about everything, whatever row has the focus", async () => {
  const { workbench } = session();
  for (const name of [/^Queued/, /^Processing/]) {
    await focusOn(workbench, name);
    const asked = new Set<string>();
    await until('all lists that are loaded were read again', async () => {
      // Repeated because refreshes in quick succession are combined, so one may belong to an earlier refresh.
      await workbench.page.locator('.sidebar').getByRole('button', { name: 'Refresh' }).click();
      for (const request of remote.takeRequests()) asked.add(request.replace(/\?.*&/, ' '));
      return asked.size >= 2;
    });
    assert.deepEqual([...asked].toSorted(), [
      'GET /v2/live status=processing',
      'GET /v2/pre-recorded status=processing',
    ]);
  }
  // Found by its icon, because its name differs between editor versions.
  await workbench.page.locator('.sidebar .composite.title .codicon-toolbar-more').click();
  const exporting = workbench.page.getByRole('menuitem', { name: 'Export Jobs…' });
  await exporting.hover();
  await workbench.page.locator('.action-item.focused').filter({ has: exporting }).waitFor();
  await workbench.page.keyboard.press('Enter');
  await workbench.quickInput.shown('Export Jobs: all jobs');
  await workbench.quickInput.cancel();
  assert.deepEqual(
    remote.takeRequests().filter((request) => !request.endsWith('status=processing')),
    [],
  );
});

test('a group asks its own endpoint once, when it is opened first', async () => {
  const { workbench } = session();
  const tree = workbench.tree('Jobs');
  await tree.collapse('Processing');
  await tree.expand(done);
  await tree
    .row(/^Done\s*100\+/)
    .first()
    .waitFor();
  await tree.collapse(done);
  await tree.expand(done);
  await tree.scrollTo('Load More');
  assert.deepEqual(remote.takeRequests(), ['GET /v2/pre-recorded?offset=0&limit=100&status=done']);
});

test('Load More appends a page below the rows that are there and leads the focus to the join', async () => {
  const { workbench } = session();
  const tree = workbench.tree('Jobs');
  await tree.scrollTo('Load More');
  const labels = await tree.labels();
  const lastLoaded = labels[labels.indexOf('Load More') - 1] ?? '';
  await tree.click('Load More', jobAt(tree, 101));
  await tree.row(lastLoaded).first().waitFor();
  const [request, ...others] = remote.takeRequests();
  assert.deepEqual(others, []);
  assert.match(request ?? '', /^GET \/v2\/pre-recorded\?offset=99&limit=100&status=done$/);
  await until('the group counts them', async () => /199\+/.test(await doneRow(tree)));
});

test('a page that is long in coming is said to, and one that does not come leaves the rows and offers Retry with the cause', async () => {
  const { workbench } = session();
  const tree = workbench.tree('Jobs');
  const asked = new Promise<Stage>((resolve) => remote.break(resolve));
  await tree.click(await tree.scrollTo('Load More'), tree.row('Loading…'));
  assert.equal(await tree.row('Load More').count(), 0);
  answer(404, '{"message":"gone fishing"}')(await asked);
  const retry = tree.row(/^Retry/).first();
  await retry.waitFor();
  assert.match(await retry.innerText(), /gone fishing/);
  assert.match(await doneRow(tree), /199\+/);
  remote.break();
  await (await tree.scrollTo(/^Retry/)).click();
  await until('the next page has come', async () => (await doneRow(tree)).includes('298+'));
});

test('500 rows of Load More, refreshed, are the same rows at the same place', async () => {
  const { workbench } = session();
  const tree = workbench.tree('Jobs');
  for (let loaded = 298; loaded < 500; loaded += 99) {
    await tree.scrollTo('Load More');
    await tree.click('Load More', jobAt(tree, loaded + 1));
  }
  await until('the group counts them', async () => /^Done ?595\+$/.test(await doneRow(tree)));
  for (let page = 0; page < 4; page++) await workbench.page.keyboard.press('PageDown');
  await tree.click(tree.rows.nth(5));
  const selected = tree.root.locator('[role="treeitem"][aria-selected="true"]');
  const name = await selected.getAttribute('aria-label');
  const before = await withoutAges(tree);
  remote.takeRequests();
  await workbench.runCommand('Transcription: Refresh');
  const asked: string[] = [];
  await until('the whole list has been read again', () => {
    asked.push(...remote.takeRequests());
    return asked.filter((request) => request.includes('status=done')).length > 5;
  });
  await selected.waitFor();
  assert.deepEqual(await withoutAges(tree), before);
  assert.equal((await selected.getAttribute('aria-label'))?.replace(age, ''), name?.replace(age, ''));
});

test('a selected job that changes status stays selected', async () => {
  const { workbench } = session();
  const tree = workbench.tree('Jobs');
  await tree.scrollTo(done);
  await tree.collapse(done);
  await tree.expand('Failed');
  const id = await addSelected('Changing soon');
  remote.sample.setStatus(id, 'error');
  const selected = tree.root.locator('[role="treeitem"][aria-selected="true"]');
  await until('it is failed and still selected', async () => {
    await workbench.runCommand('Transcription: Refresh');
    const label = await selected.getAttribute('aria-label', { timeout: redrawMs }).catch(() => undefined);
    return /Changing soon, failed/.test(label ?? '');
  });
});

test('one that changes status out of sight brings nothing to the front, and is selected when the view is back', async () => {
  const { workbench } = session();
  const tree = workbench.tree('Jobs');
  const id = await addSelected('Changing unseen');
  await workbench.showView('Explorer');
  remote.sample.setStatus(id, 'error');
  const asked: string[] = [];
  remote.takeRequests();
  await until('failed jobs have been asked for twice', async () => {
    await workbench.runCommand('Transcription: Refresh');
    asked.push(...remote.takeRequests());
    return asked.filter((request) => request.endsWith('status=error')).length > 1;
  });
  assert.ok(await workbench.page.locator('.sidebar .composite.title', { hasText: 'Explorer' }).isVisible());
  await workbench.showView('Transcription Jobs');
  await tree.root.locator('[aria-selected="true"][aria-label*="Changing unseen, failed"]').waitFor();
});

test('one that goes over to a group that was folded leaves it so', async () => {
  const { workbench } = session();
  const tree = workbench.tree('Jobs');
  await tree.scrollTo('Failed');
  await tree.collapse('Failed');
  const id = await addSelected('Changing into the dark');
  remote.sample.setStatus(id, 'error');
  await refreshUntil('it has left its group', tree.row('Changing into the dark').first(), 'hidden');
  await workbench.runCommand('Transcription: Refresh');
  const failed = tree.root.locator('[role="treeitem"][aria-level="2"]').filter({ hasText: 'Failed' }).first();
  assert.equal(await failed.getAttribute('aria-expanded'), 'false');
});

test("the tree's own search takes the keys that rows have", async () => {
  const { workbench } = session();
  const { keyboard } = workbench.page;
  await workbench
    .tree('Jobs')
    .row(/^Processing/)
    .first()
    .focus();
  await keyboard.press('ControlOrMeta+Alt+f');
  const box = workbench.page.locator('.sidebar .monaco-tree-type-filter').getByRole('textbox');
  await until('the box copies what is in it', async () => {
    await box.fill('review');
    await box.press('ControlOrMeta+a');
    await box.press('ControlOrMeta+c');
    return (await workbench.page.evaluate(() => navigator.clipboard.readText())) === 'review';
  });
  await keyboard.press('Escape');
});

test("the service's own words are no links", async () => {
  const { workbench } = session();
  const words = 'Forbidden here. [Get access](command:workbench.action.toggleZenMode) or [ask](https://example.com)';
  remote.break(answer(404, JSON.stringify({ message: words })));
  const told = workbench.notifications.withText(/Forbidden here/).first();
  await workbench.tree('Jobs').pickFromMenu(/^Processing/, 'Count Jobs', told);
  remote.break();
  assert.equal(await told.locator('.notification-list-item-message').getByRole('link').count(), 0);
  assert.match(await told.innerText(), /\[Get access\]/);
});

exportTests(session, remote);

/** Adds an unfinished job, shows it and selects it. @returns its id */
async function addSelected(title: string): Promise<string> {
  const { workbench } = session();
  const tree = workbench.tree('Jobs');
  const id = remote.sample.add({ status: 'processing', fields: { custom_metadata: { title } } });
  await tree.scrollTo('Processing');
  await tree.expand('Processing');
  await refreshUntil(`${title} is listed`, tree.row(title).first(), 'visible');
  await tree.click(title, tree.root.locator('[role="treeitem"][aria-selected="true"]', { hasText: title }));
  return id;
}

async function withoutAges(tree: Tree): Promise<readonly string[]> {
  return (await tree.labels()).map((label) => label.replace(age, ''));
}

/**
 * Refreshes until a row is visible or hidden. Repeated because refreshes in quick succession are combined, so the first
 * may belong to an earlier one.
 */
async function refreshUntil(what: string, row: Locator, state: 'visible' | 'hidden'): Promise<void> {
  await until(what, async () => {
    await session().workbench.runCommand('Transcription: Refresh');
    return isReached(row.waitFor({ state, timeout: redrawMs }));
  });
}

/** Moves the focus down to a row without opening it. */
async function focusOn(workbench: Workbench, name: RegExp): Promise<void> {
  const { page } = workbench;
  const { root } = workbench.tree('Jobs');
  await root.focus();
  await page.keyboard.press('Home');
  await until(`the focus is on ${name.source}`, async () => {
    if (name.test((await root.locator('[role="treeitem"].focused').first().innerText()).trim())) return true;
    await page.keyboard.press('ArrowDown');
    return false;
  });
}

/** The nth job of the expanded group. */
function jobAt(tree: Tree, nth: number): Locator {
  const row = tree.root.locator(`[role="treeitem"][aria-level="3"][aria-posinset="${nth}"]`);
  return row.filter({ hasNotText: 'Load More' });
}

/** The text of the row of finished pre-recorded jobs, scrolled into view. */
async function doneRow(tree: Tree): Promise<string> {
  return (await (await tree.scrollTo(done)).innerText()).replaceAll(/\s+/g, ' ').trim();
}
