import assert from 'node:assert/strict';
import { showStoredKeys } from '../../../src/features/connect/editor/showStoredKeys.ts';
import type { Settings } from '../../../src/settings.ts';
import { KeyStore } from '../../../src/connections/node/keyStore.ts';
import { MemorySecrets } from '../../support/states/memorySecrets.ts';
import { acceptRow, withPicks, type ShownPick } from '../browse/withPicks.ts';
import { answering } from '../submit/answers.ts';
import { openSettings, resetSettings, setUser } from './userSettings.ts';
import { fakeServices } from '../../support/fakeServices.ts';

const field = { name: 'Field', baseUrl: 'https://field.example/eu' };

describe('The list of stored keys', () => {
  let settings: Settings;
  let keys: KeyStore;
  let secrets: MemorySecrets;
  beforeEach(async () => {
    settings = openSettings();
    secrets = new MemorySecrets();
    keys = new KeyStore(secrets, { machine: 'dev-container+1' });
    await setUser('connections', [field, { name: 'Moved', baseUrl: 'https://new.example' }]);
    await keys.set(field, 'sesame-field');
    await keys.set({ name: 'Moved', baseUrl: 'https://old.example' }, 'sesame-moved');
    await keys.set({ name: 'Gone', baseUrl: 'http://localhost:3000' }, 'sesame-gone');
  });
  afterEach(async () => {
    keys.dispose();
    settings.dispose();
    await resetSettings();
  });

  const rows = ({ items }: ShownPick): readonly string[] =>
    items.map(({ label, description = '', detail = '' }) => [label, description, detail].filter(Boolean).join(' | '));

  it('shows connection, origin, machine and use, marks unused ones, and never shows a key', async () => {
    await withPicks(async (next) => {
      const shown = showStoredKeys(fakeServices({ keys, settings }));
      const pick = await next();
      assert.deepEqual(
        rows(pick),
        [
          '$(key) Field | https://field.example | never used here',
          '$(key) Moved | https://old.example | the connection now points to https://new.example · never used here',
          '$(key) Gone | http://localhost:3000 | no connection has this name · only on dev-container+1 · never used here',
          '$(clear-all) Forget all keys',
        ].toSpliced(3, 0, ''),
      );
      assert(!JSON.stringify(pick.items).includes('sesame'));
      const shownDialogs = await answering(async () => {
        acceptRow(pick, 1);
        const again = await next();
        assert.equal(rows(again).length, 4);
        acceptRow(again, 3);
        await shown;
      }, ['Forget', 'Forget']);
      assert.deepEqual(
        shownDialogs.map(({ text }) => text),
        ['Forget the API key of Moved for https://old.example?', 'Forget all 2 API keys?', 'No API key is stored.'],
      );
    });
    assert.equal(secrets.size, 0);
  });

  it('removes nothing without confirmation', async () => {
    await withPicks(async (next) => {
      const shown = showStoredKeys(fakeServices({ keys, settings }));
      void shown;
      await answering(async () => {
        acceptRow(await next(), 0);
        await next();
      }, []);
    });
    assert.equal((await keys.list()).length, 3);
  });
});
