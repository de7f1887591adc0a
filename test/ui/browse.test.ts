import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import type { Stage } from '../support/faults/faultServer.ts';
import { answer } from '../support/faults/plays.ts';
import { useRemoteService } from '../support/remote/remoteService.ts';
import type { Tree } from '../support/workbench/tree.ts';
import { until } from '../support/until.ts';
import { useWorkbench } from '../support/workbench/useWorkbench.ts';
import { exportTests } from './jobsView/export.ts';

// The clock stands still: jobs change when a test says so.
const nowMs = Date.now();
const remote = await useRemoteService({ count: 2000, clock: () => nowMs });
const session = useWorkbench(import.meta.filename, {
  userSettings: { ...remote.userSettings, 'transcriptionJobs.pageSize': 100 },
  env: remote.env,
});

// Rows of jobs say "done" too, to screen readers.
const done = /^Done/;

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
  await tree.row('Load More').first().click();
  await jobAt(tree, 101).waitFor();
  await tree.row(lastLoaded).first().waitFor();
  const [request, ...others] = remote.takeRequests();
  assert.deepEqual(others, []);
  assert.match(request ?? '', /^GET \/v2\/pre-recorded\?offset=99&limit=100&before_date=[^&]+&status=done$/);
  assert.match(await doneRow(tree), /199\+/);
});

test('a page that is long in coming is said to, and one that does not come leaves the rows and offers Retry with the cause', async () => {
  const { workbench } = session();
  const tree = workbench.tree('Jobs');
  const asked = new Promise<Stage>((resolve) => remote.break(resolve));
  await (await tree.scrollTo('Load More')).click();
  await tree.row('Loading…').first().waitFor();
  assert.equal(await tree.row('Load More').count(), 0);
  answer(404, '{"message":"gone fishing"}')(await asked);
  const retry = tree.row('Could not load · Retry').first();
  await retry.waitFor();
  assert.match(await retry.innerText(), /gone fishing/);
  assert.match(await doneRow(tree), /199\+/);
  remote.break();
  await (await tree.scrollTo('Could not load · Retry')).click();
  await until('the next page has come', async () => (await doneRow(tree)).includes('298+'));
});

test('500 rows of Load More, refreshed, are the same rows at the same place', async () => {
  const { workbench } = session();
  const tree = workbench.tree('Jobs');
  for (let loaded = 298; loaded < 500; loaded += 99) {
    await (await tree.scrollTo('Load More')).click();
    await jobAt(tree, loaded + 1).waitFor();
  }
  assert.match(await doneRow(tree), /^Done ?595\+$/);
  for (let page = 0; page < 4; page++) await workbench.page.keyboard.press('PageDown');
  await tree.rows.nth(5).click();
  const selected = tree.root.locator('[role="treeitem"][aria-selected="true"]');
  const name = await selected.getAttribute('aria-label');
  const before = await tree.labels();
  remote.takeRequests();
  await workbench.runCommand('Transcription: Refresh');
  const asked: string[] = [];
  await until('the whole list has been read again', () => {
    asked.push(...remote.takeRequests());
    return asked.filter((request) => request.includes('status=done')).length > 5;
  });
  await selected.waitFor();
  assert.deepEqual(await tree.labels(), before);
  assert.equal(await selected.getAttribute('aria-label'), name);
});

test('a selected job that changes status stays selected', async () => {
  const { workbench } = session();
  const tree = workbench.tree('Jobs');
  await tree.scrollTo(done);
  await tree.collapse(done);
  await tree.expand('Failed');
  const id = remote.sample.add({ status: 'processing', fields: { custom_metadata: { title: 'Changing soon' } } });
  await tree.scrollTo('Processing');
  await tree.expand('Processing');
  await workbench.runCommand('Transcription: Refresh');
  await tree.row('Changing soon').click();
  remote.sample.setStatus(id, 'error');
  const selected = tree.root.locator('[role="treeitem"][aria-selected="true"]');
  await until('it is failed and still selected', async () => {
    await workbench.runCommand('Transcription: Refresh');
    return /Changing soon, failed/.test((await selected.getAttribute('aria-label')) ?? '');
  });
});

exportTests(session, remote);

/** The nth job of the group that is open. */
function jobAt(tree: Tree, nth: number): Locator {
  const row = tree.root.locator(`[role="treeitem"][aria-level="3"][aria-posinset="${nth}"]`);
  return row.filter({ hasNotText: 'Load More' });
}

/** The text of the row of finished pre-recorded jobs, scrolled into view. */
async function doneRow(tree: Tree): Promise<string> {
  return (await (await tree.scrollTo(done)).innerText()).replaceAll(/\s+/g, ' ').trim();
}
