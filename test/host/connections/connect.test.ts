import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ActiveConnection } from '../../../src/connections/editor/activeConnection.ts';
import { ConnectionCommands } from '../../../src/features/connect/editor/connectionCommands.ts';
import type { EnvironmentKey } from '../../../src/connections/common/connection.ts';
import type { Settings } from '../../../src/settings.ts';
import { startSampleService, type SampleService } from '../../../src/sample/sampleService.ts';
import { JobsApi } from '../../../src/jobs/node/api/jobsApi.ts';
import { KeyStore } from '../../../src/connections/node/keyStore.ts';
import { SampleConnection } from '../../../src/connections/node/sampleConnection.ts';
import { HttpClient } from '../../../src/platform/http/httpClient.ts';
import { SkippingClock } from '../../support/faults/faultRun.ts';
import { startFaultyService } from '../../support/faults/faultyService.ts';
import { startFaultServer, type FaultServer, type Play } from '../../support/faults/faultServer.ts';
import { answer, goodPage, silence } from '../../support/faults/plays.ts';
import { KeptLog } from '../../support/keptLog.ts';
import { startTranslatingService } from '../../support/remote/translatingService.ts';
import { MemorySecrets } from '../../support/states/memorySecrets.ts';
import { until } from '../../support/until.ts';
import { answerInput, goBack, hidePick, withPicks } from '../browse/withPicks.ts';
import { answering } from '../submit/answers.ts';
import { openSettings, resetSettings, setUser } from './userSettings.ts';
import { fakeServices } from '../../support/fakeServices.ts';
import { ActiveService } from '../../../src/jobs/node/activeService.ts';
import type { Disposable } from '../../../src/base/disposable.ts';

const key = 'sesame-4711';

