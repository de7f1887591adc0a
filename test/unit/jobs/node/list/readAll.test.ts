import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isUnfinished, type JobKind, type JobStatus } from '../../../../../src/jobs/common/job.ts';
import type { ListParams, ListQuery } from '../../../../../src/jobs/common/listParams.ts';
import { BoardReading } from '../../../../../src/features/board/node/boardReading.ts';
import { systemClock } from '../../../../../src/base/clock.ts';
import { exactCount } from '../../../../../src/jobs/node/exactCount.ts';
import { readAll } from '../../../../../src/jobs/node/list/readAll.ts';
import { bareJob } from '../../../../support/builders/bareJob.ts';
import { fakeReader } from '../../../../support/lists/fakeLists.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';

const newestMs = Date.UTC(2026, 10, 20, 12);

interface Row {
  readonly id: string;
  readonly kind: JobKind;
  readonly createdAtMs: number;
  status: JobStatus;
  touchedAtMs: number;
}

/** @param tied number of successive jobs with the same creation time */
function rowsOf(count: number, statusOf: (place: number) => JobStatus, tied = 1): Row[] {
  return Array.from({ length: count }, (_, place) => {
    const createdAtMs = newestMs - Math.floor(place / tied) * 1000;
    return { id: `j${place}`, kind: 'pre-recorded', createdAtMs, status: statusOf(place), touchedAtMs: createdAtMs };
  });
}

interface Service {
  readonly rows: Row[];
  /** Returns the parameters as the service understands them. Defaults to the same parameters. */
  readonly understand?: (params: ListParams) => ListParams | undefined;
  readonly compare: (request: number) => Compare;
  readonly change?: (request: number, rows: Row[]) => void;
}

/** A service with correct pages, and the jobs that matched a query throughout. */
function serving({ rows, understand = (params) => params, compare, change }: Service, { params: asked }: ListQuery) {
  const matches = (row: Row, params: ListParams): boolean =>
    (params.statuses?.includes(row.status) ?? true) &&
    (params.kinds?.includes(row.kind) ?? true) &&
    (params.beforeDate === undefined || row.createdAtMs < Date.parse(params.beforeDate));
  const stayed = new Set(rows.filter((row) => matches(row, asked)));
  let request = 0;
  const reader = fakeReader(async (_endpoint, params) => {
    request++;
    const { offset = 0, limit = 20 } = params;
    const meant = understand(params);
    const list = (meant === undefined ? [] : rows.filter((row) => matches(row, meant))).toSorted(compare(request));
    const entries = list.slice(offset, offset + limit).map((row) =>
      bareJob({
        ...row,
        ...(!isUnfinished(row) && { completedAtMs: row.createdAtMs + 90_000 }),
      }),
    );
    change?.(request, rows);
    for (const row of stayed) if (!rows.includes(row) || !matches(row, asked)) stayed.delete(row);
    return { entries, hasMore: offset + limit < list.length, serviceDateMs: undefined, deviations: [] };
  });
  return { reader, stayed };
}

/** Returns the jobs that are missing in a list marked as complete. */
async function missingOfComplete(service: Service, query: ListQuery, limit: number): Promise<readonly string[]> {
  const { reader, stayed } = serving(service, query);
  const read = new Set<string>();
  let isComplete = false;
  for await (const { entries, endedBy } of readAll(reader, query, { limit })) {
    for (const entry of entries) if (entry.type === 'job') read.add(entry.id);
    isComplete = endedBy === undefined;
  }
  return isComplete ? [...stayed].map(({ id }) => id).filter((id) => !read.has(id)) : [];
}

/** Returns the jobs that are missing in a board marked as whole, or as read since a time. */
async function missingOfBoard(service: Service, query: ListQuery, maxAtOnce: number): Promise<readonly string[]> {
  const { reader, stayed } = serving(service, query);
  const board = new BoardReading(reader, [query], { clock: systemClock, maxAtOnce });
  await board.readOn('all', () => Promise.resolve());
  const { extent } = board.facts;
  const sinceMs =
    extent.type === 'whole' ? -Infinity : ((extent.type === 'part' ? extent.sinceMs : undefined) ?? Infinity);
  const read = new Set(board.jobs.map((job) => job?.id));
  board.dispose();
  return [...stayed].filter(({ id, createdAtMs }) => createdAtMs >= sinceMs && !read.has(id)).map(({ id }) => id);
}

