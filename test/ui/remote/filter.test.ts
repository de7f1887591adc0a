import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useRemoteService } from '../../support/remote/remoteService.ts';
import type { Workbench } from '../../support/workbench/workbench.ts';
import { until } from '../../support/until.ts';
import { useWorkbench } from '../../support/workbench/useWorkbench.ts';
import { findTests } from './jobsView/find.ts';

// The clock stands still, so that the requested dates are known.
const nowMs = Date.now();
const remote = await useRemoteService({ count: 3000, clock: () => nowMs });
const session = useWorkbench(import.meta.filename, { userSettings: remote.userSettings, env: remote.env });

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

/** The message that the view shows above its rows. */
async function message(workbench: Workbench): Promise<string> {
  return (await workbench.page.locator('.sidebar .tree-explorer-viewlet-tree-view .message').textContent()) ?? '';
}

test('statuses, a time and metadata of loaded jobs are chosen step by step, and asked for', async () => {
  const { workbench } = session();
  const { quickInput } = workbench;
  await workbench.showView('Transcription Jobs');
  await workbench.tree('Jobs').row('Northwind Bank').first().waitFor();
  await until('both open groups have answered', () => remote.requests.length === 2);
  remote.takeRequests();

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
  assert.deepEqual(remote.takeRequests(), [], 'choosing asks nothing of the service');

  await quickInput.accept();
  const requests: string[][] = [];
  await until('the groups are asked for anew', () => {
    requests.push(...asked());
    return requests.length >= 4;
  });
  const statuses: string[] = [];
  for (const [path, after = '', metadata, status = ''] of requests) {
    assert.match(path ?? '', /^\/v2\/(live|pre-recorded)$/);
    assert.match(after, /^after_date=.*Z$/);
    assert.equal(metadata, 'custom_metadata={"customer":"Northwind Bank"}');
    statuses.push(status);
  }
  // Every group that the filter leaves is open.
  assert.deepEqual(statuses.toSorted(), ['status=error', 'status=error', 'status=processing', 'status=processing']);
  await until('the rows are those that match', async () => {
    const labels = await workbench.tree('Jobs').rows.allInnerTexts();
    return labels.includes('Pre-recorded') && !labels.some((label) => /^(Queued|Done)/.test(label));
  });
  assert.equal(await message(workbench), 'Filter: Processing, Failed · last 7 days · customer: Northwind Bank');
});

test('the filter survives a reload of the window', async () => {
  const { workbench } = session();
  await workbench.reload();
  await workbench.showView('Transcription Jobs');
  await until('the filter is back', async () => (await message(workbench)).includes('customer: Northwind Bank'));
  const requests: string[][] = [];
  await until('the groups are asked for', () => {
    requests.push(...asked());
    return requests.length >= 4;
  });
  for (const parameters of requests) assert.ok(parameters.includes('custom_metadata={"customer":"Northwind Bank"}'));
});

test('one condition can be removed, and one action removes all', async () => {
  const { workbench } = session();
  const { quickInput } = workbench;
  await openFilter(workbench);
  const pair = quickInput.item('customer: Northwind Bank');
  await pair.hover();
  await pair.getByRole('button', { name: 'Remove this condition' }).click();
  await pair.waitFor({ state: 'detached' });
  await quickInput.pick('Show matching jobs');
  await until('the condition is gone', async () => !(await message(workbench)).includes('customer'));
  await workbench.page.locator('.sidebar').getByRole('button', { name: 'Clear Filter' }).click();
  await until('no filter is set', async () => !(await message(workbench)).includes('last 7 days'));
  await workbench.tree('Jobs').row(/^Done/).first().waitFor();
});

test('a range shows the instants that are sent; what does not exist or is inverted is refused before', async () => {
  const { workbench } = session();
  const { quickInput } = workbench;
  await workbench.tree('Jobs').row('Load More').first().waitFor();
  remote.takeRequests();
  await workbench.answerAll(async () => {
    await openFilter(workbench);
    await quickInput.pick('Created', 'Filter Jobs: Created');
    await quickInput.pick('A range…', 'Filter Jobs: Created in a Range');
    // Where the computer's own time is UTC, there is no zone to choose.
    const start = quickInput.message.filter({ hasText: 'Start' });
    await quickInput.item('UTC').or(start).first().waitFor();
    if (!(await start.isVisible())) await quickInput.pick('UTC');
    await start.waitFor();
    await quickInput.answer('2026-02-30');
    await quickInput.message.filter({ hasText: "This day doesn't exist." }).waitFor();
    await quickInput.input.fill('2026-02-10 08:30');
    await quickInput.message.filter({ hasText: '2026-02-10T08:30:00.000Z' }).waitFor();
    await quickInput.accept();
    await quickInput.message.filter({ hasText: 'End' }).waitFor();
    await quickInput.answer('2026-02-09');
    await quickInput.message.filter({ hasText: 'The end must come after the start.' }).waitFor();
    await quickInput.back();
    await until('the start is asked again as it was taken', async () => {
      return (await quickInput.input.inputValue()) === '2026-02-10T08:30:00.000Z';
    });
    await quickInput.accept();
    await quickInput.message.filter({ hasText: 'End' }).waitFor();
    await quickInput.answer('2026-02-11');
    await quickInput.item('Show matching jobs').waitFor();
  });
  assert.deepEqual(remote.takeRequests(), []);
  await quickInput.pick('Show matching jobs');
  await until('the groups are asked for', () => remote.requests.length > 0);
  const range = ['after_date=2026-02-10T08:30:00.000Z', 'before_date=2026-02-12T00:00:00.000Z'];
  for (const parameters of asked()) assert.deepEqual(parameters.slice(1, 3), range);
});

test('a day takes the place of a range; nothing that matches is said so', async () => {
  const { workbench } = session();
  const { quickInput } = workbench;
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
  const tree = workbench.tree('Jobs');
  await tree.row('No job matches the filter').first().waitFor();
  assert.equal(await message(workbench), 'Filter: Processing · on 2001-02-03');
  for (const parameters of asked()) {
    assert.deepEqual(parameters.slice(1), ['date=2001-02-03', 'status=processing']);
  }
  await workbench.page.locator('.sidebar').getByRole('button', { name: 'Change Filter…' }).click();
  await quickInput.shown('Filter Jobs');
  await quickInput.cancel();
  await workbench.ask('Transcription: Export Jobs…', 'Export Jobs: all matching jobs (Processing · on 2001-02-03)');
  await quickInput.cancel();
  await tree.click('No job matches the filter', tree.row('Northwind Bank'));
});

findTests(session, remote, nowMs);
