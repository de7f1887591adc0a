import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../../../../src/base/failure.ts';
import { unseenOrder } from '../../../../../src/jobs/common/listOrder.ts';
import type { ListQuery } from '../../../../../src/jobs/common/listParams.ts';
import { isWhole } from '../../../../../src/jobs/node/list/endProof.ts';
import { JobPager } from '../../../../../src/jobs/node/list/jobPager.ts';
import { ServiceTraits } from '../../../../../src/jobs/node/list/serviceTraits.ts';
import { readAll } from '../../../../../src/jobs/node/list/readAll.ts';
import { bareJob } from '../../../../support/builders/bareJob.ts';
import { fakeReader } from '../../../../support/lists/fakeLists.ts';

const done: ListQuery = { endpoint: 'live', params: { statuses: ['done'] } };
const newestMs = Date.UTC(2026, 10, 20, 12);

interface Row {
  readonly id: string;
  readonly createdAtMs: number;
}

function rowsOf(count: number): Row[] {
  return Array.from({ length: count }, (_, index) => ({ id: `j${index}`, createdAtMs: newestMs - index * 60_000 }));
}

/** A service that shows its rows by offset and limit; `change` runs before each request. */
interface Service {
  readonly rows: Row[];
  /** True for positions that are listed; items at other positions only count for offsets. */
  readonly isShown?: (place: number) => boolean;
  readonly change?: (request: number, rows: Row[]) => void;
  readonly refuseFrom?: number;
  readonly end?: number;
  readonly firstPage?: number;
  /** Jobs have no creation time; they are sorted by completion. */
  readonly isUndated?: boolean;
  /** `next` is null wherever a page is shorter than requested. */
  readonly endsWhenShort?: boolean;
  /** Max items of a page. Only a page that is as long as requested announces another. */
  readonly max?: number;
}

function serving(service: Service) {
  const { rows, isShown, change, refuseFrom, end = Infinity, firstPage, endsWhenShort, isUndated, max } = service;
  let requests = 0;
  const source = fakeReader(async (_endpoint, { offset = 0, limit = 20, beforeDate, afterDate }) => {
    const request = requests++;
    change?.(request, rows);
    if (offset >= (refuseFrom ?? Infinity)) throw new Failure('rejected', { status: 400 });
    const isBounded = beforeDate !== undefined || afterDate !== undefined;
    const [fromMs, toMs] = [Date.parse(afterDate ?? '1970-01-01'), Date.parse(beforeDate ?? '2100-01-01')];
    const all = isBounded
      ? rows.filter(({ createdAtMs }) => createdAtMs > fromMs && createdAtMs < toMs)
      : rows.slice(0, end);
    const length = offset === 0 && firstPage !== undefined && !isBounded ? firstPage : Math.min(limit, max ?? limit);
    const page = all
      .map((row, place) => ({ row, place }))
      .slice(offset, offset + length)
      .filter(({ place }) => isBounded || (isShown?.(place) ?? true));
    const hasMore =
      max === undefined
        ? offset + length < all.length && !(endsWhenShort === true && page.length < limit)
        : page.length === limit;
    const entries = page.map(({ row: { id, createdAtMs } }) =>
      bareJob({ id, completedAtMs: createdAtMs + 90_000, ...(isUndated !== true && { createdAtMs }) }),
    );
    return { entries, hasMore, serviceDateMs: undefined, deviations: [] };
  });
  return { source, requests: () => requests };
}

/** Reads everything by export and by Load All: the IDs, and if each marks the list as complete. */
async function readBoth(service: () => Service) {
  const exported = new Set<string>();
  let isComplete = false;
  for await (const { entries, endedBy } of readAll(serving(service()).source, done, { limit: 100 })) {
    for (const entry of entries) if (entry.type === 'job') exported.add(entry.id);
    isComplete = endedBy === undefined;
  }
  const pager = new JobPager(serving(service()).source);
  let list = await pager.first(done, 20);
  for await (const next of pager.rest(done, list, 100, new AbortController().signal)) list = next;
  const loaded = list.jobs.entries.flatMap((entry) => (entry.type === 'job' ? [entry.id] : []));
  return [
    { what: 'export', ids: [...exported], isComplete },
    { what: 'Load All', ids: loaded, isComplete: list.isComplete },
  ];
}

/** Returns the same rows with groups of ten that share a creation time. */
function inTens(rows: readonly Row[]): Row[] {
  return rows.map(({ id }, place) => ({ id, createdAtMs: newestMs - Math.floor(place / 10) * 600_000 }));
}

function reverseTens(rows: Row[]): void {
  for (let from = 0; from < rows.length; from += 10) rows.splice(from, 10, ...rows.slice(from, from + 10).toReversed());
}

const touched: Row = { id: 'j400', createdAtMs: newestMs - 400 * 60_000 };

