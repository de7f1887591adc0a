import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Failure, isFailure } from '../../../src/domain/failure.ts';
import type { ListParams, ListQuery } from '../../../src/domain/jobs/listParams.ts';
import { exactCount, type CountResult } from '../../../src/service/exactCount.ts';
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
      const length = Math.max(0, Math.min(least, params.limit ?? 20, count - start));
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
  return 2 * Math.log2(Math.max(1, count)) + 6;
}

function lesser(count: number): CountResult {
  return count === 0 ? { type: 'unreliable' } : { type: 'atLeast', count };
}

test('finds the number of any list within 2·log2(n) + 6 requests', async () => {
  const lengths = fc.oneof(
    fc.nat(70),
    fc.nat(5_000_000),
    fc.tuple(fc.nat(22), fc.integer({ min: -1, max: 1 })).map(([power, more]) => Math.max(0, 2 ** power + more)),
  );
  await fc.assert(
    fc.asyncProperty(lengths, fc.boolean(), fc.constantFrom(1, 2, 7, 20, 100), async (count, endless, least) => {
      const { source, asked } = standing(count, { endless, least });
      const result = await exactCount(source, question, { clock });
      // Where every answer says that there is more, none has shown the end.
      assert.deepEqual(result, !endless ? { type: 'exact', count, atMs: clock.now() } : lesser(count));
      assert.ok(asked.length <= bound(count), `${asked.length} requests for ${count}`);
    }),
    { numRuns: propertyRuns },
  );
});

test('a list that one page shows whole takes one request', async () => {
  for (const count of [0, 1, 2, 99]) {
    const { source, asked } = standing(count, { least: 100 });
    assert.deepEqual(await exactCount(source, question, { clock }), { type: 'exact', count, atMs: clock.now() });
    assert.deepEqual(asked, [{ statuses: ['done'], offset: 0, limit: 100 }]);
  }
});

test('a list whose pages are cut before they are filtered is not counted by places', async () => {
  const all = Array.from({ length: 3000 }, (_, index) =>
    bareJob({ id: `j${index}`, status: index % 3 === 0 ? 'error' : 'done' }),
  );
  const cut: PageSource = {
    listJobs: async (_endpoint, { offset = 0, limit = 20 }) => ({
      entries: all.slice(offset, offset + limit).filter(({ status }) => status === 'done'),
      hasMore: offset + limit < all.length,
      serviceDateMs: undefined,
      deviations: [],
    }),
  };
  const result = await exactCount(cut, question, { clock });
  assert.ok(
    result.type === 'unreliable' || (result.type === 'atLeast' && result.count <= 2000),
    JSON.stringify(result),
  );
});

test('what is empty from some place on although more was promised is not the end', async () => {
  const { source } = standing(1_000_000, { least: 100 });
  const cut: PageSource = {
    listJobs: async (endpoint, params, signal) => {
      const page = await source.listJobs(endpoint, params, signal);
      return (params.offset ?? 0) < 10_000 ? page : { ...page, entries: [], hasMore: false };
    },
  };
  const result = await exactCount(cut, question, { clock });
  assert.equal(result.type, 'atLeast');
  assert.ok(result.type === 'atLeast' && result.count >= 10_000 && result.count < 10_010);
});

test('an end that is said too early is not believed', async () => {
  const { source } = standing(1000, { least: 100 });
  const early: PageSource = {
    listJobs: async (endpoint, params, signal) => ({
      ...(await source.listJobs(endpoint, params, signal)),
      hasMore: false,
    }),
  };
  const result = await exactCount(early, question, { clock });
  assert.ok(result.type === 'atLeast' && result.count <= 1000, JSON.stringify(result));
});

test('counts a list to which jobs come meanwhile as it is when its end is seen', async () => {
  const list = new MovingList({
    jobs: 300,
    status: () => 'done',
    events: Array.from({ length: 30 }, () => [{ type: 'arrive', status: 'done' }] as const),
  });
  const result = await exactCount(list, question, { clock });
  assert.ok(result.type === 'exact' && result.count > 300 && result.count <= 330, JSON.stringify(result));
});

test('says what is certain when the budget is used up', async () => {
  const { source, asked } = standing(1_000_000, { least: 100 });
  assert.deepEqual(await exactCount(source, question, { clock, budget: 5 }), { type: 'atLeast', count: 8604 });
  assert.equal(asked.length, 5);
});

for (const [code, status] of [
  ['rejected', 400],
  ['keyRejected', 403],
  ['notFound', 404],
  ['serverFailed', 500],
  ['serverFailed', 503],
] as const) {
  test(`says what is certain when the service answers ${status} beyond an offset`, async () => {
    const { source } = standing(1_000_000, { least: 100 });
    const shallow: PageSource = {
      listJobs: async (endpoint, params, signal) => {
        if ((params.offset ?? 0) > 10_000) throw new Failure(code, { status });
        return source.listJobs(endpoint, params, signal);
      },
    };
    const result = await exactCount(shallow, question, { clock });
    assert.ok(result.type === 'atLeast' && result.count > 5000 && result.count <= 10_002, JSON.stringify(result));
  });
}

test('does not count what was not asked for', async () => {
  for (const oddity of [{ status: 'error' }, { kind: 'pre-recorded' }, { place: () => 0 }]) {
    const { source, asked } = standing(1000, oddity);
    assert.deepEqual(await exactCount(source, question, { clock }), { type: 'unreliable' }, JSON.stringify(oddity));
    assert.ok(asked.length <= 8, `${asked.length} requests`);
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
