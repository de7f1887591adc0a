import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useRemoteService } from '../../support/remote/remoteService.ts';
import { until } from '../../support/until.ts';
import { useWorkbench } from '../../support/workbench/useWorkbench.ts';

const remote = await useRemoteService({ count: 0 });
const session = useWorkbench(import.meta.filename, {
  userSettings: {
    ...remote.userSettings,
    'transcriptionJobs.autoRefresh.enabled': false,
    'transcriptionJobs.views': [{ name: 'Broken calls', filter: { statuses: ['error'] } }],
  },
  env: remote.env,
});

test('a saved view asks nothing until it is expanded, and filters when it is selected', async () => {
  const { workbench } = session();
  for (const id of ['failed-1', 'failed-2']) remote.sample.add({ id, status: 'error', errorCode: 422 });
  remote.sample.add({ id: 'fine-1', status: 'done' });
  await workbench.showView('Transcription Jobs');
  const tree = workbench.tree('Jobs');
  const view = tree.row(/^Broken calls/);
  await view.waitFor();
  assert.match((await view.innerText()).replaceAll(/\s+/g, ' '), /^Broken calls\s*Failed$/);
  remote.takeAllRequests();
  await tree.expand(/^Broken calls/);
  await tree.row(/^Pre-recorded\s*2 at /).waitFor();
  assert.ok(remote.takeAllRequests().every((request) => /status=error/.test(request)));
  await tree.row(/^Broken calls\s*2 · Failed/).waitFor();
  await tree.click(
    /^Broken calls/,
    workbench.page.locator('.sidebar .tree-explorer-viewlet-tree-view .message', { hasText: 'Filter: ' }),
  );
  await until('only failed jobs are listed', async () => {
    const labels = await tree.labels();
    return labels.some((each) => each.startsWith('Failed')) && !labels.some((each) => each.startsWith('Done'));
  });
});

test('a view to be saved has its conditions as a name, which typing replaces', async () => {
  const { workbench } = session();
  const { quickInput, page } = workbench;
  await workbench.ask('Transcription: Save Filter as View…', 'Save Filter as View');
  assert.equal(await quickInput.input.inputValue(), 'Failed');
  await page.keyboard.insertText('Lost calls');
  assert.equal(await quickInput.input.inputValue(), 'Lost calls');
  await quickInput.accept();
  await workbench
    .tree('Jobs')
    .row(/^Lost calls/)
    .waitFor();
});
