import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { addItem, fixtureItem } from '../../support/details/fixtureItems.ts';
import { useRemoteService } from '../../support/remote/remoteService.ts';
import { until } from '../../support/until.ts';
import { useWorkbench } from '../../support/workbench/useWorkbench.ts';
import type { Workbench } from '../../support/workbench/workbench.ts';

const remote = await useRemoteService({ count: 0 });
addItem(remote.sample, fixtureItem('preRecordedDone'));
const studio = 'A visit to the studio';
const said = (text: string, start: number) => ({ text, start, end: start + 3, speaker: start % 2, language: 'fr' });
addItem(remote.sample, {
  ...fixtureItem('preRecordedDone'),
  id: 'studio',
  created_at: new Date(Date.now() - 120_000).toISOString(),
  completed_at: new Date(Date.now() - 60_000).toISOString(),
  custom_metadata: { title: studio },
  result: {
    transcription: { languages: ['fr'], utterances: [said('Une grande fenêtre.', 0), said('Le canal.', 5)] },
    translation: {
      success: true,
      results: [{ languages: ['en'], utterances: [said('A big window.', 0), said('The canal.', 5)] }],
    },
    summarization: { success: false, error: { message: 'Too long' }, results: null },
  },
});
const session = useWorkbench(import.meta.filename, {
  userSettings: {
    ...remote.userSettings,
    'transcriptionJobs.groupBy': 'none',
    'transcriptionJobs.autoRefresh.enabled': true,
    'transcriptionJobs.autoRefresh.intervalSeconds': 5,
  },
  env: remote.env,
});

const done = 'Harbour lights, episode 12';

/** Answers the two steps of saving: the format and the path. */
async function chooseFormatAndPlace(workbench: Workbench, format: string, path: string): Promise<void> {
  await workbench.quickInput.shown(`Save Transcript: ${done}`);
  await workbench.quickInput.pick(format);
  // Until it has read the folder, the dialog may overwrite the input with its own suggestion.
  await workbench.quickInput.item('..').waitFor();
  await workbench.quickInput.answer(path);
  await workbench.quickInput.hidden();
}

test('a row is saved as subtitles from its menu', async () => {
  const { workbench, folder } = session();
  await workbench.showView('Transcription Jobs');
  const tree = workbench.tree('Jobs');
  await tree.expand('Pre-recorded');
  await tree.pickFromMenu(done, 'Save Transcript As…', workbench.quickInput.step(`Save Transcript: ${done}`));
  const path = join(folder, 'harbour.srt');
  await chooseFormatAndPlace(workbench, 'SubRip', path);
  await workbench.notifications.withText('The transcript is saved in harbour.srt.').waitFor();
  const [first = '', second = ''] = readFileSync(path, 'utf8').split('\n\n');
  assert.equal(first, '1\n00:00:00,420 --> 00:00:04,900\nEvery evening at ten past\nsix the lamp is lit by hand.');
  assert.match(second, /^2\n00:00:05,100 --> 00:00:12,800\nIt was an order once; /);
});

test('its page saves it, too', async () => {
  const { workbench, folder } = session();
  await workbench.tree('Jobs').click(done, workbench.editorTab(done));
  const page = await workbench.webview(done);
  await page.getByRole('button', { name: 'Save transcript' }).click();
  const path = join(folder, 'harbour.txt');
  await chooseFormatAndPlace(workbench, 'Text with speakers and times', path);
  await until('the file is there', () => existsSync(path));
  assert.match(
    readFileSync(path, 'utf8'),
    /^00:00 · Speaker 1 \(en\) · Every evening .*\n\n00:13 · Speaker 2 \(fr\) · /,
  );
});

test('its transcript opens as text', async () => {
  const { workbench } = session();
  const tab = workbench.page.locator('.tabs-container .tab.active', { hasText: /Untitled-\d/ });
  const title = tab.getByText('Harbour lights, episode 12');
  await workbench.tree('Jobs').pickFromMenu(done, 'Open Transcript as Text', title);
  assert.match(await workbench.textEditor.text(), /^Harbour lights, episode 12\n\n00:00 · Speaker 1/);
});

