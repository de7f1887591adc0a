import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { useRemoteService } from '../../support/remote/remoteService.ts';
import type { Workbench } from '../../support/workbench/workbench.ts';
import { until } from '../../support/until.ts';
import { useWorkbench } from '../../support/workbench/useWorkbench.ts';

// The clock stands still, so that the requested dates are known.
const nowMs = Date.now();
const remote = await useRemoteService({ count: 600, clock: () => nowMs });
const session = useWorkbench(import.meta.filename, {
  userSettings: {
    ...remote.userSettings,
    'transcriptionJobs.views': [{ name: 'Broken calls', filter: { statuses: ['error'] } }],
  },
  env: remote.env,
});

async function openFilter(workbench: Workbench): Promise<void> {
  await workbench.ask('Transcription: Filter Jobs…', 'Filter Jobs');
}

/** Picks statuses and returns to the list of conditions. */
async function chooseStatuses({ quickInput }: Workbench, ...statuses: readonly string[]): Promise<void> {
  await quickInput.pick('Status', 'Filter Jobs: Status');
  for (const status of statuses) await quickInput.toggle(status);
  await quickInput.accept();
  await quickInput.item('Show matching jobs').waitFor();
}

/** The list requests since the last call, each query as its sorted parameters without paging. */
function asked(): string[][] {
  return remote.takeRequests().map((line) => {
    const { pathname, searchParams } = new URL(line.replace('GET ', 'http://service'));
    return [
      pathname,
      ...[...searchParams].filter(([name]) => name !== 'offset' && name !== 'limit').map((pair) => pair.join('=')),
    ].toSorted();
  });
}

/** The next list requests, as {@link asked} gives them. */
async function nextAsked(count: number): Promise<readonly string[][]> {
  const requests: string[][] = [];
  await until(`${count} lists are asked for`, () => requests.push(...asked()) >= count);
  return requests;
}

/** The message that the view shows above its rows. */
async function message(workbench: Workbench): Promise<string> {
  return (await workbench.page.locator('.sidebar .tree-explorer-viewlet-tree-view .message').textContent()) ?? '';
}

test('filters by statuses, time and metadata, also after a reload, until the filter is cleared', async () => {
  const { workbench } = session();
  const { quickInput, page } = workbench;
  const tree = workbench.tree('Jobs');
  const titleBar = page.locator('.sidebar .composite.title');
  const group = (name: RegExp, isOpen: boolean): Locator =>
    tree.root.locator(`[aria-level="2"][aria-expanded="${isOpen}"]`, { hasText: name }).first();
  await workbench.showView('Transcription Jobs');
  await tree.row('Northwind Bank').first().waitFor();
  await tree.expand(/^Failed/);
  await nextAsked(3);
  await group(/^\s*Done/, false).waitFor();

  await workbench.answerAll(async () => {
    await openFilter(workbench);
    await chooseStatuses(workbench, 'Processing', 'Failed');
    await quickInput.pick('Created', 'Filter Jobs: Created');
    await quickInput.pick('Last 7 days');
    await quickInput.item('Show matching jobs').waitFor();
    await quickInput.pick('Metadata', 'Filter Jobs: Metadata');
    await quickInput.pick('customer', 'Filter Jobs: Metadata "customer"');
    await quickInput.pick('Northwind Bank');
    await quickInput.item('customer: Northwind Bank').waitFor();
  });
  assert.deepEqual(asked(), [], 'choosing asks nothing of the service');
  await quickInput.accept();
  const statuses: string[] = [];
  for (const [path, after = '', metadata, status = ''] of await nextAsked(4)) {
    assert.match(path ?? '', /^\/v2\/(live|pre-recorded)$/);
    assert.match(after, /^after_date=.*Z$/);
    assert.equal(metadata, 'custom_metadata={"customer":"Northwind Bank"}');
    statuses.push(status);
  }
  assert.deepEqual(statuses.toSorted(), ['status=error', 'status=error', 'status=processing', 'status=processing']);
  const words = 'Filter: Processing, Failed · last 7 days · customer: Northwind Bank';
  await until('the rows are those that match', async () => {
    const labels = await tree.rows.allInnerTexts();
    return labels.includes('Pre-recorded') && !labels.some((label) => /^(Queued|Done)/.test(label));
  });
  assert.equal(await message(workbench), words);
  assert.equal(await group(/./, false).count(), 0, 'every group that the filter leaves is open');

  await workbench.reload();
  remote.takeRequests();
  await workbench.showView('Transcription Jobs');
  await until('the filter is back', async () => (await message(workbench)) === words);
  for (const parameters of await nextAsked(4)) {
    assert.ok(parameters.includes('custom_metadata={"customer":"Northwind Bank"}'), parameters.join(' '));
  }

  await titleBar.locator('.codicon-filter-filled').click();
  const pair = quickInput.item('customer: Northwind Bank');
  await pair.hover();
  await pair.getByRole('button', { name: 'Remove this condition' }).click();
  await pair.waitFor({ state: 'detached' });
  await quickInput.pick('Show matching jobs');
  await until('the condition is gone', async () => !(await message(workbench)).includes('customer'));
  await titleBar.getByRole('button', { name: 'Clear Filter' }).click();
  await until('no filter is set', async () => (await message(workbench)) === '');
  // The groups are as they were before.
  await group(/^\s*Done/, false).waitFor();
  await group(/^\s*Failed/, true).waitFor();
});

