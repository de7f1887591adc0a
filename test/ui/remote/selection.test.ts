import { test } from 'node:test';
import { isReached, until } from '../../support/until.ts';
import { useRemoteService } from '../../support/remote/remoteService.ts';
import { useWorkbench } from '../../support/workbench/useWorkbench.ts';

// The service's clock stands still: jobs change only when a test changes them.
const nowMs = Date.now();
const remote = await useRemoteService({ count: 2000, clock: () => nowMs });
const session = useWorkbench(import.meta.filename, {
  userSettings: { ...remote.userSettings, 'transcriptionJobs.pageSize': 100 },
  env: remote.env,
});

/** A refresh without effect by then was combined with an earlier one. */
const redrawMs = 2_000;

// In a window of its own, because the editor is then still busy with the list: it told of no selection in half of the runs.
test('a job that is selected as soon as it is listed is followed when it changes status', async () => {
  const { workbench } = session();
  await workbench.showView('Transcription Jobs');
  const tree = workbench.tree('Jobs');
  await tree.expand('Failed');
  const title = 'Selected at once';
  const id = remote.sample.add({ status: 'processing', fields: { custom_metadata: { title } } });
  await tree.scrollTo('Processing');
  await until('it is listed', async () => {
    await workbench.runCommand('Transcription: Refresh');
    return isReached(tree.row(title).first().waitFor({ timeout: redrawMs }));
  });
  const selected = tree.root.locator('[role="treeitem"][aria-selected="true"]', { hasText: title });
  await tree.click(title, selected);
  remote.sample.setStatus(id, 'error');
  await until('it is failed and still selected', async () => {
    await workbench.runCommand('Transcription: Refresh');
    const label = await selected.getAttribute('aria-label', { timeout: redrawMs }).catch(() => undefined);
    return label?.includes(`${title}, failed`);
  });
});
