import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { startFaultServer } from '../support/faults/faultServer.ts';
import { answer, pageText } from '../support/faults/plays.ts';
import { CanaryService } from '../support/hostile/canary.ts';
import { holdsMarkedKey, markedKey, otherMarkedKey } from '../support/hostile/keyForms.ts';
import { createPrivateAuthority } from '../support/proxy/privateAuthority.ts';
import { startTunnelProxy } from '../support/proxy/tunnelProxy.ts';
import { until } from '../support/until.ts';
import { browserStorage } from '../support/workbench/browserStorage.ts';
import { useWorkbench } from '../support/workbench/useWorkbench.ts';

// A service that repeats the received key wherever it can, behind a proxy that records what it receives.
const hostname = 'canary.corp.example';
const otherHostname = 'magpie.corp.example';
const authority = await createPrivateAuthority();
const canary = new CanaryService();
const service = await startFaultServer(
  ({ request, response, body }) => {
    const shown = canary.handle(request.method ?? '', request.url ?? '', request.headers, body);
    response.writeHead(shown.status, shown.reason, shown.headers).end(shown.body);
  },
  { certificate: await authority.certify('*.corp.example') },
);
const port = Number(new URL(service.origin).port);
const proxy = await startTunnelProxy({ [hostname]: port, [otherHostname]: port });
const authorityFolder = mkdtempSync(join(tmpdir(), 'authority-'));
writeFileSync(join(authorityFolder, 'authority.pem'), authority.cert);
const local = await startFaultServer(answer(200, pageText));
after(async () => {
  await local.stop();
  await proxy.stop();
  await service.stop();
  rmSync(authorityFolder, { recursive: true });
});

const session = useWorkbench(import.meta.filename, {
  userSettings: { 'http.proxy': proxy.url, 'transcriptionJobs.autoRefresh.intervalSeconds': 0 },
  env: { NODE_EXTRA_CA_CERTS: join(authorityFolder, 'authority.pem') },
});

/** The age in a job's row. */
const age = /\b\d+[mhd]\b|yesterday|[A-Z][a-z]{2} \d+$/;

/** What the window has said besides the data of jobs. */
const said: string[] = [];
const clipboard: string[] = [];

async function connectTo(baseUrl: string, key: string, name: string): Promise<void> {
  const { workbench } = session();
  const { quickInput } = workbench;
  await workbench.ask('Transcription: Connect to a Service…', '(1/4)');
  for (const [step, typed] of [
    ['1/4', baseUrl],
    ['2/4', 'x-service-key'],
    ['3/4', key],
    ['4/4', name],
  ] as const) {
    await quickInput.shown(`(${step})`);
    await quickInput.answer(typed);
  }
  // The command is not offered before this one has ended.
  await workbench
    .tree('Jobs')
    .row(new RegExp(`^\\s*${name}`))
    .first()
    .waitFor();
}

/** Copies something, and keeps it. */
async function copy(copying: () => Promise<void>, copied: RegExp): Promise<void> {
  await copying();
  await until(`${copied.source} is copied`, async () => {
    const text = String(await session().workbench.page.evaluate('navigator.clipboard.readText()'));
    if (!copied.test(text)) return false;
    clipboard.push(text);
    return true;
  });
}

async function exportJobs(name: string, outcome: RegExp): Promise<void> {
  const { workbench, folder } = session();
  const { notifications, quickInput } = workbench;
  await workbench.ask('Transcription: Export Jobs…', 'File format');
  await quickInput.pick('JSON');
  await quickInput.shown('Export Jobs');
  await quickInput.item('..').waitFor();
  await quickInput.answer(join(folder, name));
  await quickInput.hidden();
  await hear(notifications.withText(outcome));
}

/** Waits for a message, and keeps what all messages say. */
async function hear(message: Locator): Promise<void> {
  const { workbench } = session();
  await message.first().waitFor();
  said.push(...(await workbench.notifications.messages()));
  await workbench.runCommand('Notifications: Clear All Notifications');
}

