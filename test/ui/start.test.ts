import { test } from 'node:test';
import { firstSight, shownRequest } from '../support/start/firstSight.ts';
import { useWorkbench } from '../support/workbench/useWorkbench.ts';

const session = useWorkbench(import.meta.filename, {
  besides: [firstSight],
  userSettings: { 'transcriptionJobs.connection': 'Sample' },
});

test('npm start opens with sample jobs and a request file in sight', async () => {
  const { workbench } = session();
  await workbench
    .tree('Jobs')
    .row(/^Sample jobs/)
    .waitFor();
  await workbench.page.getByRole('tab', { name: shownRequest }).waitFor();
});
