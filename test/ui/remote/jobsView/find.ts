import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer, silence } from '../../../support/faults/plays.ts';
import type { RemoteService } from '../../../support/remote/remoteService.ts';
import { until } from '../../../support/until.ts';
import type { WorkbenchTests } from '../../../support/workbench/useWorkbench.ts';
import type { Workbench } from '../../../support/workbench/workbench.ts';

async function openFind(workbench: Workbench): Promise<void> {
  await workbench.ask('Transcription: Find Job…', 'Find Job');
}

/** While a page loads it may take the focus back, which would close the next question. */
async function pageShown(workbench: Workbench, name: string): Promise<void> {
  await (await workbench.webview(name)).getByRole('heading', { level: 1, name }).waitFor();
}

/**
 * Tests of finding and counting jobs. Expects that only the groups of unfinished jobs are expanded, and a service with
 * 3,000 jobs, to which this adds three.
 */
export function findTests(session: WorkbenchTests, remote: RemoteService, nowMs: number): void {
  const early = remote.sample.add({
    createdAt: nowMs - 1000,
    status: 'processing',
    fields: { request_id: 'G-77778888', custom_metadata: { title: 'Interview with a lighthouse', reel: '12b' } },
  });
  const late = remote.sample.add({
    createdAt: nowMs - 80 * 86_400_000,
    status: 'done',
    fields: { custom_metadata: { title: 'Interview with a windmill' } },
  });

  remote.sample.add({
    createdAt: nowMs - 70 * 86_400_000,
    status: 'done',
    fields: { custom_metadata: { title: 'Reel 7', note: 'Interview with a windmill' } },
  });

  test('a loaded job is found by its metadata, request id and id while one types', async () => {
    const { workbench } = session();
    const { quickInput } = workbench;
    // The groups that were open before the filter are read again: nothing of that may count for the refresh.
    const read = workbench.tree('Jobs').rows.filter({ hasText: /Processing\s*20\+/ });
    await until('both open groups are read', async () => (await read.count()) === 2);
    remote.takeRequests();
    await workbench.runCommand('Transcription: Refresh');
    await workbench.tree('Jobs').row('Interview with a lighthouse').first().waitFor();
    const asked: string[] = [];
    await until('both open groups have answered', () => asked.push(...remote.takeRequests()) === 2);
    for (const typed of ['LIGHTHOUSE reel', 'g-7777', early.slice(0, 13)]) {
      await openFind(workbench);
      await quickInput.type(typed);
      await until(`"${typed}" finds this job alone`, async () => {
        const options = await workbench.page.locator('.quick-input-list').getByRole('option').allInnerTexts();
        const [job = '', offer = '', ...others] = options;
        return job.includes('lighthouse') && offer.includes('Search the service') && others.length === 0;
      });
      await quickInput.cancel();
    }
    assert.deepEqual(remote.takeRequests(), [], 'looking among loaded jobs asks nothing of the service');
  });

  test('what is picked opens, and its row is selected', async () => {
    const { workbench } = session();
    await openFind(workbench);
    await workbench.quickInput.type('lighthouse');
    // What matches takes the place of all loaded jobs, and a click meanwhile is lost.
    await workbench.quickInput.item('Search the service').waitFor();
    await workbench.quickInput.item('Interview with a lighthouse').click();
    await pageShown(workbench, 'Interview with a lighthouse');
    await workbench
      .tree('Jobs')
      .root.locator('[role="treeitem"][aria-selected="true"]')
      .filter({ hasText: 'Interview with a lighthouse' })
      .waitFor();
  });

  test('a job on a late page is found on request', async () => {
    const { workbench } = session();
    const { quickInput } = workbench;
    await openFind(workbench);
    await quickInput.type('windmill');
    await quickInput.item('No match in loaded jobs').waitFor();
    await quickInput.item('Search the service').click();
    await quickInput.item('Interview with a windmill').waitFor();
    await quickInput.item('All 3,003 jobs were searched').waitFor();
    const requests = remote.takeRequests();
    // 31 pages, a few in flight behind the end of each list, and a look behind it for what "all" says.
    assert.ok(requests.length < 45, `${requests.length} requests`);
    assert.ok(requests.every((line) => /^GET \/v2\/(live|pre-recorded)\?/.test(line)));
    await quickInput.item('Interview with a windmill').click();
    await pageShown(workbench, 'Interview with a windmill');
  });

  test('Enter opens the job that stands first: the one named as typed, whatever was found before it', async () => {
    const { workbench } = session();
    const { quickInput } = workbench;
    await workbench.runCommand('View: Close All Editors');
    await openFind(workbench);
    await quickInput.type('Interview with a windmill');
    await quickInput.item('Search the service').click();
    await quickInput.item('Reel 7').waitFor();
    await quickInput.item('All 3,003 jobs were searched').waitFor();
    assert.equal((await quickInput.labels())[0], 'Interview with a windmill');
    await quickInput.accept();
    await pageShown(workbench, 'Interview with a windmill');
    remote.takeRequests();
  });

  test('an id in full ends the search where it stands', async () => {
    const { workbench } = session();
    const { quickInput } = workbench;
    await openFind(workbench);
    await quickInput.type(late);
    await quickInput.item('Search the service').click();
    await quickInput.item('Interview with a windmill').waitFor();
    await until('the search has ended', async () =>
      (await quickInput.labels()).some((label) => label.startsWith('Found')),
    );
    await quickInput.cancel();
    remote.takeRequests();
  });

  test('a search can be stopped, and says how far it came', async () => {
    const { workbench } = session();
    const { quickInput } = workbench;
    remote.break(silence);
    await openFind(workbench);
    await quickInput.type('windmill');
    await quickInput.item('Search the service').click();
    const stop = quickInput.item('0 jobs searched…');
    await stop.waitFor();
    await stop.click();
    await until('it has stopped', async () => (await quickInput.labels()).some((label) => label.startsWith('Stopped')));
    remote.break();
    await quickInput.cancel();
  });

  test('a search that fails says why, and finds the job when it is tried again', async () => {
    const { workbench } = session();
    const { quickInput } = workbench;
    remote.break(answer(500, '{"message":"Down for a moment"}'));
    await openFind(workbench);
    await quickInput.type('windmill');
    await quickInput.item('Search the service').click();
    const again = quickInput.item('Try Again');
    await again.waitFor();
    assert.ok((await quickInput.labels()).some((label) => label.endsWith('Down for a moment')));
    remote.break();
    await again.click();
    await quickInput.item('Interview with a windmill').waitFor();
    await quickInput.cancel();
  });

  test('a group is counted on demand, with few requests', async () => {
    const { workbench } = session();
    const tree = workbench.tree('Jobs');
    await tree.expand(/^Done/);
    await tree
      .row(/^Done\s*\d+\+/)
      .first()
      .waitFor();
    remote.takeRequests();
    const row = tree.row(/\d at \d/).first();
    await tree.pickFromMenu(/^Done/, 'Count Jobs', row);
    const requests = remote.takeRequests();
    const counted = Number(/([\d,]+) at/.exec(await row.innerText())?.[1]?.replace(',', ''));
    const response = await fetch(`${remote.sample.baseUrl}/v2/pre-recorded?status=done&limit=10000`, {
      headers: { 'x-service-key': remote.sample.key },
    });
    const { items } = (await response.json()) as { readonly items: readonly unknown[] };
    assert.equal(counted, items.length);
    // One request checks that the service obeys the filter.
    const [probe, ...others] = requests.filter((line) => !line.endsWith('status=done'));
    assert.equal(probe, 'GET /v2/pre-recorded?offset=0&limit=2&status=queued');
    assert.deepEqual(others, []);
    assert.ok(requests.length <= 2 * Math.log2(counted) + 4 + 1, `${requests.length} requests for ${counted}`);
  });
}
