import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minuteMs } from '../../../src/base/time.ts';
import { useRemoteService } from '../../support/remote/remoteService.ts';
import { isReached, until } from '../../support/until.ts';
import { useWorkbench } from '../../support/workbench/useWorkbench.ts';

// The tests advance the service's clock; the window's clock is the real one.
let nowMs = Date.now();
const remote = await useRemoteService({ count: 0, clock: () => nowMs });
const session = useWorkbench(import.meta.filename, {
  userSettings: {
    ...remote.userSettings,
    // So long that only the tests' own actions cause requests.
    'transcriptionJobs.autoRefresh.intervalSeconds': 3600,
    'transcriptionJobs.errorLabels': { 422: 'Unreadable audio' },
  },
  env: remote.env,
});

/** 250 jobs that took three minutes each, started a minute apart, the last one an hour ago. */
function addFinished(): void {
  for (let at = 0; at < 250; at++) {
    const createdAt = nowMs - 60 * minuteMs - (250 - at) * minuteMs;
    remote.sample.add({
      createdAt,
      status: 'done',
      fields: { completed_at: new Date(createdAt + 3 * minuteMs).toISOString() },
    });
  }
}

/** Jobs of a customer that have just failed. */
function addFailures(count: number, errorCode: number, customer: string): void {
  for (let at = 0; at < count; at++) {
    remote.sample.add({ status: 'error', errorCode, fields: { custom_metadata: { customer } } });
  }
}

/** Refreshes until a row is there. Repeated because refreshes in quick succession are combined into one. */
async function refreshUntil(row: RegExp): Promise<void> {
  const { workbench } = session();
  await until(`there is ${row.source}`, async () => {
    await workbench.runCommand('Transcription: Refresh');
    return isReached(workbench.tree('Jobs').row(row).first().waitFor({ timeout: 2000 }));
  });
}

test('a closed view asks nothing; jobs become overdue by the clock of the service, which is reported once with the sample', async () => {
  const { workbench } = session();
  const tree = workbench.tree('Jobs');
  addFinished();
  remote.sample.add({ id: 'stuck-1', status: 'processing', createdAt: nowMs - 10_000 });
  remote.sample.add({ id: 'stuck-2', status: 'queued' });
  assert.deepEqual(remote.takeAllRequests(), []);
  await workbench.showView('Transcription Jobs');
  await tree.expand(/^Processing/);
  await tree.row(/^stuck-1/).waitFor();
  assert.equal(await tree.row('Needs attention').count(), 0);

  nowMs += 41 * minuteMs;
  await refreshUntil(/^Needs attention\s*2$/);
  await tree.root.getByRole('treeitem', { name: 'Needs attention, 2', exact: true }).waitFor();
  const message = '2 transcription jobs are taking longer than usual.';
  await workbench.notifications.press(message, 'Show');
  const overdue = tree.row(/stuck-1\s*waiting 41 min/);
  await overdue.waitFor();
  const labels = await tree.labels();
  const rowOf = (id: string): number => labels.findIndex((each) => each.startsWith(id));
  assert.ok(rowOf('stuck-1') < rowOf('stuck-2'), `the oldest comes first: ${labels.join(' | ')}`);
  await overdue.first().hover();
  await workbench.page
    .locator('.workbench-hover', { hasText: '95% of the last 200 finished within 3 min; this one has waited 41 min.' })
    .waitFor();
  await workbench.page
    .locator('.activitybar')
    .getByRole('tab', { name: /^Transcription Jobs.*2 need attention/ })
    .waitFor();
});

