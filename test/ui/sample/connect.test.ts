import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startSampleService, type SampleService } from '../../../src/sample/sampleService.ts';
import { startFaultServer, type FaultServer, type Play } from '../../support/faults/faultServer.ts';
import { startFaultyService } from '../../support/faults/faultyService.ts';
import { answer, silence } from '../../support/faults/plays.ts';
import { startTranslatingService } from '../../support/remote/translatingService.ts';
import { until } from '../../support/until.ts';
import type { Workbench } from '../../support/workbench/workbench.ts';
import { useWorkbench } from '../../support/workbench/useWorkbench.ts';

const session = useWorkbench(import.meta.filename);
const key = 'sesame-4711';

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

test('connecting asks step by step, says what is wrong with an answer, and stores nothing until a list answers', async () => {
  const { workbench } = session();
  const { quickInput } = workbench;
  await workbench.showView('Transcription Jobs');
  await workbench.welcome.getByRole('button', { name: 'Connect to a service' }).click();

  await quickInput.shown('Connect to a Service (1/4)');
  for (const [typed, sentence] of [
    ['api.example.com', /Start with https/],
    ['http://api.example.com', /Only a service on this computer/],
    ['https://user:secret@api.example.com', /Remove the user name/],
    ['file:///etc/passwd', /is not the address of a service/],
  ] as const) {
    await quickInput.answer(typed);
    await quickInput.message.filter({ hasText: sentence }).waitFor();
  }
  await quickInput.input.fill('HTTPS://BÜCHER.example/');
  await quickInput.message.filter({ hasText: 'Will be sent as https://xn--bcher-kva.example' }).waitFor();
  await quickInput.answer(`${service.origin}/`);

  await quickInput.shown('Connect to a Service (2/4)');
  assert.equal(await quickInput.input.inputValue(), 'x-service-key');
  await quickInput.answer('Host');
  await quickInput.message.filter({ hasText: 'has another meaning' }).waitFor();
  await quickInput.answer('X-Service-Key');

  // An address of an endpoint is cut at once, and a corrected one proposes another name and asks for the key again.
  await quickInput.shown('Connect to a Service (3/4)');
  await quickInput.answer('key-for-another-origin');
  await quickInput.shown('Connect to a Service (4/4)');
  for (const step of ['3/4', '2/4', '1/4']) {
    await quickInput.back();
    await quickInput.shown(`Connect to a Service (${step})`);
  }
  await quickInput.input.fill(`${service.origin.replace('127.0.0.1', 'localhost')}/v2/pre-recorded`);
  await quickInput.message.filter({ hasText: /as http:\/\/localhost:\d+$/ }).waitFor();
  await quickInput.accept();
  await quickInput.shown('Connect to a Service (2/4)');
  await quickInput.accept();
  await quickInput.shown('Connect to a Service (3/4)');
  assert.equal(await quickInput.input.inputValue(), '');
  await quickInput.answer('key-for-localhost');
  await quickInput.shown('Connect to a Service (4/4)');
  assert.match(await quickInput.input.inputValue(), /^localhost:\d+$/);
  for (const step of ['3/4', '2/4', '1/4']) {
    await quickInput.back();
    await quickInput.shown(`Connect to a Service (${step})`);
  }
  await quickInput.answer(service.origin);
  await quickInput.shown('Connect to a Service (2/4)');
  await quickInput.accept();

  await quickInput.shown('Connect to a Service (3/4)');
  assert.equal(await quickInput.input.getAttribute('type'), 'password');
  await quickInput.message.filter({ hasText: `sent to ${service.origin} only` }).waitFor();
  await quickInput.answer('two words');
  await quickInput.message.filter({ hasText: 'contains a space' }).waitFor();
  await quickInput.answer('  wrong-key ');

  await quickInput.shown('Connect to a Service (4/4)');
  assert.equal(await quickInput.input.inputValue(), new URL(service.origin).host);
  await quickInput.answer('sample');
  await quickInput.message.filter({ hasText: 'Choose another name' }).waitFor();
  assert.deepEqual(service.seen, []);
  await quickInput.answer('Field');

  // Wrong key: returns to its step, with the cause and all previous input.
  await quickInput.shown('Connect to a Service (3/4)');
  await quickInput.message.filter({ hasText: 'rejected the API key' }).waitFor();
  assert.equal(await quickInput.input.inputValue(), 'wrong-key');
  assert.deepEqual(
    service.seen.map(({ method, path }) => [method, path]),
    [['GET', '/v2/pre-recorded?limit=1']],
  );
  await quickInput.back();
  await quickInput.shown('Connect to a Service (2/4)');
  assert.equal(await quickInput.input.inputValue(), 'x-service-key');
  await quickInput.back();
  await quickInput.shown('Connect to a Service (1/4)');
  assert.equal(await quickInput.input.inputValue(), service.origin);
  assert.deepEqual(storedConnections(), []);

  // Wrong address: returns to its step.
  broken = answer(404, '{"message":"Cannot GET"}');
  await quickInput.accept();
  await quickInput.shown('Connect to a Service (2/4)');
  await quickInput.accept();
  await quickInput.shown('Connect to a Service (3/4)');
  await quickInput.answer(key);
  await quickInput.shown('Connect to a Service (4/4)');
  assert.equal(await quickInput.input.inputValue(), 'Field');
  await quickInput.accept();
  await quickInput.shown('Connect to a Service (1/4)');
  await quickInput.message.filter({ hasText: "doesn't know this address" }).waitFor();
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
  assert(!settingsText().includes(key));
});

