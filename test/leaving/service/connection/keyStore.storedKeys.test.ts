import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KeyStore } from '../../../../src/service/connection/keyStore.ts';
import { MemorySecrets } from '../../../support/states/memorySecrets.ts';

const prod = { name: 'Prod', baseUrl: 'https://api.example.com/eu' };

describe('Stored keys', () => {
  it('of version 0.1.0, which wrote down no names, are found by the names of connections, or by the editor', async () => {
    const secrets = new MemorySecrets();
    await secrets.store('keys/Prod', '{"https://api.example.com":"sesame"}');
    const keys = new KeyStore(secrets);
    assert.deepEqual(await keys.list([]), []);
    assert.deepEqual(
      (await keys.list(['Prod', 'Other'])).map(({ name }) => name),
      ['Prod'],
    );
    const newer = Object.assign(secrets, { keys: async () => Object.keys(secrets.content) });
    assert.deepEqual(
      (await new KeyStore(newer).list([])).map(({ name }) => name),
      ['Prod'],
    );
  });

  it('of version 0.1.0 count when they were entered last, and go when another one is entered', async () => {
    const secrets = new MemorySecrets();
    const former = '{"https://api.example.com":"entered there","https://other.example.com":"another"}';
    await secrets.store('keys/Prod', former);
    const keys = new KeyStore(secrets);
    assert.equal(await keys.get(prod), 'entered there');
    await keys.set(prod, 'entered here');
    assert.equal(await new KeyStore(secrets).get(prod), 'entered here');
    assert.equal(await secrets.get('keys/Prod'), '{"https://other.example.com":"another"}');
    await secrets.store('keys/Prod', former);
    assert.equal(await keys.get(prod), 'entered there');
    assert.equal((await keys.list(['Prod'])).length, 2);
    await keys.forget('Prod');
    assert.equal(await keys.get(prod), undefined);
  });
});
