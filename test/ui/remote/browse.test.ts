import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { forwardTo } from '../../support/faults/faultyService.ts';
import { answer, delayed } from '../../support/faults/plays.ts';
import { useRemoteService } from '../../support/remote/remoteService.ts';
import type { Tree } from '../../support/workbench/tree.ts';
import { isReached, until } from '../../support/until.ts';
import { useWorkbench } from '../../support/workbench/useWorkbench.ts';

// The service's clock stands still: jobs change only when a test changes them.
const nowMs = Date.now();
const remote = await useRemoteService({ count: 2000, clock: () => nowMs, connection: { limit: 100 } });
const session = useWorkbench(import.meta.filename, {
  userSettings: remote.userSettings,
  env: remote.env,
});

/** A refresh without effect by then was combined with an earlier one. */
const redrawMs = 2_000;
// Anchored, because the accessible names of job rows contain "done", too.
const done = /^Done/;
/** The age in a row, which changes with time. */
const age = /(?:now|yesterday|last \w+|\d+ \w+ ago|\d+[mhd]|[A-Z][a-z]{2} \d+)$/;

test('asks the service for the groups that stand open, and once for a group that is opened', async () => {
  const { workbench } = session();
  await workbench.showView('Transcription Jobs');
  const tree = workbench.tree('Jobs');
  await tree.row('Processing').first().waitFor();
  await until('both groups of jobs in work have answered', () => remote.requests.length === 2);
  assert.deepEqual(remote.takeRequests().toSorted(), [
    'GET /v2/live?offset=0&limit=100&status=processing',
    'GET /v2/pre-recorded?offset=0&limit=100&status=processing',
  ]);
  const failed = tree.row(/^Failed\s*\d+/).first();
  await tree.expand('Failed');
  await failed.waitFor();
  await tree.collapse('Failed');
  await tree.expand('Failed');
  await failed.waitFor();
  assert.deepEqual(remote.takeRequests(), ['GET /v2/pre-recorded?offset=0&limit=100&status=error']);
});

// The second test of a new window, because the editor is then still busy with the list: it told of no selection in half of the runs.
test('keeps a job selected that changes status, also out of sight, and unfolds no group for it', async () => {
  const { workbench } = session();
  const tree = workbench.tree('Jobs');
  const selected = (label: string): Locator =>
    tree.root.locator(`[role="treeitem"][aria-selected="true"][aria-label*="${label}"]`);

  remote.sample.setStatus(await addSelected('Selected at once'), 'error');
  await refreshUntil('it is failed and still selected', selected('Selected at once, failed'), 'visible');

  const unseen = await addSelected('Changing unseen');
  await workbench.showView('Explorer');
  remote.sample.setStatus(unseen, 'error');
  const requests: string[] = [];
  remote.takeRequests();
  await until('failed jobs have been asked for twice', async () => {
    await workbench.runCommand('Transcription: Refresh');
    requests.push(...remote.takeRequests());
    return requests.filter((request) => request.endsWith('status=error')).length > 1;
  });
  assert.ok(await workbench.page.locator('.sidebar .composite.title', { hasText: 'Explorer' }).isVisible());
  await workbench.showView('Transcription Jobs');
  await selected('Changing unseen, failed').waitFor();

  await tree.scrollTo(/^Failed/);
  await tree.collapse('Failed');
  remote.sample.setStatus(await addSelected('Changing into the dark'), 'error');
  await refreshUntil('it has left its group', tree.row('Changing into the dark').first(), 'hidden');
  await workbench.runCommand('Transcription: Refresh');
  assert.equal(await (await tree.scrollTo(/^Failed/)).getAttribute('aria-expanded'), 'false');
  assert.equal(await (await tree.scrollTo(/^Queued/)).getAttribute('aria-expanded'), 'false');
});

