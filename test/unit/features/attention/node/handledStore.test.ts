import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { dayMs } from '../../../../../src/base/time.ts';
import { HandledStore } from '../../../../../src/features/attention/node/handledStore.ts';
import { recordLine } from '../../../../../src/jobs/node/journal/recordLine.ts';
import { bareJob } from '../../../../support/builders/bareJob.ts';
import { FakeClock } from '../../../../support/fakeClock/fakeClock.ts';
import { KeptLog } from '../../../../support/keptLog.ts';

const work = { name: 'Work', baseUrl: 'https://api.example.com/base' };
const clock = new FakeClock();
const failure = (id: string) => bareJob({ id, status: 'error', completedAtMs: clock.now() - 1000 });

async function storesIn(context: TestContext, log = new KeptLog()) {
  const folder = await mkdtemp(join(tmpdir(), 'tj-handled-'));
  context.after(() => rm(folder, { recursive: true }));
  return { folder, log, store: new HandledStore(folder, clock, log), other: new HandledStore(folder, clock, log) };
}

async function marked(store: HandledStore, owner = work): Promise<readonly string[]> {
  return [...(await store.read(owner)).jobs.keys()].toSorted();
}

test('windows that mark at the same time keep the marks of each other, also after a reload', async (context) => {
  const { folder, store, other } = await storesIn(context);
  const ids = Array.from({ length: 20 }, (_, at) => `j${at}`);
  await Promise.all(ids.map((id, at) => (at % 2 === 0 ? store : other).mark(work, [failure(id), failure('both')], at)));
  const reloaded = new HandledStore(folder, clock, new KeptLog());
  assert.deepEqual(await marked(reloaded), ['both', ...ids].map((id) => `live/${id}`).toSorted());
  assert.equal((await reloaded.read(work)).sinceMs, 19);
});

test('marks belong to a connection and follow its name', async (context) => {
  const { store } = await storesIn(context);
  await store.mark(work, [failure('a')], undefined);
  const renamed = { ...work, name: 'Office' };
  assert.deepEqual(await marked(store, renamed), []);
  await store.continueAs(work, renamed);
  await store.mark(renamed, [failure('b')], undefined);
  assert.deepEqual(await marked(store, renamed), ['live/a', 'live/b']);
});

test('a store reports that failures were marked, and that this was undone, once it can be read', async (context) => {
  const { store } = await storesIn(context);
  const seen: Promise<readonly string[]>[] = [];
  store.onDidChange(() => seen.push(marked(store)));
  await store.mark(work, [failure('a')], undefined, 'act');
  assert.deepEqual(await Promise.all(seen), [['live/a']]);
  await store.undo(work, 'act');
  assert.deepEqual(await seen[1], []);
});

test('damaged records are reported, and the others are kept', async (context) => {
  const { folder, log, store } = await storesIn(context);
  await store.mark(work, [failure('a')], undefined);
  const path = (await readdir(folder, { recursive: true })).find((name) => name.endsWith('.ndjson')) ?? '';
  await appendFile(join(folder, path), '\n00000000 {"schema":1}\n');
  await store.mark(work, [failure('b')], undefined);
  assert.deepEqual(await marked(store), ['live/a', 'live/b']);
  assert.match(log.lines.join('\n'), /warn handled: .* 1 damaged records/);
});

test('files from before the time when everything was handled are removed', async (context) => {
  const { folder } = await storesIn(context);
  const later = new FakeClock(clock.now());
  const store = new HandledStore(folder, later, new KeptLog());
  const undated = bareJob({ id: 'undated', status: 'error' });
  await store.mark(work, [failure('a'), undated], undefined);
  await later.advance(15 * dayMs);
  await store.mark(work, [failure('b')], later.now() - dayMs);
  assert.deepEqual(await marked(store), ['live/a', 'live/b', 'live/undated'], 'not yet: it may be undone');
  await store.mark(work, [failure('c')], later.now());
  assert.deepEqual(await marked(store), ['live/b', 'live/c', 'live/undated'], 'but for what has no time');
});

test('marks of the days before the time since which failures are new are kept, because clocks may differ by days', async (context) => {
  const { folder } = await storesIn(context);
  const later = new FakeClock(clock.now());
  const store = new HandledStore(folder, later, new KeptLog());
  await store.mark(work, [failure('a')], undefined);
  await later.advance(6 * dayMs);
  await store.mark(work, [failure('b')], later.now());
  assert.deepEqual(await marked(store), ['live/a', 'live/b']);
});