test('an incident is a group with what its failures share; once handled it stays away, after a reload too, but for a later failure', async () => {
  const { workbench } = session();
  const { notifications } = workbench;
  const tree = workbench.tree('Jobs');
  addFailures(3, 500, 'Northwind Bank');
  addFailures(6, 422, 'Aurora Health');
  addFailures(2, 422, 'Lumen Legal');
  const group = /^Aurora Health\s*6 · Unreadable audio \(422\)/;
  await refreshUntil(/^New failures\s*11$/);
  await tree.expand(/^New failures/);
  await tree.row(group).waitFor();
  await tree.row(/^Unreadable audio \(422\)\s*others · 2$/).waitFor();
  // A click shows the board beside, and the keys stay in the view.
  const other = /^Northwind Bank\s*500 · 3$/;
  await tree.click(other, workbench.page.getByRole('tab', { name: /^500, Northwind Bank/ }));
  await (await workbench.webview(/^500, Northwind Bank/)).getByRole('grid').waitFor();
  await workbench.page.keyboard.press('ArrowUp');
  await tree.root.locator('[role="treeitem"].focused', { hasNotText: 'Northwind Bank' }).waitFor();

  const handled = '6 failures marked as handled on this computer';
  const shown = notifications.withText(handled);
  await tree.pressInline(group, 'Mark as Handled', shown);
  await tree.row(group).waitFor({ state: 'detached' });
  // Not to the top of the view, from where the way back would be long.
  const next = tree.root.locator('[role="treeitem"].focused', {
    hasText: /^\s*(?:Error 500|Unreadable audio|Northwind Bank)/,
  });
  await next.waitFor();
  await notifications.press(handled, 'Undo');
  await tree.row(group).waitFor();
  await shown.waitFor({ state: 'detached' });
  await tree.pressInline(group, 'Mark as Handled', shown);
  await tree.row(group).waitFor({ state: 'detached' });
  await next.waitFor();

  addFailures(1, 422, 'Aurora Health');
  // The only failure of a group is shown in its place.
  await refreshUntil(/^Aurora Health\s*Unreadable audio · /);
  await tree.row(/^Unreadable audio \(422\)\s*others · 2$/).waitFor();
  await workbench.reload();
  await tree.row(/^New failures\s*6$/).waitFor();
  assert.deepEqual(await notifications.messages(), [], 'what is overdue is not reported again');
});

test('from an incident to a report: its jobs and nothing else are reported, and it is muted while other failures stay in sight', async () => {
  const { workbench } = session();
  const { quickInput } = workbench;
  const tree = workbench.tree('Jobs');
  addFailures(5, 503, 'Delta Cargo');
  addFailures(2, 500, 'Sierra Air');
  const incident = /^Delta Cargo\s*503 · 5/;
  await refreshUntil(/^New failures/);
  await tree.expand(/^New failures/);
  await tree.row(incident).waitFor();

  await tree.pickFromMenu(incident, 'Copy Report for Support', quickInput.step('Copy Report for Support'));
  await quickInput.pick('With custom metadata');
  const clipboard = async (): Promise<string> =>
    String(await workbench.page.evaluate('navigator.clipboard.readText()'));
  await until('the report is copied', async () => (await clipboard()).includes('Delta Cargo'));
  const report = await clipboard();
  assert.match(report, /503/);
  assert.doesNotMatch(report, /Sierra Air/);

  await tree.pickFromMenu(incident, 'Mute for…', quickInput.step('Mute 503'));
  await quickInput.pick('For an Hour');
  await tree.row(/^Delta Cargo/).waitFor({ state: 'detached' });
  addFailures(1, 503, 'Delta Cargo');
  addFailures(3, 413, 'Harbor Clinic');
  await refreshUntil(/^Harbor Clinic\s*413 · 3/);
  assert.equal(await tree.row(/^Delta Cargo/).count(), 0);
  await workbench.reload();
  await tree.row(/^Harbor Clinic\s*413 · 3/).waitFor();
  assert.equal(await tree.row(/^Delta Cargo/).count(), 0);
});

test('a filter folds Needs attention, which it does not apply to, so that the rows that match are in view', async () => {
  const { workbench } = session();
  const { quickInput } = workbench;
  const tree = workbench.tree('Jobs');
  const attention = (isOpen: boolean) =>
    tree.root.locator(`[aria-level="1"][aria-expanded="${isOpen}"]`, { hasText: 'Needs attention' });
  addFailures(2, 404, 'Kite Insurance');
  await refreshUntil(/^Needs attention/);
  await attention(true).waitFor();
  await workbench.answerAll(async () => {
    await workbench.ask('Transcription: Filter Jobs…', 'Filter Jobs');
    await quickInput.pick('Status', 'Filter Jobs: Status');
    await quickInput.toggle('Failed');
    await quickInput.accept();
    await quickInput.item('Show matching jobs').waitFor();
  });
  await quickInput.accept();
  await attention(false).waitFor();
  await workbench.runCommand('Transcription: Clear Filter');
  await attention(true).waitFor();
});
