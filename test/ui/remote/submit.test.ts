import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { FrameLocator, Locator } from 'playwright-core';
import { agent, agentRequest } from '../../support/extensions/agent.ts';
import { selecting } from '../../support/extensions/selecting.ts';
import type { Play } from '../../support/faults/faultServer.ts';
import { forwardTo } from '../../support/faults/faultyService.ts';
import { silence } from '../../support/faults/plays.ts';
import { useRemoteService } from '../../support/remote/remoteService.ts';
import { until } from '../../support/until.ts';
import { useWorkbench } from '../../support/workbench/useWorkbench.ts';

/** The audio file names of all POSTs that arrived, in order. */
const sent: string[] = [];
/** Plays for the next POSTs with this audio file, used instead of the service. */
const plays: Record<string, Play[]> = {};
const post: Play = (stage) => {
  const name = (JSON.parse(stage.body) as { readonly audio_url: string }).audio_url.replace(/.*\/|\?.*/g, '');
  sent.push(name);
  (plays[name]?.shift() ?? forwardTo(remote.sample.baseUrl))(stage);
};
const remote = await useRemoteService({
  count: 1,
  faults: ({ method }) => (method === 'POST' ? post : undefined),
  // Until a test ends them: by themselves, jobs end after twenty seconds, within a test on a slow machine.
  onSubmitted: ({ id = '' }) => void remote.sample.setStatus(id, 'queued'),
  // Silence lasts until the window is closed.
  connection: { timeoutSeconds: 600 },
});
const origin = remote.env['TRANSCRIPTION_BASE_URL'] ?? '';
const session = useWorkbench(import.meta.filename, {
  besides: [agent, selecting],
  userSettings: remote.userSettings,
  env: remote.env,
});

test('a request is checked, confirmed, sent once, shown and watched to its end, and asked about when it would be sent again', async () => {
  const { workbench } = session();
  await workbench.showView('Transcription Jobs');
  const tree = workbench.tree('Jobs');
  await tree.expand(/^Queued/);
  await workbench.openFile('podcast.transcription.json');

  await workbench.runCommand('Transcription: Submit Request');
  assert.match(await dialog(), /^Submit "podcast\.transcription\.json" to Remote\?\n• [^]+\n\nService: /);
  await workbench.dialogButton('Show Problems').click();
  await workbench.page.locator('.panel .markers-panel').waitFor();
  assert.deepEqual(sent, []);

  await workbench.runCommand('Transcription: Submit Request');
  await workbench.dialogButton('Submit Anyway').click();
  // The editor takes a notification away after ten seconds.
  await workbench.notifications.press(/was submitted as job/, 'Open Job');
  await workbench.editorTab(/^podcast(?!\.transcription)/).waitFor();
  await tree
    .row(/^podcast/)
    .first()
    .waitFor();
  await workbench.statusBarItem('Watching 1 job').waitFor();
  const [{ id } = assert.fail('the service has no job')] = await newestJobs(1);
  remote.sample.setStatus(id, 'done');
  await workbench.notifications.withText(/^"podcast" is done\./).waitFor();
  await workbench.statusBarItem('1 job').waitFor({ state: 'detached' });

  await workbench.editorTab('podcast.transcription.json').click();
  await workbench.page.locator('.tab.active', { hasText: 'podcast.transcription.json' }).waitFor();
  await workbench.runCommand('Transcription: Submit Request');
  assert.match(await dialog(), new RegExp(`Submit it again\\?[^]+\\(job ${id}: done\\)`));
  // What Enter presses sends nothing: it opens the job that there is.
  await workbench.page.locator('.monaco-dialog-box .monaco-button:focus', { hasText: 'Open That Job' }).waitFor();
  await workbench.page.keyboard.press('Enter');
  await workbench.page.locator('.tab.active', { hasText: 'podcast', hasNotText: '.transcription' }).waitFor();
  assert.deepEqual(sent, ['podcast-episode-12.mp3']);
});

