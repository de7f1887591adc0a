import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { digest } from '../../../../../../src/base/digest.ts';
import { BatchStore } from '../../../../../../src/features/submit/node/journal/batchStore.ts';
import { maxBatches } from '../../../../../../src/features/submit/node/journal/batchLedger.ts';
import { Journal } from '../../../../../../src/jobs/node/journal/journal.ts';
import { recordLine } from '../../../../../../src/jobs/node/journal/recordLine.ts';
import { KeptLog } from '../../../../../support/keptLog.ts';

const owner = { name: 'Work', baseUrl: 'https://api.example.com' };
const requests = 500;

/** Returns the CPU time of work, and of the longest part of it without other work of the event loop in between. */
async function cpuMs(work: () => Promise<unknown>): Promise<{ readonly total: number; readonly longest: number }> {
  const start = process.threadCpuUsage();
  const ms = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000;
  let before = 0;
  let longest = 0;
  let isOver = false;
  const look = (): void => {
    const now = ms(process.threadCpuUsage(start));
    longest = Math.max(longest, now - before);
    before = now;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await work();
  isOver = true;
  look();
  return { total: before, longest };
}

test('lets other work through while all batches are read', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'tj-list-'));
  context.after(() => rm(folder, { recursive: true }));
  const journal = new Journal(folder, Date, new KeptLog());
  const batches = new BatchStore(journal, Date, new KeptLog());
  const plan = { connection: owner.name, origin: owner.baseUrl, total: requests, skipped: [] };
  const source = {
    type: 'list',
    template: 'file:///w/a.transcription.json',
    list: 'file:///w/a.csv',
    metadataKeys: [],
  } as const;
  for (let at = 0; at < maxBatches; at++) await batches.create(owner, { ...plan, source });
  const [own = ''] = await journal.foldersOf(owner);
  for (const name of await readdir(join(own, 'batches'))) {
    const items = Array.from({ length: requests }, (_, at) => digest(`${name} ${at}`));
    const run = 'a';
    const lines = [
      { type: 'run', run, sender: process.pid },
      ...items.flatMap((item) => [
        { type: 'send', run, item, label: 'a.mp3', file: 'file:///w/a.transcription.json' },
        { type: 'outcome', run, item, outcome: { type: 'accepted', status: 201, id: item } },
      ]),
    ].map((line, n) => recordLine({ ...line, n }));
    await appendFile(join(own, 'batches', name), lines.join(''));
  }
  let listed: Awaited<ReturnType<BatchStore['list']>> = [];
  const { total, longest } = await cpuMs(async () => {
    listed = await batches.list(owner);
  });
  assert.deepEqual(
    listed.map(({ batch }) => batch?.items.size),
    Array.from({ length: maxBatches }, () => requests),
  );
  assert.ok(longest < total / 4, `${longest} of ${total} ms of CPU at once`);
});
