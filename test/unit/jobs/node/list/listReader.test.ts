import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import type { SchemaDeviation } from '../../../../../src/base/decode/readShape.ts';
import { Failure, isFailure } from '../../../../../src/base/failure.ts';
import type { ListEntry } from '../../../../../src/jobs/common/job.ts';
import type { ListPage } from '../../../../../src/jobs/common/decodePage.ts';
import { JobPager } from '../../../../../src/jobs/node/list/jobPager.ts';
import { readAll } from '../../../../../src/jobs/node/list/readAll.ts';
import { KnownServices, ServiceTraits } from '../../../../../src/jobs/node/list/serviceTraits.ts';
import { DeviationLog, type ListReader } from '../../../../../src/jobs/node/list/listReader.ts';
import { bareJob } from '../../../../support/builders/bareJob.ts';
import { fakeReader, type ListAnswer } from '../../../../support/lists/fakeLists.ts';

const query = { endpoint: 'live', params: { statuses: ['done'] } } as const;

/** A list of `count` jobs whose service rejects limits over `above`, and the requested limits. */
function refusing(count: number, above: number, failure: Failure) {
  const limits: number[] = [];
  const answer: ListAnswer = async (_endpoint, { offset = 0, limit = 20 }) => {
    limits.push(limit);
    if (limit > above) throw failure;
    const length = Math.max(0, Math.min(limit, count - offset));
    const entries = Array.from({ length }, (_, index) =>
      bareJob({ id: `j${offset + index}`, createdAtMs: 1e12 - (offset + index) * 1000 }),
    );
    return { entries, hasMore: offset + length < count, serviceDateMs: undefined, deviations: [] };
  };
  return { answer, limits };
}

/** A page with this many jobs. */
function pageOf(count: number) {
  return Array.from({ length: count }, (_, index) => bareJob({ id: `j${index}` }));
}

for (const [what, failure] of [
  ['rejects with 400', new Failure('rejected', { status: 400 })],
  ['rejects with 413', new Failure('rejected', { status: 413 })],
  ['rejects with 422', new Failure('rejected', { status: 422 })],
  ['answers with too large a response', new Failure('tooLarge')],
] as const) {
  for (const above of [50, 7, 1]) {
    test(`a limit above ${above} that a service ${what} is lowered, and everything is read`, async () => {
      const { answer, limits } = refusing(120, above, failure);
      const reader = fakeReader(answer);
      const ids: string[] = [];
      for await (const { entries } of readAll(reader, query, { limit: 100 })) {
        ids.push(...entries.flatMap((entry) => (entry.type === 'job' ? [entry.id] : [])));
      }
      assert.deepEqual([ids.length, new Set(ids).size], [120, 120]);
      // Other items may be smaller, so too large a response is risked again, but rarely.
      const vain = limits.filter((limit) => limit > above).length;
      const isForGood = failure.code === 'rejected';
      assert.ok(vain <= 12, `${vain} requests in vain`);
      if (isForGood)
        assert.ok(
          limits.slice(12).every((limit) => limit <= above),
          'a refused limit was asked for again',
        );
      limits.length = 0;
      await new JobPager(reader).first(query, 100);
      assert.ok(limits.filter((limit) => limit > above).length <= (isForGood ? 0 : 1), 'it was not remembered');
    });
  }
}

test('a limit is raised again when items are smaller, and retried less often while they are not', async () => {
  const limits: number[] = [];
  let max = 10;
  const reader = fakeReader(async (_endpoint, { limit = 20 }): Promise<ListPage> => {
    limits.push(limit);
    if (limit > max) throw new Failure('tooLarge');
    return { entries: pageOf(limit), hasMore: false, serviceDateMs: undefined, deviations: [] };
  });
  const ask = async (times: number) => {
    for (let time = 0; time < times; time++) await reader.readPage('live', { limit: 320 });
  };
  await ask(2000);
  const vain = limits.filter((limit) => limit > max).length;
  assert.ok(vain <= 14, `${vain} requests in vain`);
  max = 320;
  // Each trial that succeeds makes the next one come sooner.
  await ask(2500);
  assert.equal(limits.at(-1), 320);
});

test('a limit lowered by one large response is doubled after four responses that fit', async () => {
  const limits: number[] = [];
  const reader = fakeReader(async (_endpoint, { limit = 20 }): Promise<ListPage> => {
    limits.push(limit);
    if (limits.length === 1) throw new Failure('tooLarge');
    return { entries: pageOf(limit), hasMore: false, serviceDateMs: undefined, deviations: [] };
  });
  for (let time = 0; time < 6; time++) await reader.readPage('live', { limit: 40 });
  assert.deepEqual(limits, [40, 20, 20, 20, 20, 40, 40]);
});

