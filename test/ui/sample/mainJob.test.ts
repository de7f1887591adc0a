import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extensionHostLog } from '../../support/workbench/editorLogs.ts';
import { until } from '../../support/until.ts';
import { useWorkbench } from '../../support/workbench/useWorkbench.ts';

const session = useWorkbench(import.meta.filename);

test('a fresh profile is offered a service or sample jobs, and nothing is asked or complained of', async () => {
  const { workbench, journal, editor } = session();
  await workbench.showView('Transcription Jobs');
  await workbench.welcome.getByRole('button', { name: 'Connect to a service' }).waitFor();
  await workbench.welcome.getByRole('button', { name: 'Try it with sample jobs' }).waitFor();
  assert.deepEqual(await workbench.notifications.messages(), []);
  assert.deepEqual(journal.outsideRequests, []);
  assert.deepEqual(journal.errors, []);
  assert.match(extensionHostLog(editor), /Extension host with pid \d+ started/);
});

test('the walkthrough has four steps, and ticks off the first when sample jobs are there', async () => {
  const { workbench } = session();
  await workbench.runAndPick('Welcome: Open Walkthrough...', 'Get Started with Transcription Jobs');
  const steps = workbench.page.locator('.getting-started-step');
  await steps.nth(3).waitFor();
  assert.deepEqual(
    (await steps.locator('.step-title').allInnerTexts()).map((title) => title.trim()),
    ['Explore sample jobs', 'Connect to your service', 'Write a request', 'Submit and watch'],
  );
  const done = steps.locator('.codicon-getting-started-step-checked:visible');
  assert.equal(await done.count(), 0);
  await workbench.page
    .locator('.gettingStartedContainer')
    .getByRole('button', { name: 'Try it with sample jobs' })
    .click();
  await steps.first().locator('.codicon-getting-started-step-checked').waitFor();
  assert.equal(await done.count(), 1);
  // Without a request Submit begins with one, and what is cancelled is not done.
  await steps.nth(3).click();
  const walkthrough = workbench.page.locator('.gettingStartedContainer');
  await walkthrough.getByRole('button', { name: 'Submit the request' }).click();
  await workbench.quickInput.shown('What should be transcribed?');
  await workbench.quickInput.cancel();
  assert.equal(await done.count(), 1);
  const tree = workbench.tree('Jobs');
  await tree.row(/^Sample jobs/).waitFor();
  await tree
    .row(/^Processing/)
    .first()
    .waitFor();
});

test('a group opens and grows by Load More', async () => {
  const { workbench } = session();
  const tree = workbench.tree('Jobs');
  await tree.expand(/^Done/);
  await tree
    .row(/^Done\s*20\+/)
    .first()
    .waitFor();
  await tree.click(await tree.scrollTo('Load More'));
  // The focus moves to the first new row.
  await tree.root.locator('[role="treeitem"].focused[aria-label^="job "]').waitFor();
  await until('19 more jobs are there', async () => /39\+/.test(await (await tree.scrollTo(/^Done/)).innerText()));
  await tree.scrollTo('Sample jobs');
  await tree.collapse('Pre-recorded');
});

test('a live job tells how its session was configured', async () => {
  const { workbench } = session();
  const tree = workbench.tree('Jobs');
  await tree.expand('Live');
  await tree.expand(/^Done/);
  const job = tree.root.getByRole('treeitem', { name: /^job .*, done, live/ }).first();
  const title = await job.locator('.label-name').innerText();
  await tree.click(title, workbench.editorTab(title));
  const page = await workbench.webview(title);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByText('Sample rate').first().waitFor();
  assert.match(await page.locator('body').innerText(), /\d[\d,]* Hz/);
  const switches = page.getByRole('table').filter({ hasText: 'Partial transcripts' });
  await switches.waitFor();
  assert.equal(await switches.getByRole('row').count(), 10);
  // The focus must stay in the tree, for arrow keys to work.
  await workbench.page.keyboard.press('ArrowDown');
  assert.ok(await tree.root.evaluate((root) => root.contains(document.activeElement)));
});

test('a request from a template is submitted from the palette and its job appears', async () => {
  const { workbench } = session();
  await workbench.runAndPick('Transcription: New Request File…', 'Minimal');
  const editor = workbench.textEditor;
  await editor.area.waitFor();
  assert.match(await editor.text(), /"audio_url"/);
  await editor.replaceText(
    '{\n  "audio_url": "https://media.example.com/talk.mp3",\n  "custom_metadata": { "title": "My very own talk" }\n}\n',
  );
  await workbench.runCommand('Transcription: Submit Request');
  await workbench.dialogButton('Submit').click();
  await workbench.notifications
    .withText(/was submitted as job [0-9a-f-]{36}/)
    .first()
    .waitFor();
  const tree = workbench.tree('Jobs');
  await until('the new job is in the tree', async () => {
    const labels = await tree.labels();
    return labels.some((label) => label.startsWith('My very own talk'));
  });
  await workbench.runAndPick('Welcome: Open Walkthrough...', 'Get Started with Transcription Jobs');
  const ticked = (place: number): Promise<boolean> =>
    workbench.page
      .locator('.getting-started-step')
      .nth(place)
      .locator('.codicon-getting-started-step-checked')
      .isVisible();
  await until('what succeeded is ticked off', async () => (await ticked(2)) && (await ticked(3)));
  assert.equal(await ticked(1), false);
});
