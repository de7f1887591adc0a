import assert from 'node:assert/strict';
import { isFailure } from '../../../src/base/failure.ts';
import { ActiveConnection } from '../../../src/connections/editor/activeConnection.ts';
import type { ConnectionState } from '../../../src/connections/common/connectionState.ts';
import { SampleConnection } from '../../../src/connections/node/sampleConnection.ts';
import { KeyStore } from '../../../src/connections/node/keyStore.ts';
import type { Settings } from '../../../src/settings.ts';
import { MemorySecrets } from '../../support/states/memorySecrets.ts';
import { openSettings, resetSettings, setFolder, setUser } from './userSettings.ts';

const field = { name: 'Field', baseUrl: 'https://field.example/eu' };

describe('The active connection', () => {
  let settings: Settings;
  let secrets: MemorySecrets;
  let keys: KeyStore;
  let sample: SampleConnection;
  let active: ActiveConnection;
  let starts: readonly object[];

  beforeEach(async () => {
    await setUser('connections', [field]);
    settings = openSettings();
    secrets = new MemorySecrets();
    keys = new KeyStore(secrets, { environmentKey: () => ({ origin: 'https://lent.example', key: 'lent' }) });
    starts = [];
    const start = async (options: object): Promise<{ baseUrl: string; key: string; stop: () => Promise<void> }> => {
      starts = [...starts, options];
      return { baseUrl: 'http://127.0.0.1:4711', key: 'of the sample', stop: async () => {} };
    };
    sample = new SampleConnection(settings.connectionDefaults, start, { TRANSCRIPTION_SAMPLE_JOBS: '3' });
    active = new ActiveConnection(settings, keys, sample);
  });
  afterEach(async () => {
    active.dispose();
    sample.dispose();
    settings.dispose();
    await resetSettings();
  });

  /** Waits for a state; returns at once if it is the current one. */
  function state<T extends ConnectionState['type']>(type: T): Promise<ConnectionState & { type: T }> {
    const isIt = (each: ConnectionState): each is ConnectionState & { type: T } => each.type === type;
    return new Promise((resolve) => {
      if (isIt(active.state)) return resolve(active.state);
      const listening = active.onDidChange((each) => {
        if (!isIt(each)) return;
        listening.dispose();
        resolve(each);
      });
    });
  }

  it('is none until one is chosen', async () => {
    assert.equal(active.state.type, 'none');
    await assert.rejects(active.reach(), (error) => isFailure(error, 'noConnection'));
  });

  it('without a key waits for one, set in any window, and waits again after the key is removed', async () => {
    await setUser('connection', 'Field');
    const { connection } = await state('noKey');
    assert.equal(connection.baseUrl, field.baseUrl);
    await new KeyStore(secrets).set(field, 'sesame');
    assert.equal((await state('ready')).keyFrom, 'secretStorage');
    assert.equal(active.current, connection, 'the connection is the same object while only its key changes');
    assert.equal(await active.keyOf(connection), 'sesame');
    assert.equal(await active.reach(), connection);
    await new KeyStore(secrets).forget('Field');
    await state('noKey');
    assert.equal(await active.keyOf(connection), undefined);
  });

  it('at another origin has no key, and does not get the old one', async () => {
    await keys.set(field, 'sesame');
    await setUser('connection', 'Field');
    await state('ready');
    await setUser('connections', [{ ...field, baseUrl: 'https://field.example:8443/eu' }]);
    const { connection } = await state('noKey');
    assert.equal(await active.keyOf(connection), undefined);
    await setUser('connections', [{ ...field, baseUrl: 'https://field.example/us' }]);
    await state('ready');
  });

  it('with another limit, list source or timeout is reloaded with the same key', async () => {
    await keys.set(field, 'sesame');
    await setUser('connection', 'Field');
    await state('ready');
    const changed = { limit: 50, listSource: 'combined', timeoutSeconds: 5 };
    for (const [name, value] of Object.entries(changed)) {
      const [written] = settings.get('connections');
      const isNew = new Promise<ConnectionState>((resolve) => active.onDidChange(resolve));
      await setUser('connections', [{ ...written, [name]: value }]);
      await isNew;
      const { connection } = await state('ready');
      assert.deepEqual(connection, { ...written, [name]: value });
      assert.equal(await active.keyOf(connection), 'sesame');
    }
  });

  it('may come from the environment, and is labelled as such', async () => {
    await setUser('connections', [{ ...field, baseUrl: 'https://lent.example' }]);
    await setUser('connection', 'Field');
    assert.equal((await state('ready')).keyFrom, 'environment');
  });

  it('that does not exist is reported by name, with the setting that chose it', async () => {
    await setUser('connection', 'Nowhere');
    assert.deepEqual(await state('unknown'), { type: 'unknown', name: 'Nowhere', fromFolder: false });
    await setFolder('connection', 'Elsewhere');
    await new Promise<void>((resolve) => {
      if (active.state.type === 'unknown' && active.state.fromFolder) return resolve();
      active.onDidChange((each) => each.type === 'unknown' && each.fromFolder && resolve());
    });
    assert.equal(active.current, undefined);
  });

  it('may be the sample, which starts once and only with the first request, and does not share its key', async () => {
    await setUser('connection', 'Sample');
    const { connection, keyFrom } = await state('ready');
    assert.equal(keyFrom, 'sample');
    assert.deepEqual(starts, []);
    const [first, second] = await Promise.all([active.reach(), active.reach()]);
    assert.deepEqual(starts, [{ life: 'arrivals', count: 3 }]);
    assert.equal(first.baseUrl, 'http://127.0.0.1:4711');
    assert.deepEqual(first, second);
    assert.equal(await active.keyOf(first), 'of the sample');
    assert.equal(await active.keyOf(connection), undefined);
    assert.equal(await active.keyOf({ ...first, baseUrl: 'http://127.0.0.1:4712' }), undefined);
    assert.equal(secrets.size, 0);
  });

  it('does not change when equivalent settings are written', async () => {
    await keys.set(field, 'sesame');
    await setUser('connection', 'Field');
    await state('ready');
    let changes = 0;
    active.onDidChange(() => changes++);
    await setUser('connections', [
      { ...field, apiKeyHeader: 'X-Service-Key' },
      { name: 'B', baseUrl: 'https://b.example' },
    ]);
    assert.equal(settings.get('connections').length, 2);
    assert.equal(changes, 0);
  });
});