test('reaches a service on this machine without the proxy, which would see the key', async () => {
  await session().workbench.showView('Transcription Jobs');
  for (const host of ['localhost', '127.0.0.1']) {
    const before = local.seen.length;
    await connectTo(`http://${host}:${new URL(local.origin).port}`, 'sesame', host);
    assert.ok(local.seen.slice(before).some(({ rawHeaders }) => rawHeaders.includes('sesame')));
  }
  assert.deepEqual([proxy.clear, proxy.tunnels], [[], []]);
});

test("with a key that was typed in, jobs are read, opened, copied, exported and submitted through the company's proxy", async () => {
  const { workbench, folder } = session();
  const { notifications, quickInput } = workbench;
  canary.failure = 'none';
  await connectTo(`https://${hostname}`, markedKey, 'Canary');
  const tree = workbench.tree('Jobs');
  await tree.expand(/^Done/);
  assert.ok(service.seen.some(({ rawHeaders }) => rawHeaders.includes(markedKey)));
  assert.deepEqual([...new Set(proxy.tunnels)], [`${hostname}:443`]);

  // A redraw may swallow the click.
  const heading = workbench.page.frameLocator('iframe.webview').frameLocator('#active-frame').locator('h1');
  await tree.click(age, heading);
  const command = workbench.statusBarItem('Copied a command');
  await copy(() => tree.pickFromMenu(age, 'Copy › Copy List Request as cURL (sh)', command), /curl /);

  await tree.pickFromMenu(age, 'Save Transcript As…', quickInput.step(/^Save Transcript/));
  await quickInput.toggle('Text with speakers and times');
  await quickInput.accept();
  await quickInput.item('..').waitFor();
  await quickInput.answer(join(folder, 'saved.txt'));
  await hear(notifications.withText('The transcript is saved in saved.txt.'));
  await exportJobs('jobs.json', /^Exported/);
  canary.failure = 'refused';
  await workbench.runCommand('Transcription: Refresh');
  const outdated = tree.row('outdated');
  await outdated.first().waitFor();
  for (const row of await outdated.all()) said.push((await row.getAttribute('aria-label')) ?? '');
  await exportJobs('none.json', /export failed|Nothing was exported/);
  canary.failure = 'none';

  for (const [round, outcome] of [/was accepted/, /was not accepted/].entries()) {
    const name = `round-${round}.transcription.json`;
    writeFileSync(join(folder, name), `{ "audio_url": "https://audio.example/${round}.wav" }`);
    await workbench.openFile(name);
    await workbench.runCommand('Transcription: Submit Request');
    await workbench.dialogButton('Submit').waitFor();
    said.push(await workbench.dialogText());
    await workbench.dialogButton('Submit').click();
    await hear(notifications.withText(outcome));
  }
  await workbench.ask('Transcription: Show Submissions', 'Submissions to Canary');
  said.push(...(await quickInput.labels()));
  await quickInput.cancel();

  canary.newestAtMs = Date.now();
  await workbench.runCommand('Transcription: Refresh');
  const report = quickInput.step('Copy Report for Support');
  const failures = /^New failures\s*\d/;
  await tree.row(failures).waitFor();
  const reporting = async (): Promise<void> => {
    await tree.pickFromMenu(failures, 'Copy Report for Support', report);
    await quickInput.pick('With custom metadata');
  };
  await copy(reporting, /^# Failed transcription jobs[^]*custom_metadata/);

  await tree.click(age, heading);
  const [main, around] = await until('the page of a job', async () => {
    for (const frame of workbench.page.frames()) {
      // A frame may be removed while it is read.
      const parts: unknown = await frame.evaluate(partsOfPage).catch(() => undefined);
      if (Array.isArray(parts)) return parts.map(String);
    }
    return undefined;
  });
  assert.ok(holdsMarkedKey(main ?? ''), 'the page shows what the service put into the job');
  assert.match(around ?? '', /<script nonce=/);
  assert.ok(!holdsMarkedKey(around ?? ''), `around that it has the key: ${around}`);
});

/** Runs in the browser: the HTML of the job and of the page around it, or undefined if there is none yet. */
const partsOfPage = `(() => {
  const copy = document.documentElement.cloneNode(true);
  const main = copy.querySelector('main');
  if (document.querySelector('.monaco-workbench') !== null || main === null || main.querySelector('h1') === null) return undefined;
  // The title of the page is the job's own name, and the state that the editor gives back to a page drawn again has the job's id.
  for (const own of copy.querySelectorAll('title, #_vscodeApiScript')) own.remove();
  main.remove();
  return [main.outerHTML, copy.outerHTML];
})()`;

test('with another key, the service repeats both; after they were forgotten, nothing more is sent', async () => {
  const { workbench } = session();
  const { notifications, quickInput } = workbench;
  const tree = workbench.tree('Jobs');
  await connectTo(`https://${otherHostname}`, otherMarkedKey, 'Other');
  await tree.row(age).first().waitFor();
  await copy(
    () => tree.pickFromMenu(age, 'Copy › Copy Job as JSON', workbench.statusBarItem('Copied the JSON')),
    /"former": "/,
  );
  await exportJobs('other.json', /^Exported/);
  await workbench.runAndPick('Transcription: Switch Connection…', 'Canary');
  await tree.row(/^\s*Canary/).waitFor();

  await workbench.ask('Transcription: Show Stored Keys…', 'Stored API Keys');
  said.push(...(await quickInput.labels()));
  await quickInput.pick('Forget all keys');
  said.push(await workbench.dialogText());
  await workbench.dialogButton('Forget').click();
  await hear(notifications.withText('No API key is stored.'));
  await workbench.welcome.getByRole('button', { name: 'Set API key' }).waitFor();
  const { length } = service.seen;
  await workbench.runCommand('Transcription: Refresh');
  await workbench.runCommand('Transcription: Export Jobs…');
  await hear(notifications.withText('API key'));
  assert.equal(service.seen.length, length);
});

test("the keys are found in the user's own data, and nowhere else", async () => {
  const { workbench, editor, folder, journal } = session();
  // Makes the editor store the state of its windows, including the open page.
  await workbench.reload();
  await workbench.page.locator('iframe.webview').first().waitFor();
  assert.deepEqual(said.filter(holdsMarkedKey), [], 'in a dialog, a notification or a list');
  assert.deepEqual(clipboard.filter(holdsMarkedKey), [], 'in a copied command, report or job');
  assert.equal(clipboard.filter((text) => text.includes('•••')).length, 2, 'the report and the job had it');
  assert.deepEqual(
    [...canary.sentKeys].toSorted(),
    [`${hostname} x-service-key: ${markedKey}`, `${otherHostname} x-service-key: ${otherMarkedKey}`],
    'anywhere in a request but in the one header',
  );
  assert.deepEqual([...new Set(proxy.tunnels)], [`${hostname}:443`, `${otherHostname}:443`]);
  assert.deepEqual(proxy.clear, []);
  assert.ok(proxy.seen.length > 10);
  assert.deepEqual(proxy.seen.filter(holdsMarkedKey), [], 'at the proxy');
  assert.deepEqual(journal.console.filter(holdsMarkedKey), [], 'on the console');
  assert.deepEqual(
    journal.requests.filter(({ url }) => holdsMarkedKey(url)),
    [],
    'in the address of a request',
  );

  // Logs, settings, the journal of submissions, the state of windows and of the extension.
  const files = filesBelow(editor.dataDir);
  assert.ok(files.some(({ path }) => path.endsWith('Transcription Jobs.log')));
  assert.ok(files.some(({ path }) => path.includes('submissions')));
  assert.deepEqual(
    files.filter(({ text }) => holdsMarkedKey(text)).map(({ path }) => path),
    [],
  );

  const saved = filesBelow(folder);
  const names = saved.map(({ path }) => path);
  for (const name of ['jobs.json', 'other.json', 'saved.txt']) assert.ok(names.includes(name), name);
  assert.deepEqual(
    saved.filter(({ text }) => holdsMarkedKey(text)).map(({ path }) => path),
    [],
    'in an export or a transcript',
  );

  const kept = (await browserStorage(workbench.page))
    .filter(({ text }) => holdsMarkedKey(text))
    .map(({ place }) => place);
  console.log(JSON.stringify([...new Set(kept)]));
  // Only the titles of open pages and the jobs that they show, which the editor needs to restore them.
  assert.deepEqual(
    kept.filter((place) => !/workbench\.parts\.editor/.test(place)),
    [],
  );
});

function filesBelow(folder: string): readonly { readonly path: string; readonly text: string }[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path: relative(folder, path), text: readFileSync(path, 'latin1') }));
}
