import assert from 'node:assert/strict';
import { cpSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { readConnectionDefaults } from '../../../src/domain/connection/connection.ts';
import { pageState } from '../../../src/domain/protocol.ts';
import { settingShapes } from '../../../src/domain/settings/settingShapes.ts';
import { storedFailures, storedWatchedJobs } from '../../../src/domain/watch/watchPlan.ts';
import { StoredFilters } from '../../../src/service/connection/storedFilters.ts';
import { KeyStore } from '../../../src/service/connection/keyStore.ts';
import { watchMemory } from '../../../src/service/watch/watchStore.ts';
import { BatchLedger, batchIds } from '../../../src/service/journal/batchLedger.ts';
import { Journal } from '../../../src/service/journal/journal.ts';
import { temporaryFolder } from '../../support/editor/ownedFolder.ts';
import { KeptLog } from '../../support/keptLog.ts';
import { JsonMemory } from '../../support/states/jsonMemory.ts';
import { MemorySecrets } from '../../support/states/memorySecrets.ts';
import { usedProduct } from '../../support/states/usedProduct.ts';
import { writeStates } from '../../support/states/writeStates.ts';
import manifest from '../../../package.json' with { type: 'json' };

const { connection } = usedProduct;
const versions = globSync('test/fixtures/*.*.*/').sort();

for (const version of versions) {
  describe(`what ${version} holds`, () => {
    const memory = new JsonMemory(jsonOf(version, 'workspace.json'));

    test('filters', async () => {
      for (const [name, filter] of Object.entries(usedProduct.filters)) {
        assert.deepEqual(await new StoredFilters(memory).read(name), { filter });
      }
    });

    test('watched jobs, and failures that nobody saw', () => {
      assert.deepEqual(storedWatchedJobs.read(memory.get(watchMemory.jobs)), usedProduct.watched);
      assert.deepEqual(storedFailures.read(memory.get(watchMemory.failures)), usedProduct.failures);
    });

    test('the state of a page', () => {
      const { version: _form, ...state } = pageState(jsonOf(version, 'page.json'));
      assert.deepEqual(state, usedProduct.page);
    });

    test('keys', async () => {
      const secrets = new MemorySecrets();
      for (const [name, secret] of Object.entries(jsonOf(version, 'secrets.json')))
        await secrets.store(name, String(secret));
      assert.equal(await new KeyStore(secrets).get(connection), usedProduct.key);
    });

    test('the journal of submissions', async (context) => {
      const journal = journalIn(copyOf(version, context));
      const { submissions, ...rest } = await journal.read(connection);
      assert.deepEqual(rest, { quarantined: [], damaged: 0, fromLaterVersion: 0, hasOlder: false });
      const read = submissions.map(({ key: _key, sender: _sender, connection: name, origin, ...submission }) => {
        assert.deepEqual({ name, origin }, { name: connection.name, origin: new URL(connection.baseUrl).origin });
        return submission;
      });
      const expected = { ...usedProduct.submission, replaces: undefined, label: undefined };
      for (const { outcome: _outcome, ...submission } of read) assert.deepEqual(submission, expected);
      // Sent at the same moment, so their order is undefined.
      const sorted = (outcomes: readonly object[]): readonly string[] =>
        outcomes.map((each) => JSON.stringify(each)).sort();
      assert.deepEqual(sorted(read.map(({ outcome }) => outcome)), sorted(usedProduct.outcomes));
    });

    test('the ledger of a batch', async (context) => {
      const folder = join(journalIn(copyOf(version, context)).folderOf(connection), 'batches');
      const [id = '', ...others] = await batchIds(folder);
      assert.deepEqual(others, []);
      const batch = await BatchLedger.at(folder, id).read();
      assert.deepEqual(batch?.end, { type: 'cancelled' });
      assert.deepEqual({ ...batch.plan, type: 'plan', schema: 1 }, { ...usedProduct.plan, type: 'plan', schema: 1 });
      assert.deepEqual(
        [...batch.items.values()].map(({ item, label, file, outcome }) => ({ item, label, file, outcome })),
        usedProduct.items,
      );
    });

    test('settings', () => {
      const shapes = settingShapes(readConnectionDefaults(manifest));
      const settings = jsonOf(version, 'settings.json');
      for (const [name, value] of Object.entries(settings)) {
        const shape = Object.entries(shapes).find(([each]) => `transcriptionJobs.${each}` === name)?.[1];
        assert.ok(shape !== undefined, `${name} is still a setting`);
        const { value: read, problems } = shape.read(value);
        const plain: unknown = read instanceof Map ? Object.fromEntries(read) : read;
        assert.deepEqual({ plain, problems }, { plain: value, problems: [] }, name);
      }
    });
  });
}

test('what is written now has the form of the newest of them, or this version needs a folder of its own', async (context) => {
  const folder = emptyFolder(context);
  await writeStates(folder);
  const newest = versions.at(-1) ?? '';
  for (const name of ['workspace.json', 'page.json', 'secrets.json']) {
    assert.deepEqual(jsonOf(folder, name), jsonOf(newest, name));
  }
  assert.deepEqual(formsIn(folder), formsIn(newest));
});

function jsonOf(folder: string, name: string): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(join(folder, name), 'utf8')) as Readonly<Record<string, unknown>>;
}

/** The lines of all files of the journal, without what differs between runs: ids and processes. */
function formsIn(folder: string): readonly string[] {
  return readdirSync(join(folder, 'submissions'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8').split('\n'))
    .map((line) =>
      line
        .replace(/^[\da-f]{8} /, 'checksum ')
        .replaceAll(/[\da-f]{8}-[\da-f]{4}-[\da-f-]{22}/g, 'id')
        .replaceAll(/"sender":\d+/g, '"sender":0'),
    )
    .sort();
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
