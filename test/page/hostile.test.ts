import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { hostileItem } from '../support/details/hostileItem.ts';
import { fixtureItem } from '../support/details/fixtureItems.ts';
import { BoardScene, hasRows } from '../support/page/boardScene.ts';
import { secondSession } from '../support/page/jobItems.ts';
import { JobScene, unfoldSections } from '../support/page/jobScene.ts';
import { pageNowMs } from '../support/page/pageTabs.ts';
import { usePages } from '../support/page/usePages.ts';
import { useRemoteService } from '../support/remote/remoteService.ts';

const pages = usePages();
const title = hostileItem.custom_metadata.title;
const remote = await useRemoteService({ count: 0, clock: () => pageNowMs });

const image = '<img src=x onerror=run()>';
const bidi = '\u202Egnp.exe\u202C \u05D0\u05D1\u05D2';
for (let serial = 0; serial < 20; serial++) {
  remote.sample.add({
    id: serial === 0 ? '"><script>run()</script>' : `job-${serial}`,
    kind: 'pre-recorded',
    createdAt: pageNowMs - (serial + 1) * 60_000,
    status: serial % 2 === 0 ? 'error' : 'done',
    errorCode: 500,
    fields: {
      custom_metadata: {
        title: serial % 2 === 0 ? image : bidi,
        [image]: `<iframe src="https://outside.example/${serial % 2}"></iframe>`,
        ['__proto__']: serial % 2 === 0 ? 'polluted' : 'clean',
        constructor: serial % 2 === 0 ? 'javascript:run()' : '{0} {1}',
        ['k'.repeat(150)]: serial % 2 === 0 ? 'x'.repeat(100_000) : 'y',
        ['n'.repeat(5000)]: 'has no column',
        language: `"><b>${serial % 3}`,
      },
    },
  });
}

/** Returns the number of elements and attributes that pages never create, but outside markup would. */
async function foreignElements(page: Page): Promise<number> {
  return page
    .locator('main')
    .locator('img, iframe, script, a, b, base, form, object, [onload], [onerror], [href], [src]')
    .count();
}

test('shows markup, scripts and script addresses in an item as text, and runs nothing', async () => {
  const { page, panel } = await new JobScene(pages).open(hostileItem);
  await unfoldSections(page);
  assert.equal(panel.title, title);
  await page.getByRole('heading', { name: title, level: 1 }).waitFor();
  const text = await page.locator('main').innerText();
  for (const each of [
    hostileItem.id,
    hostileItem.request_id,
    '<svg onload=run()>',
    hostileItem.custom_metadata['<svg onload=run()>'],
    'javascript:run()',
    'data:text/html,<script>run()</script>',
    'command:workbench.action.reloadWindow',
    '![x](https://outside.example/x.png) [y](javascript:run())',
    bidi,
    '{0} {1}',
    '__proto__',
  ]) {
    assert.ok(text.includes(each), each);
  }
  assert.equal(await foreignElements(page), 0);
  assert.equal(await page.locator('main [style]').count(), 0);
  assert.equal(await page.getByRole('link').count(), 0);
  assert.equal(await page.evaluate(() => 'polluted' in {}), false);
});

test('isolates right-to-left text from the text beside it', async () => {
  const { page } = await new JobScene(pages).open(hostileItem);
  await unfoldSections(page);
  const value = page.locator('.row', { hasText: 'rightToLeft' }).locator('bdi.outside');
  assert.equal(await value.evaluate((each) => getComputedStyle(each).unicodeBidi), 'isolate');
});

test('shows the beginning of a text of 100,000 characters, then all of it, then the beginning again', async () => {
  const { page } = await new JobScene(pages).open(hostileItem);
  await unfoldSections(page);
  const text = page.locator('.long', { has: page.locator('button') }).locator('bdi');
  assert.equal((await text.innerText()).length, 1001);
  await page.getByRole('button', { name: 'Show all 100,000 characters' }).click();
  assert.equal((await text.innerText()).length, 100_000);
  await page.getByRole('button', { name: 'Show less' }).click();
  assert.equal((await text.innerText()).length, 1001);
});

test('shows a text of half a million characters in steps', async () => {
  const item = { ...fixtureItem('nearlyEmpty'), custom_metadata: { long: 'x'.repeat(500_000) } };
  const { page } = await new JobScene(pages).open(item);
  const text = page.locator('.long bdi');
  const more = page.getByRole('button', { name: 'Show 200,000 more characters' });
  await more.click();
  assert.equal((await text.textContent())?.length, 200_000);
  await more.click();
  await page.getByRole('button', { name: 'Show all 500,000 characters' }).click();
  assert.equal((await text.textContent())?.length, 500_000);
});

test('cuts no character in half when it truncates a text', async () => {
  const item = { ...fixtureItem('nearlyEmpty'), custom_metadata: { long: `x${'😀'.repeat(1000)}` } };
  const { page } = await new JobScene(pages).open(item);
  const text = (await page.locator('.long bdi').textContent()) ?? '';
  assert.ok(text.endsWith('😀…'));
});

