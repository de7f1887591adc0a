import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ListEntry } from '../../../../src/jobs/common/job.ts';
import {
  describeLength,
  jobOrders,
  orderedPlaces,
  orderLists,
  readJobOrder,
  type JobOrder,
} from '../../../../src/jobs/common/jobOrder.ts';
import { bareJob } from '../../../support/builders/bareJob.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';

const unreadable: ListEntry = { type: 'unreadable', raw: 'null' };
const entries: readonly ListEntry[] = [
  bareJob({ id: 'waits', status: 'processing', createdAtMs: 1000, completedAtMs: undefined }),
  unreadable,
  bareJob({ id: 'short', status: 'done', createdAtMs: 900, completedAtMs: 950 }),
  bareJob({ id: 'failed', status: 'error', createdAtMs: 800, completedAtMs: 900 }),
  bareJob({ id: 'untimed', status: 'done', createdAtMs: undefined, completedAtMs: 950 }),
  bareJob({ id: 'long', status: 'done', createdAtMs: 100, completedAtMs: 5000 }),
  bareJob({ id: 'equal', status: 'done', createdAtMs: 50, completedAtMs: 100 }),
];

function idsIn(order: JobOrder): readonly string[] {
  return orderedPlaces(entries, order, 2000).map((place) => {
    const entry = entries[place];
    return entry?.type === 'job' ? entry.id : 'unreadable';
  });
}

test('jobs are in the order of the service, with the longest first, or with the failed first', () => {
  assert.deepEqual(idsIn('newest'), ['waits', 'short', 'failed', 'untimed', 'long', 'equal', 'unreadable']);
  assert.deepEqual(idsIn('longest'), ['long', 'waits', 'failed', 'short', 'equal', 'untimed', 'unreadable']);
  assert.deepEqual(idsIn('failed'), ['failed', 'waits', 'short', 'untimed', 'long', 'equal', 'unreadable']);
});

test('a duration is shown in its two largest units', () => {
  const shown = (tookMs: number | undefined, language = 'en'): string | undefined =>
    describeLength(bareJob({ createdAtMs: 0, completedAtMs: tookMs }), { language, timeZone: 'UTC' })?.replaceAll(
      /\s/gu,
      ' ',
    );
  assert.equal(shown(undefined), undefined);
  assert.equal(shown(400), '0s');
  assert.equal(shown(59_600), '1m 0s');
  assert.equal(shown(2_300_400), '38m 20s');
  assert.equal(shown(2_300_400, 'fr'), '38 min 20 s');
  assert.equal(shown(7_265_000), '2h 1m');
});

test('only an unfinished job lasts until now: a job with an unknown end is not among the longest', () => {
  const times = { createdAtMs: 0, completedAtMs: undefined };
  const given = ['done', 'error', 'queued', 'archived'].map((status) => bareJob({ id: status, status, ...times }));
  assert.deepEqual(orderedPlaces(given, 'longest', 1_000_000), [2, 3, 0, 1]);
});

test('a job that ended before it began has no duration, and precedes unreadable items', () => {
  const backwards = bareJob({ id: 'backwards', createdAtMs: 5000, completedAtMs: 1000 });
  const none = bareJob({ id: 'none', createdAtMs: 7, completedAtMs: 7 });
  assert.deepEqual(orderedPlaces([unreadable, backwards, none], 'longest', 9000), [1, 2, 0]);
});

test('the group of failed jobs is first in their order, unless the first list has all statuses', () => {
  const lists = (...statuses: readonly (string | undefined)[]) => statuses.map((status) => ({ key: { status } }));
  const statuses = (order: JobOrder, given: readonly (string | undefined)[]) =>
    orderLists(lists(...given), order).map(({ key }) => key.status);
  const usual = ['queued', 'processing', 'done', 'error', 'archived'];
  assert.deepEqual(statuses('failed', usual), ['error', 'queued', 'processing', 'done', 'archived']);
  assert.deepEqual(statuses('longest', usual), usual);
  assert.deepEqual(statuses('failed', [undefined, 'error']), [undefined, 'error']);
  assert.deepEqual(statuses('failed', []), []);
});

test('an invalid stored order falls back to that of the service', () => {
  for (const order of jobOrders) assert.equal(readJobOrder(order), order);
  for (const damaged of [undefined, null, 7, 'oldest', { order: 'longest' }]) {
    assert.equal(readJobOrder(damaged), 'newest');
  }
});

test('property: every order shows each job exactly once', () => {
  const time = fc.option(fc.oneof(fc.integer(), fc.constant(Number.MAX_SAFE_INTEGER)), { nil: undefined });
  const entry = fc.oneof(
    fc.constant(unreadable),
    fc
      .record({ status: fc.constantFrom('queued', 'done', 'error', 'x'), createdAtMs: time, completedAtMs: time })
      .map((changes) => bareJob(changes)),
  );
  fc.assert(
    fc.property(fc.array(entry), fc.constantFrom(...jobOrders), fc.integer(), (some, order, nowMs) => {
      const places = orderedPlaces(some, order, nowMs);
      assert.deepEqual(
        places.toSorted((a, b) => a - b),
        [...some.keys()],
      );
    }),
    { numRuns: propertyRuns },
  );
});
