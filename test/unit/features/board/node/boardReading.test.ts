import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';
import { minuteMs } from '../../../../../src/base/time.ts';
import type { BoardExtent } from '../../../../../src/features/board/common/boardProtocol.ts';
import type { ListParams } from '../../../../../src/jobs/common/listParams.ts';
import { BoardReading } from '../../../../../src/features/board/node/boardReading.ts';
import { systemClock } from '../../../../../src/base/clock.ts';
import type { ListReader } from '../../../../../src/jobs/node/list/listReader.ts';
import { countedSource } from '../../../../support/countedSource/countedSource.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';
import {
  startListService,
  type ListedItem,
  type ListRules,
  type ListService,
} from '../../../../support/remote/listService.ts';
import { matchedThroughout, trueCount, trueRows } from '../../../../support/worlds/oracles.ts';
import { readability } from '../../../../support/worlds/readability.ts';
import { World } from '../../../../support/worlds/world.ts';
import type { WorldSpec } from '../../../../support/worlds/worldSpec.ts';
import { worldSpecs } from '../../../../support/worlds/worldSpecs.ts';
import { isEndless, worldSource } from '../../../jobs/node/list/worldSource.ts';

const nowMs = Date.UTC(2026, 10, 24, 12);

/** Creates items a minute apart, newest first. */
function itemsOf(count: number, kind = 'pre-recorded', fields: ListedItem = {}): readonly ListedItem[] {
  return Array.from({ length: count }, (_, index) => {
    const createdMs = nowMs - index * minuteMs;
    return {
      id: `${kind}-${index}`,
      kind,
      status: 'done',
      created_at: new Date(createdMs).toISOString(),
      // The order of completion differs from that of creation.
      completed_at: new Date(createdMs + (index % 3) * 10 * minuteMs).toISOString(),
      ...fields,
    };
  });
}

/** Returns the same items in an order unrelated to their times. */
function shuffled(items: readonly ListedItem[]): readonly ListedItem[] {
  return items.map((_, index) => items[(index * 7919) % items.length] ?? {});
}

async function serve(context: TestContext, preRecorded: ListRules, live?: ListRules): Promise<ListService> {
  const service = await startListService(preRecorded, live);
  context.after(() => service.stop());
  return service;
}

/** @param maxAtOnce by default a tenth of the usual value, so that tests are fast */
function readingOf(source: ListReader, params: ListParams = {}, maxAtOnce = 2000): BoardReading {
  const queries = (['pre-recorded', 'live'] as const).map((endpoint) => ({ endpoint, params }));
  return new BoardReading(source, queries, { clock: systemClock, maxAtOnce });
}

const goOn = (): Promise<void> => Promise.resolve();

type Part = Extract<BoardExtent, { type: 'part' }>;

function partOf({ facts: { extent } }: BoardReading): Part {
  assert.equal(extent.type, 'part');
  return extent;
}

function idsOf({ columns }: BoardReading): readonly (string | undefined)[] {
  return Array.from({ length: columns.size }, (_, row) => columns.column('id')?.value(row));
}