/** Returns a hash of a text and a salt. */
function hash(text: string, salt: string): number {
  let value = 2_166_136_261;
  for (const character of text + salt) value = Math.imul(value ^ character.charCodeAt(0), 16_777_619);
  return Math.imul(value ^ (value >>> 13), 0x5b_d1_e9_95) >>> 0;
}

type Compare = (one: Row, other: Row) => number;

const byCreation = (one: Row, other: Row): number => other.createdAtMs - one.createdAtMs;
/** Sorts by status, and the newest first within a status. */
const byStatus = (one: Row, other: Row): number => one.status.localeCompare(other.status) || byCreation(one, other);
const rowNumber = ({ id }: Row): number => Number(id.slice(1));
const byTouch = (one: Row, other: Row): number => other.touchedAtMs - one.touchedAtMs;

const all: ListQuery = { endpoint: 'pre-recorded', params: {} };
const unfinished: ListQuery = { endpoint: 'pre-recorded', params: { statuses: ['queued', 'processing'] } };

type Spec<A> = A extends fc.Arbitrary<infer S> ? S : never;

/** Pages of 20, 50 and 100 items, and lists that end soon after one. */
const sizes = fc.record({ limit: fc.constantFrom(20, 50, 100), count: fc.integer({ min: 21, max: 260 }) });
const arrivals = fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 4 });

const tied = fc.record({
  size: sizes,
  tied: fc.constantFrom(2, 3, 8, 30, 300),
  seed: fc.nat(1_000_000),
  sorted: fc.constantFrom('once', 'twice', 'always'),
  at: fc.integer({ min: 1, max: 6 }),
  arrivals,
});

function tiedService({ size, tied: count, seed, sorted, at, arrivals: requests }: Spec<typeof tied>): Service {
  const order = (request: number): number =>
    sorted === 'always' ? request : Number(request > at) + Number(sorted === 'twice' && request > at + 1);
  return {
    rows: rowsOf(size.count, (place) => (place % 3 === 0 ? 'queued' : 'done'), count),
    compare: (request) => (one, other) =>
      byCreation(one, other) || hash(one.id, `${seed} ${order(request)}`) - hash(other.id, `${seed} ${order(request)}`),
    change: (request, rows) => {
      if (!requests.includes(request)) return;
      const createdAtMs = newestMs + request * 1000;
      rows.push({ id: `new${request}`, kind: 'pre-recorded', createdAtMs, status: 'done', touchedAtMs: 0 });
    },
  };
}

test('a list or board is marked as complete only with every job, however jobs of the same time are sorted', async () => {
  await fc.assert(
    fc.asyncProperty(tied, fc.constantFrom(60, 110, 20_000), async (spec, maxAtOnce) => {
      assert.deepEqual(await missingOfComplete(tiedService(spec), all, spec.size.limit), []);
      assert.deepEqual(await missingOfBoard(tiedService(spec), all, maxAtOnce), []);
    }),
    { numRuns: propertyRuns },
  );
});

