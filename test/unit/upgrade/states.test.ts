import assert from 'node:assert/strict';
import { cpSync, existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { decodeLayout } from '../../../src/features/board/common/boardStorage.ts';
import { readConnectionDefaults } from '../../../src/connections/common/connection.ts';
import { savedViewsSetting } from '../../../src/features/views/common/savedView.ts';
import { jobKey } from '../../../src/jobs/common/job.ts';
import { decodePlan, lastPlanKey, wantedKey } from '../../../src/features/deliver/common/delivery.ts';
import { DeliveryStore, deliveryKey } from '../../../src/features/deliver/node/deliveryStore.ts';
import { namedSpeakersKey, readNamedSpeakers } from '../../../src/features/details/common/namedSpeakers.ts';
import { originOf } from '../../../src/connections/common/connectionInput.ts';
import { pageState } from '../../../src/features/details/common/protocol.ts';
import { settingShapes } from '../../../src/settingShapes.ts';
import { storedFailures, storedWatchedJobs, watchMemory } from '../../../src/features/watch/common/watchPlan.ts';
import { sinceName } from '../../../src/features/attention/node/attentionMonitor.ts';
import { HandledStore } from '../../../src/features/attention/node/handledStore.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { AudioHash } from '../../../src/features/submit/node/audioHash.ts';
import { StoredFilters } from '../../../src/jobs/node/storedFilters.ts';
import { KeyStore } from '../../../src/connections/node/keyStore.ts';
import { BatchLedger } from '../../../src/features/submit/node/journal/batchLedger.ts';
import { batchIds } from '../../../src/jobs/node/journal/batchFiles.ts';
import { Journal } from '../../../src/jobs/node/journal/journal.ts';
import { temporaryFolder } from '../../support/editor/ownedFolder.ts';
import { KeptLog } from '../../support/keptLog.ts';
import { JsonMemory } from '../../support/states/jsonMemory.ts';
import { MemorySecrets } from '../../support/states/memorySecrets.ts';
import { usedProduct } from '../../support/states/usedProduct.ts';
import { writeStates } from '../../support/states/writeStates.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { connectionDefaults } from '../../support/builders/workConnection.ts';

/** Settings of 0.2.0 that are ignored since. */
const goneSettings = new Set(
  ['pageSize', 'listSource', 'requestTimeoutSeconds', 'autoRefresh.enabled'].map((name) => `transcriptionJobs.${name}`),
);

const { connection } = usedProduct;
/** What each version wrote that is still read. */
const versions = globSync('test/fixtures/upgrade/*/').sort();

for (const version of versions) {
  describe(`what ${version} holds`, () => {
    const memory = new JsonMemory(jsonOf(version, 'workspace.json'));

    test('filters, and those that were used last', async () => {
      const filters = new StoredFilters(memory);
      for (const [name, filter] of Object.entries(usedProduct.filters)) {
        assert.deepEqual(await filters.read(name), { filter });
        assert.deepEqual(filters.recent(name), [filter]);
      }
    });

    test('watched jobs, and failures that nobody saw', () => {
      assert.deepEqual(storedWatchedJobs.decode(memory.get(watchMemory.jobs)), usedProduct.watched);
      assert.deepEqual(storedFailures.decode(memory.get(watchMemory.failures)), usedProduct.failures);
    });

    test('the state of a page', () => {
      const { version: _form, ...state } = pageState(jsonOf(version, 'page.json'));
      assert.deepEqual(state, usedProduct.page);
    });

    test('keys', async () => {
      const secrets = new MemorySecrets();
      for (const [name, secret] of Object.entries(jsonOf(version, 'secrets.json')))
        await secrets.store(name, String(secret));
      const keys = new KeyStore(secrets);
      assert.deepEqual(
        (await keys.list()).map(({ name, lastUsedAtMs }) => ({ name, lastUsedAtMs })),
        [{ name: connection.name, lastUsedAtMs: usedProduct.atMs }],
      );
      assert.equal(await keys.get(connection), usedProduct.key);
    });

    test('the journal of submissions', async (context) => {
      const journal = journalIn(copyOf(version, context));
      const { submissions, ...rest } = await journal.read(connection);
      assert.deepEqual(rest, { damaged: 0, fromLaterVersion: 0, hasOlder: false });
      const read = submissions.map(({ key: _key, sender: _sender, connection: name, origin, ...submission }) => {
        assert.deepEqual({ name, origin }, { name: connection.name, origin: new URL(connection.baseUrl).origin });
        return submission;
      });
      const expected = { ...usedProduct.submission, replaces: undefined, label: undefined, audioKeyId: undefined };
      const isRepeated = ({ replaces }: { readonly replaces?: unknown }): boolean => replaces !== undefined;
      const common = read.filter((each) => !isRepeated(each));
      for (const { outcome: _outcome, ...submission } of common) assert.deepEqual(submission, expected);
      // Sent at the same moment, so their order is undefined.
      const sorted = (outcomes: readonly object[]): readonly string[] =>
        outcomes.map((each) => JSON.stringify(each)).sort();
      assert.deepEqual(sorted(common.map(({ outcome }) => outcome)), sorted(usedProduct.outcomes));
      const repeated = read.filter(isRepeated);
      assert.equal(repeated.length, 1);
      const secrets = new MemorySecrets();
      for (const [name, secret] of Object.entries(jsonOf(version, 'secrets.json')))
        await secrets.store(name, String(secret));
      const audio = await AudioHash.load(secrets, copyOf(version, context), systemClock);
      for (const { outcome, audioHash, ...submission } of repeated) {
        const { audioHash: _hash, ...same } = { ...expected, ...usedProduct.repeated };
        assert.deepEqual(submission, same);
        assert.deepEqual(outcome, { type: 'accepted', status: 201, id: 'again' });
        assert.equal(audioHash, audio.of(usedProduct.repeatedAudioUrl));
      }
    });

    test('the ledger of a batch', async (context) => {
      const folder = join(journalIn(copyOf(version, context)).folderOf(connection), 'batches');
      const ids = (await batchIds(folder)).toReversed();
      const [batch, resubmission, partial] = await Promise.all(ids.map((id) => BatchLedger.at(folder, id).read()));
      assert.deepEqual(batch?.end, { type: 'cancelled' });
      // Members that came later are undefined.
      const planOf = (plan: object | undefined): unknown =>
        JSON.parse(JSON.stringify({ ...plan, type: 'plan', schema: 1 }));
      assert.deepEqual(planOf(batch.plan), planOf(usedProduct.plan));
      const items = (read: typeof batch | undefined): readonly object[] =>
        [...(read?.items.values() ?? [])].map(({ item, label, file, outcome }) => ({ item, label, file, outcome }));
      assert.deepEqual(items(batch), usedProduct.items);
      assert.deepEqual(planOf(resubmission?.plan), planOf(usedProduct.resubmission));
      assert.deepEqual([batch.damaged, resubmission?.damaged], [0, 0]);
      assert.equal(ids.length, hasDeliveries(version) ? 3 : 2);
      if (hasDeliveries(version)) assert.deepEqual(planOf(partial?.plan), planOf(usedProduct.partial));
    });

    test('settings', () => {
      const shapes = settingShapes(readConnectionDefaults(manifest));
      const settings = jsonOf(version, 'settings.json');
      for (const [name, value] of Object.entries(settings)) {
        const shape = Object.entries(shapes).find(([each]) => `transcriptionJobs.${each}` === name)?.[1];
        if (shape === undefined) {
          assert.ok(goneSettings.has(name), `${name} is still a setting`);
          continue;
        }
        const { value: read, problems } = shape.read(value);
        const plain: unknown = read instanceof Map ? Object.fromEntries(read) : read;
        assert.deepEqual(problems, [], name);
        // The fields that connections have since then have their defaults.
        const expected: unknown =
          Array.isArray(value) && name === 'transcriptionJobs.connections'
            ? value.map((each: object) => ({ ...connectionDefaults, ...each }))
            : value;
        assert.deepEqual(plain, expected, name);
      }
      const { value: connections } = shapes.connections.read(settings['transcriptionJobs.connections']);
      const [first] = connections ?? [];
      assert.deepEqual(
        { name: first?.name, baseUrl: first?.baseUrl, arrayFormat: first?.arrayFormat, service: first?.service },
        { ...connection, arrayFormat: 'comma', service: 'none' },
      );
      const views = savedViewsSetting().read(settings['transcriptionJobs.views'] ?? []);
      assert.deepEqual(
        { ...views, value: views.value?.map(({ filter }) => filter) },
        { value: [usedProduct.filters['Yesterday']], problems: [] },
      );
    });

    test('from when on failures are new, and the columns of the board', () => {
      const global = new JsonMemory(jsonOf(version, 'global.json'));
      assert.equal(global.get(sinceName(connection)), usedProduct.sinceMs);
      assert.deepEqual(decodeLayout(global.get('board.layout')), usedProduct.layout);
    });

    test('failures that were handled', async (context) => {
      const handled = new HandledStore(
        join(copyOf(version, context), 'handled'),
        { ...systemClock, now: () => usedProduct.atMs },
        new KeptLog(),
      );
      const { jobs, sinceMs } = await handled.read(connection);
      assert.deepEqual([...jobs.keys()], usedProduct.handled.map(jobKey));
      assert.equal(sinceMs, usedProduct.sinceMs);
    });
  });
}

for (const version of versions.filter(hasDeliveries)) {
  describe(`what ${version} holds besides`, () => {
    test('files that were saved when their job was done, and what was chosen last', async (context) => {
      const clock = { now: () => usedProduct.atMs };
      const store = new DeliveryStore(join(copyOf(version, context), 'deliveries'), clock, new KeptLog());
      const { group, ...job } = usedProduct.delivered;
      const key = deliveryKey({ ...job, origin: originOf(connection.baseUrl) });
      const { wanted, files, ended } = await store.read(key);
      assert.deepEqual([wanted?.label, wanted?.plan, wanted?.group], [job.label, usedProduct.deliveryPlan, group]);
      const [{ folder, name, hash, format, language } = assert.fail(), ...others] = files;
      assert.deepEqual([{ folder, name, hash, format, language }, others], [usedProduct.deliveredFile, []]);
      assert.deepEqual(ended?.end, usedProduct.deliveryEnd);
      assert.deepEqual(decodePlan(jsonOf(version, 'workspace.json')[lastPlanKey]), usedProduct.deliveryPlan);
      assert.equal(jsonOf(version, 'global.json')[wantedKey], usedProduct.atMs);
    });

    test('names of speakers', () => {
      const stored = jsonOf(version, 'global.json')[namedSpeakersKey];
      assert.deepEqual(readNamedSpeakers(stored), usedProduct.namedSpeakers);
    });

    test('groups that were muted', async (context) => {
      const folder = join(copyOf(version, context), 'handled');
      const clock = { ...systemClock, now: () => usedProduct.atMs };
      const { mutes } = await new HandledStore(folder, clock, new KeptLog()).read(connection);
      const [{ group, fromMs, untilMs } = assert.fail(), ...others] = mutes.values();
      assert.deepEqual([{ group, fromMs, untilMs }, others], [usedProduct.muted, []]);
    });
  });
}

test('what is written now has the form of the newest of them, or this version needs a folder of its own', async (context) => {
  const folder = emptyFolder(context);
  await writeStates(folder);
  const newest = versions.at(-1) ?? '';
  for (const name of ['workspace.json', 'global.json', 'page.json', 'secrets.json']) {
    assert.deepEqual(madeUp(jsonOf(folder, name)), madeUp(jsonOf(newest, name)));
  }
  for (const name of ['submissions', 'handled', 'deliveries'])
    assert.deepEqual(formsIn(folder, name), formsIn(newest, name));
});

function jsonOf(folder: string, name: string): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(join(folder, name), 'utf8')) as Readonly<Record<string, unknown>>;
}

