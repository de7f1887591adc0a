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

function messageRow({ page }: Workbench): Locator {
  return page.locator('.sidebar .tree-explorer-viewlet-tree-view .message');
}

/** The message that the view shows above its rows. */
async function message(workbench: Workbench): Promise<string> {
  return (await messageRow(workbench).textContent()) ?? '';
}

test('filters by statuses, time and metadata, also after a reload, until the filter is cleared, and by a saved view', async () => {
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
    await workbench.ask('Transcription: Filter Jobs…', 'Filter Jobs');
    await quickInput.pick('Status', 'Filter Jobs: Status');
    for (const status of ['Processing', 'Failed']) await quickInput.toggle(status);
    await quickInput.accept();
    await quickInput.item('Show matching jobs').waitFor();
    await quickInput.pick('Created', 'Filter Jobs: Created');
    await quickInput.pick('Last 7 days');
    await quickInput.item('Show matching jobs').waitFor();
    await quickInput.pick('Metadata', 'Filter Jobs: Metadata');
    await quickInput.pick('customer', 'Filter Jobs: Metadata "customer"');
    await quickInput.pick('Northwind Bank');
    await quickInput.item('customer: Northwind Bank').waitFor();
  });
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

  remote.takeRequests();
  await workbench.reload();
  await workbench.showView('Transcription Jobs');
  await until('the filter is back', async () => (await message(workbench)) === words);
  for (const parameters of await nextAsked(4)) {
    assert.ok(parameters.includes('custom_metadata={"customer":"Northwind Bank"}'), parameters.join(' '));
  }

  await workbench.ask(titleBar.locator('.codicon-filter-filled'), 'Filter Jobs');
  await quickInput.item('customer: Northwind Bank').waitFor();
  await quickInput.cancel();
  await titleBar.getByRole('button', { name: 'Clear Filter' }).click();
  await until('no filter is set', async () => (await message(workbench)) === '');
  // The groups are as they were before.
  await group(/^\s*Done/, false).waitFor();
  await group(/^\s*Failed/, true).waitFor();

  await tree.collapse('Pre-recorded');
  await tree.scrollTo(/^Broken calls/);
  await tree.click(/^Broken calls/, messageRow(workbench).filter({ hasText: 'Filter: Failed' }));
});