test('undoing restores the former marks in all windows, also those from before a rename and long before', async (context) => {
  const { folder, store, other } = await storesIn(context);
  const later = new FakeClock(clock.now());
  const renamed = { ...work, name: 'Office' };
  const laterStore = new HandledStore(folder, later, new KeptLog());
  await store.mark(work, [failure('a')], clock.now() - dayMs, 'first');
  await store.continueAs(work, renamed);
  await later.advance(15 * dayMs);
  const before = await other.read(renamed);
  await laterStore.mark(renamed, [failure('b'), bareJob({ id: 'undated', status: 'error' })], later.now(), 'second');
  assert.equal((await other.read(renamed)).acts.at(-1)?.act, 'second');
  await other.undo(renamed, 'second');
  assert.deepEqual({ ...(await store.read(renamed)), undone: before.undone }, before);
  assert.equal(before.acts.at(-1)?.act, 'first');
  await other.undo(renamed, 'first');
  const { undone, ...left } = await store.read(renamed);
  assert.deepEqual(left, { jobs: new Map(), mutes: new Map(), sinceMs: undefined, acts: [] });
  assert.deepEqual(undone, new Set(['second', 'first']));
});

test('undoing a mark after weeks restores the former marks, which are not removed yet', async (context) => {
  const { folder } = await storesIn(context);
  const later = new FakeClock(clock.now());
  const store = new HandledStore(folder, later, new KeptLog());
  await store.mark(work, [failure('a')], later.now() - dayMs, 'first');
  const before = await store.read(work);
  await later.advance(20 * dayMs);
  await store.mark(work, [failure('b')], later.now(), 'second');
  await store.undo(work, 'second');
  assert.deepEqual({ ...(await store.read(work)), undone: before.undone }, before);
});

test('marks of failures that are still listed are kept after ten thousand others', async (context) => {
  const { folder } = await storesIn(context);
  const later = new FakeClock(clock.now());
  const store = new HandledStore(folder, later, new KeptLog());
  await store.mark(work, [failure('old'), failure('gone')], undefined, 'first');
  for (let round = 0; round < 6; round++) {
    const others = Array.from({ length: 2000 }, (_, at) => failure(`${round}.${at}`));
    await later.advance(1000);
    await store.mark(work, others, undefined, `act ${round}`, [failure('old')]);
  }
  const { jobs, acts } = await store.read(work);
  assert.deepEqual([jobs.has('live/old'), jobs.has('live/gone'), acts.at(-1)?.act], [true, false, 'act 5']);
});

test('mutes of windows are kept as marks are, can be undone, and outlast the files of old marks', async (context) => {
  const { folder } = await storesIn(context);
  const later = new FakeClock(clock.now());
  const store = new HandledStore(folder, later, new KeptLog());
  const mute = (group: string, untilMs?: number) => ({ group, fromMs: later.now(), untilMs });
  const muted = async (): Promise<readonly string[]> => [...(await store.read(work)).mutes.keys()].toSorted();
  await store.mute(work, [mute('[422,null,null]'), mute('[500,null,null]', later.now() + 1000)], 'first');
  await later.advance(1);
  const second = new HandledStore(folder, later, new KeptLog());
  await second.mute(work, [mute('[404,null,null]')], 'second');
  assert.deepEqual(await muted(), ['[404,null,null]', '[422,null,null]', '[500,null,null]']);
  assert.equal((await store.read(work)).acts.at(-1)?.act, 'second');
  await store.undo(work, 'second');
  assert.deepEqual(await muted(), ['[422,null,null]', '[500,null,null]']);
  await store.mark(work, [failure('a')], later.now());
  await later.advance(15 * dayMs);
  await store.mark(work, [failure('b')], later.now());
  await store.mark(work, [failure('c')], later.now());
  assert.deepEqual(await marked(store), ['live/b', 'live/c'], 'the first file is gone');
  assert.ok((await muted()).includes('[422,null,null]'));
});

test('records of a later version are left alone and logged once', async (context) => {
  const { folder, log, store } = await storesIn(context);
  await store.mark(work, [failure('a')], clock.now());
  const [name = ''] = await readdir(folder);
  const old = join(folder, name, 'handled', '000001.ndjson');
  const later = recordLine({ schema: 3, type: 'handled', job: 'live/b' });
  await writeFile(old, later);
  let found = 0;
  store.onDidFindLater(() => found++);
  await store.read(work);
  await store.mark(work, [failure('c')], clock.now());
  assert.equal(await readFile(old, 'utf8'), later);
  assert.equal(found, 1);
  assert.equal(log.lines.filter((line) => line.endsWith('1 records of a later version')).length, 1);
});