describe('Reading the jobs of a board', () => {
  it('reads all of 17,450 jobs in any order, each once, and reports no failure', async (context) => {
    const newestFirst = itemsOf(17_450);
    for (const items of [newestFirst, shuffled(newestFirst)]) {
      const { lists, requests } = await serve(context, { items });
      const reading = readingOf(lists, {}, 20_000);
      await reading.readOn('all', goOn);
      // In an order that may change, a job can move from the part not yet read to the part already read.
      const type = items === newestFirst ? 'whole' : 'unproved';
      assert.equal(reading.facts.extent.type, type);
      assert.deepEqual(
        idsOf(reading),
        items.map(({ id }) => id),
      );
      assert.ok(requests.length <= 17_450 / 99 + 12, `${requests.length} requests`);
      assert.equal(reading.isUncounted, false);
    }
  });

  it('stops at 20,000 jobs, reports since when it has all, the total and the price of the others, and reads them', async (context) => {
    const items = itemsOf(25_000);
    const { lists, requests } = await serve(context, { items });
    const reading = readingOf(lists, {}, 20_000);
    await reading.readOn('all', goOn);
    assert.equal(reading.columns.size, 20_000);
    const sinceMs = nowMs - 19_999 * minuteMs;
    assert.deepEqual(
      { ...partOf(reading), next: undefined },
      { type: 'part', why: 'limit', sinceMs, total: undefined, next: undefined },
    );
    assert.ok(reading.isUncounted);
    await reading.count();
    const { total, next } = partOf(reading);
    assert.deepEqual(total, { count: 25_000, isExact: true });
    assert.equal(next?.jobs, 5000);
    const before = requests.length;
    await reading.readOn('all', goOn);
    assert.deepEqual(reading.facts.extent, { type: 'whole' });
    assert.equal(new Set(idsOf(reading)).size, 25_000);
    // The difference is for requests in flight when it stopped, and the proof of the end.
    assert.ok(Math.abs(requests.length - before - next.requests) <= 8, `${requests.length - before} requests`);
  });

  it('reports no time for a list whose order is not proven to be newest first', async (context) => {
    for (const items of [shuffled(itemsOf(2050)), itemsOf(2050).toReversed()]) {
      const { lists } = await serve(context, { items });
      const reading = readingOf(lists);
      await reading.readOn('all', goOn);
      await reading.count();
      const { sinceMs, total } = partOf(reading);
      assert.deepEqual([sinceMs, total], [undefined, { count: 2050, isExact: true }]);
    }
  });

  it('has every job of both lists since the time that it reports', async (context) => {
    // Live sessions are less frequent and go further back.
    const live = itemsOf(800, 'live').filter((_, index) => index % 4 === 0);
    const preRecorded = itemsOf(3000);
    const { lists } = await serve(context, { items: preRecorded }, { items: live });
    const reading = readingOf(lists);
    await reading.readOn('all', goOn);
    const { sinceMs = NaN } = partOf(reading);
    const since = [...preRecorded, ...live].filter((item) => Date.parse(item.created_at ?? '') >= sinceMs);
    const read = new Set(idsOf(reading));
    assert.equal(read.size, 2000);
    assert.deepEqual(
      since.filter(({ id = '' }) => !read.has(id)),
      [],
    );
    assert.ok(since.length > 1900);
    const times = reading.columns.created;
    assert.ok(
      times.every((at, row) => row === 0 || at <= (times[row - 1] ?? Infinity)),
      'the newer job comes first',
    );
  });

  it('does not report a time as complete if it lacks jobs created at that time', async (context) => {
    const sameTime = { created_at: new Date(nowMs - 200 * minuteMs).toISOString() };
    const items = [...itemsOf(100), ...itemsOf(2100, 'pre-recorded', sameTime).slice(100)];
    const { lists } = await serve(context, { items });
    const reading = readingOf(lists);
    await reading.readOn('all', goOn);
    const { sinceMs = 0 } = partOf(reading);
    assert.ok(sinceMs > nowMs - 200 * minuteMs);
  });

  it('keeps the jobs read so far when it is canceled, and continues from there without repeating requests', async (context) => {
    const { lists, requests } = await serve(context, { items: itemsOf(1900) });
    const reading = readingOf(lists);
    await reading.readOn('all', async () => {
      if (reading.columns.size > 1000) reading.cancel();
    });
    const { why, sinceMs } = partOf(reading);
    const { size } = reading.columns;
    assert.ok(why === 'cancelled' && size > 1000 && size < 1900);
    // Other jobs may have been created at the same time as the last one.
    assert.equal(sinceMs, nowMs - (size - 2) * minuteMs);
    await reading.readOn('all', goOn);
    assert.deepEqual(reading.facts.extent, { type: 'whole' });
    assert.equal(new Set(idsOf(reading)).size, 1900);
    const offsets = requests.filter((each) => !each.includes('before_date')).length;
    assert.ok(offsets <= 1900 / 99 + 14, `${offsets} requests`);
  });

  it('reports the price of the rest after a cancel: at most that until the jobs are counted', async (context) => {
    const { lists, requests } = await serve(context, { items: itemsOf(4500) }, { items: itemsOf(2500, 'live') });
    const reading = readingOf(lists);
    const readTo = async (size: number): Promise<number> => {
      const before = requests.length;
      await reading.readOn('all', async () => {
        if (reading.columns.size > size) reading.cancel();
      });
      return requests.length - before;
    };
    await readTo(500);
    const first = partOf(reading);
    assert.deepEqual([first.why, first.total], ['cancelled', undefined]);
    const firstPrice = await readTo(Infinity);
    assert.ok(firstPrice <= (first.next?.requests ?? 0), `${firstPrice} of ${first.next?.requests} requests`);
    await reading.count();
    await readTo(2700);
    const second = partOf(reading);
    assert.deepEqual([second.why, second.next?.jobs], ['cancelled', 4000 - reading.columns.size]);
    const secondPrice = await readTo(Infinity);
    assert.equal(reading.columns.size, 4000);
    // The difference is for requests in flight when it was canceled and when it stopped.
    assert.ok(Math.abs(secondPrice - (second.next?.requests ?? 0)) <= 8, `${secondPrice} of ${second.next?.requests}`);
  });

  it('keeps the jobs read so far when a page fails, reports why, and reads that page again on request', async (context) => {
    let [isDown, hasFailed] = [false, false];
    const { lists } = await serve(context, {
      items: itemsOf(1900),
      onRequest: (_, query) => {
        hasFailed ||= isDown && Number(query.get('offset')) > 1000;
        return isDown && hasFailed ? 403 : undefined;
      },
    });
    isDown = true;
    const reading = readingOf(lists);
    await reading.readOn('all', goOn);
    assert.equal(partOf(reading).why, 'failed');
    assert.equal(reading.failure?.code, 'keyRejected');
    const { size } = reading.columns;
    assert.ok(size > 900 && size < 1200, String(size));
    await reading.readOn('all', goOn);
    assert.equal(partOf(reading).why, 'failed');
    assert.equal(reading.columns.size, size);
    isDown = false;
    await reading.readOn('all', goOn);
    assert.deepEqual([reading.facts.extent, reading.failure], [{ type: 'whole' }, undefined]);
    assert.equal(new Set(idsOf(reading)).size, 1900);
  });

  it('reads only the first page of each list on request, and short lists completely', async (context) => {
    const { lists, requests } = await serve(context, { items: itemsOf(500) }, { items: itemsOf(30, 'live') });
    const reading = readingOf(lists);
    await reading.readOn('firstPage', goOn);
    const { why, next, sinceMs = NaN } = partOf(reading);
    assert.equal(why, 'firstPage');
    assert.ok(requests.length <= 4, requests.join('\n'));
    assert.equal(reading.columns.size, 130);
    assert.equal(sinceMs, nowMs - 98 * minuteMs);
    assert.ok(next !== undefined && next.requests >= 1870 / 99 && next.requests <= 28);
    await reading.readOn('all', goOn);
    assert.deepEqual([reading.facts.extent.type, reading.columns.size], ['whole', 530]);

    const short = await serve(context, { items: itemsOf(12) }, { items: itemsOf(3, 'live') });
    const whole = readingOf(short.lists);
    await whole.readOn('firstPage', goOn);
    assert.deepEqual([whole.facts.extent.type, whole.columns.size], ['whole', 15]);
  });

  it('reads an empty account', async (context) => {
    const { lists } = await serve(context, { items: [] });
    const reading = readingOf(lists, { afterDate: new Date(nowMs).toISOString() });
    await reading.readOn('all', goOn);
    assert.deepEqual([reading.facts.extent.type, reading.columns.size], ['whole', 0]);
  });

  it('has at most 100,000 jobs, and does not offer more', async () => {
    const { source } = countedSource(110_000);
    const reading = new BoardReading(source, [{ endpoint: 'pre-recorded', params: {} }], { clock: systemClock });
    for (let step = 1; step <= 5; step++) {
      await reading.readOn('all', goOn);
      assert.equal(reading.columns.size, step * 20_000);
    }
    assert.equal(partOf(reading).next, undefined);
  });

  it('ends if a service sends unrequested jobs endlessly', async (context) => {
    const { lists } = await serve(context, { items: itemsOf(3000, 'live') });
    const reading = readingOf(lists);
    await reading.readOn('all', goOn);
    assert.equal(reading.facts.contradicting, 2000);
    await reading.count();
    const { total, sinceMs } = partOf(reading);
    assert.deepEqual([total, sinceMs, reading.columns.size], [undefined, undefined, 0]);
  });

  it('reports no total that items without an ID or jobs in both lists would make wrong', async (context) => {
    const broken = itemsOf(2100).map((item, index) => (index === 50 ? { ...item, id: undefined } : item));
    const unreadable = await serve(context, { items: broken });
    const unknown = itemsOf(2100, 'dream');
    const repeated = await serve(context, { items: unknown }, { items: unknown });
    for (const { lists } of [unreadable, repeated]) {
      const reading = readingOf(lists);
      await reading.readOn('all', goOn);
      await reading.count();
      const { total } = partOf(reading);
      assert.equal(total, undefined);
      assert.equal(new Set(idsOf(reading)).size, reading.columns.size);
    }
  });

  it('reports no exact total if the service rejects further pages', async (context) => {
    const { lists } = await serve(context, { items: itemsOf(2500), maxOffset: 2200 });
    const reading = readingOf(lists);
    await reading.readOn('all', goOn);
    await reading.count();
    const { total } = partOf(reading);
    assert.ok(total === undefined || (!total.isExact && total.count <= 2500));
    await reading.readOn('all', goOn);
    assert.notEqual(reading.facts.extent.type === 'whole' && reading.columns.size < 2500, true);
  });

  it('does not report a list as complete that a service truncates at 10,000 jobs', async (context) => {
    for (const rules of [{ maxOffset: 10_000 }, { cut: 10_000 }]) {
      const { lists } = await serve(context, { items: itemsOf(12_000), ...rules });
      const reading = readingOf(lists, {}, 20_000);
      await reading.readOn('all', goOn);
      assert.ok(reading.facts.extent.type !== 'whole' || reading.columns.size === 12_000, JSON.stringify(rules));
    }
  });

  it('has the jobs that the service lists for the range, whichever date the service compares, or none', async (context) => {
    const after = nowMs - 500 * minuteMs + 1;
    for (const dates of ['created_at', 'completed_at', 'ignored'] as const) {
      const { lists } = await serve(context, { items: itemsOf(1000), dates });
      const reading = readingOf(lists, { afterDate: new Date(after).toISOString() });
      await reading.readOn('all', goOn);
      const expected = itemsOf(1000).filter((item) => dates === 'ignored' || Date.parse(item[dates] ?? '') > after);
      assert.equal(reading.columns.size, expected.length, dates);
    }
  });

  it('has all jobs since the reported time, even if jobs arrive while it reads', async (context) => {
    const rules: ListRules = { items: itemsOf(2150) };
    let arrivals = 0;
    rules.onRequest = () => {
      const createdAt = new Date(nowMs + ++arrivals * 1000).toISOString();
      rules.items = [
        { id: `new-${arrivals}`, kind: 'pre-recorded', status: 'queued', created_at: createdAt },
        ...rules.items,
      ];
      return undefined;
    };
    const { lists } = await serve(context, rules);
    const reading = readingOf(lists);
    await reading.readOn('all', goOn);
    const { sinceMs } = partOf(reading);
    const read = new Set(idsOf(reading));
    const missing = itemsOf(2150).filter(
      ({ id = '', created_at: at = '' }) => !read.has(id) && Date.parse(at) >= (sinceMs ?? Infinity),
    );
    assert.deepEqual(missing, []);
  });

  const specs = worldSpecs({ maxJobs: 60, without: ['posts', 'made', 'metadata', 'onDate', 'combined', 'itemBytes'] });

  /** A world whose jobs are listed twice, on pages of two. */
  const repeatingWorld: WorldSpec = {
    jobs: { count: 12, liveEvery: 3, spacingMs: 60_000, tied: 1, newestAgeMs: 60_000, statuses: 'mixed' },
    limit: { max: 2, above: 'capped', default: 20 },
    repeats: { every: 4, stale: false },
  };

  it('property: for any service, whole means all jobs, a total was correct at some time, and since omits no job', async () => {
    const seen = { whole: 0, since: 0, total: 0, cancelled: 0 };
    const kinds = fc.constantFrom(['pre-recorded'] as const, ['pre-recorded', 'live'] as const);
    const cancelAfter = fc.array(fc.option(fc.nat(4)), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(
        specs,
        fc.constantFrom(5, 10, 25, 40),
        kinds,
        cancelAfter,
        async (spec, maxAtOnce, lists, cancels) => {
          if (readability(spec).verdict !== 'readable') return;
          const world = new World(spec);
          const queries = lists.map((endpoint) => ({ endpoint, params: {} }));
          const reading = new BoardReading(worldSource(world), queries, { clock: systemClock, maxAtOnce });
          const inWorld = { kinds: lists };
          const from = world.moment;
          for (const pages of [...cancels, null, null]) {
            let left = pages ?? Infinity;
            await reading.readOn('all', async () => {
              if (left-- <= 0) reading.cancel();
            });
            if (isEndless(world)) return;
            const { extent } = reading.facts;
            const read = new Set(idsOf(reading));
            const missing = matchedThroughout(world, inWorld, from, world.moment).filter((id) => !read.has(id));
            if (extent.type === 'whole') {
              seen.whole++;
              assert.deepEqual(missing, []);
            }
            if (extent.type !== 'part') return;
            if (extent.why === 'cancelled') seen.cancelled++;
            if (extent.sinceMs !== undefined) {
              seen.since++;
              const { sinceMs } = extent;
              const createdAt = new Map(world.jobs.map((job) => [job.id, job.createdAt]));
              assert.deepEqual(
                // Some services round times to seconds.
                missing.filter((id) => (createdAt.get(id) ?? 0) >= sinceMs + 1000),
                [],
              );
            }
            // Items that have the same number as ID are one job here, and several in the world.
            if (!reading.isUncounted || spec.unreadable !== undefined) continue;
            await reading.count();
            const { total } = partOf(reading);
            if (total === undefined) continue;
            seen.total++;
            // For a service that lists a job twice, places may be counted. Two lists are counted one after the other.
            const moments = Array.from({ length: world.moment - from + 1 }, (_, index) => from + index);
            const counts = moments.flatMap((at) => [trueRows(world, inWorld, at), trueCount(world, inWorld, at)]);
            const said = `${total.isExact ? '' : 'at least '}${total.count} of ${counts.join()}`;
            assert.ok(total.count <= Math.max(...counts), said);
            if (total.isExact) assert.ok(total.count >= Math.min(...counts), said);
            if (total.isExact && lists.length === 1) assert.ok(counts.includes(total.count), said);
          }
        },
      ),
      { numRuns: propertyRuns, examples: [[repeatingWorld, 5, ['pre-recorded'], []]] },
    );
    assert.ok(Math.min(...Object.values(seen)) > 0, JSON.stringify(seen));
  });
});
