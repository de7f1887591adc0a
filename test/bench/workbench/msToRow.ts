import type { Page } from 'playwright-core';

/** Measures milliseconds from a click in the workbench until a new row is in its document. */
export async function msToRow(page: Page, rowSelector: string, click: () => Promise<void>): Promise<number> {
  await page.evaluate(watchFor(rowSelector));
  await click();
  return page.evaluate<number>('window.benchMeasured');
}

/** Runs in the page. The clock starts with the click itself, so the time to deliver it does not count. */
function watchFor(rowSelector: string): string {
  return `{
    const selector = ${JSON.stringify(rowSelector)};
    if (document.querySelector(selector) !== null) throw new Error(selector + ' is there before the click');
    window.benchMeasured = new Promise((resolve) => {
      let clickedAtMs;
      addEventListener('click', () => (clickedAtMs ??= performance.now()), { capture: true, once: true });
      const observer = new MutationObserver(() => {
        if (clickedAtMs === undefined || document.querySelector(selector) === null) return;
        observer.disconnect();
        resolve(performance.now() - clickedAtMs);
      });
      observer.observe(document.body, { subtree: true, childList: true, attributes: true });
    });
    undefined;
  }`;
}