test('a reload in the middle of a submission and of a batch sends nothing twice: what was under way is unknown, the rest goes on', async () => {
  const { workbench, folder } = session();
  const lines = ['name;audio', ...[1, 2, 3, 4].map((call) => `Call ${call};https://audio.example/${call}.wav`)];
  writeFileSync(join(folder, 'calls.csv'), lines.join('\n'));
  await workbench.openFile('calls.csv');
  await workbench.openFile('podcast.transcription.json');
  plays['2.wav'] = [silence];
  plays['crash.mp3'] = [silence];
  await workbench.runAndPick('Transcription: Submit a List of Audio URLs…', 'calls.csv');
  await workbench.quickInput.shown('calls.csv: 4 URLs in "audio"');
  await workbench.quickInput.accept();
  assert.match(
    await dialog(),
    /Submit 4 requests to Remote\?[^]+calls\.csv: 4 rows below the headings = 4 to submit[^]+Metadata from the list: name/,
  );
  await workbench.dialogButton('Submit Anyway').click();
  await until('the second request of the batch has left', () => sent.includes('2.wav'));
  await openRequest('crash.transcription.json', 'https://audio.example/crash.mp3');
  await workbench.runCommand('Transcription: Submit Request');
  await workbench.dialogButton('Submit').click();
  await until('the single request has left', () => sent.includes('crash.mp3'));

  await workbench.reload();
  // The restored editor takes the focus.
  await workbench.textEditor.area.getByText('Submit', { exact: true }).waitFor();
  const { quickInput } = workbench;
  await workbench.answerAll(async () => {
    await workbench.ask('Transcription: Show Submissions', 'Submissions to Remote');
    await quickInput.pick('crash.transcription.json');
    await quickInput.shown(/The window was closed before the response arrived/);
    await quickInput.item('Find Job').waitFor();
    assert.equal(await quickInput.item('Submit Again').count(), 0);
    await quickInput.cancel();
  });
  await workbench.answerAll(async () => {
    await workbench.ask('Transcription: Show Submissions', 'Submissions to Remote');
    await quickInput.pick('Batch of 4');
  });
  const batch = await workbench.webview(/^Batch: calls\.csv, /);
  await batch.getByRole('button', { name: 'Submit the Remaining 2' }).click();
  await workbench.dialogButton('Submit Anyway').click();
  await workbench.notifications.withText(/Batch sent: 3 accepted · 1 outcome unknown\./).waitFor();
  await batch.getByText('3 accepted · 1 outcome unknown').first().waitFor();
  const rows = batch.locator('.grid-body [role=row]');
  await until('the page names each request', async () => {
    const texts = await rows.allInnerTexts();
    return (
      [1, 2, 3, 4].every((call) => texts.some((text) => text.includes(`${call}.wav · audio.example`))) &&
      /2\.wav\s+Outcome unknown/.test(texts[0] ?? '')
    );
  });
  // The second may have become a job.
  const expected = ['1.wav', '2.wav', 'crash.mp3', '3.wav', '4.wav'];
  assert.deepEqual(sent.slice(-expected.length), expected);
});

