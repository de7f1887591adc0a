import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, uptime } from 'node:os';
import { join, resolve } from 'node:path';
import { test, type TestContext } from 'node:test';
import { jsonObject } from '../../../../../src/base/decode/decoder.ts';
import { digest } from '../../../../../src/base/digest.ts';
import { dayMs } from '../../../../../src/base/time.ts';
import { readRecordLines, recordLine } from '../../../../../src/jobs/node/journal/recordLine.ts';
import { claimMs } from '../../../../../src/features/deliver/common/delivery.ts';
import { Deliverer, type DeliveryContent } from '../../../../../src/features/deliver/node/deliverer.ts';
import { DeliveryStore } from '../../../../../src/features/deliver/node/deliveryStore.ts';
import { makeJobFiles } from '../../../../../src/features/deliver/node/jobFiles.ts';
import { bareJob } from '../../../../support/builders/bareJob.ts';
import { preRecordedItem } from '../../../../support/builders/jobItem.ts';
import { DiskFolder } from '../../../../support/deliver/diskFolder.ts';
import { FakeClock } from '../../../../support/fakeClock/fakeClock.ts';
import { KeptLog } from '../../../../support/keptLog.ts';
import { fileFacts, wantedJob } from './wantedJobs.ts';

const origin = 'https://api.example.com';

async function scene(context: TestContext, observe?: (moment: string) => void) {
  const folder = await mkdtemp(join(tmpdir(), 'tj-deliverer-'));
  context.after(() => rm(folder, { recursive: true }));
  const files = join(folder, 'files');
  const clock = new FakeClock();
  const log = new KeptLog();
  const open = () => {
    const store = new DeliveryStore(join(folder, 'records'), clock, log);
    const deliverer = new Deliverer({ store, clock, openFolder: async () => new DiskFolder(files, observe) });
    return { store, deliverer };
  };
  const want = async (id: string) => {
    const wanted = { ...wantedJob(origin, id, files), atMs: clock.now() };
    await open().store.want([wanted]);
    return wanted;
  };
  return { clock, log, files, open, want };
}

const result = { transcription: { utterances: [{ text: 'Hello.', start: 1, end: 2.5, speaker: 0, language: 'en' }] } };

