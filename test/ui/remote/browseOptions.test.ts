import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer } from '../../support/faults/plays.ts';
import { useRemoteService } from '../../support/remote/remoteService.ts';
import { isReached, until } from '../../support/until.ts';
import { useWorkbench } from '../../support/workbench/useWorkbench.ts';

const nowMs = Date.now();
const remote = await useRemoteService({ count: 0, clock: () => nowMs });
const twin = '11111111-2222-4333-8444-555555555555';
remote.sample.add({ id: twin, kind: 'live', status: 'done', fields: { custom_metadata: { title: 'Twin, live' } } });
remote.sample.add({
  id: twin,
  kind: 'pre-recorded',
  status: 'done',
  fields: { custom_metadata: { title: 'Twin, recorded' } },
});
remote.sample.add({
  kind: 'live',
  status: 'done',
  fields: { status: 'archived', custom_metadata: { title: 'Put away' } },
});
remote.sample.add({
  kind: 'live',
  status: 'done',
  fields: { kind: 'batch', custom_metadata: { title: 'Of a new kind' } },
});
remote.sample.add({ kind: 'live', status: 'done', fields: { id: null } });
remote.sample.add({
  kind: 'pre-recorded',
  status: 'error',
  fields: { custom_metadata: { title: 'A title that is longer than any side bar is wide, '.repeat(5) } },
});

const session = useWorkbench(import.meta.filename, {
  userSettings: {
    ...remote.userSettings,
    'transcriptionJobs.groupBy': 'none',
    'transcriptionJobs.listSource': 'combined',
  },
  env: remote.env,
});

test('the combined endpoint is asked by kind, and the view says that it is deprecated', async () => {
  const { workbench } = session();
  await workbench.showView('Transcription Jobs');
  const tree = workbench.tree('Jobs');
  await tree.row('Deprecated endpoint').waitFor();
  await until('both kinds are listed', () => remote.requests.length === 2);
  assert.deepEqual(remote.takeRequests().toSorted(), [
    'GET /v2/transcription?offset=0&limit=20&kind=live',
    'GET /v2/transcription?offset=0&limit=20&kind=pre-recorded',
  ]);
});

test('two jobs of one id, unknown statuses, unknown kinds and unreadable items all have rows', async () => {
  const { workbench } = session();
  const tree = workbench.tree('Jobs');
  for (const name of ['Twin, live', 'Twin, recorded', 'Put away', 'Unreadable item']) await tree.row(name).waitFor();
  await tree.row(/^batch/).waitFor();
  await tree.row('Of a new kind').waitFor();
});

test('a menu offers what can be done: a failed job whose request is not at hand has nothing to retry', async () => {
  const { workbench } = session();
  await workbench.tree('Jobs').openMenu(/^A title t/, 'Copy Link to Job');
  const entries = workbench.page.getByRole('menuitem');
  await entries.filter({ hasText: 'Resubmit Failed…' }).waitFor();
  assert.equal(await entries.filter({ hasText: 'Retry with Other Settings' }).count(), 0);
  await workbench.page.keyboard.press('Escape');
});

test('a service that goes away leaves the rows, and says since when', async () => {
  const { workbench } = session();
  const tree = workbench.tree('Jobs');
  remote.break(answer(401, '{"message":"unknown key"}'));
  await workbench.runCommand('Transcription: Refresh');
  const retry = tree.row(/^Retry.*Outdated since/).first();
  await retry.waitFor();
  await tree.row('Twin, live').waitFor();
  const labels = await tree.labels();
  const placeOf = (text: string): number => labels.findIndex((label) => label.startsWith(text));
  assert.ok(placeOf('Retry') < placeOf('Twin'), labels.join(' | '));
  const isWhole = retry.locator('.label-name').evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth);
  assert.equal(await isWhole, true, 'the action is not cut off');
  assert.deepEqual(await workbench.notifications.messages(), []);
  remote.break();
  await until('one of them is well again', async () => {
    await isReached(retry.click({ timeout: 5000 }));
    return (await tree.row(/Outdated since/).count()) < 2;
  });
});

test('a rejected key, with nothing loaded, is explained in place of the rows', async () => {
  const { workbench } = session();
  remote.break(answer(401, '{"message":"unknown key"}'));
  await workbench.reload();
  await workbench.showView('Transcription Jobs');
  await workbench.welcome.getByRole('button', { name: 'Set API key' }).waitFor();
  assert.match(await workbench.welcome.innerText(), /rejected the API key/);
  remote.break();
  await workbench.runCommand('Transcription: Refresh');
  await workbench.tree('Jobs').row('Twin, live').waitFor();
});
