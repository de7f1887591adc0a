import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { useRemoteService } from '../../support/remote/remoteService.ts';
import { until } from '../../support/until.ts';
import { useWorkbench } from '../../support/workbench/useWorkbench.ts';
import type { Workbench } from '../../support/workbench/workbench.ts';

const remote = await useRemoteService({ count: 200, clock: () => Date.parse('2026-11-20T12:00:00Z') });
const [connection] = remote.userSettings['transcriptionJobs.connections'] as readonly object[];
/** Includes its request parameters, as some services do for pre-recorded jobs. */
remote.sample.add({
  status: 'error',
  errorCode: 415,
  createdAt: Date.parse('2026-11-20T11:59:00Z'),
  fields: {
    custom_metadata: { title: 'Echoing call' },
    request_params: {
      audio_url: 'https://media.example.com/call.xyz',
      language: 'fr',
      diarization: true,
      diarization_config: { max_speakers: 3, number_of_speakers: null },
      moderation: true,
    },
  },
});
const session = useWorkbench(import.meta.filename, {
  userSettings: {
    ...remote.userSettings,
    // Applies the knowledge of this service.
    'transcriptionJobs.connections': [{ ...connection, service: 'gladia' }],
    // Old names are pasted as they are here: `pasteRequests.test.ts` shows what becomes of them.
    'editor.pasteAs.enabled': false,
    'transcriptionJobs.errorLabels': { '415': 'Unsupported format' },
  },
  env: remote.env,
});

/**
 * Picks a suggestion by its label, after typing enough for it to be visible. Requests suggestions repeatedly, because
 * the editor's JSON service may not have loaded the schema yet.
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
  // The list can be searched by names, too.
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

/** The expected result of fixing the pasted request. */
const clean = {
  audio_url: 'https://media.example.com/a.mp3',
  language_config: { languages: ['fr'], code_switching: false },
  diarization: true,
  diarization_config: { max_speakers: 4 },
  custom_vocabulary: true,
  custom_vocabulary_config: { vocabulary: ['Kubernetes', 'Helm'] },
  callback: true,
  callback_config: { url: 'https://hooks.example.com/a' },
  translation: true,
  translation_config: { target_languages: ['en'] },
  subtitles: true,
  subtitles_config: { formats: ['srt'], maximum_duration: 30 },
};

test('a request with the names of earlier versions and other services is pasted, and Fix all leaves it clean', async () => {
  const { workbench, folder } = session();
  const { page } = workbench;
  writeFileSync(join(folder, 'pasted.transcription.json'), '{}');
  const editor = await workbench.openFile('pasted.transcription.json');
  await editor.replaceText(`{
  "audio_url": "https://media.example.com/a.mp3",
  "language": "french",
  "detect_language": false,
  "enable_code_switching": false,
  "diarize": true,
  "max_speakers": 4,
  "diarization_config": { "enhanced": true, "min_speakers": null },
  "keywords": ["Kubernetes", "Helm"],
  "callback_url": "https://hooks.example.com/a",
  "target_translation_language": "en",
  "subtitles": true,
  "subtitles_config": { "format": "srt", "maximum_duration": 45 },
  "context_prompt": "A meeting"
}`);
  await editor.area.locator('.squiggly-warning').first().waitFor();
  // Repeated because some findings only appear after a fix. The status bar is updated last.
  for (let times = 0; times < 5 && !isDeepStrictEqual(JSON.parse(await editor.text()), clean); times++) {
    const before = await editor.text();
    await editor.openFixes('Fix all that can be fixed in this request', false);
    await page.locator('.action-widget').getByText('Fix all that can be fixed in this request').click();
    await until('the text is another', async () => (await editor.text()) !== before);
  }
  await workbench.problems({ errors: 0, warnings: 0 });
  assert.deepEqual(JSON.parse(await editor.text()), clean);
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
  // Fixes are only available after the file has been checked.
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
  await workbench.runAndPick('Transcription: New Request File…', 'Meeting');
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
  await workbench.runAndPick('Transcription: New Request File…', 'Minimal');
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
  await tree.pickFromMenu(
    /, live,/,
    'New Request with the Same Settings',
    workbench.editorTab('live.transcription.json'),
  );
  await workbench.textEditor.shown('live.transcription.json');
  const request = JSON.parse(await workbench.textEditor.text()) as Record<string, unknown>;
  assert.equal(request['audio_url'], '');
  assert.ok('language_config' in request);
  await workbench.notifications.press('Settings copied', 'Show List');
  const list = await workbench.webview(/Copied settings/);
  await list.getByRole('heading', { name: 'No equivalent in a request' }).waitFor();
  await list.getByText('audio_url').first().waitFor();
});

test('a job that echoes its request has it on its page by purpose, with its effect, and is retried from there', async () => {
  const { workbench } = session();
  await workbench.showView('Transcription Jobs');
  const tree = workbench.tree('Jobs');
  await tree.expand('Failed');
  await tree.click('Echoing call', workbench.editorTab('Echoing call'));
  const page = await workbench.webview('Echoing call');
  const section = page.locator('section', { has: page.getByRole('heading', { name: 'Parameters' }) });
  for (const words of [
    'Language: fr',
    'Speakers: separated, hint: up to 3',
    'diarization_config.max_speakers',
    'Old name, now language_config.languages',
    'moderation',
  ]) {
    await section.getByText(words).first().waitFor();
  }
  for (const group of ['Audio', 'Speakers', 'More output']) await section.getByText(group, { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Retry with Other Settings' }).click();
  await workbench.textEditor.shown('retry.transcription.json');
  await workbench.notifications
    .withText(/415, Unsupported format\. .*another format/)
    .first()
    .waitFor();
  assert.deepEqual(JSON.parse(await workbench.textEditor.text()), {
    audio_url: 'https://media.example.com/call.xyz',
    language_config: { languages: ['fr'] },
    diarization: true,
    diarization_config: { max_speakers: 3 },
    custom_metadata: { title: 'Echoing call' },
  });
});

test('its menu makes a request with the same settings, and tells what has no counterpart', async () => {
  const { workbench } = session();
  await workbench.showView('Transcription Jobs');
  const tree = workbench.tree('Jobs');
  await tree.pickFromMenu(
    'Echoing call',
    'New Request with the Same Settings',
    workbench.editorTab('again.transcription.json'),
  );
  await workbench.textEditor.shown('again.transcription.json');
  await workbench.notifications.press(/No equivalent: 1/, 'Show List');
  const list = await workbench.webview(/Copied settings/);
  await list.getByText('moderation').first().waitFor();
  await list.getByText('Old name: now language_config.languages').waitFor();
  await tree.pickFromMenu(
    'Echoing call',
    'Retry with Other Settings',
    workbench.editorTab('retry-2.transcription.json'),
  );
  await workbench.textEditor.shown('retry-2.transcription.json');
});
