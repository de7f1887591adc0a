import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { addItem, fixtureItem } from '../support/details/fixtureItems.ts';
import { useRemoteService } from '../support/remote/remoteService.ts';
import { until } from '../support/until.ts';
import { useWorkbench } from '../support/workbench/useWorkbench.ts';
import type { Workbench } from '../support/workbench/workbench.ts';

const remote = await useRemoteService({ count: 0 });
addItem(remote.sample, fixtureItem('preRecordedDone'));
const session = useWorkbench(import.meta.filename, {
  userSettings: { ...remote.userSettings, 'transcriptionJobs.groupBy': 'none' },
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
  await tree.pickFromMenu(done, 'Save Transcript As…');
  const path = join(folder, 'harbour.srt');
  await chooseFormatAndPlace(workbench, 'SubRip', path);
  await workbench.notifications.withText('The transcript is saved in harbour.srt.').waitFor();
  const [first = '', second = ''] = readFileSync(path, 'utf8').split('\n\n');
  assert.equal(first, '1\n00:00:00,420 --> 00:00:04,900\nEvery evening at ten past six the lamp is\nlit by hand.');
  assert.match(second, /^2\n00:00:05,100 --> 00:00:12,800\nIt was an order once; /);
});

test('its page saves it, too', async () => {
  const { workbench, folder } = session();
  await workbench.tree('Jobs').click(done);
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
  await workbench.tree('Jobs').pickFromMenu(done, 'Open Transcript as Text');
  await workbench.editorTab(/^00:00 · Speaker 1/).waitFor();
});

test('a speaker gets a name by the keyboard, on its page and in what is opened', async () => {
  const { workbench } = session();
  await workbench.tree('Jobs').click(done);
  const page = await workbench.webview(done);
  await page.getByRole('button', { name: 'Rename speaker: Speaker 1 (en)' }).press('Enter');
  await workbench.quickInput.shown('Name of Speaker 1');
  await workbench.quickInput.answer('Inès');
  await page.locator('.speaker').getByText('Inès (en)').waitFor();
  await workbench.tree('Jobs').pickFromMenu(done, 'Open Transcript as Text');
  await workbench.editorTab(/^00:00 · Inès/).waitFor();
});

test('its audio is opened after a question that names the host', async () => {
  const { workbench } = session();
  await workbench.tree('Jobs').pickFromMenu(done, 'Open Audio in Browser');
  await workbench.dialogButton('Open').waitFor();
  assert.match(await workbench.dialogText(), /Host: media\.example\.com/);
  await workbench.dialogButton('Cancel').click();
});

test('it is found by what was said', async () => {
  const { workbench } = session();
  await workbench.runCommand('Transcription: Find Job…');
  await workbench.quickInput.shown('Find Job');
  await workbench.quickInput.type('clear nights beam');
  const options = workbench.page.locator('.quick-input-list').getByRole('option');
  await options.filter({ hasText: /transcript: ….*on clear nights the beam/ }).waitFor();
  await workbench.quickInput.cancel();
});
