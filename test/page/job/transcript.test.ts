import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { fixtureItem } from '../../support/details/fixtureItems.ts';
import { stubEditor } from '../../support/page/editorStub.ts';
import { spokenJob, translatedJob } from '../../support/page/jobItems.ts';
import { JobScene } from '../../support/page/jobScene.ts';
import { pageUntil, usePages } from '../../support/page/usePages.ts';

const pages = usePages();
const done = fixtureItem('preRecordedDone');

test('shows the transcript first, whose lines show time, speaker, language and text', async () => {
  const { page } = await new JobScene(pages).open(done);
  assert.equal(await page.locator('h2').first().innerText(), 'Transcript');
  const lines = page.locator('.line');
  assert.match(await lines.first().innerText(), /^00:00 · Speaker 1 \(en\) · Every evening/);
  assert.match(await lines.nth(1).innerText(), /^00:05 · It was an order once/);
  assert.match(await lines.nth(2).innerText(), /^00:13 · Speaker 2 \(fr\) · C'est la lumière/);
});

test('finds text regardless of case, wraps around when stepping through the hits, and clears them with Escape', async () => {
  const { page } = await new JobScene(pages).open(done);
  const box = page.getByRole('searchbox', { name: 'Find in transcript' });
  const lines = page.locator('.line');
  await box.fill('IT');
  const hits = page.getByRole('search').getByRole('status');
  await hits.filter({ hasText: '1 of 5' }).waitFor();
  await box.press('Shift+Enter');
  await hits.filter({ hasText: '5 of 5' }).waitFor();
  assert.deepEqual(await page.locator('mark').allInnerTexts(), ['it', 'It', 'it', 'it', 'it']);
  assert.equal(await lines.nth(2).locator('mark.current').count(), 1);
  await box.press('Enter');
  await hits.filter({ hasText: '1 of 5' }).waitFor();
  await page.getByRole('button', { name: 'Next hit' }).click();
  await hits.filter({ hasText: '2 of 5' }).waitFor();
  await page.getByRole('button', { name: 'Previous hit' }).click();
  await hits.filter({ hasText: '1 of 5' }).waitFor();
  await box.fill('nowhere');
  await hits.filter({ hasText: 'No hits' }).waitFor();
  await box.press('Escape');
  assert.equal(await page.locator('mark').count(), 0);
  assert.equal(await box.inputValue(), '');
});

test('copies the turn of the hit, the turn under the mouse, and the whole transcript', async () => {
  const { page } = await new JobScene(pages).open(done);
  await page.getByRole('searchbox', { name: 'Find in transcript' }).fill('lumière');
  await page.getByRole('search').getByRole('button', { name: 'Copy turn' }).click();
  const last = "00:13 · Speaker 2 (fr) · C'est la lumière qui rentre, disait son père, pas nous.";
  await pageUntil('the turn of the hit is copied', () => stubEditor.clipboard === last);
  await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor({ state: 'attached' });

  const lines = page.locator('.line');
  const tools = page.locator('.turn-tools');
  assert.equal(await tools.isVisible(), false);
  await lines.first().hover();
  // It is shown for a short time.
  await Promise.all([tools.locator('.icon-check').waitFor(), tools.getByRole('button', { name: 'Copy turn' }).click()]);
  const [begin, end] = await lines.allInnerTexts();
  const first = `${begin} ${end?.replace(/^[\d:]+ · /u, '')}`;
  await pageUntil('the turn under the mouse is copied', () => stubEditor.clipboard === first);
  await page.getByRole('heading', { name: 'Transcript' }).hover();
  await tools.waitFor({ state: 'hidden' });

  await page.getByRole('button', { name: 'Copy transcript' }).click();
  await pageUntil('all of it is copied', () => stubEditor.clipboard.trimEnd() === `${first}\n\n${last}`);
});

test('shows the confidence of each line on request', async () => {
  const { page } = await new JobScene(pages).open(done);
  const button = page.getByRole('button', { name: 'Confidence' });
  const line = page.locator('.line').first();
  assert.doesNotMatch(await line.innerText(), /%/);
  await button.click();
  await line.filter({ hasText: '97%' }).waitFor();
  assert.equal(await button.getAttribute('aria-pressed'), 'true');
});

test('shows and copies the name that the user gives to a speaker by keyboard', async () => {
  const { page } = await new JobScene(pages).open(done);
  stubEditor.answer = 'Inès';
  const rename = page.getByRole('button', { name: 'Rename speaker: Speaker 1 (en)' });
  await rename.press('Enter');
  await page.locator('.speaker').getByText('Inès (en)').waitFor();
  assert.ok(stubEditor.messages.includes('input Name of Speaker 1'));
  await page.getByRole('button', { name: 'Copy transcript' }).click();
  await pageUntil('it is copied', () => stubEditor.clipboard.startsWith('00:00 · Inès (en) · Every evening'));
});

test('renames a speaker by a click on the name in any of their turns', async () => {
  const said = (text: string, speaker: number): object => ({ text, start: 0, end: 1, speaker, language: 'en' });
  const utterances = [said('One', 0), said('Two', 1), said('Three', 0)];
  const { page } = await new JobScene(pages).open({ ...done, result: { transcription: { utterances } } } as JsonObject);
  assert.deepEqual(
    await page.locator('.speaker').allInnerTexts(),
    ['Speaker 1 (en)', 'Speaker 2', 'Speaker 1'],
    'the language is named where it changes',
  );
  stubEditor.answer = 'Inès';
  await page.locator('.speaker').nth(2).click();
  await pageUntil('both are renamed', async () => (await page.locator('.speaker').getByText('Inès').count()) === 2);
});

test('lines are about 75 characters wide, and wrap under their text', async () => {
  const utterances = [{ text: 'the quick brown fox jumps over the lazy dog '.repeat(9), start: 0, end: 9, speaker: 0 }];
  const { page } = await new JobScene(pages).open({ ...done, result: { transcription: { utterances } } });
  const { longest, indents } = await page.locator('.line .said').evaluate((said) => {
    const [text] = said.childNodes;
    const range = document.createRange();
    const tops = new Map<number, { left: number; count: number }>();
    const node = [...said.childNodes].find(({ nodeType }) => nodeType === Node.TEXT_NODE) ?? text;
    if (node === undefined) throw new Error('no text');
    for (let index = 0; index < (node.textContent?.length ?? 0); index++) {
      range.setStart(node, index);
      range.setEnd(node, index + 1);
      const { top, left, width } = range.getBoundingClientRect();
      if (width === 0) continue;
      const row = tops.get(top) ?? { left, count: 0 };
      tops.set(top, { left: Math.min(row.left, left), count: row.count + 1 });
    }
    const rows = [...tops.values()].slice(1, -1);
    const line = said.closest('.line')?.getBoundingClientRect().left ?? 0;
    return { longest: Math.max(...rows.map(({ count }) => count)), indents: rows.map(({ left }) => left - line) };
  });
  assert.ok(longest >= 65 && longest <= 85, `${longest} characters`);
  assert.ok(
    indents.every((indent) => indent > 30),
    indents.join(' '),
  );
});

test('prompts for the format when saving', async () => {
  const { page } = await new JobScene(pages).open(done);
  await page.getByRole('button', { name: 'Save Transcript' }).click();
  await pageUntil('the format is asked for', () =>
    stubEditor.messages.includes('pick Save Transcript: Harbour lights, episode 12'),
  );
});

test('shows a translation beside the transcript, line by line, and hides it again', async () => {
  const { page } = await new JobScene(pages).open(translatedJob);
  const beside = page.locator('.line.beside');
  const button = page.getByRole('button', { name: 'Translation: en' });
  await button.click();
  await beside.nth(1).waitFor();
  assert.equal(await button.getAttribute('aria-pressed'), 'true');
  const [original, translation] = await beside.nth(1).locator('.said').all();
  assert.deepEqual([await original?.innerText(), await translation?.innerText()], ['Le canal.', 'The canal.']);
  const [left, right] = [await original?.boundingBox(), await translation?.boundingBox()];
  assert.ok(left && right && right.x > left.x + left.width && Math.abs(right.y - left.y) < left.height, 'side by side');
  await button.press('Enter');
  await beside.first().waitFor({ state: 'detached' });
});

test('shows a translation below the transcript if there is no room beside it', async () => {
  const { page } = await new JobScene(pages).open(translatedJob, { size: { width: 400, height: 700 } });
  await page.getByRole('button', { name: 'Translation: en' }).click();
  const [original, translation] = await page.locator('.line.beside').nth(1).locator('.said').all();
  const [upper, lower] = [await original?.boundingBox(), await translation?.boundingBox()];
  assert.ok(upper && lower && lower.y >= upper.y + upper.height - 1);
});

test('shows what failed inside a done job', async () => {
  const { page } = await new JobScene(pages).open(translatedJob);
  assert.equal(await page.locator('header .reason').innerText(), 'Failed in part');
  await page.locator('header .notes').getByText('Summary failed: Too long').waitFor();
});

test('opens at the text that a job was found by, also for the next job in the same tab', async () => {
  const scene = new JobScene(pages);
  const { page, panel } = await scene.openJob(scene.deps.load(done), {}, ['not said', 'LAMP is lit', 'six']);
  const current = page.locator('mark.current');
  const marked = (text: string): Promise<void> => current.filter({ hasText: new RegExp(`^${text}$`) }).waitFor();
  await marked('lamp is lit');
  await pageUntil('the page has said so', () => panel.received.some(({ type }) => type === 'found'));
  scene.panels.open(scene.deps.load(translatedJob), { find: ['canal'] });
  await marked('canal');
  scene.panels.open(scene.deps.load(done), { find: ['nobody'] });
  await marked('nobody');
  scene.panels.open(scene.deps.load(translatedJob));
  await page.getByRole('heading', { name: 'A visit to the studio' }).waitFor();
  assert.equal(await current.count(), 0);
});

test('opens at a text that only a translation has, beside the original, and searches what is shown', async () => {
  const scene = new JobScene(pages);
  const { page } = await scene.openJob(scene.deps.load(translatedJob), {}, ['canal lamp', 'The canal']);
  await page.locator('.beside mark.current', { hasText: /^The canal$/ }).waitFor();
  const hits = page.locator('.hits');
  await page.getByRole('searchbox').fill('canal');
  await hits.getByText('1 of 2').waitFor();
  await page.getByRole('button', { name: 'Next hit' }).click();
  await hits.getByText('2 of 2').waitFor();
  await page.getByRole('button', { name: 'Translation: en' }).click();
  await hits.getByText('1 of 1').waitFor();
  await page.locator('mark.current', { hasText: /^canal$/ }).waitFor();
});

test('draws thousands of turns, and scrolls to a hit in the last ones', async () => {
  const { page } = await new JobScene(pages).open(spokenJob(3000));
  const lines = page.locator('.line');
  await pageUntil('all lines are drawn', async () => (await lines.count()) === 3000);
  await page.getByRole('searchbox').fill('Sentence 2987');
  const hit = page.locator('mark.current');
  await hit.waitFor();
  await pageUntil('the hit is in sight', () =>
    hit.evaluate((mark) => {
      const { top, bottom } = mark.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    }),
  );
});
