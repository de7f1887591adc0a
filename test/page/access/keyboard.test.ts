import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { fixtureItem } from '../../support/details/fixtureItems.ts';
import { addBoardJobs, openFullBoard } from '../../support/page/boardScene.ts';
import { otherSession } from '../../support/page/jobItems.ts';
import { JobScene, openUnfolded } from '../../support/page/jobScene.ts';
import { pageNowMs, turnTo } from '../../support/page/pageTabs.ts';
import { usePages } from '../../support/page/usePages.ts';
import { useRemoteService } from '../../support/remote/remoteService.ts';
import type { Theme } from '../../support/workbench/themes.ts';

const pages = usePages();
const remote = await useRemoteService({ count: 0, clock: () => pageNowMs });
addBoardJobs(remote.sample);

const themes: readonly Theme[] = ['light', 'dark', 'highContrast', 'highContrastLight'];

test('the keyboard reaches every button of a job, in order', async () => {
  const { page } = await new JobScene(pages).open(fixtureItem('preRecordedFailed'));
  const buttons = page.locator('button:visible');
  const names: string[] = [];
  for (let index = 0; index < (await buttons.count()); index++) {
    await page.keyboard.press('Tab');
    const focused = page.locator('button:focus-visible');
    names.push((await focused.getAttribute('aria-label')) ?? (await focused.innerText()));
  }
  assert.deepEqual(names, [
    'Mark as Handled',
    'Mute for…',
    'Details',
    'Edit the label of error code 503',
    'Copy ID',
    'Copy request ID',
    'Use title as Label',
    'Use queue as Label',
    'Raw',
  ]);
});

/** Returns the elements that Tab reaches, each with true if its focus is visible. */
async function stops(page: Page): Promise<readonly { readonly name: string; readonly isSeen: boolean }[]> {
  const found: { readonly name: string; readonly isSeen: boolean }[] = [];
  for (;;) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(() => {
      const { activeElement: focused } = document;
      if (focused === null || focused === document.body) return undefined;
      const style = getComputedStyle(focused);
      const line = document.body.appendChild(document.createElement('i'));
      line.style.outline = '1px solid var(--vscode-focusBorder)';
      const hasOutline = style.outline === getComputedStyle(line).outline;
      line.remove();
      // On a border of the same colour, an outline changes nothing.
      const isOnBorder = style.borderColor === style.outlineColor && style.outlineOffset === '-1px';
      return {
        name: focused.ariaLabel ?? (focused.textContent.trim() || focused.outerHTML.slice(0, 100)),
        isSeen: hasOutline && !isOnBorder && style.opacity !== '0' && focused.checkVisibility(),
      };
    });
    if (stop === undefined || found.length > 200) return found;
    found.push(stop);
  }
}

for (const [name, open] of Object.entries({
  'a done job': () => openUnfolded(pages, fixtureItem('preRecordedDone')),
  'a comparison': async () => (await new JobScene(pages).compare([fixtureItem('liveDone'), otherSession])).page,
  'a board with the list of columns': async () => {
    const page = await openFullBoard(pages, remote);
    await page.getByRole('button', { name: 'Columns…' }).click();
    await page.getByRole('searchbox').waitFor();
    return page;
  },
})) {
  test(`the focus is visible on each tab stop of ${name}, in any theme`, async () => {
    const page = await open();
    for (const theme of themes) {
      await turnTo(page, theme);
      // Tab continues from the element that had the focus last.
      await page.locator('h1').evaluate((heading) => {
        heading.tabIndex = -1;
        heading.focus();
        heading.blur();
        heading.removeAttribute('tabindex');
      });
      const reached = await stops(page);
      assert.ok(reached.length >= 3, `${reached.length} stops`);
      assert.deepEqual(
        reached.filter(({ isSeen }) => !isSeen),
        [],
        theme,
      );
    }
  });
}

test('from the time range to the table, each toolbar and all values are one tab stop', async () => {
  const page = await openFullBoard(pages, remote);
  const range = page.getByRole('toolbar', { name: 'Time range' });
  await range.getByRole('button', { name: '24 hours' }).focus();
  await page.keyboard.press('ArrowRight');
  await range.locator('button:focus', { hasText: '7 days' }).waitFor();
  const names = (await stops(page)).map(({ name }) => name.replaceAll(/\s+/g, ' '));
  assert.equal(names[0], "Use the View's Filter");
  assert.deepEqual(names.slice(-6), ['Failed 10', 'Narrow down', 'What Changed?', 'Columns…', 'Open', 'Jobs']);
  await range.getByRole('button').last().focus();
  await page.keyboard.press('Home');
  await range.locator('button:focus', { hasText: '24 hours' }).waitFor();
});

test('the focus returns to its element with the focus of the window', async () => {
  const { page } = await new JobScene(pages).open(fixtureItem('preRecordedFailed'));
  const button = page.getByRole('button', { name: 'Copy request ID' });
  await button.focus();
  // Does what a browser does when another document, such as the command palette, gets the focus.
  await button.evaluate((element) => element.blur());
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  assert.ok(await button.evaluate((element) => document.activeElement === element));
});

test('nothing moves for users who prefer reduced motion', async () => {
  const { page } = await new JobScene(pages).open(fixtureItem('preRecordedProcessing'));
  const icon = page.locator('.tone-processing .icon').first();
  assert.equal(await icon.evaluate((each) => getComputedStyle(each).animationName), 'none');
});
