import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KeyStore, nameMachine } from '../../../../src/connections/node/keyStore.ts';
import { FakeClock } from '../../../support/fakeClock/fakeClock.ts';
import { MemorySecrets } from '../../../support/states/memorySecrets.ts';

const prod = { name: 'Prod', baseUrl: 'https://api.example.com/eu' };
const moved = { ...prod, baseUrl: 'https://new.example.com' };
const local = { name: 'Local', baseUrl: 'http://localhost:3000' };
const hourMs = 60 * 60 * 1000;

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
  it('are all there when several are set at once', async () => {
    const secrets = new SlowSecrets();
    const keys = new KeyStore(secrets);
    await Promise.all([keys.set(prod, 'one'), keys.set(moved, 'two'), keys.set({ ...prod, name: 'Test' }, 'three')]);
    assert.equal(await keys.get(prod), 'one');
    assert.equal(await keys.get(moved), 'two');
    assert.equal(await keys.get({ ...prod, name: 'Test' }), 'three');
    assert.equal((await keys.list()).length, 3);
  });

  it('are all there when two windows set one each at the same moment', async () => {
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

  it('are named with origin and machine, never with the key', async () => {
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

  it('are listed by what is written down where the editor refuses to tell', async () => {
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

  it('tell when they were used last, to the hour; looking whether there is one is no use', async () => {
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

  it('are given even if their use cannot be noted', async () => {
    const secrets = new MemorySecrets();
    await new KeyStore(secrets).set(prod, 'sesame');
    secrets.store = () => Promise.reject(new Error('the secret store is locked'));
    assert.equal(await new KeyStore(secrets).get(prod), 'sesame');
    await pause();
  });

  it('are forgotten one by one, and leave nothing behind', async () => {
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

  it('of former addresses go when the connection is edited, those of other machines stay', async () => {
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

  it('for loopback are for the machine that they were entered on', async () => {
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

  it('are found again when what is written down about them is damaged', async () => {
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

describe('The machine that loopback is on', () => {
  it('is nameless in a local window, and by its authority else', () => {
    assert.equal(nameMachine(undefined, 'ssh-remote+lab'), undefined);
    assert.equal(nameMachine('ssh-remote', 'ssh-remote+lab'), 'ssh-remote+lab');
    assert.match(nameMachine('dev-container', undefined) ?? '', /^dev-container@./);
  });
});
