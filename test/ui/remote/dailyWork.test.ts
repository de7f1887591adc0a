import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useRemoteService } from '../../support/remote/remoteService.ts';
import { until } from '../../support/until.ts';
import { useWorkbench } from '../../support/workbench/useWorkbench.ts';
import type { Workbench } from '../../support/workbench/workbench.ts';

const minuteMs = 60_000;
const nowMs = Date.now();
const remote = await useRemoteService({ count: 0, clock: () => nowMs });
const session = useWorkbench(import.meta.filename, {
  userSettings: { ...remote.userSettings, 'transcriptionJobs.autoRefresh.enabled': false },
  env: remote.env,
});

/** Adds a job that is done, created and completed so many minutes ago. */
function addDone(title: string, created: number, completed: number, owner: string): void {
  const at = (minutes: number): string => new Date(nowMs - minutes * minuteMs).toISOString();
  remote.sample.add({
    status: 'done',
    createdAt: nowMs - created * minuteMs,
    fields: { created_at: at(created), completed_at: at(completed), custom_metadata: { title, owner } },
  });
}

/** The titles of the jobs in the order of their rows. */
async function titles(workbench: Workbench): Promise<readonly string[]> {
  const labels = await workbench.tree('Jobs').labels();
  return labels.flatMap((label) => /^(?:Newest|Middle|Oldest)/.exec(label)?.[0] ?? []);
}

/** The message above the rows. */
async function message(workbench: Workbench): Promise<string> {
  return (await workbench.page.locator('.sidebar .tree-explorer-viewlet-tree-view .message').textContent()) ?? '';
}

async function sortBy(workbench: Workbench, order: string): Promise<void> {
  await workbench.runAndPick('Transcription: Sort Jobs…', order);
}

test('groups that were open are open after a reload, and closed ones stay closed', async () => {
  const { workbench } = session();
  addDone('Newest', 10, 9, 'anna');
  addDone('Middle', 60, 58, 'ben');
  addDone('Oldest', 120, 30, 'anna');
  await workbench.showView('Transcription Jobs');
  const tree = workbench.tree('Jobs');
  await tree.collapse('Live');
  await tree.collapse('Processing');
  await tree.expand(/^Done/);
  await tree.row('Newest').waitFor();
  await workbench.reload();
  remote.takeRequests();
  await workbench.showView('Transcription Jobs');
  await tree.row('Newest').waitFor();
  assert.deepEqual(remote.takeRequests(), ['GET /v2/pre-recorded?offset=0&limit=20&status=done']);
  assert.deepEqual(await titles(workbench), ['Newest', 'Middle', 'Oldest']);
});

test('loaded jobs are sorted by what they took, without a request, and so they are after a reload', async () => {
  const { workbench } = session();
  await sortBy(workbench, 'Longest first');
  const isSorted = async (): Promise<boolean> => (await titles(workbench)).join() === 'Oldest,Middle,Newest';
  await until('the longest is first', isSorted);
  assert.equal(await message(workbench), 'Longest first, among loaded jobs');
  assert.deepEqual(remote.takeRequests(), []);
  await workbench.reload();
  await workbench.showView('Transcription Jobs');
  await until('the longest is first again', isSorted);
  await sortBy(workbench, 'Newest first');
  await until('the service decides again', async () => (await titles(workbench)).join() === 'Newest,Middle,Oldest');
  assert.equal(await message(workbench), '');
});

test('failed jobs come first, with their group', async () => {
  const { workbench } = session();
  const groups = async (): Promise<readonly string[]> =>
    (await workbench.tree('Jobs').labels()).flatMap(
      (label) => /^(?:Queued|Processing|Done|Failed)/.exec(label)?.[0] ?? [],
    );
  await sortBy(workbench, 'Failed first');
  await until('the group of failed jobs is first', async () => (await groups())[0] === 'Failed');
  await sortBy(workbench, 'Newest first');
  await until('it is last again', async () => (await groups()).at(-1) === 'Failed');
});

test('what is mine is chosen once, and one choice away from then on', async () => {
  const { workbench } = session();
  const { quickInput } = workbench;
  await workbench.answerAll(async () => {
    await workbench.ask('Transcription: Filter Jobs…', 'Filter Jobs');
    await quickInput.pick('Mine…');
    await quickInput.pick('owner');
    await quickInput.pick('anna');
  });
  await until('mine are left', async () => (await titles(workbench)).join() === 'Newest,Oldest');
  await workbench.runCommand('Transcription: Clear Filter');
  await until('all are there', async () => (await titles(workbench)).length === 3);
  await workbench.runAndPick('Transcription: Filter Jobs…', 'Mine');
  await until('mine are left', async () => (await titles(workbench)).join() === 'Newest,Oldest');
  assert.equal(await message(workbench), 'Filter: owner: anna');
});
