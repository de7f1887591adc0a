import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { failuresAnswer, overdueAnswer } from '../../../../../src/features/agents/common/attentionAnswers.ts';
import { anAttention, cutList, jobOfAge, liveLimits } from '../../attention/common/anAttention.ts';

const mask = (text: string): string => text.replaceAll('s3cret', '•••');
const read = (answer: string): unknown => JSON.parse(answer);

describe('Results for agents', () => {
  it('show overdue jobs with their waiting time, the usual time, and the certainty of the count', () => {
    const jobs = [jobOfAge('s3cret-1', 'queued', 41)];
    const attention = anAttention(jobs, { unfinished: [cutList] });
    const answer = read(overdueAnswer(attention, mask)) as Record<string, unknown>;
    assert.equal(answer['certainty'], 'atLeast');
    assert.equal(answer['count'], 1);
    assert.deepEqual(answer['kinds'], [
      {
        kind: 'live',
        overdueAfterMinutes: 10,
        measured: { share: 0.95, ofFinishedJobs: 200, withinMinutes: 4 },
      },
    ]);
    assert.match(JSON.stringify(answer['jobs']), /"•••-1".*"waitedMinutes":41/);
  });

  it('show no number that is unknown', () => {
    const unknown = anAttention([], { unfinished: [{ type: 'refused' }], failed: [{ type: 'unread' }] });
    assert.deepEqual(read(overdueAnswer(unknown, mask)), {
      certainty: 'unknown',
      kinds: [
        {
          kind: 'live',
          overdueAfterMinutes: 10,
          measured: { share: 0.95, ofFinishedJobs: 200, withinMinutes: 4 },
        },
      ],
      jobs: [],
    });
    assert.deepEqual(read(failuresAnswer(unknown, {}, mask)), { certainty: 'unknown', groups: [] });
    const none = anAttention();
    assert.deepEqual(read(failuresAnswer(none, {}, mask)), { certainty: 'exact', count: 0, groups: [] });
  });

  it('group failures by their common properties, masked', () => {
    const jobs = ['1', '2', '3', '4'].map((id) =>
      jobOfAge(id, 'error', 20, { error_code: 422, custom_metadata: { customer: id === '4' ? 'x' : 's3cret' } }),
    );
    const attention = anAttention(jobs);
    const answer = read(failuresAnswer(attention, { 422: 'bad audio' }, mask)) as {
      readonly certainty: string;
      readonly groups: readonly object[];
    };
    assert.equal(answer.certainty, 'exact');
    assert.deepEqual(answer.groups[0], {
      errorCode: 422,
      label: 'bad audio',
      inCommon: { customer: '•••' },
      count: 3,
      share: 0.75,
      firstSeen: '2026-11-20T11:43:00.000Z',
      lastSeen: '2026-11-20T11:43:00.000Z',
      ids: ['1', '2', '3'].map((id) => ({ kind: 'live', id })),
    });
  });

  it('are masked without reading long texts of jobs to their ends', () => {
    const long = 'word '.repeat(20_000);
    const jobs = ['1', '2', '3', '4'].map((id) =>
      jobOfAge(id, 'error', 20, { kind: long, custom_metadata: { customer: long, [long]: id === '4' ? 'x' : 'y' } }),
    );
    const attention = anAttention([...jobs, jobOfAge('5', 'queued', 41, { kind: long })], { limits: liveLimits });
    let masked = 0;
    const count = (text: string): string => {
      masked += text.length;
      return text;
    };
    const answers = [overdueAnswer(attention, count), failuresAnswer(attention, {}, count)];
    assert.ok(masked < 20_000, `${masked} characters were masked`);
    assert.ok(answers.every((answer) => answer.length < 10_000 && answer.includes('word word')));
  });
});
