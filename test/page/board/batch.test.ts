import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { answer } from '../../support/faults/plays.ts';
import { addEpisodes, BatchScene, openEpisodes, type LedgerItem } from '../../support/page/batchScene.ts';
import { stubEditor } from '../../support/page/editorStub.ts';
import { pageNowMs, turnTo } from '../../support/page/pageTabs.ts';
import { pageUntil, usePages } from '../../support/page/usePages.ts';
import { useRemoteService } from '../../support/remote/remoteService.ts';
import { axeViolations } from '../../support/workbench/axeViolations.ts';

const pages = usePages();
const remote = await useRemoteService({ count: 0, clock: () => pageNowMs });
addEpisodes(remote.sample);
const none = await useRemoteService({ count: 0, clock: () => pageNowMs });

function rows(page: Page): Locator {
  return page.locator('.grid-body [role=row]');
}

/** Title and status of the rows that are in the page. */
async function statesOf(page: Page): Promise<readonly string[]> {
  const cells = await rows(page).evaluateAll((all) =>
    all.map((row) => [...row.children].slice(0, 2).map((cell) => cell.textContent?.trim() ?? '')),
  );
  return cells.map((each) => each.join(': '));
}

test('shows the jobs of a batch with one request, failures first and left-out rows last', async () => {
  remote.takeRequests();
  const { page, panel } = await openEpisodes(new BatchScene(pages, remote));
  assert.match(panel.title, /^Batch: november\.csv, \d+:\d\d/);
  assert.equal(await page.title(), 'Batch: november.csv');
  await page.getByRole('heading', { name: 'november.csv' }).waitFor();
  await page.getByText('14 requests to Remote').waitFor();
  await page
    .getByText('10 done, 1 of them without its translation · 2 failed · 1 rejected · 1 outcome unknown · 2 left out')
    .first()
    .waitFor();
  const states = await statesOf(page);
  assert.deepEqual(states.slice(0, 6), [
    'Episode 4: How we made it: Failed',
    'Episode 9: How we made it: Failed',
    'episode-013.mp3: Rejected',
    'Episode 7: How we made it: Failed in part',
    'episode-014.mp3: Outcome unknown',
    'Episode 1: How we made it: Done',
  ]);
  assert.deepEqual(states.slice(-2), ['Row 15: Left out', 'Row 16: Left out']);
  await page.getByText('Translation failed: The language is not supported for this audio.').waitFor();
  assert.equal(remote.takeRequests().length, 1);
  assert.deepEqual(await page.locator('.grid-name').allInnerTexts(), [
    'Title',
    'Status',
    'Reason',
    'Error code',
    'guest',
    'Audio',
    'Submitted',
    'ID',
  ]);
});

test('has a column of a list, and shows other metadata and fewer columns as chosen', async () => {
  const { page } = await openEpisodes(new BatchScene(pages, remote));
  await rows(page).first().getByText('Guest 4').waitFor();
  await page.getByRole('button', { name: 'Columns…' }).click();
  await page.getByLabel('season', { exact: true }).check();
  await page.getByRole('columnheader', { name: 'season' }).click();
  await page.locator('[role=columnheader][aria-sort=ascending]', { hasText: 'season' }).waitFor();
  assert.equal(await rows(page).first().locator('[role=gridcell]').last().innerText(), '2');
  const active = (): Promise<boolean> =>
    page.getByRole('grid').evaluate((grid) => {
      return document.querySelector(`#${grid.getAttribute('aria-activedescendant')}`) !== null;
    });
  assert.ok(await active());
  await page.getByLabel('season', { exact: true }).uncheck();
  await pageUntil('fewer columns', async () => (await page.getByRole('columnheader').count()) === 8);
  assert.ok(await active());
  await page.keyboard.press('Escape');
  assert.equal(await page.getByRole('searchbox').count(), 0);
});

test('gives reasons the room that other columns can spare, as in a window of 1,280 pixels with a side bar', async () => {
  const scene = new BatchScene(pages, none);
  const { page } = await scene.open(await scene.add([{ label: 'a.mp3', outcome: { type: 'sending' } }]), {}, '1 ');
  await page.setViewportSize({ width: 922, height: 700 });
  const fits = async (): Promise<object> =>
    page.getByRole('grid').evaluate((grid) => {
      const right = grid.getBoundingClientRect().left + grid.clientLeft + grid.clientWidth;
      const heads = [...grid.querySelectorAll('.grid-header')].map((head) => head.getBoundingClientRect());
      const names = [...grid.querySelectorAll('.grid-name')];
      return {
        shown: heads.filter((head) => head.right <= right).length,
        reason: heads[2]?.width,
        cut: names.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent),
      };
    });
  assert.deepEqual(await fits(), { shown: 6, reason: 310, cut: [] });
});

