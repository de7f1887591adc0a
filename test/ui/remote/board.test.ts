import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FrameLocator, Locator } from 'playwright-core';
import { useRemoteService } from '../../support/remote/remoteService.ts';
import { until } from '../../support/until.ts';
import { axeViolations } from '../../support/workbench/axeViolations.ts';
import { setTheme } from '../../support/workbench/themes.ts';
import { useWorkbench } from '../../support/workbench/useWorkbench.ts';

const nowMs = Date.now();
const remote = await useRemoteService({ count: 0, clock: () => nowMs });
const jobs = 240;
for (let serial = 0; serial < jobs; serial++) {
  const isAcme = serial % 6 === 0;
  const isFailed = isAcme && serial < 120 && serial % 12 !== 0;
  remote.sample.add({
    id: `job-${String(serial).padStart(3, '0')}`,
    kind: serial % 3 === 0 ? 'live' : 'pre-recorded',
    createdAt: nowMs - (serial + 1) * 30 * 60_000,
    status: isFailed ? 'error' : 'done',
    errorCode: 503,
    fields: {
      // Completed in another order than created, so that the list is seen to be sorted by creation.
      completed_at: new Date(
        nowMs - (serial + 1) * 30 * 60_000 + ((serial % 3) + 1) * 40 * 60_000 + (serial === 3 ? 60_000 : 0),
      ).toISOString(),
      custom_metadata: { customer: isAcme ? 'acme' : `c${serial % 5}`, hostile: '<img src=x onerror=alert(1)>' },
    },
  });
}
const failed = Array.from({ length: jobs }, (_, serial) => serial).filter(
  (serial) => serial % 6 === 0 && serial < 120 && serial % 12 !== 0,
).length;

const session = useWorkbench(import.meta.filename, { userSettings: remote.userSettings, env: remote.env });

async function board(): Promise<FrameLocator> {
  return session().workbench.webview(/^Board/);
}

function rows(page: FrameLocator): Locator {
  return page.locator('.grid-body [role=row]');
}

async function hasRows(count: number): Promise<void> {
  const grid = (await board()).getByRole('grid');
  await until(`the table has ${count} rows`, async () => (await grid.getAttribute('aria-rowcount')) === `${count + 1}`);
}

/** Does what makes the board read anew, and waits until it shows what it has read: then nothing is selected any more. */
async function rereads(page: FrameLocator, act: () => Promise<void>): Promise<void> {
  await rows(page).first().click();
  await page.getByText(/\b1 of \d+ selected/).waitFor();
  await act();
  await page.getByText('Select rows to act on them').waitFor();
  await page.getByText(`Read ${jobs} of ${jobs} at`).waitFor();
}

test('the board asks nothing before it is opened, then reads everything and says so', async () => {
  const { workbench } = session();
  await workbench.showView('Transcription Jobs');
  await workbench.tree('Jobs').row('Live').first().waitFor();
  assert.ok(!remote.takeRequests().some((request) => request.includes('offset=20000')));
  await workbench.runCommand('Transcription: Open Board');
  const page = await board();
  await page.getByText(`Read ${jobs} of ${jobs} at`).waitFor();
  await hasRows(jobs);
  assert.equal(await page.getByRole('columnheader').first().innerText(), 'Job');
  assert.deepEqual(await rows(page).locator('[role=rowheader]').first().innerText(), 'acme');
  const asked = remote.takeRequests();
  assert.ok(asked.length <= 12, asked.join('\n'));
  assert.ok(asked.every((request) => /after_date=/.test(request)));
  assert.equal(await rows(page).first().locator('[role=gridcell]').last().innerText(), 'job-000');
});

test('the board that is there is shown where it is asked for again', async () => {
  const { workbench } = session();
  await workbench.editorTab(/^Board/).waitFor();
  await workbench.runCommand('File: New Untitled Text File');
  await workbench.page.locator('.tab.active', { hasText: 'Untitled' }).waitFor();
  await workbench.runCommand('Transcription: Open Board');
  await workbench.page.locator('.tab.active', { hasText: 'Board' }).waitFor();
  assert.equal(await workbench.editorTab(/^Board/).count(), 1);
});

