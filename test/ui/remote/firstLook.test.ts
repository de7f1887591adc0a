import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { useRemoteService } from '../../support/remote/remoteService.ts';
import { until } from '../../support/until.ts';
import { useWorkbench } from '../../support/workbench/useWorkbench.ts';

// What a stranger stumbles over: keys, focus, dialogs, and what is cut off.
const nowMs = Date.now();
const remote = await useRemoteService({ count: 60, clock: () => nowMs });
for (const title of ['First job', 'Second job', 'Third job']) {
  remote.sample.add({ status: 'processing', fields: { custom_metadata: { title } } });
}
const [remoteConnection] = remote.userSettings['transcriptionJobs.connections'] as readonly [
  { readonly baseUrl: string },
];
const session = useWorkbench(import.meta.filename, { userSettings: remote.userSettings, env: remote.env });

test('keys act on the row that has the focus, and on all that are selected', async () => {
  const { workbench } = session();
  const { page } = workbench;
  const { keyboard } = page;
  const clipboard = () => workbench.page.evaluate(() => navigator.clipboard.readText());
  await workbench.showView('Transcription Jobs');
  const tree = workbench.tree('Jobs');
  const selected = tree.root.locator('[role="treeitem"][aria-selected="true"]');
  const focused = tree.root.locator('[role="treeitem"].focused');
  await tree.click('First job', workbench.editorTab('First job'));
  // A page that is drawn takes the focus briefly.
  await (await workbench.webview('First job')).getByRole('heading', { level: 1, name: 'First job' }).waitFor();
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

  await (await workbench.webview(/^Third job/)).getByRole('heading', { level: 1, name: 'Third job' }).waitFor();
  await tree.select(['First job', 'Third job'], 'Shift', 3);
  await until('three ids are copied', async () => {
    await keyboard.press('ControlOrMeta+c');
    return (await clipboard()).split('\n').length === 3;
  });
  assert.ok((await clipboard()).split('\n').includes(second));
  await workbench.runCommand('View: Close All Editors');
});

test('the actions above a request stay in sight in a narrow editor, before what it does', async () => {
  const { workbench } = session();
  const { page } = workbench;
  await workbench.openFile('podcast.transcription.json');
  await workbench.runCommand('View: Split Editor Right');
  await workbench.runCommand('View: Split Editor Right');
  const area = workbench.textEditor.area;
  const submit = area.locator('.codelens-decoration a', { hasText: /^Submit$/ });
  await until('there are three groups', async () => (await page.locator('.editor-group-container').count()) === 3);
  await submit.waitFor();
  const inSight = async (): Promise<boolean> => {
    const [around, button] = await Promise.all([area.boundingBox(), submit.boundingBox()]);
    return around !== null && button !== null && button.x + button.width < around.x + around.width;
  };
  await until('Submit is in sight', inSight);
  const lenses = async (): Promise<string[]> => area.locator('.codelens-decoration a').allInnerTexts();
  await until('the actions come first', async () => (await lenses()).slice(0, 3).join() === 'Check,Preview,Submit');
  await workbench.runCommand('View: Close All Editors');
  await page.locator('.editor-group-container.empty').first().waitFor();
});

test('a preview leaves the focus in the file, is coloured, and can be submitted itself', async () => {
  const { workbench } = session();
  const { page } = workbench;
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
  await workbench.runCommand('Transcription: Submit Request');
  await workbench.dialogButton('Cancel').click();

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
  await workbench.runCommand('View: Close All Editors');
});

test('the first row says which service it is, and switches to another', async () => {
  const { workbench } = session();
  const { baseUrl } = remoteConnection;
  await workbench.showView('Transcription Jobs');
  const tree = workbench.tree('Jobs');
  await tree.rows.first().waitFor();
  assert.equal((await tree.labels())[0]?.replace(/ /g, ''), `Remote${new URL(baseUrl).host}`);
  await tree.click('Remote', workbench.quickInput.step('Switch Connection'));
  await workbench.quickInput.cancel();
});

