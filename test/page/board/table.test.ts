import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { addBoardJobs, boardJobs, BoardScene, failedJobs, hasRows } from '../../support/page/boardScene.ts';
import { stubEditor } from '../../support/page/editorStub.ts';
import { pageNowMs } from '../../support/page/pageTabs.ts';
import { pageUntil, usePages } from '../../support/page/usePages.ts';
import { useRemoteService } from '../../support/remote/remoteService.ts';
import { JsonMemory } from '../../support/states/jsonMemory.ts';
import { axeViolations } from '../../support/workbench/axeViolations.ts';

const pages = usePages();
const remote = await useRemoteService({ count: 0, clock: () => pageNowMs });
addBoardJobs(remote.sample);
const withOld = await useRemoteService({ count: 0, clock: () => pageNowMs });
for (const days of [1, 400]) {
  const createdAt = pageNowMs - days * 24 * 3_600_000;
  withOld.sample.add({ id: `job-${days}`, kind: 'live', createdAt, status: 'done' });
}

function rows(page: Page): Locator {
  return page.locator('.grid-body [role=row]');
}

async function selectRows(page: Page, first: number, last: number): Promise<void> {
  await rows(page).nth(first).click();
  await rows(page)
    .nth(last)
    .click({ modifiers: ['Shift'] });
  await page.getByText(`${last - first + 1} of ${boardJobs} selected`).waitFor();
}

test('reads only the jobs of the time range, shows their number, and shows the newest first', async () => {
  remote.takeRequests();
  const { page, panel } = await new BoardScene(pages, remote).open();
  await page.getByText(`Read at 1:00 PM: ${boardJobs} jobs`).waitFor();
  await hasRows(page, boardJobs);
  assert.equal(panel.title, 'Board: Remote · 7d');
  assert.equal(await page.title(), 'Board: Remote');
  await page
    .getByRole('status')
    .filter({ hasText: `${boardJobs} jobs` })
    .waitFor({ state: 'attached' });
  assert.equal(await page.getByRole('columnheader').first().innerText(), 'Job');
  assert.equal(await rows(page).locator('[role=rowheader]').first().innerText(), 'acme');
  assert.equal(await rows(page).first().locator('[role=gridcell]').last().innerText(), 'job-000');
  assert.match(await rows(page).first().innerText(), /11\/20\/26, 12:30/, 'in the time zone of the screen');
  const asked = remote.takeRequests();
  assert.ok(asked.length > 0 && asked.length <= 12, asked.join('\n'));
  const since = asked.map((request) => /after_date=([^&]+)/.exec(decodeURIComponent(request))?.[1] ?? '');
  assert.ok(
    since.every((each) => each >= '2026-11-13T12:00:00.000Z'),
    asked.join('\n'),
  );
});

test('names jobs like the jobs view, and sorts them by name', async () => {
  const { page } = await new BoardScene(pages, remote).open();
  const head = page.getByRole('columnheader', { name: 'Job', exact: true });
  const names = rows(page).locator('[role=rowheader]');
  await head.click();
  await page.locator('[role=columnheader][aria-sort=ascending]', { hasText: 'Job' }).waitFor();
  await pageUntil('the first name is first', async () => (await names.first().innerText()) === 'acme');
  await head.click();
  await page.locator('[role=columnheader][aria-sort=descending]', { hasText: 'Job' }).waitFor();
  await pageUntil('the last name is first', async () => (await names.first().innerText()) === 'c4');
});

test('aligns durations to the right, so that they are easy to compare', async () => {
  const { page } = await new BoardScene(pages, remote).open();
  const took = rows(page).locator('.number');
  assert.deepEqual((await took.allInnerTexts()).slice(0, 3), ['40:00', '1:20:00', '2:00:00']);
  const right = (cell: Locator): Promise<number> =>
    cell.evaluate((each) => {
      const range = document.createRange();
      range.selectNodeContents(each);
      return range.getBoundingClientRect().right;
    });
  assert.equal(await right(took.first()), await right(took.nth(1)));
});