test('jobs are named as in the list, sorted by their names, and durations stand at the right to be compared', async () => {
  const page = await board();
  await page.getByRole('columnheader', { name: 'Job', exact: true }).click();
  await page.locator('[role=columnheader][aria-sort=ascending]', { hasText: 'Job' }).waitFor();
  const names = rows(page).locator('[role=rowheader]');
  await until('the first name is first', async () => (await names.first().innerText()) === 'acme');
  await page.getByRole('columnheader', { name: 'Job', exact: true }).click();
  await until('the last name is first', async () => (await names.first().innerText()) === 'c4');
  const took = rows(page).first().locator('.number');
  assert.match(await took.innerText(), /^(?:40:00|1:20:00|2:00:00)$/);
  const right = (cell: Locator): Promise<number> =>
    cell.evaluate((each) => {
      const range = document.createRange();
      range.selectNodeContents(each);
      return range.getBoundingClientRect().right;
    });
  assert.equal(await right(took), await right(rows(page).nth(1).locator('.number')));
  await page.getByRole('columnheader', { name: 'Created' }).click();
  await page.locator('[role=columnheader][aria-sort=descending]', { hasText: 'Created' }).waitFor();
});

test('a facet narrows down and agrees with the table; with Alt it excludes', async () => {
  const page = await board();
  await page.getByRole('button', { name: `Failed ${failed}`, exact: true }).click();
  await hasRows(failed);
  await page.getByRole('button', { name: `acme ${failed}`, exact: true }).waitFor();
  assert.ok((await rows(page).count()) > 0);
  await page.getByRole('button', { name: 'Remove Status = Failed' }).click();
  await hasRows(jobs);
  const codes = page.getByRole('group', { name: 'Error code' }).locator('.facet-label');
  assert.deepEqual(await codes.allInnerTexts(), ['503', 'none']);
  await page.getByRole('button', { name: `Failed ${failed}`, exact: true }).click({ modifiers: ['Alt'] });
  await hasRows(jobs - failed);
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await hasRows(jobs);
  const shown = await page.locator('.facet').count();
  await page.getByRole('button', { name: `Failed ${failed}`, exact: true }).click();
  await hasRows(failed);
  await page.getByRole('button', { name: `503 ${failed}`, exact: true }).click({ modifiers: ['Alt'] });
  await page.getByText('No jobs meet these conditions.').waitFor();
  // What has no value left has no heading either.
  assert.ok((await page.locator('.facet').count()) < shown);
  assert.equal(await page.locator('.facet:not(:has(li))').count(), 0);
  await page.getByRole('button', { name: 'Clear', exact: true }).focus();
  await session().workbench.page.keyboard.press('Enter');
  await hasRows(jobs);
  // The button is gone, and the focus near.
  await page.locator('.grid:focus').waitFor();
});

test('with the keyboard, each facet is one stop, with arrows inside; Enter narrows down and Delete excludes', async () => {
  const { keyboard } = session().workbench.page;
  const page = await board();
  const status = page.getByRole('group', { name: 'Status', exact: true });
  const customer = page.getByRole('group', { name: 'customer', exact: true });
  const focused = page.locator('.facet-button:focus');
  const hasFocus = async (text: string): Promise<boolean> =>
    until(`${text} has the focus`, async () => (await focused.allInnerTexts()).join().includes(text));
  await status.locator('.facet-button').first().focus();
  await keyboard.press('ArrowDown');
  await hasFocus('Failed');
  await keyboard.press('Delete');
  await hasRows(jobs - failed);
  await page.getByRole('button', { name: 'Remove Status ≠ Failed' }).waitFor();
  await hasFocus('Failed');
  await keyboard.press('Enter');
  await hasRows(jobs);
  await hasFocus('Failed');
  await keyboard.press('Tab');
  await keyboard.press('Shift+Tab');
  await hasFocus('Failed');
  await keyboard.press('End');
  await keyboard.press('Home');
  await hasFocus('Done');
  const facets = await page.locator('.facet').count();
  assert.equal(await page.locator('.facets [tabindex="0"]').count(), facets);
  for (let step = 1; step < facets; step++) await keyboard.press('Tab');
  await until('the last facet has the focus', async () => (await customer.locator(':focus').count()) === 1);
  await keyboard.press('Tab');
  await until('the focus has left the facets', async () => (await page.locator('.facets :focus').count()) === 0);
});

