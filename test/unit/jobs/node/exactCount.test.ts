import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Failure, isFailure } from '../../../../src/base/failure.ts';
import { dayMs } from '../../../../src/base/time.ts';
import type { ListParams, ListQuery } from '../../../../src/jobs/common/listParams.ts';
import { exactCount, type CountResult } from '../../../../src/jobs/node/exactCount.ts';
import { ServiceTraits } from '../../../../src/jobs/node/list/serviceTraits.ts';
import { startSampleService } from '../../../../src/sample/sampleService.ts';
import { bareJob } from '../../../support/builders/bareJob.ts';
import { FakeClock } from '../../../support/fakeClock/fakeClock.ts';
import { faultRun } from '../../../support/faults/faultRun.ts';
import { MovingList } from '../../../support/movingList/movingList.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';
import type { ListReader } from '../../../../src/jobs/node/list/listReader.ts';
import { fakeReader, type ListAnswer } from '../../../support/lists/fakeLists.ts';

const question: ListQuery = { endpoint: 'live', params: { statuses: ['done'] } };
const clock = new FakeClock();

interface Oddities {
  /** Max page size of the service. */
  readonly minLength?: number;
  readonly status?: string;
  readonly kind?: string;
  /** The position in the list for an offset. */
  readonly place?: (offset: number) => number;
  /** True if `next` is set even after the last item. */
  readonly endless?: boolean;
}

/** A constant list of `count` jobs, and the requests for it. */
function standing(count: number, { minLength = 1, status = 'done', kind = 'live', place, endless }: Oddities = {}) {
  const asked: ListParams[] = [];
  const traits = new ServiceTraits();
  traits.obeyedFilters.add('live status');
  const answer: ListAnswer = async (_endpoint, params) => {
    asked.push(params);
    const start = place?.(params.offset ?? 0) ?? params.offset ?? 0;
    const isAsked = params.statuses?.includes('done') !== false;
    const length = isAsked ? Math.max(0, Math.min(minLength, params.limit ?? 20, count - start)) : 0;
    const entries = Array.from({ length }, (_, index) => bareJob({ id: `j${start + index}`, status, kind }));
    return {
      entries,
      hasMore: isAsked && (endless === true || start + length < count),
      serviceDateMs: Date.UTC(2026, 10, 20),
      deviations: [],
    };
  };
  return { source: fakeReader(answer, traits), answer, asked };
}

/** Max requests, including one for the middle and one to check that the service obeys `offset`. */
function bound(count: number): number {
  return 2 * Math.log2(Math.max(1, count)) + 4 + 2;
}

function isLesser(result: CountResult, count: number): boolean {
  if (count === 0) return result.type === 'unreliable';
  return result.type === 'atLeast' && result.count > 0 && result.count <= count;
}

test('counts any list within 2·log2(n) + 6 requests', async () => {
  const lengths = fc.oneof(
    fc.nat(70),
    fc.nat(5_000_000),
    fc.tuple(fc.nat(22), fc.integer({ min: -1, max: 1 })).map(([power, more]) => Math.max(0, 2 ** power + more)),
  );
  await fc.assert(
    fc.asyncProperty(lengths, fc.boolean(), fc.constantFrom(1, 2, 7, 20, 100), async (count, endless, minLength) => {
      const { source, asked } = standing(count, { endless, minLength });
      const result = await exactCount(source, question, { clock });
      // If every page announces more, none has shown the end.
      if (endless) assert.ok(isLesser(result, count), JSON.stringify(result));
      else assert.deepEqual(result, { type: 'exact', count, atMs: clock.now() });
      // If no page ever shows the end, empty pages take one more request to verify.
      const maxAsked = bound(count) + (endless ? 1 : 0);
      assert.ok(asked.length <= maxAsked, `${asked.length} requests for ${count}`);
    }),
    { numRuns: propertyRuns },
  );
});

test('a list of one page takes one request, and the first time another one to confirm its end', async () => {
  for (const count of [0, 1, 2, 99]) {
    const { source, asked } = standing(count, { minLength: 100 });
    const first = { statuses: ['done'], offset: 0, limit: 100 };
    const seam = { statuses: ['done'], offset: count - 1, limit: 2 };
    for (const requests of [count < 2 ? [first] : [first, seam], [first]]) {
      asked.length = 0;
      assert.deepEqual(await exactCount(source, question, { clock }), { type: 'exact', count, atMs: clock.now() });
      assert.deepEqual(asked, requests);
    }
  }
});

/** Returns the page for an offset and a limit, newest first, with `next` as the service reports it. */
type Slice = (offset: number, limit: number) => { readonly rows: readonly number[]; readonly hasMore: boolean };

