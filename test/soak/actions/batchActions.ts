import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import type { SoakBatch } from '../service/soakService.ts';
import type { SoakWindow } from '../soakWindow.ts';
import { sourceOf, type MessageKey } from '../texts.ts';
import type { Action } from './action.ts';
import { showPage } from './showPage.ts';

/** The folder of the workspace in which results are saved. */
export const resultFolder = 'transcripts';
const maxUrls = 4;
/** Max time for all requests of a batch: a silent service delays each of them. */
const sentMs = 45_000;

/** Messages that report how the sending of a batch ended, also of a batch of a single request. */
export const batchEnds: readonly MessageKey[] = [
  'Batch sent: {0}.',
  '"{0}" was submitted as job {1}.',
  'The batch stopped: {0}.',
  'The batch was stopped: {0}.',
  'Another window is continuing this batch.',
];

/** Messages to users whose batch can't be continued. In a browser, each window has the secrets of the time when it was opened. */
export const batchRefusals: readonly MessageKey[] = [
  "This batch can't be continued. The key that identifies its URLs has changed, so it is unclear which ones were already sent. Check the batch, and submit a list of the URLs that are left.",
];

/** Submits a new list of audio URLs, whose results are saved when its jobs are done, and sometimes shows its page. */
export const submitBatch: Action = async (window) => {
  const { workbench, texts, service, folder, random } = window;
  const { quickInput, notifications } = workbench;
  const name = `calls-${service.batches.length + 1}`;
  const batch: SoakBatch = {
    list: `${name}.txt`,
    urls: Array.from({ length: random.integer(1, maxUrls) }, (_, at) => `https://audio.example/${name}-${at + 1}.mp3`),
    runs: [],
  };
  service.batches.push(batch);
  writeFileSync(join(folder, batch.list), batch.urls.join('\n'));
  await workbench.runCommand('Notifications: Clear All Notifications');
  await workbench.openFile(batch.list);
  await workbench.ask(texts.command('command.submitBatch'), texts.start('Submit "{0}"'));
  await quickInput.pick('podcast.transcription.json');
  await quickInput.shown(texts.start('{0}: {1} URLs in "{2}"'));
  const fileName = quickInput.item(texts.message('File name of the audio')).first().getByRole('checkbox');
  // The last choice is proposed.
  if (!(await fileName.isChecked())) await fileName.click();
  await window.accept('{0}: {1} URLs in "{2}"');
  await confirmBatch(window, batch);
  if (random.chance(0.5)) return;
  await notifications.press(texts.start(...batchEnds), texts.message('Show Batch'));
  await showBatch(window, batch);
};

/** Confirms the question before requests of a batch are sent, with the wish to save the results, and waits until they are sent. */
async function confirmBatch(window: SoakWindow, { runs }: SoakBatch): Promise<void> {
  const { workbench, texts, service } = window;
  const submit = submitButton(window);
  await submit.waitFor();
  const wish = workbench.dialogButton(texts.whole('Save Results When Done…'));
  // This answer, too.
  if (await wish.isVisible()) {
    await wish.click();
    await window.accept('Save Results When Done: {0}');
    await workbench.quickInput.pick(resultFolder);
    await submit.waitFor();
  }
  runs.push(service.posts.length);
  await submit.click();
  await workbench.notifications
    .withText(texts.start(...batchEnds))
    .first()
    .waitFor({ timeout: sentMs });
}

function submitButton({ workbench, texts }: SoakWindow): Locator {
  return workbench.dialogButton(texts.whole('Submit', 'Submit Anyway', 'Submit Again'));
}

/** Shows the page of a batch, continues the batch if something is left, and opens the page of a job that is done. */
export const useBatch: Action = async (window) => {
  const { workbench, texts } = window;
  const batch = someBatch(window);
  if (batch === undefined) return submitBatch(window);
  await workbench.runCommand('Notifications: Clear All Notifications');
  const page = await showBatch(window, batch);
  const rest = page.getByRole('button', { name: texts.start('Submit the Remaining {0}') });
  if (await rest.isVisible()) {
    await rest.click();
    const refused = workbench.notifications.withText(texts.start(...batchRefusals)).first();
    await refused.or(submitButton(window)).first().waitFor();
    if (await refused.isVisible()) return;
    await confirmBatch(window, batch);
  }
  const again = page.getByRole('button', { name: texts.whole('Refresh') });
  if (await again.isVisible()) await again.click();
  await batchSettled(page);
  const done = doneRow(window, page);
  if ((await done.count()) === 0) return workbench.runCommand('View: Close Editor');
  const title = await done.getByRole('rowheader').innerText();
  await done.dblclick();
  await workbench.page.locator('.tabs-container .tab[aria-selected="true"]', { hasText: title }).first().waitFor();
};

/** Returns one of the batches that were sent. */
export function someBatch({ service, random }: SoakWindow): SoakBatch | undefined {
  const sent = service.batches.filter(({ runs }) => runs.length > 0);
  return sent[random.integer(0, Math.max(0, sent.length - 1))];
}

/** Returns the first row of a batch's page whose job is done. */
export function doneRow({ texts }: SoakWindow, page: FrameLocator): Locator {
  return page.locator('.grid-body [role=row]', { hasText: texts.part('Done/one job') }).first();
}

/** Shows the page of a batch, from the list of submissions if it is not open, and waits until it has read the jobs. */
export async function showBatch({ workbench, texts }: SoakWindow, { list }: SoakBatch): Promise<FrameLocator> {
  const title = new RegExp(`^\\s*${texts.pattern('Batch: {0}, {1}').replace('.*', sourceOf(list))}`, 'u');
  const open = async (): Promise<void> => {
    const { quickInput, page } = workbench;
    await workbench.ask(texts.command('command.showSubmissions'), texts.start('Submissions to {0}'));
    await quickInput.type(list);
    await page.locator('.quick-input-widget .monaco-list-row', { hasText: list }).first().click();
    await workbench.editorTab(title).first().waitFor();
  };
  return showPage(workbench, title, open, batchSettled);
}

/** Returns the title of a job of a list: the file name of its audio. */
export function titleOfAudio(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1);
}

/** Waits until the page of a batch has rows, and nothing is being read. */
async function batchSettled(page: FrameLocator, timeout?: number): Promise<void> {
  const row = page.locator('main:not([aria-busy="true"]) .grid-body [role=row]').first();
  await row.waitFor(timeout === undefined ? {} : { timeout });
}
