import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exactCount } from '../../../src/jobs/node/exactCount.ts';
import { readAll } from '../../../src/jobs/node/list/readAll.ts';
import { JobStore } from '../../../src/jobs/node/store/jobStore.ts';
import { countedSource } from '../../support/countedSource/countedSource.ts';
import { FakeClock } from '../../support/fakeClock/fakeClock.ts';
import { KeptLog } from '../../support/keptLog.ts';

const key = { kind: 'pre-recorded', status: 'done' } as const;
const question = { endpoint: 'pre-recorded', params: { statuses: ['done'] } } as const;
const inFlight = 4;

/** The number of requests for a list of `jobs` jobs in pages of 100 that overlap by one, except the first. */
const pages = (jobs: number): number => 1 + Math.ceil((jobs - 100) / 99);

for (const jobs of [10, 100, 1_000, 33_333, 100_000, 999_999, 1_000_000]) {
  test(`counting ${jobs} jobs takes at most 2·log2(n) + 4 requests, and one for the filter`, async () => {
    const { source, asked } = countedSource(jobs);
    const result = await exactCount(source, question, { clock: new FakeClock() });
    assert.equal(result.type === 'exact' && result.count, jobs);
    assert.ok(asked.length <= 2 * Math.log2(jobs) + 4 + 1, `${asked.length} requests`);
  });
}

test('a group that is opened, and each Load More, is one request, at a hundred rows as at five thousand', async () => {
  const { source, asked } = countedSource(5_300);
  const store = storeOf(source);
  await store.load(key);
  assert.equal(asked.length, 1);
  for (const rows of [100, 5_000]) {
    await store.loadAll(key, rows, new AbortController().signal, () => undefined);
    assert.ok(store.list(key).jobs.entries.length >= rows);
    asked.length = 0;
    await store.loadMore(key);
    assert.equal(asked.length, 1, `${rows} rows`);
  }
  store.dispose();
});

for (const jobs of [200, 2_000, 5_000]) {
  test(`reading ${jobs} jobs to the end asks for each page once, and for few behind the end`, async () => {
    const { source, asked } = countedSource(jobs);
    let read = 0;
    for await (const { entries } of readAll(source, question, { limit: 100, concurrency: inFlight })) {
      read += entries.length;
    }
    assert.equal(read, jobs);
    const offsets = asked.map(({ offset = 0 }) => offset);
    assert.equal(new Set(offsets).size, offsets.length);
    assert.ok(asked.length <= pages(jobs) + inFlight - 1, `${asked.length} requests for ${pages(jobs)} pages`);
  });
}

function storeOf(source: ReturnType<typeof countedSource>['source']): JobStore {
  const options = { limit: 100, groupBy: 'status', listSource: 'byKind' } as const;
  const store = new JobStore(() => options, new FakeClock(), new KeptLog());
  store.use(source);
  return store;
}