test('rows are selected with mouse and modifiers, and opened with the text that was read', async () => {
  const { workbench } = session();
  const page = await board();
  remote.takeRequests();
  const top = async () => (await rows(page).nth(1).boundingBox())?.y;
  const before = await top();
  await rows(page).nth(1).click();
  await page.getByText(`1 of ${jobs} selected`).waitFor();
  assert.equal(await top(), before, 'rows stay under the mouse: a second click would open another one');
  await rows(page)
    .nth(4)
    .click({ modifiers: ['Shift'] });
  await page.getByText(`4 of ${jobs} selected`).waitFor();
  await rows(page)
    .nth(2)
    .click({ modifiers: ['ControlOrMeta'] });
  await page.getByText(`3 of ${jobs} selected`).waitFor();
  const bar = page.getByRole('toolbar', { name: 'Selected jobs' });
  const done = ['Compare', 'Save Transcript', 'Export', 'Copy IDs', 'Copy JSON'];
  assert.deepEqual(
    (await bar.getByRole('button').allInnerTexts()).map((each) => each.trim()),
    done,
  );
  const menu = page.getByRole('menu', { name: 'Selected jobs' });
  await page.locator('.grid:focus').waitFor();
  await workbench.page.keyboard.press('Shift+F10');
  assert.deepEqual(await menu.getByRole('menuitem').allInnerTexts(), done);
  assert.deepEqual(await axeViolations(page), []);
  await workbench.page.keyboard.press('ArrowUp');
  await page.locator('[role=menuitem]:focus', { hasText: 'Copy JSON' }).waitFor();
  await workbench.page.keyboard.press('Escape');
  await menu.waitFor({ state: 'hidden' });
  await page.locator('.grid:focus').waitFor();
  await rows(page).nth(6).click({ button: 'right' });
  await menu.getByRole('menuitem', { name: 'Open' }).waitFor();
  await page.getByText(`1 of ${jobs} selected`).waitFor();
  await workbench.page.keyboard.press('Escape');
  await menu.waitFor({ state: 'hidden' });
  await rows(page).nth(7).dblclick();
  const details = await workbench.webview('c2');
  await details.getByRole('heading', { level: 1 }).waitFor();
  assert.deepEqual(remote.takeRequests(), []);
  await workbench.editorTab(/^Board/).click();
});

test('a comparison shows which job differs by a line, and says so without taking another line of text', async () => {
  const { workbench } = session();
  const page = await board();
  // Of live sessions, one of which took longer.
  for (const [place, row] of [0, 3, 6].entries()) {
    await rows(page)
      .nth(row)
      .click(place === 0 ? {} : { modifiers: ['ControlOrMeta'] });
  }
  await page.getByText(`3 of ${jobs} selected`).waitFor();
  await page.getByRole('button', { name: 'Compare' }).click();
  const compared = await workbench.webview('Compare 3 sessions');
  const row = compared.getByRole('row').filter({ hasText: 'Session length' });
  const odd = row.locator('.odd');
  await odd.waitFor();
  assert.equal(await odd.count(), 1);
  assert.match((await odd.textContent()) ?? '', /41 min\s*differs/);
  assert.equal(await odd.evaluate((each) => getComputedStyle(each).borderInlineStartStyle), 'solid');
  const oneLine = await row
    .getByRole('rowheader')
    .evaluate((each) => Number.parseFloat(getComputedStyle(each).lineHeight) * 1.6);
  assert.ok(((await odd.boundingBox())?.height ?? Infinity) < oneLine, 'the row is as high as its value');
  await workbench.runCommand('View: Close Editor');
  await workbench.editorTab(/^Board/).click();
});

