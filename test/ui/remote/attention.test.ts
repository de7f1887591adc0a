import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useRemoteService } from '../../support/remote/remoteService.ts';
import { isReached, until } from '../../support/until.ts';
import { useWorkbench } from '../../support/workbench/useWorkbench.ts';

const minuteMs = 60_000;
// The tests advance the service's clock; the window's clock is the real one.
let nowMs = Date.now();
const remote = await useRemoteService({ count: 0, clock: () => nowMs });
const session = useWorkbench(import.meta.filename, {
  userSettings: {
    ...remote.userSettings,
    'transcriptionJobs.autoRefresh.enabled': true,
    // So long that only the tests' own actions cause requests.
    'transcriptionJobs.autoRefresh.intervalSeconds': 3600,
    'transcriptionJobs.errorLabels': { 422: 'Unreadable audio' },
  },
  env: remote.env,
});

const customers = ['Northwind Bank', 'Aurora Health', 'Lumen Legal'];

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

/** Jobs that have just failed. */
function addFailures(count: number, errorCode: number, customer = (at: number) => customers[at % 3] ?? ''): void {
  for (let at = 0; at < count; at++) {
    remote.sample.add({ status: 'error', errorCode, fields: { custom_metadata: { customer: customer(at) } } });
  }
}

/** The attention monitor's requests since the last call, without their dates; list requests are left out. */
function attentionRequests(): string[] {
  return remote
    .takeAllRequests()
    .filter((request) => !/limit=20&/.test(request))
    .map((request) => request.replaceAll(/(before_date|after_date)=[^&]+/g, '$1=…'))
    .toSorted();
}

/** Refreshes until a row is there. Repeated because refreshes in quick succession are combined into one. */
async function refreshUntil(row: RegExp): Promise<void> {
  const { workbench } = session();
  await until(`there is ${row.source}`, async () => {
    await workbench.runCommand('Transcription: Refresh');
    return isReached(workbench.tree('Jobs').row(row).first().waitFor({ timeout: 2000 }));
  });
}

const reading = ['live', 'pre-recorded'].flatMap((kind) => [
  `GET /v2/${kind}?limit=100&before_date=…&status=queued&status=processing`,
  `GET /v2/${kind}?limit=200&after_date=…&status=error`,
]);

test('a closed view asks nothing; opening it costs two requests a kind, one for older failures, and what measures a kind once a day', async () => {
  const { workbench } = session();
  addFinished();
  assert.deepEqual(remote.takeAllRequests(), []);
  await workbench.showView('Transcription Jobs');
  await workbench.tree('Jobs').row('Processing').first().waitFor();
  const sampling = [
    'GET /v2/live?offset=0&limit=100&status=done&status=error',
    'GET /v2/pre-recorded?offset=0&limit=100&status=done&status=error',
    'GET /v2/pre-recorded?offset=0&limit=100&before_date=…&status=error&status=done',
  ];
  const older = ['live', 'pre-recorded'].map((kind) => `GET /v2/${kind}?offset=0&limit=200&status=error`);
  const asked: string[] = [];
  await until('everything was asked', () => asked.push(...attentionRequests()) >= 9);
  assert.deepEqual(asked.toSorted(), [...reading, ...older, ...sampling].toSorted());
  assert.equal(await workbench.tree('Jobs').row('Needs attention').count(), 0);
});

test('stuck jobs become overdue by the clock of the service; it is told once, with the sample', async () => {
  const { workbench } = session();
  const tree = workbench.tree('Jobs');
  remote.sample.add({ id: 'stuck-1', status: 'processing', createdAt: nowMs - 10_000 });
  remote.sample.add({ id: 'stuck-2', status: 'queued' });
  remote.takeAllRequests();
  // Repeated because refreshes in quick succession are combined into one.
  await until('it was asked once', async () => {
    await workbench.runCommand('Transcription: Refresh');
    return attentionRequests().join('\n') === reading.join('\n');
  });
  assert.equal(await tree.row('Needs attention').count(), 0);
  nowMs += 41 * minuteMs;
  await refreshUntil(/^Needs attention\s*2$/);
  await tree.root.getByRole('treeitem', { name: 'Needs attention, 2', exact: true }).waitFor();
  await workbench.notifications.withText('2 transcription jobs are taking longer than usual.').waitFor();
  const asked = attentionRequests();
  assert.equal(asked.length % reading.length, 0);
  assert.deepEqual([...new Set(asked)], reading);
  await workbench.notifications.press('2 transcription jobs are taking longer than usual.', 'Show');
  await tree.row(/stuck-1\s*waiting 41 min/).waitFor();
  const labels = await tree.labels();
  assert.ok(
    labels.findIndex((each) => each.startsWith('stuck-1')) < labels.findIndex((each) => each.startsWith('stuck-2')),
  );
  await tree
    .row(/^stuck-1/)
    .first()
    .hover();
  await workbench.page
    .locator('.workbench-hover', { hasText: '95% of the last 199 finished within 3 min; this one has waited 41 min.' })
    .waitFor();
  await until('the badge has the number', async () =>
    /2 need attention/.test(
      (await workbench.page
        .locator('.activitybar')
        .getByRole('tab', { name: 'Transcription Jobs' })
        .getAttribute('aria-label')) ?? '',
    ),
  );
});

