import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, open, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { Failure, type FailureCode } from '../../../../../src/base/failure.ts';
import {
  decodeLedger,
  isPending,
  namedItems,
  pendingCount,
  type BatchPlan,
  stopsBatch,
  withJournal,
} from '../../../../../src/features/submit/common/batch.ts';
import type { SubmissionOutcome, SubmitOutcome } from '../../../../../src/jobs/common/submission.ts';
import type { RequestSink } from '../../../../../src/jobs/node/api/jobsApi.ts';
import { BatchStore } from '../../../../../src/features/submit/node/journal/batchStore.ts';
import { BatchLedger, maxBatches } from '../../../../../src/features/submit/node/journal/batchLedger.ts';
import { batchIds } from '../../../../../src/jobs/node/journal/batchFiles.ts';
import { Journal } from '../../../../../src/jobs/node/journal/journal.ts';
import { recordLine } from '../../../../../src/jobs/node/journal/recordLine.ts';
import { runBatch, type BatchRunEnd } from '../../../../../src/features/submit/node/runBatch.ts';
import { JournalUnwritable, Submitter } from '../../../../../src/features/submit/node/submitter.ts';
import { startFaultServer } from '../../../../support/faults/faultServer.ts';
import { answer } from '../../../../support/faults/plays.ts';
import { KeptLog } from '../../../../support/keptLog.ts';
import { until } from '../../../../support/until.ts';
import { batchRequests, type BatchKind } from '../node/batchRequests.ts';
import { workConnection as connection } from '../../../../support/builders/workConnection.ts';

const runnerFile = 'test/unit/features/submit/node/batchRunner.ts';
const accepted: SubmitOutcome = { type: 'accepted', status: 201, id: 'x' };

function plan(total: number, startedAtMs = Date.now()): BatchPlan {
  return {
    connection: 'Work',
    origin: connection.baseUrl,
    startedAtMs,
    total,
    source: { type: 'files', files: [] },
    skipped: [],
  };
}

async function folderFor(context: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tj-batch-'));
  context.after(() => rm(folder, { recursive: true }));
  return folder;
}

/**
 * Sends the rest of a batch as a window does.
 * @param answers the outcome of the nth request
 */
async function run(
  folder: string,
  id: string,
  total: number,
  answers: (nth: number) => SubmitOutcome,
  stopAfter = Infinity,
): Promise<{ readonly end: BatchRunEnd; readonly bodies: readonly string[] }> {
  const bodies: string[] = [];
  const sink: RequestSink = { submit: async (body) => answers(bodies.push(body)) };
  const log = new KeptLog();
  const journal = new Journal(join(folder, 'journal'), Date, log);
  const submitter = new Submitter(journal, Date, log);
  const ledger = BatchLedger.at(folder, id);
  await ledger.begin();
  const batches = new BatchStore(journal, Date, log);
  const batch = (await batches.read({ id, owner: connection, ledger })) ?? assert.fail('no batch');
  const stop = new AbortController();
  const end = await runBatch({
    ledger,
    requests: batchRequests(total).filter(({ item }) => isPending(batch, item)),
    submit: (request) => submitter.submit({ connection, sink }, { ...request, batch: id }, '', stop.signal),
    signal: stop.signal,
    onSettled: (_result, count) => {
      if (count >= stopAfter) stop.abort();
    },
  });
  return { end, bodies };
}

function rejected(code: FailureCode, status: number): SubmitOutcome {
  return { type: 'rejected', failure: new Failure(code, { status }) };
}

test('a batch sends each request once, in order', async (context) => {
  const folder = await folderFor(context);
  const { id, ledger } = await BatchLedger.create(folder, plan(3));
  const { end, bodies } = await run(folder, id, 3, () => accepted);
  assert.deepEqual([end, bodies], [{ type: 'done' }, ['0', '1', '2']]);
  const batch = await ledger.read();
  assert.deepEqual([batch?.end, batch && pendingCount(batch)], [{ type: 'done' }, 0]);
  assert.deepEqual(await run(folder, id, 3, () => accepted), { end: { type: 'done' }, bodies: [] });
});

