import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useRemoteService } from '../../support/remote/remoteService.ts';
import { until } from '../../support/until.ts';
import { useWorkbench } from '../../support/workbench/useWorkbench.ts';

const remote = await useRemoteService({ count: 0 });
const session = useWorkbench(import.meta.filename, {
  userSettings: {
    ...remote.userSettings,
    'transcriptionJobs.autoRefresh.enabled': true,
    'transcriptionJobs.autoRefresh.intervalSeconds': 5,
  },
  env: remote.env,
});

const ids = ['Town council', 'Harbour news'].map((title) =>
  remote.sample.add({ status: 'processing', fields: { custom_metadata: { title } } }),
);

/** A request for one job, by the time of its creation. */
const createdThen = /^GET \/v2\/pre-recorded\?limit=20&before_date=.*&after_date=/;

/** Lets a job end, and waits until its page says so. */
async function endJob(title: string, id: string | undefined): Promise<void> {
  const { workbench } = session();
  const status = (await workbench.webview(title)).locator('header .status');
  await status.filter({ hasText: 'Processing' }).waitFor();
  remote.sample.setStatus(id ?? '', 'done');
  await status.filter({ hasText: 'Done' }).waitFor();
}

test('a page left open learns the end of its job, though the group that the job moves to is closed', async () => {
  const { workbench } = session();
  await workbench.showView('Transcription Jobs');
  const tree = workbench.tree('Jobs');
  await tree.click('Town council', workbench.editorTab('Town council'));
  await endJob('Town council', ids[0]);
  assert.equal(await tree.row('Town council').count(), 0, 'the groups of jobs in work no longer have it');
  const others = remote.takeRequests().filter((request) => !/status=(?:queued|processing)$/.test(request));
  assert.equal(others.length, 1, others.join());
  assert.match(others[0] ?? '', createdThen);
});

test('a page learns it with the jobs view closed, too: by one request for the time of its creation', async () => {
  const { workbench } = session();
  await workbench.tree('Jobs').click('Harbour news', workbench.editorTab('Harbour news'));
  await workbench.webview('Harbour news');
  await workbench.runCommand('View: Close Primary Side Bar');
  await until('the view is closed', async () => (await workbench.tree('Jobs').root.count()) === 0);
  remote.takeRequests();
  await endJob('Harbour news', ids[1]);
  const requests = remote.takeRequests();
  assert.ok(requests.length > 0);
  for (const request of requests) assert.match(request, createdThen);
});
