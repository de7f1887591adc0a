import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import fc from 'fast-check';
import { isPending } from '../../../../../../src/features/submit/common/batch.ts';
import { rememberedMs, type JobFate, type SubmissionOutcome } from '../../../../../../src/jobs/common/submission.ts';
import { BatchStore } from '../../../../../../src/features/submit/node/journal/batchStore.ts';
import { Journal } from '../../../../../../src/jobs/node/journal/journal.ts';
import { digest } from '../../../../../../src/base/digest.ts';
import { FakeClock } from '../../../../../support/fakeClock/fakeClock.ts';
import { KeptLog } from '../../../../../support/keptLog.ts';
import { recordLine } from '../../../../../../src/jobs/node/journal/recordLine.ts';
import { propertyRuns } from '../../../../../support/propertyRuns.ts';
import { aNewSubmission } from '../aSubmission.ts';

const owner = { name: 'Work', baseUrl: 'https://api.example.com' };
const file = 'file:///w/a.transcription.json';
const accepted: SubmissionOutcome = { type: 'accepted', status: 201, id: 'x' };

/** Creates a batch of one request, which a run has claimed without recording an outcome. */
async function claimed(context: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'tj-read-'));
  context.after(() => rm(folder, { recursive: true }));
  const clock = new FakeClock();
  const journal = new Journal(join(folder, 'journal'), clock, new KeptLog());
  const batches = new BatchStore(journal, clock, new KeptLog());
  const stored = await batches.create(owner, {
    connection: owner.name,
    origin: owner.baseUrl,
    total: 1,
    source: { type: 'files', files: [file] },
    skipped: [],
  });
  const { id, ledger } = stored;
  await ledger.begin();
  await ledger.claim({ item: digest(file), label: 'a', file });
  const note = async (outcome: SubmissionOutcome) => {
    const sentAtMs = clock.now();
    const expectedByMs = sentAtMs + 1000;
    const entry = await journal.add(owner, aNewSubmission({ file, batch: id, sentAtMs, expectedByMs }));
    return journal.settle(owner, entry, outcome);
  };
  const read = async () => {
    const batch = (await batches.read(stored)) ?? assert.fail();
    return { outcome: batch.items.get(digest(file))?.outcome, isPending: isPending(batch, digest(file)) };
  };
  return { clock, journal, batches, stored, id, ledger, note, read };
}

test('a request that is not in the journal was not sent', async (context) => {
  const { read } = await claimed(context);
  assert.deepEqual(await read(), { outcome: { type: 'notSent', code: 'cancelled' }, isPending: true });
});

test('the outcome in the journal counts', async (context) => {
  const { clock, note, read } = await claimed(context);
  await note({ type: 'rejected', code: 'keyRejected', status: 401, requestId: undefined });
  assert.equal((await read()).isPending, true);
  await clock.advance(1);
  await note(accepted);
  assert.deepEqual(await read(), { outcome: accepted, isPending: false });
});

test('a request that may be in flight is left open', async (context) => {
  const { clock, note, read, batches, stored } = await claimed(context);
  assert.deepEqual(await batches.sending(stored, read), { outcome: { type: 'sending' }, isPending: false });
  await note({ type: 'sending' });
  assert.equal((await read()).outcome?.type, 'sending');
  await clock.advance(1001);
  assert.deepEqual([(await read()).outcome?.type, (await read()).isPending], ['unknown', false]);
  // Another window, whose process is alive, has claimed it and is about to record it.
  const other = await claimed(context);
  const lines = [
    { type: 'run', run: 'other', sender: process.ppid },
    { type: 'send', run: 'other', item: digest(file), label: 'a', file },
  ];
  const path = join(other.journal.folderOf(owner), 'batches', `${other.id}.ndjson`);
  await appendFile(path, lines.map(recordLine).join(''));
  await other.ledger.begin();
  assert.equal((await other.read()).isPending, false);
});

