import assert from 'node:assert/strict';
import { cpSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { decodeLayout } from '../../../src/domain/board/boardProtocol.ts';
import { readConnectionDefaults } from '../../../src/domain/connection/connection.ts';
import { savedViewsSetting } from '../../../src/domain/filter/savedView.ts';
import { jobKey, jobKinds } from '../../../src/domain/jobs/job.ts';
import { pageState } from '../../../src/domain/protocol.ts';
import { settingShapes } from '../../../src/domain/settings/settingShapes.ts';
import { storedFailures, storedWatchedJobs } from '../../../src/domain/watch/watchPlan.ts';
import { HandledStore } from '../../../src/service/attention/handledStore.ts';
import { KeptLimits } from '../../../src/service/attention/keptLimits.ts';
import { systemClock } from '../../../src/service/clock.ts';
import { AudioHash } from '../../../src/service/submit/audioHash.ts';
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
import manifest from '../../../package.json' with { type: 'json' };

const { connection, since020, visit } = usedProduct;
/** What a version wrote, and what another one left of it after it was installed again. */
const states = globSync('test/fixtures/upgrade/*0.1.0/').sort();

for (const version of states) {
  const has020 = !version.includes(join('upgrade', '0.1.0'));
  const wasVisited = version.includes('-after-0.1.0');

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
      const keys = new KeyStore(secrets);
      assert.deepEqual(
        (await keys.list([])).map(({ name, lastUsedAtMs }) => ({ name, lastUsedAtMs })),
        has020 ? [{ name: connection.name, lastUsedAtMs: usedProduct.atMs }] : [],
      );
      assert.equal(await keys.get(connection), usedProduct.key);
      if (wasVisited) {
        const { name, baseUrl } = visit.setting;
        assert.equal(await keys.get({ name, baseUrl }), visit.key);
      }
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
      const isLater = ({ replaces }: { readonly replaces?: unknown }): boolean => replaces !== undefined;
      const older = read.filter(({ file }) => file === visit.file);
      const common = read.filter((each) => !isLater(each) && !older.includes(each));
      for (const { outcome: _outcome, ...submission } of common) assert.deepEqual(submission, expected);
      // Sent at the same moment, so their order is undefined.
      const sorted = (outcomes: readonly object[]): readonly string[] =>
        outcomes.map((each) => JSON.stringify(each)).sort();
      assert.deepEqual(sorted(common.map(({ outcome }) => outcome)), sorted(usedProduct.outcomes));
      assert.deepEqual(
        older.map(({ outcome }) => outcome),
        wasVisited ? [{ type: 'accepted', status: 201, id: 'older' }] : [],
      );
      const later = read.filter(isLater);
      assert.equal(later.length, has020 ? 1 : 0);
      const secrets = new MemorySecrets();
      for (const [name, secret] of Object.entries(jsonOf(version, 'secrets.json')))
        await secrets.store(name, String(secret));
      const audio = await AudioHash.load(secrets);
      for (const { outcome, audioHash, ...submission } of later) {
        const { audioHash: _hash, ...same } = { ...expected, ...since020.submission };
        assert.deepEqual(submission, same);
        assert.deepEqual(outcome, { type: 'accepted', status: 201, id: 'again' });
        assert.equal(audioHash, audio.of(since020.audioUrl));
      }
    });

    test('the ledger of a batch', async (context) => {
      const folder = join(journalIn(copyOf(version, context)).folderOf(connection), 'batches');
      const ids = (await batchIds(folder)).toReversed();
      assert.equal(ids.length, 1 + Number(has020) + Number(wasVisited));
      const [batch, resubmission, older] = await Promise.all(ids.map((id) => BatchLedger.at(folder, id).read()));
      assert.deepEqual(batch?.end, { type: 'cancelled' });
      const planOf = (plan: object | undefined): object => ({ ...plan, type: 'plan', schema: 1 });
      assert.deepEqual(planOf(batch.plan), planOf(usedProduct.plan));
      const items = (read: typeof batch | undefined): readonly object[] =>
        [...(read?.items.values() ?? [])].map(({ item, label, file, outcome }) => ({ item, label, file, outcome }));
      assert.deepEqual(items(batch), usedProduct.items);
      if (has020) assert.deepEqual(planOf(resubmission?.plan), planOf(since020.resubmission));
      if (wasVisited) assert.deepEqual([older?.end, items(older)], [{ type: 'done' }, usedProduct.items]);
      assert.deepEqual([batch.damaged, resubmission?.damaged ?? 0, older?.damaged ?? 0], [0, 0, 0]);
    });

    test('settings', () => {
      const shapes = settingShapes(readConnectionDefaults(manifest));
      const settings = jsonOf(version, 'settings.json');
      for (const [name, value] of Object.entries(settings)) {
        const shape = Object.entries(shapes).find(([each]) => `transcriptionJobs.${each}` === name)?.[1];
        assert.ok(shape !== undefined, `${name} is still a setting`);
        const { value: read, problems } = shape.read(value);
        const plain: unknown = read instanceof Map ? Object.fromEntries(read) : read;
        assert.deepEqual(problems, [], name);
        // Version 0.1.0 leaves out what is the default.
        if (!(wasVisited && name === 'transcriptionJobs.connections')) assert.deepEqual(plain, value, name);
      }
      const { value: connections } = shapes.connections.read(settings['transcriptionJobs.connections']);
      const [first, second] = connections ?? [];
      assert.deepEqual(
        { name: first?.name, baseUrl: first?.baseUrl, arrayFormat: first?.arrayFormat, service: first?.service },
        { ...connection, arrayFormat: 'comma', service: has020 ? 'none' : undefined },
      );
      assert.deepEqual(second?.baseUrl, wasVisited ? visit.setting.baseUrl : undefined);
      const views = savedViewsSetting().read(settings['transcriptionJobs.views'] ?? []);
      assert.deepEqual(
        { ...views, value: views.value?.map(({ filter }) => filter) },
        { value: has020 ? Object.values(since020.filters) : [], problems: [] },
      );
    });

    if (!has020) return;

    test('filters that version 0.1.0 could not read, and those that were used last', async () => {
      const filters = new StoredFilters(memory);
      for (const [name, filter] of Object.entries({ ...usedProduct.filters, ...since020.filters })) {
        assert.deepEqual(await filters.read(name), { filter });
        assert.deepEqual(filters.recent(name), [filter]);
      }
      if (wasVisited) assert.deepEqual(await filters.read(visit.connection), { filter: visit.filter });
    });

    test('how long jobs take, from when on failures are new, and the columns of the board', () => {
      const global = new JsonMemory(jsonOf(version, 'global.json'));
      const limits = new KeptLimits(global, { now: () => usedProduct.atMs });
      for (const kind of jobKinds) assert.deepEqual(limits.read(connection, kind), since020.limits[kind]);
      assert.equal(limits.readSince(connection), since020.sinceMs);
      const { version: _form, ...layout } = { version: 0, ...decodeLayout(global.get('board.layout')) };
      assert.deepEqual(layout, since020.layout);
    });

    test('failures that were handled', async (context) => {
      const handled = new HandledStore(
        join(copyOf(version, context), 'handled'),
        { ...systemClock, now: () => usedProduct.atMs },
        new KeptLog(),
      );
      const { jobs, sinceMs } = await handled.read(connection);
      assert.deepEqual([...jobs.keys()], since020.handled.map(jobKey));
      assert.equal(sinceMs, since020.sinceMs);
    });
  });
}