test('the walkthrough knows that there is a connection', async () => {
  const { workbench } = session();
  await workbench.runAndPick('Welcome: Open Walkthrough...', 'Get Started with Transcription Jobs');
  const step = workbench.page.locator('.getting-started-step').nth(1);
  await step.locator('.codicon-getting-started-step-checked').waitFor();
});

test('going away in the middle leaves everything as it was', async () => {
  const { workbench } = session();
  const { quickInput } = workbench;
  const before = settingsText();
  const { length } = service.seen;
  await workbench.ask('Transcription: Connect to a Service…', 'Connect to a Service (1/4)');
  await quickInput.answer(service.origin);
  await quickInput.shown('Connect to a Service (2/4)');
  await quickInput.cancel();
  assert.equal(settingsText(), before);
  // The view may still be loading its rows; only a connection test requests a single job.
  const tests = service.seen.slice(length).filter(({ path }) => path.endsWith('?limit=1'));
  assert.deepEqual(tests, []);
});

test('Escape ends the wait for a service that says nothing, and nothing is stored', async () => {
  const { workbench } = session();
  const { quickInput } = workbench;
  const before = settingsText();
  const { length } = service.seen;
  broken = silence;
  try {
    await workbench.runCommand('Transcription: Connect to a Service…');
    for (const [step, typed] of [
      ['1/4', service.origin],
      ['2/4', 'x-service-key'],
      ['3/4', key],
      ['4/4', 'Silent'],
    ] as const) {
      await quickInput.shown(`(${step})`);
      await quickInput.answer(typed);
    }
    await quickInput.message.filter({ hasText: 'Testing the connection' }).waitFor();
    await until('the service was asked', () => service.seen.length > length);
    await quickInput.cancel();
  } finally {
    broken = undefined;
  }
  assert.equal(settingsText(), before);
  assert.deepEqual(await workbench.notifications.messages(), []);
  assert((await workbench.offeredCommands('Transcription: Connect')).includes('Transcription: Connect to a Service…'));
});

test('a base URL at another origin asks for the key again and does not get the old one', async () => {
  const { workbench } = session();
  const { quickInput } = workbench;
  const elsewhere = await startFaultServer(answer(200, '{"items":[],"next":null,"first":"","current":""}'));
  try {
    await workbench.runAndPick('Transcription: Edit Connection…', 'Field', 'Edit Connection Field (1/4)');
    await quickInput.answer(elsewhere.origin);
    await quickInput.shown('(2/4)');
    await quickInput.accept();
    await quickInput.shown('(3/4)');
    await quickInput.accept();
    await quickInput.message.filter({ hasText: 'Enter the API key' }).waitFor();
    await quickInput.cancel();
    assert.deepEqual(elsewhere.seen, []);

    changeConnections([{ name: 'Field', baseUrl: elsewhere.origin }]);
    await workbench.welcome.getByRole('button', { name: 'Set API key' }).waitFor();
    assert.deepEqual(elsewhere.seen, []);
    changeConnections([{ name: 'Field', baseUrl: service.origin }]);
    await rowsOf(workbench);
    assert.deepEqual(elsewhere.seen, []);
  } finally {
    await elsewhere.stop();
  }
});

