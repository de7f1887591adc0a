import type { NonEmpty } from '../../../src/sample/random.ts';
import type { SoakWindow } from '../soakWindow.ts';
import type { Action } from './action.ts';

const statuses: NonEmpty<string> = ['Queued', 'Processing', 'Done', 'Failed'];

/** Presses Refresh. */
export const refresh: Action = async ({ workbench }) => workbench.runCommand('Transcription: Refresh');

/** Opens or closes a kind or a group. */
export const toggle: Action = async (window) => {
  const row = await window.someOf(window.tree.root.locator('[role="treeitem"][aria-expanded]'));
  await row?.locator('.monaco-tl-twistie').click();
};

/** Presses Load More, or the row that offers to try again; where there is none, opens or closes a group. */
export const loadMore: Action = async (window) => {
  const row = await window.someOf(window.tree.row(/Load More|Retry|Reload/));
  await (row === undefined ? toggle(window) : row.click());
};

/** Scrolls down or up. */
export const scroll: Action = async ({ workbench, tree, random }) => {
  await tree.root.focus();
  await workbench.page.keyboard.press(random.chance(0.6) ? 'PageDown' : 'PageUp');
};

/** Asks for one status, or for all of them again. */
export const filter: Action = async (window) => {
  await clearFilter(window);
  if (window.random.chance(0.5)) return;
  const { quickInput } = window.workbench;
  await window.workbench.runCommand('Transcription: Filter Jobs…');
  await quickInput.shown('Filter Jobs');
  await quickInput.pick('Status');
  await quickInput.shown('Filter Jobs: Status');
  await quickInput.toggle(window.random.pick(statuses));
  await quickInput.accept();
  await quickInput.item('Show matching jobs').waitFor();
  await quickInput.accept();
  await quickInput.hidden();
  // Whoever clears the filter next looks for it.
  await clearButton(window).waitFor();
};

/** Asks for all jobs again, if a filter is set. */
export async function clearFilter(window: SoakWindow): Promise<void> {
  const button = clearButton(window);
  if ((await button.count()) === 0) return;
  await button.click();
  await button.waitFor({ state: 'detached' });
}

function clearButton({ workbench }: SoakWindow) {
  return workbench.page.locator('.sidebar').getByRole('button', { name: 'Clear Filter' });
}
