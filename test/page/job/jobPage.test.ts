import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { Failure } from '../../../src/base/failure.ts';
import { buildAttention, type Attention } from '../../../src/features/attention/common/attention.ts';
import { foldHandled, handledRecords } from '../../../src/features/attention/common/handledMarks.ts';
import { jobKey, type Job } from '../../../src/jobs/common/job.ts';
import { fixtureItem, fixtureText } from '../../support/details/fixtureItems.ts';
import { stubEditor } from '../../support/page/editorStub.ts';
import { echoingJob } from '../../support/page/jobItems.ts';
import { JobScene, toggleSection, type OpenPage } from '../../support/page/jobScene.ts';
import { pageNowMs } from '../../support/page/pageTabs.ts';
import { pageUntil, usePages } from '../../support/page/usePages.ts';

const pages = usePages();

/** Returns the value beside a label of the page. */
function valueOf(page: Page, label: string): Promise<string> {
  return page.locator(`.row:has(> dt :text-is("${label}")) > dd`).innerText();
}

test('labels jobs by a key of the metadata', async () => {
  const { page, panel } = await new JobScene(pages).open(fixtureItem('preRecordedFailed'));
  const buttons = page.getByRole('button', { name: / as Label$/ });
  assert.equal(await buttons.count(), 2);
  await page.getByText('support-fr').hover();
  await buttons.nth(1).click();
  await pageUntil('the page has said so', () => panel.received.some(({ type }) => type === 'useAsLabel'));
  assert.deepEqual(panel.received.at(-1), { type: 'useAsLabel', key: 'queue' });
});

test('shows why and when a job failed, and how long it took', async () => {
  const scene = new JobScene(pages);
  scene.deps.labels = { 503: 'Overloaded' };
  const { page, panel } = await scene.open(fixtureItem('preRecordedFailed'));
  assert.equal(panel.title, 'Call 88213');
  assert.equal(await page.title(), 'Call 88213');
  assert.equal(await page.locator('header .status').innerText(), 'Failed');
  assert.equal(await page.locator('header .reason').innerText(), '503: Overloaded');
  assert.match(await valueOf(page, 'Error code'), /^503: Overloaded/);
  assert.equal(await valueOf(page, 'Processing time'), '12.4 sec');
  assert.equal(await valueOf(page, 'queue'), 'support-fr');
  assert.match(
    await page.locator('header .created').innerText(),
    /^Created\s+Nov 20, 2026, 8:58:40.AM/,
    'in the time zone of the screen',
  );
  assert.deepEqual(await page.locator('.line-of-facts li').allInnerTexts(), ['Processing time: 12.4 sec']);
  await page.locator('header .notes').getByText("Its request isn't known here").waitFor();
  assert.equal(await page.getByRole('button', { name: 'Resubmit…' }).count(), 0);
  const colors = await page
    .locator('header .notes li')
    .last()
    .evaluate((note) => [note, note.querySelector('.icon') ?? note].map((each) => getComputedStyle(each).color));
  assert.equal(colors[0], colors[1], 'advice is no warning');
});

/** Returns the titles of the sections, the open ones with a star. */
function sectionsOf(page: Page): Promise<readonly string[]> {
  return page
    .locator('h2 .fold')
    .evaluateAll((all) => all.map((each) => `${each.textContent.trim()}${each.ariaExpanded === 'true' ? '*' : ''}`));
}

test('shows a job with only an ID, without undefined, null or NaN', async () => {
  const { page } = await new JobScene(pages).open(fixtureItem('nearlyEmpty'));
  await page.getByRole('heading', { name: 'e0000000', level: 1 }).waitFor();
  assert.equal(await valueOf(page, 'Created'), '–');
  assert.doesNotMatch(await page.locator('main').innerText(), /undefined|null|NaN/);
});

