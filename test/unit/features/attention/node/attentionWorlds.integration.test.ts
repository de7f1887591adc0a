import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { buildAttention } from '../../../../../src/features/attention/common/attention.ts';
import { nothingHandled } from '../../../../../src/features/attention/common/handledMarks.ts';
import { jobKey, jobStatuses, type JobStatus } from '../../../../../src/jobs/common/job.ts';
import { parseDateTimeMs } from '../../../../../src/base/time.ts';
import { AttentionReader } from '../../../../../src/features/attention/node/attentionReader.ts';
import { FakeClock } from '../../../../support/fakeClock/fakeClock.ts';
import { MovingList, type Event } from '../../../../support/movingList/movingList.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';
import { everMatched, matchedThroughout } from '../../../../support/worlds/oracles.ts';
import { readability } from '../../../../support/worlds/readability.ts';
import { seenWorlds } from '../../../../support/worlds/seenWorlds.ts';
import { World } from '../../../../support/worlds/world.ts';
import { jobItem } from '../../../../support/worlds/worldItems.ts';
import { rightService, type DateKnob, type WorldSpec } from '../../../../support/worlds/worldSpec.ts';
import { worldSpecs } from '../../../../support/worlds/worldSpecs.ts';
import { isEndless, worldSource } from '../../../jobs/node/list/worldSource.ts';

const never = new AbortController().signal;
const overdueMinutes = 10;
const kinds = ['pre-recorded', 'live'] as const;
const unfinished = ['queued', 'processing'] as const;

/** Returns what the view would show of these lists, with failures of any age. */
function attentionOf(reader: AttentionReader) {
  const { overdue, groups, amounts, atMs } = buildAttention({
    ...reader.lists(overdueMinutes),
    marks: { ...nothingHandled, sinceMs: -Infinity },
    partlyFailed: [],
    unknown: [],
    failure: undefined,
  });
  const failed = groups.flatMap(({ jobs }) => jobs);
  const keys = [...overdue, ...failed].map(jobKey);
  assert.equal(new Set(keys).size, keys.length, 'each is in one place');
  const idsOf = (jobs: readonly { readonly id: string }[]): readonly string[] => jobs.map(({ id }) => id);
  return { overdue: idsOf(overdue), failed: idsOf(failed), amounts, atMs };
}

/** True if a careful reader can read lists by status completely. It notices a service that uses only the first of several statuses. */
function isReadable({ arrays, repeats, ...spec }: WorldSpec): boolean {
  // A job that is also listed in its former state is in two lists at once, and it is impossible to know which of them is old.
  if (repeats?.stale === true) return false;
  if (arrays?.otherwise === 'nothing' && !arrays.understands.includes('repeat')) return false;
  return readability(spec).verdict === 'readable';
}

const completion = { kind: 'honoured', inclusive: false, grain: 'millisecond', field: 'completed_at' } as const;
const dates: readonly DateKnob[] = [completion, { kind: 'ignored' }, { kind: 'refused', status: 422 }];
const busy = { ...rightService.jobs, count: 120, liveEvery: 3 };
/** A list that grows as fast as it is read, with items that cannot be read. */
const growing: WorldSpec = {
  seed: 2,
  next: { more: 'url', end: 'empty', late: 'no', nullFrom: null },
  unreadable: { every: 2, as: 'null', identical: false },
  changes: [
    { what: 'arrive', count: 1, where: 'start', datedByMs: 0, times: null, per: 'ms', every: 1000 },
    { what: 'leave', count: 1, where: 'start', datedByMs: 0, times: 1, per: 'request', every: 1 },
  ],
};
/** The first page of a list is empty although jobs follow, and only the first of several statuses is used. */
const emptyFirst: WorldSpec = {
  cut: 'beforeFilter',
  arrays: { understands: [], otherwise: 'first' },
  changes: [{ what: 'arrive', count: 40, where: 'start', datedByMs: 0, times: 3, per: 'ms', every: 30 }],
};
const seenExamples: [WorldSpec, 'byKind' | 'combined'][] = [
  [emptyFirst, 'byKind'],
  [growing, 'byKind'],
  // The first page is empty although jobs follow, and every other offset is unknown to the service.
  [
    {
      limit: { max: 1, above: 'capped', default: 20 },
      cut: 'beforeFilter',
      beyond: { at: 1, answer: 404, counts: 'offset' },
    },
    'byKind',
  ],
  ...Object.values(seenWorlds).map((spec): [WorldSpec, 'byKind'] => [spec, 'byKind']),
  ...dates.flatMap((beforeDate): [WorldSpec, 'byKind' | 'combined'][] => [
    [{ jobs: busy, beforeDate }, 'byKind'],
    [{ jobs: busy, beforeDate, order: 'oldest', limit: { max: 10, above: 'capped', default: 10 } }, 'combined'],
  ]),
];

