import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../support/until.ts';
import { useWorkbench } from '../../support/workbench/useWorkbench.ts';
import type { Workbench } from '../../support/workbench/workbench.ts';

const session = useWorkbench(import.meta.filename);

// From a fresh profile to a submitted job, without the mouse.
test('the main job is done by the keyboard alone', async () => {
  const { workbench } = session();
  const { keyboard } = workbench.page;
  // The explorer is open: the command shows the jobs that it brings.
  await run(workbench, 'Transcription: Try It with Sample Jobs');
  const tree = workbench.tree('Jobs');
  await tree
    .row(/^Processing/)
    .first()
    .waitFor();
  await tree.root.and(workbench.page.locator(':focus')).waitFor();
  await keyboard.press('Home');
  await moveTo(workbench, /Done/);
  await keyboard.press('ArrowRight');
  await tree
    .row(/^Done\s*20\+/)
    .first()
    .waitFor();
  await keyboard.press('ArrowDown');
  const spoken = await focused(workbench);
  assert.match(spoken, /^job [0-9a-f]{8}, .*done, pre-recorded, .+/);

  await keyboard.press('Enter');
  const name = await tree.root.locator('[role="treeitem"].focused .label-name').innerText();
  await (await workbench.webview(name)).getByRole('heading', { level: 1, name }).waitFor();
  assert.equal(await focused(workbench), spoken, 'the focus stays in the tree');
  await keyboard.press('ControlOrMeta+c');
  const [, shortId = ''] = /^job (\w+)/.exec(spoken) ?? [];
  const clipboard = () => workbench.page.evaluate(() => navigator.clipboard.readText());
  await until('the id is copied', async () => (await clipboard()).startsWith(`${shortId}-`));
  await moveTo(workbench, /Load More/);
  await keyboard.press('Enter');
  await until('the first new row has the focus', async () => (await focused(workbench)).startsWith('job '));

  await run(workbench, 'Transcription: New Request File…');
  await workbench.quickInput.item('Minimal').first().waitFor();
  await keyboard.type('Minimal');
  await keyboard.press('Enter');
  await workbench.textEditor.area.waitFor();
  await keyboard.type('https://media.example.com/by-hand.mp3');
  assert.match(await workbench.textEditor.text(), /"audio_url": "https:\/\/media\.example\.com\/by-hand\.mp3"/);
  await keyboard.press('ControlOrMeta+Alt+Enter');
  await workbench.dialogButton('Submit').waitFor();
  await keyboard.press('Enter');
  await workbench.notifications
    .withText(/was submitted as job/)
    .first()
    .waitFor();
});

/** Runs a command from the palette with the keyboard. */
async function run(workbench: Workbench, title: string): Promise<void> {
  const { keyboard } = workbench.page;
  await workbench.openPalette();
  await keyboard.type(title);
  await workbench.quickInput.item(title).first().waitFor();
  await keyboard.press('Enter');
}

/** The accessible name of the focused row. */
async function focused(workbench: Workbench): Promise<string> {
  return (
    (await workbench.tree('Jobs').root.locator('[role="treeitem"].focused').first().getAttribute('aria-label')) ?? ''
  );
}

/** Moves the focus down row by row to a row with this name. */
async function moveTo(workbench: Workbench, name: RegExp): Promise<void> {
  await until(`the focus is on ${name.source}`, async () => {
    if (name.test(await focused(workbench))) return true;
    await workbench.page.keyboard.press('ArrowDown');
    return false;
  });
}
