import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { isFailure } from '../../../../../src/base/failure.ts';
import type { ListQuery } from '../../../../../src/jobs/common/listParams.ts';
import { exportBatches, writeExport } from '../../../../../src/jobs/node/export/exporter.ts';
import { readAll } from '../../../../../src/jobs/node/list/readAll.ts';
import { JobStore } from '../../../../../src/jobs/node/store/jobStore.ts';
import { preRecordedItem } from '../../../../support/builders/jobItem.ts';
import { faultRun } from '../../../../support/faults/faultRun.ts';
import { startFaultServer } from '../../../../support/faults/faultServer.ts';
import { KeptLog } from '../../../../support/keptLog.ts';
import { KeyMask } from '../../../../../src/platform/http/keyMask.ts';

/** Max offset: a tenth of what services are known to allow, so that tests are fast. */
const smallMaxOffset = 1000;
const newestMs = Date.UTC(2026, 10, 20, 12);

interface Row {
  readonly id: string;
  readonly createdAtMs: number;
  readonly completedAtMs: number;
  readonly text: string;
}

/** A finished job that took between one and two minutes. */
function rowAt(index: number, createdAtMs: number): Row {
  const id = `job-${String(index).padStart(6, '0')}`;
  const completedAtMs = createdAtMs + 60_000 + ((index * 7919) % 60_000);
  const [created_at, completed_at] = [new Date(createdAtMs).toISOString(), new Date(completedAtMs).toISOString()];
  return { id, createdAtMs, completedAtMs, text: JSON.stringify(preRecordedItem({ id, created_at, completed_at })) };
}

interface Service {
  readonly count: number;
  readonly createdAtMs?: (index: number) => number;
  readonly isBefore?: (row: Row, beforeMs: number) => boolean;
  readonly status?: number;
  readonly maxOffset?: number;
}

/** A service over HTTP that lists the newest first and rejects offsets over a max. */
async function serve(
  context: TestContext,
  {
    count,
    createdAtMs = (index) => newestMs - index * 5000,
    isBefore = (row, beforeMs) => row.createdAtMs < beforeMs,
    status = 400,
    maxOffset = smallMaxOffset,
  }: Service,
) {
  const rows = Array.from({ length: count }, (_, index) => rowAt(index, createdAtMs(index)));
  const matchingRows = new Map<string, readonly Row[]>();
  const server = await startFaultServer(({ request, response }) => {
    const query = new URL(request.url ?? '', 'http://127.0.0.1').searchParams;
    const [offset, limit] = [Number(query.get('offset') ?? 0), Number(query.get('limit') ?? 20)];
    if (offset > maxOffset) return response.writeHead(status).end('{"message":"offset is too large"}');
    const before = query.get('before_date') ?? '';
    const matching =
      matchingRows.get(before) ?? (before === '' ? rows : rows.filter((row) => isBefore(row, Date.parse(before))));
    matchingRows.set(before, matching);
    const items = matching.slice(offset, offset + limit).map(({ text }) => text);
    const next = offset + limit < matching.length ? '"more"' : 'null';
    return response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(`{"first":"","current":"","next":${next},"items":[${items.join()}]}`);
  });
  const run = faultRun(server.origin);
  context.after(async () => {
    run.client.dispose();
    await server.stop();
  });
  return { ...run, seen: server.seen, ids: rows.map(({ id }) => id) };
}

const done: ListQuery = { endpoint: 'pre-recorded', params: { statuses: ['done'] } };

/** Returns the IDs that were read, and the reason for the end. */
async function read({ lists }: Pick<Awaited<ReturnType<typeof serve>>, 'lists'>) {
  const ids: string[] = [];
  let endedBy: string | undefined;
  try {
    for await (const batch of readAll(lists, done, { limit: 100 })) {
      ids.push(...batch.entries.flatMap((entry) => (entry.type === 'job' ? [entry.id] : [])));
      ({ endedBy } = batch);
    }
  } catch (error) {
    assert.ok(isFailure(error), String(error));
    endedBy = error.code;
  }
  assert.equal(new Set(ids).size, ids.length, 'a job came twice');
  return { ids, endedBy };
}