test('an incident appears as a group with what its failures have in common, is handled, and comes back once', async () => {
  const { workbench } = session();
  const tree = workbench.tree('Jobs');
  addFailures(3, 500);
  addFailures(6, 422, () => 'Aurora Health');
  addFailures(2, 422, () => 'Lumen Legal');
  const group = /^Unreadable audio \(422\)\s*6 · customer: Aurora Health$/;
  await refreshUntil(/^New failures\s*11$/);
  await tree.expand(/^New failures/);
  await tree.row(group).waitFor();
  await tree.row(/^Unreadable audio \(422\)\s*2 · others$/).waitFor();
  await tree.row(/^Error 500\s*3$/).waitFor();
  const handled = '6 failures marked as handled on this computer';
  const told = workbench.notifications.withText(handled);
  await tree.pressInline(group, 'Mark as Handled', told);
  await until('the group is gone', async () => (await tree.row(/6 · customer: Aurora Health$/).count()) === 0);
  // Not to the top of the view, from where the way back would be long.
  const next = tree.root.locator('[role="treeitem"].focused', { hasText: /^\s*(?:Error 500|Unreadable audio)/ });
  await next.waitFor();
  await workbench.notifications.press(handled, 'Undo');
  await tree.row(group).waitFor();
  await told.waitFor({ state: 'detached' });
  await tree.pressInline(group, 'Mark as Handled', told);
  await until('the group is gone again', async () => (await tree.row(/6 · customer: Aurora Health$/).count()) === 0);
  // What takes the focus closes the palette.
  await next.waitFor();
  await workbench.runCommand('Transcription: Undo Mark as Handled');
  await tree.row(group).waitFor();
  await workbench.runCommand('Notifications: Clear All Notifications');
  await told.waitFor({ state: 'detached' });
  await tree.pressInline(group, 'Mark as Handled', told);
  await until('the group is gone for good', async () => (await tree.row(/6 · customer: Aurora Health$/).count()) === 0);
  await next.waitFor();
  addFailures(1, 422, () => 'Aurora Health');
  await refreshUntil(/^Unreadable audio \(422\)\s*1 · customer: Aurora Health$/);
  await tree.row(/^Unreadable audio \(422\)\s*2 · others$/).waitFor();
});

test('of a whole group that cannot be submitted again, one message says why', async () => {
  const { workbench } = session();
  const told = workbench.notifications.withText(
    /^None of these 2 jobs can be resubmitted, all for the same reason: Nothing shows that it was/,
  );
  await workbench.tree('Jobs').pickFromMenu(/^Unreadable audio \(422\)\s*2 · others$/, 'Resubmit Failed…', told);
});

test('what was handled stays so after a reload', async () => {
  const { workbench } = session();
  await workbench.reload();
  const tree = workbench.tree('Jobs');
  await tree.row(/^New failures\s*6$/).waitFor();
  assert.deepEqual(await workbench.notifications.messages(), [], 'not told again of what is overdue');
});

test('the board of a group has the time in which it was counted, and What Changed? the days before', async () => {
  const { workbench } = session();
  const group = /^Unreadable audio \(422\)\s*1 · customer: Aurora Health$/;
  for (const [entry, period] of [
    ['Open Board', 'since '],
    ['What Changed?', 'last 7 days'],
  ] as const) {
    await workbench.tree('Jobs').pickFromMenu(group, entry, workbench.editorTab(/^Board: Error code = 422/));
    const board = await workbench.webview(/^Board: Error code = 422/);
    await board.locator('.filter-text', { hasText: period }).waitFor();
    await workbench.runCommand('View: Close All Editors');
    await workbench.editorTab(/^Board/).waitFor({ state: 'detached' });
  }
});

test('a report for support has ids and times, and metadata only when asked', async () => {
  const { workbench } = session();
  const tree = workbench.tree('Jobs');
  for (const [choice, isThere] of [
    ['Without metadata', false],
    ['With custom metadata', true],
  ] as const) {
    await tree.pickFromMenu(/^New failures/, 'Copy Report for Support', workbench.quickInput.item(choice));
    await workbench.quickInput.pick(choice);
    await workbench.statusBarItem('Report copied').waitFor();
    const report = await until('the report is copied', async () => {
      const text = await workbench.page.evaluate(() => navigator.clipboard.readText());
      return text.startsWith('# Failed transcription jobs') && text.includes('Lumen Legal') === isThere
        ? text
        : undefined;
    });
    assert.match(report, /- Failures: 6/);
  }
});