function range(start: number, end: number): number[] {
  return Array.from({ length: Math.max(0, end - start) }, (_, index) => start + index);
}

/** A service of `count` jobs whose pages start where `place` maps the requested offset. */
function placed(count: number, place: (offset: number, limit: number) => number): Slice {
  return (offset, limit) => {
    const start = place(offset, limit);
    return { rows: range(start, Math.min(count, start + limit)), hasMore: start + limit < count };
  };
}

const newestMs = Date.UTC(2026, 10, 20, 12);

/** Jobs created a minute apart. A query with `beforeDate` finds all older jobs, whatever the list shows. */
function slicing(slice: Slice, all: number): ListReader {
  const createdAtMs = (row: number): number => newestMs - row * 60_000;
  return fakeReader(async (_endpoint, { offset = 0, limit = 20, beforeDate, statuses = ['done'] }) => {
    const isOther = !statuses.includes('done');
    const older =
      beforeDate === undefined ? -1 : range(0, all).findIndex((row) => createdAtMs(row) < Date.parse(beforeDate));
    const whole = { rows: older < 0 ? [] : range(older, Math.min(all, older + limit)), hasMore: false };
    const { rows, hasMore } = beforeDate === undefined ? slice(offset, limit) : whole;
    const entries = rows.map((row) =>
      bareJob({ id: `j${row}`, status: 'done', kind: 'live', createdAtMs: createdAtMs(row) }),
    );
    return {
      entries: isOther ? [] : entries,
      hasMore: !isOther && hasMore,
      serviceDateMs: undefined,
      deviations: [],
    };
  });
}

/** A list of 600 items, of which `count` at `from` count for offsets but are not shown. */
function hidden(from: number, count: number): Slice {
  return (offset, limit) => {
    const rows = range(offset, offset + limit).filter(
      (place) => place < 600 && (place < from || place >= from + count),
    );
    return { rows, hasMore: offset + limit < 600 };
  };
}

const misleading: readonly (readonly [string, number, Slice])[] = [
  ['reads offsets as page numbers', 403, placed(403, (offset, limit) => offset * limit)],
  ['counts offsets from one', 150, placed(150, (offset) => Math.max(0, offset - 1))],
  ['counts offsets from one in a long list', 537, placed(537, (offset) => Math.max(0, offset - 1))],
  ['rounds offsets down to a multiple of the limit', 403, placed(403, (offset, limit) => offset - (offset % limit))],
  ['rounds offsets down to a multiple of 20', 450, placed(450, (offset) => offset - (offset % 20))],
  ['skips an item after the first page', 403, placed(403, (offset) => (offset > 0 ? offset + 1 : 0))],
  [
    'returns its last items for each offset beyond them',
    403,
    placed(403, (offset, limit) => Math.min(offset, 403 - limit)),
  ],
  [
    'lists each job twice',
    300,
    (offset, limit) => ({
      rows: range(offset, Math.min(600, offset + limit)).map((row) => Math.floor(row / 2)),
      hasMore: offset + limit < 600,
    }),
  ],
  [
    'lists at most a thousand of its jobs',
    1500,
    (offset, limit) => ({ rows: range(offset, Math.min(1000, offset + limit)), hasMore: offset + limit < 1000 }),
  ],
  ['omits items in the middle that count for offsets', 570, hidden(310, 30)],
  [
    'marks its short first page as the end',
    403,
    (offset, limit) => ({ rows: range(offset, Math.min(403, offset + Math.min(40, limit))), hasMore: false }),
  ],
];

for (const [what, all, slice] of misleading) {
  test(`a count is never wrong if a service ${what}`, async () => {
    const result = await exactCount(slicing(slice, all), question, { clock });
    const isLess = result.type === 'unreliable' || (result.type === 'atLeast' && result.count <= all);
    assert.ok(isLess || (result.type === 'exact' && result.count === all), JSON.stringify(result));
  });
}

test('a count of jobs since a time is a lower bound if the service omits the whole day', async () => {
  const all = range(0, 3000);
  const createdAtMs = (row: number): number => newestMs - row * 60_000;
  const afterDate = new Date(createdAtMs(2500)).toISOString();
  const source = fakeReader(
    async (_endpoint, { offset = 0, limit = 20, beforeDate, afterDate: after, statuses = ['done'] }) => {
      const from = after === undefined ? 0 : (Math.floor(Date.parse(after) / dayMs) + 1) * dayMs;
      const matching = all.filter(
        (row) =>
          statuses.includes('done') &&
          createdAtMs(row) >= from &&
          createdAtMs(row) < (beforeDate === undefined ? Infinity : Date.parse(beforeDate)),
      );
      const entries = matching
        .slice(offset, offset + limit)
        .map((row) => bareJob({ id: `j${row}`, status: 'done', kind: 'live', createdAtMs: createdAtMs(row) }));
      return { entries, hasMore: offset + limit < matching.length, serviceDateMs: undefined, deviations: [] };
    },
  );
  const result = await exactCount(source, { endpoint: 'live', params: { statuses: ['done'], afterDate } }, { clock });
  assert.equal(result.type, 'atLeast');
});

