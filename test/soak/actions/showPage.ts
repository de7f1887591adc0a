import type { FrameLocator } from 'playwright-core';
import { isReached, until } from '../../support/until.ts';
import type { Workbench } from '../../support/workbench/workbench.ts';

/** A tab that cannot be clicked within this time has moved. */
const redrawMs = 2_000;
/** A page that has not read its jobs within this time may be covered: a covered webview has no document. */
const readMs = 20_000;

/**
 * Shows a page, opening it if there is none, and waits until it is settled. Another editor that is still opening may cover it, and the page
 * is then shown again.
 * @param title of its tab and its webview
 */
export async function showPage(
  workbench: Workbench,
  title: RegExp,
  open: () => Promise<void>,
  settled: (page: FrameLocator, timeout: number) => Promise<void>,
): Promise<FrameLocator> {
  const tab = workbench.editorTab(title).first();
  if ((await tab.count()) === 0) await open();
  return until(`${String(title)} is in front and settled`, async () => {
    if ((await tab.getAttribute('aria-selected')) !== 'true') {
      await isReached(tab.click({ timeout: redrawMs }));
      return undefined;
    }
    const page = await workbench.webview(title, readMs).catch(() => undefined);
    return page !== undefined && (await isReached(settled(page, readMs))) ? page : undefined;
  });
}