test('a speaker gets a name by the keyboard, on its page and in what is opened', async () => {
  const { workbench } = session();
  const tab = workbench.page.locator('.tabs-container .tab.active', { hasText: done, hasNotText: /Untitled-\d/ });
  await workbench.tree('Jobs').click(done, tab);
  const page = await workbench.webview(done);
  await page.getByRole('button', { name: 'Rename speaker: Speaker 1 (en)' }).press('Enter');
  await workbench.quickInput.shown('Name of Speaker 1');
  await workbench.quickInput.answer('Inès');
  await page.locator('.speaker').getByText('Inès (en)').waitFor();
  const text = workbench.page.locator('.tabs-container .tab.active', { hasText: /Untitled-\d/ });
  await workbench.tree('Jobs').pickFromMenu(done, 'Open Transcript as Text', text);
  await until('the name is in it', async () => (await workbench.textEditor.text()).includes('\n00:00 · Inès'));
});

test('its audio is opened after a question that names the host', async () => {
  const { workbench } = session();
  await workbench.tree('Jobs').pickFromMenu(done, 'Open Audio in Browser', workbench.dialogButton('Open'));
  assert.match(await workbench.dialogText(), /Host: media\.example\.com/);
  await workbench.dialogButton('Cancel').click();
});

test('a translation stands beside the transcript, line by line', async () => {
  const { workbench } = session();
  await workbench.tree('Jobs').click(studio, workbench.editorTab(studio));
  const page = await workbench.webview(studio);
  const beside = page.locator('.line.beside');
  const button = page.getByRole('button', { name: 'Translation: en' });
  await button.click();
  await beside.nth(1).waitFor();
  assert.equal(await button.getAttribute('aria-pressed'), 'true');
  const [original, translation] = await beside.nth(1).locator('.said').all();
  assert.deepEqual([await original?.innerText(), await translation?.innerText()], ['Le canal.', 'The canal.']);
  const [left, right] = [await original?.boundingBox(), await translation?.boundingBox()];
  assert.ok(left && right && right.x > left.x + left.width, 'side by side');
  await button.press('Enter');
  await beside.waitFor({ state: 'detached' });
});

test('what failed inside a done job stands in Needs attention until it is handled', async () => {
  const { workbench } = session();
  const tree = workbench.tree('Jobs');
  await tree.row(/^Failed in part/).waitFor();
  await tree.expand(/^Failed in part/);
  const row = tree.root.getByRole('treeitem', { name: /Summary failed: Too long/ });
  await row.waitFor();
  const told = workbench.notifications.withText('Marked as handled on this computer');
  await tree.pressInline(/^Failed in part/, 'Mark as Handled', told);
  await row.waitFor({ state: 'detached' });
  await tree.row(/^Failed in part/).waitFor({ state: 'detached' });
});

test('it is found by what was said', async () => {
  const { workbench } = session();
  await workbench.ask('Transcription: Find Job…', 'Find Job');
  await workbench.quickInput.type('clear nights beam');
  const options = workbench.page.locator('.quick-input-list').getByRole('option');
  await options.filter({ hasText: /transcript: ….*on clear nights the beam/ }).waitFor();
  await workbench.quickInput.cancel();
});

test('what is found by what was said opens where it was said, as does the next one in its place', async () => {
  const { workbench } = session();
  const find = (typed: string): Promise<void> =>
    workbench.answerAll(async () => {
      await workbench.ask('Transcription: Find Job…', 'Find Job');
      await workbench.quickInput.type(typed);
      const options = workbench.page.locator('.quick-input-list').getByRole('option');
      await options.filter({ hasText: 'transcript: ' }).first().click();
      await workbench.quickInput.hidden();
    });
  const marked = async (title: string, text: string): Promise<void> => {
    const page = await workbench.webview(title);
    await page
      .locator('mark.current')
      .filter({ hasText: new RegExp(`^${text}$`) })
      .waitFor();
  };
  await find('LAMP is lit');
  await marked(done, 'lamp is lit');
  await find('canal fenêtre');
  await marked(studio, 'canal');
  await find('nobody habit');
  await marked(done, 'nobody');
});