test('version 0.1.0 saw nothing of a later one that it could not read, and did not call it damaged', () => {
  const seen = jsonOf('test/fixtures/upgrade/0.2.0-after-0.1.0', 'seen.json');
  const { ['filter of Yesterday']: yesterday, journal, batches, key, ...same } = seen;
  assert.deepEqual(yesterday, { filter: { statuses: [], time: { type: 'any' }, metadata: {} } });
  assert.deepEqual(journal, { setAside: [], fromLaterVersion: 0, submissions: 0 });
  assert.deepEqual([batches, key], [{ files: 2, readable: 0 }, 'none']);
  const filters = Object.entries(usedProduct.filters).map(
    ([name, filter]) => [`filter of ${name}`, { filter }] as const,
  );
  const expected = JSON.stringify({ ...Object.fromEntries(filters), watchedJobs: 2, unseenFailures: 1 });
  const plain: unknown = JSON.parse(expected);
  assert.deepEqual(same, plain);
});

test('a batch that version 0.1.0 began is continued in its form, so that it sees there what it must not send again', async (context) => {
  const folder = join(journalIn(copyOf('test/fixtures/upgrade/0.1.0', context)).folderOf(connection), 'batches');
  const [id = ''] = await batchIds(folder);
  const ledger = BatchLedger.at(folder, id);
  const path = join(folder, `${id}.ndjson`);
  const before = readFileSync(path, 'utf8');
  await ledger.begin();
  const item = { item: 'item-4', label: 'audio.example/4.mp3', file: 'file:///work/template.transcription.json' };
  assert.equal(await ledger.claim(item), true);
  await ledger.settle(item.item, { type: 'accepted', status: 201, id: 'four' });
  await ledger.end({ type: 'done' });
  const after = readFileSync(path, 'utf8');
  assert(after.startsWith(before));
  const lines = after.split('\n').filter((line) => line !== '');
  const types = lines.map((line) => (JSON.parse(line) as { readonly type: string }).type);
  assert.deepEqual(types.slice(-4), ['run', 'send', 'outcome', 'end']);
  const read = await BatchLedger.at(folder, id).read();
  assert.deepEqual(read?.items.get('item-4')?.outcome, { type: 'accepted', status: 201, id: 'four' });
  assert.deepEqual([read?.end, read?.damaged], [{ type: 'done' }, 0]);
});

function jsonOf(folder: string, name: string): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(join(folder, name), 'utf8')) as Readonly<Record<string, unknown>>;
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