test('leaves a column without values no more room than its title', async () => {
  const scene = new BatchScene(pages, none);
  const outcome = { type: 'accepted', status: 201, id: 'job-1' } as const;
  const { page } = await scene.open(await scene.add([{ label: 'a.mp3', outcome }]), {}, '1 accepted');
  const heads = await page.locator('.grid-header').evaluateAll((all) =>
    all.map((head) => {
      const name = head.querySelector('.grid-name');
      return { width: head.getBoundingClientRect().width, isCut: name && name.scrollWidth > name.clientWidth };
    }),
  );
  assert.ok((heads[2]?.width ?? 1000) < 90, 'of the reasons');
  assert.deepEqual(
    heads.filter(({ isCut }) => isCut),
    [],
  );
});

test('saves all, resubmits and refreshes with its buttons, which are there when they can do something', async () => {
  const scene = new BatchScene(pages, remote);
  const { page } = await openEpisodes(scene);
  const buttons = page.locator('.basis').getByRole('button');
  assert.deepEqual(
    (await buttons.allInnerTexts()).map((each) => each.trim()),
    ['Save All…', 'Resubmit Failed…'],
  );
  await page.getByRole('button', { name: 'Save All…' }).click();
  await pageUntil('saving', () => scene.asked.length > 0);
  assert.match(scene.asked[0] ?? '', /^saveTranscripts( job-\d{3}){10}$/);
});

test('opens the job of a row, and offers what the selected rows support', async () => {
  const scene = new BatchScene(pages, remote);
  const { page } = await openEpisodes(scene);
  await rows(page).first().dblclick();
  await pageUntil('the job', () => scene.asked.includes('openJob job-004'));
  const acts = page.locator('.acts-line button');
  const names = async (): Promise<readonly string[]> => (await acts.allInnerTexts()).map((each) => each.trim());
  assert.deepEqual(await names(), ['Open', 'Resubmit…', 'Open Request', 'Copy']);
  await page.getByText('Row 15').click();
  await pageUntil('only Copy', async () => (await names()).join() === 'Copy');
  await acts.first().click();
  await pageUntil('the copy', () => stubEditor.clipboard.startsWith('Title\tStatus'));
  assert.match(stubEditor.clipboard, /\nRow 15\tLeft out\tno URL\t/);
  await page.getByRole('grid').press('ControlOrMeta+a');
  await page.getByText('16 of 16 selected').waitFor();
  assert.deepEqual(await names(), ['Save Transcript…', 'Resubmit…', 'Copy']);
  // At the corner of the menu, which is rounded.
  await page.mouse.click(200, 300, { button: 'right' });
  await page.getByRole('menuitem', { name: 'Copy' }).waitFor();
});

test('says where files were saved and what is missing, and shows the files', async () => {
  const scene = new BatchScene(pages, remote);
  const { page } = await openEpisodes(scene);
  const show = page.getByRole('button', { name: 'Show Saved Files' });
  assert.equal(await show.count(), 0);
  scene.files = { text: 'Not saved yet: 2', show: undefined };
  scene.filesChanges.fire();
  await page.getByText('Not saved yet: 2').waitFor();
  assert.equal(await show.count(), 0);
  const showFiles = async (): Promise<void> => void scene.asked.push('show');
  scene.files = { text: 'Files of 2 jobs saved in out', show: showFiles };
  scene.filesChanges.fire();
  await page.getByText('Files of 2 jobs saved in out').waitFor();
  await show.click();
  await pageUntil('the files', () => scene.asked.includes('show'));
});

test('shows the buttons for selected rows and their outline whole, also in a narrow window', async () => {
  const { page } = await openEpisodes(new BatchScene(pages, remote));
  await page.setViewportSize({ width: 700, height: 450 });
  await rows(page).first().click();
  await page.getByText('1 of 16 selected').waitFor();
  // The button for columns is between.
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Home');
  const [offset, outer, inner] = await page.locator('.acts-line :focus-visible').evaluate((button) => {
    const { clientHeight = 0 } = button.closest('.acts-line') ?? {};
    return [getComputedStyle(button).outlineOffset, clientHeight, button.getBoundingClientRect().height];
  });
  assert.equal(offset, '-1px');
  assert.ok(inner <= outer, `${inner} px in ${outer} px`);
});

test('sorts by a column, and back', async () => {
  const { page } = await openEpisodes(new BatchScene(pages, remote));
  await page.getByRole('columnheader', { name: 'Title' }).click();
  await pageUntil('titles', async () => (await statesOf(page))[0] === 'Episode 1: How we made it: Done');
  await page.getByRole('columnheader', { name: 'Status' }).click();
  await pageUntil('states', async () => (await statesOf(page))[0] === 'Episode 4: How we made it: Failed');
});