test('copies the text that each button names, and confirms it visibly and for screen readers', async () => {
  const { page } = await new JobScene(pages).open(fixtureItem('preRecordedFailed'));
  const copied = async (button: string, matches: RegExp): Promise<string> => {
    await page.getByRole('button', { name: button }).click();
    return pageUntil(`${button} has copied`, () => matches.test(stubEditor.clipboard) && stubEditor.clipboard);
  };
  // Both are shown for a short time.
  await Promise.all([
    page.getByRole('status').filter({ hasText: 'Copied' }).waitFor({ state: 'attached' }),
    page.getByRole('button', { name: 'Copy ID' }).locator('.icon-check').waitFor(),
    copied('Copy ID', /^b20e4f81-6c7a-4d19-8a33-95d1c0e7f6ab$/),
  ]);
  await copied('Copy request ID', /^G-b20e4f81$/);
  await toggleSection(page, 'Raw');
  await copied('Copy as JSON', /^\{\n {2}"id": "b20e4f81/);
  await copied('Copy Link', /^vscode:\/\/transcription-jobs\.transcription-jobs\/job/);
  const command = await copied('Copy List Request as cURL', /^curl /m);
  assert.match(command, /after_date=2026-11-20T07%3A58%3A39\.003Z/);
  assert.match(command, /^x-service-key: \$TRANSCRIPTION_API_KEY$/m);
  // The tick disappears.
  await page.getByRole('button', { name: 'Copy ID' }).locator('.icon-copy').waitFor();
});

test('runs the action of each button in the editor', async () => {
  const scene = new JobScene(pages);
  scene.deps.submitted.add(echoingJob.id);
  const { page } = await scene.open(echoingJob);
  await page.getByRole('button', { name: 'More' }).click();
  for (const [name, asked] of [
    ['Open Request File', `openRequest ${echoingJob.id}`],
    ['New Request with the Same Settings', `newRequest ${echoingJob.id}`],
  ] as const) {
    await page.getByRole('button', { name }).click();
    await pageUntil(name, () => scene.deps.asked.at(-1) === asked);
  }
  await page.getByRole('button', { name: 'Retry with Other Settings' }).click();
  await pageUntil('the request of the job', () => scene.deps.retried.some(({ id }) => id === echoingJob.id));
  await toggleSection(page, 'Raw');
  await page.getByRole('button', { name: 'Open as JSON' }).click();
  await pageUntil('the document', () => scene.documents.includes(`json ${echoingJob.id}`));
  await toggleSection(page, 'Details');
  await page.getByRole('button', { name: 'Edit the label of error code 503' }).click();
  await pageUntil('the label', () => stubEditor.messages.includes('input Label for Error Code 503'));
  stubEditor.answer = 'Open';
  await page.getByRole('button', { name: 'Open Audio in Browser' }).click();
  await pageUntil('the audio', () => stubEditor.asked.includes('external https://media.example.com/call.xyz'));
  assert.match(stubEditor.messages.join('\n'), /Host: media\.example\.com/);
});

test('offers to watch a job and to save its results only until it has finished', async () => {
  const scene = new JobScene(pages);
  const item = fixtureItem('preRecordedProcessing');
  const { page } = await scene.open(item);
  const watch = page.getByRole('button', { name: 'Watch Until It Finishes' });
  await watch.click();
  await pageUntil('it is watched', () => scene.deps.asked.includes(`watch ${item.id}`));
  const save = page.getByRole('button', { name: 'Save Results When Done…' });
  await save.click();
  await pageUntil('its results are wanted', () => scene.deps.asked.includes(`saveWhenDone ${item.id}`));
  scene.deps.load({ ...item, status: 'done', completed_at: '2026-11-20T10:00:00.000Z' });
  await watch.waitFor({ state: 'detached' });
  await save.waitFor({ state: 'detached' });
});

test('opens addresses through the editor, and shows text that only looks like an address as text', async () => {
  const scene = new JobScene(pages);
  const { page } = await scene.open({
    ...fixtureItem('preRecordedFailed'),
    custom_metadata: {
      archive: 'https://archive.example.com/harbour-lights/12',
      shady: 'https://еxample.com/',
      spaced: 'https://example.com/ x',
      mail: 'mailto:a@example.com',
    },
  });
  assert.deepEqual(await page.getByRole('link').allInnerTexts(), ['https://archive.example.com/harbour-lights/12']);
  await page.getByRole('link').click();
  await pageUntil('the address is opened', () =>
    stubEditor.asked.includes('external https://archive.example.com/harbour-lights/12'),
  );
});

test('expands nested values, keeps all digits of numbers, and collapses again', async () => {
  const { page } = await new JobScene(pages).open(fixtureText('preRecordedDone'));
  await toggleSection(page, 'Details');
  const producer = page.getByRole('button', { name: 'producer: 3 entries' });
  assert.equal(await producer.getAttribute('aria-expanded'), 'false');
  await producer.click();
  await page.getByText('Inès Laurent').waitFor();
  assert.equal(await producer.getAttribute('aria-expanded'), 'true');
  assert.equal(await valueOf(page, 'order'), '90071992547409931');
  await producer.click();
  await page.getByText('Inès Laurent').waitFor({ state: 'detached' });
});

test('shows an echoed request by purpose, with descriptions and renamed settings', async () => {
  const { page } = await new JobScene(pages).open(echoingJob);
  const section = page.locator('section', { has: page.getByRole('heading', { name: 'Request' }) });
  for (const words of [
    'Language: fr',
    'Speakers on one channel: separated, hint: up to 3',
    'diarization_config.max_speakers',
    'Old name, now language_config.languages',
    'moderation',
  ]) {
    await section.getByText(words).first().waitFor();
  }
  const groups = await section.locator('h3').allInnerTexts();
  for (const group of ['Audio', 'Speakers', 'More output']) assert.ok(groups.includes(group), groups.join());
  await page.getByRole('button', { name: 'Retry with Other Settings' }).waitFor();
});

test('shows the switches of messages and callback of a live session side by side', async () => {
  const { page } = await new JobScene(pages).open(fixtureItem('liveDone'));
  const table = page.locator('.part-messages').getByRole('table');
  const row = table.getByRole('row', { name: /^Speech events/ });
  assert.deepEqual(await row.getByRole('cell').allInnerTexts(), ['On', 'Off']);
});

test('follows a running job without losing focus, selection, scroll position or folds', async () => {
  const scene = new JobScene(pages);
  const item = { ...fixtureItem('preRecordedProcessing'), extra: { note: 'kept open' } };
  const { page, panel } = await scene.open(item, { size: { width: 900, height: 300 } });
  await page
    .getByRole('listitem')
    .filter({ hasText: /2 hr 4 min.* so far/ })
    .waitFor();
  await toggleSection(page, 'Raw');
  const fold = page.getByRole('button', { name: 'speakers: 2 entries' });
  await fold.click();
  await page
    .locator('.row:has(> dt :text-is("room")) > dd')
    .evaluate((value) => document.getSelection()?.selectAllChildren(value));
  const state = (): Promise<object> =>
    fold.evaluate((button) => ({
      focused: document.activeElement === button,
      unfolded: button.ariaExpanded,
      selected: String(document.getSelection()),
      isScrolled: window.scrollY > 0,
    }));
  const before = await state();
  assert.deepEqual(before, { focused: true, unfolded: 'true', selected: 'Main hall', isScrolled: true });

  scene.deps.load({ ...item, status: 'done', completed_at: '2026-11-20T10:00:00.000Z' });
  await page.getByRole('status').filter({ hasText: 'Status: Done' }).waitFor({ state: 'attached' });
  await page.getByText('so far').waitFor({ state: 'hidden' });
  assert.deepEqual(await state(), before);
  assert.equal(panel.title, 'Board meeting, part 2');
});

test('keeps counting while a job is processed', async () => {
  const clock = { prepare: (page: Page) => page.clock.install({ time: pageNowMs }) };
  const { page } = await new JobScene(pages).open(fixtureItem('preRecordedProcessing'), clock);
  const length = page.locator('.line-of-facts li');
  assert.match(await length.innerText(), /^2 hr 4 min.* so far$/);
  await page.clock.fastForward('01:00:20');
  await length.filter({ hasText: /^3 hr 5 min/ }).waitFor();
  await page.getByText('3 hours ago').waitFor();
});

test('shows the next job in the same tab from its top, with everything collapsed', async () => {
  const scene = new JobScene(pages);
  const { page, panel } = await scene.open(fixtureItem('preRecordedDone'), { size: { width: 900, height: 300 } });
  await toggleSection(page, 'Details');
  await page.getByRole('button', { name: 'chapters: 4 items' }).click();
  await page.getByText('Storm warning').waitFor();
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  const other = {
    ...fixtureItem('preRecordedDone'),
    id: 'other',
    custom_metadata: { title: 'B', chapters: ['One', 'Two'] },
  };
  scene.panels.open(scene.deps.load(other));
  await page.getByRole('heading', { name: 'B', level: 1, exact: true }).waitFor();
  assert.equal(panel.title, 'B');
  assert.equal(await page.evaluate(() => scrollY), 0);
  assert.equal(await page.getByRole('button', { name: 'chapters: 2 items' }).getAttribute('aria-expanded'), 'false');
});

test('remembers which sections the user opened for the next job, live jobs apart, also on new pages', async () => {
  const scene = new JobScene(pages);
  const { page, panel } = await scene.open(fixtureItem('preRecordedDone'));
  assert.deepEqual(await sectionsOf(page), ['Transcript*', 'Request', 'Details', 'Raw']);
  await toggleSection(page, 'Request');
  await toggleSection(page, 'Transcript');
  await pageUntil('it is stored', () => panel.received.filter(({ type }) => type === 'foldSections').length === 2);

  scene.panels.open(scene.deps.load(fixtureItem('liveDone')));
  await page.getByRole('heading', { name: 'Session' }).waitFor();
  assert.deepEqual(await sectionsOf(page), ['Session*', 'Details', 'Raw']);
  scene.panels.open(scene.deps.load(fixtureItem('preRecordedFailed')));
  await page.getByRole('heading', { name: 'Call 88213', level: 1 }).waitFor();
  assert.deepEqual(await sectionsOf(page), ['Details*', 'Raw'], 'the first one, because none of the chosen exists');
  await toggleSection(page, 'Raw');
  await toggleSection(page, 'Details');
  const whole = { ...fixtureItem('preRecordedDone'), id: 'whole', custom_metadata: { title: 'Whole' } };
  scene.panels.open(scene.deps.load(whole));
  await page.getByRole('heading', { name: 'Whole', level: 1, exact: true }).waitFor();
  assert.deepEqual(await sectionsOf(page), ['Transcript', 'Request*', 'Details', 'Raw*'], 'each as it was chosen');
  await toggleSection(page, 'Raw');

  panel.dispose();
  const next = await scene.open(echoingJob);
  assert.deepEqual(await sectionsOf(next.page), ['Request*', 'Details', 'Raw']);
});

test('keeps the transcript open if the user only chose among the sections of a job without one', async () => {
  const scene = new JobScene(pages);
  const { page } = await scene.open(fixtureItem('preRecordedFailed'));
  await toggleSection(page, 'Raw');
  const whole = { ...fixtureItem('preRecordedDone'), id: 'whole', custom_metadata: { title: 'Whole' } };
  scene.panels.open(scene.deps.load(whole));
  await page.getByRole('heading', { name: 'Whole', level: 1, exact: true }).waitFor();
  assert.deepEqual(await sectionsOf(page), ['Transcript*', 'Request', 'Details', 'Raw*']);
});

test('has at most five buttons under the title, Save Transcript first, and the others under More', async () => {
  const scene = new JobScene(pages);
  scene.deps.submitted.add(echoingJob.id);
  const { result } = fixtureItem('preRecordedDone');
  const { page } = await scene.open({ ...echoingJob, result: result ?? null });
  const names = (): Promise<readonly string[]> => page.locator('header .actions button').allInnerTexts();
  const first = ['Save Transcript…', 'Resubmit…', 'Retry with Other Settings', 'Mark as Handled', 'Mute for…', 'More'];
  assert.deepEqual(await names(), first);
  await page.getByRole('button', { name: 'More' }).click();
  assert.deepEqual((await names()).slice(first.length), [
    'Open Audio in Browser',
    'New Request with the Same Settings',
    'Open Request File',
  ]);
});

test('of a resubmitted job leads to the new one and does not offer to resubmit it again', async () => {
  const scene = new JobScene(pages);
  scene.deps.submitted.add(echoingJob.id);
  const { page } = await scene.open(echoingJob);
  await page.getByRole('button', { name: 'Resubmit…' }).waitFor();
  scene.deps.resubmitted.set(echoingJob.id, 'new-job-1');
  scene.deps.facts.fire();
  await page.getByText('Resubmitted as job new-job-.').waitFor();
  scene.deps.load({ ...fixtureItem('preRecordedFailed'), id: 'new-job-1' });
  await page.getByText('Resubmitted as job new-job-, which failed, too.').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Resubmit…' }).count(), 0);
  await page.getByRole('button', { name: 'Open New Job' }).click();
  await pageUntil('the new job', () => scene.deps.asked.at(-1) === 'open pre-recorded new-job-1');
});

test('says what a failed job has in common with other failures', async () => {
  const scene = new JobScene(pages);
  const jobs = ['a', 'b', 'c'].map((id) => scene.deps.load({ ...fixtureItem('preRecordedFailed'), id }));
  const read = { type: 'read', isCut: false, hasUnreadable: false, isFresh: true } as const;
  const attentionWith = (...marked: readonly Job[]): Attention =>
    buildAttention({
      jobs,
      unfinished: [read],
      failed: [read],
      limits: new Map(),
      atMs: pageNowMs,
      isClockKnown: true,
      partlyFailed: [],
      unknown: [],
      failure: undefined,
      marks: foldHandled(handledRecords(marked, pageNowMs)),
    });
  scene.deps.attention = attentionWith();
  const [job, second, third] = jobs;
  assert.ok(job && second && third);
  const { page } = await scene.openJob(job);
  await page.locator('header .notes').getByText('Error 503: 3 of 3 new failures').waitFor();
  scene.deps.attention = attentionWith(third);
  scene.deps.attentionChanges.fire();
  await page.locator('header .notes').getByText('Error 503: 2 of 2 new failures').waitFor();
  await page.getByRole('button', { name: 'Mark as Handled' }).waitFor();
  scene.deps.attention = attentionWith(job, third);
  scene.deps.handled.add(job.id);
  scene.deps.facts.fire();
  await page.getByText('This failure counts as handled.').waitFor();
  assert.equal(await page.getByText('new failures').count(), 0);
  assert.equal(await page.getByRole('button', { name: 'Mark as Handled' }).count(), 0);
});

test('reports that a result is being read again, then shows it', async () => {
  const scene = new JobScene(pages);
  const whole = scene.deps.load(fixtureItem('preRecordedDone'));
  let end: (read: typeof whole) => void = () => undefined;
  scene.deps.readWhole = () => new Promise((resolve) => (end = resolve));
  const { page } = await openWithoutResult(scene);
  await page.getByText('Reading the result…').waitFor();
  assert.equal(await page.getByRole('heading', { name: 'Transcript' }).count(), 0);
  end(whole);
  await page.getByRole('heading', { name: 'Transcript' }).waitFor();
  assert.equal(await page.getByText('Reading the result…').count(), 0);
});

test('shows why a result could not be read again', async () => {
  const scene = new JobScene(pages);
  scene.deps.readWhole = () => Promise.reject(new Failure('offline'));
  const { page } = await openWithoutResult(scene);
  await page.getByText(/^The result could not be read again\. ./).waitFor();
});

/** Opens the page of a job whose result is no longer in memory. */
function openWithoutResult(scene: JobScene): Promise<OpenPage> {
  const { result, ...item } = fixtureItem('preRecordedDone');
  const { length } = JSON.stringify(result);
  const job = {
    ...scene.deps.load(item),
    omitted: { characters: length, digest: 'digest', service: Symbol('service') },
  };
  scene.deps.loaded.set(jobKey(job), job);
  scene.deps.wholes = new Map();
  return scene.openJob(job);
}
