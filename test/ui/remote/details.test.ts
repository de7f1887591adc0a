import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addItem, fixtureItem, fixtureText } from '../../support/details/fixtureItems.ts';
import { useRemoteService } from '../../support/remote/remoteService.ts';
import { until } from '../../support/until.ts';
import { useWorkbench } from '../../support/workbench/useWorkbench.ts';

const remote = await useRemoteService({ count: 0 });
for (const name of ['preRecordedDone', 'preRecordedFailed', 'preRecordedProcessing', 'liveDone'] as const) {
  addItem(remote.sample, fixtureItem(name));
}
addItem(remote.sample, { ...fixtureItem('liveDone'), id: 'second-session', custom_metadata: { title: 'Room B2' } });
const session = useWorkbench(import.meta.filename, {
  userSettings: {
    ...remote.userSettings,
    'transcriptionJobs.groupBy': 'none',
    'transcriptionJobs.autoRefresh.enabled': true,
    'transcriptionJobs.autoRefresh.intervalSeconds': 5,
  },
  env: remote.env,
});

const done = 'Harbour lights, episode 12';
const failed = 'Call 88213';
const processing = 'Board meeting, part 2';
const live = 'Town hall, main stage';

/** The value next to a label of the page. */
const rowOf = (label: string) => `.row:has(> dt :text-is("${label}")) > dd`;

test('a row opens its page and keeps the focus; the next row uses the same page', async () => {
  const { workbench } = session();
  await workbench.showView('Transcription Jobs');
  const tree = workbench.tree('Jobs');
  await tree.expand('Pre-recorded');
  await tree.click(done, workbench.editorTab(done));
  const page = await workbench.webview(done);
  await page.getByRole('heading', { name: done, level: 1 }).waitFor();
  await until('the focus is in the view', () =>
    workbench.page.evaluate(() => document.activeElement?.closest('.sidebar') !== null),
  );

  await tree.click(failed, page.getByRole('heading', { name: failed, level: 1 }));
  await workbench.editorTab(failed).waitFor();
  assert.equal(await workbench.editorTab(failed).count(), 1);
  assert.equal(await workbench.editorTab(done).count(), 0);
});

test('the page of a failed job', async () => {
  const { workbench } = session();
  const page = await workbench.webview(failed);
  await page.locator('header .status', { hasText: 'Failed' }).waitFor();
  assert.match(await page.locator(rowOf('Error code')).innerText(), /^503/);
  assert.equal(await page.locator('header .reason').innerText(), '503');
  assert.equal(await page.locator(rowOf('Processing time')).innerText(), '12.4 sec');
  assert.doesNotMatch(await page.locator('main').innerText(), /undefined|null|NaN/);
});

test('a copy button copies', async () => {
  const { workbench } = session();
  const page = await workbench.webview(failed);
  const clipboard = () => workbench.page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole('button', { name: 'Copy ID' }).click();
  await until('the id is copied', async () => (await clipboard()) === fixtureItem('preRecordedFailed').id);
  await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
  await page.getByRole('button', { name: 'Copy List Request as cURL' }).click();
  const command = await until('the command is copied', async () => {
    const text = await clipboard();
    return /^curl /m.test(text) ? text : undefined;
  });
  assert.match(command, /after_date=2026-11-20T07%3A58%3A39\.003Z/);
  assert.match(command, /^x-service-key: \$TRANSCRIPTION_API_KEY$/m);
  assert.ok(!command.includes(remote.sample.key));
});

test('nested values unfold, and long ones stay whole', async () => {
  const { workbench } = session();
  await workbench.tree('Jobs').click(done, workbench.editorTab(done));
  const page = await workbench.webview(done);
  const producer = page.getByRole('button', { name: 'producer: 3 entries' });
  await producer.click();
  await page.getByText('Inès Laurent').waitFor();
  assert.equal(await producer.getAttribute('aria-expanded'), 'true');
  await page.getByRole('button', { name: 'Show all' }).waitFor({ state: 'detached' });
});

