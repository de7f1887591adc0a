import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extensionHostLog } from '../../support/workbench/editorLogs.ts';
import { isReached, until } from '../../support/until.ts';
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

test('the walkthrough has four steps, and ticks off the first when sample jobs are there, and none that is cancelled', async () => {
  const { workbench } = session();
  // The button shows the jobs that it brings, whatever is open.
  await workbench.runCommand('View: Show Explorer');
  await openWalkthrough();
  const steps = workbench.page.locator('.getting-started-step');
  await steps.nth(3).waitFor();
  assert.deepEqual(
    (await steps.locator('.step-title').allInnerTexts()).map((title) => title.trim()),
    ['Explore sample jobs', 'Connect to your service', 'Write a request', 'Submit and watch'],
  );
  const done = steps.locator('.codicon-getting-started-step-checked:visible');
  assert.equal(await done.count(), 0);
  const walkthrough = workbench.page.locator('.gettingStartedContainer');
  await walkthrough.getByRole('button', { name: 'Try it with sample jobs' }).click();
  await steps.first().locator('.codicon-getting-started-step-checked').waitFor();
  // The view takes the focus, with which a prompt would be closed.
  await workbench
    .tree('Jobs')
    .row(/^Sample jobs/)
    .waitFor();
  // Without a request Submit begins with one, and what is cancelled is not done.
  await steps.nth(3).click();
  await workbench.ask(walkthrough.getByRole('button', { name: 'Submit the request' }), 'What should be transcribed?');
  await workbench.quickInput.cancel();
  assert.equal(await done.count(), 1);
});

test('the main job is done by the keyboard alone: a group opened, a job looked at, more loaded, a request submitted, which the walkthrough ticks off', async () => {
  const { workbench } = session();
  const { keyboard } = workbench.page;
  const tree = workbench.tree('Jobs');
  await tree
    .row(/^Processing/)
    .first()
    .waitFor();
  await runByKeyboard('Transcription Jobs: Focus on Transcription Jobs View');
  await tree.root.and(workbench.page.locator(':focus')).waitFor();
  await keyboard.press('Home');
  await moveTo(/Done/);
  await keyboard.press('ArrowRight');
  const done = tree.row(/^Done\s*20\+/).first();
  await done.waitFor();
  await keyboard.press('ArrowDown');
  const spoken = await focused();
  assert.match(spoken, /^job [0-9a-f]{8}, .*done, pre-recorded, .+/);

  await keyboard.press('Enter');
  const name = await tree.root.locator('[role="treeitem"].focused .label-name').innerText();
  await (await workbench.webview(name)).getByRole('heading', { level: 1, name }).waitFor();
  const [, shortId = ''] = /^job (\w+)/.exec(spoken) ?? [];
  // Its age may be another one by now.
  assert.ok((await focused()).startsWith(`job ${shortId}, `), 'the focus stays in the tree');
  await keyboard.press('ControlOrMeta+c');
  const clipboard = () => workbench.page.evaluate(() => navigator.clipboard.readText());
  await until('the id is copied', async () => (await clipboard()).startsWith(`${shortId}-`));
  await moveTo(/Load More/);
  await keyboard.press('Enter');
  await until('the first new row has the focus', async () => (await focused()).startsWith('job '));
  await keyboard.press('Home');
  await until('the group says that it has more', async () => /39\+/.test(await tree.row(/^Done/).first().innerText()));

  await runByKeyboard('Transcription: New Request File…');
  await workbench.quickInput.item('Minimal').first().waitFor();
  await keyboard.type('Minimal');
  await keyboard.press('Enter');
  await workbench.textEditor.shown('minimal.transcription.json');
  await keyboard.type('https://media.example.com/by-hand.mp3');
  assert.match(await workbench.textEditor.text(), /"audio_url": "https:\/\/media\.example\.com\/by-hand\.mp3"/);
  await keyboard.press('ControlOrMeta+Alt+Enter');
  await workbench.dialogButton('Submit').waitFor();
  await keyboard.press('Enter');
  await workbench.notifications
    .withText(/was submitted as job [0-9a-f-]{36}/)
    .first()
    .waitFor();
  await tree
    .row(/^by-hand/)
    .first()
    .waitFor();

  await openWalkthrough();
  const ticked = (place: number): Promise<boolean> =>
    workbench.page
      .locator('.getting-started-step')
      .nth(place)
      .locator('.codicon-getting-started-step-checked')
      .isVisible();
  await until(
    'the walkthrough ticks off the request and its submission',
    async () => (await ticked(2)) && (await ticked(3)),
  );
  assert.equal(await ticked(1), false, 'no service was connected to');
});

async function openWalkthrough(): Promise<void> {
  await session().workbench.runAndPick('Welcome: Open Walkthrough...', 'Get Started with Transcription Jobs');
}

/** Runs a command from the palette with the keyboard. */
async function runByKeyboard(title: string): Promise<void> {
  const { workbench } = session();
  const { keyboard } = workbench.page;
  await until(`${title} is offered`, async () => {
    await workbench.openPalette();
    await keyboard.type(title);
    if (await isReached(workbench.quickInput.item(title).first().waitFor({ timeout: 5_000 }))) return true;
    // What is typed before the palette is ready is lost.
    await workbench.quickInput.cancel();
    return false;
  });
  await keyboard.press('Enter');
}

/** The accessible name of the focused row. */
async function focused(): Promise<string> {
  const row = session().workbench.tree('Jobs').root.locator('[role="treeitem"].focused').first();
  return (await row.getAttribute('aria-label')) ?? '';
}

/** Moves the focus down row by row to a row with this name. */
async function moveTo(name: RegExp): Promise<void> {
  await until(`the focus is on ${name.source}`, async () => {
    if (name.test(await focused())) return true;
    await session().workbench.page.keyboard.press('ArrowDown');
    return false;
  });
}
