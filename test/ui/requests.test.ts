import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { useRemoteService } from '../support/remote/remoteService.ts';
import { until } from '../support/until.ts';
import { useWorkbench } from '../support/workbench/useWorkbench.ts';
import type { Workbench } from '../support/workbench/workbench.ts';

const remote = await useRemoteService({ count: 200, clock: () => Date.parse('2026-11-20T12:00:00Z') });
const session = useWorkbench(import.meta.filename, { userSettings: remote.userSettings, env: remote.env });

/**
 * Takes a suggestion by its label, once so much is typed that it is on the screen. Asks again where it is not offered:
 * the editor's JSON service may not know the schema yet.
 */
async function suggest(workbench: Workbench, label: string, typed = ''): Promise<void> {
  const { page } = workbench;
  const widget = page.locator('.suggest-widget.visible');
  const row = widget.locator('.monaco-list-row').filter({ has: page.getByText(label, { exact: true }) });
  await workbench.textEditor.focus();
  await page.keyboard.type(typed);
  await until(`${label} is suggested`, async () => {
    await page.keyboard.press('Control+Space');
    await widget.locator('.monaco-list-row').first().waitFor();
    if (await row.first().isVisible()) return true;
    await page.keyboard.press('Escape');
    return false;
  });
  await row.first().click();
  await widget.waitFor({ state: 'hidden' });
}

function lens(workbench: Workbench, text: string | RegExp): Locator {
  return workbench.textEditor.area.locator('.codelens-decoration a', { hasText: text });
}

test('a request is written from an empty file with completion only', async () => {
  const { workbench, folder } = session();
  writeFileSync(join(folder, 'new.transcription.json'), '');
  const editor = await workbench.openFile('new.transcription.json');
  const { page } = workbench;

  await suggest(workbench, 'Request');
  await editor.type('media.example.com/a.mp3');
  await page.keyboard.press('End');
  await editor.type(',\n');
  await suggest(workbench, 'language_config');
  // The list is searched by names, too.
  await suggest(workbench, '"en"', 'english');
  await editor.type(', ');
  await suggest(workbench, '"fr"', 'fr');
  await editor.type(', ');
  await suggest(workbench, '"de"', 'germ');
  await page.keyboard.press('Control+End');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('End');
  await editor.type(',\n');
  await suggest(workbench, 'subtitles', 'subti');
  await editor.type(',\n');
  await suggest(workbench, 'subtitles_config', 'subti');

  assert.deepEqual(JSON.parse(await editor.text()), {
    audio_url: 'https://media.example.com/a.mp3',
    language_config: { languages: ['en', 'fr', 'de'] },
    subtitles: true,
    subtitles_config: { formats: ['srt', 'vtt'], maximum_characters_per_row: 42, maximum_rows_per_caption: 2 },
  });
  await workbench.problems({ errors: 0, warnings: 0 });
});

test('the lens says what a request will do, follows typing and explains itself', async () => {
  const { workbench } = session();
  const { page } = workbench;
  const editor = await workbench.openFile('interview.transcription.json');
  await lens(workbench, 'Language: en').waitFor();
  await lens(workbench, 'Speakers: separated, hint: 2').waitFor();
  await lens(workbench, 'Subtitles: srt + vtt, 42 × 2').waitFor();
  await editor.replaceText('{\n  "diarization": true,\n  "diarization_config": { "max_speakers": 4 }\n}');
  await lens(workbench, 'Speakers: separated, hint: up to 4').waitFor();
  await lens(workbench, 'Language: detected once on the first utterance').click();
  const explanation = await workbench.webview(/language\.md/);
  await explanation.getByText('more than 100 languages compete').first().waitFor();
  await page.keyboard.press('Control+W');
});

test('a finding is explained where it is, and fixed by the keyboard alone', async () => {
  const { workbench } = session();
  const { page } = workbench;
  const editor = await workbench.openFile('podcast.transcription.json');
  const before = await editor.text();
  // Before the file has been checked there is nothing to fix.
  await editor.area.locator('.squiggly-warning').first().waitFor();
  await editor.goTo(5, 24);
  await editor.openFixes('Remove code_switching');
  await page.keyboard.press('Enter');
  await lens(workbench, 'Language: en').waitFor();
  const after = before.replace(',\n    "code_switching": true', '');
  await until('the finding is fixed', async () => (await editor.text()) === after);
});

test('a new request begins with a template, its cursor on the address', async () => {
  const { workbench } = session();
  await workbench.runCommand('Transcription: New Request File…');
  await workbench.quickInput.pick('Meeting');
  await workbench.textEditor.shown('meeting.transcription.json');
  await workbench.textEditor.type('https://media.example.com/a.mp3');
  assert.equal(
    (JSON.parse(await workbench.textEditor.text()) as { readonly audio_url: string }).audio_url,
    'https://media.example.com/a.mp3',
  );
  await lens(workbench, 'Speakers: separated, hint: 2 to 8').waitFor();
});

test('metadata of loaded jobs is offered', async () => {
  const { workbench } = session();
  const { page } = workbench;
  await workbench.showView('Transcription Jobs');
  const tree = workbench.tree('Jobs');
  await tree.expand(/^Live/);
  await until('a live job is there', async () => (await tree.labels()).length > 3);
  await workbench.runCommand('Transcription: New Request File…');
  await workbench.quickInput.pick('Minimal');
  await workbench.textEditor.shown('minimal.transcription.json');
  await workbench.textEditor.replaceText('{"custom_metadata": {}}');
  await workbench.textEditor.goTo(1, 22);
  await page.keyboard.press('Control+Space');
  await page.locator('.suggest-widget.visible .monaco-list-row', { hasText: 'jobs' }).first().waitFor();
  await page.keyboard.press('Escape');
});

test('a live job makes a request with the same settings, and says what could not be copied', async () => {
  const { workbench } = session();
  await workbench.showView('Transcription Jobs');
  const tree = workbench.tree('Jobs');
  await tree.pickFromMenu(/, live,/, 'New Request with the Same Settings');
  await workbench.textEditor.shown('live.transcription.json');
  const request = JSON.parse(await workbench.textEditor.text()) as Record<string, unknown>;
  assert.equal(request['audio_url'], '');
  assert.ok('language_config' in request);
  await workbench.notifications.press('Settings copied', 'Show List');
  const list = await workbench.webview(/Copied settings/);
  await list.getByRole('heading', { name: 'Without a counterpart in a request' }).waitFor();
  await list.getByText('audio_url').first().waitFor();
});