function doneJob(id: string, title: string, item: object = { result }) {
  const raw = JSON.stringify(preRecordedItem({ id, custom_metadata: { title, customer: title }, ...item }));
  return bareJob({ id, kind: 'pre-recorded', status: 'done', raw });
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function oneFile(text: string, name = 'a.txt'): DeliveryContent {
  return { files: [{ format: 'text', language: 'original', bytes: bytesOf(text), nameOf: () => name }], remarks: [] };
}

test('a full disk leaves no file, and the files are written once there is room', async (context) => {
  const disk = { isFull: true };
  const { files, open, want } = await scene(context, (moment) => {
    if (disk.isFull && moment === 'rename') throw Object.assign(new Error('full'), { code: 'ENOSPC' });
  });
  const wanted = await want('a');
  const { deliverer, store } = open();
  const job = doneJob('a', 'Call');
  const outcome = await deliverer.deliver(wanted, () => makeJobFiles(job, wanted.plan, fileFacts));
  assert.equal(outcome.type, 'failed');
  assert.deepEqual(await readdir(files), []);
  assert.equal((await store.pending()).length, 1);
  disk.isFull = false;
  // Another window may go on at once.
  const again = await open().deliverer.deliver(wanted, () => makeJobFiles(job, wanted.plan, fileFacts));
  assert.deepEqual(again, { type: 'delivered', names: ['Call.md', 'Call.srt', 'Call.json'] });
  assert.deepEqual((await readdir(files)).toSorted(), ['Call.json', 'Call.md', 'Call.srt']);
});

const hostileTitles = [
  '../../outside',
  String.raw`..\..\outside`,
  '/etc/passwd',
  String.raw`C:\Windows\system32`,
  'file:///etc/passwd',
  '.',
  '..',
  '...',
  '~',
  '.hidden',
  'CON',
  'nul.txt',
  'COM1',
  'aux .x',
  'a\0b',
  'a\nb',
  'a\u202egnp.exe',
  'a/b/c',
  'name.',
  'name ',
  ' ',
  '<script>',
  '*?|"<>:',
  'é',
  'e\u0301',
  'É',
  '\ud800',
  '👩‍💻'.repeat(50),
  'x'.repeat(5000),
  '%2e%2e%2f',
];

test('30 hostile titles give 30 files of each format, in the folder', async (context) => {
  const { files, open, want } = await scene(context);
  assert.equal(hostileTitles.length, 30);
  for (const [index, title] of hostileTitles.entries()) {
    const job = doneJob(`job-${index}`, title);
    const wanted = await want(job.id);
    const outcome = await open().deliverer.deliver(wanted, () => makeJobFiles(job, wanted.plan, fileFacts));
    assert.equal(outcome.type, 'delivered', title);
  }
  const names = await readdir(files, { recursive: true });
  assert.equal(names.length, 90);
  assert.deepEqual(await readdir(resolve(files, '..')), ['files', 'records']);
  assert.equal(new Set(names.map((name) => name.normalize('NFC').toLowerCase())).size, 90);
  for (const name of names) assert.ok(Buffer.byteLength(name) <= 255 && !/^\.|[. ]$|\p{Cc}/u.test(name), name);
});

test('a job without a result ends without a file', async (context) => {
  const { files, open, want } = await scene(context);
  const wanted = await want('a');
  const job = doneJob('a', 'Call', { result: null });
  const { deliverer, store } = open();
  const outcome = await deliverer.deliver(wanted, () => makeJobFiles(job, wanted.plan, fileFacts));
  assert.deepEqual(outcome, { type: 'noResult', isKnown: false });
  assert.deepEqual((await store.read(wanted.job)).ended?.end, { type: 'noResult', isKnown: false });
  await assert.rejects(readdir(files), { code: 'ENOENT' });
});

test('one of two live windows writes; a claim that is too old does not count', async (context) => {
  const { clock, files, open, want } = await scene(context);
  const wanted = await want('a');
  const [first, second] = [open(), open()];
  let outcome: unknown;
  const slow = await first.deliverer.deliver(wanted, async () => {
    outcome = await second.deliverer.deliver(wanted, async () => oneFile('second'));
    await clock.advance(claimMs);
    return oneFile('first');
  });
  assert.deepEqual(outcome, { type: 'claimed' });
  assert.equal(slow.type, 'failed');
  assert.deepEqual(await readdir(files), []);
  const late = await second.deliverer.deliver(wanted, async () => oneFile('second'));
  assert.deepEqual(late, { type: 'delivered', names: ['a.txt'] });
  assert.deepEqual(await first.deliverer.deliver(wanted, () => assert.fail()), { type: 'ended' });
  assert.equal(await readFile(join(files, 'a.txt'), 'utf8'), 'second');
});

test('a name that another job has recorded is not used, even before its file exists', async (context) => {
  const { files, open, want } = await scene(context);
  const content = (): DeliveryContent => ({
    files: [
      {
        format: 'text',
        language: 'original',
        bytes: bytesOf('text'),
        nameOf: (number) => ['a.txt', 'A.txt', 'b.txt', 'c.txt'][number - 1] ?? assert.fail(),
      },
    ],
    remarks: [],
  });
  const [other, early, late] = [await want('other'), await want('early'), await want('late')];
  const record = async (name: string): Promise<void> => {
    const { job, plan } = other;
    const common = { job, group: undefined, run: 'other', isNumbered: undefined };
    const file = { ...common, folder: digest(plan.folder), name, hash: '' };
    await open().store.recordFiles(other, [{ type: 'file', ...file, format: 'text', language: 'original' }]);
  };
  await record('a.txt');
  const first = await open().deliverer.deliver(early, async () => content());
  assert.deepEqual(first, { type: 'delivered', names: ['b.txt'] });
  await rm(join(files, 'b.txt'));
  // The other window is faster between the choice of the name and its record.
  const { store, deliverer } = open();
  const recordFiles = store.recordFiles.bind(store);
  context.mock.method(store, 'recordFiles', async (...given: Parameters<typeof recordFiles>) => {
    if (given[1][0]?.name === 'c.txt') await record('C.txt');
    await recordFiles(...given);
  });
  const second = await deliverer.deliver(late, async () => ({
    files: (content()?.files ?? []).map((file) => ({
      ...file,
      nameOf: (number) => ['c.txt', 'd.txt'][number - 1] ?? assert.fail(),
    })),
    remarks: [],
  }));
  assert.deepEqual(second, { type: 'delivered', names: ['d.txt'] });
});

test('files that were given up can be wanted again, and a new plan before the first file counts', async (context) => {
  const { files, open, want, clock } = await scene(context);
  const { store, deliverer } = open();
  const first = await want('a');
  await store.end(first, { type: 'abandoned' });
  assert.deepEqual(await store.pending(), []);
  await clock.advance(2 * 24 * 3_600_000);
  const again = { ...(await want('a')), group: 'other' };
  const formats = ['json'] as const;
  await clock.advance(24 * 3_600_000);
  await store.want([{ ...again, atMs: clock.now(), plan: { ...again.plan, formats } }]);
  const [pending, ...others] = await store.pending();
  const wanted = pending?.wanted ?? assert.fail();
  assert.deepEqual(others, []);
  assert.deepEqual([wanted.group, wanted.atMs, wanted.plan.formats], ['batch', again.atMs, formats]);
  const job = doneJob('a', 'Call');
  const outcome = await deliverer.deliver(wanted, () => makeJobFiles(job, wanted.plan, fileFacts));
  assert.deepEqual(outcome, { type: 'delivered', names: ['Call.json'] });
  await store.want([{ ...again, atMs: clock.now() }]);
  assert.deepEqual(await store.pending(), []);
  assert.deepEqual(await open().deliverer.deliver(wanted, () => assert.fail()), { type: 'ended' });
  assert.deepEqual(await readdir(files), ['Call.json']);
});

test('records of more than 90 days are deleted when files are next wanted', async (context) => {
  const { clock, open, want } = await scene(context);
  const old = await want('old');
  await clock.advance(2 * dayMs);
  const recent = await want('recent');
  await clock.advance(89 * dayMs);
  const recorded = async () => {
    const { store } = open();
    return [(await store.read(old.job)).wanted?.id, (await store.read(recent.job)).wanted?.id];
  };
  assert.deepEqual(await recorded(), ['old', 'recent']);
  await want('new');
  assert.deepEqual(await recorded(), [undefined, 'recent']);
});

test('no window of an earlier start of the computer counts as open', async (context) => {
  const { open, want, clock } = await scene(context);
  const { store } = open();
  const running = { ...(await want('a')), pid: process.ppid };
  await store.want([running]);
  const isWatched = async () => (await store.pending()).map(({ isWatchedElsewhere }) => isWatchedElsewhere);
  assert.deepEqual(await isWatched(), [true]);
  await clock.advance(uptime() * 1000 + 60_000);
  assert.deepEqual(await isWatched(), [false]);
});

test('records that are cut anywhere, or of a later version, never lead to a file outside or over another one', async (context) => {
  const { files, open, want, clock } = await scene(context);
  const wanted = await want('a');
  const job = doneJob('a', 'Call');
  const deliver = () => open().deliverer.deliver(wanted, () => makeJobFiles(job, wanted.plan, fileFacts));
  assert.equal((await deliver()).type, 'delivered');
  const records = join(files, '..', 'records');
  const [name = ''] = await readdir(records);
  const path = join(records, name);
  const complete = await readFile(path);
  const contents = async () =>
    Object.fromEntries(
      await Promise.all(
        (await readdir(files)).map(async (each) => [each, await readFile(join(files, each), 'utf8')] as const),
      ),
    );
  const before = await contents();
  const lineEnds = [...complete.entries()].flatMap(([at, byte]) => (byte === 0x0a ? [at + 1] : []));
  for (const at of [...lineEnds, ...lineEnds.map((end) => end - 20)]) {
    await writeFile(path, complete.subarray(0, at));
    // The claim of the first window is not released.
    await clock.advance(claimMs);
    const cut = await deliver();
    assert.ok(['delivered', 'ended'].includes(cut.type), `${at}: ${cut.type}`);
    for (const [file, text] of Object.entries(before)) assert.equal((await contents())[file], text);
  }
  await writeFile(path, complete);
  const { records: stored } = readRecordLines(complete);
  const later = stored.map((json) => recordLine({ ...jsonObject(JSON.parse(json)), schema: 99 }));
  await writeFile(path, later.join(''));
  const { store } = open();
  let found = 0;
  store.onDidFindLater(() => found++);
  assert.deepEqual(await store.pending(), []);
  assert.deepEqual(await store.pending(), []);
  assert.equal(found, 1);
});
