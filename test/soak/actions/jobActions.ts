import type { Locator } from 'playwright-core';
import { shortIdOf, type MessageKey, type Texts, type TitleKey } from '../texts.ts';
import type { ChosenRow, SoakWindow } from '../soakWindow.ts';
import { toggle } from './browseActions.ts';
import type { Action } from './action.ts';

/** Clicks a job, whose page then replaces the previous one. */
export const openJob: Action = async (window) => {
  const isOpen = await window.withSome(jobRows(window), (chosen, timeout) => clickJob(window, chosen, timeout));
  if (!isOpen) await toggle(window);
};

/** Clicks a job's row and waits until its page is in front. */
export async function clickJob(window: SoakWindow, chosen: ChosenRow, timeout: number): Promise<void> {
  await chosen.row.click({ timeout });
  await opened(window, chosen.label, timeout);
  // Pages in other editor groups and in background tabs stay in the document.
  await window.workbench.page.locator('iframe.webview').filter({ visible: true }).first().waitFor({ timeout });
}

/** Waits until the editor in front has a tab that matches the row: the click may have hit another row. */
async function opened({ workbench }: SoakWindow, text: string, timeout: number): Promise<void> {
  const tabs = workbench.page.locator('.tabs-container .tab[aria-selected="true"]');
  await tabs.filter({ hasText: text }).first().waitFor({ timeout });
}

/** Opens a row's menu and picks an entry, also one of a submenu. Rendering the tree again closes the menu. */
export async function pickOfRow(
  { workbench, tree, texts }: SoakWindow,
  { row }: ChosenRow,
  entry: TitleKey,
  timeout: number,
  submenu?: TitleKey,
): Promise<void> {
  const item = (key: TitleKey): Locator =>
    workbench.page
      .getByRole('menuitem')
      .filter({ hasText: texts.title(key) })
      .last();
  await row.click({ button: 'right', timeout });
  if (submenu !== undefined) await item(submenu).hover({ timeout });
  await item(entry).waitFor({ timeout });
  await tree.pickEntry(texts.title(entry));
}

/** Opens a job by an entry of its menu. @param tabOf returns the expected text of the editor's tab */
function openBy(entry: TitleKey, tabOf: (chosen: ChosenRow, texts: Texts) => string): Action {
  return async (window) => {
    const isOpen = await window.withSome(jobRows(window), async (chosen, timeout) => {
      await pickOfRow(window, chosen, entry, timeout);
      // An editor that opens later would cover what is opened next.
      await opened(window, tabOf(chosen, window.texts), timeout);
    });
    if (!isOpen) await toggle(window);
  };
}

/** Opens a job on a permanent page. */
export const openToSide = openBy('command.openJobToSide', ({ label }) => label);

/** Opens the JSON of a job as received. */
export const openAsJson = openBy('command.openJobJson', ({ name }, texts) => shortIdOf(name, texts) ?? '');

/** Opens a job on a permanent page, or its JSON as received. */
export const openBeside: Action = (window) => (window.random.chance(0.5) ? openToSide : openAsJson)(window);

export const closeAll: Action = async ({ workbench }) => workbench.runCommand('View: Close All Editors');

/** Returns the rows of jobs in view, optionally those with a status and a kind. */
export function jobRows({ tree, texts }: SoakWindow, ...words: readonly MessageKey[]): Locator {
  const parts = [texts.pattern('job {0}', '[^,]+'), ...words.map((word) => `(?:.+, )?${texts.pattern(word)}`)];
  return tree.root.getByRole('treeitem', { name: new RegExp(`^${parts.join(', ')}(?:,|$)`, 'iu') });
}
