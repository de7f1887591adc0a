import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { minuteMs } from '../../../../../src/base/time.ts';
import { foldHandled, handledRecords, type Mute } from '../../../../../src/features/attention/common/handledMarks.ts';
import { undoChoices } from '../../../../../src/features/attention/common/undoChoices.ts';
import { attentionAtMs, jobOfAge } from './anAttention.ts';

const facts = {
  locale: { language: 'en', timeZone: 'UTC' },
  errorLabels: { 422: 'Unreadable\u202eaudio' },
  nowMs: attentionAtMs,
};
const failed = ['a', 'b', 'c', 'd'].map((id) =>
  jobOfAge(id, 'error', 20, { error_code: 500, custom_metadata: { customer: id === 'd' ? 'x' : 'Northwind' } }),
);

function muted(act: string, atMs: number, mute: Partial<Mute> = {}) {
  return { type: 'muted', group: '[422,null,null]', fromMs: atMs, atMs, act, ...mute } as const;
}

function choices(records: Parameters<typeof foldHandled>[0]) {
  return undoChoices(foldHandled(records), failed, attentionAtMs, facts);
}

describe('The choices of what to undo', () => {
  it('are named after their groups, newest first, and say when each was done', () => {
    const found = choices([
      ...handledRecords(failed.slice(0, 3), attentionAtMs - 30 * minuteMs, 'handled'),
      muted('hour', attentionAtMs - 10 * minuteMs, { untilMs: attentionAtMs + 50 * minuteMs }),
      muted('stops', attentionAtMs - 5 * minuteMs, { group: '[500,"customer","Acme\u202e"]' }),
      ...handledRecords([jobOfAge('gone', 'error', 9000)], attentionAtMs - minuteMs, 'gone'),
    ]);
    assert.deepEqual(
      found.map(({ act, label, description }) => [act, label.replaceAll('\u202f', ' '), description]),
      [
        ['gone', 'Handled: 1 job', '1 minute ago'],
        ['stops', 'Muted until it stops: 500, customer Acme', '5 minutes ago'],
        ['hour', 'Muted until 12:50 PM: Unreadable audio (422)', '10 minutes ago'],
        ['handled', 'Handled: 500, customer Northwind', '3 jobs · 30 minutes ago'],
      ],
    );
  });

  it('leave out mutes that are over and what was undone', () => {
    const found = choices([
      muted('over', attentionAtMs - 90 * minuteMs, { untilMs: attentionAtMs }),
      muted('stopped', attentionAtMs - 61 * minuteMs),
      muted('undone', attentionAtMs - minuteMs),
      { type: 'undone', act: 'undone' },
    ]);
    assert.deepEqual(found, []);
  });
});