test('a transcript is found in, and copied turn by turn', async () => {
  const { workbench, journal } = session();
  await workbench.tree('Jobs').click(done, workbench.editorTab(done));
  const page = await workbench.webview(done);
  await page.getByRole('button', { name: 'Transcript', exact: true }).click();
  const heading = page.getByRole('heading', { name: 'Transcript' });
  assert.ok(await heading.evaluate((found) => document.activeElement === found), 'the focus is on the transcript');
  const lines = page.locator('.line');
  assert.match(await lines.first().innerText(), /^00:00 · Speaker 1 \(en\) · Every evening/);
  assert.match(await lines.nth(1).innerText(), /^00:05 · It was an order once/);

  const box = page.getByRole('searchbox', { name: 'Find in transcript' });
  await box.fill('IT');
  const hits = page.getByRole('search').getByRole('status');
  await hits.filter({ hasText: '1 of 5' }).waitFor();
  await box.press('Shift+Enter');
  await hits.filter({ hasText: '5 of 5' }).waitFor();
  assert.deepEqual(await page.locator('mark').allInnerTexts(), ['it', 'It', 'it', 'it', 'it']);
  assert.equal(await lines.nth(2).locator('mark.current').count(), 1);
  await page.getByRole('search').getByRole('button', { name: 'Copy turn' }).click();
  await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
  const turn = "00:13 · Speaker 2 (fr) · C'est la lumière qui rentre, disait son père, pas nous.";
  await until('the turn is copied', async () => {
    return (await workbench.page.evaluate(() => navigator.clipboard.readText())) === turn;
  });
  await box.press('Escape');
  assert.equal(await page.locator('mark').count(), 0);

  const tools = page.locator('.turn-tools');
  assert.equal(await tools.isVisible(), false);
  await lines.first().hover();
  await tools.getByRole('button', { name: 'Rename speaker: Speaker 1 (en)' }).waitFor();
  await tools.getByRole('button', { name: 'Copy turn' }).click();
  const [begin, end] = await lines.allInnerTexts();
  const first = `${begin} ${end?.replace(/^[\d:]+ · /u, '')}`;
  await until('the turn under the mouse is copied', async () => {
    return (await workbench.page.evaluate(() => navigator.clipboard.readText())) === first;
  });
  await tools.locator('.icon-check').waitFor();
  await heading.hover();
  await tools.waitFor({ state: 'hidden' });

  await page.getByRole('button', { name: 'Confidence' }).click();
  await lines.first().filter({ hasText: '97%' }).waitFor();
  assert.deepEqual(journal.outsideRequests, []);
  assert.deepEqual(journal.errors, []);
});

test('a link asks before it opens', async () => {
  const { workbench, journal } = session();
  const page = await workbench.webview(done);
  await page.getByRole('link', { name: 'https://archive.example.com/harbour-lights/12' }).click();
  assert.match(await workbench.dialogText(), /open the external website/);
  await workbench.dialogButton('Cancel').click();
  assert.deepEqual(journal.outsideRequests, []);
});

test('a job that goes on is followed in place: focus, selection, scroll and folds stay', async () => {
  const { workbench } = session();
  const item = { ...fixtureItem('preRecordedProcessing'), extra: { note: 'kept open' } };
  const size = workbench.page.viewportSize();
  assert.ok(size);
  await workbench.page.setViewportSize({ ...size, height: 400 });
  await workbench.tree('Jobs').click(processing, workbench.editorTab(processing));
  const page = await workbench.webview(processing);
  await page.getByRole('listitem').filter({ hasText: 'so far' }).waitFor();
  const fold = page.getByRole('button', { name: 'speakers: 2 entries' });
  await fold.click();
  await page.locator(rowOf('room')).evaluate((value) => document.getSelection()?.selectAllChildren(value));
  const state = () =>
    fold.evaluate((button) => ({
      focused: document.activeElement === button,
      unfolded: button.ariaExpanded,
      selected: String(document.getSelection()),
      scrolled: window.scrollY,
    }));
  const before = await state();
  assert.ok(before.scrolled > 0);
  assert.deepEqual({ ...before, scrolled: 0 }, { focused: true, unfolded: 'true', selected: 'Main hall', scrolled: 0 });

  remote.sample.remove(item.id);
  addItem(remote.sample, { ...item, status: 'done', completed_at: '2026-11-20T10:00:00.000Z' });
  await page.getByRole('status').filter({ hasText: 'Status: Done' }).waitFor();
  await page.getByRole('heading', { name: 'Other fields' }).waitFor();
  await page.getByText('so far').waitFor({ state: 'hidden' });
  assert.deepEqual(await state(), before);
  await workbench.page.setViewportSize(size);
});

test('a page to the side stays when the other one goes on', async () => {
  const { workbench } = session();
  const tree = workbench.tree('Jobs');
  await tree.click(done, workbench.editorTab(done));
  await tree.pressInline(failed, 'Open Job to the Side', workbench.editorTab(failed));
  await tree.click(processing, workbench.editorTab(processing));
  assert.deepEqual(
    await Promise.all([done, failed, processing].map((name) => workbench.editorTab(name).count())),
    [0, 1, 1],
  );
});

test('the item as a document: read-only, exactly as it was received', async () => {
  const { workbench } = session();
  const name = `${fixtureItem('preRecordedDone').id}.json`;
  await workbench.tree('Jobs').pickFromMenu(done, 'Open Job as JSON', workbench.editorTab(name));
  await workbench.textEditor.shown(name);
  const text = await workbench.textEditor.text();
  const received = JSON.parse(fixtureText('preRecordedDone')) as unknown;
  assert.deepEqual(JSON.parse(text.replaceAll('\u00a0', ' ')), received);
});

