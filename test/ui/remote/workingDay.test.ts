import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minuteMs } from '../../../src/base/time.ts';
import { useRemoteService } from '../../support/remote/remoteService.ts';
import { until } from '../../support/until.ts';
import { useWorkbench } from '../../support/workbench/useWorkbench.ts';
import type { Workbench } from '../../support/workbench/workbench.ts';

const nowMs = Date.now();
const remote = await useRemoteService({ count: 0, clock: () => nowMs });
/** Adds a job that is done, created and completed so many minutes ago. @param said in its transcript */
function addDone(title: string, created: number, completed: number, said = ''): void {
  const at = (minutes: number): string => new Date(nowMs - minutes * minuteMs).toISOString();
  remote.sample.add({
    status: 'done',
    createdAt: nowMs - created * minuteMs,
    fields: {
      created_at: at(created),
      completed_at: at(completed),
      custom_metadata: { title },
      ...(said !== '' && { result: { transcription: { utterances: [{ text: said, start: 0, end: 3, speaker: 0 }] } } }),
    },
  });
}
addDone('Newest', 10, 9);
addDone('Middle', 60, 58, 'The lantern is lit.');
addDone('Oldest', 120, 30);
for (const [place, title] of ['First job', 'Second job', 'Third job'].entries()) {
  remote.sample.add({ status: 'processing', createdAt: nowMs - place, fields: { custom_metadata: { title } } });
}
remote.sample.add({ status: 'error', fields: { custom_metadata: { title: 'Sent by somebody else' } } });

const session = useWorkbench(import.meta.filename, { userSettings: remote.userSettings, env: remote.env });

/** The titles of the finished jobs in the order of their rows. */
async function titles(workbench: Workbench): Promise<string> {
  const labels = await workbench.tree('Jobs').labels();
  return labels.flatMap((label) => /^(?:Newest|Middle|Oldest)/.exec(label)?.[0] ?? []).join();
}

/** The message above the rows. */
async function message(workbench: Workbench): Promise<string> {
  return (await workbench.page.locator('.sidebar .tree-explorer-viewlet-tree-view .message').textContent()) ?? '';
}

/** While a page loads it may take the focus back, which would close the next question. */
async function pageShown(workbench: Workbench, title: string | RegExp): Promise<void> {
  await (await workbench.webview(title)).getByRole('heading', { level: 1, name: title }).waitFor();
}

test('brings back after a reload which groups were open and how loaded jobs were sorted', async () => {
  const { workbench } = session();
  const tree = workbench.tree('Jobs');
  await workbench.showView('Transcription Jobs');
  await tree.collapse('Live');
  await tree.collapse('Processing');
  await tree.expand(/^Done/);
  await tree.row('Newest').waitFor();
  assert.equal(await titles(workbench), 'Newest,Middle,Oldest');
  remote.takeRequests();
  await workbench.runAndPick('Transcription: Sort Jobs…', 'Longest first');
  await until('the longest is first', async () => (await titles(workbench)) === 'Oldest,Middle,Newest');
  assert.equal(await message(workbench), 'Longest first, among loaded jobs');
  assert.deepEqual(remote.takeRequests(), [], 'sorting asks nothing of the service');

  await workbench.reload();
  await workbench.showView('Transcription Jobs');
  await until('the longest is first again', async () => (await titles(workbench)) === 'Oldest,Middle,Newest');
  assert.deepEqual(remote.takeRequests(), ['GET /v2/pre-recorded?offset=0&limit=20&status=done']);
  await workbench.runAndPick('Transcription: Sort Jobs…', 'Newest first');
  await until('the service decides again', async () => (await titles(workbench)) === 'Newest,Middle,Oldest');
  assert.equal(await message(workbench), '');
});

