import type { SampleService } from '../../../src/sample/sampleService.ts';
import { shortenId } from '../../../src/jobs/common/jobRow.ts';
import { isReached, until } from '../../support/until.ts';
import { clearFilter, refresh } from '../actions/browseActions.ts';
import { serviceTruth } from '../service/serviceTruth.ts';
import type { SoakWindow } from '../soakWindow.ts';
import type { MessageKey, Texts } from '../texts.ts';
import { goToTop, shownJobs, type ShownList } from './shownJobs.ts';

/** A row that is not open within this time is gone. */
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

/** Refreshes a window and compares its rows with its service, which no longer changes. Expands collapsed groups. */
export async function shownProblems(
  window: SoakWindow,
): Promise<{ readonly rows: number; readonly problems: readonly string[] }> {
  const { texts } = window;
  const { sample } = window.service;
  await window.tidy();
  await clearFilter(window);
  // If the key was rejected and nothing loaded, a message replaces the rows until someone refreshes.
  await refresh(window);
  let shown: readonly ShownList[] = [];
  let problems: readonly string[] = [];
  const compare = async (): Promise<boolean> => {
    // While the refresh renders the tree again, no row may have the focus, and keys expand nothing.
    if (shown.every(({ jobs }) => jobs.length === 0)) await expandAll(window);
    const read = await shownJobs(window);
    shown = read ?? [];
    problems =
      read === undefined
        ? ['not all rows were drawn']
        : shown.every(({ jobs }) => jobs.length === 0)
          ? ['no rows']
          : await problemsOf(shown, sample, texts);
    return problems.length === 0;
  };
  // The refresh takes time; only differences that remain at the end are problems.
  await until('the views show what the service has', compare, compareEveryMs, compareMs).catch(() => undefined);
  return { rows: shown.reduce((sum, { jobs }) => sum + jobs.length, 0), problems };
}

/**
 * Expands all rows from the top down, with keys: a mouse does not reach rows below the headings that stay at the top of a scrolled tree.
 */
async function expandAll(window: SoakWindow): Promise<void> {
  const { keyboard } = window.workbench.page;
  const { root } = window.tree;
  await goToTop(window);
  for (let before: string | null = null; ;) {
    const focused = await root.getAttribute('aria-activedescendant');
    if (focused === before) return;
    before = focused;
    if ((await root.locator(`[id="${focused}"][aria-expanded="false"]`).count()) > 0) {
      await keyboard.press('ArrowRight');
      await isReached(root.locator(`[id="${focused}"][aria-expanded="true"]`).waitFor({ timeout: redrawMs }));
    }
    await keyboard.press('ArrowDown');
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
  // Not read from the kind's row, which may be missing while the tree is rendered: the group's own label begins with its kind.
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