test('nothing is concluded if entries may be missing', async (context) => {
  const { journal, note, read } = await claimed(context);
  await note(accepted);
  const records = join(journal.folderOf(owner), 'journal');
  const [name = assert.fail()] = await readdir(records);
  await writeFile(join(records, name), '{');
  assert.equal((await read()).isPending, false);
  const old = await claimed(context);
  await old.clock.advance(rememberedMs);
  assert.equal((await old.read()).isPending, false);
});

/** Creates a finished batch: every request was sent, the second one again after a rejected key, and one has an unknown outcome. */
async function finished(context: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'tj-through-'));
  context.after(() => rm(folder, { recursive: true }));
  const clock = new FakeClock();
  const log = new KeptLog();
  const journal = new Journal(folder, clock, log);
  const batches = new BatchStore(journal, clock, log);
  const files = ['a', 'b', 'c', 'd'].map((name) => `file:///w/${name}.transcription.json`);
  const stored = await batches.create(owner, {
    connection: owner.name,
    origin: owner.baseUrl,
    total: files.length,
    source: { type: 'files', files },
    skipped: [],
  });
  const send = async (each: string, outcome: SubmissionOutcome) => {
    await stored.ledger.claim({ item: digest(each), label: each, file: each });
    const sentAtMs = clock.now();
    const fields = { file: each, batch: stored.id, sentAtMs, expectedByMs: sentAtMs + 1000 };
    await journal.settle(owner, await journal.add(owner, aNewSubmission(fields)), outcome);
    await stored.ledger.settle(digest(each), outcome);
    await clock.advance(1);
  };
  const [first = '', second = '', third = '', fourth = ''] = files;
  await stored.ledger.begin();
  await send(first, accepted);
  await send(second, { type: 'rejected', code: 'keyRejected', status: 401, requestId: undefined });
  await stored.ledger.end({ type: 'stopped' });
  const next = await batches.find(owner, stored.id);
  await next.ledger.begin();
  Object.assign(stored, next);
  await send(second, accepted);
  await send(third, { type: 'unknown', code: 'timeout', lookedAtMs: undefined });
  await send(fourth, accepted);
  await next.ledger.end({ type: 'done' });
  const records = join(journal.folderOf(owner), 'journal');
  const [segment = assert.fail()] = await readdir(records);
  const paths = [join(journal.folderOf(owner), 'batches', `${stored.id}.ndjson`), join(records, segment)] as const;
  /** Returns the requests that would be sent again without a report to the user that records are lost. */
  const sentAgain = async (): Promise<readonly string[]> => {
    const [listed] = await batches.list(owner);
    const batch = await batches.read(next);
    assert.equal(listed?.batch === undefined, batch === undefined);
    return batch === undefined ? [] : files.filter((each) => isPending(batch, digest(each)));
  };
  return { clock, paths, sentAgain };
}

test('no damage to the ledger or the journal of a finished batch sends anything again', async (context) => {
  const { clock, paths, sentAgain } = await finished(context);
  assert.deepEqual(await sentAgain(), []);
  const whole = await Promise.all(paths.map((path) => readFile(path)));
  const damage = fc.record({
    which: fc.nat(1),
    at: fc.nat(),
    how: fc.oneof(
      fc.record({ type: fc.constant('flip' as const), bits: fc.integer({ min: 1, max: 255 }) }),
      fc.constantFrom({ type: 'byte' as const }, { type: 'line' as const }, { type: 'tail' as const }),
    ),
  });
  const check = async () => {
    await fc.assert(
      fc.asyncProperty(damage, async ({ which, at, how }) => {
        const path = paths[which] ?? '';
        const bytes = whole[which] ?? assert.fail();
        await writeFile(path, damagedBytes(bytes, at % bytes.length, how));
        try {
          assert.deepEqual(await sentAgain(), []);
        } finally {
          await writeFile(path, bytes);
        }
      }),
      // Fewer: each run is slow.
      { numRuns: Math.min(propertyRuns, 2000) },
    );
  };
  await check();
  // After two days the journal may have dropped it.
  await clock.advance(2 * rememberedMs);
  await check();
});

