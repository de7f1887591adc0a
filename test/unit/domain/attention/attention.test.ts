import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { limitOf, needsAttention } from '../../../../src/domain/attention/attention.ts';
import { foldHandled, handledRecords, nothingHandled } from '../../../../src/domain/attention/handledMarks.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';
import { aSubmission } from '../../service/submit/aSubmission.ts';
import { anAttention, attentionAtMs, jobOfAge, kindReading } from './anAttention.ts';

describe('buildAttention', () => {
  it('sums overdue jobs of all kinds, new failures and unknown outcomes', () => {
    const attention = anAttention(
      [
        kindReading({ overdue: { type: 'known', jobs: [jobOfAge('young', 'queued', 20)], hasMore: false } }),
        kindReading({
          kind: 'pre-recorded',
          overdue: { type: 'known', jobs: [jobOfAge('old', 'queued', 90)], hasMore: false },
          failed: { type: 'known', jobs: [jobOfAge('bad', 'error', 30)], hasMore: false, isNewest: true },
        }),
      ],
      { unknown: [aSubmission()] },
    );
    assert.deepEqual(
      attention.overdue.map(({ id }) => id),
      ['old', 'young'],
    );
    assert.deepEqual(attention.amounts, {
      overdue: { count: 2, isExact: true },
      failures: { count: 1, isExact: true },
      total: { count: 4, isExact: true },
    });
    assert.ok(needsAttention(attention));
    assert.ok(!needsAttention(anAttention([kindReading()])));
  });

  it('groups failures by what handled ones have in common, too, and shows none of those', () => {
    const failed = (id: string, code: number, metadata = {}) =>
      jobOfAge(id, 'error', 30, { error_code: code, custom_metadata: metadata });
    const acme = { customer: 'acme' };
    const handled = ['1', '2', '3'].map((id) => failed(id, 422, acme));
    const others = ['4', '5', '6'].map((id) => failed(id, 500));
    const jobs = [...handled, failed('next', 422, acme), failed('rest', 422), ...others];
    const { groups } = anAttention([kindReading({ failed: { type: 'known', jobs, hasMore: false, isNewest: true } })], {
      marks: foldHandled(handledRecords(handled, attentionAtMs)),
    });
    assert.deepEqual(
      groups
        .map(({ code, pair, jobs: same }) => `${code} ${pair?.value} ${same.map(({ id }) => id).join()}`)
        .toSorted(),
      ['422 acme next', '422 undefined rest', '500 undefined 4,5,6'],
    );
  });

  it('tells from when on failures are new, which stays where it was fixed', () => {
    const sinceMs = attentionAtMs - 50 * 3_600_000;
    assert.equal(anAttention([kindReading()], { marks: { ...nothingHandled, sinceMs } }).sinceMs, sinceMs);
    assert.equal(anAttention([kindReading()]).sinceMs, attentionAtMs - 24 * 3_600_000);
  });

  it('says at least so many where there is more, and that it does not know where it does not', () => {
    const jobs = [jobOfAge('a', 'queued', 20)];
    const more = anAttention([kindReading({ overdue: { type: 'known', jobs, hasMore: true } })]);
    assert.deepEqual(more.amounts.total, { count: 1, isExact: false });
    const half = anAttention([
      kindReading({ overdue: { type: 'known', jobs, hasMore: false } }),
      kindReading({ overdue: { type: 'unknown' } }),
    ]);
    assert.deepEqual(half.amounts.overdue, { count: 1, isExact: false });
    const nothing = anAttention([kindReading({ overdue: { type: 'unknown' } })]);
    assert.equal(nothing.amounts.overdue, undefined);
    assert.ok(needsAttention(nothing), 'it is said');
    const refused = anAttention([kindReading({ failed: { type: 'unknown' } })]);
    assert.deepEqual(refused.amounts.failures, { count: 0, isExact: false });
  });

  it('calls overdue jobs exact only where both statuses were seen to count', () => {
    const { obeysStatuses: _obeys, ...limit } = kindReading().limit;
    const jobs = [jobOfAge('a', 'queued', 20)];
    const attention = anAttention([kindReading({ limit, overdue: { type: 'known', jobs, hasMore: false } })]);
    assert.deepEqual(attention.amounts.overdue, { count: 1, isExact: false });
    assert.deepEqual(attention.amounts.total, { count: 1, isExact: false });
  });

  it('says that there may be failures that were not read only where all that were read are handled', () => {
    const jobs = [jobOfAge('bad', 'error', 30)];
    const marks = foldHandled(handledRecords(jobs, attentionAtMs));
    const failed = { type: 'known', jobs, hasMore: true, isNewest: true } as const;
    const older = kindReading({ failed: { ...failed, hasOlder: true } });
    const handled = anAttention([older], { marks });
    assert.ok(handled.mayHaveUnread);
    assert.ok(needsAttention(handled));
    assert.ok(!anAttention([older]).mayHaveUnread);
    const unreadable = anAttention([kindReading({ failed })], { marks });
    assert.ok(!unreadable.mayHaveUnread);
    assert.ok(!needsAttention(unreadable));
    assert.deepEqual(unreadable.amounts.failures, { count: 0, isExact: false });
  });

  it('knows the limit of a kind that was read', () => {
    const attention = anAttention([kindReading()]);
    assert.equal(limitOf(attention, { kind: 'live' })?.type, 'measured');
    assert.equal(limitOf(attention, { kind: 'pre-recorded' }), undefined);
  });

  it('shows each failure that is not marked in exactly one group', () => {
    const failure = fc.record({
      id: fc.stringMatching(/^[a-h]$/),
      code: fc.constantFrom(1, 2),
      isMarked: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.uniqueArray(failure, { selector: ({ id }) => id }), (given) => {
        const jobs = given.map(({ id, code }) => jobOfAge(id, 'error', 30, { error_code: code }));
        const marked = jobs.filter((_job, at) => given[at]?.isMarked);
        const marks = foldHandled(handledRecords(marked, attentionAtMs));
        const reading = kindReading({ failed: { type: 'known', jobs, hasMore: false, isNewest: true } });
        const shown = anAttention([reading], { marks }).groups.flatMap((group) => group.jobs.map(({ id }) => id));
        assert.deepEqual(shown.toSorted(), given.flatMap(({ id, isMarked }) => (isMarked ? [] : [id])).toSorted());
      }),
      { numRuns: propertyRuns },
    );
  });
});