test('responses of a short list do not cause repeated tries of larger pages for a list of large items', async () => {
  const limits: number[] = [];
  const reader = fakeReader(async (endpoint, { limit = 20 }): Promise<ListPage> => {
    if (endpoint === 'live') return { entries: pageOf(2), hasMore: false, serviceDateMs: undefined, deviations: [] };
    limits.push(limit);
    if (limit > 10) throw new Failure('tooLarge');
    return { entries: pageOf(limit), hasMore: true, serviceDateMs: undefined, deviations: [] };
  });
  for (let time = 0; time < 2000; time++) {
    for (let other = 0; other < 9; other++) await reader.readPage('live', { limit: 40 });
    await reader.readPage('pre-recorded', { limit: 40 });
  }
  const vain = limits.filter((limit) => limit > 10).length;
  assert.ok(vain <= 12, `${vain} requests in vain`);
});

test('an occasional response that is too large does not lower later limits for long', async () => {
  const limits: number[] = [];
  let isTooLarge = false;
  const reader = fakeReader(async (_endpoint, { limit = 20 }): Promise<ListPage> => {
    limits.push(limit);
    if (isTooLarge && limit > 5) throw new Failure('tooLarge');
    return { entries: pageOf(limit), hasMore: false, serviceDateMs: undefined, deviations: [] };
  });
  for (let time = 1; time <= 3000; time++) {
    isTooLarge = time % 30 === 0;
    await reader.readPage('live', { limit: 20 });
    if (time % 30 === 29) assert.equal(limits.at(-1), 20, `response ${time}`);
  }
});

for (const failure of [new Failure('rejected', { status: 422 }), new Failure('tooLarge')]) {
  test(`a service that accepts a limit of two gets two, not one, whatever the first limit (${failure.code})`, async () => {
    for (let limit = 3; limit <= 100; limit++) {
      const { answer, limits } = refusing(1000, 2, failure);
      await fakeReader(answer).readPage('live', { limit });
      assert.equal(limits.at(-1), 2, `asked for ${limit}`);
    }
  });
}

test('a rejected limit stays lowered, however many responses fit', async () => {
  const { answer, limits } = refusing(1000, 10, new Failure('rejected', { status: 400 }));
  const reader = fakeReader(answer);
  await reader.readPage('live', { limit: 40 });
  limits.length = 0;
  for (let time = 0; time < 200; time++) await reader.readPage('live', { limit: 40 });
  assert.ok(limits.every((limit) => limit === 10));
});

test('a request that is rejected for another reason is retried once with one item, and lowers no limit', async () => {
  const { answer, limits } = refusing(10, 0, new Failure('rejected', { status: 400 }));
  const reader = fakeReader(answer);
  await assert.rejects(reader.readPage('live', { limit: 20 }), (error) => isFailure(error, 'rejected'));
  assert.deepEqual(limits, [20, 1]);
  assert.equal(reader.traits.maxLimit, Infinity);
});

test('the rejection of another query does not lower a limit that was accepted before', async () => {
  const { answer, limits } = refusing(10, 20, new Failure('rejected', { status: 400 }));
  const reader = fakeReader(async (endpoint, params, signal) =>
    answer(endpoint, params.beforeDate === undefined ? params : { ...params, limit: 99 }, signal),
  );
  await reader.readPage('live', { limit: 20 });
  await assert.rejects(reader.readPage('live', { limit: 20, beforeDate: '2026-01-01T00:00:00.000Z' }));
  assert.deepEqual([limits.length, reader.traits.maxLimit], [2, Infinity]);
});

for (const [status, above] of [
  [400, 10],
  [413, 10],
  [422, 10],
  [400, 1],
] as const) {
  test(`a limit that was accepted before is lowered while the same query is rejected with ${status} above ${above}, and restored after`, async () => {
    const limits: number[] = [];
    let max = 100;
    const reader = fakeReader(async (_endpoint, { limit = 20 }): Promise<ListPage> => {
      limits.push(limit);
      if (limit > max) throw new Failure('rejected', { status });
      return { entries: pageOf(limit), hasMore: true, serviceDateMs: undefined, deviations: [] };
    });
    const ask = async (times: number) => {
      for (let time = 0; time < times; time++) await reader.readPage('live', { limit: 100, offset: time });
    };
    await ask(1);
    max = above;
    await ask(2000);
    assert.deepEqual(limits.slice(0, 7), [100, 100, 1, 50, 25, 13, 7]);
    const vain = limits.filter((limit) => limit > max).length;
    assert.ok(vain <= 16, `${vain} requests in vain`);
    max = 100;
    await ask(2500);
    assert.equal(limits.at(-1), 100);
  });
}

test('an occasional rejection of an accepted limit does not lower later limits for long', async () => {
  const limits: number[] = [];
  let time = 0;
  const reader = fakeReader(async (_endpoint, { limit = 20 }): Promise<ListPage> => {
    limits.push(limit);
    if (time % 30 === 0 && limit > 5) throw new Failure('rejected', { status: 400 });
    return { entries: pageOf(limit), hasMore: false, serviceDateMs: undefined, deviations: [] };
  });
  for (time = 1; time <= 3000; time++) {
    await reader.readPage('live', { limit: 20 });
    if (time % 30 === 29) assert.equal(limits.at(-1), 20, `response ${time}`);
  }
});