for (const [status, maxOffset, count, maxRequests] of [
  [400, 10_000, 25_000, 320],
  [422, smallMaxOffset, 2500, 60],
  [500, smallMaxOffset, 2500, 60],
] as const) {
  test(`all jobs are read once from a service that responds with ${status} to offsets over ${maxOffset}`, async (context) => {
    const service = await serve(context, { count, status, maxOffset });
    const { ids, endedBy } = await read(service);
    assert.deepEqual([ids.length, endedBy], [count, undefined]);
    assert.deepEqual(ids, service.ids);
    assert.ok(service.seen.length < maxRequests, `${service.seen.length} requests`);
  });
}

test('an export has all jobs if offsets are rejected', async (context) => {
  const service = await serve(context, { count: 2500 });
  const pieces: string[] = [];
  const target = {
    write: async (text: string) => void pieces.push(text),
    commit: () => Promise.resolve(),
    abandon: () => Promise.resolve(undefined),
  };
  const batches = exportBatches(service.lists, [done], 100, new AbortController().signal);
  const outcome = await writeExport(batches, 'ndjson', target, { keyMask: new KeyMask('a key') });
  assert.equal(outcome.type, 'complete');
  const ids = [...pieces.join('').matchAll(/"id":"([^"]*)"/g)].map(([, id]) => id);
  assert.deepEqual(ids, service.ids);
});

test('Load All shows all jobs if offsets are rejected, and a refresh keeps them', async (context) => {
  const service = await serve(context, { count: 2500 });
  const options = { limit: 100, groupBy: 'status', listSource: 'byKind' } as const;
  const store = new JobStore(() => options, service.clock, new KeptLog());
  const key = { kind: 'pre-recorded', status: 'done' } as const;
  store.use(service.lists);
  const shown = () => store.list(key).jobs.entries.map((entry) => (entry.type === 'job' ? entry.id : entry.raw));
  await store.loadAll(key, 100_000, new AbortController().signal, () => undefined);
  assert.deepEqual(shown(), service.ids);
  const { hasMore, isComplete, failure } = store.list(key);
  assert.deepEqual([hasMore, isComplete, failure], [false, true, undefined]);
  await store.poll();
  assert.deepEqual(shown(), service.ids);
});

test('hundreds of jobs of the same millisecond at the max offset are all read once', async (context) => {
  const tied = (index: number): number => newestMs - (index < 900 ? index : Math.max(900, index - 299)) * 5000;
  const { ids, endedBy } = await read(await serve(context, { count: 3000, createdAtMs: tied }));
  assert.deepEqual([ids.length, endedBy], [3000, undefined]);
});

for (const [what, service] of [
  ['refers to completion', { isBefore: (row: Row, beforeMs: number) => row.completedAtMs < beforeMs }],
  [
    'refers to the day of completion',
    {
      isBefore: (row: Row, beforeMs: number) =>
        Math.floor(row.completedAtMs / 86_400_000) <= Math.floor(beforeMs / 86_400_000),
    },
  ],
  ['is ignored', { isBefore: () => true }],
  ['matches nothing', { isBefore: () => false }],
  [
    'does not divide thousands of jobs of one second',
    { createdAtMs: (index: number) => newestMs - (index > 100 ? 0 : 1) },
  ],
] as const) {
  test(`a list with rejected offsets is not marked as complete if before_date ${what}`, async (context) => {
    const { ids, endedBy } = await read(await serve(context, { count: 2000, ...service }));
    assert.ok(ids.length >= smallMaxOffset && ids.length < 2000, `${ids.length} jobs`);
    assert.notEqual(endedBy, undefined);
  });
}
