import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, test } from 'node:test';
import { startFaultServer } from '../support/faults/faultServer.ts';
import { answer, pageText } from '../support/faults/plays.ts';
import { CanaryService } from '../support/hostile/canary.ts';
import { keyFormsIn, markedKey } from '../support/hostile/keyForms.ts';
import { createPrivateAuthority } from '../support/proxy/privateAuthority.ts';
import { startTunnelProxy } from '../support/proxy/tunnelProxy.ts';
import { until } from '../support/until.ts';
import { browserStorage } from '../support/workbench/browserStorage.ts';
import { useWorkbench } from '../support/workbench/useWorkbench.ts';

// A service that repeats the received key wherever it can, behind a proxy that records what it receives.
const hostname = 'canary.corp.example';
const authority = await createPrivateAuthority();
const canary = new CanaryService();
const service = await startFaultServer(
  ({ request, response, body }) => {
    const shown = canary.handle(request.method ?? '', request.url ?? '', request.headers, body);
    response.writeHead(shown.status, shown.reason, shown.headers).end(shown.body);
  },
  { certificate: await authority.certify(hostname) },
);
const proxy = await startTunnelProxy({ [hostname]: Number(new URL(service.origin).port) });
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

function showsKey(text: string): boolean {
  return keyFormsIn(text, markedKey).length > 0;
}

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
  await tree.pickFromMenu(age, 'Copy › Copy List Request as cURL (sh)', workbench.statusBarItem('Copied a command'));
  await until('the command is copied', async () => {
    const text: unknown = await workbench.page.evaluate('navigator.clipboard.readText()');
    if (typeof text !== 'string' || !text.includes('curl ')) return false;
    clipboard.push(text);
    return true;
  });

  const exportJobs = async (name: string, outcome: RegExp): Promise<void> => {
    await workbench.ask('Transcription: Export Jobs…', 'File format');
    await quickInput.pick('JSON');
    await quickInput.shown('Export Jobs');
    await quickInput.item('..').waitFor();
    await quickInput.answer(join(folder, name));
    await quickInput.hidden();
    await notifications.withText(outcome).first().waitFor();
    said.push(...(await notifications.messages()));
    await workbench.runCommand('Notifications: Clear All Notifications');
  };
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
    await notifications.withText(outcome).first().waitFor();
    said.push(...(await notifications.messages()));
    await workbench.runCommand('Notifications: Clear All Notifications');
  }
  await workbench.ask('Transcription: Show Submissions', 'Submissions to Canary');
  said.push(...(await quickInput.labels()));
  await quickInput.cancel();

  await tree.click(age);
  const [main, around] = await until('the page of a job', async () => {
    for (const frame of workbench.page.frames()) {
      // A frame may be removed while it is read.
      const parts: unknown = await frame.evaluate(partsOfPage).catch(() => undefined);
      if (Array.isArray(parts)) return parts.map(String);
    }
    return undefined;
  });
  assert.ok(showsKey(main ?? ''), 'the page shows what the service put into the job');
  assert.match(around ?? '', /<script nonce=/);
  assert.ok(!showsKey(around ?? ''), `around that it has the key: ${around}`);
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

test("the key is found in the user's own data, and nowhere else", async () => {
  const { workbench, editor, folder, journal } = session();
  // Makes the editor store the state of its windows, including the open page.
  await workbench.reload();
  await workbench.page.locator('iframe.webview').first().waitFor();
  assert.deepEqual(said.filter(showsKey), [], 'in a dialog, a notification or a list');
  assert.deepEqual(clipboard.filter(showsKey), [], 'in a copied command');
  assert.deepEqual(proxy.clear, []);
  assert.ok(proxy.seen.length > 10);
  assert.deepEqual(proxy.seen.filter(showsKey), [], 'at the proxy');
  assert.deepEqual(journal.console.filter(showsKey), [], 'on the console');
  assert.deepEqual(
    journal.requests.filter(({ url }) => showsKey(url)),
    [],
    'in the address of a request',
  );

  // Logs, settings, the journal of submissions, the state of windows and of the extension.
  const files = filesBelow(editor.dataDir);
  assert.ok(files.some(({ path }) => path.endsWith('Transcription Jobs.log')));
  assert.ok(files.some(({ path }) => path.includes('submissions')));
  assert.deepEqual(
    files.filter(({ text }) => showsKey(text)).map(({ path }) => path),
    [],
  );

  const saved = filesBelow(folder);
  assert.ok(saved.some(({ path }) => path === 'jobs.json'));
  assert.deepEqual(
    saved.filter(({ text }) => showsKey(text)).map(({ path }) => path),
    [],
    'in an export',
  );

  const kept = (await browserStorage(workbench.page)).filter(({ text }) => showsKey(text)).map(({ place }) => place);
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
