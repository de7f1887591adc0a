import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Job } from '../../../../src/domain/jobs/job.ts';
import { OlderFailures } from '../../../../src/service/attention/olderFailures.ts';
import { bareJob } from '../../../support/builders/bareJob.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';

const minuteMs = 60_000;
const nowMs = Date.UTC(2026, 10, 20, 12);

function failure(place: number): Job {
  const completedAtMs = nowMs - place * minuteMs;
  return bareJob({ id: `j${place}`, status: 'error', createdAtMs: completedAtMs - minuteMs, completedAtMs });
}

test('pages below the newest one are joined to it, up to the end; what is handled is not kept', () => {
  const all = Array.from({ length: 450 }, (_, place) => failure(place));
  const handled = new Set<Job>();
  const page = (offset: number) => {
    const jobs = all.slice(offset, offset + 200);
    return { jobs, received: jobs.length, hasMore: offset + 200 < all.length, isReadable: true };
  };
  const older = new OlderFailures(page(0), (job) => handled.has(job));
  const found: string[] = [];
  for (let at = older.nextOffset; at !== undefined; at = older.nextOffset) {
    older.add(page(at), at);
    found.push(...older.jobs.map(({ id }) => id));
    for (const job of older.jobs) handled.add(job);
  }
  assert.deepEqual(
    found,
    all.slice(200).map(({ id }) => id),
  );
  assert.ok(older.isWhole);
});

test('a page that has nothing in common with those before, or is in another order, does not make it whole', () => {
  const all = Array.from({ length: 30 }, (_, place) => failure(place));
  const top = { jobs: all.slice(0, 10), received: 10, hasMore: true, isReadable: true };
  for (const jobs of [all.slice(15, 25), all.slice(8, 20).toReversed()]) {
    const older = new OlderFailures(top, () => false);
    older.add({ jobs, received: jobs.length, hasMore: false, isReadable: true }, older.nextOffset ?? 0);
    assert.deepEqual([older.nextOffset, older.isWhole], [undefined, false]);
  }
});

test('an item that cannot be read is not forgotten with its page', () => {
  const all = Array.from({ length: 30 }, (_, place) => failure(place));
  const page = (from: number, isReadable: boolean) => {
    const jobs = all.slice(from, from + 10);
    return { jobs, received: 10, hasMore: from + 10 < all.length, isReadable };
  };
  for (const [top, second, third] of [
    [false, true, true],
    [true, false, true],
    [true, true, false],
    [true, true, true],
  ] as const) {
    const older = new OlderFailures(page(0, top), () => false);
    older.add(page(9, second), 9);
    older.add(page(18, third), 18);
    assert.equal(older.isReadable, top && second && third);
  }
});

test('property: whatever arrives and is handled, no failure is lost between the pages, or they are read again', () => {
  const step = fc.oneof(
    fc.record({ type: fc.constant('arrive' as const), count: fc.nat(25) }),
    fc.record({ type: fc.constant('read' as const) }),
    fc.record({ type: fc.constant('handle' as const), count: fc.nat(30) }),
  );
  fc.assert(
    fc.property(fc.nat(90), fc.integer({ min: 4, max: 20 }), fc.array(step, { maxLength: 25 }), (count, cap, steps) => {
      const all = Array.from({ length: count }, (_, place) => failure(place));
      let made = 0;
      const handled = new Set<string>();
      const isHandled = ({ id }: Job): boolean => handled.has(id);
      const page = (offset: number) => {
        const jobs = all.slice(offset, offset + cap);
        return { jobs, received: jobs.length, hasMore: offset + cap < all.length, isReadable: true };
      };
      let older: OlderFailures | undefined;
      /** As a reading does; returns what is shown and whether that is said to be all. */
      const read = (isBelowToo: boolean): { readonly shown: readonly Job[]; readonly isAll: boolean } => {
        const top = page(0);
        if (!top.hasMore) older = undefined;
        else if (older?.follow(top.jobs) !== true) older = new OlderFailures(top, isHandled);
        const shown = new Map([...top.jobs, ...(older?.jobs ?? [])].map((job) => [job.id, job]));
        const open = [...shown.values()].filter((job) => !isHandled(job));
        const at = older?.nextOffset;
        if (isBelowToo && open.length === 0 && older !== undefined && at !== undefined) {
          older.add(page(at), at);
          return { shown: older.jobs, isAll: older.isWhole };
        }
        return { shown: open, isAll: older?.isWhole ?? true };
      };
      const check = ({ shown, isAll }: ReturnType<typeof read>): void => {
        const truth = all.filter((job) => !isHandled(job)).map(({ id }) => id);
        if (isAll) assert.deepEqual(shown.map(({ id }) => id).toSorted(), truth.toSorted());
      };
      for (const each of steps) {
        if (each.type === 'arrive') for (let at = 0; at < each.count; at++) all.unshift(failure(--made));
        const reading = read(each.type === 'read');
        check(reading);
        if (each.type === 'handle') for (const { id } of reading.shown.slice(0, each.count)) handled.add(id);
      }
      // All that is shown is handled each time: in the end nothing is left.
      for (let rounds = 0; rounds < 200 && handled.size < all.length; rounds++) {
        const reading = read(true);
        check(reading);
        for (const { id } of reading.shown) handled.add(id);
      }
      assert.equal(handled.size, all.length);
    }),
    { numRuns: propertyRuns },
  );
});

test('what newer failures push out of the newest page stays, each once, however often the page moves on', () => {
  const all = Array.from({ length: 20 }, (_, place) => failure(place));
  const page = (from: number) => all.slice(from, from + 10);
  const older = new OlderFailures({ jobs: page(4), received: 10, hasMore: true, isReadable: true }, () => false);
  const idsAfter = (top: readonly Job[]): readonly string[] => {
    assert.ok(older.follow(top));
    return older.jobs.map(({ id }) => id);
  };
  assert.deepEqual(idsAfter(page(3)), ['j13']);
  assert.deepEqual(idsAfter(page(1)), ['j13', 'j11', 'j12']);
  assert.deepEqual(idsAfter(page(0)), ['j13', 'j11', 'j12', 'j10']);
});
