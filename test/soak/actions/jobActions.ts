import type { SoakWindow } from '../soakWindow.ts';
import { toggle } from './browseActions.ts';
import type { Action } from './action.ts';

/** Clicks a job, whose page then replaces the previous one. */
export const openJob: Action = async (window) => {
  // Pages in other editor groups and in background tabs stay in the document.
  const page = window.workbench.page.locator('iframe.webview').filter({ visible: true }).first();
  const isOpen = await window.withSome(jobRows(window), async (row, timeout) => {
    await row.click({ timeout });
    await page.waitFor({ timeout });
  });
  if (!isOpen) await toggle(window);
};

/** Opens a job by an entry of its menu. */
function openBy(entry: 'Open Job to the Side' | 'Open Job as JSON'): Action {
  return async (window) => {
    const isOpen = await window.withSome(jobRows(window), async (row, timeout) => {
      await row.click({ button: 'right', timeout });
      // A redraw of the tree closes the menu.
      await window.workbench.page.getByRole('menuitem').first().waitFor({ timeout });
      await window.tree.pickEntry(entry);
    });
    if (!isOpen) await toggle(window);
  };
}

/** Opens a job on a permanent page. */
export const openToSide = openBy('Open Job to the Side');

/** Opens the JSON of a job as received. */
export const openAsJson = openBy('Open Job as JSON');

/** Opens a job on a permanent page, or its JSON as received. */
export const openBeside: Action = (window) => (window.random.chance(0.5) ? openToSide : openAsJson)(window);

export const closeAll: Action = async ({ workbench }) => workbench.runCommand('View: Close All Editors');

function jobRows({ tree }: SoakWindow) {
  return tree.root.getByRole('treeitem', { name: /^job / });
}
