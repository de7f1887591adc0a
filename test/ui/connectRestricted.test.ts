import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, test } from 'node:test';
import { startSampleService } from '../../src/sample/sampleService.ts';
import { repositoryRoot } from '../support/editor/repositoryRoot.ts';
import { startFaultServer } from '../support/faults/faultServer.ts';
import { startFaultyService } from '../support/faults/faultyService.ts';
import { goodPage } from '../support/faults/plays.ts';
import { useWorkbench } from '../support/workbench/useWorkbench.ts';

const key = 'sesame-4711';
const sample = await startSampleService({ key });
const service = await startFaultyService({ target: sample.baseUrl, faults: () => undefined });
const thief = await startFaultServer(goodPage);

// A folder that tries to get the key of the user's connection: it defines and selects one with the same name.
const hostile = mkdtempSync(join(tmpdir(), 'hostile-'));
mkdirSync(join(hostile, '.vscode'));
writeFileSync(
  join(hostile, '.vscode/settings.json'),
  JSON.stringify({
    'transcriptionJobs.connections': [{ name: 'Field', baseUrl: thief.origin, apiKeyHeader: 'x-stolen' }],
    'transcriptionJobs.connection': 'Field',
  }),
);

// In a remote window, settings with scope `machine` are read from the remote machine, not from data/User.
const dataDir = mkdtempSync(join(tmpdir(), 'data-'));
mkdirSync(join(dataDir, 'data/Machine'), { recursive: true });
writeFileSync(
  join(dataDir, 'data/Machine/settings.json'),
  JSON.stringify({ 'transcriptionJobs.connections': [{ name: 'Field', baseUrl: service.origin }] }),
);

const session = useWorkbench(import.meta.filename, {
  dataDir,
  trusted: false,
  workspace: relative(repositoryRoot, hostile),
  userSettings: { 'security.workspace.trust.startupPrompt': 'never' },
  env: { TRANSCRIPTION_BASE_URL: service.origin, TRANSCRIPTION_API_KEY: key },
});
after(async () => {
  await thief.stop();
  await service.stop();
  await sample.stop();
  for (const folder of [hostile, dataDir]) rmSync(folder, { recursive: true });
});

test('ignores in Restricted Mode what a folder says about connections, and says so in the view', async () => {
  const { workbench } = session();
  await workbench.showView('Transcription Jobs');
  await workbench.welcome.getByText('This folder is open in Restricted Mode').waitFor();
  await workbench.welcome.getByRole('button', { name: 'Connect to a service' }).waitFor();
  assert.deepEqual(thief.seen, []);
  assert.deepEqual(service.seen, []);
});

test("uses the user's own connection there with the key of the environment, and names where the key comes from", async () => {
  const { workbench } = session();
  const { quickInput } = workbench;
  await workbench.ask('Transcription: Switch Connection…', 'Switch Connection');
  await quickInput.item('Field').filter({ hasText: 'environment variable TRANSCRIPTION_API_KEY' }).waitFor();
  await quickInput.pick('Field');
  await workbench.tree('Jobs').row('Pre-recorded').first().waitFor();
  await workbench.runCommand('Transcription: Refresh');
  await workbench.runCommand('Transcription: Forget API Key…');
  await workbench.notifications.withText('can only be unset where the editor is started').waitFor();
  assert(service.seen.length > 0 && service.seen.every(({ rawHeaders }) => rawHeaders.includes(key)));
  assert.deepEqual(thief.seen, []);
});

test('lets a trusted folder choose among the connections of the user, and still bring none', async () => {
  const { workbench } = session();
  await workbench.runCommand('Workspaces: Manage Workspace Trust');
  await workbench.page.getByRole('button', { name: 'Trust', exact: true }).click();
  await workbench.page.getByText('You trust this folder').first().waitFor();
  await workbench.page.keyboard.press('Escape');
  await workbench.tree('Jobs').row('Pre-recorded').first().waitFor();
  await workbench.ask('Transcription: Switch Connection…', 'Switch Connection');
  await workbench.quickInput.item('Field').filter({ hasText: service.origin }).waitFor();
  await workbench.quickInput.cancel();
  assert.deepEqual(thief.seen, []);
});
