import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startSampleService, type SampleService } from '../../../src/sample/sampleService.ts';
import { repositoryRoot } from '../../support/editor/repositoryRoot.ts';
import type { FaultServer } from '../../support/faults/faultServer.ts';
import { startFaultyService } from '../../support/faults/faultyService.ts';
import { until } from '../../support/until.ts';
import type { Workbench } from '../../support/workbench/workbench.ts';
import { useWorkbench } from '../../support/workbench/useWorkbench.ts';

const key = 'sesame-4711';
const command = join(repositoryRoot, 'dist/cli.js');
const session = useWorkbench(import.meta.filename, { secrets: [key] });

let sample: SampleService;
/** The remote service behind a listener that records requests. */
let service: FaultServer;

before(async () => {
  sample = await startSampleService({ key });
  service = await startFaultyService({ target: sample.baseUrl, faults: () => undefined });
});
after(async () => {
  await service.stop();
  await sample.stop();
});

test('asks for a connection step by step, goes back to the answer that is wrong, and stores nothing until a list answers', async () => {
  const { workbench } = session();
  const { quickInput } = workbench;
  await workbench.showView('Transcription Jobs');
  await workbench.welcome.getByRole('button', { name: 'Connect to a service' }).click();

  await quickInput.shown('Connect to a Service (1/4)');
  await quickInput.answer(`${service.origin}/`);
  await quickInput.shown('Connect to a Service (2/4)');
  assert.equal(await quickInput.input.inputValue(), 'x-service-key');
  // Typing replaces what a step suggests.
  await workbench.page.keyboard.insertText('x-service-key');
  assert.equal(await quickInput.input.inputValue(), 'x-service-key');
  await quickInput.accept();
  await quickInput.shown('Connect to a Service (3/4)');
  assert.equal(await quickInput.input.getAttribute('type'), 'password');
  await quickInput.message.filter({ hasText: `sent to ${service.origin} only` }).waitFor();
  await quickInput.answer('  wrong-key ');
  await quickInput.shown('Connect to a Service (4/4)');
  assert.equal(await quickInput.input.inputValue(), new URL(service.origin).host);
  assert.deepEqual(service.seen, []);
  await quickInput.answer('Field');

  await quickInput.shown('Connect to a Service (3/4)');
  await quickInput.message.filter({ hasText: 'rejected the API key' }).waitFor();
  await quickInput.message.filter({ hasText: 'sent in the header x-service-key' }).waitFor();
  assert.equal(await quickInput.input.inputValue(), 'wrong-key');
  assert.deepEqual(
    service.seen.map(({ method, path }) => [method, path]),
    [['GET', '/v2/pre-recorded?limit=1']],
  );
  assert.deepEqual(storedConnections(), []);

  await workbench.page.keyboard.insertText(key);
  assert.equal(await quickInput.input.inputValue(), key);
  await quickInput.accept();
  await quickInput.shown('Connect to a Service (4/4)');
  assert.equal(await quickInput.input.inputValue(), 'Field');
  await quickInput.accept();
  await quickInput.hidden();
  await rowsOf(workbench);
  await until('Field is in use', () => settings()?.['transcriptionJobs.connection'] === 'Field');
  assert.deepEqual(storedConnections(), [{ name: 'Field', baseUrl: service.origin }]);

  await workbench.runAndPick('Welcome: Open Walkthrough...', 'Get Started with Transcription Jobs');
  const step = workbench.page.locator('.getting-started-step').nth(1);
  await step.locator('.codicon-getting-started-step-checked').waitFor();
  await workbench.runCommand('View: Close All Editors');
});

test('a request that the command rejects in CI is fixed in the editor, passes, and is submitted once', async () => {
  const { workbench, folder } = session();
  const file = join(folder, 'product.transcription.json');
  const check = () => {
    const { status, stdout } = spawnSync(process.execPath, [command, 'check', file], { encoding: 'utf8', cwd: folder });
    return { status, stdout };
  };
  writeFileSync(file, '{\n  "audio_url": "https://media.example/a.mp3",\n  "subtitles": "true"\n}\n');
  const before = check();
  assert.equal(before.status, 1);
  assert.match(before.stdout, /3:16.*error.*subtitles must be true or false/);

  const editor = await workbench.openFile('product.transcription.json');
  await editor.area.locator('.squiggly-error').first().waitFor();
  await editor.goTo(3, 18);
  await editor.openFixes('Change to true');
  await workbench.page.keyboard.press('Enter');
  await until('it is fixed', async () => /"subtitles": true/.test(await editor.text()));
  await workbench.runCommand('File: Save');
  await until('it passes', () => check().status === 0);

  const { length } = posts();
  await workbench.runCommand('Transcription: Submit Request');
  await workbench.dialogButton('Submit').click();
  await workbench.notifications.withText(/"product\.transcription\.json" was submitted/).waitFor();
  assert.equal(posts().length, length + 1);
  await workbench.runCommand('Notifications: Clear All Notifications');
  await workbench.runCommand('View: Close All Editors');
});

