import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addItem } from '../../support/details/fixtureItems.ts';
import { hostileItem } from '../../support/details/hostileItem.ts';
import { useRemoteService } from '../../support/remote/remoteService.ts';
import { useWorkbench } from '../../support/workbench/useWorkbench.ts';

const remote = await useRemoteService({ count: 0 });
addItem(remote.sample, hostileItem);
const session = useWorkbench(import.meta.filename, {
  userSettings: { ...remote.userSettings, 'transcriptionJobs.groupBy': 'none' },
  env: remote.env,
});

const title = hostileItem.custom_metadata.title;

test('what looks like markup and scripts is text: nothing runs, nothing is asked for', async () => {
  const { workbench, journal } = session();
  await workbench.showView('Transcription Jobs');
  const tree = workbench.tree('Jobs');
  await tree.expand('Pre-recorded');
  await tree.click(title);
  const page = await workbench.webview(title);
  await page.getByRole('heading', { name: title, level: 1 }).waitFor();
  const text = await page.locator('main').innerText();
  for (const each of [
    hostileItem.id,
    hostileItem.request_id,
    '<svg onload=run()>',
    hostileItem.custom_metadata['<svg onload=run()>'],
    'javascript:run()',
    'data:text/html,<script>run()</script>',
    '![x](https://outside.example/x.png) [y](javascript:run())',
    '\u202Egnp.exe\u202C \u05D0\u05D1\u05D2',
    '{0} {1}',
    '__proto__',
  ]) {
    assert.ok(text.includes(each), each);
  }
  assert.equal(await page.locator('main').locator('img, iframe, script, a, [onload], [onerror], [style]').count(), 0);
  assert.equal(await page.getByRole('link').count(), 0);
  assert.deepEqual(journal.outsideRequests, []);
  assert.deepEqual(journal.errors, []);
});

test('a text of a hundred thousand characters shows its beginning first, then all of it, then its beginning', async () => {
  const { workbench } = session();
  const page = await workbench.webview(title);
  const more = page.getByRole('button', { name: 'Show all 100,000 characters' });
  const text = page.locator('.long', { has: page.locator('button') }).locator('bdi');
  assert.equal((await text.innerText()).length, 1001);
  await more.click();
  assert.equal((await text.innerText()).length, 100_000);
  await page.getByRole('button', { name: 'Show less' }).click();
  assert.equal((await text.innerText()).length, 1001);
});

test('fifty levels unfold one by one and stay on the page', async () => {
  const { workbench } = session();
  const page = await workbench.webview(title);
  await page.getByRole('button', { name: 'nested: 1 entry' }).click();
  const inner = page.getByRole('button', { name: 'in: 1 entry' });
  for (let level = 0; level < 49; level++) await inner.nth(level).click();
  await page.getByText('<b>deep</b>').waitFor();
  assert.equal(await page.locator(':root').evaluate((root) => root.scrollWidth <= root.clientWidth), true);
});

test('a long list comes by the hundred', async () => {
  const { workbench } = session();
  const page = await workbench.webview(title);
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

test('its document is what was received', async () => {
  const { workbench, journal } = session();
  await (await workbench.webview(title)).getByRole('button', { name: 'Open as JSON' }).click();
  await workbench.editorTab(/\.json/).waitFor();
  assert.deepEqual(journal.outsideRequests, []);
  assert.deepEqual(journal.errors, []);
});
