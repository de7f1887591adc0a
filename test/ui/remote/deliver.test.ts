import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { agent } from '../../support/extensions/agent.ts';
import { selecting } from '../../support/extensions/selecting.ts';
import { useRemoteService } from '../../support/remote/remoteService.ts';
import { until } from '../../support/until.ts';
import { useWorkbench } from '../../support/workbench/useWorkbench.ts';

const remote = await useRemoteService({ count: 1, results: true });
const session = useWorkbench(import.meta.filename, {
  besides: [agent, selecting],
  userSettings: remote.userSettings,
  env: remote.env,
});

test('the results of a batch are saved when its jobs are done, also after a reload', async () => {
  const { workbench, folder } = session();
  const { quickInput } = workbench;
  await workbench.showView('Transcription Jobs');
  mkdirSync(join(folder, 'calls'));
  for (let call = 1; call <= 2; call++) {
    const body = { audio_url: `https://audio.example/call-${call}.wav`, custom_metadata: { name: `call-${call}` } };
    writeFileSync(join(folder, 'calls', `call-${call}.transcription.json`), JSON.stringify(body));
  }
  await workbench.runCommand('Selecting: Submit Calls');
  await workbench.dialogButton('Submit').waitFor();
  await workbench.dialogButton('Save Results When Done…').click();
  await quickInput.shown(/^Save Results When Done: 2 jobs/);
  await quickInput.accept();
  await quickInput.pick('transcripts');
  await workbench.dialogButton('Submit').waitFor();
  assert.match(await workbench.dialogText(), /Saved when done: Markdown, SubRip, with translations, in transcripts/);
  await workbench.dialogButton('Submit').click();
  await workbench.notifications.withText(/Batch sent: 2 accepted\./).waitFor();

  const [second, first] = await newestJobs();
  remote.sample.setStatus(first ?? '', 'done');
  const files = (): readonly string[] => filesIn(join(folder, 'transcripts'));
  await until('the first job is saved', () => files().length === 2);
  await workbench.reload();
  remote.sample.setStatus(second ?? '', 'done');
  await workbench.notifications.withText('4 files of 2 jobs are saved in transcripts.').waitFor();
  assert.deepEqual(files(), ['call-1.md', 'call-1.srt', 'call-2.md', 'call-2.srt']);
  assert.match(readFileSync(join(folder, 'transcripts', 'call-1.srt'), 'utf8'), /^1\r?\n00:00:0/);

  await workbench.openFile('calls/call-1.transcription.json');
  const lens = workbench.page.locator('.codelens-decoration a', { hasText: '1 job from this file' });
  await lens.click();
  await workbench.editorTab(/^call-1$/).waitFor();
});

test('a saved Markdown file leads to its job, also before the extension is active', async () => {
  const { workbench } = session();
  const { page, textEditor } = workbench;
  await workbench.runCommand('View: Close All Editors');
  await workbench.showView('Explorer');
  await workbench.openFile('transcripts/call-2.md');
  await workbench.reload();
  await workbench.runCommand('Selecting: Show State');
  await workbench.notifications.withText('The product is not active.').waitFor();
  const line = (await textEditor.text()).split('\n').findIndex((each) => each.startsWith('[Open Job]')) + 1;
  await page.locator('.monaco-editor .detected-link').first().waitFor();
  await textEditor.goTo(line, 20);
  await workbench.runCommand('Open Link');
  await workbench.editorTab(/^call-2$/).waitFor();
});

/** Names of the complete files in a folder that may not exist yet. */
function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => !name.endsWith('.partial'));
  } catch {
    return [];
  }
}

/** The ids of the newest two jobs of the service. */
async function newestJobs(): Promise<readonly string[]> {
  const { baseUrl, key } = remote.sample;
  const response = await fetch(`${baseUrl}/v2/pre-recorded?limit=2`, { headers: { 'x-service-key': key } });
  const { items } = (await response.json()) as { readonly items: readonly { readonly id: string }[] };
  return items.map(({ id }) => id);
}
