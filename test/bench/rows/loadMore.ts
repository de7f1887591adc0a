import { startSampleService } from '../../../src/sample/sampleService.ts';
import { until } from '../../support/until.ts';
import type { Workbench } from '../../support/workbench/workbench.ts';
import { medianRatio } from '../median.ts';
import { timed } from '../timed.ts';
import { growingTree, growingView, quietPresses } from '../editor/growingTree.ts';
import type { Row } from '../outcome.ts';
import { eachWindow } from '../workbench/eachWindow.ts';
import { msToRow } from '../workbench/msToRow.ts';
import { openBeside } from '../workbench/openBeside.ts';

const runsPerWindow = 6;
/** Three in ten are live jobs, which are at the end of the tree. */
const sampleJobs = 50_000;

const limit =
  "An editor's tree has no event for rows that are added: the group is told to have changed, and the editor asks for all " +
  'its rows again, sends them to the window and compares them there, ten thousand as it does a hundred. So the time at 100 rows is no ' +
  'floor; a tree of as many rows that asks nobody is. Its rows are as long as those of jobs, and in the same scripts: one Japanese ' +
  'label makes the whole message a string of two bytes a character, which takes half as long again. What is ours on top is one request, ' +
  '19 rows made (`test/unit/budget`), and to hand out the others, some 30 ms in all.';

/** Clicks Load More below about 100 rows and below about 10,000, and waits for the first new row. */
export const row: Row = async ({ quick, vsix }) => {
  const service = await startSampleService({ count: sampleJobs });
  const session = await openBeside(
    vsix,
    growingTree,
    service,
    {
      'transcriptionJobs.groupBy': 'none',
      // A sticky group row may cover the row to click.
      'workbench.tree.enableStickyScroll': false,
    },
    { [quietPresses]: String(1 + runsPerWindow) },
  );
  const few: number[] = [];
  const many: number[] = [];
  const quiet: number[] = [];
  const asking: number[] = [];
  await eachWindow(session, quick ? 1 : 5, async (workbench) => {
    await workbench.showView('Transcription Jobs');
    await workbench.tree('Jobs').collapse('Pre-recorded');
    // The first page has 20 jobs, each further one 19: from 77 on it is about a hundred.
    for (let press = 0; press < 3; press++) await msToMore(workbench);
    for (let run = 0; run < runsPerWindow; run++) few.push(await msToMore(workbench));
    await loadAll(workbench);
    // The first click renders the rows, which are cached afterwards.
    await msToMore(workbench);
    for (let run = 0; run < runsPerWindow; run++) many.push(await msToMore(workbench));
    await workbench.showView(growingView.container);
    await msToMore(workbench, growingView.tree);
    for (let run = 0; run < runsPerWindow; run++) quiet.push(await msToMore(workbench, growingView.tree));
    await msToMore(workbench, growingView.tree);
    for (let run = 0; run < runsPerWindow; run++) asking.push(await msToMore(workbench, growingView.tree));
  });
  await session.close();
  await service.stop();
  return [
    {
      title: 'Load More at 10,000 rows',
      measured: 'click to the new rows in the DOM, against a tree of 10,000 rows that asks nobody',
      value: medianRatio(many, quiet),
      unit: '×',
      atMost: 1.15,
      facts: [
        timed('at 10,000 rows', many),
        timed('at 100 rows', few),
        timed('a tree of 10,000 rows that asks for 19 jobs', asking),
        timed('a tree of 10,000 rows that asks nobody', quiet),
      ],
      limit,
    },
  ];
};

async function msToMore(workbench: Workbench, tree = 'Jobs'): Promise<number> {
  const { page } = workbench;
  const { root } = workbench.tree(tree);
  const more = root.getByRole('treeitem', { name: 'Load More' });
  await until('Load More can be seen', async () => {
    await root.focus();
    await page.keyboard.press('End');
    return more.isVisible();
  });
  // The first new row takes the position of Load More.
  const place = await more.getAttribute('aria-posinset');
  const row = `.sidebar [role="treeitem"][aria-level="2"][aria-posinset="${place}"]:not([aria-label^="Load"])`;
  const ms = await msToRow(page, row, () => more.click());
  // The focus moves to the first new job, which scrolls the rows: an earlier click would hit another row.
  if (tree === 'Jobs') await root.locator(`.monaco-list-row.focused[aria-posinset="${place}"]`).waitFor();
  return ms;
}

async function loadAll(workbench: Workbench): Promise<void> {
  const tree = workbench.tree('Jobs');
  await tree.root.focus();
  await workbench.page.keyboard.press('Home');
  await tree.pickFromMenu(/^Live/, 'Load All', tree.row(/^Live\s*10,\d{3}\+/));
}