test('the view says what is missing: a key that was forgotten, one that the service takes, a connection that was removed', async () => {
  const { workbench, journal } = session();
  const { quickInput } = workbench;
  const setApiKey = workbench.welcome.getByRole('button', { name: 'Set API key' });
  await workbench.runCommand('Transcription: Forget API Key…');
  await workbench.dialogButton('Forget').click();
  await setApiKey.waitFor();
  const { length } = service.seen;
  await workbench.runCommand('Transcription: Refresh');
  assert.deepEqual(await workbench.notifications.messages(), []);
  await workbench.runCommand('Transcription: Export Jobs…');
  assert.deepEqual(await workbench.notifications.buttons(/API key/), ['Set API Key', 'Learn More']);
  await workbench.runCommand('Notifications: Clear All Notifications');
  assert.equal(service.seen.length, length, 'nothing is sent without a key');

  await setKey(workbench, setApiKey, 'insisted-on');
  await quickInput.message.filter({ hasText: 'To save it anyway, press Enter again.' }).waitFor();
  await quickInput.accept();
  await quickInput.hidden();
  await workbench.welcome.filter({ hasText: 'rejected the API key' }).waitFor();
  await setKey(workbench, setApiKey, key);
  await rowsOf(workbench);

  const others = ['Newsroom', 'Studio'].map((name) => ({ name, baseUrl: `https://${name.toLowerCase()}.example` }));
  changeConnections([{ name: 'Field', baseUrl: service.origin }, ...others]);
  await offered(workbench, 'Studio');
  await workbench.answerAll(async () => {
    await workbench.tree('Jobs').pickFromMenu(/^\s*Field/, 'Remove Connection…', quickInput.item('Field'));
    await quickInput.pick('Field');
  });
  await workbench.dialogButton('Remove').click();
  await quickInput.shown('Switch Connection');
  await quickInput.cancel();
  await workbench.welcome.filter({ hasText: 'Choose a connection.' }).waitFor();
  assert.equal(await workbench.welcome.getByRole('button', { name: 'Try it with sample jobs' }).count(), 0);
  await workbench.ask(workbench.welcome.getByRole('button', { name: 'Switch connection' }), 'Switch Connection');
  await quickInput.pick('Newsroom');
  await setApiKey.waitFor();
  await workbench.page.locator('.sidebar .composite.title', { hasText: 'Newsroom' }).waitFor();
  assert.deepEqual(journal.outsideRequests, []);
});

const settingFiles = ['data/User/settings.json', 'data/Machine/settings.json'];

/** Undefined while a file is being written. */
function settings(): Readonly<Record<string, unknown>> | undefined {
  try {
    const files = settingFiles
      .map((file) => join(session().editor.dataDir, file))
      .map((file) => (existsSync(file) ? readFileSync(file, 'utf8') : '{}'))
      .map((text) => JSON.parse(text) as Readonly<Record<string, unknown>>);
    return Object.assign({}, ...files) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}

function storedConnections(): unknown {
  return settings()?.['transcriptionJobs.connections'] ?? [];
}

/** Changes the machine settings as a person editing settings.json would. */
function changeConnections(connections: readonly object[]): void {
  const file = join(session().editor.dataDir, 'data/Machine/settings.json');
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as object) : {};
  writeFileSync(file, JSON.stringify({ ...before, 'transcriptionJobs.connections': connections }));
}

/** Answers the question for the key of Field. @param asking the command or button that asks */
async function setKey(workbench: Workbench, asking: Parameters<Workbench['ask']>[0], typed: string): Promise<void> {
  await workbench.ask(asking, 'API Key of Field');
  await workbench.quickInput.answer(typed);
}

/** Waits until a connection that was written into the settings is known. */
async function offered(workbench: Workbench, name: string): Promise<void> {
  await until(`${name} is offered`, async () => {
    await workbench.ask('Transcription: Switch Connection…', 'Switch Connection');
    // The list is that of the moment it was opened in, which may be before the settings were read.
    const labels = await workbench.quickInput.labels();
    await workbench.quickInput.cancel();
    return labels.includes(name);
  });
}

/** Waits for the rows of Field. */
async function rowsOf(workbench: Workbench): Promise<void> {
  const tree = workbench.tree('Jobs');
  await tree
    .row(/^\s*Field/)
    .first()
    .waitFor();
  await tree.row('Pre-recorded').first().waitFor();
}

/** The submissions that the service received. */
function posts(): readonly unknown[] {
  return service.seen.filter(({ method }) => method === 'POST');
}