test('property: after any reading of any service, the jobs shown are correct or have a plus', async () => {
  const seen = { exact: 0, plus: 0, overdue: 0 };
  const specs = worldSpecs({ maxJobs: 130, without: ['posts', 'made', 'metadata', 'onDate', 'itemBytes'] });
  const source = fc.constantFrom('byKind' as const, 'byKind' as const, 'combined' as const);
  await fc.assert(
    fc.asyncProperty(specs, source, async (spec, listSource) => {
      if (!isReadable(spec)) return;
      // Combined signals refer to each other weakly, and are only released between two turns of the event loop.
      await setImmediate();
      const world = new World(spec);
      const clock = { now: () => world.clientNow() };
      const reader = new AttentionReader(worldSource(world), { limit: 20, listSource }, clock);
      for (const isWhole of [true, false, true]) {
        const from = world.moment;
        const failure = await reader.read(isWhole, false, never);
        const to = world.moment;
        assert.ok(!isEndless(world));
        const { overdue, failed, amounts, atMs } = attentionOf(reader);
        if (failure !== undefined) {
          assert.ok(!(amounts.overdue.isExact && amounts.failures.isExact));
          continue;
        }
        const listed = kinds.map((kind) => ({ kinds: [kind] }));
        if (amounts.failures.isExact) {
          seen.exact++;
          const there = new Set(failed);
          const throughout = listed.flatMap((query) =>
            matchedThroughout(world, { ...query, statuses: ['error'] }, from, to),
          );
          const ever = new Set(
            listed.flatMap((query) => everMatched(world, { ...query, statuses: ['error'] }, from, to)),
          );
          assert.deepEqual(
            throughout.filter((id) => !there.has(id)),
            [],
            'all failures',
          );
          // An item whose ID is a number is a job with that ID.
          const isOther = (id: string): boolean => !ever.has(id) && world.jobs.some((job) => job.id === id);
          assert.deepEqual(failed.filter(isOther), [], 'no other failures');
        } else seen.plus++;
        const isLate = (id: string): boolean => {
          const job = world.jobs.find((each) => each.id === id);
          const state = job?.states.at(-1);
          if (job === undefined || state === undefined) return world.knobs.unreadable !== null;
          const { created_at: created } = jobItem(world.knobs, job, state, job.kind);
          const createdAtMs = typeof created === 'string' ? parseDateTimeMs(created) : undefined;
          return createdAtMs !== undefined && atMs - createdAtMs > overdueMinutes * 60_000;
        };
        assert.ok(overdue.every(isLate), 'none that is not overdue');
        if (!amounts.overdue.isExact) continue;
        seen.overdue += overdue.length;
        const there = new Set(overdue);
        const throughout = listed.flatMap((query) =>
          matchedThroughout(world, { ...query, statuses: unfinished }, from, to),
        );
        assert.deepEqual(
          throughout.filter((id) => isLate(id) && !there.has(id)),
          [],
          'all that is overdue',
        );
      }
    }),
    { numRuns: propertyRuns, examples: seenExamples },
  );
  assert.ok(seen.exact > 0 && seen.plus > 0 && seen.overdue > 0, JSON.stringify(seen));
});

const status = fc.constantFrom<JobStatus>(...jobStatuses);
const event: fc.Arbitrary<Event> = fc.oneof(
  fc.record({ type: fc.constant('arrive'), status }),
  fc.record({ type: fc.constant('leave'), place: fc.nat(60) }),
  fc.record({ type: fc.constant('change'), place: fc.nat(60), status }),
);

test('property: all jobs that stay failed while their list moves are shown, or there is a plus', async () => {
  let exact = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        jobs: fc.nat(300),
        statuses: fc.array(status, { minLength: 1, maxLength: 7 }),
        events: fc.array(fc.array(event, { maxLength: 4 }), { maxLength: 20 }),
        clamp: fc.option(fc.integer({ min: 2, max: 30 }), { nil: undefined }),
        maxLimit: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
        ties: fc.integer({ min: 1, max: 5 }),
        tellsTime: fc.boolean(),
      }),
      async ({ statuses, clamp, maxLimit, ...options }) => {
        await setImmediate();
        const list = new MovingList({
          ...options,
          status: (index) => statuses[index % statuses.length] ?? 'done',
          ...(clamp !== undefined && { clamp }),
          ...(maxLimit !== undefined && { maxLimit }),
        });
        // Sends one request after another: two kinds at once would see different moments.
        const reader = new AttentionReader(list, { limit: 20, listSource: 'combined' }, new FakeClock());
        const failure = await reader.read(true, false, never);
        assert.equal(failure, undefined);
        const { failed, amounts } = attentionOf(reader);
        const known = new Set(reader.lists(overdueMinutes).jobs.map(({ id }) => id));
        if (amounts.failures.isExact) {
          exact++;
          assert.deepEqual(
            list.matchedAllAlong('error').filter((id) => !failed.includes(id)),
            [],
          );
        }
        if (amounts.overdue.isExact)
          for (const each of unfinished)
            assert.deepEqual(
              list.matchedAllAlong(each).filter((id) => !known.has(id)),
              [],
            );
      },
    ),
    { numRuns: propertyRuns },
  );
  assert.ok(exact > 0);
});
