import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { attempt, Undecodable } from '../../../../../src/base/decode/decoder.ts';
import { hourMs } from '../../../../../src/base/time.ts';
import {
  decodeHandledRecord,
  fadingMarks,
  failuresSinceMs,
  firstLookMs,
  foldHandled,
  handledRecords,
  maxMarks,
  maxMutes,
  muteEnd,
  newSinceMs,
  nothingHandled,
  storedRecord,
  unhandled,
  type HandledRecord,
} from '../../../../../src/features/attention/common/handledMarks.ts';
import { bareJob } from '../../../../support/builders/bareJob.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';

const nowMs = 100 * firstLookMs;
const failure = (id: string, completedAtMs: number | undefined = nowMs - 2000) =>
  bareJob({ id, status: 'error', createdAtMs: nowMs - 3000, completedAtMs });
const idsOf = (jobs: readonly { readonly id: string }[]): readonly string[] => jobs.map(({ id }) => id);

describe('Handled marks', () => {
  it('hide handled failures, and show later ones, also of the same job', () => {
    const marks = foldHandled(handledRecords([failure('a')], nowMs));
    assert.deepEqual(idsOf(unhandled([failure('a'), failure('b')], marks, nowMs)), ['b']);
    assert.deepEqual(idsOf(unhandled([failure('a', nowMs)], marks, nowMs)), ['a']);
  });

  it('cover the later failure of a job, even if our clock was set back before it was marked', () => {
    const first = handledRecords([failure('a', nowMs - 2000)], nowMs);
    const second = handledRecords([failure('a', nowMs)], nowMs - firstLookMs);
    for (const records of [
      [...first, ...second],
      [...second, ...first],
    ]) {
      const marks = foldHandled(records);
      assert.deepEqual(unhandled([failure('a', nowMs)], marks, nowMs), []);
      assert.equal(marks.jobs.get('live/a')?.atMs, nowMs, 'dropped as late as its last mark');
    }
  });

  it('begin with the failures of the last day, and continue from the time when everything was handled', () => {
    assert.equal(failuresSinceMs(nothingHandled, nowMs), nowMs - firstLookMs);
    const old = { ...failure('old'), completedAtMs: nowMs - firstLookMs - 1 };
    const undated = { ...failure('undated'), createdAtMs: undefined, completedAtMs: undefined };
    assert.deepEqual(idsOf(unhandled([old, undated], nothingHandled, nowMs)), ['undated']);
    const marks = foldHandled([
      { type: 'since', sinceMs: 9 },
      { type: 'since', sinceMs: 5 },
    ]);
    assert.deepEqual(idsOf(unhandled([old], marks, nowMs)), ['old']);
    assert.equal(failuresSinceMs(marks, nowMs), 9);
  });

  it('keep a failure at exactly the time since which failures are new', () => {
    const marks = foldHandled([{ type: 'since', sinceMs: nowMs - 2000 }]);
    assert.deepEqual(idsOf(unhandled([failure('now', nowMs - 2000), failure('before', nowMs - 2001)], marks, nowMs)), [
      'now',
    ]);
  });

  it('have no effect once undone, in any order of records', () => {
    const job = fc.constantFrom('live/a', 'live/b', 'live/c');
    const act = fc.constantFrom('1', '2', '3');
    const written = fc.oneof(
      fc.record({ type: fc.constant('handled' as const), job, failedAtMs: fc.nat(), atMs: fc.nat(), act }),
      fc.record({ type: fc.constant('since' as const), sinceMs: fc.nat(), act }),
    );
    fc.assert(
      fc.property(fc.array(written), fc.array(act), fc.nat(), (records, acts, turn) => {
        const undone = acts.map((each) => ({ type: 'undone', act: each }) as const);
        const all = [...records, ...undone];
        const turned = [...all.slice(turn % (all.length + 1)), ...all.slice(0, turn % (all.length + 1))];
        const { jobs, sinceMs, acts: left } = foldHandled(turned);
        const without = foldHandled(records.filter((each) => !acts.includes(each.act)));
        assert.equal(sinceMs, without.sinceMs);
        assert.deepEqual(
          new Map([...jobs].map(([key, { failedAtMs, atMs }]) => [key, [failedAtMs, atMs]])),
          new Map([...without.jobs].map(([key, { failedAtMs, atMs }]) => [key, [failedAtMs, atMs]])),
        );
        assert.deepEqual(
          left.map(({ act: each }) => each).toSorted(),
          without.acts.map(({ act: each }) => each).toSorted(),
        );
        assert.ok(!left.some((each) => acts.some((one) => one === each.act)));
      }),
      { numRuns: propertyRuns },
    );
  });

  it('never hide a failure that was not marked, in any order of windows and records', () => {
    const ids = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
    const step = fc.record({ ids: fc.array(ids), atMs: fc.nat({ max: 20 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), fc.array(fc.nat(), { minLength: 50 }), (steps, order) => {
        const records = steps.flatMap((each) =>
          handledRecords(
            each.ids.map((id) => failure(id)),
            each.atMs,
          ),
        );
        const shuffled = records
          .map((each, at) => ({ each, place: order[at % order.length] ?? 0 }))
          .toSorted((one, other) => one.place - other.place)
          .map(({ each }) => each);
        const marked = new Set<string>(steps.flatMap((each) => each.ids));
        const all = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => failure(id));
        assert.deepEqual(
          idsOf(unhandled(all, foldHandled(shuffled), nowMs)),
          idsOf(all).filter((id) => !marked.has(id)),
        );
      }),
      { numRuns: propertyRuns },
    );
  });

  it('drop the oldest above their maximum, so that a failure is shown again and not lost', () => {
    const many = Array.from({ length: maxMarks + 1 }, (_, at): HandledRecord => ({
      type: 'handled',
      job: `live/${at}`,
      atMs: at,
    }));
    const { jobs } = foldHandled(many);
    assert.equal(jobs.size, maxMarks);
    assert.ok(!jobs.has('live/0'));
  });

  it('are kept as long as their failures are listed, however many are marked later', () => {
    const act = 'first';
    let records: readonly HandledRecord[] = handledRecords([failure('old'), failure('gone')], 0, act);
    for (let round = 1; round <= 15; round++) {
      records = [...records, ...fadingMarks(foldHandled(records), [failure('old')], round)];
      const others = Array.from({ length: 1000 }, (_, at) => failure(`${round}.${at}`));
      records = [...records, ...handledRecords(others, round, `act ${round}`)];
    }
    const marks = foldHandled(records);
    assert.deepEqual(idsOf(unhandled([failure('old'), failure('gone')], marks, nowMs)), ['gone']);
    assert.equal(marks.jobs.size, maxMarks);
    assert.equal(marks.acts.at(-1)?.act, 'act 15', 'what was written again is not what was done last');
    assert.ok(records.length < 15 * 1000 + 20, 'and it is not written again each time');
    assert.deepEqual(idsOf(unhandled([failure('old', nowMs)], marks, nowMs)), ['old'], 'a later failure is new');
  });

  it('move the time since which failures are new to the oldest one left', () => {
    const hour = firstLookMs / 24;
    const marks = { ...nothingHandled, sinceMs: nowMs - 72 * hour };
    const left = (hours: number) => failure(`${hours}`, nowMs - hours * hour);
    assert.equal(newSinceMs([], marks, nowMs, nowMs), nowMs - 24 * hour);
    assert.equal(newSinceMs([left(1), left(50)], marks, nowMs, nowMs), nowMs - 50 * hour);
    assert.equal(newSinceMs([left(100)], marks, nowMs, nowMs), nowMs - 24 * hour, 'too old to be new');
    assert.equal(newSinceMs([], { ...marks, sinceMs: nowMs }, nowMs, nowMs), nowMs, 'never back');
    const marked = { ...marks, jobs: foldHandled(handledRecords([left(50)], nowMs, 'act')).jobs };
    assert.equal(newSinceMs([left(50)], marked, nowMs, nowMs), nowMs - 50 * hour, 'it may be brought back');
    assert.equal(newSinceMs([left(50)], marked, nowMs, nowMs + 25 * hour), nowMs - 24 * hour);
  });

  it('are read as stored, and damaged records are distinguished from those of a later version', () => {
    for (const each of [
      ...handledRecords([failure('a')], 5, 'act'),
      { type: 'since', sinceMs: 4, act: 'act' } as const,
      { type: 'undone', act: 'act' } as const,
    ]) {
      assert.deepEqual(decodeHandledRecord(JSON.parse(JSON.stringify(storedRecord(each)))), each);
    }
    assert.equal(decodeHandledRecord({ schema: 3, type: 'another' }), undefined);
    const broken = [null, 1, [], {}, { schema: 1 }, { schema: 1, type: 'handled', job: 7, atMs: 1 }];
    for (const each of broken) assert.ok(attempt(decodeHandledRecord, each) instanceof Undecodable);
  });
});