test('a filter opens every group that it leaves, and gives back what was open', async () => {
  const { workbench } = session();
  const { quickInput, page } = workbench;
  const tree = workbench.tree('Jobs');
  const closed = tree.root.locator('[role="treeitem"][aria-expanded="false"]');
  const open = tree.root.locator('[role="treeitem"][aria-expanded="true"]');
  await tree.expand(/^Failed/);
  const before = await closed.count();
  assert.ok(before > 0);
  await workbench.answerAll(async () => {
    await workbench.runCommand('Transcription: Filter Jobs…');
    await quickInput.pick('Created', 'Filter Jobs: Created');
    await quickInput.pick('Last 7 days');
    await quickInput.pick('Show matching jobs');
  });
  await until('all is open', async () => (await closed.count()) === 0 && (await open.count()) > 0);
  await tree
    .row(/^Done\s*\d+/)
    .first()
    .waitFor();
  const title = page.locator('.sidebar .composite.title');
  await title.locator('.codicon-filter-filled').click();
  await quickInput.shown('Filter Jobs');
  await quickInput.cancel();
  await title.getByRole('button', { name: 'Clear Filter' }).click();
  await until('the groups are as before', async () => (await closed.count()) === before);
  await tree.root.locator('[role="treeitem"][aria-expanded="true"]', { hasText: /^\s*Failed/ }).waitFor();
});

test('times of a filter are told in the words of the reader, and what was used is one choice away', async () => {
  const { workbench } = session();
  const { quickInput, page } = workbench;
  const told = page.locator('.quick-input-list .monaco-list-row');
  await workbench.runAndPick('Transcription: Filter Jobs…', 'Created', 'Filter Jobs: Created');
  await quickInput.item('Yesterday').waitFor();
  const times = await told.allInnerTexts();
  assert.ok(
    times.some((text) => /^Today\s*since \d\d:\d\d$/.test(text.trim())),
    times.join(' | '),
  );
  assert.ok(
    times.every((text) => !/_date=|T\d\d:/.test(text)),
    times.join(' | '),
  );
  assert.equal(new Set(times.filter((text) => text.includes('Today'))).size, 1);
  await quickInput.back();
  await quickInput.pick('Failed · today');
  await until('it is set', async () => (await filterMessage()) === 'Filter: Failed · today');
  await page.locator('.sidebar .composite.title').getByRole('button', { name: 'Clear Filter' }).click();
  await until('it is gone', async () => !(await filterMessage()).includes('Failed'));
  await workbench.ask('Transcription: Filter Jobs…', 'Filter Jobs');
  await quickInput.item('last 7 days').waitFor();
  await quickInput.cancel();

  async function filterMessage(): Promise<string> {
    return (await page.locator('.sidebar .tree-explorer-viewlet-tree-view .message').textContent()) ?? '';
  }
});

test('with connections but none in use, the view offers them; one without a key is named in the title', async () => {
  const { workbench, editor } = session();
  const { quickInput, page } = workbench;
  const file = join(editor.dataDir, 'data/Machine/settings.json');
  const others = ['Newsroom', 'Studio'].map((name) => ({ name, baseUrl: `https://${name.toLowerCase()}.example` }));
  const settings = JSON.parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(file, JSON.stringify({ ...settings, 'transcriptionJobs.connections': [remoteConnection, ...others] }));
  await until('the connections are known', async () => {
    await workbench.ask('Transcription: Switch Connection…', 'Switch Connection');
    const labels = await quickInput.labels();
    await quickInput.cancel();
    return labels.includes('Studio');
  });
  await workbench.runAndPick('Transcription: Remove Connection…', 'Remote');
  await workbench.dialogButton('Remove').click();
  await quickInput.shown('Switch Connection');
  await quickInput.cancel();
  await workbench.welcome.filter({ hasText: 'Choose a connection.' }).waitFor();
  assert.equal(await workbench.welcome.getByRole('button', { name: 'Try it with sample jobs' }).count(), 0);
  await workbench.ask(workbench.welcome.getByRole('button', { name: 'Switch connection' }), 'Switch Connection');
  await quickInput.pick('Newsroom');
  await workbench.welcome.getByRole('button', { name: 'Set API key' }).waitFor();
  await page.locator('.sidebar .composite.title', { hasText: 'Newsroom' }).waitFor();
});
