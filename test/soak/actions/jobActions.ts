import type { SoakWindow } from '../soakWindow.ts';
import { toggle } from './browseActions.ts';
import type { Action } from './action.ts';

/** Clicks a job, whose page then takes the place of the one before. */
export const openJob: Action = async (window) => {
  const row = await window.someOf(jobRows(window));
  if (row === undefined) return toggle(window);
  await row.click();
  await window.workbench.page.locator('.editor-group-container iframe.webview, iframe.webview').first().waitFor();
};

/** Opens a job on a page that stays, or what the service said of it as JSON. */
export const openBeside: Action = async (window) => {
  const row = await window.someOf(jobRows(window));
  if (row === undefined) return toggle(window);
  await row.click({ button: 'right' });
  await window.tree.pickEntry(window.random.chance(0.5) ? 'Open Job to the Side' : 'Open Job as JSON');
};

/** Closes all editors. */
export const closeAll: Action = async ({ workbench }) => workbench.runCommand('View: Close All Editors');

function jobRows({ tree }: SoakWindow) {
  return tree.root.getByRole('treeitem', { name: /^job / });
}
