import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, test } from 'node:test';
import { startSampleService } from '../../src/sample/sampleService.ts';
import type { Play, Stage } from '../support/faults/faultServer.ts';
import { forwardTo, startFaultyService } from '../support/faults/faultyService.ts';
import { answer, silence } from '../support/faults/plays.ts';
import { until } from '../support/until.ts';
import { useWorkbench } from '../support/workbench/useWorkbench.ts';
import { agent } from '../support/extensions/agent.ts';
import { agentTests } from './submit/agent.ts';

const sample = await startSampleService({ count: 1 });
/** If set, handles POSTs instead of the service. */
let postFault: Play | undefined;
const service = await startFaultyService({
  target: sample.baseUrl,
  faults: ({ method }) => (method === 'POST' ? postFault : undefined),
});
after(async () => {
  await service.stop();
  await sample.stop();
});
afterEach(() => (postFault = undefined));

const session = useWorkbench(import.meta.filename, {
  besides: [agent],
  userSettings: {
    'transcriptionJobs.connections': [{ name: 'Work', baseUrl: service.origin }],
    'transcriptionJobs.connection': 'Work',
    'transcriptionJobs.autoRefresh.enabled': false,
    // Short enough to wait for, long enough for the slowest machine.
    'transcriptionJobs.requestTimeoutSeconds': 20,
  },
  env: { TRANSCRIPTION_API_KEY: sample.key, TRANSCRIPTION_BASE_URL: service.origin },
});

function posts(): number {
  return service.seen.filter(({ method }) => method === 'POST').length;
}

test('a request is checked, confirmed, sent once, shown, and watched until it is final', async () => {
  const { workbench } = session();
  await workbench.showView('Transcription Jobs');
  const tree = workbench.tree('Jobs');
  await until('the groups that stand open have answered', () => service.seen.length === 2);
  await tree.expand(/^Queued/);
  await workbench.openFile('podcast.transcription.json');
  const before = posts();

  await workbench.runCommand('Transcription: Submit Request');
  const question = await dialog();
  for (const part of [
    'Submit "podcast.transcription.json" to Work?',
    `Service: ${service.origin}`,
    'Audio: audio.example',
    'Other addresses in the request: none',
    'creates a new billed job',
    '• ',
  ]) {
    assert.ok(question.includes(part), `${part} is missing in: ${question}`);
  }
  await workbench.dialogButton('Show Problems').click();
  await workbench.page.locator('.panel .markers-panel').waitFor();
  assert.equal(posts(), before);

  await workbench.runCommand('Transcription: Submit Request');
  await dialog();
  await workbench.dialogButton('Cancel').click();
  assert.equal(posts(), before);

  await workbench.runCommand('Transcription: Submit Request');
  await workbench.dialogButton('Submit Anyway').click();
  // The editor takes a notification away after ten seconds.
  await workbench.notifications.press(/was submitted as job/, 'Open Job');
  assert.equal(posts(), before + 1);
  await workbench.editorTab(/^podcast(?!\.transcription)/).waitFor();
  await tree
    .row(/^podcast/)
    .first()
    .waitFor();
  await workbench.statusBarItem('Watching 1 job').waitFor();

  sample.setStatus(await newestId(), 'done');
  await workbench.notifications.withText('"podcast.transcription.json" is done.').waitFor();
  await workbench.statusBarItem('1 job').waitFor({ state: 'detached' });
  const page = await workbench.webview(/^podcast(?!\.transcription)/);
  await page.getByRole('button', { name: 'Open Request File' }).click();
  await workbench.page.locator('.tab.active', { hasText: 'podcast.transcription.json' }).waitFor();
  assert.equal(posts(), before + 1);
});

test('the text that is sent is the text that is seen, and the same body is not sent twice without a word', async () => {
  const { workbench } = session();
  const editor = await workbench.openFile('interview.transcription.json');
  const text = '{ "audio_url": "https://audio.example/unsaved.mp3", "sentences": true }';
  await editor.replaceText(text);
  let body: string | undefined;
  postFault = (stage) => {
    ({ body } = stage);
    answer(201, '{"id":"11111111-aaaa","result_url":"http://elsewhere.example/"}')(stage);
  };
  await workbench.runCommand('Transcription: Submit Request');
  await workbench.dialogButton('Submit').click();
  await workbench.notifications
    .withText('"interview.transcription.json" was submitted as job 11111111-aaaa.')
    .waitFor();
  assert.equal(body, text);

  await workbench.runCommand('Transcription: Submit Request');
  const question = await dialog();
  assert.match(question, /^"interview\.transcription\.json" was (just|already) submitted.*\. Submit it again\?/);
  assert.match(question, /Connection: Work[^]+This creates another billed job\./);
  assert.match(question, /You already submitted this request .+ \(job 11111111-aaaa\)\./);
  const before = posts();
  // What Enter presses sends nothing: it opens the job that there is.
  await workbench.page.locator('.monaco-dialog-box .monaco-button:focus', { hasText: 'Open That Job' }).waitFor();
  await workbench.page.keyboard.press('Enter');
  await workbench.notifications
    .withText(/11111111/)
    .last()
    .waitFor();
  await workbench.dialogButton('Submit Again').waitFor({ state: 'detached' });
  assert.equal(posts(), before);
});

