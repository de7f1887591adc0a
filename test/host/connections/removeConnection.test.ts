import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ActiveConnection } from '../../../src/connections/editor/activeConnection.ts';
import { ConnectionCommands } from '../../../src/features/connect/editor/connectionCommands.ts';
import type { Settings } from '../../../src/settings.ts';
import { KeyStore } from '../../../src/connections/node/keyStore.ts';
import { SampleConnection } from '../../../src/connections/node/sampleConnection.ts';
import { KeptLog } from '../../support/keptLog.ts';
import { MemorySecrets } from '../../support/states/memorySecrets.ts';
import { withPicks } from '../browse/withPicks.ts';
import { answering } from '../submit/answers.ts';
import { openSettings, resetSettings, setUser } from './userSettings.ts';
import { fakeServices } from '../../support/fakeServices.ts';

const [field, studio, lab] = ['Field', 'Studio', 'Lab'].map((name) => ({
  name,
  baseUrl: `https://${name.toLowerCase()}.example`,
}));

describe('Removing the connection in use', () => {
  const { showQuickPick } = vscode.window;
  let settings: Settings;
  let active: ActiveConnection;
  let commands: ConnectionCommands;
  beforeEach(async () => {
    await setUser('connection', 'Field');
    settings = openSettings();
    const keys = new KeyStore(new MemorySecrets());
    const sample = new SampleConnection(settings.connectionDefaults, () => assert.fail('nothing is asked'), {});
    active = new ActiveConnection(settings, keys, sample);
    commands = new ConnectionCommands(
      fakeServices({
        log: new KeptLog(),
        settings,
        keys,
        connections: active,
        sample,
        service: { open: () => assert.fail('nothing is asked') },
        actions: {
          submit: { continueSubmissions: () => Promise.resolve() },
          attention: { continueMarks: () => Promise.resolve() },
        },
      }),
    );
    // Picks the first connection for removal.
    Object.assign(vscode.window, { showQuickPick: async (items: readonly unknown[]) => items[0] });
  });
  afterEach(async () => {
    Object.assign(vscode.window, { showQuickPick });
    active.dispose();
    settings.dispose();
    await resetSettings();
  });

  it('switches to the remaining connection if there is one', async () => {
    await setUser('connections', [field, studio]);
    await answering(() => commands.run('removeConnection'), ['Remove']);
    assert.equal(settings.get('connection'), 'Studio');
  });

  it('lets the user choose if several remain', async () => {
    await setUser('connections', [field, studio, lab]);
    await withPicks(async (next) => {
      const removing = answering(() => commands.run('removeConnection'), ['Remove']);
      const pick = await next();
      assert.equal(pick.title, 'Switch Connection');
      assert.deepEqual(
        pick.items.slice(0, 2).map(({ label }) => label),
        ['Studio', 'Lab'],
      );
      void removing;
    });
    assert.equal(settings.get('connection'), '');
  });

  it('keeps the current connection when another one was removed', async () => {
    await setUser('connections', [studio, field]);
    await answering(() => commands.run('removeConnection'), ['Remove']);
    assert.equal(settings.get('connection'), 'Field');
  });

  it('leaves no current connection if it was the only one', async () => {
    await setUser('connections', [field]);
    await answering(() => commands.run('removeConnection'), ['Remove']);
    assert.equal(settings.get('connection'), '');
  });
});
