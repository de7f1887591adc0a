import { until } from '../../support/until.ts';
import type { Tree } from '../../support/workbench/tree.ts';
import type { SoakWindow } from '../soakWindow.ts';
import { shortIdOf, type MessageKey, type Texts } from '../texts.ts';

/** The visible content of a group of the view. */
export interface ShownList {
  readonly kind: string;
  readonly group: string;
  /** The beginnings of the ids, from top to bottom. */
  readonly jobs: readonly string[];
  /** True if Load More is shown below. */
  readonly hasMore: boolean;
  /** The texts of the other rows. */
  readonly notes: readonly string[];
}

interface Row {
  readonly place: number;
  readonly level: number;
  readonly name: string;
}

/**
 * Reads the whole tree by scrolling, because only rows in view exist. Omits groups that are collapsed or empty.
 * @returns undefined if a page was not rendered in time or a kind is missing, since rows would be missing
 */
export async function shownJobs(window: SoakWindow): Promise<readonly ShownList[] | undefined> {
  const { tree, workbench, texts } = window;
  const rows = new Map<number, Row>();
  await goToTop(window);
  for (let before: string | null = null; ;) {
    for (const row of await rowsInView(tree)) rows.set(row.place, row);
    const focused = await tree.root.getAttribute('aria-activedescendant');
    if (focused === before) break;
    before = focused;
    await workbench.page.keyboard.press('PageDown');
  }
  const inOrder = [...rows.values()].sort((a, b) => a.place - b.place);
  const isWhole = inOrder.every(({ place }, at) => place === at);
  const kinds: readonly MessageKey[] = ['Pre-recorded', 'Live'];
  // If the tree misses keys, the reading stays at the first page.
  const hasKinds = kinds.every((kind) =>
    inOrder.some(({ level, name }) => level === 1 && texts.start(kind).test(name)),
  );
  return isWhole && hasKinds ? listsOf(inOrder, texts) : undefined;
}

/** Focuses the first row. A tree that is being rendered again does not take the focus. */
export async function goToTop({ tree, workbench }: SoakWindow): Promise<void> {
  await until('the first row has the focus', async () => {
    await tree.root.focus();
    await workbench.page.keyboard.press('Home');
    return (await tree.root.getAttribute('aria-activedescendant')) !== null;
  });
}

/** The class of rows that stay at the top while those below them scroll. */
const sticky = 'monaco-tree-sticky-row';

/** Reads all rows in one evaluation: between two, the rows may be rendered again. */
async function rowsInView(tree: Tree): Promise<readonly Row[]> {
  const rows = await tree.rows.evaluateAll((all: readonly { getAttribute: (name: string) => string | null }[]) =>
    all.map((row) => ({
      classes: row.getAttribute('class') ?? '',
      place: Number(row.getAttribute('data-index')),
      level: Number(row.getAttribute('aria-level')),
      name: row.getAttribute('aria-label') ?? '',
    })),
  );
  return rows.filter(({ classes }) => !classes.includes(sticky));
}

function listsOf(rows: readonly Row[], texts: Texts): readonly ShownList[] {
  // Rows that repeat jobs of the lists, or are no jobs: those that need attention.
  const attention = texts.start('Needs attention');
  const more = texts.start('Load More');
  const lists: { kind: string; group: string; jobs: string[]; hasMore: boolean; notes: string[] }[] = [];
  let kind = '';
  let isList = true;
  for (const { level, name } of rows) {
    if (level === 1) isList = !attention.test(name);
    if (!isList) continue;
    const list = lists.at(-1);
    const job = shortIdOf(name, texts);
    if (level === 1) kind = name;
    else if (level === 2) lists.push({ kind, group: name, jobs: [], hasMore: false, notes: [] });
    else if (job !== undefined) list?.jobs.push(job);
    else if (more.test(name) && list) list.hasMore = true;
    else list?.notes.push(name);
  }
  return lists.filter(({ jobs, notes }) => jobs.length + notes.length > 0);
}
