import type { Tree } from '../../support/workbench/tree.ts';

/** What a group of the view shows, by what stands on the screen. */
export interface ShownList {
  readonly kind: string;
  readonly group: string;
  /** Beginnings of ids, from top to bottom. */
  readonly jobs: readonly string[];
  /** Whether Load More stands below. */
  readonly hasMore: boolean;
  /** What other rows say. */
  readonly notes: readonly string[];
}

interface Row {
  readonly place: number;
  readonly level: number;
  readonly name: string;
}

/**
 * Reads the whole tree, page by page, as only rows in view exist. Groups that are closed or empty are left out.
 * @returns undefined when a page was not drawn in time, and with it rows are missing
 */
export async function shownJobs(
  tree: Tree,
  press: (key: string) => Promise<void>,
): Promise<readonly ShownList[] | undefined> {
  const rows = new Map<number, Row>();
  await tree.root.focus();
  await press('Home');
  for (let before: string | null = null; ;) {
    for (const row of await rowsInView(tree)) rows.set(row.place, row);
    const focused = await tree.root.getAttribute('aria-activedescendant');
    if (focused === before) break;
    before = focused;
    await press('PageDown');
  }
  const inOrder = [...rows.values()].sort((a, b) => a.place - b.place);
  return inOrder.every(({ place }, at) => place === at) ? listsOf(inOrder) : undefined;
}

/** Rows of their own stick to the top while those below them scroll by. */
const sticky = 'monaco-tree-sticky-row';

/** All in one go: between two questions rows may be drawn anew, and the second would be answered by another row. */
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

function listsOf(rows: readonly Row[]): readonly ShownList[] {
  const lists: { kind: string; group: string; jobs: string[]; hasMore: boolean; notes: string[] }[] = [];
  let kind = '';
  for (const { level, name } of rows) {
    const list = lists.at(-1);
    const job = /^job ([^,]+)/.exec(name)?.[1];
    if (level === 1) kind = name;
    else if (level === 2) lists.push({ kind, group: name, jobs: [], hasMore: false, notes: [] });
    else if (job !== undefined) list?.jobs.push(job);
    else if (name.startsWith('Load More') && list) list.hasMore = true;
    else list?.notes.push(name);
  }
  return lists.filter(({ jobs, notes }) => jobs.length + notes.length > 0);
}