test('selects rows with Shift and Control, without moving rows under the mouse', async () => {
  const { page } = await new BoardScene(pages, remote).open();
  await page.getByText('Select rows to act on them').waitFor();
  const top = async (): Promise<number | undefined> => (await rows(page).nth(1).boundingBox())?.y;
  const before = await top();
  await rows(page).nth(1).click();
  await page.getByText(`1 of ${boardJobs} selected`).waitFor();
  assert.equal(await top(), before, 'a second click would open another row');
  await selectRows(page, 1, 4);
  await rows(page)
    .nth(2)
    .click({ modifiers: ['ControlOrMeta'] });
  await page.getByText(`3 of ${boardJobs} selected`).waitFor();
  assert.deepEqual(await rows(page).evaluateAll((all) => all.slice(0, 6).map((each) => each.ariaSelected)), [
    'false',
    'true',
    'false',
    'true',
    'true',
    'false',
  ]);
});

test('clears the selection when other rows take its places', async () => {
  const { page } = await new BoardScene(pages, remote).open();
  await selectRows(page, 1, 4);
  await page.getByRole('columnheader', { name: 'Job', exact: true }).click();
  await page.getByText('Select rows to act on them').waitFor();
  assert.equal(await page.locator('[role=row][aria-selected=true]').count(), 0);
});

test('keeps the selection when columns are shown, removed or resized, which the actions then use', async () => {
  const { page } = await new BoardScene(pages, remote).open();
  const hostile = page.getByRole('columnheader', { name: 'hostile' });
  await selectRows(page, 1, 2);
  await page.getByRole('button', { name: 'Columns…' }).click();
  await page.getByRole('searchbox', { name: 'Find a column' }).fill('hostile');
  await page.getByRole('checkbox', { name: 'hostile' }).check();
  await hostile.waitFor();
  await page.getByText(`2 of ${boardJobs} selected`).waitFor();
  assert.match(await rows(page).nth(1).innerText(), /onerror/, 'the rows have the new column');
  await page.getByRole('checkbox', { name: 'hostile' }).uncheck();
  await hostile.waitFor({ state: 'detached' });
  await page.getByRole('grid').focus();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowUp');
  const head = page.getByRole('columnheader', { name: 'Job', exact: true });
  const width = async (): Promise<number> => (await head.boundingBox())?.width ?? 0;
  const before = await width();
  await page.keyboard.press('Alt+ArrowRight');
  await pageUntil('it is wider', async () => (await width()) > before);
  await page.getByText(`2 of ${boardJobs} selected`).waitFor();
  await page.getByRole('button', { name: 'Copy IDs' }).click();
  await pageUntil('their IDs are copied', () => stubEditor.clipboard === 'job-001\njob-002');
});

const offered = ['Compare', 'Save Transcript…', 'Export', 'Copy IDs', 'Copy JSON'];

test('offers only the actions that the selected jobs support', async () => {
  const { page } = await new BoardScene(pages, remote).open();
  const buttons = page.locator('.acts-line button');
  const names = async (): Promise<string[]> => (await buttons.allInnerTexts()).map((each) => each.trim());
  await selectRows(page, 1, 4);
  assert.deepEqual(await names(), offered);
  // The seventh job failed.
  await rows(page).nth(6).click();
  await page.getByText(`1 of ${boardJobs} selected`).waitFor();
  assert.deepEqual(await names(), [
    'Open',
    'Export',
    'Resubmit…',
    'Mark as Handled',
    'Mute for…',
    'Copy IDs',
    'Copy JSON',
  ]);
});

test('offers the same actions in a context menu, by keyboard and mouse, and returns the focus', async () => {
  const { page } = await new BoardScene(pages, remote).open();
  const menu = page.getByRole('menu', { name: 'Selected jobs' });
  await selectRows(page, 1, 4);
  await page.locator('.grid:focus').waitFor();
  await page.keyboard.press('Shift+F10');
  assert.deepEqual(await menu.getByRole('menuitem').allInnerTexts(), offered);
  assert.deepEqual(await axeViolations(page), []);
  await page.locator('[role=menuitem]:focus', { hasText: 'Compare' }).waitFor();
  await page.keyboard.press('ArrowUp');
  await page.locator('[role=menuitem]:focus', { hasText: 'Copy JSON' }).waitFor();
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'hidden' });
  await page.locator('.grid:focus').waitFor();
  await rows(page).nth(6).click({ button: 'right' });
  await menu.getByRole('menuitem', { name: 'Open' }).waitFor();
  await page.getByText(`1 of ${boardJobs} selected`).waitFor();
});