test('shows the first twelve lines of a text with many lines', async () => {
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`).join('\n');
  const { page } = await new JobScene(pages).open({ ...fixtureItem('nearlyEmpty'), custom_metadata: { lines } });
  assert.match(await page.locator('.long bdi').innerText(), /^line 1\n[^]*\nline 12…$/);
});

test('expands fifty levels one by one without exceeding the width of the page', async () => {
  const { page } = await new JobScene(pages).open(hostileItem);
  await unfoldSections(page);
  await page.getByRole('button', { name: 'nested: 1 entry' }).click();
  const inner = page.getByRole('button', { name: 'in: 1 entry' });
  for (let level = 0; level < 49; level++) await inner.nth(level).click();
  await page.getByText('<b>deep</b>').waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
});

test('shows a list a hundred at a time, and moves the focus to the first item that the last press adds', async () => {
  const { page } = await new JobScene(pages).open(hostileItem);
  await unfoldSections(page);
  await page.getByRole('button', { name: 'many: 250 items' }).click();
  await page.getByText('entry 99', { exact: true }).waitFor();
  assert.equal(await page.getByText('entry 100', { exact: true }).count(), 0);
  await page.getByRole('button', { name: 'Show 100 more of 250' }).click();
  await page.getByText('entry 199', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Show 50 more of 250' }).click();
  await page.getByText('entry 249', { exact: true }).waitFor();
  await page.locator('li:focus', { hasText: /^201\s*entry 200$/ }).waitFor();
  assert.equal(await page.getByRole('button', { name: /^Show \d+ more of/ }).count(), 0);
});

test('truncates a key of 5,000 characters, and shows an empty one as quotes', async () => {
  const { page } = await new JobScene(pages).open(hostileItem);
  await unfoldSections(page);
  const keys = await page.locator('.part-custom_metadata dt').allInnerTexts();
  assert.ok(keys.includes('""'));
  assert.ok(keys.some((key) => key === `${'k'.repeat(119)}…`));
});

test('shows markup in an utterance, a speaker name and a search as text', async () => {
  const utterance = { text: `${image} ${bidi}`, start: 0, end: 2, speaker: 0, language: '<b>fr</b>' };
  const item = {
    ...fixtureItem('preRecordedDone'),
    custom_metadata: {},
    result: { transcription: { utterances: [utterance, { ...utterance, speaker: image }] } },
  };
  const { page } = await new JobScene(pages).open(item);
  const line = page.locator('.line').first();
  assert.ok((await line.innerText()).includes(image));
  await page.getByRole('searchbox').fill('onerror=run()>');
  await page.locator('mark.current').waitFor();
  assert.equal(await page.locator('mark').first().innerText(), 'onerror=run()>');
  assert.equal(await foreignElements(page), 0);
});

test('shows markup of compared jobs as text', async () => {
  const hostile = { ...secondSession, id: image, custom_metadata: { title: '<b>x</b>', [image]: bidi } };
  const { page } = await new JobScene(pages).compare([fixtureItem('liveDone'), hostile]);
  await page.getByRole('columnheader', { name: '<b>x</b>' }).waitFor();
  assert.equal(await foreignElements(page), 0);
});

test('shows markup in the keys and values of a board as text: rows, facets, conditions, columns and findings', async () => {
  const { page } = await new BoardScene(pages, remote).open();
  await hasRows(page, 20);
  const main = page.locator('main');
  assert.ok((await main.innerText()).includes(image));
  assert.equal(await foreignElements(page), 0);
  await page.getByRole('group', { name: image }).locator('.facet-button').first().click();
  await page.getByRole('button', { name: /^Remove <img src=x onerror=run\(\)> = <iframe/ }).waitFor();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await hasRows(page, 20);
  await page.getByRole('button', { name: 'Columns…' }).click();
  await page.getByRole('checkbox', { name: image }).check();
  await page.getByRole('columnheader', { name: image }).waitFor();
  await page.locator('.grid-body').getByText('<iframe src="https://outside.example/0"></iframe>').first().waitFor();
  await page.getByRole('button', { name: 'What Changed?' }).click();
  const finding = page.getByRole('region', { name: 'What changed' });
  await finding
    .getByText(/<img src=x onerror=run\(\)>/)
    .first()
    .waitFor();
  assert.equal(await foreignElements(page), 0);
  assert.equal(await page.evaluate(() => 'polluted' in {}), false);
});

test('narrows a board down by keys that every object has', async () => {
  const { page } = await new BoardScene(pages, remote).open();
  for (const [key, value] of [
    ['__proto__', 'polluted'],
    ['constructor', 'javascript:run()'],
  ] as const) {
    await page
      .getByRole('group', { name: key })
      .getByRole('button', { name: `${value} 10`, exact: true })
      .click();
    await hasRows(page, 10);
    await page.getByRole('button', { name: `Remove ${key} = ${value}` }).click();
    await hasRows(page, 20);
  }
});

test('truncates long keys and values on a board, so that only its table scrolls sideways', async () => {
  const { page } = await new BoardScene(pages, remote).open();
  await page.getByRole('button', { name: 'Columns…' }).click();
  const long = page.locator('.column-list label', { hasText: 'kkkk' });
  assert.equal((await long.innerText()).length, 80);
  assert.equal(await page.locator('.column-list label', { hasText: 'nnnn' }).count(), 0);
  await long.locator('input').check();
  await page.getByRole('columnheader', { name: /^k{20}/ }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
});