type Damage =
  | { readonly type: 'flip'; readonly bits: number }
  | { readonly type: 'byte' }
  | { readonly type: 'line' }
  | { readonly type: 'tail' };

function damagedBytes(bytes: Buffer, at: number, how: Damage): Buffer {
  switch (how.type) {
    case 'flip':
      return Buffer.from(bytes.map((byte, index) => (index === at ? byte ^ how.bits : byte)));
    case 'byte':
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
    case 'line': {
      const from = bytes.lastIndexOf('\n', at) + 1;
      const to = bytes.indexOf('\n', at);
      return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to < 0 ? bytes.length : to)]);
    }
    case 'tail':
      return bytes.subarray(0, at);
  }
}

test('a submission that was settled later corrects its batch, and listeners are notified', async (context) => {
  const { batches, stored, note } = await claimed(context);
  const sent = await note({ type: 'sending' });
  const changed: string[] = [];
  batches.onDidChange(({ id }) => void changed.push(id));
  await batches.correct(owner, { ...sent, batch: undefined, outcome: accepted });
  assert.deepEqual(changed, [], 'it belongs to no batch');
  await batches.correct(owner, { ...sent, outcome: accepted });
  assert.deepEqual(changed, [stored.id]);
  const read = await batches.read(await batches.find(owner, stored.id));
  assert.deepEqual(
    [...(read?.items.values() ?? [])].map(({ outcome }) => outcome),
    [accepted],
  );
});

test('final states of jobs are recorded in their batches until they change, and listeners are notified', async (context) => {
  const { batches, stored, ledger } = await claimed(context);
  await ledger.settle(digest(file), accepted);
  await ledger.end({ type: 'done' });
  const changed: string[] = [];
  batches.onDidChange(({ id }) => void changed.push(id));
  const note = (...fates: readonly (readonly [string, JobFate | undefined])[]) =>
    batches.noteFates(owner, new Map(fates));
  assert.equal((await note(['another', { status: 'done' }])).size, 0);
  await note();
  assert.deepEqual(changed, []);
  await note(['x', { status: 'error', errorCode: 503 }], ['another', { status: 'done' }]);
  const again = await note(['x', { status: 'error', errorCode: 503 }]);
  assert.deepEqual(
    [...again].map(([job, { id }]) => [job, id]),
    [['x', stored.id]],
    'the batch of the job',
  );
  assert.deepEqual(changed, [stored.id]);
  const recorded = async () => {
    const read = (await batches.read(stored)) ?? assert.fail();
    return { read, outcomes: [...read.items.values()].map(({ outcome }) => outcome) };
  };
  const failed = { status: 'error', errorCode: 503, failedAddOns: undefined };
  assert.deepEqual((await recorded()).outcomes, [{ ...accepted, fate: failed }]);
  await note(['x', undefined]);
  assert.deepEqual((await recorded()).outcomes, [accepted], 'it was queued again');
  await note(['x', { status: 'done' }]);
  assert.equal(changed.length, 3);
  await note(['x', undefined]);
  const { read, outcomes } = await recorded();
  assert.deepEqual(outcomes, [
    { ...accepted, fate: { status: 'done', errorCode: undefined, failedAddOns: undefined } },
  ]);
  assert.equal(changed.length, 3, 'an older response does not undo the end');
  assert.deepEqual([read?.damaged, read?.end?.type], [0, 'done']);
});

test('a batch that another window deletes while all are read is left out', async (context) => {
  const { batches, stored, journal } = await claimed(context);
  const find = batches.find.bind(batches);
  batches.find = async (of, id) => {
    await rm(join(journal.folderOf(owner), 'batches', `${id}.ndjson`));
    return find(of, id);
  };
  assert.deepEqual(await batches.ids(owner), [stored.id]);
  assert.deepEqual(await batches.list(owner), []);
});