test('the test of a connection shows what each list and filter did', async () => {
  const { workbench } = session();
  const { quickInput } = workbench;
  await testField(workbench);
  for (const row of [
    'Pre-recorded jobs: answered',
    'Live jobs: answered',
    'Several statuses: works',
    'A day: works',
    'A range of time: works',
    'Metadata: works',
  ]) {
    await quickInput.item(row).waitFor();
  }
  await workbench.page.locator('.quick-input-widget').getByText('same as this computer').waitFor();
  await quickInput.cancel();
});

test('a query style that is not obeyed is named, and the one that is can be set', async () => {
  const { workbench } = session();
  const { quickInput } = workbench;
  const own = await startTranslatingService(sample.baseUrl, (query) => {
    query.delete('custom_metadata');
    return query;
  });
  try {
    changeConnections([{ name: 'Field', baseUrl: own.baseUrl }]);
    await workbench.ask(workbench.welcome.getByRole('button', { name: 'Set API key' }), 'API Key of Field');
    await quickInput.answer(key);
    await rowsOf(workbench);
    await testField(workbench);
    await quickInput.item('Metadata: ignored by the service').waitFor();
    await quickInput.pick('Write metadata as custom_metadata[key]=value');
    await until('the style is set', () => JSON.stringify(storedConnections()).includes('"metadataFormat":"brackets"'));
    await testField(workbench);
    await quickInput.item('Metadata: works').waitFor();
    await quickInput.cancel();
    // Saving the style has forgotten the key of the address that the connection no longer had.
    changeConnections([{ name: 'Field', baseUrl: service.origin }]);
    await workbench.ask(workbench.welcome.getByRole('button', { name: 'Set API key' }), 'API Key of Field');
    await quickInput.answer(key);
    await rowsOf(workbench);
  } finally {
    await own.stop();
  }
});

test('switching to the sample and back asks for nothing', async () => {
  const { workbench } = session();

  await workbench.runAndPick('Transcription: Switch Connection…', 'Sample');
  await until('the sample is in use', () => settings()?.['transcriptionJobs.connection'] === 'Sample');
  await rowsOf(workbench, 'Sample');
  await workbench.runAndPick('Transcription: Switch Connection…', 'Field');
  await until('Field is in use', () => settings()?.['transcriptionJobs.connection'] === 'Field');
  await rowsOf(workbench);
});

test('after forgetting the key nothing is sent until there is one again', async () => {
  const { workbench, openWindow } = session();
  await workbench.runCommand('Transcription: Forget API Key…');
  await workbench.dialogButton('Forget').click();
  await workbench.welcome.getByRole('button', { name: 'Set API key' }).waitFor();
  // The browser's secret store does not notify other windows; the desktop's does, through `secrets.onDidChange`.
  const other = await openWindow();
  await other.showView('Transcription Jobs');
  await other.welcome.getByRole('button', { name: 'Set API key' }).waitFor();
  const { length } = service.seen;
  await other.page.close();
  await workbench.runCommand('Transcription: Refresh');
  assert.equal(service.seen.length, length);
  assert.deepEqual(await workbench.notifications.messages(), []);
  await workbench.runCommand('Transcription: Export Jobs…');
  assert.deepEqual(await workbench.notifications.buttons(/API key/), ['Set API Key', 'Learn More']);
  await workbench.runCommand('Notifications: Clear All Notifications');

  await workbench.ask(workbench.welcome.getByRole('button', { name: 'Set API key' }), 'API Key of Field');
  await workbench.quickInput.answer(key);
  await rowsOf(workbench);
});

