import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Action } from './action.ts';
import { doneRow, showBatch, someBatch, submitBatch } from './batchActions.ts';
import { refresh } from './browseActions.ts';

/** The folder of the workspace in which users save single transcripts. */
export const savedFolder = 'saved';

/** Saves the subtitles of a job of a batch that is done, under a new name. */
export const saveTranscript: Action = async (window) => {
  const { workbench, texts, folder, saved } = window;
  const { quickInput, notifications } = workbench;
  await workbench.runCommand('Notifications: Clear All Notifications');
  const batch = someBatch(window);
  if (batch === undefined) return submitBatch(window);
  const page = await showBatch(window, batch);
  const done = doneRow(window, page);
  if ((await done.count()) === 0) return refresh(window);
  const job = await done.getByRole('rowheader').innerText();
  await done.click();
  const title = 'Save Transcript: {0}';
  await workbench.ask(page.getByRole('button', { name: texts.whole('Save Transcript…') }), texts.start(title));
  // The last choice is proposed, also that of a batch, which may have several formats.
  for (const row of await workbench.page.locator('.quick-input-widget .monaco-list-row').all()) {
    const box = row.getByRole('checkbox').first();
    const isWanted = /SubRip/u.test(await row.innerText());
    if ((await box.isChecked()) !== isWanted) await box.click();
  }
  await window.accept(title);
  mkdirSync(join(folder, savedFolder), { recursive: true });
  const name = `${saved.length + 1} ${texts.language} ${job}.srt`;
  // Until it has read the folder, the dialog may overwrite the input with its own suggestion.
  await quickInput.item('..').waitFor();
  await quickInput.input.fill(join(folder, savedFolder, name));
  await window.accept('Save Transcript');
  await notifications.withText(texts.start('The transcript is saved in {0}.')).first().waitFor();
  saved.push({ job, name });
};