const touched = fc.record({
  size: sizes,
  touches: fc.array(
    fc.record({
      request: fc.integer({ min: 1, max: 8 }),
      place: fc.nat(259),
      leaving: fc.option(fc.nat(259), { nil: undefined }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});

/** A job below a page moves up while one of that page leaves, so that no other job changes its position. */
const movingUp: readonly Spec<typeof touched>[] = ([20, 100] as const).flatMap((limit) =>
  [1, 2].map((request) => {
    const count = request * limit + limit / 2;
    return { size: { limit, count }, touches: [{ request, place: count - 3, leaving: 2 }] };
  }),
);

/** @param first number of the newest jobs that are in processing */
function touchedService({ size, touches }: Spec<typeof touched>, compare: Compare, first = 0): Service {
  return {
    rows: rowsOf(size.count, (place) => (place < first ? 'processing' : 'queued')),
    compare: () => compare,
    change: (request, rows) => {
      for (const { place, leaving, ...touch } of touches) {
        const row = rows[place];
        if (touch.request !== request || row === undefined) continue;
        row.status = 'processing';
        row.touchedAtMs = newestMs + request * 1000 + place;
        if (leaving !== undefined && leaving !== place) rows.splice(leaving, 1);
      }
    },
  };
}

test('a list sorted by the last change of its jobs is marked as complete only with every job', async () => {
  await fc.assert(
    fc.asyncProperty(touched, async (spec) => {
      const service = (): Service => touchedService(spec, byTouch);
      assert.deepEqual(await missingOfComplete(service(), unfinished, spec.size.limit), []);
      assert.deepEqual(await missingOfBoard(service(), unfinished, 20_000), []);
    }),
    { examples: movingUp.map((spec) => [spec]), numRuns: propertyRuns },
  );
});

test('a list sorted by status is not marked as complete if a job has moved up to its new status', async () => {
  for (const spec of movingUp) {
    const service = touchedService(spec, byStatus, 9);
    assert.deepEqual(await missingOfComplete(service, unfinished, spec.size.limit), []);
  }
});

test('a list or board is not marked as complete if jobs of the same time are reordered between two pages', async () => {
  for (const count of [150, 250]) {
    const service = (): Service => {
      const rows = rowsOf(count, (place) => (place % 3 === 0 ? 'queued' : 'done'));
      const tiedMs = newestMs - 98_000;
      const moved = rows.map((row, place) => (place > 98 && place < 101 ? { ...row, createdAtMs: tiedMs } : row));
      const turn = (request: number): number => (request === 1 ? 1 : -1);
      return {
        rows: moved,
        compare: (request) => (one, other) =>
          byCreation(one, other) || turn(request) * (rowNumber(one) - rowNumber(other)),
      };
    };
    assert.deepEqual(await missingOfComplete(service(), all, 100), []);
    assert.deepEqual(await missingOfBoard(service(), all, 120), []);
  }
});

const misreadings: readonly (readonly [
  string,
  (statuses: readonly JobStatus[]) => readonly JobStatus[] | undefined,
])[] = [
  ['uses only the first of several', (statuses) => statuses.slice(0, 1)],
  ['uses only the last of several', (statuses) => statuses.slice(-1)],
  ['returns nothing for several', (statuses) => (statuses.length > 1 ? undefined : statuses)],
  ['ignores one of several', (statuses) => statuses.filter((status) => status !== 'processing')],
];

for (const [what, take] of misreadings) {
  for (const count of [8, 60, 500]) {
    test(`no list, board or count of ${count} jobs is complete if a service ${what} statuses`, async () => {
      const service = (): Service => ({
        rows: rowsOf(count, (place) => (['error', 'queued', 'done', 'processing'] as const)[place % 4] ?? 'done'),
        compare: () => byCreation,
        understand: ({ statuses, ...params }) => {
          const meant = statuses === undefined ? [] : take(statuses);
          return meant === undefined ? undefined : { ...params, ...(meant.length > 0 && { statuses: meant }) };
        },
      });
      assert.deepEqual(await missingOfComplete(service(), unfinished, 100), []);
      assert.deepEqual(await missingOfBoard(service(), unfinished, 20_000), []);
      const { reader, stayed } = serving(service(), unfinished);
      const counted = await exactCount(reader, unfinished, { clock: systemClock });
      assert.ok(counted.type !== 'exact' || counted.count === stayed.size, JSON.stringify(counted));
    });
  }
}

test('statuses that were only obeyed one by one do not count as obeyed together', async () => {
  const rows = rowsOf(60, (place) => (['error', 'queued', 'processing'] as const)[place % 3] ?? 'done');
  const understand = ({ statuses = [], ...params }: ListParams): ListParams => ({
    ...params,
    statuses: statuses.slice(0, 1),
  });
  const { reader } = serving({ rows, compare: () => byCreation, understand }, unfinished);
  for (const statuses of [
    ['queued', 'error'],
    ['processing', 'error'],
    ['queued', 'processing'],
  ] as const) {
    let reason: string | undefined;
    for await (const { endedBy } of readAll(reader, { endpoint: 'pre-recorded', params: { statuses } }, { limit: 100 }))
      reason = endedBy;
    assert.equal(reason, 'unproved', statuses.join());
  }
});

test('a service that obeys several statuses gets no other query', async () => {
  const rows = rowsOf(60, (place) => (place % 2 === 0 ? 'queued' : 'processing'));
  const asked: string[] = [];
  const understand = (params: ListParams): ListParams => {
    asked.push(String(params.statuses));
    return params;
  };
  const { reader } = serving({ rows, compare: () => byCreation, understand }, unfinished);
  let reason: string | undefined = 'nothing was read';
  for await (const { endedBy } of readAll(reader, unfinished, { limit: 100 })) reason = endedBy;
  assert.equal(reason, undefined);
  assert.deepEqual(new Set(asked), new Set(['queued,processing']));
});