describe('Connecting', () => {
  const { showQuickPick } = vscode.window;
  let sample: SampleService;
  let service: FaultServer;
  let fault: Play | undefined;
  let settings: Settings;
  let keys: KeyStore;
  /** The key in the environment. */
  let lent: EnvironmentKey | undefined;
  let active: ActiveConnection;
  let commands: ConnectionCommands;
  let opened: Disposable[];
  /** The context key that disables the command. */
  let isBusy: unknown;

  before(async () => {
    sample = await startSampleService({ key });
    service = await startFaultyService({ target: sample.baseUrl, faults: () => fault });
  });
  after(async () => {
    await service.stop();
    await sample.stop();
  });
  const { executeCommand } = vscode.commands;
  beforeEach(() => {
    fault = undefined;
    lent = undefined;
    settings = openSettings();
    keys = new KeyStore(new MemorySecrets(), { environmentKey: () => lent });
    const builtIn = new SampleConnection(settings.connectionDefaults, () => assert.fail('it is not asked'), {});
    active = new ActiveConnection(settings, keys, builtIn);
    const tried = new ActiveService({
      active,
      sample: builtIn,
      http: { clock: new SkippingClock(), log: new KeptLog(), random: () => 0.5 },
      loadHttp: async () => ({ HttpClient, JobsApi }),
    });
    opened = [tried];
    const open: ActiveService['open'] = (...given) => {
      const api = tried.open(...given);
      opened.push(api);
      return api;
    };
    commands = new ConnectionCommands(
      fakeServices({
        log: new KeptLog(),
        settings,
        keys,
        connections: active,
        sample: builtIn,
        service: { open },
        actions: {
          submit: { continueSubmissions: () => Promise.resolve() },
          attention: { continueMarks: () => Promise.resolve() },
        },
      }),
    );
    isBusy = undefined;
    const note = (command: string, ...given: readonly unknown[]): Thenable<unknown> => {
      if (command === 'setContext' && given[0] === 'transcriptionJobs.busyConnecting') isBusy = given[1];
      return executeCommand(command, ...given);
    };
    Object.assign(vscode.commands, { executeCommand: note });
  });
  afterEach(async () => {
    Object.assign(vscode.commands, { executeCommand });
    Object.assign(vscode.window, { showQuickPick });
    for (const each of [...opened, active, settings]) each.dispose();
    await resetSettings();
  });

  it('prompts for the key again, and proposes another name, when the address is corrected', async () => {
    const { length } = service.seen;
    await withPicks(async (_next, nextInput) => {
      const connecting = commands.run('connect');
      const box = await nextInput();
      const reply = async (step: number, typed?: string): Promise<void> => {
        await until(`step ${step}`, () => box.step === step);
        answerInput(box, typed ?? box.value);
      };
      const back = async (step: number): Promise<void> => {
        await until(`step ${step}`, () => box.step === step);
        goBack(box);
      };
      await reply(1, `${service.origin}/`);
      await reply(2, 'X-Service-Key');
      await reply(3, 'key-for-another-origin');
      for (const step of [4, 3, 2]) await back(step);
      await until('the address', () => box.step === 1);
      // The path of an endpoint is removed.
      await reply(1, `${service.origin.replace('127.0.0.1', 'localhost')}/v2/pre-recorded`);
      await reply(2);
      await until('the key', () => box.step === 3);
      assert.equal(box.value, '');
      await reply(3, 'key-for-localhost');
      await until('the name', () => box.step === 4);
      assert.match(box.value, /^localhost:\d+$/);
      answerInput(box, 'sample');
      assert.match(JSON.stringify(box.validationMessage), /Choose another name/);
      hidePick(box);
      await connecting;
    });
    assert.equal(service.seen.length, length);
    assert.deepEqual(settings.get('connections'), []);
    assert.equal(isBusy, false);
  });

  it('stops waiting for a silent service when it is closed, and stores nothing', async () => {
    fault = silence;
    const { length } = service.seen;
    await withPicks(async (_next, nextInput) => {
      const connecting = commands.run('connect');
      const box = await nextInput();
      for (const [index, typed] of [service.origin, 'x-service-key', key, 'Silent'].entries()) {
        await until(`step ${index + 1}`, () => box.step === index + 1);
        answerInput(box, typed);
      }
      await until('the service was asked', () => service.seen.length > length);
      assert.match(box.prompt ?? '', /Testing the connection/);
      assert.equal(isBusy, true);
      hidePick(box);
      await assert.rejects(connecting);
    });
    assert.deepEqual(settings.get('connections'), []);
    assert.equal(isBusy, false);
  });

  /** Makes a connection the current one. */
  async function useField(baseUrl: string, fields: object = {}): Promise<void> {
    await keys.set({ name: 'Field', baseUrl }, key);
    await setUser('connections', [{ name: 'Field', baseUrl, ...fields }]);
    await setUser('connection', 'Field');
    await until('the connection is in use', () => active.state.type === 'ready');
  }

  it('prompts for a new key when a connection is edited to another origin, which gets no request without one', async () => {
    await useField(service.origin);
    const elsewhere = await startFaultServer(goodPage);
    Object.assign(vscode.window, { showQuickPick: async (items: readonly unknown[]) => items[0] });
    try {
      await withPicks(async (_next, nextInput) => {
        const editing = commands.run('editConnection');
        const box = await nextInput();
        assert.equal(box.title, 'Edit Connection Field');
        for (const [index, typed] of [elsewhere.origin, 'x-service-key', ''].entries()) {
          await until(`step ${index + 1}`, () => box.step === index + 1);
          answerInput(box, typed);
        }
        assert.match(JSON.stringify(box.validationMessage), /Enter the API key/);
        hidePick(box);
        await editing;
      });
      assert.deepEqual(elsewhere.seen, []);
      assert.equal(active.current?.baseUrl, service.origin);
    } finally {
      await elsewhere.stop();
    }
  });

  it('removes a key after confirmation, and sends nothing afterwards', async () => {
    await useField(service.origin);
    const { length } = service.seen;
    const [asked] = await answering(() => commands.run('forgetApiKey'), []);
    assert.equal(asked?.text, 'Forget the API key of Field?');
    assert.equal((await keys.find({ name: 'Field', baseUrl: service.origin }))?.key, key);
    await answering(() => commands.run('forgetApiKey'), ['Forget']);
    await until('it has no key', () => active.state.type === 'noKey');
    assert.equal(await keys.find({ name: 'Field', baseUrl: service.origin }), undefined);
    assert.equal(service.seen.length, length);
  });

  it('does not remove a key of the environment, which returns with the next window', async () => {
    lent = { origin: service.origin, key };
    await setUser('connections', [{ name: 'Field', baseUrl: service.origin }]);
    await setUser('connection', 'Field');
    await until('the connection is in use', () => active.state.type === 'ready');
    await assert.rejects(commands.run('forgetApiKey'), /can only be unset where the editor is started/);
    assert.equal(active.state.type, 'ready');
  });

  /** Tests the connection. @param choose the row to select @returns the rows of the report */
  async function report(choose = ''): Promise<readonly string[]> {
    let rows: readonly vscode.QuickPickItem[] = [];
    const pick = async (items: readonly vscode.QuickPickItem[]): Promise<vscode.QuickPickItem | undefined> => {
      rows = items;
      return items.find(({ label }) => label === choose);
    };
    Object.assign(vscode.window, { showQuickPick: pick });
    await commands.run('testConnection');
    return rows.map(({ label, description = '' }) => `${label} ${description}`.trim());
  }

  it('edits a connection without losing its limit, list source, timeout and key', async () => {
    const fields = { limit: 50, listSource: 'combined', timeoutSeconds: 60 };
    await useField(service.origin, fields);
    const { length } = service.seen;
    await withPicks(async (_next, nextInput) => {
      Object.assign(vscode.window, { showQuickPick: ([item]: readonly unknown[]) => Promise.resolve(item) });
      const editing = commands.run('editConnection');
      const box = await nextInput();
      for (const [index, typed] of [service.origin, 'x-service-key', '', 'Studio'].entries()) {
        await until(`step ${index + 1}`, () => box.step === index + 1);
        answerInput(box, typed);
      }
      await editing;
    });
    assert.deepEqual(
      service.seen.slice(length).map(({ path }) => path.split('?')[0]),
      ['/v2/transcription'],
    );
    assert.deepEqual(settings.get('connections'), [
      { ...settings.connectionDefaults, ...fields, name: 'Studio', baseUrl: service.origin },
    ]);
    assert.equal((await keys.find({ name: 'Studio', baseUrl: service.origin }))?.key, key);
  });

  it('reports the results of each list and filter of the service', async () => {
    await useField(service.origin);
    const rows = await report();
    assert.match(
      rows.join(' | '),
      /^Lists \| Pre-recorded jobs: answered \d+\+ jobs \| Live jobs: answered \d+\+ jobs \|/,
    );
    for (const row of [
      'Clock same as this computer',
      'Several statuses: works',
      'A day: works',
      'A range of time: works',
      'Metadata: works',
    ]) {
      assert.ok(rows.includes(row), `${row}; there are ${rows.join(' | ')}`);
    }
  });

  it('names a format that the service ignores, and sets the one that it understands', async () => {
    const own = await startTranslatingService(sample.baseUrl, (query) => {
      query.delete('custom_metadata');
      return query;
    });
    try {
      const remedy = 'Write metadata as custom_metadata[key]=value';
      await useField(own.baseUrl);
      const rows = await report(remedy);
      assert.deepEqual(rows.slice(0, 2), [remedy, 'Lists']);
      assert.ok(rows.includes('Metadata: ignored by the service'), rows.join(' | '));
      await until('the style is set', () => settings.get('connections')[0]?.metadataFormat === 'brackets');
      assert.ok((await report()).includes('Metadata: works'));
    } finally {
      await own.stop();
    }
  });

  it('saves a key at once if the service cannot be reached, and a rejected key only with the second Enter', async () => {
    await useField(service.origin);
    const stored = async (): Promise<string | undefined> =>
      (await keys.find({ name: 'Field', baseUrl: service.origin }))?.key;
    /** @param afterRejection action in the box after the service has rejected the key; undefined if it will not */
    const enter = async (typed: string, afterRejection?: (box: vscode.InputBox) => void): Promise<void> =>
      withPicks(async (_next, nextInput) => {
        const setting = commands.run('setApiKey');
        const box = await nextInput();
        await until('the key is asked for', () => box.prompt !== undefined);
        answerInput(box, typed);
        if (afterRejection !== undefined) {
          await until('it is rejected', () => /press Enter again/.test(JSON.stringify(box.validationMessage)));
          assert.equal(await stored(), key);
          afterRejection(box);
        }
        await setting;
      });
    await enter('wrong-key', hidePick);
    assert.equal(await stored(), key);
    await enter('insisted-on', (box) => answerInput(box, 'insisted-on'));
    assert.equal(await stored(), 'insisted-on');
    fault = answer(503, '{}');
    await enter('untested');
    assert.equal(await stored(), 'untested');
  });
});