test('a key that the service rejects takes the place of one that works only if the user insists', async () => {
  const { workbench } = session();
  const { quickInput } = workbench;
  await workbench.ask('Transcription: Set API Key…', 'API Key of Field');
  await quickInput.answer('wrong-key');
  await quickInput.message
    .filter({ hasText: 'The service rejects this key. To save it anyway, press Enter again.' })
    .waitFor();
  await quickInput.cancel();
  const { length } = service.seen;
  await workbench.runCommand('Transcription: Refresh');
  await until('the lists are read', () => service.seen.length > length);
  await rowsOf(workbench);
  assert.ok(service.seen.slice(length).every(({ rawHeaders }) => rawHeaders.includes(key)));

  // A service that can't be asked, or says no, doesn't keep anybody from saving a key.
  for (const [wrong, play] of [
    ['insisted-on', undefined],
    ['untested', answer(503, '{}')],
  ] as const) {
    broken = play;
    await workbench.ask('Transcription: Set API Key…', 'API Key of Field');
    await quickInput.answer(wrong);
    if (play === undefined) {
      await quickInput.message.filter({ hasText: 'press Enter again' }).waitFor();
      await quickInput.accept();
    }
    await quickInput.hidden();
    await until(`${wrong} is sent`, async () => {
      await workbench.runCommand('Transcription: Refresh');
      return service.seen.at(-1)?.rawHeaders.includes(wrong);
    });
  }
  broken = undefined;
  await workbench.ask('Transcription: Set API Key…', 'API Key of Field');
  await quickInput.answer(key);
  await rowsOf(workbench);
  await workbench.runCommand('Notifications: Clear All Notifications');
});

test('removing the connection leaves none, and no key for one of the same name', async () => {
  const { workbench } = session();
  await workbench.runAndPick('Transcription: Remove Connection…', 'Field');
  await workbench.dialogButton('Remove').click();
  await workbench.welcome.getByRole('button', { name: 'Try it with sample jobs' }).waitFor();
  await until('no connection is stored', () => {
    const stored = settings();
    return stored !== undefined && !JSON.stringify(stored).includes('Field');
  });
  const { length } = service.seen;
  changeConnections([{ name: 'Field', baseUrl: service.origin }]);
  await until('the connection is offered', async () => {
    await workbench.ask('Transcription: Switch Connection…', 'Switch Connection');
    // The list is that of the moment it was opened in, which may be before the settings were read.
    const labels = await workbench.quickInput.labels();
    await workbench.quickInput.cancel();
    return labels.includes('Field');
  });
  await workbench.runAndPick('Transcription: Switch Connection…', 'Field');
  await workbench.welcome.getByRole('button', { name: 'Set API key' }).waitFor();
  assert.equal(service.seen.length, length);
});

test('the key was sent to the service alone and stands in no settings and no log', () => {
  const { journal, editor } = session();
  assert.deepEqual(journal.outsideRequests, []);
  assert(!settingsText().includes(key));
  assert(!journal.console.join('\n').includes(key));
  assert(!logTexts(join(editor.dataDir, 'data/logs')).includes(key));
});

const settingFiles = ['data/User/settings.json', 'data/Machine/settings.json'];

function settingTexts(): readonly string[] {
  return settingFiles
    .map((file) => join(session().editor.dataDir, file))
    .map((file) => (existsSync(file) ? readFileSync(file, 'utf8') : '{}'));
}

function settingsText(): string {
  return settingTexts().join('\n');
}

/** Undefined while a file is being written. */
function settings(): Readonly<Record<string, unknown>> | undefined {
  try {
    const files = settingTexts().map((text) => JSON.parse(text) as Readonly<Record<string, unknown>>);
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

async function testField(workbench: Workbench): Promise<void> {
  const result = workbench.quickInput.step('Connection test: Field');
  await workbench.tree('Jobs').pickFromMenu(/^\s*Field/, 'Test Connection', result);
}

/** Waits for the rows of a connection, and not of the one before. */
async function rowsOf(workbench: Workbench, connection = 'Field'): Promise<void> {
  const tree = workbench.tree('Jobs');
  await tree
    .row(new RegExp(`^\\s*${connection}`))
    .first()
    .waitFor();
  await tree.row('Pre-recorded').first().waitFor();
}

function logTexts(folder: string): string {
  return globSync('**/*.log', { cwd: folder })
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
}