test('with the keyboard alone: sort, move, select, narrow to a range of time', async () => {
  const { workbench } = session();
  const { keyboard } = workbench.page;
  const page = await board();
  const grid = page.getByRole('grid');
  await grid.focus();
  await keyboard.press('Control+Home');
  await keyboard.press('ArrowUp');
  await keyboard.press('ArrowRight');
  await keyboard.press('Enter');
  await page.locator('[role=columnheader][aria-sort=ascending]').waitFor();
  await until('the oldest job is first', async () =>
    (await rows(page).first().innerText()).includes(`job-${jobs - 1}`),
  );
  await grid.focus();
  await keyboard.press('ArrowDown');
  await keyboard.press('Shift+ArrowDown');
  await keyboard.press('Shift+ArrowDown');
  await page.getByText(`3 of ${jobs} selected`).waitFor();
  await keyboard.press('Control+End');
  await until('the last row is active', async () =>
    ((await grid.getAttribute('aria-activedescendant')) ?? '').startsWith(`cell-${jobs - 1}-`),
  );
  await page.locator(`[role=row][aria-rowindex="${jobs + 1}"]`).waitFor();
  await keyboard.press('Control+a');
  await page.getByText(`${jobs} of ${jobs} selected`).waitFor();
  await keyboard.press('Escape');
  await page.getByText(`${jobs} rows`).waitFor();
  const slider = page.getByRole('slider');
  await slider.focus();
  await keyboard.press('End');
  assert.match((await slider.getAttribute('aria-valuetext')) ?? '', /\d+ jobs, \d+ failed/);
  for (let step = 0; step < 3; step++) await keyboard.press('Shift+ArrowLeft');
  await until('the table is narrowed to the range', async () => {
    const count = Number(await grid.getAttribute('aria-rowcount')) - 1;
    return count > 0 && count < jobs;
  });
  await slider.focus();
  await keyboard.press('Escape');
  await hasRows(jobs);
  const cursor = page.locator('.u-cursor-x').first();
  const isOff = (): Promise<boolean> => cursor.evaluate((each) => each.classList.contains('u-off'));
  assert.ok(!(await isOff()));
  await grid.focus();
  await until('the cursor of the chart has left with the focus', isOff);
});

/** What is shown of a range as selected, in shares of the width of the chart. */
async function band(page: FrameLocator): Promise<readonly [from: number, to: number] | undefined> {
  const [outer, inner] = await Promise.all(
    ['.u-over', '.u-select'].map((each) => page.locator(`.pulse-charts ${each}`).first().boundingBox()),
  );
  if (!outer || !inner || inner.height < 10 || inner.width === 0) return undefined;
  return [(inner.x - outer.x) / outer.width, (inner.x + inner.width - outer.x) / outer.width];
}

test('with the mouse: a range drawn over the chart ends where the mouse does, wherever that is', async () => {
  const { mouse } = session().workbench.page;
  const page = await board();
  const grid = page.getByRole('grid');
  const charts = page.locator('.pulse-charts .u-over');
  const box = await charts.first().boundingBox();
  const lower = await charts.last().boundingBox();
  assert.ok(box && lower);
  const y = box.y + box.height / 2;
  const chip = page.getByRole('button', { name: /^Remove \d/ });
  const outside = [y, box.y + box.height + 12, lower.y + lower.height / 2, lower.y + lower.height + 60, box.y - 60];
  for (const end of outside) {
    await mouse.move(box.x + box.width * 0.7, y);
    await mouse.down();
    await mouse.move(box.x + box.width * 0.8, y, { steps: 4 });
    await mouse.move(box.x + box.width * 0.9, end, { steps: 4 });
    await mouse.up();
    await chip.waitFor();
    await until('the table is narrowed to the range', async () => {
      const count = Number(await grid.getAttribute('aria-rowcount')) - 1;
      return count > 0 && count < jobs / 2;
    });
    await until('the range is shown where the mouse has drawn it', async () => {
      const [from = 0, to = 0] = (await band(page)) ?? [];
      return Math.abs(from - 0.7) < 0.03 && Math.abs(to - 0.9) < 0.03;
    });
    await chip.click();
    await hasRows(jobs);
  }
});

