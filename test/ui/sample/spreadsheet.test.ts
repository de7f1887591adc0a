import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isReached, until } from '../../support/until.ts';
import { useWorkbench } from '../../support/workbench/useWorkbench.ts';

const session = useWorkbench(import.meta.filename, {
  userSettings: {
    'transcriptionJobs.connection': 'Sample',
    'transcriptionJobs.autoRefresh.intervalSeconds': 5,
  },
});

const episodes = [
  'Title;Guest;Audio',
  'The long winter;Ada;https://media.example/episode-1.mp3',
  '"Noël, again";Zoë;https://media.example/episode-2.mp3',
  'Lost on the way;Max;https://media.example/episode-3-404.mp3',
].join('\r\n');

const request = {
  audio_url: '',
  language_config: { languages: ['en'] },
  translation: true,
  translation_config: { target_languages: ['fr'] },
  subtitles: true,
  subtitles_config: { formats: ['srt'] },
};

test('from a spreadsheet to files: its columns are chosen, results are saved when they are done, and what failed is first in the batch', async () => {
  const { workbench, folder } = session();
  const { quickInput, page } = workbench;
  writeFileSync(join(folder, 'episodes.csv'), episodes);
  writeFileSync(join(folder, 'episode.transcription.json'), JSON.stringify(request, undefined, 2));
  await workbench.showView('Transcription Jobs');
  await workbench.showView('Explorer');
  const explorer = workbench.tree('Files Explorer');
  // Right after its start, the editor misses new files.
  await until('the list is in the Explorer', async () => {
    const refresh = page.locator('.sidebar').getByRole('button', { name: 'Refresh Explorer' });
    await explorer.root.hover();
    await refresh.click();
    return isReached(explorer.row('episodes.csv').waitFor({ timeout: 2000 }));
  });
  await explorer.pickFromMenu('episodes.csv', 'Submit a List of Audio URLs…', quickInput.step('Submit "episodes.csv"'));
  await quickInput.pick('episode.transcription.json', 'episodes.csv: 3 URLs in "Audio"');
  await quickInput.toggle('Guest');
  await quickInput.accept();
  const asked = await workbench.dialogText();
  assert.match(asked, /Submit 3 requests to Sample\?/);
  assert.match(asked, /episode\.transcription\.json/);
  await workbench.dialogButton('Save Results When Done…').click();
  await quickInput.shown(/^Save Results When Done/);
  await quickInput.accept();
  await quickInput.pick('transcripts');
  await workbench.dialogButton(/^Submit/).click();

  const saved = join(folder, 'transcripts');
  const files = (): readonly string[] => (existsSync(saved) ? readdirSync(saved) : []);
  const expected = [
    'Noël, again.fr.md',
    'Noël, again.fr.srt',
    'Noël, again.md',
    'Noël, again.srt',
    'The long winter.fr.md',
    'The long winter.fr.srt',
    'The long winter.md',
    'The long winter.srt',
  ];
  await until('all files are there', () => JSON.stringify(files().toSorted()) === JSON.stringify(expected));
  assert.match(readFileSync(join(saved, 'The long winter.fr.srt'), 'utf8'), /^1\r?\n00:00:/);

  await workbench.answerAll(async () => {
    await workbench.ask('Transcription: Show Submissions', 'Submissions to Sample');
    await quickInput.pick('Batch of 3');
  });
  await page.locator('.tab.active', { hasText: 'Batch: episodes.csv' }).waitFor();
  // The only page of the window.
  const batch = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
  const rows = batch.locator('.grid-body [role=row]');
  await until('the failed one is first', async () =>
    /Lost on the way\s+Failed/.test((await rows.allInnerTexts())[0] ?? ''),
  );
  await batch.getByRole('button', { name: 'Resubmit Failed…' }).waitFor();
});