test('jobs without a creation time are not counted for a time range', async () => {
  const { source } = standing(3000, { minLength: 100 });
  const params = { ...question.params, afterDate: new Date(newestMs).toISOString() };
  assert.deepEqual(await exactCount(source, { ...question, params }, { clock }), { type: 'unreliable' });
});

test('a count is exact if the service has no job older than the last', async () => {
  const slice = placed(1500, (offset) => offset);
  assert.deepEqual(await exactCount(slicing(slice, 1500), question, { clock }), {
    type: 'exact',
    count: 1500,
    atMs: clock.now(),
  });
});

test('a list whose pages are cut before filtering is not counted by positions', async () => {
  const all = Array.from({ length: 3000 }, (_, index) =>
    bareJob({ id: `j${index}`, status: index % 3 === 0 ? 'error' : 'done' }),
  );
  const cut = fakeReader(async (_endpoint, { offset = 0, limit = 20 }) => ({
    entries: all.slice(offset, offset + limit).filter(({ status }) => status === 'done'),
    hasMore: offset + limit < all.length,
    serviceDateMs: undefined,
    deviations: [],
  }));
  const result = await exactCount(cut, question, { clock });
  assert.ok(
    result.type === 'unreliable' || (result.type === 'atLeast' && result.count <= 2000),
    JSON.stringify(result),
  );
});

test('empty pages from some offset on are not the end if more items were announced', async () => {
  const { source } = standing(1_000_000, { minLength: 100 });
  const cut = fakeReader(async (endpoint, params, signal) => {
    const page = await source.readPage(endpoint, params, signal);
    return (params.offset ?? 0) < 10_000 ? page : { ...page, entries: [], hasMore: false };
  });
  const result = await exactCount(cut, question, { clock });
  assert.equal(result.type, 'atLeast');
  assert.ok(result.type === 'atLeast' && result.count > 9_900 && result.count < 10_010, JSON.stringify(result));
});

test('an end that is announced too early is not trusted', async () => {
  const { source } = standing(1000, { minLength: 100 });
  const early = fakeReader(async (endpoint, params, signal) => ({
    ...(await source.readPage(endpoint, params, signal)),
    hasMore: false,
  }));
  const result = await exactCount(early, question, { clock });
  assert.ok(result.type === 'atLeast' && result.count <= 1000, JSON.stringify(result));
});

test('counts a growing list as it is when its end is seen', async () => {
  const list = new MovingList({
    jobs: 300,
    status: () => 'done',
    events: Array.from({ length: 30 }, () => [{ type: 'arrive', status: 'done' }] as const),
  });
  const result = await exactCount(list, question, { clock });
  assert.ok(result.type === 'exact' && result.count > 300 && result.count <= 330, JSON.stringify(result));
});

test('returns a lower bound when the budget is used up', async () => {
  const { source, asked } = standing(1_000_000, { minLength: 100 });
  assert.deepEqual(await exactCount(source, question, { clock, budget: 5 }), { type: 'atLeast', count: 2203 });
  assert.equal(asked.length, 6);
});

for (const [code, status] of [
  ['rejected', 400],
  ['keyRejected', 403],
  ['notFound', 404],
  ['serverFailed', 500],
  ['serverFailed', 503],
] as const) {
  test(`returns a lower bound if the service responds with ${status} beyond an offset`, async () => {
    const { source } = standing(1_000_000, { minLength: 100 });
    const shallow = fakeReader(async (endpoint, params, signal) => {
      if ((params.offset ?? 0) > 10_000) throw new Failure(code, { status });
      return source.readPage(endpoint, params, signal);
    });
    const result = await exactCount(shallow, question, { clock });
    assert.ok(result.type === 'atLeast' && result.count > 5000 && result.count <= 10_002, JSON.stringify(result));
  });
}

test('checks once if the service obeys the filter, because all examined jobs may match by chance', async () => {
  const { answer, asked } = standing(5000, { minLength: 2 });
  const counted = fakeReader(answer);
  assert.equal((await exactCount(counted, question, { clock })).type, 'exact');
  assert.deepEqual(
    asked.filter(({ statuses }) => statuses?.includes('queued')),
    [{ statuses: ['queued'], offset: 0, limit: 2 }],
  );
  const before = asked.length;
  assert.equal((await exactCount(counted, question, { clock })).type, 'exact');
  assert.equal(asked.length - before, before - 1);
  const deaf = fakeReader((endpoint, params, signal) => answer(endpoint, { ...params, statuses: ['done'] }, signal));
  assert.deepEqual(await exactCount(deaf, question, { clock }), { type: 'unreliable' });
});