test('a range takes the first bins from beside the chart, and is still shown on a chart that is made anew', async () => {
  const { workbench } = session();
  const { mouse } = workbench.page;
  const page = await board();
  const box = await page.locator('.pulse-charts .u-over').first().boundingBox();
  assert.ok(box);
  const y = box.y + box.height / 2;
  await mouse.move(box.x - 30, y);
  await mouse.down();
  await mouse.move(box.x + box.width * 0.5, y, { steps: 4 });
  await mouse.up();
  const chip = page.getByRole('button', { name: /^Remove \d/ });
  await chip.waitFor();
  const isHalf = async (): Promise<boolean> => {
    const [from = 1, to = 0] = (await band(await board())) ?? [];
    return from < 0.01 && Math.abs(to - 0.5) < 0.03;
  };
  await until('the first half is shown as selected', isHalf);
  await page.getByRole('button', { name: 'Show as Table' }).click();
  await page.getByRole('button', { name: 'Show as Chart' }).click();
  await until('it is after the table', isHalf);
  await setTheme(workbench, 'highContrast');
  await until('it is in other colours', isHalf);
  const colour = (): Promise<string> =>
    page
      .locator('.u-select')
      .first()
      .evaluate((each) => getComputedStyle(each).backgroundColor);
  await until('the bars are seen through it', async () => (await colour()) === 'rgba(0, 0, 0, 0)');
  await setTheme(workbench, 'dark');
  await chip.click();
  await hasRows(jobs);
});

/** The share of the columns of a chart in which more is drawn than in most: its lines across. */
async function inkedShare(page: FrameLocator): Promise<number> {
  return page
    .locator('.pulse-charts canvas')
    .last()
    .evaluate((canvas) => {
      if (!(canvas instanceof HTMLCanvasElement)) throw new Error('no canvas');
      const { width, height } = canvas;
      const pixels = canvas.getContext('2d')?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray();
      // Past the axis and its labels.
      const first = Math.round(width / 5);
      const inks = Array.from({ length: width - first }, (_, x) =>
        Array.from({ length: height }, (_row, y) => pixels[4 * (y * width + first + x) + 3] ?? 0).reduce(
          (sum, each) => sum + (each > 0 ? 1 : 0),
          0,
        ),
      );
      const usual = inks.toSorted((a, b) => a - b)[Math.floor(inks.length / 4)] ?? 0;
      return inks.filter((each) => each > usual).length / inks.length;
    });
}

test('times are named by what they are of; their line breaks where there are no jobs, and its caption is whole in a narrow window', async () => {
  const { workbench } = session();
  const page = await board();
  const times = page.locator('.figures');
  await times.getByText('Median processing time').waitFor();
  await page.getByText('Times are for pre-recorded jobs only, not live sessions').waitFor();
  await until('a line is drawn over all days with jobs', async () => (await inkedShare(page)) > 0.5);
  // These are hours apart from each other, and all live.
  await page.getByRole('button', { name: `Failed ${failed}`, exact: true }).click();
  await hasRows(failed);
  await times.getByText('Median session length').waitFor();
  await until('only points are drawn', async () => {
    const share = await inkedShare(page);
    return share > 0.01 && share < 0.15;
  });
  const caption = page.getByText('Lower chart: median and 95th percentile (dashed) of session lengths');
  const size = workbench.page.viewportSize();
  assert.ok(size);
  await workbench.page.setViewportSize({ width: 700, height: 450 });
  await until('the caption takes two lines', async () => ((await caption.boundingBox())?.height ?? 0) > 24);
  assert.ok(await caption.evaluate((each) => each.scrollWidth <= each.clientWidth));
  await workbench.page.setViewportSize(size);
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await hasRows(jobs);
});

