import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startSampleService } from '../../src/sample/sampleService.ts';
import { selecting } from '../support/extensions/selecting.ts';
import { startFaultyService } from '../support/faults/faultyService.ts';
import { until } from '../support/until.ts';
import { useWorkbench } from '../support/workbench/useWorkbench.ts';

const sample = await startSampleService({ count: 0 });
const service = await startFaultyService({ target: sample.baseUrl, faults: () => undefined });
after(async () => {
  await service.stop();
  await sample.stop();
});

const session = useWorkbench(import.meta.filename, {
  besides: [selecting],
  userSettings: {
    'transcriptionJobs.connections': [{ name: 'Work', baseUrl: service.origin }],
    'transcriptionJobs.connection': 'Work',
    'transcriptionJobs.autoRefresh.enabled': false,
  },
  env: { TRANSCRIPTION_API_KEY: sample.key, TRANSCRIPTION_BASE_URL: service.origin },
});

function posts(): number {
  return service.seen.filter(({ method }) => method === 'POST').length;
}

const audio = (call: number): string => `https://audio.example/call-${String(call).padStart(2, '0')}.wav`;

test('of a batch of 20 with 6 failures, only what is as it was is sent again, and once', async () => {
  const { workbench, folder } = session();
  const fileOf = (call: number): string =>
    join(folder, 'calls', `call-${String(call).padStart(2, '0')}.transcription.json`);
  const requestOf = (url: string): string =>
    JSON.stringify({ audio_url: url, custom_metadata: { name: new URL(url).pathname.slice(1) } });
  mkdirSync(join(folder, 'calls'));
  for (let call = 1; call <= 20; call++) {
    const expiry = call === 6 ? '?expires=1763000000' : '';
    writeFileSync(fileOf(call), requestOf(`${audio(call)}${expiry}`));
  }
  await workbench.showView('Transcription Jobs');
  await workbench.runCommand('Selecting: Submit Calls');
  await workbench.dialogButton('Submit Anyway').waitFor();
  assert.match(await workbench.dialogText(), /Submit 20 requests to Work\?/);
  await workbench.dialogButton('Submit Anyway').click();
  await workbench.notifications.withText(/Batch sent: 20 accepted\./).waitFor();
  assert.equal(posts(), 20);

  const response = await fetch(`${sample.baseUrl}/v2/pre-recorded?limit=20`, {
    headers: { 'x-service-key': sample.key },
  });
  const { items } = (await response.json()) as {
    readonly items: readonly { readonly id: string; readonly custom_metadata: { readonly name: string } }[];
  };
  for (const {
    id,
    custom_metadata: { name },
  } of items) {
    const failed = Number(/\d+/.exec(name)?.[0]) <= 6;
    sample.setStatus(id, failed ? 'error' : 'done');
  }
  writeFileSync(fileOf(4), requestOf('https://audio.example/call-04-corrected.wav'));
  rmSync(fileOf(5));

  const tree = workbench.tree('Transcription Jobs');
  await workbench.runCommand('Transcription: Refresh');
  await tree.expand(/^Failed/);
  const failures = tree.row(/^call-0[1-6]\.wav/);
  await until('the failures are listed', async () => (await failures.count()) === 6);
  await tree.pickFromMenu(/^call-03/, 'Resubmit Failed…', workbench.quickInput.step('Resubmit Failed Jobs'), () =>
    tree.select([1, 2, 3, 4, 5, 6].map((number) => new RegExp(`^call-0${number}\\.wav`))),
  );
  const rows = workbench.page.locator('.quick-input-widget .monaco-list-row');
  await until('all that failed are offered', async () => (await rows.count()) === 6);
  const said = Object.fromEntries(
    await Promise.all(
      (await rows.all()).map(async (row) => {
        const label = await row.locator('.label-name').first().innerText();
        const isTicked = await row.getByRole('checkbox').isChecked();
        return [label.trim(), [isTicked, (await row.innerText()).replaceAll(/\s+/g, ' ')] as const] as const;
      }),
    ),
  );
  for (const name of ['call-01.wav', 'call-02.wav', 'call-03.wav']) {
    assert.ok(said[name]?.[0] && /same as sent/.test(said[name][1]), name);
  }
  for (const [name, words] of [
    ['call-04.wav', /changed since .* The request has changed since it was sent\./],
    ['call-05.wav', /file gone .* The request file no longer exists\./],
    ['call-06.wav', /same as sent .* The link to the audio has expired\./],
  ] as const) {
    assert.ok(said[name]?.[0] === false && words.test(said[name][1]), JSON.stringify(said[name]));
  }
  // A request whose file is gone cannot be ticked.
  await workbench.quickInput.toggle('call-05.wav');
  await until(
    'its tick is gone',
    async () => !(await workbench.quickInput.item('call-05.wav').getByRole('checkbox').isChecked()),
  );
  await workbench.quickInput.accept();
  await workbench.dialogButton('Submit').waitFor();
  const question = await workbench.dialogText();
  assert.match(question, /Submit 3 requests to Work\?[^]+This creates 3 new billed jobs\./);
  assert.doesNotMatch(question, /Already submitted in the last 24 hours/);
  await workbench.dialogButton('Submit').click();
  await workbench.notifications.withText(/Batch sent: 3 accepted\./).waitFor();
  assert.equal(posts(), 23);
});

test('the report of a batch follows its jobs to their end, comes back after a reload, and resubmits what failed', async () => {
  const { workbench } = session();
  const { quickInput, textEditor } = workbench;
  const pickOfBatch = (label: string, next?: string): Promise<void> =>
    workbench.answerAll(async () => {
      await workbench.ask('Transcription: Show Submissions', 'Submissions to Work');
      await quickInput.pick('Batch of 20');
      await quickInput.pick(label, next);
    });
  const isFollowed = async (): Promise<boolean> =>
    /14 done · 6 failed\s+Resubmit 6 Failed…\s/.test((await textEditor.text()).replaceAll('\u00a0', ' '));
  await pickOfBatch('Show Batch');
  await workbench.editorTab(/^Batch /).waitFor();
  await until('the report says how all jobs ended', isFollowed);

  await workbench.reload();
  await workbench.editorTab(/^Batch /).waitFor();
  await until('the report is back', isFollowed);
  const before = posts();
  await textEditor.goTo(3, 3);
  await workbench.ask('Open Link', 'Resubmit Failed Jobs');
  const entries = workbench.page.locator('.quick-input-widget .monaco-list-row');
  await until('all that failed are offered', async () => (await entries.count()) === 6);
  await quickInput.cancel();
  await pickOfBatch('Resubmit 6 Failed…', 'Resubmit Failed Jobs');
  await quickInput.cancel();
  assert.equal(posts(), before);
});
