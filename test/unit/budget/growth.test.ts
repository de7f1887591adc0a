import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { JobStore } from '../../../src/jobs/node/store/jobStore.ts';
import { countedSource } from '../../support/countedSource/countedSource.ts';
import { FakeClock } from '../../support/fakeClock/fakeClock.ts';
import { KeptLog } from '../../support/keptLog.ts';
import type { ListReader } from '../../../src/jobs/node/list/listReader.ts';
import { fakeReader } from '../../support/lists/fakeLists.ts';

const key = { kind: 'pre-recorded', status: 'done' } as const;
const pageSize = 20;

/** Counts accesses to maps: the cost of identifying jobs and finding their position. */
async function mapCalls(work: () => Promise<unknown>): Promise<number> {
  const methods = (['get', 'set', 'has'] as const).map((name) => mock.method(Map.prototype, name));
  try {
    await work();
    return methods.reduce((sum, method) => sum + method.mock.callCount(), 0);
  } finally {
    mock.restoreAll();
  }
}

/** A source with prepared entries, so that creating them does not count. */
async function madeBefore(jobs: number): Promise<ListReader> {
  const { source } = countedSource(jobs);
  const whole = await source.readPage('pre-recorded', { offset: 0, limit: jobs });
  return fakeReader(async (_endpoint, { offset = 0, limit = 20 }) => ({
    ...whole,
    entries: whole.entries.slice(offset, offset + limit),
    hasMore: offset + limit < jobs,
  }));
}

test('Load More looks at as many jobs at five thousand rows as at a hundred', async () => {
  const source = await madeBefore(5_300);
  const options = { limit: pageSize, groupBy: 'status', listSource: 'byKind' } as const;
  const store = new JobStore(() => options, new FakeClock(), new KeptLog());
  store.use(source);
  await store.load(key);
  const calls: number[] = [];
  for (const rows of [100, 5_000]) {
    await store.loadAll(key, rows, new AbortController().signal, () => undefined);
    const before = store.list(key).jobs.entries.length;
    calls.push(await mapCalls(() => store.loadMore(key)));
    assert.equal(store.list(key).jobs.entries.length, before + pageSize - 1);
  }
  store.dispose();
  const [few = 0, many = 0] = calls;
  assert.ok(few > pageSize, `${few} calls: nothing was counted`);
  assert.ok(many <= few + pageSize, `${few} calls at a hundred rows, ${many} at five thousand`);
});
