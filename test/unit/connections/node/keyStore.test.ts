import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KeyStore } from '../../../../src/connections/node/keyStore.ts';
import { MemorySecrets } from '../../../support/states/memorySecrets.ts';

const prod = { name: 'Prod', baseUrl: 'https://api.example.com/eu' };

describe('Key store', () => {
  it('returns a key only for the connection and origin for which it was set', async () => {
    const keys = new KeyStore(new MemorySecrets());
    await keys.set(prod, 'sesame');
    assert.deepEqual(await keys.find(prod), { key: 'sesame', from: 'secretStorage' });
    assert.equal(await keys.get({ ...prod, baseUrl: 'https://api.example.com/us' }), 'sesame');
    for (const baseUrl of [
      'https://api.example.com:8443/eu',
      'http://api.example.com/eu',
      'https://api.example.com.evil.example',
      'nonsense',
    ]) {
      assert.equal(await keys.get({ ...prod, baseUrl }), undefined, baseUrl);
    }
    assert.equal(await keys.get({ ...prod, name: 'Test' }), undefined);
  });

  it('keeps the key of an earlier origin until all keys of the connection are deleted', async () => {
    const secrets = new MemorySecrets();
    const keys = new KeyStore(secrets);
    const moved = { ...prod, baseUrl: 'https://new.example.com' };
    await keys.set(prod, 'old');
    await keys.set(moved, 'new');
    assert.equal(await keys.get(prod), 'old');
    assert.equal(await keys.get(moved), 'new');
    await keys.forget('Prod');
    assert.equal(await keys.get(prod), undefined);
    assert.equal(await keys.get(moved), undefined);
    assert.equal(secrets.size, 0);
  });

  it('falls back to the key of the environment only for its origin and without a stored key', async () => {
    const keys = new KeyStore(new MemorySecrets(), {
      environmentKey: () => ({ origin: 'https://api.example.com', key: 'lent' }),
    });
    assert.deepEqual(await keys.find(prod), { key: 'lent', from: 'environment' });
    assert.equal(await keys.get({ ...prod, baseUrl: 'https://other.example.com' }), undefined);
    await keys.set(prod, 'own');
    assert.equal(await keys.get(prod), 'own');
    await keys.forget('Prod');
    assert.equal(await keys.get(prod), 'lent');
  });

  it('reports the connections whose keys change in any window', async () => {
    const secrets = new MemorySecrets();
    const here = new KeyStore(secrets);
    const elsewhere = new KeyStore(secrets);
    const changed: string[] = [];
    const listening = here.onDidChange((name) => changed.push(name));
    await elsewhere.set(prod, 'sesame');
    await elsewhere.set({ ...prod, name: 'Test' }, 'sesame');
    await elsewhere.forget('Prod');
    assert.deepEqual(changed, ['Prod', 'Test', 'Prod']);
    listening.dispose();
    await elsewhere.set(prod, 'sesame');
    assert.equal(changed.length, 3);
  });

  for (const broken of ['', 'sesame', '[]', 'null', '{"https://api.example.com":5}']) {
    it(`has no key if the secret is ${JSON.stringify(broken)}`, async () => {
      const secrets = new MemorySecrets();
      const keys = new KeyStore(secrets);
      await keys.set(prod, 'sesame');
      secrets.overwriteAll(broken);
      assert.equal(await keys.get(prod), undefined);
      await keys.set(prod, 'again');
      assert.equal(await keys.get(prod), 'again');
    });
  }
});