test('What Changed? names what the failures have in common, counted', async () => {
  const page = await board();
  const { keyboard } = session().workbench.page;
  await page.getByRole('button', { name: 'What Changed?' }).focus();
  await keyboard.press('Enter');
  const finding = page.getByRole('region', { name: 'What changed' });
  await finding.locator('h2:focus').waitFor();
  await keyboard.press('Tab');
  await keyboard.press('Tab');
  await finding.locator('button:focus', { hasText: 'Show Jobs with This Value' }).waitFor();
  await finding
    .getByText(/customer=acme: \d+(\.\d+)?% failed \(\d+ of \d+\), compared with 0% of the others/)
    .waitFor();
  await finding.getByText('counted').first().waitFor();
  const earlier = finding.getByText('About the jobs before the conditions were changed.');
  assert.equal(await earlier.count(), 0);
  await finding.getByRole('button', { name: 'Show Jobs with This Value' }).first().click();
  await hasRows(jobs / 6);
  await earlier.waitFor();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await finding.getByRole('button', { name: 'Close' }).focus();
  await keyboard.press('Enter');
  await finding.waitFor({ state: 'detached' });
  await page.locator('button:focus', { hasText: 'What Changed?' }).waitFor();
});

test('two windows have a board each on the same connection, narrowed down apart', async () => {
  const { openWindow } = session();
  const other = await openWindow();
  // It opens with the editors of the first one, whose board could be taken for its own.
  await other.editorTab(/^Board/).waitFor();
  await other.runCommand('View: Close Editor');
  await other.editorTab(/^Board/).waitFor({ state: 'hidden' });
  await other.runCommand('Transcription: Open Board');
  const beside = await other.webview(/^Board/);
  await beside.getByText(`Read ${jobs} of ${jobs} at`).waitFor();
  await beside.getByRole('button', { name: `Failed ${failed}`, exact: true }).click();
  const count = async (): Promise<string | null> => beside.getByRole('grid').getAttribute('aria-rowcount');
  await until('the other board is narrowed down', async () => (await count()) === `${failed + 1}`);
  await hasRows(jobs);
  const page = await board();
  await rereads(page, async () => page.getByRole('button', { name: 'Read Again' }).click());
  assert.equal(await count(), `${failed + 1}`);
  await other.page.close();
});

test('columns are chosen, and kept together with the window after a reload; no string is markup', async () => {
  const { workbench, journal } = session();
  const page = await board();
  const { keyboard } = workbench.page;
  const columns = page.getByRole('group', { name: 'Columns' });
  await page.getByRole('button', { name: 'Columns…' }).focus();
  await keyboard.press('Enter');
  await page.locator('input[type=search]:focus').waitFor();
  assert.equal(await columns.locator('[type=checkbox][tabindex="0"]').count(), 1);
  await keyboard.press('Tab');
  await keyboard.press('End');
  await keyboard.press('ArrowLeft');
  await until('an arrow key has moved the focus', async () =>
    columns.locator('label').evaluateAll((all) => all.at(-2)?.contains(document.activeElement) === true),
  );
  await keyboard.press('Escape');
  await columns.waitFor({ state: 'detached' });
  await page.locator('button:focus', { hasText: 'Columns…' }).waitFor();
  await keyboard.press('Enter');
  await page.getByRole('searchbox', { name: 'Find a column' }).fill('hostile');
  await page.getByRole('checkbox', { name: 'hostile' }).check();
  await page.getByText('<img src=x onerror=alert(1)>').first().waitFor();
  await rereads(page, async () => page.getByRole('button', { name: '30 days' }).click());
  await page.locator('.toggle[aria-pressed=true]', { hasText: '30 days' }).waitFor();
  await workbench.reload();
  const restored = await board();
  await restored.locator('.toggle[aria-pressed=true]', { hasText: '30 days' }).waitFor();
  await restored.getByRole('columnheader', { name: 'hostile' }).waitFor();
  assert.deepEqual(
    journal.console.filter((line) => /violates the following Content Security Policy/.test(line)),
    [],
  );
});

