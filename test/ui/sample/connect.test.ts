import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startSampleService, type SampleService } from '../../../src/sample/sampleService.ts';
import { startFaultServer, type FaultServer, type Play } from '../../support/faults/faultServer.ts';
import { startFaultyService } from '../../support/faults/faultyService.ts';
import { answer } from '../../support/faults/plays.ts';
import { until } from '../../support/until.ts';
import type { Workbench } from '../../support/workbench/workbench.ts';
import { useWorkbench } from '../../support/workbench/useWorkbench.ts';

const key = 'sesame-4711';
const session = useWorkbench(import.meta.filename, { secrets: [key] });

let sample: SampleService;
/** The remote service behind a listener that records requests. */
let service: FaultServer;
/** If set, used instead of the service's own response. */
let broken: Play | undefined;

before(async () => {
  sample = await startSampleService({ key });
  service = await startFaultyService({ target: sample.baseUrl, faults: () => broken });
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
  await quickInput.answer('http://api.example.com');
  await quickInput.message.filter({ hasText: 'Only a service on this computer' }).waitFor();
  await quickInput.input.fill('HTTPS://BÜCHER.example/');
  await quickInput.message.filter({ hasText: 'Will be sent as https://xn--bcher-kva.example' }).waitFor();
  await quickInput.answer(`${service.origin}/`);
  await quickInput.shown('Connect to a Service (2/4)');
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
  assert.equal(await quickInput.input.inputValue(), 'wrong-key');
  assert.deepEqual(
    service.seen.map(({ method, path }) => [method, path]),
    [['GET', '/v2/pre-recorded?limit=1']],
  );
  broken = answer(404, '{"message":"Cannot GET"}');
  await quickInput.answer(key);
  await quickInput.shown('Connect to a Service (4/4)');
  assert.equal(await quickInput.input.inputValue(), 'Field');
  await quickInput.accept();
  await quickInput.shown('Connect to a Service (1/4)');
  await quickInput.message.filter({ hasText: "doesn't know this address" }).waitFor();
  assert.equal(await quickInput.input.inputValue(), service.origin);
  assert.deepEqual(storedConnections(), []);

  broken = undefined;
  for (const step of ['1/4', '2/4', '3/4', '4/4']) {
    await quickInput.shown(`Connect to a Service (${step})`);
    await quickInput.accept();
  }
  await quickInput.hidden();
  await rowsOf(workbench);
  await until('Field is in use', () => settings()?.['transcriptionJobs.connection'] === 'Field');
  assert.deepEqual(storedConnections(), [{ name: 'Field', baseUrl: service.origin }]);

  await workbench.runAndPick('Welcome: Open Walkthrough...', 'Get Started with Transcription Jobs');
  const step = workbench.page.locator('.getting-started-step').nth(1);
  await step.locator('.codicon-getting-started-step-checked').waitFor();
  await workbench.runCommand('View: Close All Editors');
});

test('sends the key to no other origin, whether the address is edited in steps or in the settings', async () => {
  const { workbench } = session();
  const { quickInput } = workbench;
  const elsewhere = await startFaultServer(answer(200, '{"items":[],"next":null,"first":"","current":""}'));
  try {
    await workbench.tree('Jobs').pickFromMenu(/^\s*Field/, 'Test Connection', quickInput.item('Metadata: works'));
    await quickInput.cancel();
    await workbench.runAndPick('Transcription: Edit Connection…', 'Field', 'Edit Connection Field (1/4)');
    await quickInput.answer(elsewhere.origin);
    await quickInput.shown('(2/4)');
    await quickInput.accept();
    await quickInput.shown('(3/4)');
    await quickInput.accept();
    await quickInput.message.filter({ hasText: 'Enter the API key' }).waitFor();
    await quickInput.cancel();
    changeConnections([{ name: 'Field', baseUrl: elsewhere.origin }]);
    await workbench.welcome.getByRole('button', { name: 'Set API key' }).waitFor();
    changeConnections([{ name: 'Field', baseUrl: service.origin }]);
    await rowsOf(workbench);
    assert.deepEqual(elsewhere.seen, []);
  } finally {
    await elsewhere.stop();
  }
});

