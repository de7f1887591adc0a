import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { addItem, fixtureItem } from '../../support/details/fixtureItems.ts';
import { useRemoteService } from '../../support/remote/remoteService.ts';
import { until } from '../../support/until.ts';
import { axeViolations } from '../../support/workbench/axeViolations.ts';
import { useWorkbench } from '../../support/workbench/useWorkbench.ts';

const remote = await useRemoteService({ count: 0 });
for (const name of ['preRecordedDone', 'preRecordedFailed', 'liveDone', 'nearlyEmpty'] as const) {
  addItem(remote.sample, fixtureItem(name));
}
addItem(remote.sample, {
  ...fixtureItem('liveDone'),
  id: 'second-session',
  custom_metadata: { title: 'Room B2' },
  request_params: { encoding: 'wav/pcm', channels: 1, seed: [7] },
});
const session = useWorkbench(import.meta.filename, {
  userSettings: { ...remote.userSettings, 'transcriptionJobs.groupBy': 'none' },
  env: remote.env,
});

const themes = [
  ['Light Modern', 'vs'],
  ['Dark Modern', 'vs-dark'],
  ['Dark High Contrast', 'hc-black'],
  ['Light High Contrast', 'hc-light'],
] as const;

test('the rows are there', async () => {
  const { workbench } = session();
  await workbench.showView('Transcription Jobs');
  const tree = workbench.tree('Jobs');
  await tree.expand('Pre-recorded');
  await tree.expand('Live');
});

for (const [theme, marker] of themes) {
  test(`no page has an accessibility violation in ${theme}`, async () => {
    const { workbench } = session();
    const tree = workbench.tree('Jobs');
    await workbench.runAndPick('Preferences: Color Theme', theme);
    await workbench.page.locator(`.monaco-workbench.${marker}`).waitFor();
    const found: string[] = [];
    for (const title of ['Harbour lights, episode 12', 'Call 88213', 'Town hall, main stage', 'e0000000']) {
      await tree.click(title, workbench.editorTab(title));
      const page = await workbench.webview(title);
      await page.getByRole('heading', { name: title, level: 1 }).waitFor();
      // An expanded section no longer matches, so `first` is always the next one.
      const closed = page.locator('.fold[aria-expanded=false]:enabled');
      for (let left = await closed.count(); left > 0; left--) await closed.first().click();
      found.push(...(await axeViolations(page)));
    }
    await tree.pickFromMenu('Room B2', 'Compare Jobs', workbench.editorTab('Compare 2 sessions'), () =>
      tree.select(['Town hall, main stage', 'Room B2']),
    );
    const comparison = await workbench.webview('Compare 2 sessions');
    await comparison.getByRole('button', { name: /^Audio/ }).click();
    found.push(...(await axeViolations(comparison)));
    await workbench.runCommand('View: Close All Editors');
    await workbench.editorTab('Compare 2 sessions').waitFor({ state: 'detached' });
    assert.deepEqual(found, []);
  });
}

test('at 200 % zoom nothing is cut off and no text scrolls sideways', async () => {
  const { workbench } = session();
  const size = workbench.page.viewportSize();
  assert.ok(size);
  // For the page, halving the window's size is the same as a zoom of 200 %.
  await workbench.page.setViewportSize({ width: size.width / 2, height: size.height / 2 });
  await workbench.tree('Jobs').click('Town hall, main stage', workbench.editorTab('Town hall, main stage'));
  const page = await workbench.webview('Town hall, main stage');
  await page.getByRole('heading', { name: 'Messages and callback' }).waitFor();
  assert.equal(await page.locator(':root').evaluate((root) => root.scrollWidth <= root.clientWidth), true);
  assert.deepEqual(await axeViolations(page), []);
  await workbench.page.setViewportSize(size);
});

test('the keyboard reaches every button, and the page shows where it is', async () => {
  const { workbench } = session();
  await workbench.tree('Jobs').click('Call 88213', workbench.editorTab('Call 88213'));
  const page = await workbench.webview('Call 88213');
  const buttons = page.locator('button:visible');
  await buttons.first().focus();
  const names: string[] = [];
  for (let index = 0; index < (await buttons.count()); index++) {
    const focused = page.locator('button:focus-visible');
    names.push((await focused.getAttribute('aria-label')) ?? (await focused.innerText()));
    assert.notEqual(await focused.evaluate((button) => getComputedStyle(button).outlineStyle), 'none');
    await workbench.page.keyboard.press('Tab');
  }
  assert.deepEqual(names, [
    'Open as JSON',
    'Copy as JSON',
    'Copy Link',
    'Copy List Request as cURL (sh)',
    'Edit the label of error code 503',
    'Copy ID',
    'Copy request ID',
  ]);
});

test('the focus returns to its place on the page after the palette', async () => {
  const { workbench } = session();
  const page = await workbench.webview('Call 88213');
  const button = page.getByRole('button', { name: 'Copy request ID' });
  await button.focus();
  await workbench.openPalette();
  await until('the page has no focus', async () => !(await hasFocus(button)));
  await workbench.quickInput.cancel();
  await until('the button has the focus again', async () => hasFocus(button));
});

function hasFocus(button: Locator): Promise<boolean> {
  return button.evaluate((element) => document.hasFocus() && document.activeElement === element);
}