test('a rejected key stops a batch; continuing sends that request and the rest, and no other', async (context) => {
  const folder = await folderFor(context);
  const { id } = await BatchLedger.create(folder, plan(5));
  const first = await run(folder, id, 5, (nth) => (nth === 3 ? rejected('keyRejected', 401) : accepted));
  assert.deepEqual([first.end.type, first.bodies], ['stopped', ['0', '1', '2']]);
  const second = await run(folder, id, 5, () => accepted);
  assert.deepEqual([second.end.type, second.bodies], ['done', ['2', '3', '4']]);
});

test('a request that the service rejected or left without a response is not sent again', async (context) => {
  const folder = await folderFor(context);
  const { id, ledger } = await BatchLedger.create(folder, plan(4));
  const outcomes = [
    rejected('rejected', 400),
    { type: 'unknown', failure: new Failure('timeout') },
    rejected('serverFailed', 502),
    accepted,
  ] as const;
  await run(folder, id, 4, (nth) => outcomes[nth - 1] ?? accepted, 3);
  assert.deepEqual((await run(folder, id, 4, () => accepted)).bodies, ['3']);
  const batch = (await ledger.read()) ?? assert.fail();
  assert.deepEqual(
    [...batch.items.values()].map(({ outcome }) => outcome.type),
    ['rejected', 'unknown', 'unknown', 'accepted'],
  );
});

test('cancelling ends a batch after the request in flight', async (context) => {
  const folder = await folderFor(context);
  const { id } = await BatchLedger.create(folder, plan(5));
  const { end, bodies } = await run(folder, id, 5, () => accepted, 2);
  assert.deepEqual([end, bodies], [{ type: 'cancelled' }, ['0', '1']]);
});

test('a truncated line hides none of the following lines', async (context) => {
  const folder = await folderFor(context);
  const { id, ledger } = await BatchLedger.create(folder, plan(3));
  await run(folder, id, 3, () => accepted, 1);
  await appendFile(join(folder, `${id}.ndjson`), '\n{"type":"send","run":"x","it');
  assert.deepEqual((await run(folder, id, 3, () => accepted)).bodies, ['1', '2']);
  assert.equal((await ledger.read())?.items.size, 3);
});

test('a ledger of a later version is not changed', async (context) => {
  const folder = await folderFor(context);
  const path = join(folder, '1-later.ndjson');
  await appendFile(path, recordLine({ type: 'plan', schema: 3, ...plan(1) }));
  const before = await readFile(path, 'utf8');
  await assert.rejects(BatchLedger.at(folder, '1-later').read(), /later version/);
  await assert.rejects(BatchLedger.at(folder, '1-later').correct('a', { type: 'sending' }), /later version/);
  assert.equal(await readFile(path, 'utf8'), before);
});

test('a batch that began at no possible time is not read', async (context) => {
  const folder = await folderFor(context);
  await appendFile(join(folder, '1-never.ndjson'), recordLine({ type: 'plan', schema: 2, ...plan(1, 1e300) }));
  assert.equal(await BatchLedger.at(folder, '1-never').read(), undefined);
});

test('the newest batches are kept', async (context) => {
  const folder = await folderFor(context);
  const startedAtMs = Array.from({ length: maxBatches + 3 }, (_, index) => index);
  for (const each of startedAtMs) await BatchLedger.create(folder, plan(1, each));
  assert.equal((await readdir(folder)).length, maxBatches);
  const kept = (await batchIds(folder)).map((id) => Number.parseInt(id, 10));
  assert.deepEqual(kept, startedAtMs.slice(3).reverse());
});

for (const kind of ['files', 'resubmit'] as const) {
  test(`a process that dies in the middle loses nothing, and its successor sends nothing twice: ${kind}`, async (context) => {
    const { folder, seen, start } = await contest(context, 30, kind);
    const first = start();
    // Polled every millisecond, so that the process does not finish between two checks.
    await until('the seventh request', () => seen().length >= 7, 1);
    first.kill('SIGKILL');
    await once(first, 'exit');
    const second = start();
    assert.deepEqual(await once(second, 'exit'), [0, null]);
    assertOnceEach(seen(), 30, 1);
    const [id = ''] = await batchIds(folder);
    const batch = (await BatchLedger.at(folder, id).read()) ?? assert.fail();
    const open = [...batch.items.values()].filter(({ outcome }) => outcome.type !== 'accepted');
    assert.ok(open.length <= 1 && open.every(({ outcome }) => outcome.type === 'unknown'));
    assert.equal(batch.items.size, 30);
  });
}