test('sends nothing once the key is forgotten, until there is one again', async () => {
  const { workbench } = session();
  await workbench.runCommand('Transcription: Forget API Key…');
  await workbench.dialogButton('Forget').click();
  await workbench.welcome.getByRole('button', { name: 'Set API key' }).waitFor();
  const { length } = service.seen;
  await workbench.runCommand('Transcription: Refresh');
  assert.deepEqual(await workbench.notifications.messages(), []);
  await workbench.runCommand('Transcription: Export Jobs…');
  assert.deepEqual(await workbench.notifications.buttons(/API key/), ['Set API Key', 'Learn More']);
  await workbench.runCommand('Notifications: Clear All Notifications');
  assert.equal(service.seen.length, length);
  await setKey(workbench, workbench.welcome.getByRole('button', { name: 'Set API key' }), key);
  await rowsOf(workbench);
});

test('replaces a key that works with one that the service rejects only if the user insists', async () => {
  const { workbench } = session();
  const { quickInput } = workbench;
  const command = 'Transcription: Set API Key…';
  const rejected = quickInput.message.filter({
    hasText: 'The service rejects this key. To save it anyway, press Enter again.',
  });
  await setKey(workbench, command, 'wrong-key');
  await rejected.waitFor();
  await quickInput.cancel();
  const { length } = service.seen;
  await workbench.runCommand('Transcription: Refresh');
  await until('the lists are read', () => service.seen.length > length);
  await rowsOf(workbench);
  assert.ok(service.seen.slice(length).every(({ rawHeaders }) => rawHeaders.includes(key)));

  await setKey(workbench, command, 'insisted-on');
  await rejected.waitFor();
  await quickInput.accept();
  await quickInput.hidden();
  await workbench.welcome.filter({ hasText: 'rejected the API key' }).waitFor();
  assert.ok(service.seen.at(-1)?.rawHeaders.includes('insisted-on'));
  await setKey(workbench, workbench.welcome.getByRole('button', { name: 'Set API key' }), key);
  await rowsOf(workbench);
});

test('removes a connection with its key, and offers the others', async () => {
  const { workbench, journal } = session();
  const { quickInput } = workbench;
  const others = ['Newsroom', 'Studio'].map((name) => ({ name, baseUrl: `https://${name.toLowerCase()}.example` }));
  changeConnections([{ name: 'Field', baseUrl: service.origin }, ...others]);
  await offered(workbench, 'Studio');
  await workbench.runAndPick('Transcription: Remove Connection…', 'Field');
  await workbench.dialogButton('Remove').click();
  await quickInput.shown('Switch Connection');
  await quickInput.cancel();
  await workbench.welcome.filter({ hasText: 'Choose a connection.' }).waitFor();
  assert.equal(await workbench.welcome.getByRole('button', { name: 'Try it with sample jobs' }).count(), 0);
  await workbench.ask(workbench.welcome.getByRole('button', { name: 'Switch connection' }), 'Switch Connection');
  await quickInput.pick('Newsroom');
  await workbench.welcome.getByRole('button', { name: 'Set API key' }).waitFor();
  await workbench.page.locator('.sidebar .composite.title', { hasText: 'Newsroom' }).waitFor();

  const { length } = service.seen;
  changeConnections([{ name: 'Field', baseUrl: service.origin }]);
  await offered(workbench, 'Field');
  await workbench.runAndPick('Transcription: Switch Connection…', 'Field');
  await workbench.page.locator('.sidebar .composite.title', { hasText: 'Field' }).waitFor();
  await workbench.welcome.getByRole('button', { name: 'Set API key' }).waitFor();
  assert.equal(service.seen.length, length, 'one of the same name has no key');
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