test('appends pages with the focus at the join, keeps the rows and offers Retry when the service fails, and shows them at the same place when 600 are refreshed', async () => {
  const { workbench } = session();
  const tree = workbench.tree('Jobs');
  await tree.collapse('Processing');
  await tree.expand(done);
  await tree
    .row(/^Done\s*100\+/)
    .first()
    .waitFor();
  await tree.scrollTo('Load More');
  const labels = await tree.labels();
  const lastLoaded = labels[labels.indexOf('Load More') - 1] ?? '';
  remote.takeRequests();
  await tree.click('Load More', focusedJobAt(tree, 101));
  await tree.row(lastLoaded).first().waitFor();
  assert.deepEqual(remote.takeRequests(), ['GET /v2/pre-recorded?offset=99&limit=100&status=done']);
  await until('the group counts them', async () => /199\+/.test(await doneRow(tree)));

  const words = 'Forbidden here. [Get access](command:workbench.action.toggleZenMode)';
  remote.break(answer(404, JSON.stringify({ message: words })));
  const retry = tree.row(/Forbidden here.*Retry/).first();
  await tree.click(await tree.scrollTo('Load More'), retry);
  assert.match(await retry.innerText(), /Forbidden here/);
  assert.match(await doneRow(tree), /199\+/);
  const shown = workbench.notifications.withText(/Forbidden here/).first();
  await tree.pickFromMenu(done, 'Count Jobs', shown);
  assert.equal(await shown.locator('.notification-list-item-message').getByRole('link').count(), 0);
  assert.match(await shown.innerText(), /\[Get access\]/);
  await workbench.runCommand('Notifications: Clear All Notifications');
  remote.break();
  await tree.scrollTo(/Retry$/);
  await tree.click(/Retry$/, focusedJobAt(tree, 200));
  await until('the group counts them', async () => /298\+/.test(await doneRow(tree)));

  remote.break(answer(401, '{"message":"unknown key"}'));
  await workbench.runCommand('Transcription: Refresh');
  const outdated = tree.row(/^Remote\s*key rejected/).first();
  await until('the group is outdated', async () => (await doneRow(tree)).includes('outdated'));
  await tree.scrollTo(/^Remote/);
  await outdated.waitFor();
  assert.equal(await tree.row(/Retry/).count(), 0, 'the reason is shown once');
  assert.deepEqual(await workbench.notifications.messages(), []);
  remote.break();
  await refreshUntil('it is as before', outdated, 'hidden');

  for (let loaded = 298; loaded < 500; loaded += 99) {
    await tree.scrollTo('Load More');
    await tree.click('Load More', focusedJobAt(tree, loaded + 1));
  }
  await until('the group counts them', async () => /^Done ?595\+$/.test(await doneRow(tree)));
  for (let page = 0; page < 4; page++) await workbench.page.keyboard.press('PageDown');
  await tree.click(tree.rows.nth(5));
  const selected = tree.root.locator('[role="treeitem"][aria-selected="true"]');
  const name = await selected.getAttribute('aria-label');
  const before = await withoutAges(tree);
  const requests: string[] = [];
  remote.takeRequests();
  // The title's button, which the editor gives the row that has the focus.
  await workbench.page.locator('.sidebar').getByRole('button', { name: 'Refresh' }).click();
  const countOf = (status: string): number => requests.filter((request) => request.endsWith(`status=${status}`)).length;
  await until('the lists have been read again as a whole', () => {
    requests.push(...remote.takeRequests());
    return countOf('done') > 5 && countOf('processing') === 2 && countOf('error') > 0;
  });
  await selected.waitFor();
  assert.deepEqual(await withoutAges(tree), before);
  assert.equal((await selected.getAttribute('aria-label'))?.replace(age, ''), name?.replace(age, ''));
});

test('lists what a slow service answers for one group while the editor waits for the next one', async () => {
  const { workbench } = session();
  const tree = workbench.tree('Jobs');
  await tree.scrollTo(done);
  await tree.collapse(done);
  await tree.expand('Failed');
  await tree.expand(done);
  await tree.scrollTo('Pre-recorded');
  // The rows that are waited for have to be in view.
  await tree.collapse('Queued');
  await tree.collapse('Processing');
  await tree.collapse('Pre-recorded');
  await workbench.reload();
  await workbench.showView('Transcription Jobs');
  await tree.row(/^Live/).first().waitFor();
  const forward = forwardTo(remote.sample.baseUrl);
  let answerFirst: (() => void) | undefined;
  remote.break(
    (stage) => {
      if (answerFirst === undefined) {
        answerFirst = () => forward(stage);
      } else {
        answerFirst();
        delayed(800, forward)(stage);
      }
    },
    ({ path }) => /^\/v2\/pre-recorded\?offset=0&limit=100&status=(?:done|error)$/.test(path),
  );
  await tree.expand('Pre-recorded');
  // The first page and Load More.
  await tree.root.locator('[role="treeitem"][aria-level="3"][aria-setsize="101"]').first().waitFor();
  await until('no group is loading', async () => (await tree.row(/^Loading/).count()) === 0);
  remote.break();
});

/** Adds an unfinished job, shows it and selects it. @returns its id */
async function addSelected(title: string): Promise<string> {
  const { workbench } = session();
  const tree = workbench.tree('Jobs');
  const id = remote.sample.add({ status: 'processing', fields: { custom_metadata: { title } } });
  await tree.scrollTo('Processing');
  await refreshUntil(`${title} is listed`, tree.row(title).first(), 'visible');
  // The first refresh adds these rows above; a click at that moment hits another row.
  await tree.row('Needs attention').first().waitFor();
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

/** The nth job of the expanded group, with the focus. */
function focusedJobAt(tree: Tree, nth: number): Locator {
  const row = tree.root.locator(`[role="treeitem"].focused[aria-level="3"][aria-posinset="${nth}"]`);
  return row.filter({ hasNotText: 'Load More' });
}

/** The text of the row of finished pre-recorded jobs, scrolled into view. */
async function doneRow(tree: Tree): Promise<string> {
  return (await (await tree.scrollTo(done)).innerText()).replaceAll(/\s+/g, ' ').trim();
}
