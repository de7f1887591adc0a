import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Settings } from '../../../src/settings.ts';
import { showUnusableSetting } from '../../../src/writeSetting.ts';
import { heardMessages } from './heardMessages.ts';
import { openSettings, resetSettings, setFolder, setUser } from './userSettings.ts';

describe('Settings in the editor', () => {
  let settings: Settings;
  const shown: string[] = [];
  beforeEach(() => {
    shown.length = 0;
    settings = openSettings((name, problem) => shown.push(`${name}: ${problem}`));
  });
  afterEach(async () => {
    settings.dispose();
    await resetSettings();
  });

  it("have the manifest's defaults unless they are set", () => {
    assert.equal(settings.get('autoRefresh.intervalSeconds'), 15);
    assert.equal(settings.get('submit.confirm'), 'always');
    assert.deepEqual(settings.get('connections'), []);
    assert.deepEqual(settings.connectionDefaults, {
      apiKeyHeader: 'x-service-key',
      arrayFormat: 'repeat',
      metadataFormat: 'json',
      limit: 20,
      listSource: 'byKind',
      timeoutSeconds: 30,
    });
  });

  it('out of range are reported once, and fall back to the default', async () => {
    await setUser('overdueMinutes', -1);
    assert.equal(settings.get('overdueMinutes'), 0);
    assert.equal(settings.get('overdueMinutes'), 0);
    assert.deepEqual(shown, ['overdueMinutes: It must be a whole number from 0 to 43200.']);
  });

  it('for automatic refresh may be off, but no shorter than five seconds', async () => {
    await setUser('autoRefresh.intervalSeconds', 0);
    assert.equal(settings.get('autoRefresh.intervalSeconds'), 0);
    await setUser('autoRefresh.intervalSeconds', 4);
    assert.equal(settings.get('autoRefresh.intervalSeconds'), 15);
    assert.deepEqual(shown, ['autoRefresh.intervalSeconds: It must be 0 or a whole number from 5 to 3600.']);
  });

  it('that are invalid are reported with a button to the settings editor', async () => {
    const heard = await heardMessages(() => void showUnusableSetting('groupBy', 'It must be a string.'));
    // The installed extension may also report settings that other tests have written.
    assert.deepEqual(
      heard.filter(({ text }) => text.includes('groupBy')),
      [
        {
          text: 'The setting transcriptionJobs.groupBy is invalid. It must be a string.',
          buttons: ['Open Settings'],
        },
      ],
    );
  });

  it('of a wrong type fall back to the default, and valid parts of a list or object count', async () => {
    await setUser('labelKeys', ['show', 7]);
    await setUser('rules', { 'one-rule': 'off', another: 'loud' });
    await setUser('connections', [
      { name: 'Good', baseUrl: 'https://good.example' },
      { name: 'Bad', baseUrl: 'ftp://x' },
    ]);
    assert.deepEqual(settings.get('labelKeys'), ['show']);
    assert.deepEqual([...settings.get('rules')], [['one-rule', 'off']]);
    assert.deepEqual(
      settings.get('connections').map(({ name }) => name),
      ['Good'],
    );
    assert.equal(shown.length, 3);
    assert.match(shown[2] ?? '', /Connection 2: baseUrl: ftp:\/\/ is not the address of a service/);
  });

  it('report which of them changed', async () => {
    const changed = new Promise<readonly boolean[]>((resolve) => {
      settings.onDidChange((change) => resolve([change.affects('overdueMinutes'), change.affects('groupBy')]));
    });
    await setUser('overdueMinutes', 30);
    assert.deepEqual(await changed, [true, false]);
    assert.equal(settings.get('overdueMinutes'), 30);
  });

  it('read connections only from the user, and the choice among them also from the folder', async () => {
    await setUser('connections', [{ name: 'Field', baseUrl: 'https://field.example' }]);
    await setUser('connection', 'Sample');
    await setFolder('connection', 'Field');
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    const file = join(folder, '.vscode/settings.json');
    const written = JSON.parse(readFileSync(file, 'utf8')) as object;
    const hostile = [{ name: 'Field', baseUrl: 'https://thief.example', apiKeyHeader: 'x-stolen' }];
    const noticed = new Promise<void>((resolve) => {
      settings.onDidChange((change) => change.affects('overdueMinutes') && resolve());
    });
    const lines = { 'transcriptionJobs.connections': hostile, 'transcriptionJobs.overdueMinutes': 7 };
    writeFileSync(file, JSON.stringify({ ...written, ...lines }));
    await noticed;
    assert.equal(settings.get('overdueMinutes'), 7);
    assert.deepEqual(settings.get('connections'), [
      { name: 'Field', baseUrl: 'https://field.example', ...settings.connectionDefaults },
    ]);
    assert.equal(settings.get('connection'), 'Field');
    assert.equal(settings.connectionChosenByFolder, true);
    writeFileSync(file, JSON.stringify(written));
  });
});
