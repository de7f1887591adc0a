import type { Page } from 'playwright-core';

/**
 * Prevents Enter from answering an unexpected choice. A click on a row that moves under the mouse may open one, such as that of
 * connections, at any later time, also just before the key arrives: only the page itself can detect it.
 */
export async function answerOnlyWhatWasAsked(page: Page): Promise<void> {
  await page.evaluate(guard);
}

/** Sets the title of the input that Enter may answer; undefined: none. Inputs without a title are not guarded. */
export async function setAnswerable(page: Page, title: RegExp | undefined): Promise<void> {
  await page.evaluate(`window.soakAnswerable = ${String(title)}`);
}

/** Returns how often Enter was kept from an unexpected choice. */
export async function keptAnswers(page: Page): Promise<number> {
  return Number(await page.evaluate('window.soakKept'));
}

const guard = `
  window.soakKept = 0;
  window.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    const title = document.querySelector('.quick-input-widget .quick-input-title');
    // Without a box, it is hidden.
    if (title === null || title.getClientRects().length === 0 || title.textContent === '') return;
    if (window.soakAnswerable?.test(title.textContent)) return;
    window.soakKept++;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);
`;
