import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../../support/until.ts';
import { useWorkbench } from '../../support/workbench/useWorkbench.ts';

const session = useWorkbench(import.meta.filename);

/** Opens a request, puts the cursor behind a piece of it, and pastes. @returns what the text has become */
async function paste(name: string, text: string, piece: string, pasted: string): Promise<string> {
  const { workbench, folder } = session();
  const { page } = workbench;
  writeFileSync(join(folder, name), text);
  const editor = await workbench.openFile(name);
  // Its line in the editor: findings and pastes come from the same part, which is loaded by then.
  await editor.area.locator('.codelens-decoration a', { hasText: 'Check' }).first().waitFor();
  await editor.focus();
  await page.keyboard.press('Control+Home');
  for (let moved = 0; moved < text.indexOf(piece) + piece.length; moved++) await page.keyboard.press('ArrowRight');
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(pasted)})`);
  const lines = editor.area.locator('.view-lines');
  const before = await lines.innerText();
  await page.keyboard.press('Control+V');
  // Reading the text selects it, which would cancel a paste that is being understood.
  await until('the paste is shown', async () => (await lines.innerText()) !== before);
  return until('the text has changed', async () => {
    const now = await editor.text();
    return now === text ? undefined : now;
  });
}

test('rows of a spreadsheet become terms', async () => {
  const text = '{ "custom_vocabulary": true, "custom_vocabulary_config": { "vocabulary": [] } }';
  const after = await paste('terms.transcription.json', text, '[', 'Nguyen\twin\t0.5\tvi\nHelm\n');
  const config = (JSON.parse(after) as { readonly custom_vocabulary_config: unknown }).custom_vocabulary_config;
  assert.deepEqual(config, {
    vocabulary: [{ value: 'Nguyen', pronunciations: ['win'], intensity: 0.5, language: 'vi' }, 'Helm'],
  });
});

test('of several addresses the first is pasted, and the list can be submitted', async () => {
  const { workbench } = session();
  const addresses = 'https://media.example.com/a.mp3\nhttps://media.example.com/b.mp3\n';
  await workbench.runCommand('Transcription: Try It with Sample Jobs');
  await workbench
    .tree('Jobs')
    .row(/^Processing/)
    .first()
    .waitFor();
  await workbench.runCommand('View: Show Explorer');
  const after = await paste('several.transcription.json', '{ "audio_url": "" }', ': "', addresses);
  assert.deepEqual(JSON.parse(after), { audio_url: 'https://media.example.com/a.mp3' });
  // The list is the one that was pasted, also when the clipboard has something else by now.
  await workbench.page.evaluate(`navigator.clipboard.writeText('something else')`);
  await workbench.notifications.press(/2 URLs were pasted/, 'Submit the List…');
  await workbench.dialogButton('Submit').waitFor();
  assert.match(await workbench.dialogText(), /^Submit 2 /);
  await workbench.dialogButton('Cancel').click();
});

test('a cURL command becomes a request in the names of today, without its key', async () => {
  const command = `curl https://api.example.com/v2/pre-recorded -H 'x-service-key: secret' \\\n  -d '{"audio_url":"https://media.example.com/a.mp3","language":"fr"}'`;
  const after = await paste('curl.transcription.json', '{}', '{', command);
  assert.deepEqual(JSON.parse(after), {
    audio_url: 'https://media.example.com/a.mp3',
    language_config: { languages: ['fr'] },
  });
  await session().workbench.statusBarItem('Only the request body was pasted').waitFor();
});

test('a file of this machine is no audio that a service could fetch, and what does is said', async () => {
  const { workbench, folder } = session();
  const { page } = workbench;
  writeFileSync(join(folder, 'local.transcription.json'), '{ "audio_url": "" }');
  const editor = await workbench.openFile('local.transcription.json');
  await editor.area.locator('.codelens-decoration a', { hasText: 'Check' }).first().waitFor();
  await editor.focus();
  await page.keyboard.press('Control+Home');
  for (let moved = 0; moved < 16; moved++) await page.keyboard.press('ArrowRight');
  await page.evaluate(`navigator.clipboard.writeText('/home/me/talk.mp3')`);
  await page.keyboard.press('Control+V');
  assert.deepEqual(await workbench.notifications.buttons("can't see files on this computer"), ['Learn More']);
  assert.deepEqual(JSON.parse(await editor.text()), { audio_url: '' });
});
