import assert from 'node:assert/strict';
import { chmod, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { HandledStore } from '../../../../../src/features/attention/node/handledStore.ts';
import { DeliveryStore } from '../../../../../src/features/deliver/node/deliveryStore.ts';
import { BatchStore } from '../../../../../src/features/submit/node/journal/batchStore.ts';
import { Journal } from '../../../../../src/jobs/node/journal/journal.ts';
import { tightenModes } from '../../../../../src/jobs/node/journal/journalFolders.ts';
import { FakeClock } from '../../../../support/fakeClock/fakeClock.ts';
import { KeptLog } from '../../../../support/keptLog.ts';
import { wantedJob } from '../../../features/deliver/node/wantedJobs.ts';
import { aNewSubmission } from '../../../features/submit/node/aSubmission.ts';

const work = { name: 'Work', baseUrl: 'https://api.example.com' };
const plan = { connection: 'Work', origin: 'https://api.example.com', total: 1, skipped: [] };

async function temporaryFolder(context: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tj-modes-'));
  context.after(() => rm(folder, { recursive: true }));
  return folder;
}

const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

/** The distinct modes of a folder and everything in it. */
async function modesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const modes = await Promise.all(
    entries.map(
      async (each) => `${each.isFile() ? 'file' : 'folder'} ${await modeOf(join(each.parentPath, each.name))}`,
    ),
  );
  return [...new Set([`folder ${await modeOf(folder)}`, ...modes])].toSorted();
}

async function loosen(folder: string): Promise<void> {
  for (const each of await readdir(folder, { recursive: true, withFileTypes: true })) {
    await chmod(join(each.parentPath, each.name), each.isFile() ? 0o664 : 0o775);
  }
  await chmod(folder, 0o755);
}

suite('files that others may read', { skip: process.platform === 'win32' }, () => {
  /** A journal with an entry and a ledger, all readable by everyone, opened again. */
  async function looseJournal(context: TestContext) {
    const root = join(await temporaryFolder(context), 'submissions');
    const clock = new FakeClock();
    const journal = new Journal(root, clock, new KeptLog());
    await journal.add(work, aNewSubmission());
    const store = new BatchStore(journal, clock, new KeptLog());
    await store.create(work, { ...plan, source: { type: 'files', files: [] } });
    await loosen(root);
    assert.deepEqual(await modesIn(root), ['file 664', 'folder 755', 'folder 775']);
    const later = new Journal(root, clock, new KeptLog());
    return { root, journal: later, store: new BatchStore(later, clock, new KeptLog()) };
  }

  const ways: Readonly<Record<string, (opened: Awaited<ReturnType<typeof looseJournal>>) => Promise<unknown>>> = {
    read: ({ journal }) => journal.read(work),
    searched: ({ journal }) => journal.readSame(work, new Set(['x'])),
    'added to': ({ journal }) => journal.add(work, aNewSubmission()),
    'opened for its batches': ({ store }) => store.list(work),
    'given another batch': ({ store }) => store.create(work, { ...plan, source: { type: 'files', files: [] } }),
  };
  for (const [name, open] of Object.entries(ways)) {
    test(`are only accessible to this account once the journal is ${name}`, async (context) => {
      const opened = await looseJournal(context);
      await open(opened);
      assert.deepEqual(await modesIn(opened.root), ['file 600', 'folder 700']);
    });
  }

  test('are not made by the records of saved results and handled failures', async (context) => {
    const folder = await temporaryFolder(context);
    const clock = new FakeClock();
    const log = new KeptLog();
    await new DeliveryStore(join(folder, 'deliveries'), clock, log).want([wantedJob(work.baseUrl, 'a', folder)]);
    const job = { kind: 'live', id: 'a', createdAtMs: undefined, completedAtMs: undefined };
    await new HandledStore(join(folder, 'handled'), clock, log).mark(work, [job]);
    for (const name of ['deliveries', 'handled'])
      assert.deepEqual(await modesIn(join(folder, name)), ['file 600', 'folder 700']);
  });

  test('are not followed if they are links', async (context) => {
    const folder = await temporaryFolder(context);
    const outside = await temporaryFolder(context);
    await writeFile(join(outside, 'shared'), '');
    await chmod(join(outside, 'shared'), 0o644);
    await chmod(outside, 0o755);
    await symlink(outside, join(folder, 'folder'));
    await symlink(join(outside, 'shared'), join(folder, 'file'));
    await tightenModes(folder);
    assert.deepEqual([await modeOf(outside), await modeOf(join(outside, 'shared'))], ['755', '644']);
    await tightenModes(join(folder, 'folder'));
    assert.equal(await modeOf(outside), '755');
  });

  test('cause no error if a folder is missing or a file', async (context) => {
    const folder = await temporaryFolder(context);
    await tightenModes(join(folder, 'missing'));
    await writeFile(join(folder, 'file'), '');
    await tightenModes(join(folder, 'file', 'below'));
    assert.deepEqual(await readdir(folder), ['file']);
  });
});