test('says that nothing matches, in a row that clears the filter', async () => {
  const { workbench } = session();
  const { quickInput } = workbench;
  const tree = workbench.tree('Jobs');
  await workbench.answerAll(async () => {
    await openFilter(workbench);
    await chooseStatuses(workbench, 'Processing');
    await quickInput.pick('Created', 'Filter Jobs: Created');
    await quickInput.pick('A day…', 'Filter Jobs: Created on a Day');
    await quickInput.answer('2001-02-03');
    await quickInput.item('Show matching jobs').waitFor();
  });
  remote.takeRequests();
  await quickInput.pick('Show matching jobs');
  await tree.row('No job matches the filter').first().waitFor();
  assert.equal(await message(workbench), 'Filter: Processing · on 2001-02-03');
  for (const parameters of asked()) assert.deepEqual(parameters.slice(1), ['date=2001-02-03', 'status=processing']);
  await tree.click('No job matches the filter', tree.row('Northwind Bank'));
  await nextAsked(3);
});

test('counts a saved view when it is expanded, filters by it when it is selected, and saves the filter as another', async () => {
  const { workbench } = session();
  const { quickInput, page } = workbench;
  const tree = workbench.tree('Jobs');
  const view = tree.row(/^Broken calls/);
  await tree.collapse('Pre-recorded');
  await tree.scrollTo(/^Broken calls/);
  assert.match((await view.innerText()).replaceAll(/\s+/g, ' '), /^Broken calls\s*Failed$/);
  assert.deepEqual(asked(), [], 'a view that is closed asks nothing');
  await tree.expand(/^Broken calls/);
  await tree.row(/^Live\s*\d+ at /).waitFor();
  await tree.row(/^Broken calls\s*\d+ · Failed/).waitFor();
  assert.ok(asked().some((parameters) => parameters.includes('status=error')));
  const messageRow = page.locator('.sidebar .tree-explorer-viewlet-tree-view .message', { hasText: 'Filter: Failed' });
  await tree.click(/^Broken calls/, messageRow);
  await until('only failed jobs are listed', async () => {
    const labels = await tree.labels();
    return labels.some((each) => each.startsWith('Failed')) && !labels.some((each) => each.startsWith('Done'));
  });

  await workbench.ask('Transcription: Save Filter as View…', 'Save Filter as View');
  assert.equal(await quickInput.input.inputValue(), 'Failed');
  await page.keyboard.insertText('Lost calls');
  assert.equal(await quickInput.input.inputValue(), 'Lost calls', 'typing replaces the name that is proposed');
  await quickInput.accept();
  await workbench.statusBarItem('Saved the view "Lost calls"').waitFor();
  await tree.collapse('Live');
  await tree.scrollTo(/^Lost calls/);
});
