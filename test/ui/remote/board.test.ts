import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FrameLocator, Locator } from 'playwright-core';
import { useRemoteService } from '../../support/remote/remoteService.ts';
import { until } from '../../support/until.ts';
import { useWorkbench } from '../../support/workbench/useWorkbench.ts';

const nowMs = Date.now();
const remote = await useRemoteService({ count: 0, clock: () => nowMs });
const jobs = 240;
for (let serial = 0; serial < jobs; serial++) {
  const isAcme = serial % 6 === 0;
  const isFailed = isAcme && serial < 120 && serial % 12 !== 0;
  remote.sample.add({
    id: `job-${String(serial).padStart(3, '0')}`,
    kind: serial % 3 === 0 ? 'live' : 'pre-recorded',
    createdAt: nowMs - (serial + 1) * 30 * 60_000,
    status: isFailed ? 'error' : 'done',
    errorCode: 503,
    fields: {
      // Completed in another order than created, so that the list is seen to be sorted by creation.
      completed_at: new Date(
        nowMs - (serial + 1) * 30 * 60_000 + ((serial % 3) + 1) * 40 * 60_000 + (serial === 3 ? 60_000 : 0),
      ).toISOString(),
      custom_metadata: { customer: isAcme ? 'acme' : `c${serial % 5}`, hostile: '<img src=x onerror=alert(1)>' },
    },
  });
}
const failed = Array.from({ length: jobs }, (_, serial) => serial).filter(
  (serial) => serial % 6 === 0 && serial < 120 && serial % 12 !== 0,
).length;

const session = useWorkbench(import.meta.filename, { userSettings: remote.userSettings, env: remote.env });

async function board(): Promise<FrameLocator> {
  return session().workbench.webview(/^Board/);
}

function rows(page: FrameLocator): Locator {
  return page.locator('.grid-body [role=row]');
}

async function hasRows(count: number): Promise<void> {
  const grid = (await board()).getByRole('grid');
  await until(`the table has ${count} rows`, async () => (await grid.getAttribute('aria-rowcount')) === `${count + 1}`);
}

/** Does what makes the board read anew, and waits until it shows what it has read: then nothing is selected any more. */
async function rereads(page: FrameLocator, act: () => Promise<void>): Promise<void> {
  await rows(page).first().click();
  await page.getByText(/\b1 of \d+ selected/).waitFor();
  await act();
  await page.getByText('Select rows to act on them').waitFor();
  await page.getByText(`: ${jobs} jobs`).waitFor();
}

test('asks nothing before it is opened, then reads every job; opens one of them, and makes its conditions the filter of the jobs view', async () => {
  const { workbench } = session();
  await workbench.showView('Transcription Jobs');
  await workbench.tree('Jobs').row('Live').first().waitFor();
  await until('the groups in work were asked for', () => remote.requests.length >= 2);
  assert.ok(!remote.takeRequests().some((request) => /after_date=/.test(request)));
  await workbench.runCommand('Transcription: Open Board');
  const page = await board();
  await page.getByText(`: ${jobs} jobs`).waitFor();
  await hasRows(jobs);
  const asked = remote.takeRequests();
  assert.ok(asked.length <= 12, asked.join('\n'));
  assert.ok(asked.every((request) => /after_date=/.test(request)));
  await workbench.runCommand('File: New Untitled Text File');
  await workbench.page.locator('.tab.active', { hasText: 'Untitled' }).waitFor();
  await workbench.runCommand('Transcription: Open Board');
  await workbench.page.locator('.tab.active', { hasText: 'Board' }).waitFor();
  assert.equal(await workbench.editorTab(/^Board/).count(), 1, 'asked for again, the same board is shown');

  await rows(await board())
    .first()
    .dblclick();
  await workbench.editorTab('acme').waitFor();
  await workbench.editorTab(/^Board/).click();
  const shown = await board();
  await shown.getByRole('button', { name: `Failed ${failed}`, exact: true }).click();
  await shown.locator('.conditions').getByRole('button', { name: 'Use as Filter in Jobs View' }).click();
  await until('the jobs view lists only failed jobs', async () => {
    const labels = await workbench.tree('Jobs').labels();
    return labels.some((each) => each.startsWith('Failed')) && !labels.some((each) => each.startsWith('Done'));
  });
  await workbench.editorTab(/^Failed · /).click();
  await shown.getByRole('button', { name: 'Clear', exact: true }).click();
  await hasRows(jobs);
  await workbench.runCommand('Transcription: Clear Filter');
});

test('is narrowed down apart in two windows on the same connection', async () => {
  const { openWindow } = session();
  const other = await openWindow();
  // It may open with the editors of the first one, whose board could be taken for its own.
  await other.runCommand('View: Close All Editors');
  await until('no page is left', async () => (await other.page.locator('iframe.webview').count()) === 0);
  await other.showView('Transcription Jobs');
  await other.runCommand('Transcription: Open Board');
  const beside = await other.webview(/^Board/);
  await beside.getByText(`: ${jobs} jobs`).waitFor();
  await beside.getByRole('button', { name: `Failed ${failed}`, exact: true }).click();
  const count = async (): Promise<string | null> => beside.getByRole('grid').getAttribute('aria-rowcount');
  await until('the other board is narrowed down', async () => (await count()) === `${failed + 1}`);
  await hasRows(jobs);
  const page = await board();
  await rereads(page, async () => page.getByRole('button', { name: 'Read Again' }).click());
  assert.equal(await count(), `${failed + 1}`);
  await other.page.close();
});

test('has its columns and time range again after a reload', async () => {
  const { workbench } = session();
  const page = await board();
  await page.getByRole('button', { name: 'Columns…' }).click();
  await page.getByRole('searchbox', { name: 'Find a column' }).fill('hostile');
  await page.getByRole('checkbox', { name: 'hostile' }).check();
  await rereads(page, async () => page.getByRole('button', { name: '30 days' }).click());
  await page.locator('.toggle[aria-pressed=true]', { hasText: '30 days' }).waitFor();
  await workbench.reload();
  const restored = await board();
  await restored.locator('.toggle[aria-pressed=true]', { hasText: '30 days' }).waitFor();
  await restored.getByRole('columnheader', { name: 'hostile' }).waitFor();
  await restored.getByRole('button', { name: /^Read \(up to \d+ requests\)$/ }).click();
  await restored.getByText(`: ${jobs} jobs`).waitFor();
  await hasRows(jobs);
});
