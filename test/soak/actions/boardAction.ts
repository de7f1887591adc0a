import type { FrameLocator } from 'playwright-core';
import { isReached, until } from '../../support/until.ts';
import type { SoakWindow } from '../soakWindow.ts';
import type { Action } from './action.ts';

/** A tab that cannot be clicked within this time has moved. */
const redrawMs = 2_000;

/**
 * Shows the board, opening it where there is none, and waits until it has read the jobs or says why not. A job that was clicked before may
 * still open and come in front of it.
 */
export async function showBoard({ workbench }: SoakWindow): Promise<FrameLocator> {
  const tab = workbench.editorTab(/^Board/).first();
  if ((await tab.count()) === 0) await workbench.runCommand('Transcription: Open Board');
  await until('the board is in front', async () => {
    if ((await tab.getAttribute('aria-selected')) === 'true') return true;
    await isReached(tab.click({ timeout: redrawMs }));
    return false;
  });
  const page = await workbench.webview(/^Board/);
  await settled(page);
  return page;
}

/** Waits until nothing is being read. */
export async function settled(page: FrameLocator): Promise<void> {
  await page.locator('.basis .status:not(.tone-processing)').waitFor();
}

/** Narrows the board down by a value and lifts that, then reads everything again. Where reading failed, tries again. */
export const useBoard: Action = async (window) => {
  const page = await showBoard(window);
  const value = page.locator('.facet-value.free .facet-button').first();
  if ((await value.count()) > 0) {
    await value.click();
    await page.locator('.facet-value.included').waitFor();
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await page.locator('.facet-value.included').waitFor({ state: 'detached' });
  }
  await page.getByRole('button', { name: /^(?:Read Again|Try Again)$/ }).click();
  await settled(page);
};
