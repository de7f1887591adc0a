import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { until } from '../../support/until.ts';
import { useWorkbench } from '../../support/workbench/useWorkbench.ts';

const session = useWorkbench(import.meta.filename);

test('a request is written from an empty file with completion only', async () => {
  const { workbench, folder } = session();
  writeFileSync(join(folder, 'new.transcription.json'), '');
  const editor = await workbench.openFile('new.transcription.json');
  const { page } = workbench;

  await suggest('Request');
  await editor.type('media.example.com/a.mp3');
  await page.keyboard.press('End');
  await editor.type(',\n');
  await suggest('language_config');
  // The list can be searched by names, too.
  await suggest('"en"', 'english');
  await editor.type(', ');
  await suggest('"fr"', 'fr');
  await page.keyboard.press('Control+End');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('End');
  await editor.type(',\n');
  await suggest('subtitles', 'subti');
  await editor.type(',\n');
  await suggest('subtitles_config', 'subti');

  assert.deepEqual(JSON.parse(await editor.text()), {
    audio_url: 'https://media.example.com/a.mp3',
    language_config: { languages: ['en', 'fr'] },
    subtitles: true,
    subtitles_config: { formats: ['srt', 'vtt'], maximum_characters_per_row: 42, maximum_rows_per_caption: 2 },
  });
  await workbench.problems({ errors: 0, warnings: 0 });
});

test('a finding is fixed where it is by the keyboard alone, and the lens then explains what the request will do', async () => {
  const { workbench } = session();
  const editor = await workbench.openFile('podcast.transcription.json');
  const before = await editor.text();
  // Fixes are only available after the file has been checked.
  await editor.area.locator('.squiggly-warning').first().waitFor();
  await editor.goTo(5, 24);
  await editor.openFixes('Remove code_switching');
  await workbench.page.keyboard.press('Enter');
  await lens('Language: en').waitFor();
  const after = before.replace(',\n    "code_switching": true', '');
  await until('the finding is fixed', async () => (await editor.text()) === after);
  await lens('Language: en').click();
  const explanation = await workbench.webview(/language\.md/);
  await explanation.getByText('more than 100 languages compete').first().waitFor();
  await workbench.page.keyboard.press('Control+W');
});

test('rows of a spreadsheet that are pasted become terms', async () => {
  const { workbench, folder } = session();
  const { page } = workbench;
  const text = '{ "custom_vocabulary": true, "custom_vocabulary_config": { "vocabulary": [] } }';
  writeFileSync(join(folder, 'terms.transcription.json'), text);
  const editor = await workbench.openFile('terms.transcription.json');
  // Findings and pastes come from the same part of the extension, which is loaded by then.
  await lens('Check').waitFor();
  await editor.goTo(1, text.indexOf('[') + 2);
  await page.evaluate(`navigator.clipboard.writeText('Nguyen\\twin\\t0.5\\tvi\\nHelm\\n')`);
  const lines = editor.area.locator('.view-lines');
  const before = await lines.innerText();
  await page.keyboard.press('Control+V');
  // Reading the text selects it, which would cancel a paste that is being understood.
  await until('the paste is shown', async () => (await lines.innerText()) !== before);
  const vocabulary = [{ value: 'Nguyen', pronunciations: ['win'], intensity: 0.5, language: 'vi' }, 'Helm'];
  await until('the terms are there', async () => {
    const after = await editor.text();
    if (after === text) return false;
    assert.deepEqual(JSON.parse(after), { custom_vocabulary: true, custom_vocabulary_config: { vocabulary } });
    return true;
  });
});

/**
 * Picks a suggestion by its label, after typing enough for it to be visible. Requests suggestions repeatedly, because
 * the editor's JSON service may not have loaded the schema yet.
 */
async function suggest(label: string, typed = ''): Promise<void> {
  const { workbench } = session();
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

/** An entry of the line above the request. */
function lens(text: string): Locator {
  return session().workbench.textEditor.area.locator('.codelens-decoration a', { hasText: text }).first();
}