test('counts only one page if nothing shows that the service obeys the filter', async () => {
  const { source } = standing(5000, { minLength: 100 });
  const refused = (): never => {
    throw new Failure('rejected', { status: 400 });
  };
  const page = { hasMore: true, serviceDateMs: undefined, deviations: [] };
  for (const answer of [
    refused,
    () => ({ ...page, entries: [{ type: 'unreadable', raw: 'null' } as const] }),
    () => ({ ...page, entries: [] }),
  ]) {
    const silent = fakeReader(async (endpoint, params) =>
      params.statuses?.includes('done') === false ? answer() : source.readPage(endpoint, params),
    );
    assert.deepEqual(await exactCount(silent, question, { clock }), { type: 'atLeast', count: 100 });
  }
});

test('checks if the service obeys a metadata filter with values that no job has', async () => {
  const asked: ListParams[] = [];
  const customMetadata = { team: 'north' };
  const source = (isDeaf: boolean): ListReader =>
    fakeReader(async (_endpoint, params) => {
      asked.push(params);
      const { offset = 0, limit = 0 } = params;
      const matching = isDeaf || params.customMetadata?.['team'] === 'north' ? 3000 : 0;
      const count = Math.max(0, Math.min(limit, matching - offset));
      const entries = Array.from({ length: count }, (_, index) => {
        const id = `j${offset + index}`;
        return bareJob({ id, raw: JSON.stringify({ id, custom_metadata: customMetadata }) });
      });
      return { entries, hasMore: offset + count < matching, serviceDateMs: undefined, deviations: [] };
    });
  const query: ListQuery = { endpoint: 'live', params: { customMetadata } };
  assert.equal((await exactCount(source(false), query, { clock })).type, 'exact');
  const other = asked.find((params) => params.customMetadata?.['team'] !== 'north');
  assert.match(JSON.stringify(other?.customMetadata), /^\{"team":"[0-9a-f-]{36}"\}$/u);
  assert.deepEqual(await exactCount(source(true), query, { clock }), { type: 'unreliable' });
});

test('does not count a list that contradicts the query', async () => {
  for (const oddity of [{ status: 'error' }, { kind: 'pre-recorded' }, { place: () => 0 }]) {
    const { source, asked } = standing(1000, oddity);
    assert.deepEqual(await exactCount(source, question, { clock }), { type: 'unreliable' }, JSON.stringify(oddity));
    assert.ok(asked.length <= 8, `${asked.length} requests`);
  }
});

test('a service with the same unreadable items at every offset is not counted', async () => {
  const asked: ListParams[] = [];
  const source = fakeReader(async (_endpoint, params) => {
    asked.push(params);
    const entries = Array.from({ length: params.limit ?? 20 }, () => ({ type: 'unreadable', raw: 'null' }) as const);
    return { entries, hasMore: true, serviceDateMs: undefined, deviations: [] };
  });
  assert.deepEqual(await exactCount(source, { endpoint: 'live', params: {} }, { clock }), { type: 'unreliable' });
  assert(asked.length <= 5, `${asked.length} requests`);
});

test('passes failures on', async () => {
  const failing = fakeReader(async () => {
    throw new Failure('keyRejected');
  });
  await assert.rejects(exactCount(failing, question, { clock }), (error) => isFailure(error, 'keyRejected'));
});

for (const count of [0, 1, 2, 1024, 20_000]) {
  test(`counts a sample service of ${count} jobs`, async () => {
    const requests: string[] = [];
    const service = await startSampleService({
      count,
      clock: () => Date.UTC(2026, 10, 20),
      onRequest: ({ path }) => void requests.push(path),
    });
    const { lists, client } = faultRun(service.baseUrl, undefined, service.key);
    try {
      let sum = 0;
      for (const endpoint of ['pre-recorded', 'live'] as const) {
        for (const status of ['queued', 'processing', 'done', 'error'] as const) {
          requests.length = 0;
          const result = await exactCount(lists, { endpoint, params: { statuses: [status] } }, { clock });
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

test('stops when it is cancelled', async () => {
  const service = await startSampleService({ count: 1000 });
  const { lists, client } = faultRun(service.baseUrl, undefined, service.key);
  try {
    const counting = exactCount(lists, { endpoint: 'live', params: {} }, { clock, signal: AbortSignal.abort() });
    await assert.rejects(counting, (error) => isFailure(error, 'cancelled'));
  } finally {
    client.dispose();
    await service.stop();
  }
});