test('comes back after a reload, and keeps the selection while the tab is hidden', async () => {
  const scene = new BatchScene(pages, remote);
  const { page, panel } = await openEpisodes(scene);
  await rows(page).nth(1).click();
  await page.getByText('1 of 16 selected').waitFor();
  await pageUntil('the selection is stored', () =>
    panel.received.some((message) => message.type === 'gridState' && message.selected.length === 1),
  );
  await panel.reload();
  await page.getByText('1 of 16 selected').waitFor();
  assert.equal(await rows(page).nth(1).getAttribute('aria-selected'), 'true');
  panel.dispose();
  const back = await scene.restore(panel);
  await pageUntil('the rows', async () => (await statesOf(back.page))[0] === 'Episode 4: How we made it: Failed');
});

test('follows jobs as they end, and keeps the selected rows', async () => {
  const scene = new BatchScene(pages, none);
  const items = ['a', 'b', 'c'].map((id): LedgerItem => {
    return { label: `${id}.mp3`, outcome: { type: 'accepted', status: 201, id } };
  });
  const { page } = await scene.open(await scene.add(items), {}, /3 accepted/);
  await page.getByRole('button', { name: 'Refresh' }).waitFor();
  await rows(page).first().click();
  await page.getByText('1 of 3 selected').waitFor();
  await scene.note(['a', { status: 'done' }], ['c', { status: 'error', errorCode: 503 }]);
  await page.getByText('1 done · 1 failed · 1 accepted').first().waitFor();
  assert.deepEqual(await statesOf(page), ['c.mp3: Failed', 'b.mp3: Accepted', 'a.mp3: Done']);
  await pageUntil(
    'the selected row moved',
    async () => (await rows(page).last().getAttribute('aria-selected')) === 'true',
  );
  await scene.note(['b', { status: 'done' }]);
  await page.getByText('2 done · 1 failed').first().waitFor();
  assert.equal(await page.getByRole('button', { name: 'Refresh' }).count(), 0);
});

test('says on the page why the jobs cannot be read, and reads them on Refresh', async () => {
  remote.break(answer(403, 'no'));
  const scene = new BatchScene(pages, remote);
  const id = await scene.add([{ label: 'a.mp3', outcome: { type: 'accepted', status: 201, id: 'job-001' } }]);
  const { page } = await scene.open(id, {}, /1 accepted/);
  await page.locator('.status.tone-error').waitFor();
  remote.break();
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByText('1 done').first().waitFor();
  assert.equal(await page.locator('.board-top .tone-error').count(), 0);
});

test('has no violations of accessibility rules, in any theme, narrow and in other directions', async () => {
  const { page } = await openEpisodes(new BatchScene(pages, remote));
  await rows(page).nth(3).click();
  await page.getByText('1 of 16 selected').waitFor();
  for (const theme of ['light', 'dark', 'highContrast', 'highContrastLight'] as const) {
    await turnTo(page, theme);
    assert.deepEqual(await axeViolations(page), [], theme);
  }
  for (const [width, height] of [
    [420, 760],
    [300, 760],
    [500, 380],
  ] as const) {
    await page.setViewportSize({ width, height });
    await rows(page).first().waitFor();
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(overflow <= 0, `${width} px: ${overflow} px too wide`);
    assert.deepEqual(await axeViolations(page), [], `${width} px`);
  }
});

test('scrolls through 20,000 rows with hostile names', async () => {
  const label = `\u202e<img src=x onerror=alert(1)>${'x'.repeat(3000)}/`;
  const items = Array.from({ length: 20_000 }, (_, at): LedgerItem => {
    return { label: `${label}${at}`, outcome: { type: 'accepted', status: 201, id: `id-${at}` } };
  });
  const scene = new BatchScene(pages, none);
  const { page } = await scene.open(await scene.add(items), {}, /20000 accepted/);
  await page.getByRole('grid').press('ControlOrMeta+End');
  await rows(page).getByText('19999', { exact: true }).waitFor();
  assert.equal(await page.locator('img').count(), 0);
  assert.ok((await rows(page).count()) < 100);
  const texts = await rows(page).allInnerTexts();
  assert.ok(texts.every((text) => !text.includes('\u202e') && text.length < 1000));
});

test('says that nothing is done of an empty batch, and of one that is gone', async () => {
  const scene = new BatchScene(pages, none);
  const { page } = await scene.open(await scene.add([], { leftOut: [{ row: 2, reason: 'no URL' }] }), {}, '1 left out');
  assert.equal(await page.locator('.basis').getByRole('button').count(), 0);
  await scene.open('000000000000000-gone', {}, 'This batch is no longer stored.');
});