describe('Mutes of failures', () => {
  const end = (timesMs: readonly number[], isWhole = true): number =>
    muteEnd({ group: 'x', fromMs: 0 }, { timesMs, isWhole });

  it('with a time are over then, whatever fails', () => {
    assert.equal(muteEnd({ group: 'x', fromMs: 0, untilMs: 5 }, { timesMs: [1, 2, 3, 9], isWhole: true }), 5);
  });

  it('without a time are over an hour after the last failure, and later failures do not renew them', () => {
    assert.equal(end([]), hourMs);
    assert.equal(end([-5, -10 * hourMs]), hourMs, 'failures before it do not count');
    assert.equal(end([hourMs / 2]), 1.5 * hourMs);
    assert.equal(end([1.2 * hourMs, hourMs / 2, 2.1 * hourMs]), 3.1 * hourMs, 'in any order');
    assert.equal(end([hourMs / 2, 1.5 * hourMs]), 1.5 * hourMs, 'it has stopped before the next one');
    assert.equal(end([5 * hourMs]), hourMs);
  });

  it('are not over because the first failures of a long list were not read', () => {
    assert.equal(end([5 * hourMs, 5.5 * hourMs], false), 6.5 * hourMs);
    assert.equal(end([5 * hourMs, 7 * hourMs], false), 6 * hourMs);
    assert.equal(end([], false), hourMs);
  });

  it('property: end only after an hour without a failure', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -hourMs, max: 20 * hourMs })), (timesMs) => {
        const endMs = end(timesMs);
        assert.ok(timesMs.every((atMs) => atMs <= endMs - hourMs || atMs >= endMs));
        assert.ok(endMs === hourMs || timesMs.includes(endMs - hourMs));
      }),
      { numRuns: propertyRuns },
    );
  });

  it('are those that were set last for each group, a hundred at most, and are gone once undone', () => {
    const mute = (group: string, atMs: number, act?: string): HandledRecord => ({
      type: 'muted',
      group,
      fromMs: atMs,
      untilMs: atMs + 1,
      atMs,
      act,
    });
    const marks = foldHandled([mute('a', 5, 'late'), mute('a', 3, 'early'), mute('b', 4, 'other')]);
    assert.equal(marks.mutes.get('a')?.fromMs, 5);
    assert.equal(marks.acts.at(-1)?.act, 'late');
    const undone = foldHandled([mute('a', 5, 'late'), mute('a', 3, 'early'), { type: 'undone', act: 'late' }]);
    assert.equal(undone.mutes.get('a')?.fromMs, 3, 'the one before counts again');
    const many = foldHandled(Array.from({ length: 150 }, (_, at) => mute(`g${at}`, at)));
    assert.equal(many.mutes.size, maxMutes);
    assert.ok(many.mutes.has('g149') && !many.mutes.has('g49'));
  });

  it('are stored so that earlier versions skip them, and marks so that they read them', () => {
    const schema = (each: HandledRecord): unknown => new Map(Object.entries(storedRecord(each))).get('schema');
    assert.equal(schema({ type: 'muted', group: 'a', fromMs: 1, untilMs: undefined, atMs: 1 }), 2);
    assert.equal(schema({ type: 'undone', act: 'a' }), 1);
    assert.deepEqual(handledRecords([failure('a')], nowMs).map(schema), [1]);
    const read = (value: unknown) => attempt(decodeHandledRecord, value);
    const stored = { schema: 2, type: 'muted', group: 'a', fromMs: 1, untilMs: undefined, atMs: 1, act: undefined };
    const { schema: _schema, ...record } = stored;
    assert.deepEqual(read(stored), record);
    assert.ok(read({ ...stored, group: 'x'.repeat(1001) }) instanceof Undecodable);
    assert.equal(read({ ...stored, schema: 3 }), undefined);
  });
});