for (const theme of ['light', 'dark', 'highContrast', 'highContrastLight'] as const) {
  test(`no accessibility violation in ${theme}, with a selection, conditions and the table of the pulse`, async () => {
    const { workbench } = session();
    await setTheme(workbench, theme);
    const page = await board();
    await page.getByRole('button', { name: `Failed ${failed}`, exact: true }).click();
    await hasRows(failed);
    await rows(page).nth(1).click();
    await page.getByRole('button', { name: 'What Changed?' }).click();
    await page.getByRole('region', { name: 'What changed' }).waitFor();
    assert.deepEqual(await axeViolations(page), []);
    await page.getByRole('button', { name: 'Show as Table' }).click();
    assert.deepEqual(await axeViolations(page), []);
    await page.getByRole('button', { name: 'Show as Chart' }).click();
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await hasRows(jobs);
  });
}

test('at 200 % nothing is cut off sideways', async () => {
  const { workbench } = session();
  const size = workbench.page.viewportSize();
  assert.ok(size);
  await workbench.page.setViewportSize({ width: size.width / 2, height: size.height / 2 });
  const page = await board();
  await page.getByRole('grid').waitFor();
  assert.equal(await page.locator(':root').evaluate((root) => root.scrollWidth <= root.clientWidth), true);
  const heights = await page.locator('.toggle').evaluateAll((all) => all.map((each) => each.clientHeight));
  assert.equal(new Set(heights).size, 1, heights.join(' '));
  assert.deepEqual(await axeViolations(page), []);
  await workbench.page.setViewportSize(size);
});

test('the time range of a board is asked for under a title of its own, at every step', async () => {
  const { workbench } = session();
  const { quickInput } = workbench;
  const page = await board();
  await workbench.ask(page.getByRole('button', { name: 'Custom…' }), 'Board: Time Range');
  await quickInput.pick('A day…', 'Board: Time Range');
  await quickInput.shown('Board: Time Range');
  await workbench.page.keyboard.press('Escape');
  await quickInput.hidden();
});

test('conditions become the filter of the jobs view', async () => {
  const { workbench } = session();
  const page = await board();
  await page.getByRole('button', { name: `Failed ${failed}`, exact: true }).click();
  await hasRows(failed);
  await page.getByRole('button', { name: 'Use as Filter in Jobs View' }).click();
  const tree = workbench.tree('Jobs');
  await until('only failed jobs are listed', async () => {
    const labels = await tree.labels();
    return labels.some((each) => each.startsWith('Failed')) && !labels.some((each) => each.startsWith('Done'));
  });
  await workbench.editorTab('Board: Status = Failed').waitFor();

  // A board takes that filter when told to, and gives it up without the jobs view.
  const clear = page.getByRole('button', { name: 'Clear Filter' });
  const filterText = page.locator('.filter-text');
  assert.equal(await clear.count(), 0);
  await page.getByRole('button', { name: "Use the View's Filter" }).click();
  await filterText.filter({ hasText: 'Failed' }).waitFor();
  await clear.click();
  await clear.waitFor({ state: 'detached' });
  await filterText.filter({ hasNotText: 'Failed' }).waitFor();
  await hasRows(failed);
});

test('what a filter of the jobs view leaves out is named beside the button and afterwards; where there can be none, it says so', async () => {
  const { workbench } = session();
  await workbench.editorTab(/^Board/).click();
  const page = await board();
  const use = page.locator('.conditions').getByRole('button', { name: 'Use as Filter in Jobs View' });
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await hasRows(jobs);
  await page.getByRole('button', { name: `Live ${jobs / 3}`, exact: true }).click();
  await page.getByText("The jobs view can't filter by this condition").waitFor();
  assert.equal(await use.count(), 0);
  await page.getByRole('button', { name: `Failed ${failed}`, exact: true }).click();
  await hasRows(failed);
  const leftOut = "The filter will ignore Kind = Live: the jobs view can't filter by it";
  await page.locator('.conditions').getByText(leftOut).waitFor();
  await page.getByRole('button', { name: 'What Changed?' }).click();
  const finding = page.getByRole('region', { name: 'What changed' });
  await finding.getByText(leftOut).waitFor();
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(workbench, theme);
    assert.deepEqual(await axeViolations(page), []);
  }
  await finding.getByRole('button', { name: 'Close' }).click();
  const told = await use.getAttribute('aria-describedby');
  assert.equal(await page.locator(`[id="${told}"]`).innerText(), leftOut);
  await use.click();
  await workbench.statusBarItem('The jobs view has a new filter, which ignores Kind = Live').waitFor();
});