test('acts with keys on the row that has the focus, and on all that are selected', async () => {
  const { workbench } = session();
  const { page } = workbench;
  const { keyboard } = page;
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  const tree = workbench.tree('Jobs');
  const selected = tree.root.locator('[role="treeitem"][aria-selected="true"]');
  const focused = tree.root.locator('[role="treeitem"].focused');
  await tree.expand('Processing');
  await tree.click('First job', workbench.editorTab('First job'));
  await pageShown(workbench, 'First job');
  await tree.root.focus();
  await keyboard.press('Home');
  await focused.filter({ hasText: 'Remote' }).waitFor();
  await keyboard.press('ControlOrMeta+c');
  await selected.filter({ hasText: 'Remote' }).waitFor();
  await tree.click('First job', selected.filter({ hasText: 'First job' }));
  assert.equal(await page.locator('.quick-input-widget').isVisible(), false, 'the row of the connection asks nothing');
  await keyboard.press('ArrowDown');
  await focused.filter({ hasText: 'Second job' }).waitFor();
  await selected.filter({ hasText: 'First job' }).waitFor();

  await keyboard.press('ControlOrMeta+c');
  await workbench.statusBarItem('Copied the ID of Second job').waitFor();
  const second = await clipboard();
  await selected.filter({ hasText: 'Second job' }).waitFor();
  await workbench.editorTab('First job').waitFor();
  assert.equal(await workbench.editorTab('Second job').count(), 0, 'copying opens nothing');

  await keyboard.press('ArrowDown');
  await focused.filter({ hasText: 'Third job' }).waitFor();
  await keyboard.press('ControlOrMeta+Enter');
  await workbench.editorTab('Third job').waitFor();
  assert.equal(await workbench.editorTab('Third job').count(), 1, 'it is opened to the side alone');
  await workbench.editorTab('First job').waitFor();

  await pageShown(workbench, /^Third job/);
  await tree.select(['First job', 'Third job'], 'Shift', 3);
  await until('three ids are copied', async () => {
    await keyboard.press('ControlOrMeta+c');
    return (await clipboard()).split('\n').length === 3;
  });
  assert.ok((await clipboard()).split('\n').includes(second));
  await workbench.runCommand('View: Close All Editors');

  await tree.select(['First job', 'Second job']);
  await pageShown(workbench, 'First job');
  await tree.root.focus();
  await keyboard.press('ControlOrMeta+Enter');
  await workbench.editorTab('Second job').waitFor();
  await workbench.editorTab('First job').nth(1).waitFor();
  assert.equal(await page.locator('.editor-group-container').count(), 2, 'each has a place of its own');
  await workbench.runCommand('View: Close All Editors');

  await tree.root.focus();
  await keyboard.press('ControlOrMeta+Alt+f');
  const box = page.locator('.sidebar .monaco-tree-type-filter').getByRole('textbox');
  await until("the tree's own search box copies what is in it", async () => {
    await box.fill('job');
    await box.press('ControlOrMeta+a');
    await box.press('ControlOrMeta+c');
    return (await clipboard()) === 'job';
  });
  await keyboard.press('Escape');
});

test('finds a job by what was said in it, selects its row, and switches the service in the first row', async () => {
  const { workbench } = session();
  const { quickInput, page } = workbench;
  const tree = workbench.tree('Jobs');
  await workbench.ask('Transcription: Find Job…', 'Find Job');
  remote.takeRequests();
  await quickInput.type('LANTERN is lit');
  // What matches takes the place of all loaded jobs, and a click meanwhile is lost.
  await quickInput.item('Search the service').waitFor();
  await quickInput.item('Middle').click();
  await pageShown(workbench, 'Middle');
  const found = (await workbench.webview('Middle')).locator('mark.current');
  await found.filter({ hasText: /^lantern is lit$/ }).waitFor();
  await tree.root.locator('[role="treeitem"][aria-selected="true"]').filter({ hasText: 'Middle' }).waitFor();
  assert.deepEqual(remote.takeRequests(), [], 'looking among loaded jobs asks nothing of the service');

  await tree.expand('Failed');
  await tree.openMenu('Sent by somebody else', 'Copy › Copy Link to Job');
  const entries = page.getByRole('menuitem');
  assert.equal(await entries.filter({ hasText: 'Run Again' }).count(), 0, 'its request is not known');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await workbench.runCommand('View: Close All Editors');

  const host = new URL(remote.env['TRANSCRIPTION_BASE_URL'] ?? '').host;
  await tree.scrollTo('Remote');
  assert.equal((await tree.labels())[0]?.replaceAll(' ', ''), `Remote${host}`);
  await tree.click('Remote', quickInput.step('Switch Connection'));
  await quickInput.pick('Sample');
  await tree
    .row(/^Sample/)
    .first()
    .waitFor();
  await tree.row('Pre-recorded').first().waitFor();
  assert.equal(await tree.row('Newest').count(), 0, 'no row of the former service stays');
  await workbench.runAndPick('Transcription: Switch Connection…', 'Remote');
  await tree.row('Newest').waitFor();
});

test('keeps the actions of a request in sight beside other editors, and the focus in the file when it is previewed', async () => {
  const { workbench } = session();
  const { page, textEditor } = workbench;
  await workbench.openFile('podcast.transcription.json');
  await workbench.runCommand('Transcription: Preview Request');
  const preview = page.locator('.monaco-editor[data-uri^="transcription-preview:"]');
  await preview.waitFor();
  await page.locator('.editor-group-container.active .monaco-editor[data-uri$="podcast.transcription.json"]').waitFor();
  await until('method and names have colours', async () => {
    const classes = await preview
      .locator('.view-line span span')
      .evaluateAll((spans) => (spans as readonly { readonly className: string }[]).map(({ className }) => className));
    return new Set(classes).size > 3;
  });
  await workbench.runCommand('View: Split Editor Right');
  // A command whose effect is late is run again, and splits again.
  await until('there are three groups', async () => (await page.locator('.editor-group-container').count()) >= 3);
  const submit = textEditor.area.locator('.codelens-decoration a', { hasText: /^Submit$/ });
  await until('Submit is in sight', async () => {
    const [around, button] = await Promise.all([textEditor.area.boundingBox(), submit.boundingBox()]);
    return around !== null && button !== null && button.x + button.width < around.x + around.width;
  });

  await page
    .locator('.tabs-container')
    .getByRole('tab', { name: /podcast.*http/ })
    .click();
  await page
    .locator('.editor-group-container.active .editor-actions')
    .getByRole('button', { name: 'Submit Request' })
    .click();
  await workbench.dialogButton('Cancel').waitFor();
  assert.match(await workbench.dialogText(), /^Submit "podcast\.transcription\.json" to Remote\?/);
  await workbench.dialogButton('Cancel').click();
});
