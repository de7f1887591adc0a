import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { addItem, fixtureItem } from '../../support/details/fixtureItems.ts';
import { hostileItem } from '../../support/details/hostileItem.ts';
import { useRemoteService } from '../../support/remote/remoteService.ts';
import { until } from '../../support/until.ts';
import { useWorkbench } from '../../support/workbench/useWorkbench.ts';
import type { Workbench } from '../../support/workbench/workbench.ts';

const remote = await useRemoteService({ count: 0 });
for (const name of ['preRecordedDone', 'preRecordedFailed', 'preRecordedProcessing', 'liveDone'] as const) {
  addItem(remote.sample, fixtureItem(name));
}
addItem(remote.sample, { ...fixtureItem('liveDone'), id: 'second-session', custom_metadata: { title: 'Room B2' } });
addItem(remote.sample, hostileItem);
const ending = remote.sample.add({ status: 'processing', fields: { custom_metadata: { title: 'Harbour news' } } });
const session = useWorkbench(import.meta.filename, {
  userSettings: {
    ...remote.userSettings,
    'transcriptionJobs.groupBy': 'none',
    'transcriptionJobs.autoRefresh.intervalSeconds': 5,
  },
  env: remote.env,
});

const done = 'Harbour lights, episode 12';
const failed = 'Call 88213';
const processing = 'Board meeting, part 2';
const live = 'Town hall, main stage';

test('opens the page of a row and leaves the focus in the list; the next row takes its place, unless it stands to the side', async () => {
  const { workbench } = session();
  await workbench.showView('Transcription Jobs');
  const tree = workbench.tree('Jobs');
  await tree.expand('Pre-recorded');
  await tree.click(done, workbench.editorTab(done));
  const page = await workbench.webview(done);
  await page.getByRole('heading', { name: done, level: 1 }).waitFor();
  await until('the focus is in the view', () =>
    workbench.page.evaluate(() => document.activeElement?.closest('.sidebar') !== null),
  );
  await tree.click(failed, page.getByRole('heading', { name: failed, level: 1 }));
  await workbench.editorTab(failed).waitFor();
  const tabs = (): Promise<number[]> =>
    Promise.all([done, failed, processing].map((name) => workbench.editorTab(name).count()));
  assert.deepEqual(await tabs(), [0, 1, 0]);
  await tree.click(done, workbench.editorTab(done));
  await tree.pressInline(failed, 'Open Job to the Side', workbench.editorTab(failed));
  await tree.click(processing, workbench.editorTab(processing));
  assert.deepEqual(await tabs(), [0, 1, 1]);
  await page.getByRole('heading', { name: processing, level: 1 }).waitFor();
  await workbench.runCommand('View: Close All Editors');
});

test('copies, asks before anything of the page opens a browser, and gets its focus back', async () => {
  const { workbench, journal } = session();
  const tree = workbench.tree('Jobs');
  await tree.click(done, workbench.editorTab(done));
  const page = await workbench.webview(done);
  const clipboard = () => workbench.page.evaluate(() => navigator.clipboard.readText());
  await openDetails(page);
  await page.getByRole('button', { name: 'Copy ID' }).click();
  await until('the id is copied', async () => (await clipboard()) === fixtureItem('preRecordedDone').id);
  await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
  await page.getByRole('link', { name: 'https://archive.example.com/harbour-lights/12' }).click();
  assert.match(await workbench.dialogText(), /open the external website/);
  await workbench.dialogButton('Cancel').click();
  await tree.pickFromMenu(done, 'Open Audio in Browser', workbench.dialogButton('Open'));
  assert.match(await workbench.dialogText(), /Host: media\.example\.com/);
  await workbench.dialogButton('Cancel').click();

  const button = page.getByRole('button', { name: 'Copy request ID' });
  await button.focus();
  await workbench.openPalette();
  await until('the page has no focus', async () => !(await hasFocus(button)));
  await workbench.quickInput.cancel();
  await until('the button has the focus again', async () => hasFocus(button));

  await tree.click(hostileItem.custom_metadata.title, workbench.editorTab(hostileItem.custom_metadata.title));
  const hostile = await workbench.webview(hostileItem.custom_metadata.title);
  await hostile.getByRole('heading', { name: hostileItem.custom_metadata.title, level: 1 }).waitFor();
  assert.deepEqual(journal.outsideRequests, []);
  assert.deepEqual(journal.errors, []);
});

test('saves a transcript from the menu of a row and from its page, with the names that speakers were given', async () => {
  const { workbench, folder } = session();
  const tree = workbench.tree('Jobs');
  await tree.pickFromMenu(done, 'Save Transcript As…', workbench.quickInput.step(`Save Transcript: ${done}`));
  const subtitles = join(folder, 'harbour.srt');
  await chooseFormatAndPlace(workbench, 'SubRip', subtitles);
  await workbench.notifications.withText('The transcript is saved in harbour.srt.').waitFor();
  const [first = ''] = readFileSync(subtitles, 'utf8').split('\n\n');
  assert.equal(first, '1\n00:00:00,420 --> 00:00:04,900\nEvery evening at ten past\nsix the lamp is lit by hand.');

  await tree.click(done, workbench.editorTab(done));
  const page = await workbench.webview(done);
  await page.getByRole('button', { name: 'Rename speaker: Speaker 1 (en)' }).press('Enter');
  await workbench.quickInput.shown('Name of Speaker 1');
  await workbench.quickInput.answer('Inès');
  await page.locator('.speaker').getByText('Inès (en)').waitFor();
  await page.getByRole('button', { name: 'Save Transcript' }).click();
  const text = join(folder, 'harbour.txt');
  await chooseFormatAndPlace(workbench, 'Text with speakers and times', text, 'SubRip');
  await until('the file is there', () => existsSync(text));
  assert.match(readFileSync(text, 'utf8'), /^00:00 · Inès \(en\) · Every evening .*\n\n00:13 · Speaker 2 \(fr\) · /);
});