test('two windows that continue the same batch at once send nothing twice', async (context) => {
  const { seen, start } = await contest(context, 40);
  const windows = [start(), start()];
  const codes = await Promise.all(windows.map(async (window) => (await once(window, 'exit'))[0] as number));
  assert.ok(codes.includes(0), `somebody finished: ${codes.join()}`);
  // A window that lost the batch just before sending a request left that request to others.
  assert.deepEqual(await once(start(), 'exit'), [0, null]);
  assertOnceEach(seen(), 40, 0);
});

test('a request that was given up for another window is still pending', async (context) => {
  for (let turns = 0; turns < 100; turns += 2) {
    const folder = await folderFor(context);
    const { id } = await BatchLedger.create(folder, plan(1));
    const first = run(folder, id, 1, () => accepted);
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
    await BatchLedger.at(folder, id).begin();
    const { bodies } = await first;
    const batch = (await BatchLedger.at(folder, id).read()) ?? assert.fail();
    assert.equal(pendingCount(batch), 1 - bodies.length);
  }
});

test('a request is still pending if the window that took over has read that another was about to send it', async (context) => {
  const folder = await folderFor(context);
  const { id, ledger } = await BatchLedger.create(folder, plan(1));
  await ledger.begin();
  const claim = ledger.claim.bind(ledger);
  ledger.claim = async (item) => {
    await claim(item);
    const taken = await BatchLedger.at(folder, id).begin();
    assert.equal(taken && pendingCount(taken), 0);
    return false;
  };
  const end = await runBatch({
    ledger,
    requests: batchRequests(1),
    signal: new AbortController().signal,
    onSettled: () => undefined,
    submit: () => assert.fail('nothing may be sent'),
  });
  assert.equal(end.type, 'takenOver');
  const batch = (await ledger.read()) ?? assert.fail();
  assert.equal(pendingCount(batch), 1);
});

test('a window that reads half of a takeover line reads the whole line next time', async (context) => {
  const folder = await folderFor(context);
  const { id, ledger } = await BatchLedger.create(folder, plan(2));
  await ledger.begin();
  const path = join(folder, `${id}.ndjson`);
  const line = recordLine({ type: 'run', run: 'another', sender: process.pid, n: 0 });
  const file = await open(path);
  const handles = Object.getPrototypeOf(file) as { sync(): Promise<void> };
  await file.close();
  // `claim` reads after it has written and synced its own line.
  const synced = context.mock.method(handles, 'sync', () => appendFile(path, line.slice(0, 30)));
  const [first, second] = batchRequests(2).map(({ item, label, request }) => ({ item, label, file: request.file }));
  assert(first && second);
  assert.equal(await ledger.claim(first), true);
  synced.mock.mockImplementation(async () => undefined);
  await appendFile(path, line.slice(30));
  assert.equal(await ledger.claim(second), false);
});

/** A batch, a real server that records requests, and windows (processes) that continue the batch. */
async function contest(context: TestContext, total: number, kind: BatchKind = 'files') {
  const folder = await folderFor(context);
  const bodies: string[] = [];
  const server = await startFaultServer((stage) => {
    bodies.push(stage.body);
    answer(201, '{"id":"x"}')(stage);
  });
  context.after(() => server.stop());
  const jobs = batchRequests(total, kind).flatMap(({ request: { replaces: job, file, body } }) =>
    job === undefined ? [] : [{ job, file, bodyHash: body }],
  );
  const source = { type: 'resubmit', jobs } as const;
  const { id } = await BatchLedger.create(folder, kind === 'files' ? plan(total) : { ...plan(total), source });
  const start = (): ChildProcess => fork(runnerFile, [folder, id, server.origin, String(total), kind]);
  return { folder, start, seen: () => bodies };
}

/** @param lost the number of requests that may be missing because their window died. */
function assertOnceEach(bodies: readonly string[], total: number, lost: number): void {
  assert.equal(new Set(bodies).size, bodies.length, `sent twice: ${bodies.join()}`);
  assert.ok(bodies.length >= total - lost, `${bodies.length} of ${total} were sent`);
}