test('cuts off none of the actions at 200 %, and has all of them in a menu', async () => {
  const { page } = await new BoardScene(pages, remote).open({ size: { width: 450, height: 380 } });
  await selectRows(page, 1, 4);
  const line = page.locator('.acts-line');
  const cut = (): Promise<readonly string[]> =>
    line.evaluate((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      return [...element.querySelectorAll('button')].flatMap((each) => {
        const box = each.getBoundingClientRect();
        const isOut = box.bottom <= top + 1 || box.top >= bottom - 1;
        const isIn = box.left >= left && box.right <= right + 1 && box.top >= top - 1 && box.bottom <= bottom + 1;
        return isIn || isOut ? [] : [each.innerText];
      });
    });
  assert.deepEqual(await cut(), []);
  await line.getByRole('button', { name: 'Compare' }).focus();
  for (const name of offered.slice(1)) {
    await page.keyboard.press('ArrowRight');
    await line.locator('button:focus', { hasText: name }).waitFor();
    assert.deepEqual(await cut(), [], name);
  }
  const isSeen = await line.evaluate((element) => {
    const focused = document.activeElement?.getBoundingClientRect();
    return Math.abs((focused?.top ?? 0) - element.getBoundingClientRect().top) <= 1;
  });
  assert.ok(isSeen, 'the last one is in sight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  const menu = page.getByRole('menu', { name: 'Selected jobs' });
  assert.deepEqual(await menu.getByRole('menuitem').allInnerTexts(), offered);
  await page.keyboard.press('Escape');
  await page.locator('button:focus[aria-label="More Actions…"]').waitFor();
});

test('opens its menu inside the page, wherever the mouse is', async () => {
  const { page } = await new BoardScene(pages, remote).open();
  const grid = await page.getByRole('grid').boundingBox();
  assert.ok(grid);
  await page.mouse.click(grid.x + grid.width - 3, grid.y + grid.height - 20, { button: 'right' });
  const menu = await page.getByRole('menu').boundingBox();
  assert.ok(menu && menu.x + menu.width <= 1000 && menu.y + menu.height <= 760, JSON.stringify(menu));
});

test('opens a job by double click or keyboard, without a request to the service', async () => {
  const scene = new BoardScene(pages, remote);
  const { page } = await scene.open();
  remote.takeRequests();
  await rows(page).nth(7).dblclick();
  await pageUntil('the job is opened', () => scene.asked.includes('openJob job-007'));
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await pageUntil('the next one is opened', () => scene.asked.includes('openJob job-008'));
  assert.deepEqual(remote.takeRequests(), []);
});

test('runs the action of each button on the selected jobs', async () => {
  const scene = new BoardScene(pages, remote);
  const { page } = await scene.open();
  await selectRows(page, 5, 7);
  const ids = ['job-005', 'job-006', 'job-007'];
  for (const [button, asked] of [
    ['Compare', `compareJobs ${ids.join(' ')}`],
    ['Save Transcript…', `saveTranscripts ${ids.join(' ')}`],
    ['Resubmit…', `resubmit ${ids.join(' ')}`],
    ['Mark as Handled', 'markHandled job-006'],
  ] as const) {
    await page.getByRole('button', { name: button }).click();
    await pageUntil(button, () => scene.asked.at(-1) === asked);
  }
  await page.getByRole('button', { name: 'Copy IDs' }).click();
  await pageUntil('the ids are copied', () => stubEditor.clipboard === ids.join('\n'));
  await page.getByRole('button', { name: 'Copy JSON' }).click();
  await pageUntil('the items are copied', () => stubEditor.clipboard.startsWith('['));
  assert.deepEqual(
    (JSON.parse(stubEditor.clipboard) as readonly { readonly id: string }[]).map(({ id }) => id),
    ids,
  );
});

test('shows which failures are handled, keeps the selection when that changes, and narrows down to the others', async () => {
  const scene = new BoardScene(pages, remote);
  const { page } = await scene.open();
  await page.getByRole('button', { name: `Failed ${failedJobs}`, exact: true }).click();
  await hasRows(page, failedJobs);
  await page.getByRole('button', { name: 'Columns…' }).click();
  await page.getByRole('checkbox', { name: 'Handled' }).check();
  await page.getByRole('columnheader', { name: 'Handled' }).waitFor();
  const handled = async (): Promise<readonly (string | undefined)[]> =>
    (await rows(page).allInnerTexts()).map((row) =>
      row
        .trim()
        .split(/\s*\n\s*/)
        .at(-1),
    );
  assert.deepEqual(await handled(), Array(failedJobs).fill('–'));
  const facet = page.getByRole('group', { name: 'Handled' });
  assert.equal(await facet.count(), 0);
  await rows(page).nth(1).click();
  await rows(page)
    .nth(2)
    .click({ modifiers: ['Shift'] });
  await page.getByRole('button', { name: 'Mark as Handled' }).click();
  await facet.getByRole('button', { name: 'Yes 2', exact: true }).waitFor();
  await pageUntil('the rows show it', async () =>
    isDeepStrictEqual(await handled(), ['–', 'Yes', 'Yes', ...Array<string>(failedJobs - 3).fill('–')]),
  );
  await page.getByText(`2 of ${failedJobs} selected`).waitFor();
  await facet.getByRole('button', { name: 'none 8', exact: true }).click();
  await hasRows(page, failedJobs - 2);
});

test('sorts, moves and selects by keyboard alone, down to the last row', async () => {
  const { page } = await new BoardScene(pages, remote).open();
  const { keyboard } = page;
  const grid = page.getByRole('grid');
  await grid.focus();
  await keyboard.press('Control+Home');
  await keyboard.press('ArrowUp');
  await keyboard.press('ArrowRight');
  await keyboard.press('Enter');
  await page.locator('[role=columnheader][aria-sort=ascending]', { hasText: 'Created' }).waitFor();
  await pageUntil('the oldest job is first', async () =>
    (await rows(page).first().innerText()).includes(`job-${boardJobs - 1}`),
  );
  await grid.focus();
  await keyboard.press('ArrowDown');
  await keyboard.press('Shift+ArrowDown');
  await keyboard.press('Shift+ArrowDown');
  await page.getByText(`3 of ${boardJobs} selected`).waitFor();
  await keyboard.press('Control+End');
  await page.locator(`[role=row][aria-rowindex="${boardJobs + 1}"]`, { hasText: 'job-000' }).waitFor();
  assert.match((await grid.getAttribute('aria-activedescendant')) ?? '', new RegExp(`^cell-${boardJobs - 1}-`));
  // With Caps Lock, the key is a capital letter.
  await grid.evaluate((element) =>
    element.dispatchEvent(new KeyboardEvent('keydown', { key: 'A', ctrlKey: true, bubbles: true, cancelable: true })),
  );
  await page.getByText(`${boardJobs} of ${boardJobs} selected`).waitFor();
  await keyboard.press('Escape');
  await keyboard.press('Control+a');
  await page.getByText(`${boardJobs} of ${boardJobs} selected`).waitFor();
  await keyboard.press('Escape');
  await page.getByText(`${boardJobs} rows`).waitFor();
  await page.getByText('Select rows to act on them').waitFor();
});

test('selects columns by keyboard, and returns the focus to the button', async () => {
  const { page } = await new BoardScene(pages, remote).open();
  const { keyboard } = page;
  const columns = page.getByRole('group', { name: 'Columns' });
  await page.getByRole('button', { name: 'Columns…' }).focus();
  await keyboard.press('Enter');
  await page.locator('input[type=search]:focus').waitFor();
  assert.equal(await columns.locator('[type=checkbox][tabindex="0"]').count(), 1);
  await keyboard.press('Tab');
  await keyboard.press('End');
  await keyboard.press('ArrowLeft');
  await pageUntil('an arrow key has moved the focus', async () =>
    columns.locator('label').evaluateAll((all) => all.at(-2)?.contains(document.activeElement) === true),
  );
  await keyboard.press('Escape');
  await columns.waitFor({ state: 'detached' });
  await page.locator('button:focus', { hasText: 'Columns…' }).waitFor();
});

test('does not remove the last column', async () => {
  const { page } = await new BoardScene(pages, remote).open();
  await page.getByRole('button', { name: 'Columns…' }).click();
  const heads = page.getByRole('columnheader');
  for (let left = 7; left > 1; left--) {
    await page.getByRole('checkbox', { checked: true }).last().uncheck();
    await pageUntil(`${left - 1} columns are left`, async () => (await heads.count()) === left - 1);
  }
  await page.getByRole('checkbox', { checked: true }).click();
  assert.equal(await page.getByRole('checkbox', { checked: true }).count(), 1);
  assert.equal(await heads.count(), 1);
});

test('keeps the columns, their widths and the order for other boards', async () => {
  const scene = new BoardScene(pages, remote);
  const { page } = await scene.open();
  await page.getByRole('button', { name: 'Columns…' }).click();
  await page.getByRole('searchbox', { name: 'Find a column' }).fill('hostile');
  await page.getByRole('checkbox', { name: 'hostile' }).check();
  await page.getByRole('columnheader', { name: 'hostile' }).waitFor();
  await page.getByRole('columnheader', { name: 'Status' }).click();
  await page.locator('[role=columnheader][aria-sort=ascending]', { hasText: 'Status' }).waitFor();
  const { page: other } = await new BoardScene(pages, remote, scene.state).open();
  await other.locator('[role=columnheader][aria-sort=ascending]', { hasText: 'Status' }).waitFor();
  await other.getByRole('columnheader', { name: 'hostile' }).waitFor();
});

test('shows the usual columns and says so once if the stored ones are of a later version, which are set aside', async () => {
  const later = { version: 2, columns: ['id'] };
  const state = new JsonMemory({ 'board.layout': later });
  for (let opening = 1; opening <= 2; opening++) {
    const { page } = await new BoardScene(pages, remote, state).open();
    await page.getByRole('columnheader', { name: 'Created' }).waitFor();
    assert.deepEqual(stubEditor.messages, [
      'information The stored columns of the board are damaged or from another version. They were set aside, and the usual ones are shown.',
    ]);
  }
  assert.deepEqual(state.get('board.layout.setAside'), [later]);
});

test('resizes a column by its edge and by keys, without sorting', async () => {
  const { page } = await new BoardScene(pages, remote).open();
  const head = page.getByRole('columnheader', { name: 'Job', exact: true });
  const width = async (): Promise<number> => (await head.boundingBox())?.width ?? 0;
  const edge = await head.locator('.grid-edge').boundingBox();
  assert.ok(edge);
  const before = await width();
  await page.mouse.move(edge.x + 3, edge.y + 10);
  await page.mouse.down();
  await page.mouse.move(edge.x + 43, edge.y + 10, { steps: 4 });
  await page.mouse.up();
  await pageUntil('it is wider', async () => (await width()) === before + 40);
  await page.getByRole('grid').focus();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Alt+ArrowLeft');
  await pageUntil('it is narrower', async () => (await width()) === before + 24);
  await page.locator('[role=columnheader][aria-sort=descending]', { hasText: 'Created' }).waitFor();
});

test('loads further rows as soon as they are scrolled to', async () => {
  const { page } = await new BoardScene(pages, remote).open();
  await page.getByRole('grid').evaluate((grid) => grid.scrollTo(0, 130 * 24));
  await rows(page).filter({ hasText: 'job-130' }).waitFor();
  await pageUntil(
    'no row is empty',
    async () => !(await rows(page).allInnerTexts()).some((row) => row.startsWith('…')),
  );
});

test('restores its time range and conditions after a reload', async () => {
  const { page: before, panel } = await new BoardScene(pages, remote).open();
  await before.getByRole('button', { name: '30 days' }).click();
  await before.locator('.toggle[aria-pressed=true]', { hasText: '30 days' }).waitFor();
  await before.getByRole('button', { name: /^Failed / }).click();
  await before.getByRole('button', { name: 'Remove Status = Failed' }).waitFor();
  await pageUntil('the scope is stored', () => /"value":"error"/.test(JSON.stringify(panel.state)));
  const { page, panel: back } = await new BoardScene(pages, remote).restore(panel);
  await page.locator('.toggle[aria-pressed=true]', { hasText: '30 days' }).waitFor();
  await page.getByRole('button', { name: 'Remove Status = Failed' }).waitFor();
  assert.equal(back.title, 'Failed · 30d');
});

test('prompts for another time range under its own title, and reads that range', async () => {
  const { page } = await new BoardScene(pages, remote).open();
  stubEditor.answer = 'Last 24 hours';
  await page.getByRole('button', { name: 'Custom…' }).click();
  await hasRows(page, 47);
  assert.deepEqual(stubEditor.messages, ['pick Board: Time Range']);
  await page.locator('.toggle[aria-pressed=true]', { hasText: '24 hours' }).waitFor();
});

test('reads the jobs of any time on request, also after the window was reloaded', async () => {
  const scene = new BoardScene(pages, withOld);
  const { page, panel } = await scene.open();
  await hasRows(page, 1);
  stubEditor.answer = 'Any time';
  await page.getByRole('button', { name: 'Custom…' }).click();
  await hasRows(page, 2);
  await page.locator('.filter-text', { hasText: 'any time' }).waitFor();
  assert.equal(await page.locator('.toggle[aria-pressed=true]', { hasText: /hours|days/ }).count(), 0);
  const { page: again } = await scene.restore(panel);
  await hasRows(again, 2);
});
