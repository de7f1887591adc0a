import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { attempt, Undecodable } from '../../../../../src/base/decode/decoder.ts';
import {
  decodeHandledRecord,
  fadingMarks,
  failuresSinceMs,
  firstLookMs,
  foldHandled,
  handledRecords,
  maxMarks,
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
        const { jobs, sinceMs, lastAct } = foldHandled(turned);
        const without = foldHandled(records.filter((each) => !acts.includes(each.act)));
        assert.equal(sinceMs, without.sinceMs);
        assert.deepEqual(
          new Map([...jobs].map(([key, { failedAtMs, atMs }]) => [key, [failedAtMs, atMs]])),
          new Map([...without.jobs].map(([key, { failedAtMs, atMs }]) => [key, [failedAtMs, atMs]])),
        );
        assert.equal(lastAct === undefined, without.lastAct === undefined);
        assert.ok(!acts.some((each) => each === lastAct));
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
    assert.equal(marks.lastAct, 'act 15', 'what was written again is not what was done last');
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
    assert.equal(decodeHandledRecord({ schema: 2, type: 'another' }), undefined);
    const broken = [null, 1, [], {}, { schema: 1 }, { schema: 1, type: 'handled', job: 7, atMs: 1 }];
    for (const each of broken) assert.ok(attempt(decodeHandledRecord, each) instanceof Undecodable);
  });
});