test('a rejected part of a list lowers no limit', async () => {
  const { answer, limits } = refusing(100, 20, new Failure('rejected', { status: 400 }));
  const reader = fakeReader(async (endpoint, params, signal) =>
    answer(endpoint, (params.offset ?? 0) > 5 ? { ...params, limit: 99 } : params, signal),
  );
  await reader.readPage('live', { offset: 0, limit: 20 });
  await assert.rejects(reader.readPage('live', { offset: 6, limit: 20 }));
  assert.deepEqual([limits.length, reader.traits.maxLimit], [3, Infinity]);
});

test('traits of a service are kept by its URL', () => {
  const services = new KnownServices();
  services.of('https://one.example').lower(10, 5, false);
  assert.equal(services.of('https://one.example').maxLimit, 5);
  assert.equal(services.of('https://two.example').maxLimit, Infinity);
});

test('fewer items than the limit mean the end only if the service has returned more before', () => {
  const traits = new ServiceTraits();
  assert.equal(traits.isShort(12, 100), true);
  traits.note(100, { entries: { length: 12 }, hasMore: true }, '');
  assert.deepEqual([traits.isShort(12, 100), traits.isShort(11, 100), traits.clamp], [false, true, 12]);
});

test('traits of a service are kept until a hundred other services were used', () => {
  const known = new KnownServices();
  known.of('https://first.example').lower(100, 50, false);
  for (let other = 0; other < 99; other++) known.of(`https://other-${other}.example`);
  assert.equal(known.of('https://first.example').maxLimit, 50);
  for (let other = 0; other < 100; other++) known.of(`https://another-${other}.example`);
  assert.equal(known.of('https://first.example').maxLimit, Infinity);
});

/** A list of jobs, some of which are larger than any response may be. */
function withTooLarge(jobs: number, tooLarge: readonly number[]): ListReader {
  const all = Array.from({ length: jobs }, (_, index) => bareJob({ id: `j${index}` }));
  return fakeReader(async (_endpoint, { offset = 0, limit = 20 }) => {
    if (tooLarge.some((index) => index >= offset && index < offset + limit)) throw new Failure('tooLarge');
    const entries = all.slice(offset, offset + limit);
    return { entries, hasMore: offset + limit < jobs, serviceDateMs: undefined, deviations: [] };
  });
}

for (const tooLarge of [[5], [0], [11], [3, 4], [0, 1, 2]]) {
  test(`reading continues after items that are too large for any response: ${tooLarge.join(', ')}`, async () => {
    const reader = withTooLarge(12, tooLarge);
    const entries: ListEntry[] = [];
    for await (const batch of readAll(reader, { endpoint: 'live', params: {} }, { limit: 5 }))
      entries.push(...batch.entries);
    assert.deepEqual(
      entries.map((entry, index) =>
        entry.type === 'job' ? entry.id : entry.isTooLarge === true && tooLarge.includes(index),
      ),
      Array.from({ length: 12 }, (_, index) => (tooLarge.includes(index) ? true : `j${index}`)),
    );
  });
}

test('reading ends with a failure if every single item is too large', async () => {
  const every = Array.from({ length: 100 }, (_, index) => index);
  const reader = withTooLarge(100, every);
  await assert.rejects(
    async () => {
      for await (const _ of readAll(reader, { endpoint: 'live', params: {} }, { limit: 5 }));
    },
    { code: 'tooLarge' },
  );
});

/** Returns the log lines for pages with these deviations. */
function logOf(pages: readonly (readonly SchemaDeviation[])[]): readonly string[] {
  const lines: string[] = [];
  const log = new DeviationLog({ info: (line) => void lines.push(line) });
  for (const page of pages) log.report('live', page);
  return lines;
}

describe('Deviations of a service', () => {
  it('have one line for each shape', () => {
    const missing = { path: 'items[].version', kind: 'missing' } as const;
    const unknown = { path: 'items[].*', kind: 'unknownField' } as const;
    assert.deepEqual(logOf([[missing, unknown], [missing], [unknown, missing]]), [
      'unexpected in the answers of live: missing items[].version',
      'unexpected in the answers of live: unknownField items[].*',
    ]);
  });

  it('have at most fifty lines, and one that there are more', () => {
    const many = Array.from({ length: 30 }, (_, page) =>
      Array.from({ length: 10 }, (_each, index) => ({ path: `f${page}.${index}`, kind: 'missing' }) as const),
    );
    const lines = logOf(many);
    assert.equal(lines.length, 51);
    assert.equal(lines.at(-1), 'more is unexpected in the answers than is told here');
  });
});
