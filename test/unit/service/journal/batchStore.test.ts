import assert from 'node:assert/strict';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { isPending } from '../../../../src/domain/submission/batch.ts';
import { rememberedMs, type SubmissionOutcome } from '../../../../src/domain/submission/submission.ts';
import { BatchStore } from '../../../../src/service/journal/batchStore.ts';
import { Journal } from '../../../../src/service/journal/journal.ts';
import { digest } from '../../../../src/service/ports.ts';
import { FakeClock } from '../../../support/fakeClock/fakeClock.ts';
import { KeptLog } from '../../../support/keptLog.ts';
import { aNewSubmission } from '../submit/aSubmission.ts';

const owner = { name: 'Work', baseUrl: 'https://api.example.com' };
const file = 'file:///w/a.transcription.json';
const accepted: SubmissionOutcome = { type: 'accepted', status: 201, id: 'x' };

/** A batch of one request, which a run has claimed without a word of what became of it. */
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

test('what is not in the journal was not sent', async (context) => {
  const { read } = await claimed(context);
  assert.deepEqual(await read(), { outcome: { type: 'notSent', code: 'cancelled' }, isPending: true });
});

test('what the journal knows counts', async (context) => {
  const { clock, note, read } = await claimed(context);
  await note({ type: 'rejected', code: 'keyRejected', status: 401, requestId: undefined });
  assert.equal((await read()).isPending, true);
  await clock.advance(1);
  await note(accepted);
  assert.deepEqual(await read(), { outcome: accepted, isPending: false });
});

test('what may still be on its way is left open', async (context) => {
  const { clock, note, read, batches, stored } = await claimed(context);
  assert.deepEqual(await batches.sending(stored, read), { outcome: { type: 'sending' }, isPending: false });
  await note({ type: 'sending' });
  assert.equal((await read()).outcome?.type, 'sending');
  await clock.advance(1001);
  assert.deepEqual([(await read()).outcome?.type, (await read()).isPending], ['unknown', false]);
  // Another window, whose process lives, has claimed it and is about to write it down.
  const other = await claimed(context);
  const lines = [
    { type: 'run', run: 'other', sender: process.ppid },
    { type: 'send', run: 'other', item: digest(file), label: 'a', file },
  ];
  const path = join(other.journal.folderOf(owner), 'batches', `${other.id}.ndjson`);
  await appendFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  await other.ledger.begin();
  assert.equal((await other.read()).isPending, false);
});

test('where entries may be missing, nothing is concluded', async (context) => {
  const { journal, note, read } = await claimed(context);
  const { key } = await note(accepted);
  const path = join(journal.folderOf(owner), 'entries', `${key}.json`);
  await writeFile(path, '{');
  assert.equal((await read()).isPending, false);
  // It is set aside now, and missed all the same.
  assert.equal((await read()).isPending, false);
  const old = await claimed(context);
  await old.clock.advance(rememberedMs);
  assert.equal((await old.read()).isPending, false);
});
