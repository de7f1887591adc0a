import { Agent } from 'node:http';
import { jobKinds, jobStatuses } from '../../../src/domain/jobs/job.ts';
import { startSampleService } from '../../../src/sample/sampleService.ts';
import { isReached, until } from '../../support/until.ts';
import type { Workbench } from '../../support/workbench/workbench.ts';
import { alternate } from '../alternate.ts';
import { median } from '../median.ts';
import { timed } from '../timed.ts';
import { staticTree, staticView } from '../editor/staticTree.ts';
import { rawGet } from '../lists/rawGet.ts';
import type { Row } from '../outcome.ts';
import { eachWindow } from '../workbench/eachWindow.ts';
import { msToRow } from '../workbench/msToRow.ts';
import { openBeside } from '../workbench/openBeside.ts';

const jobsView = { container: 'Transcription Jobs', tree: 'Jobs' } as const;
/** Each group is opened for the first time once per window. */
const groups = ['Done', 'Failed'].flatMap((name) => [0, 1].map((kind) => ({ name, kind })));
const lastRow = '.sidebar [role="treeitem"][aria-level="3"][aria-posinset="20"]';

const limit =
  'Measured in the extension host, of what comes on top of the static tree: 6 to 17 ms until the editor has handed out the key ' +
  'from its secret store, which it is asked for before each request so that a forgotten key is never sent; 6 ms for the request, ' +
  'whose raw round trip takes 4 ms there, because the editor looks for proxies first; 4 ms for the rest. Tried: drawing the count of ' +
  'the group later, which changes nothing; keeping the key, which brings 4 ms and sends a key that another window has forgotten.';

/** Opens groups for the first time, in our tree and in one whose rows already exist, and waits for the 20th row. */
export const row: Row = async ({ quick, vsix }) => {
  const service = await startSampleService({ count: 10_000 });
  const session = await openBeside(vsix, staticTree, service);
  const ours: number[] = [];
  const still: number[] = [];
  await eachWindow(session, quick ? 2 : 4, async (workbench, window) => {
    await workbench.showView(jobsView.container);
    await closeGroups(workbench);
    for (const [turn, group] of groups.entries()) {
      const measure = async (view: typeof jobsView | typeof staticView, runs: number[]): Promise<void> => {
        runs.push(await msToOpen(workbench, view, group));
      };
      if ((turn + window) % 2 === 0) await measure(jobsView, ours);
      await measure(staticView, still);
      if ((turn + window) % 2 === 1) await measure(jobsView, ours);
    }
  });
  await session.close();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const url = `${service.baseUrl}/v2/pre-recorded?offset=0&limit=20&status=done`;
  const { raw } = await alternate(
    { raw: async () => void JSON.parse(await rawGet(url, agent, { 'x-service-key': service.key })) },
    { rounds: 21, warmUps: 5 },
  );
  agent.destroy();
  await service.stop();
  return [
    {
      title: 'First group open',
      measured:
        'click to the last of 20 rows in the DOM, against a provider that has its rows, plus one raw round trip',
      value: median(ours) / (median(still) + median(raw)),
      unit: '×',
      atMost: 1.3,
      facts: [
        timed('group of the jobs view', ours),
        timed('group of a static tree', still),
        timed('raw round trip for 20 jobs', raw),
      ],
      limit,
    },
  ];
};

/** In a new window the groups of unfinished jobs are expanded; only the measured group should have rows. */
async function closeGroups(workbench: Workbench): Promise<void> {
  const groupRows = workbench.tree(jobsView.tree).root.locator('[role="treeitem"][aria-level="2"]');
  const open = groupRows.and(workbench.page.locator('[aria-expanded="true"]'));
  await until('all groups are closed', async () => {
    if ((await open.count()) === 0) return (await groupRows.count()) === jobKinds.length * jobStatuses.length;
    // The click is lost if the tree is redrawn meanwhile; the loop repeats it.
    await isReached(open.first().locator('.monaco-tl-twistie').click({ timeout: 1000 }));
    return false;
  });
}

async function msToOpen(
  workbench: Workbench,
  view: typeof jobsView | typeof staticView,
  { name, kind }: (typeof groups)[number],
): Promise<number> {
  await workbench.showView(view.container);
  const { root } = workbench.tree(view.tree);
  const row = root.locator('[role="treeitem"][aria-level="2"]').filter({ hasText: name }).nth(kind);
  const twistie = row.locator('.monaco-tl-twistie');
  await row.waitFor();
  const ms = await msToRow(workbench.page, lastRow, () => twistie.click());
  await twistie.click();
  await root.locator('[role="treeitem"][aria-level="3"]').first().waitFor({ state: 'detached' });
  return ms;
}
