import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hourMs } from '../../../../src/base/time.ts';
import { KeyStore, nameMachine } from '../../../../src/connections/node/keyStore.ts';
import { FakeClock } from '../../../support/fakeClock/fakeClock.ts';
import { MemorySecrets } from '../../../support/states/memorySecrets.ts';

const prod = { name: 'Prod', baseUrl: 'https://api.example.com/eu' };
const moved = { ...prod, baseUrl: 'https://new.example.com' };
const local = { name: 'Local', baseUrl: 'http://localhost:3000' };

/** A slow secret store, so that reading before another write has finished is noticed. */
class SlowSecrets extends MemorySecrets {
  override async get(key: string): Promise<string | undefined> {
    const value = await super.get(key);
    await pause();
    return value;
  }

  override async store(key: string, value: string): Promise<void> {
    await pause();
    await super.store(key, value);
  }
}

async function pause(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

describe('Stored keys', () => {
  it('are all stored if several are set at once', async () => {
    const secrets = new SlowSecrets();
    const keys = new KeyStore(secrets);
    await Promise.all([keys.set(prod, 'one'), keys.set(moved, 'two'), keys.set({ ...prod, name: 'Test' }, 'three')]);
    assert.equal(await keys.get(prod), 'one');
    assert.equal(await keys.get(moved), 'two');
    assert.equal(await keys.get({ ...prod, name: 'Test' }), 'three');
    assert.equal((await keys.list()).length, 3);
  });

  it('are all stored if two windows set one each at the same time', async () => {
    const secrets = new SlowSecrets();
    const [here, elsewhere] = [new KeyStore(secrets), new KeyStore(secrets)];
    await Promise.all([here.set(prod, 'one'), elsewhere.set(moved, 'two')]);
    assert.equal(await here.get(prod), 'one');
    assert.equal(await here.get(moved), 'two');
    for (let turn = 0; turn < 20; turn++) await pause();
    assert.equal((await here.list()).length, 2);
    await elsewhere.forget('Prod');
    for (let turn = 0; turn < 20; turn++) await pause();
    assert.equal(secrets.size, 0);
  });

  it('are listed with origin and machine, never with the key', async () => {
    const keys = new KeyStore(new MemorySecrets(), { machine: 'ssh-remote+lab' });
    await keys.set(prod, 'sesame');
    await keys.set(local, 'sesame');
    const listed = await keys.list();
    assert.deepEqual(listed, [
      { name: 'Prod', origin: 'https://api.example.com', machine: undefined, lastUsedAtMs: undefined },
      { name: 'Local', origin: 'http://localhost:3000', machine: 'ssh-remote+lab', lastUsedAtMs: undefined },
    ]);
    assert(!JSON.stringify(listed).includes('sesame'));
  });

  it('are listed from an index if the editor cannot list secrets', async () => {
    const secrets = Object.assign(new MemorySecrets(), {
      keys: (): Promise<readonly string[]> => {
        throw new Error('This API is proposed');
      },
    });
    const keys = new KeyStore(secrets);
    await keys.set(prod, 'sesame');
    assert.equal((await keys.list()).length, 1);
    await keys.forget('Prod');
    assert.deepEqual(await keys.list(), []);
  });

  it('show their last use by the hour, which does not include a check for existence', async () => {
    const clock = new FakeClock();
    const secrets = new MemorySecrets();
    const keys = new KeyStore(secrets, { clock });
    const lastUsed = async () => (await keys.list())[0]?.lastUsedAtMs;
    await keys.set(prod, 'sesame');
    await keys.find(prod);
    await pause();
    assert.equal(await lastUsed(), undefined);
    const firstMs = clock.now();
    await keys.get(prod);
    await pause();
    assert.equal(await lastUsed(), firstMs);
    let writes = 0;
    secrets.onDidChange(() => writes++);
    await clock.advance(hourMs - 1);
    await keys.get(prod);
    await pause();
    assert.equal(writes, 0);
    await clock.advance(1);
    await keys.get(prod);
    await pause();
    assert.equal(await lastUsed(), firstMs + hourMs);
  });

  it('are returned even if their use cannot be stored', async () => {
    const secrets = new MemorySecrets();
    await new KeyStore(secrets).set(prod, 'sesame');
    secrets.store = () => Promise.reject(new Error('the secret store is locked'));
    assert.equal(await new KeyStore(secrets).get(prod), 'sesame');
    await pause();
  });

  it('are deleted one by one without a trace', async () => {
    const secrets = new MemorySecrets();
    const keys = new KeyStore(secrets);
    await keys.set(prod, 'one');
    await keys.set(moved, 'two');
    const [first, second] = await keys.list();
    assert(first && second);
    await keys.forgetOne(first);
    assert.equal(await keys.get(prod), undefined);
    assert.equal(await keys.get(moved), 'two');
    await keys.forgetOne(second);
    await pause();
    assert.equal(secrets.size, 0);
  });

  it('of former origins are deleted when the connection is edited, except for those of other machines', async () => {
    const secrets = new MemorySecrets();
    const here = new KeyStore(secrets);
    const container = new KeyStore(secrets, { machine: 'dev-container+1' });
    const atHome = { ...prod, baseUrl: local.baseUrl };
    await here.set(prod, 'former');
    await here.set(atHome, 'here');
    await container.set(atHome, 'there');
    await here.forgetFormerOrigins(atHome);
    assert.equal(await here.get(prod), undefined);
    assert.equal(await here.get(atHome), 'here');
    assert.equal(await container.get(atHome), 'there');
  });

  it('for loopback are only used on the machine where they were entered', async () => {
    const secrets = new MemorySecrets();
    const here = new KeyStore(secrets);
    const container = new KeyStore(secrets, { machine: 'dev-container+1' });
    for (const baseUrl of [
      'http://localhost:3000',
      'http://127.0.0.1:3000',
      'http://[::1]:3000',
      'https://localhost',
    ]) {
      const connection = { name: 'Local', baseUrl };
      await here.set(connection, 'of this machine');
      assert.equal(await container.get(connection), undefined, baseUrl);
      await container.set(connection, 'of the container');
      assert.equal(await here.get(connection), 'of this machine');
      assert.equal(await container.get(connection), 'of the container');
      assert.equal(await new KeyStore(secrets, { machine: 'dev-container+2' }).get(connection), undefined);
    }
    await here.set(prod, 'sesame');
    assert.equal(await container.get(prod), 'sesame');
    await container.forget('Local');
    assert.equal(await here.get(local), undefined);
  });

  it('are found even if their index is damaged', async () => {
    const secrets = new MemorySecrets();
    const keys = new KeyStore(secrets);
    await keys.set(prod, 'sesame');
    for (const broken of ['', 'x', '[]', '{"Prod":5}', '{"Prod":{"https://api.example.com":"yesterday"}}']) {
      await secrets.store('storedKeys', broken);
      assert.equal(await keys.get(prod), 'sesame');
      const [listed] = await keys.list();
      assert.equal(listed?.origin, 'https://api.example.com', broken);
    }
  });
});

describe('The machine of a loopback address', () => {
  it('has no name in a local window, and the name of its authority in a remote one', () => {
    assert.equal(nameMachine(undefined, 'ssh-remote+lab'), undefined);
    assert.equal(nameMachine('ssh-remote', 'ssh-remote+lab'), 'ssh-remote+lab');
    assert.match(nameMachine('dev-container', undefined) ?? '', /^dev-container@./);
  });
});
