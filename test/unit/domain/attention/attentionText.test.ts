import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  badgeText,
  failuresText,
  failuresTooltip,
  groupLabel,
  groupText,
  groupTooltip,
  overdueJobTooltip,
  overdueMessage,
  overdueText,
  overdueTooltip,
  totalText,
  totalTooltip,
  waitText,
} from '../../../../src/domain/attention/attentionText.ts';
import { Failure } from '../../../../src/domain/failure.ts';
import { anAttention, attentionAtMs, jobOfAge, kindReading } from './anAttention.ts';

const locale = { language: 'en', timeZone: 'UTC' };
const facts = { locale, errorLabels: { 422: 'Unreadable\u202eaudio' } };
const slow = jobOfAge('slow', 'queued', 41);
const overdue = { type: 'known', jobs: [slow], hasMore: false } as const;

describe('Words for what needs attention', () => {
  it('name the sample of an overdue job', () => {
    const attention = anAttention([kindReading({ overdue })]);
    assert.equal(
      overdueJobTooltip(slow, attention, locale),
      '95% of the last 200 finished within 4 min; this one has waited 41 min.',
    );
    assert.equal(waitText(slow, attention.atMs, locale), 'waiting 41 min');
    assert.equal(waitText(jobOfAge('old', 'queued', 3000), attention.atMs, locale), 'waiting 2 days');
    assert.equal(
      overdueTooltip(attention, locale),
      'Live: 95% of the last 200 finished within 4 min; overdue after 10 min.',
    );
    const set = anAttention([kindReading({ overdue, limit: { type: 'set', afterMs: 300_000 } })]);
    assert.equal(overdueJobTooltip(slow, set, locale), 'Overdue after 5 min; this one has waited 41 min.');
    assert.equal(overdueTooltip(set, locale), 'Live: overdue after 5 min (from the settings).');
  });

  it('do not call jobs the last ones unless their order shows it', () => {
    const limit = { type: 'measured', afterMs: 600_000, p95Ms: 1000, finished: 20, isNewest: false } as const;
    const attention = anAttention([kindReading({ overdue, limit })]);
    assert.match(overdueJobTooltip(slow, attention, locale) ?? '', /^95% of 20 jobs finished within 1 sec;/);
  });

  it('say what cannot be known, and claim no number', () => {
    const attention = anAttention([kindReading({ overdue: { type: 'unknown' } })]);
    assert.equal(overdueText(attention, locale), 'unknown');
    assert.match(overdueTooltip(attention, locale), /unknown, because the service ignores/);
    assert.equal(totalText(attention, locale), '');
    const failure = { failure: new Failure('offline'), sinceMs: Date.UTC(2026, 9, 1, 7, 57) };
    const stale = anAttention([kindReading({ overdue })], { failure });
    assert.match(totalText(stale, locale), /^1 · not refreshed since 7:57\sAM$/);
    const half = anAttention([kindReading({ overdue }), kindReading({ overdue: { type: 'unknown' } })]);
    assert.equal(overdueText(half, locale), '1+');
    assert.equal(badgeText(half), 'At least 1 need attention');
    assert.equal(overdueMessage(half), 'At least 1 transcription jobs are taking longer than usual.');
  });

  it('say among how many failures were found', () => {
    const jobs = [jobOfAge('a', 'error', 20, { error_code: 422 }), jobOfAge('old', 'error', 3000)];
    const reading = (hasMore: boolean, isNewest: boolean) =>
      anAttention([kindReading({ failed: { type: 'known', jobs, hasMore, isNewest } })]);
    assert.equal(failuresText(reading(false, false), locale), '1');
    assert.equal(failuresText(reading(true, true), locale), '1 of the newest 2');
    assert.equal(failuresText(reading(true, false), locale), '1 of the 2 jobs read');
  });

  it('tell that older failures are looked for where all that were read are handled', () => {
    const jobs = [jobOfAge('old', 'error', 3000)];
    const failed = { type: 'known', jobs, hasMore: true, hasOlder: true, isNewest: true } as const;
    const attention = anAttention([kindReading({ failed })]);
    assert.equal(failuresText(attention, locale), '0 of the newest 1');
    assert.match(totalTooltip(attention, locale), /^New failures: 0 of the newest 1$/m);
    assert.match(failuresTooltip(attention, locale), /Older ones are checked/);
    assert.match(failuresTooltip(anAttention([kindReading()]), locale), /^Failed since .*2026.* and not handled$/);
  });

  it('tell groups by code, label, number and metadata, through the gate', () => {
    const jobs = ['1', '2', '3', '4'].map((id) =>
      jobOfAge(id, 'error', 20, { error_code: 422, custom_metadata: { customer: id === '4' ? 'x' : 'A\u202ecme\n' } }),
    );
    const attention = anAttention([kindReading({ failed: { type: 'known', jobs, hasMore: false, isNewest: true } })]);
    const rows = attention.groups.map((group) => [groupLabel(group, facts), groupText(group, attention, locale)]);
    assert.deepEqual(rows, [
      ['Unreadable audio (422)', '3 · customer: A cme'],
      ['Unreadable audio (422)', '1 · others'],
    ]);
    const [first] = attention.groups;
    assert.ok(first);
    const tooltip = groupTooltip(first, attention, facts);
    for (const part of [
      'In common: customer = A cme',
      '3 of 4 new failures (75%)',
      'Time to failure: 3 min (median)',
    ]) {
      assert.ok(tooltip.includes(part), `${part} in ${tooltip}`);
    }
    assert.match(groupLabel({ ...first, code: undefined, pair: undefined }, facts), /^No error code$/);
  });

  it('tell since when nothing could be refreshed', () => {
    const failure = { failure: new Failure('offline'), sinceMs: attentionAtMs };
    const attention = anAttention([kindReading({ overdue })], { failure });
    assert.match(
      totalTooltip(attention, locale),
      /^Overdue: 1\nFailed in part: none of the loaded jobs\nNot refreshed since .+: .+/,
    );
  });
});
