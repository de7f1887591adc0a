import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { limitOf, needsAttention, type ListReading } from '../../../../../src/features/attention/common/attention.ts';
import {
  foldHandled,
  handledRecords,
  nothingHandled,
} from '../../../../../src/features/attention/common/handledMarks.ts';
import type { OverdueLimit } from '../../../../../src/features/attention/common/overdue.ts';
import { jobStatuses } from '../../../../../src/jobs/common/job.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';
import { aSubmission } from '../../submit/node/aSubmission.ts';
import { anAttention, attentionAtMs, cutList, jobOfAge, listBefore, wholeList } from './anAttention.ts';

describe('buildAttention', () => {
  it('sums overdue jobs, new failures and unknown outcomes', () => {
    const attention = anAttention(
      [
        jobOfAge('old', 'processing', 90),
        jobOfAge('young', 'queued', 20),
        jobOfAge('new', 'queued', 9),
        jobOfAge('bad', 'error', 30),
        jobOfAge('ended', 'done', 30),
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
    assert.ok(!needsAttention(anAttention()));
  });

  it('groups failures with regard to handled ones, without showing those', () => {
    const failed = (id: string, code: number, metadata = {}) =>
      jobOfAge(id, 'error', 30, { error_code: code, custom_metadata: metadata });
    const acme = { customer: 'acme' };
    const handled = ['1', '2', '3'].map((id) => failed(id, 422, acme));
    const others = ['4', '5', '6'].map((id) => failed(id, 500));
    const jobs = [...handled, failed('next', 422, acme), failed('rest', 422), ...others];
    const { groups } = anAttention(jobs, { marks: foldHandled(handledRecords(handled, attentionAtMs)) });
    assert.deepEqual(
      groups
        .map(({ code, pair, jobs: same }) => `${code} ${pair?.value} ${same.map(({ id }) => id).join()}`)
        .toSorted(),
      ['422 acme next', '422 undefined rest', '500 undefined 4,5,6'],
    );
  });

  it('knows if something is handled or muted and can be restored', () => {
    const jobs = ['1', '2'].map((id) => jobOfAge(id, 'error', 30, { error_code: 422 }));
    const after = (records: Parameters<typeof foldHandled>[0]) => anAttention(jobs, { marks: foldHandled(records) });
    const marked = (act?: string) => handledRecords(jobs.slice(1), attentionAtMs, act);
    assert.ok(!after([]).canUndo);
    assert.ok(!after(marked()).canUndo, 'a mark by a job that repeats it');
    assert.ok(after(marked('act')).canUndo);
    assert.ok(!after([...marked('act'), { type: 'undone', act: 'act' }]).canUndo);
    const [group = ''] = after([]).groups.map(({ id }) => id);
    const mute = { type: 'muted', group, fromMs: attentionAtMs, atMs: attentionAtMs, act: 'mute' } as const;
    assert.ok(after([mute]).canUndo);
    assert.ok(!after([{ ...mute, fromMs: attentionAtMs - 10, untilMs: attentionAtMs - 1 }]).canUndo, 'it is over');
  });

  it('has the time since which failures are new, which stays once it is set', () => {
    const sinceMs = attentionAtMs - 50 * 3_600_000;
    assert.equal(anAttention([], { marks: { ...nothingHandled, sinceMs } }).sinceMs, sinceMs);
    assert.equal(anAttention().sinceMs, attentionAtMs - 24 * 3_600_000);
  });

  it('shows a number with a plus unless both lists were just read completely', () => {
    const jobs = [jobOfAge('late', 'queued', 20), jobOfAge('bad', 'error', 20)];
    const exact = (unfinished: readonly ListReading[], failed: readonly ListReading[]) => {
      const { overdue, failures, total } = anAttention(jobs, { unfinished, failed }).amounts;
      assert.deepEqual([overdue.count, failures.count, total.count], [1, 1, 2]);
      return [overdue.isExact, failures.isExact, total.isExact];
    };
    const unreadable: ListReading = { ...wholeList, hasUnreadable: true };
    assert.deepEqual(exact([wholeList, wholeList], [wholeList, wholeList]), [true, true, true]);
    for (const doubt of [listBefore, cutList, unreadable, { type: 'unread' }, { type: 'refused' }] as const) {
      assert.deepEqual(exact([wholeList, doubt], [wholeList]), [false, true, false], JSON.stringify(doubt));
      assert.deepEqual(exact([wholeList], [doubt, wholeList]), [true, false, false], JSON.stringify(doubt));
    }
  });

  it('reports unknown if nothing was found but jobs may be unread', () => {
    for (const gap of [cutList, { type: 'refused' }] as const) {
      const overdue = anAttention([], { unfinished: [gap] });
      assert.ok(overdue.isOverdueUnknown && needsAttention(overdue));
      assert.ok(!anAttention([jobOfAge('late', 'queued', 20)], { unfinished: [gap] }).isOverdueUnknown);
      const failures = anAttention([], { failed: [gap] });
      assert.ok(failures.mayHaveUnread && needsAttention(failures));
      assert.ok(!anAttention([jobOfAge('bad', 'error', 20)], { failed: [gap] }).mayHaveUnread);
    }
    const between = anAttention([], { unfinished: [listBefore], failed: [listBefore] });
    assert.ok(!needsAttention(between), 'nor does it come and go with each look at the first page');
    assert.deepEqual(between.amounts.total, { count: 0, isExact: false });
  });

  it('does not count a job of unknown age, and reports it', () => {
    const undated = jobOfAge('undated', 'queued', 20, { created_at: null });
    const alone = anAttention([undated]);
    assert.deepEqual(alone.overdueGaps, ['undated']);
    assert.ok(alone.isOverdueUnknown);
    const beside = anAttention([undated, jobOfAge('late', 'queued', 20)]);
    assert.deepEqual(beside.amounts.overdue, { count: 1, isExact: false });
    const unmeasured = anAttention([jobOfAge('late', 'queued', 20)], { limits: new Map() });
    assert.deepEqual([unmeasured.overdueGaps, unmeasured.isOverdueUnknown], [['unmeasured'], true]);
  });

  it('shows overdue jobs with a plus if the time of the service is unknown and others may be overdue', () => {
    const late = jobOfAge('late', 'queued', 20);
    const young = jobOfAge('young', 'queued', 1);
    const isExact = (jobs: Parameters<typeof anAttention>[0]) =>
      anAttention(jobs, { isClockKnown: false }).amounts.overdue.isExact;
    assert.deepEqual([isExact([late, young]), isExact([late]), isExact([])], [false, true, true]);
  });

  it('leaves out jobs that failed in part and were queued again since', () => {
    const half = jobOfAge('half', 'done', 20, { completed_at: new Date(attentionAtMs - 60_000).toISOString() });
    const partly = (jobs: Parameters<typeof anAttention>[0]) =>
      anAttention(jobs, { partlyFailed: [half] }).partlyFailed;
    assert.equal(partly([]).length, 1);
    assert.equal(partly([half]).length, 1);
    assert.equal(partly([jobOfAge('half', 'queued', 20)]).length, 0);
  });

  it('has a limit for each kind, and the longest one for an unknown kind', () => {
    const limits = new Map<string, OverdueLimit>([
      ['live', { type: 'set', afterMs: 1 }],
      ['pre-recorded', { type: 'set', afterMs: 2 }],
    ]);
    const afterMs = (kind: string) => limitOf({ limits }, { kind })?.afterMs;
    assert.deepEqual(['live', 'pre-recorded', 'batch'].map(afterMs), [1, 2, 2]);
    limits.delete('pre-recorded');
    assert.equal(afterMs('pre-recorded'), undefined);
  });

  it('shows each job in at most one place, and each failure that is not marked', () => {
    const given = fc.record({
      id: fc.stringMatching(/^[a-h]$/),
      status: fc.constantFrom(...jobStatuses),
      code: fc.constantFrom(1, 2),
      minutes: fc.constantFrom(1, 30),
      isMarked: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.uniqueArray(given, { selector: ({ id }) => id }), (all) => {
        const jobs = all.map(({ id, status, code, minutes }) => jobOfAge(id, status, minutes, { error_code: code }));
        const marks = foldHandled(
          handledRecords(
            jobs.filter((_job, at) => all[at]?.isMarked),
            attentionAtMs,
          ),
        );
        const { overdue, groups } = anAttention(jobs, { marks });
        const failures = groups.flatMap((group) => group.jobs);
        const idsOf = (some: readonly { readonly id: string }[]): readonly string[] =>
          some.map(({ id }) => id).toSorted();
        assert.deepEqual(idsOf(failures), idsOf(all.filter(({ status, isMarked }) => status === 'error' && !isMarked)));
        assert.deepEqual(
          idsOf(overdue),
          idsOf(all.filter(({ status, minutes }) => ['queued', 'processing'].includes(status) && minutes === 30)),
        );
      }),
      { numRuns: propertyRuns },
    );
  });
});