test('what is no JSON, or has a wrong type, is not sent', async () => {
  const { workbench } = session();
  const editor = await workbench.openFile('interview.transcription.json');
  const before = posts();
  for (const text of ['{ "audio_url": ', '{ "audio_url": 5, "summarization": "on" }']) {
    await workbench.runCommand('Notifications: Clear All Notifications');
    await editor.replaceText(text);
    await workbench.runCommand('Transcription: Submit Request');
    await workbench.notifications.withText(/can't be sent/).waitFor();
  }
  await workbench.notifications.press(/can't be sent/, 'Show Problems');
  await workbench.statusBarItem('(1 selected)').waitFor();
  await workbench.runCommand('Notifications: Clear All Notifications');
  await editor.replaceText('{\n  "audio_url": "https://audio.example/a.mp3",\n  "summarization": "on"\n}');
  await workbench.runCommand('Transcription: Submit Request');
  await workbench.notifications.press(/Line 3: summarization must be true or false\./, 'Go to Line 3');
  await workbench.statusBarItem('Ln 3, Col 20').waitFor();
  assert.equal(posts(), before);
});

test('complaints about fields stand at the fields until the request is edited', async () => {
  const { workbench } = session();
  const editor = await workbench.openFile('interview.transcription.json');
  await editor.replaceText('{\n  "audio_url": "https://audio.example/refused.mp3",\n  "sentences": true\n}');
  const squiggle = editor.area.locator('.squiggly-error');
  await squiggle.waitFor({ state: 'detached' });
  const complaint = 'sentences must be agreed upon';
  postFault = answer(400, JSON.stringify({ message: 'Invalid parameters', validation_errors: [complaint] }));
  await workbench.runCommand('Transcription: Submit Request');
  await workbench.dialogButton('Submit').click();
  await workbench.notifications.press(/was not accepted.+Invalid parameters/, 'Show Problems');
  await squiggle.waitFor();
  await workbench.statusBarItem('Ln 3').waitFor();
  await editor.goTo(1);
  await editor.type(' ');
  await squiggle.waitFor({ state: 'detached' });
});

test('a cancel after it left leaves the outcome open; a look finds the job, or lets it be sent again', async () => {
  const { workbench } = session();
  const editor = await workbench.openFile('interview.transcription.json');
  await editor.replaceText('{ "audio_url": "https://audio.example/lost.mp3" }');
  const before = posts();
  postFault = silence;
  await workbench.runCommand('Transcription: Submit Request');
  await workbench.dialogButton('Submit').click();
  await until('the request has left', () => posts() === before + 1);
  await workbench.notifications.press('Submitting "interview.transcription.json" to Work', 'Cancel');
  await workbench.notifications.press(/may or may not have become/, 'Find Job');
  await workbench.notifications.withText(/lists no job for "interview.transcription.json"/).waitFor();
  assert.equal(posts(), before + 1);

  // The service has accepted it nevertheless.
  const id = sample.add({ fields: { file: { filename: 'lost.mp3', source: 'https://audio.example/lost.mp3' } } });
  await workbench.notifications.press(/lists no job/, 'Check Again');
  await workbench.quickInput.shown('Which job is "interview.transcription.json"?');
  await workbench.quickInput.pick('lost.mp3');
  await workbench.notifications.withText(`became job ${id}`).waitFor();
  assert.equal(posts(), before + 1);
});

test('a reload in the middle of a submission leaves an unknown outcome, and nothing is sent again', async () => {
  const { workbench } = session();
  const editor = await workbench.openFile('interview.transcription.json');
  await editor.replaceText('{ "audio_url": "https://audio.example/reloaded.mp3" }');
  const before = posts();
  let stage: Stage | undefined;
  postFault = (at) => (stage = at);
  await workbench.runCommand('Transcription: Submit Request');
  await workbench.dialogButton('Submit').click();
  await until('the request has left', () => stage);
  await workbench.reload();
  // The restored editor takes the focus.
  await workbench.textEditor.area.getByText('Submit', { exact: true }).waitFor();
  await workbench.ask('Transcription: Show Submissions', 'Submissions to Work');
  const entries = workbench.page.locator('.quick-input-widget').getByRole('option');
  await entries
    .first()
    .filter({ hasText: /interview\.transcription\.json\s*outcome unknown/ })
    .waitFor();
  await workbench.quickInput.accept();
  await workbench.quickInput.shown(/The window was closed before the response arrived/);
  await workbench.quickInput.item('Find Job').waitFor();
  assert.equal(await workbench.quickInput.item('Submit Again').count(), 0);
  await workbench.quickInput.cancel();
  assert.equal(posts(), before + 1);
});

test('the list of submissions follows while it is shown, and keeps the row that the user is at', async () => {
  const { workbench } = session();
  const held: Stage[] = [];
  postFault = (stage) => void held.push(stage);
  const editor = await workbench.openFile('interview.transcription.json');
  await editor.replaceText('{ "audio_url": "https://audio.example/followed.mp3" }');
  await workbench.runCommand('Transcription: Submit Request');
  await workbench.dialogButton('Submit').click();
  await until('the first request has left', () => held.length === 1);
  await workbench.openFile('podcast.transcription.json');
  await workbench.runCommand('Transcription: Submit Request');
  await workbench.dialogButton('Submit Again').click();
  await until('the second request has left', () => held.length === 2);
  await workbench.ask('Transcription: Show Submissions', 'Submissions to Work');
  const entries = workbench.page.locator('.quick-input-widget').getByRole('option');
  const active = workbench.page.locator('.quick-input-widget .monaco-list-row.focused');
  await entries
    .nth(1)
    .filter({ hasText: /interview\.transcription\.json\s*being sent/ })
    .waitFor();
  await workbench.page.keyboard.press('ArrowDown');
  await workbench.page.keyboard.press('ArrowDown');
  const third = await entries.nth(2).innerText();
  assert.equal(await active.innerText(), third);
  for (const [place, stage] of held.toReversed().entries()) {
    answer(201, `{"id":"followed-${place}"}`)(stage);
    await entries.nth(place).filter({ hasText: `followed` }).waitFor();
    assert.equal(await active.innerText(), third);
  }
  await workbench.page.keyboard.press('ArrowUp');
  assert.match(await active.innerText(), /interview\.transcription\.json\s*accepted/);
  await workbench.quickInput.cancel();
});

test('a batch survives a rate limit and a reload, and sends nothing twice', async () => {
  const { workbench, folder } = session();
  /** Bodies of the POSTs, in order. */
  const bodies: string[] = [];
  /** Handlers used for the nth POST instead of the service. */
  let faults: Readonly<Record<number, Play>> = {};
  postFault = (stage) => (faults[bodies.push(stage.body)] ?? forwardTo(sample.baseUrl))(stage);
  const rows = ['name;audio', ...[1, 2, 3, 4, 5].map((call) => `"Call ""${call}""";https://audio.example/${call}.wav`)];
  writeFileSync(join(folder, 'calls.csv'), `${rows.join('\n')}\n\n`);
  await workbench.openFile('calls.csv');
  await workbench.openFile('podcast.transcription.json');

  // The second request gets a rate limit, which stops the batch.
  faults = { 2: answer(429, '{"message":"too many requests"}') };
  await workbench.runAndPick('Transcription: Submit a List of Audio URLs…', 'calls.csv');
  await workbench.dialogButton('Cancel').waitFor();
  assert.match(await workbench.dialogText(), /Submit 5 requests to Work\?[^]+First: audio\.example\/1\.wav/);
  await workbench.dialogButton('Submit Anyway').click();
  await workbench.notifications.withText(/The batch stopped: 1 accepted · 1 rejected · 3 not sent\./).waitFor();
  assert.equal(bodies.length, 2);

  // After the retry, the window is reloaded while the next request waits for its response.
  faults = { 4: silence };
  await workbench.notifications.press(/The batch stopped/, 'Retry');
  await workbench.dialogButton('Submit Anyway').click();
  await until('the request has left', () => bodies.length === 4);
  await workbench.reload();
  // The restored editor takes the focus.
  await workbench.textEditor.area.getByText('Submit', { exact: true }).waitFor();
  faults = {};

  await workbench.answerAll(async () => {
    await workbench.ask('Transcription: Show Submissions', 'Submissions to Work');
    await workbench.quickInput.pick('Batch of 5');
    await workbench.quickInput.pick('Submit the Remaining 2');
  });
  await workbench.dialogButton('Submit Anyway').click();
  await workbench.notifications.withText(/Batch sent: 4 accepted · 1 outcome unknown\./).waitFor();
  const audio = bodies.map((body) => (JSON.parse(body) as { readonly audio_url: string }).audio_url.slice(-5));
  // 2 was rejected and is sent again; 3 may have become a job and is not.
  assert.deepEqual(audio, ['1.wav', '2.wav', '2.wav', '3.wav', '4.wav', '5.wav']);

  await workbench.notifications.press(/Batch sent/, 'Show Batch');
  await workbench.editorTab(/^Batch /).waitFor();
  await until('the summary names each request', async () => {
    const text = await workbench.textEditor.text();
    return (
      [1, 2, 3, 4, 5].every((call) => text.includes(`audio.example/${call}.wav`)) &&
      /outcome unknown +.+3\.wav/.test(text)
    );
  });
  await workbench.reload();
  await workbench.editorTab(/^Batch /).waitFor();
  await until('the summary is back', async () => (await workbench.textEditor.text()).includes('audio.example/5.wav'));
});

agentTests(session, new URL(service.origin).host, posts);

async function dialog(): Promise<string> {
  const { workbench } = session();
  await workbench.dialogButton('Cancel').waitFor();
  return workbench.dialogText();
}

async function newestId(): Promise<string> {
  const response = await fetch(`${sample.baseUrl}/v2/pre-recorded?limit=1`, {
    headers: { 'x-service-key': sample.key },
  });
  const page = (await response.json()) as { readonly items: readonly [{ readonly id: string }] };
  return page.items[0].id;
}
