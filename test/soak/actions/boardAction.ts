import type { FrameLocator } from 'playwright-core';
import type { SoakWindow } from '../soakWindow.ts';
import type { Action } from './action.ts';
import { showPage } from './showPage.ts';

/** Shows the board, opening it if there is none, and waits until it has read the jobs or shows why it could not. */
export async function showBoard({ workbench, texts }: SoakWindow): Promise<FrameLocator> {
  // With a filter, it is called by that and the time, like "Failed · 7d".
  const title = new RegExp(String.raw`^\s*${texts.pattern('Board: {0}')}|·\s*\d+\s?\p{L}{1,3}\s*(?:,|$)`, 'iu');
  const open = async (): Promise<void> => workbench.runCommand(texts.command('command.openBoard'));
  return showPage(workbench, title, open, settled);
}

/** Waits until nothing is being read. */
export async function settled(page: FrameLocator, timeout?: number): Promise<void> {
  await page
    .locator('.basis .status:not(.tone-processing)')
    .first()
    .waitFor(timeout === undefined ? {} : { timeout });
}

/** Narrows the board by a value and removes that condition, then reads everything again. Retries if reading failed. */
export const useBoard: Action = async (window) => {
  const { texts } = window;
  const page = await showBoard(window);
  const value = page.locator('.facet-value.free .facet-button').first();
  if ((await value.count()) > 0) {
    await value.click();
    await page.locator('.facet-value.included').waitFor();
    await page.getByRole('button', { name: texts.whole('Clear') }).click();
    await page.locator('.facet-value.included').waitFor({ state: 'detached' });
  }
  await page.getByRole('button', { name: texts.whole('Read Again', 'Try Again') }).click();
  await settled(page);
};