test('of the failures of a batch that are selected what can be is sent again, and the page of the batch follows all jobs, opens from a row of the tree, and comes back after a reload', async () => {
  const { workbench, folder } = session();
  const { quickInput } = workbench;
  const fileOf = (call: number): string => join(folder, 'calls', `call-${call}.transcription.json`);
  mkdirSync(join(folder, 'calls'));
  for (let call = 1; call <= 3; call++) writeCall(fileOf(call), `call-${call}.wav`);
  await workbench.runCommand('Selecting: Submit Calls');
  assert.match(await dialog(), /Submit 3 requests to Remote\?/);
  await workbench.dialogButton('Submit').click();
  await workbench.notifications.withText(/Batch sent: 3 accepted\./).waitFor();
  const before = sent.length;
  for (const { id, name } of await newestJobs(3)) remote.sample.setStatus(id, name === 'call-3.wav' ? 'done' : 'error');
  await workbench.notifications.press('Batch of 3: 1 done · 2 failed.', 'Show Batch');
  const shown = async (): Promise<FrameLocator> =>
    workbench.webview(/^Batch: call-1\.transcription\.json and 2 more, /);
  await (await shown()).getByText('1 done · 2 failed').first().waitFor();
  rmSync(fileOf(2));

  const tree = workbench.tree('Transcription Jobs');
  await workbench.runCommand('Transcription: Refresh');
  await tree.expand(/^Failed/);
  const failures = tree.row(/^call-[12]\.wav/);
  await until('the failures are listed', async () => (await failures.count()) === 2);
  await tree.pickFromMenu(
    /^call-2/,
    'Run Again › Resubmit Failed…',
    quickInput.step('Resubmit Failed Jobs'),
    async () => {
      await tree.select([/^call-1\.wav/, /^call-2\.wav/]);
      // A page takes the focus once it has loaded, with which a prompt would be closed.
      await (await workbench.webview(/^call-1\.wav/)).getByRole('heading', { level: 1 }).waitFor();
    },
  );
  const rows = workbench.page.locator('.quick-input-widget .monaco-list-row');
  await until('both that failed are offered', async () => (await rows.count()) === 2);
  const tick = (name: string): Locator => quickInput.item(name).getByRole('checkbox').first();
  assert.equal(await tick('call-1.wav').isChecked(), true);
  // A request whose file is gone cannot be ticked.
  await quickInput.toggle('call-2.wav');
  await until('its tick is gone', async () => !(await tick('call-2.wav').isChecked()));
  await quickInput.accept();
  assert.match(await dialog(), /Resubmit "call-1\.transcription\.json" to Remote\?/);
  await workbench.dialogButton('Submit').click();
  await workbench.notifications.withText(/call-1\.transcription\.json" was submitted as job /).waitFor();
  assert.deepEqual(sent.slice(before), ['call-1.wav']);
  await tree
    .row(/^call-1\.wav/)
    .filter({ hasText: 'resubmitted' })
    .waitFor();

  await workbench.answerAll(async () => {
    await workbench.ask('Transcription: Show Submissions', 'Submissions to Remote');
    await quickInput.pick('Batch of 3');
  });
  const tab = workbench.page.locator('.tab.active', { hasText: 'Batch: call-1' });
  await tab.waitFor();
  await workbench.runCommand('View: Close Editor');
  await tab.waitFor({ state: 'hidden' });
  await tree.pickFromMenu(/^call-2/, 'Show Batch', tab, () => tree.select([/^call-2\.wav/]));
  // A page that has not run yet has no state, with which it could come back.
  await (await shown()).getByText('1 done').first().waitFor();
  await workbench.reload();
  const back = await shown();
  const states = back.locator('.grid-body [role=row]');
  await until(
    'the page is back, with failures first, and what was resubmitted',
    async () =>
      (await states.allInnerTexts()).map((text) => /Resubmitted|Failed|Done/.exec(text)?.[0]).join(' ') ===
      'Failed Resubmitted Done',
  );
  await back.getByRole('button', { name: 'Resubmit Failed…' }).click();
  await workbench.notifications.withText(/The request file no longer exists/).waitFor();
});

test('what an agent would submit is asked about with the connection and the bill, sent once if allowed, and not at all if not', async () => {
  const { workbench } = session();
  const before = sent.length;
  await workbench.runCommand('Agent: Submit a Request');
  const question = await dialog();
  for (const part of [
    'Submit a transcription request?',
    'Connection: Remote',
    `Service: ${origin}/v2/pre-recorded`,
    'creates a new billed job',
    agentRequest,
  ]) {
    assert.ok(question.includes(part), `${part} is missing in: ${question}`);
  }
  await workbench.dialogButton('Cancel').click();
  await workbench.notifications.withText(/^No answer: /).waitFor();
  assert.equal(sent.length, before);

  await workbench.runCommand('Agent: Submit a Request');
  await workbench.dialogButton(/^(Yes|Continue|Allow)$/).click();
  await workbench.notifications.withText(/^Answer: Job [\w-]+ was created\.$/).waitFor();
  assert.deepEqual(sent.slice(before), ['agent.mp3']);
});

/** The text of the dialog that asks. */
async function dialog(): Promise<string> {
  const { workbench } = session();
  await workbench.dialogButton('Cancel').waitFor();
  return workbench.dialogText();
}

/** Opens a new request file that asks for nothing but this audio. */
async function openRequest(name: string, audioUrl: string): Promise<void> {
  const { workbench, folder } = session();
  writeFileSync(join(folder, name), JSON.stringify({ audio_url: audioUrl }));
  await workbench.openFile(name);
}

/** Writes a request whose job is named after its audio. */
function writeCall(file: string, audio: string): void {
  const url = `https://audio.example/${audio}`;
  writeFileSync(file, JSON.stringify({ audio_url: url, custom_metadata: { name: new URL(url).pathname.slice(1) } }));
}

/** The newest jobs of the service, with the names in their metadata. */
async function newestJobs(count: number): Promise<readonly { readonly id: string; readonly name: string }[]> {
  const { baseUrl, key } = remote.sample;
  const response = await fetch(`${baseUrl}/v2/pre-recorded?limit=${count}`, { headers: { 'x-service-key': key } });
  const { items } = (await response.json()) as {
    readonly items: readonly { readonly id: string; readonly custom_metadata?: { readonly name?: string } }[];
  };
  return items.map(({ id, custom_metadata: metadata }) => ({ id, name: metadata?.name ?? '' }));
}
