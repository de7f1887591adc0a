import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Failure, isFailure } from '../../../src/domain/failure.ts';
import type { ListParams, ListQuery } from '../../../src/domain/jobs/listParams.ts';
import { exactCount } from '../../../src/service/exactCount.ts';
import type { ListPage, PageSource } from '../../../src/service/ports.ts';
import { startSampleService } from '../../../src/sample/sampleService.ts';
import { bareJob } from '../../support/builders/bareJob.ts';
import { FakeClock } from '../../support/fakeClock/fakeClock.ts';
import { faultRun } from '../../support/faults/faultRun.ts';
import { MovingList } from '../../support/movingList/movingList.ts';
import { propertyRuns } from '../../support/propertyRuns.ts';

const question: ListQuery = { endpoint: 'live', params: { statuses: ['done'] } };
const clock = new FakeClock();

interface Oddities {
  /** Items in an answer to `limit=1`. */
  readonly least?: number;
  readonly status?: string;
  readonly kind?: string;
  /** The place in the list for an offset. */
  readonly place?: (offset: number) => number;
  /** `next` also after the last item. */
  readonly endless?: boolean;
}

/** A list of `count` jobs that stands still, and what it was asked. */
function standing(count: number, { least = 1, status = 'done', kind = 'live', place, endless }: Oddities = {}) {
  const asked: ListParams[] = [];
  const source: PageSource = {
    listJobs: async (_endpoint, params): Promise<ListPage> => {
      asked.push(params);
      const start = place?.(params.offset ?? 0) ?? params.offset ?? 0;
      const length = Math.max(0, Math.min(least, count - start));
      const entries = Array.from({ length }, (_, index) => bareJob({ id: `j${start + index}`, status, kind }));
      return {
        entries,
        hasMore: endless === true || start + length < count,
        serviceDateMs: Date.UTC(2026, 10, 20),
        deviations: [],
      };
    },
  };
  return { source, asked };
}

function bound(count: number): number {
  return 2 * Math.log2(Math.max(1, count)) + 4;
}

test('finds the number of any list within 2·log2(n) + 4 requests', async () => {
  const lengths = fc.oneof(
    fc.nat(70),
    fc.nat(5_000_000),
    fc.tuple(fc.nat(22), fc.integer({ min: -1, max: 1 })).map(([power, more]) => Math.max(0, 2 ** power + more)),
  );
  await fc.assert(
    fc.asyncProperty(lengths, fc.boolean(), fc.integer({ min: 1, max: 7 }), async (count, endless, least) => {
      const { source, asked } = standing(count, { endless, least });
      const result = await exactCount(source, question, { clock });
      assert.deepEqual(result, { type: 'exact', count, atMs: clock.now() });
      assert.ok(asked.length <= bound(count), `${asked.length} requests for ${count}`);
    }),
    { numRuns: propertyRuns },
  );
});

test('an answer that says it is the last one ends the counting', async () => {
  for (const [count, requests] of [
    [1, 1],
    [2, 2],
    [4, 3],
  ] as const) {
    const { source, asked } = standing(count);
    await exactCount(source, question, { clock });
    assert.equal(asked.length, requests);
  }
});

test('asks for single items, bounded by the moment of the first answer', async () => {
  const { source, asked } = standing(5);
  await exactCount(source, question, { clock });
  assert.deepEqual(asked[0], { statuses: ['done'], offset: 0, limit: 1 });
  for (const params of asked.slice(1)) {
    assert.deepEqual([params.limit, params.beforeDate], [1, '2026-11-20T00:00:01.000Z']);
  }
});

test("keeps the user's own end", async () => {
  const { source, asked } = standing(5);
  const beforeDate = '2026-11-01T00:00:00.000Z';
  await exactCount(source, { endpoint: 'live', params: { beforeDate } }, { clock });
  assert.ok(asked.every((params) => params.beforeDate === beforeDate));
});

test('arrivals while counting do not count', async () => {
  const list = new MovingList({
    jobs: 300,
    status: () => 'done',
    events: Array.from({ length: 30 }, () => [{ type: 'arrive', status: 'done' }] as const),
  });
  const result = await exactCount(list, question, { clock });
  // The service tells its time in whole seconds, so that the arrivals of a second or two may be in.
  assert.ok(result.type === 'exact' && result.count > 300 && result.count <= 304, JSON.stringify(result));
  assert.ok(list.matchedAllAlong('done').length === 300 && list.asked.length > 15);
});

test('says what is certain when the budget is used up', async () => {
  const { source, asked } = standing(1_000_000);
  assert.deepEqual(await exactCount(source, question, { clock, budget: 5 }), { type: 'atLeast', count: 16 });
  assert.equal(asked.length, 5);
});

test('says what is certain when the service refuses to look further', async () => {
  const { source } = standing(1_000_000);
  const shallow: PageSource = {
    listJobs: async (endpoint, params, signal) => {
      if ((params.offset ?? 0) > 10_000) throw new Failure('rejected', { status: 400 });
      return source.listJobs(endpoint, params, signal);
    },
  };
  assert.deepEqual(await exactCount(shallow, question, { clock }), { type: 'atLeast', count: 8192 });
});

test('does not count what was not asked for', async () => {
  for (const oddity of [{ status: 'error' }, { kind: 'pre-recorded' }, { place: () => 0 }]) {
    const { source, asked } = standing(1000, oddity);
    assert.deepEqual(await exactCount(source, question, { clock }), { type: 'unreliable' }, JSON.stringify(oddity));
    assert.ok(asked.length <= 3);
  }
});

test('passes failures on, and a cancel', async () => {
  const failing: PageSource = {
    listJobs: async () => {
      throw new Failure('keyRejected');
    },
  };
  await assert.rejects(exactCount(failing, question, { clock }), (error) => isFailure(error, 'keyRejected'));
});

for (const count of [0, 1, 2, 1024, 1_000_000]) {
  test(`counts a sample service of ${count} jobs`, async () => {
    const requests: string[] = [];
    const service = await startSampleService({
      count,
      clock: () => Date.UTC(2026, 10, 20),
      onRequest: ({ path }) => void requests.push(path),
    });
    const { api, client } = faultRun(service.baseUrl, undefined, service.key);
    try {
      let sum = 0;
      for (const endpoint of ['pre-recorded', 'live'] as const) {
        for (const status of ['queued', 'processing', 'done', 'error'] as const) {
          requests.length = 0;
          const result = await exactCount(api, { endpoint, params: { statuses: [status] } }, { clock });
          assert.equal(result.type, 'exact');
          assert.ok(requests.length <= bound(result.count), `${requests.length} requests for ${result.count}`);
          sum += result.count;
        }
      }
      assert.equal(sum, count);
    } finally {
      client.dispose();
      await service.stop();
    }
  });
}

test('stops when the signal fires', async () => {
  const service = await startSampleService({ count: 1000 });
  const { api, client } = faultRun(service.baseUrl, undefined, service.key);
  try {
    const counting = exactCount(api, { endpoint: 'live', params: {} }, { clock, signal: AbortSignal.abort() });
    await assert.rejects(counting, (error) => isFailure(error, 'cancelled'));
  } finally {
    client.dispose();
    await service.stop();
  }
});
