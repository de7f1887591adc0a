import type { FrameLocator } from 'playwright-core';
import { isReached, until } from '../../support/until.ts';
import type { SoakWindow } from '../soakWindow.ts';
import type { Action } from './action.ts';

/** A tab that cannot be clicked within this time has moved. */
const redrawMs = 2_000;
/** A board that has not read its jobs within this time may be covered: a covered webview has no document. */
const readMs = 20_000;

/**
 * Shows the board, opening it if there is none, and waits until it has read the jobs or shows why it could not. Another editor that is
 * still opening may cover it, and the board is then shown again.
 */
export async function showBoard({ workbench, texts }: SoakWindow): Promise<FrameLocator> {
  const title = texts.start('Board: {0}');
  const tab = workbench.editorTab(title).first();
  if ((await tab.count()) === 0) await workbench.runCommand(texts.command('command.openBoard'));
  return until('the board is in front and has read the jobs', async () => {
    if ((await tab.getAttribute('aria-selected')) !== 'true') {
      await isReached(tab.click({ timeout: redrawMs }));
      return undefined;
    }
    const page = await workbench.webview(title, readMs).catch(() => undefined);
    return page !== undefined && (await isReached(settled(page, readMs))) ? page : undefined;
  });
}

/** Waits until nothing is being read. */
export async function settled(page: FrameLocator, timeout?: number): Promise<void> {
  await page.locator('.basis .status:not(.tone-processing)').waitFor(timeout === undefined ? {} : { timeout });
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
