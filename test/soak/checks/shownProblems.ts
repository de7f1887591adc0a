import type { SampleService } from '../../../src/sample/sampleService.ts';
import { shortenId } from '../../../src/domain/jobs/jobRow.ts';
import { isReached, until } from '../../support/until.ts';
import { clearFilter, refresh } from '../actions/browseActions.ts';
import { serviceTruth } from '../service/serviceTruth.ts';
import type { SoakWindow } from '../soakWindow.ts';
import type { MessageKey, Texts } from '../texts.ts';
import { goToTop, shownJobs, type ShownList } from './shownJobs.ts';

/** A row that cannot be clicked within this time is gone. */
const redrawMs = 2_000;
/** Time for a refresh to finish; differences that last longer are permanent. */
const compareMs = 60_000;
const compareEveryMs = 500;
const kinds: readonly (readonly [MessageKey, kind: string])[] = [
  ['Pre-recorded', 'pre-recorded'],
  ['Live', 'live'],
];
const statuses: readonly (readonly [MessageKey, status: string])[] = [
  ['Queued', 'queued'],
  ['Processing', 'processing'],
  ['Done', 'done'],
  ['Failed', 'error'],
];

/** Refreshes a window and compares its rows with the service, which no longer changes. Expands collapsed groups. */
export async function shownProblems(
  window: SoakWindow,
  sample: SampleService,
): Promise<{ readonly rows: number; readonly problems: readonly string[] }> {
  const { texts } = window;
  await window.tidy();
  await clearFilter(window);
  // If the key was rejected and nothing loaded, a message replaces the rows until someone refreshes.
  await refresh(window);
  await expandAll(window);
  let shown: readonly ShownList[] = [];
  let problems: readonly string[] = [];
  const compare = async (): Promise<boolean> => {
    const read = await shownJobs(window);
    shown = read ?? [];
    problems = read === undefined ? ['not all rows were drawn'] : await problemsOf(shown, sample, texts);
    return problems.length === 0;
  };
  // The refresh takes time; only differences that remain at the end are problems.
  await until('the views show what the service has', compare, compareEveryMs, compareMs).catch(() => undefined);
  return { rows: shown.reduce((sum, { jobs }) => sum + jobs.length, 0), problems };
}

/** Expands all rows from the top down. */
async function expandAll(window: SoakWindow): Promise<void> {
  const { tree, workbench } = window;
  const closed = tree.root.locator('[role="treeitem"][aria-expanded="false"]');
  await goToTop(window);
  for (let before: string | null = null; ;) {
    // Rows still move: a click may expand another row, or collapse the one just expanded.
    let timeout = redrawMs;
    await until('all groups in view are open', async () => {
      const count = await closed.count();
      if (count === 0) return true;
      // The hover of the last row clicked may cover those below it.
      await workbench.page.mouse.move(0, 0);
      // On a busy machine, a click takes its time.
      if (!(await isReached(closed.first().locator('.monaco-tl-twistie').click({ timeout })))) timeout *= 2;
      return false;
    });
    const focused = await tree.root.getAttribute('aria-activedescendant');
    if (focused === before) return;
    before = focused;
    await workbench.page.keyboard.press('PageDown');
  }
}

async function problemsOf(
  lists: readonly ShownList[],
  sample: SampleService,
  texts: Texts,
): Promise<readonly string[]> {
  return (await Promise.all(lists.map((list) => listProblems(list, sample, texts)))).flat();
}

async function listProblems(list: ShownList, sample: SampleService, texts: Texts): Promise<readonly string[]> {
  const name = `${list.kind}, ${list.group}`;
  // Not read from the kind's row, which may be missing during a redraw: the group's own label begins with its kind.
  const kind = kinds.find(([word]) => texts.start(word).test(list.group))?.[1];
  const status = statuses.find(([word]) => texts.part(word).test(list.group))?.[1];
  if (kind === undefined || status === undefined) return [`${name}: no such list`];
  const truth = (await serviceTruth(sample, kind, status)).map(shortenId);
  const expected = truth.slice(0, list.jobs.length);
  const hasMore = truth.length > list.jobs.length;
  return [
    ...(JSON.stringify(list.jobs) === JSON.stringify(expected)
      ? []
      : [`${name}: shows ${list.jobs.join(' ')}, the service has ${expected.join(' ')}`]),
    ...(list.hasMore === hasMore ? [] : [`${name}: ${list.hasMore ? 'offers' : 'does not offer'} more`]),
    ...list.notes.filter((note) => !texts.start('No jobs').test(note)).map((note) => `${name}: ${note}`),
  ];
}