test('learns the end of its job with the jobs view closed, by requests for the time of its creation alone', async () => {
  const { workbench } = session();
  await workbench.tree('Jobs').click('Harbour news', workbench.editorTab('Harbour news'));
  const page = await workbench.webview('Harbour news');
  const status = page.locator('header .status');
  await status.filter({ hasText: 'Processing' }).waitFor();
  await workbench.runCommand('View: Close Primary Side Bar');
  await until('the view is closed', async () => (await workbench.tree('Jobs').root.count()) === 0);
  // The last request of the list may be under way.
  await until('the page asks by itself', () => remote.takeRequests().at(-1)?.includes('before_date='));
  remote.sample.setStatus(ending, 'done');
  await status.filter({ hasText: 'Done' }).waitFor();
  const requests = remote.takeRequests();
  assert.ok(requests.length > 0);
  for (const request of requests) assert.match(request, /^GET \/v2\/pre-recorded\?limit=20&before_date=.*&after_date=/);
  await workbench.showView('Transcription Jobs');
});

test('keeps its transcript through a switch of the connection and back', async () => {
  const { workbench } = session();
  await workbench.tree('Jobs').click(done, workbench.editorTab(done));
  const page = await workbench.webview(done);
  const transcript = page.getByText('Every evening at ten past six the lamp is lit by hand.');
  const elsewhere = page.getByText('This job belongs to the connection Remote.');
  await transcript.waitFor();
  await workbench.runAndPick('Transcription: Switch Connection…', 'Sample');
  await elsewhere.waitFor();
  assert.ok(await transcript.isVisible());
  remote.takeRequests();
  await workbench.runAndPick('Transcription: Switch Connection…', 'Remote');
  await elsewhere.waitFor({ state: 'detached' });
  await workbench.tree('Jobs').row(done).waitFor();
  assert.ok(await transcript.isVisible());
  assert.equal(await page.getByText('could not be read').count(), 0);
  assert.ok(
    remote.takeRequests().every((request) => !request.includes('before_date')),
    'the result is known',
  );
});

test('is back after a reload as it was left, and reads its jobs by itself', async () => {
  const { workbench } = session();
  const tree = workbench.tree('Jobs');
  await tree.openMenu(failed, 'Copy', () => tree.select([done, processing, failed]));
  const compare = workbench.page.getByRole('menuitem').filter({ hasText: 'Compare Jobs' });
  assert.equal(await compare.count(), 0, 'only two jobs that are not live are compared');
  await workbench.page.keyboard.press('Escape');
  await tree.expand('Live');
  await tree.pickFromMenu('Room B2', 'Compare Jobs', workbench.editorTab('Compare 2 sessions'), () =>
    tree.select([live, 'Room B2']),
  );
  await (await workbench.webview('Compare 2 sessions')).getByText('All 39 parameters are identical.').waitFor();
  await tree.click(done, workbench.editorTab(done));
  const page = await workbench.webview(done);
  await openDetails(page);
  await page.getByRole('button', { name: 'chapters: 4 items' }).click();
  await page.getByText('Storm warning').waitFor();
  await workbench.runCommand('View: Close Primary Side Bar');
  await until('the view is closed', async () => (await workbench.tree('Jobs').root.count()) === 0);
  remote.takeRequests();
  await workbench.reload();
  const back = await workbench.webview(done);
  await back.getByRole('heading', { name: done, level: 1 }).waitFor();
  await back.getByText('Storm warning').waitFor();
  const requests = remote.takeRequests();
  assert.equal(requests.length, 1, requests.join('\n'));
  assert.match(requests[0] ?? '', /^GET \/v2\/pre-recorded\?limit=20&before_date=.*&after_date=/);

  await workbench.editorTab('Compare 2 sessions').click();
  const compared = await workbench.webview('Compare 2 sessions');
  await compared.getByText('All 39 parameters are identical.').waitFor();
});

/** Opens the section with the fields of a job, which stays open for the next one. */
async function openDetails(page: Awaited<ReturnType<Workbench['webview']>>): Promise<void> {
  const button = page.locator('#section-details .fold');
  await button.waitFor();
  if ((await button.getAttribute('aria-expanded')) === 'false') await button.click();
}

/** Answers the two steps of saving: the format and the path. */
async function chooseFormatAndPlace(
  workbench: Workbench,
  format: string,
  path: string,
  former?: string,
): Promise<void> {
  await workbench.quickInput.shown(`Save Transcript: ${done}`);
  // The last choice is proposed.
  if (former !== undefined) await workbench.quickInput.toggle(former);
  await workbench.quickInput.toggle(format);
  await workbench.quickInput.accept();
  // Until it has read the folder, the dialog may overwrite the input with its own suggestion.
  await workbench.quickInput.item('..').waitFor();
  await workbench.quickInput.answer(path);
  await workbench.quickInput.hidden();
}

function hasFocus(button: Locator): Promise<boolean> {
  return button.evaluate((element) => document.hasFocus() && document.activeElement === element);
}