test('a row of a finding that the jobs view cannot filter by says so', async () => {
  const { workbench } = session();
  await workbench.editorTab(/^Board/).click();
  const page = await board();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await hasRows(jobs);
  await page.getByRole('columnheader', { name: 'Error code' }).click();
  await page.locator('[role=columnheader][aria-sort=ascending]', { hasText: 'Error code' }).waitFor();
  await rows(page).first().click();
  await rows(page)
    .nth(failed - 1)
    .click({ modifiers: ['Shift'] });
  await page.getByText(`${failed} of ${jobs} selected`).waitFor();
  await page.getByRole('button', { name: 'What Changed?' }).click();
  const finding = page.getByRole('region', { name: 'What changed' });
  await finding.getByText(`What changed: ${failed} selected jobs`).waitFor();
  const ofCode = finding.getByRole('listitem').filter({ hasText: 'Error code=503' });
  await ofCode.getByText("The jobs view can't filter by this value").waitFor();
  assert.equal(await ofCode.getByRole('button').count(), 1);
  await page.getByRole('columnheader', { name: 'Created' }).click();
  await page.locator('[role=columnheader][aria-sort=descending]', { hasText: 'Created' }).waitFor();
});

test('a value that sets failures apart becomes the filter of the jobs view', async () => {
  const { workbench } = session();
  await workbench.editorTab(/^Board/).click();
  const page = await board();
  await workbench.runCommand('Transcription: Clear Filter');
  await page.getByRole('button', { name: 'What Changed?' }).click();
  const finding = page.getByRole('region', { name: 'What changed' });
  // The finding of before stays until this one is there.
  await finding.getByText(`What changed: ${failed} failures`).waitFor();
  remote.takeRequests();
  await finding.getByRole('button', { name: 'Use as Filter in Jobs View' }).first().click();
  await until('the service was asked for failed jobs of the customer', () =>
    remote.requests.some(({ path }) => {
      const asked = decodeURIComponent(path);
      return asked.includes('custom_metadata={"customer":"acme"}') && asked.includes('status=error');
    }),
  );
  await until('no other jobs are listed', async () => {
    const labels = await workbench.tree('Jobs').labels();
    return labels.some((each) => each.startsWith('Failed')) && !labels.some((each) => each.startsWith('Done'));
  });
});

test('a finding of a range becomes a filter of that range, also after it was cleared on the board', async () => {
  const { workbench } = session();
  await workbench.editorTab(/^Board/).click();
  const page = await board();
  await rereads(page, async () => page.getByRole('button', { name: '7 days' }).click());
  await page.locator('.toggle[aria-pressed=true]', { hasText: '7 days' }).waitFor();
  await page.getByRole('button', { name: `acme ${jobs / 6}`, exact: true }).click();
  await hasRows(jobs / 6);
  const box = await page.locator('.pulse-charts .u-over').first().boundingBox();
  assert.ok(box);
  const { mouse } = workbench.page;
  const y = box.y + box.height / 2;
  await mouse.move(box.x + box.width * 0.63, y);
  await mouse.down();
  await mouse.move(box.x + box.width * 0.8, y, { steps: 4 });
  await mouse.move(box.x + box.width * 0.995, y, { steps: 4 });
  await mouse.up();
  await page.getByRole('button', { name: /^Remove \d/ }).waitFor();
  await page.getByRole('button', { name: 'What Changed?' }).click();
  const finding = page.getByRole('region', { name: 'What changed' });
  await finding.getByText(/jobs in the range/).waitFor();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await hasRows(jobs);
  remote.takeRequests();
  await finding.getByRole('button', { name: 'Use as Filter in Jobs View' }).first().click();
  await until('the service was asked for the range, the customer and what stands out in it', () =>
    remote.requests.some(({ path }) => {
      const asked = decodeURIComponent(path);
      return (
        ['after_date=', 'before_date=', 'status=error'].every((each) => asked.includes(each)) &&
        asked.includes('custom_metadata={"customer":"acme"}')
      );
    }),
  );
});
