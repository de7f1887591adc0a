import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { SavedConnections } from '../../../src/features/connect/editor/savedConnections.ts';
import { useConnection } from '../../../src/connections/editor/useConnection.ts';
import { KeyStore } from '../../../src/connections/node/keyStore.ts';
import type { Settings } from '../../../src/settings.ts';
import { UserError } from '../../../src/platform/editor/messages.ts';
import type { Connection } from '../../../src/connections/common/connection.ts';
import { MemorySecrets } from '../../support/states/memorySecrets.ts';
import { openSettings, resetSettings, setFolder, setUser } from './userSettings.ts';

describe('Saved connections', () => {
  let settings: Settings;
  let keys: KeyStore;
  let saved: SavedConnections;
  let field: Connection;
  const kept: string[] = [];
  beforeEach(() => {
    settings = openSettings();
    keys = new KeyStore(new MemorySecrets());
    kept.length = 0;
    saved = new SavedConnections(settings, keys, async (former, now) => void kept.push(`${former.name} → ${now.name}`));
    field = { ...settings.connectionDefaults, name: 'Field', baseUrl: 'https://field.example' };
  });
  afterEach(async () => {
    settings.dispose();
    await resetSettings();
  });
  const inspect = (name: string) => vscode.workspace.getConfiguration('transcriptionJobs').inspect(name);

  it('store only values other than the defaults, and never a key', async () => {
    await saved.save(field, 'sesame', undefined);
    await saved.save({ ...field, name: 'Comma', arrayFormat: 'comma' }, undefined, undefined);
    assert.deepEqual(inspect('connections')?.globalValue, [
      { name: 'Field', baseUrl: 'https://field.example' },
      { name: 'Comma', baseUrl: 'https://field.example', arrayFormat: 'comma' },
    ]);
    assert.equal(await keys.get(field), 'sesame');
  });

  it('keep their position, unknown fields and neighbours when one is replaced', async () => {
    const broken = { name: 'Broken', baseUrl: 'nonsense' };
    await setUser('connections', [{ name: 'Field', baseUrl: 'https://old.example', note: 'mine' }, broken, 7]);
    await saved.save({ ...field, metadataFormat: 'brackets' }, undefined, field);
    assert.deepEqual(inspect('connections')?.globalValue, [
      { name: 'Field', baseUrl: 'https://field.example', note: 'mine', metadataFormat: 'brackets' },
      broken,
      7,
    ]);
  });

  it('keep the key, the choice and the submissions under a new name', async () => {
    await saved.save(field, 'sesame', undefined);
    await useConnection('Field', settings);
    await saved.save({ ...field, name: 'Studio' }, undefined, field);
    assert.equal(await keys.get({ ...field, name: 'Studio' }), 'sesame');
    assert.equal(await keys.get(field), undefined);
    assert.equal(settings.get('connection'), 'Studio');
    assert.deepEqual(kept, ['Field → Studio']);
  });

  it('that get another address keep no key of the former one', async () => {
    await saved.save(field, 'sesame', undefined);
    await saved.save({ ...field, baseUrl: 'https://field.example/eu' }, undefined, field);
    assert.equal(await keys.get(field), 'sesame');
    await saved.save({ ...field, baseUrl: 'https://new.example' }, 'new', field);
    assert.equal(await keys.get(field), undefined);
    assert.deepEqual(
      (await keys.list()).map(({ origin }) => origin),
      ['https://new.example'],
    );
  });

  it('stay chosen under a new name, also if a folder chooses another one', async () => {
    await saved.save(field, undefined, undefined);
    await useConnection('Field', settings);
    await setFolder('connection', 'Sample');
    await saved.save({ ...field, name: 'Studio' }, undefined, field);
    assert.equal(inspect('connection')?.globalValue, 'Studio');
    assert.equal(inspect('connection')?.workspaceValue, 'Sample');
  });

  it('are removed with their keys and their choice', async () => {
    await saved.save(field, 'sesame', undefined);
    await useConnection('Field', settings);
    await saved.remove('Field');
    assert.deepEqual(settings.get('connections'), []);
    assert.equal(settings.get('connection'), '');
    assert.equal(await keys.get(field), undefined);
  });

  it('are chosen in the scope that takes effect', async () => {
    await useConnection('Sample', settings);
    assert.equal(inspect('connection')?.globalValue, 'Sample');
    await setFolder('connection', 'Elsewhere');
    await useConnection('Field', settings);
    assert.equal(inspect('connection')?.globalValue, 'Sample');
    assert.equal(inspect('connection')?.workspaceValue, 'Field');
  });

  it('do not overwrite a malformed setting', async () => {
    await setUser('connections', { name: 'Field' });
    await assert.rejects(saved.save(field, 'sesame', undefined), UserError);
    assert.deepEqual(inspect('connections')?.globalValue, { name: 'Field' });
    assert.equal(await keys.get(field), undefined);
  });
});