test('a request that could not be recorded was not sent: continuing sends it', async (context) => {
  const folder = await folderFor(context);
  const { id, ledger } = await BatchLedger.create(folder, plan(3));
  await ledger.begin();
  const given = {
    ledger,
    requests: batchRequests(3),
    signal: new AbortController().signal,
    onSettled: () => undefined,
  };
  const submit = () => Promise.reject(new JournalUnwritable('ENOSPC'));
  await assert.rejects(runBatch({ ...given, submit }), JournalUnwritable);
  const batch = (await ledger.read()) ?? assert.fail();
  assert.deepEqual([batch.end, pendingCount(batch)], [{ type: 'stopped' }, 3]);
  assert.deepEqual((await run(folder, id, 3, () => accepted)).bodies, ['0', '1', '2']);
});

test('a complete ledger with an incomplete journal continues with the requests that were never begun', async (context) => {
  const folder = await folderFor(context);
  const { id, ledger } = await BatchLedger.create(folder, plan(3));
  await run(folder, id, 3, () => accepted, 1);
  const batch = (await ledger.read()) ?? assert.fail();
  const journal = { submissions: [], isComplete: false, itemOf: () => undefined, isOver: () => true };
  assert.equal(pendingCount(withJournal(batch, journal)), 2);
  assert.equal(pendingCount(withJournal({ ...batch, damaged: 1 }, journal)), 0);
});

test('other errors do not show if a request was sent', async (context) => {
  const folder = await folderFor(context);
  const { ledger } = await BatchLedger.create(folder, plan(2));
  await ledger.begin();
  const given = {
    ledger,
    requests: batchRequests(2),
    signal: new AbortController().signal,
    onSettled: () => undefined,
  };
  await assert.rejects(runBatch({ ...given, submit: () => Promise.reject(new TypeError()) }), TypeError);
  const batch = (await ledger.read()) ?? assert.fail();
  assert.deepEqual([batch.end, pendingCount(batch)], [{ type: 'stopped' }, 1]);
});

test('a batch stops when further requests would fail', () => {
  const failed = (type: 'notSent' | 'unknown'): SubmissionOutcome =>
    type === 'notSent' ? { type, code: 'offline' } : { type, code: 'timeout', lookedAtMs: undefined };
  const refused = (code: FailureCode): SubmissionOutcome => ({
    type: 'rejected',
    code,
    status: 400,
    requestId: undefined,
  });
  const good: SubmissionOutcome = { type: 'accepted', status: 201, id: undefined };
  assert.deepEqual(
    [
      [],
      [good],
      [refused('rejected')],
      [refused('keyRejected')],
      [refused('rateLimited')],
      [failed('notSent')],
      [failed('unknown'), failed('unknown')],
      [failed('unknown'), failed('unknown'), failed('unknown')],
      [failed('unknown'), good, failed('unknown'), failed('unknown')],
    ].map(stopsBatch),
    [false, false, false, true, true, true, false, true, false],
  );
});

test('a batch of repeats stores the jobs that it repeats; a hostile record of one counts as damage', async (context) => {
  const folder = await folderFor(context);
  const job = { job: 'job-0', file: undefined, bodyHash: 'h', label: 'a.example/1.wav' };
  const jobs = [job, { ...job, job: 'job-1', label: undefined }];
  const list = { list: 'file:///w/calls.csv', titleKey: 'title', metadataKeys: ['customer'] };
  const source = { type: 'resubmit', jobs, ...list } as const;
  const { id, ledger } = await BatchLedger.create(folder, { ...plan(1), source });
  assert.deepEqual((await ledger.read())?.plan.source, source);
  const hostile = { type: 'plan', schema: 2, ...plan(1), source: { type: 'resubmit', jobs: [{ job: 5 }] } };
  assert.deepEqual(decodeLedger([JSON.stringify(hostile)]), { lines: [], damaged: 1 });
  assert.deepEqual(
    namedItems(source, (text) => `#${text}`),
    [
      { item: '#job-0', file: undefined, label: 'a.example/1.wav' },
      { item: '#job-1', file: undefined, label: undefined },
    ],
  );
  assert.ok(id);
});