/** Without the key for hashes, which each machine makes up. */
function madeUp(content: Readonly<Record<string, unknown>>): object {
  return { ...content, ...('submissions.audioHashKey' in content && { 'submissions.audioHashKey': 'made up' }) };
}

/** The lines of all files of a store, without what differs between runs: ids, processes and hashes with a key. */
function formsIn(folder: string, store: string): readonly string[] {
  return readdirSync(join(folder, store), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8').split('\n'))
    .map((line) =>
      line
        .replace(/^[\da-f]{8} /, 'checksum ')
        .replaceAll(/[\da-f]{8}-[\da-f]{4}-[\da-f-]{22}/g, 'id')
        .replaceAll(/"(sender|pid)":\d+/g, '"$1":0')
        .replaceAll(/"audioHash":"[\da-f]{64}"/g, '"audioHash":"keyed"'),
    )
    .sort();
}

/** True since 0.3.0, which saves results, mutes groups, names speakers and lists rows that were left out. */
function hasDeliveries(version: string): boolean {
  return existsSync(join(version, 'deliveries'));
}

function journalIn(folder: string): Journal {
  return new Journal(join(folder, 'submissions'), { now: () => usedProduct.atMs }, new KeptLog());
}

/** A writable copy. */
function copyOf(version: string, context: TestContext): string {
  const folder = emptyFolder(context);
  cpSync(version, folder, { recursive: true });
  return folder;
}

function emptyFolder(context: TestContext): string {
  const folder = temporaryFolder();
  context.after(() => folder.remove());
  return folder.path;
}