test('several selected jobs open each in a place of its own, to the side in one column', async () => {
  const { workbench } = session();
  const tree = workbench.tree('Jobs');
  const documents = ['preRecordedDone', 'preRecordedFailed'] as const;
  await workbench.runCommand('View: Close All Editors');
  const selectBoth = (): Promise<void> => tree.select([done, failed]);
  const [tab, other] = documents.map((name) => workbench.editorTab(`${fixtureItem(name).id}.json`));
  assert.ok(tab && other);
  await tree.pickFromMenu(failed, 'Open Job as JSON', tab, selectBoth);
  await other.waitFor();
  await workbench.runCommand('View: Close All Editors');
  await selectBoth();
  // A page that is drawn takes the focus briefly.
  await (await workbench.webview(done)).getByRole('heading', { level: 1, name: done }).waitFor();
  await tree.root.focus();
  await workbench.page.keyboard.press('ControlOrMeta+Enter');
  await workbench.editorTab(failed).waitFor();
  await workbench.editorTab(done).nth(1).waitFor();
  assert.equal(await workbench.page.locator('.editor-group-container').count(), 2);
  await workbench.runCommand('View: Close All Editors');
  await tree.pickFromMenu(failed, 'Compare Jobs', workbench.editorTab('Compare 2 jobs'), selectBoth);
  const page = await workbench.webview('Compare 2 jobs');
  await page.getByRole('rowheader', { name: 'Status' }).waitFor();
  const cells = page.getByRole('row', { name: /^Status/ }).getByRole('cell');
  assert.deepEqual(
    (await cells.allInnerTexts()).map((text) => text.split(/\s/)[0]),
    ['Done', 'Failed'],
  );
  await page
    .getByText("Settings aren't compared, because the service sent them with only some of these jobs.")
    .waitFor();
  await page.getByRole('button', { name: 'Compare as JSON' }).click();
  await workbench.editorTab(/ ↔ /).waitFor();
  await workbench.runCommand('View: Close All Editors');
});

test('three jobs that are not live cannot be compared', async () => {
  const { workbench } = session();
  const tree = workbench.tree('Jobs');
  const entries = workbench.page.getByRole('menuitem');
  await tree.openMenu(failed, 'Copy Job ID', () => tree.select([done, processing, failed]));
  assert.equal(await entries.filter({ hasText: 'Compare Jobs' }).count(), 0);
  await workbench.page.keyboard.press('Escape');
});

test('live sessions side by side', async () => {
  const { workbench } = session();
  const tree = workbench.tree('Jobs');
  await tree.collapse('Pre-recorded');
  await tree.expand('Live');
  await tree.pickFromMenu('Room B2', 'Compare Jobs', workbench.editorTab('Compare 2 sessions'), () =>
    tree.select([live, 'Room B2']),
  );
  const page = await workbench.webview('Compare 2 sessions');
  await page.getByText('All 39 parameters are identical.').waitFor();
  const audio = page.getByRole('button', { name: /^Audio/ });
  assert.equal(await page.getByRole('rowheader', { name: 'Sample rate' }).isVisible(), false);
  await audio.click();
  await page.getByRole('rowheader', { name: 'Sample rate' }).waitFor();
  // The heads stay in sight.
  const head = page.getByRole('columnheader', { name: 'Room B2' });
  assert.match(await head.innerText(), /second-s/);
  const size = workbench.page.viewportSize();
  assert.ok(size);
  await workbench.page.setViewportSize({ ...size, height: 400 });
  await page.getByRole('button', { name: /^Messages/ }).click();
  await page.getByRole('rowheader', { name: 'Lifecycle events' }).first().scrollIntoViewIfNeeded();
  const { scrolled, top } = await head.evaluate((cell) => ({
    scrolled: window.scrollY,
    top: cell.getBoundingClientRect().top,
  }));
  assert.ok(scrolled > 0);
  assert.ok(Math.abs(top) < 1, `the head is at ${top}`);
  await workbench.page.setViewportSize(size);
  await page.getByRole('button', { name: 'Compare as JSON' }).click();
  await workbench.editorTab(/Town hall, main stage ↔ Room B2/).waitFor();
});

test('after a reload the page is back as it was left, says that its job is not loaded, and finds it', async () => {
  const { workbench } = session();
  const tree = workbench.tree('Jobs');
  await tree.expand('Pre-recorded');
  await tree.click(done, workbench.editorTab(done));
  const page = await workbench.webview(done);
  await page.getByRole('button', { name: 'chapters: 4 items' }).click();
  await page.getByText('Storm warning').waitFor();
  await workbench.runCommand('View: Close Primary Side Bar');
  // The command first saves the window's state, so the page reloads a little later.
  const loaded = workbench.page.waitForEvent('load');
  await workbench.runCommand('Developer: Reload Window');
  await loaded;
  const back = await workbench.webview('Job 7f3c9a52');
  await back.getByText('This job is not loaded.').waitFor();
  await back.getByRole('button', { name: 'Search' }).click();
  const heading = back.getByRole('heading', { name: done, level: 1 });
  await heading.waitFor();
  assert.ok(await heading.evaluate((found) => document.activeElement === found), 'the focus is where the button was');
  await back.getByRole('status').filter({ hasText: done }).waitFor();
  await back.getByText('Storm warning').waitFor();

  await workbench.editorTab('Compare 2 sessions').click();
  const compared = await workbench.webview('Compare 2 sessions');
  await compared.getByText('These jobs are not loaded.').waitFor();
  await compared.getByRole('button', { name: 'Search' }).click();
  await compared.getByText('All 39 parameters are identical.').waitFor();
});