const faults: readonly (readonly [string, () => Service])[] = [
  ['lists at most a thousand of its jobs', () => ({ rows: rowsOf(1500), end: 1000 })],
  ['lists at most a thousand of its jobs, the oldest first', () => ({ rows: rowsOf(1500).toReversed(), end: 1000 })],
  [
    'lists at most a thousand of its jobs, and rejects larger offsets',
    () => ({ rows: rowsOf(1500), end: 1000, refuseFrom: 1000 }),
  ],
  [
    'omits a few jobs, and marks each short page as the last',
    () => ({ rows: rowsOf(600), isShown: (place) => place !== 250 && place !== 260, endsWhenShort: true }),
  ],
  [
    'omits a few jobs without a creation time, and marks each short page as the last',
    () => ({
      rows: rowsOf(600),
      isShown: (place) => place !== 250 && place !== 260,
      endsWhenShort: true,
      isUndated: true,
    }),
  ],
  [
    'lists at most a thousand of its jobs without a creation time, and rejects larger offsets',
    () => ({ rows: rowsOf(1500), end: 1000, refuseFrom: 1000, isUndated: true }),
  ],
  [
    'lists jobs of the same instant in another order at each request',
    () => ({ rows: inTens(rowsOf(537)), change: (_request, rows) => reverseTens(rows) }),
  ],
  [
    'moves a job to the top before it was read',
    () => ({
      rows: rowsOf(537),
      change: (request, rows) => {
        if (request === 1) rows.unshift(touched, ...rows.splice(0).filter(({ id }) => id !== touched.id));
      },
    }),
  ],
];

for (const [what, service] of faults) {
  test(`a list is not marked as complete if a service ${what}`, async () => {
    for (const read of await readBoth(service)) {
      const missing = service().rows.filter(({ id }) => !read.ids.includes(id));
      assert.ok(!read.isComplete || missing.length === 0, `${read.what}: ${missing.length} jobs are missing`);
    }
  });
}

for (const [what, change] of [
  ['leaves', (rows: Row[]) => void rows.shift()],
  ['arrives', (rows: Row[]) => void rows.unshift({ id: 'new', createdAtMs: newestMs + 60_000 })],
] as const) {
  test(`a page wrongly marked as the last is not the whole list, even if a job ${what} before the check`, async () => {
    const { source } = serving({
      rows: rowsOf(100),
      isUndated: true,
      max: 40,
      change: (request, rows) => {
        if (request === 1) change(rows);
      },
    });
    let read = 0;
    let reason: string | undefined;
    for await (const { entries, endedBy } of readAll(source, done, { limit: 100 })) {
      read += entries.length;
      reason = endedBy;
    }
    assert.ok(read >= 99 || reason === 'unproved', `${read} jobs, ${reason}`);
  });
}

test('a list without changes is complete, with only one request more than its pages', async () => {
  const { source, requests } = serving({ rows: rowsOf(537) });
  const read: string[] = [];
  let reason: string | undefined = 'nothing was read';
  for await (const { entries, endedBy } of readAll(source, done, { limit: 100, concurrency: 1 })) {
    for (const entry of entries) if (entry.type === 'job') read.push(entry.id);
    reason = endedBy;
  }
  assert.deepEqual([read.length, new Set(read).size, reason], [537, 537, undefined]);
  // Six pages that overlap by one, and a query for older jobs.
  assert.equal(requests(), 6 + 1);
});

test('jobs that arrive while a list is read leave it complete', async () => {
  const service = (): Service => ({
    rows: rowsOf(537),
    change: (request, rows) => rows.unshift({ id: `new${request}`, createdAtMs: newestMs + (request + 1) * 60_000 }),
  });
  for (const read of await readBoth(service)) {
    assert.ok(
      rowsOf(537).every(({ id }) => read.ids.includes(id)),
      read.what,
    );
    assert.ok(read.isComplete, read.what);
  }
});

test('reading continues after a short first page wrongly marked as the last, but the list is not complete', async () => {
  const { source } = serving({ rows: rowsOf(403), firstPage: 40, endsWhenShort: true });
  const read: string[] = [];
  let reason: string | undefined;
  for await (const { entries, endedBy } of readAll(source, done, { limit: 100 })) {
    for (const entry of entries) if (entry.type === 'job') read.push(entry.id);
    reason = endedBy;
  }
  assert.ok(read.length > 40);
  assert.notEqual(reason, undefined);
});

for (const [what, count] of [
  ['of several pages', 537],
  ['of one page', 60],
] as const) {
  test(`a list ${what} whose end cannot be checked is returned whole, but not marked as complete`, async () => {
    const { source } = serving({ rows: rowsOf(count) });
    const offline = fakeReader(async (endpoint, params, signal) => {
      if (params.limit === 2) throw new Failure('offline');
      return source.readPage(endpoint, params, signal);
    });
    const read: string[] = [];
    let reason: string | undefined;
    for await (const { entries, endedBy } of readAll(offline, done, { limit: 100 })) {
      for (const entry of entries) if (entry.type === 'job') read.push(entry.id);
      reason = endedBy;
    }
    assert.deepEqual([read.length, reason], [count, 'unproved']);
  });
}

test('a list that moved is whole only if all jobs of its first page were read', async () => {
  const walk = {
    received: 2,
    tail: [],
    lastPage: undefined,
    hasMore: false,
    endIsClaimed: false,
    pin: undefined,
    segments: [],
    order: unseenOrder,
    isContiguous: true,
    answers: 2,
    moved: true,
    isTied: false,
    stuck: false,
    isComplete: true,
  };
  for (const isKnown of [true, false]) {
    const walked = {
      params: {},
      traits: new ServiceTraits(),
      fetchPage: async () => {
        const entries = ['a', 'b'].map((id) => bareJob({ id }));
        return { entries, hasMore: false, serviceDateMs: undefined, deviations: [] };
      },
      isKnown: () => isKnown,
    };
    assert.equal(await isWhole({ walk, walked, count: 2, limit: 20, beyond: () => 'nothing' }), isKnown);
  }
});
