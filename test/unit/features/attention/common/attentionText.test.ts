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
} from '../../../../../src/features/attention/common/attentionText.ts';
import {
  foldHandled,
  handledRecords,
  nothingHandled,
} from '../../../../../src/features/attention/common/handledMarks.ts';
import { Failure } from '../../../../../src/base/failure.ts';
import { anAttention, attentionAtMs, cutList, jobOfAge, listBefore } from './anAttention.ts';

const locale = { language: 'en', timeZone: 'UTC' };
const facts = { locale, errorLabels: { 422: 'Unreadable\u202eaudio' } };
const slow = jobOfAge('slow', 'queued', 41);

describe('Texts about jobs that need attention', () => {
  it('describe the sample of an overdue job', () => {
    const attention = anAttention([slow]);
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
    const set = anAttention([slow], { limits: new Map([['live', { type: 'set', afterMs: 300_000 }]]) });
    assert.equal(overdueJobTooltip(slow, set, locale), 'Overdue after 5 min; this one has waited 41 min.');
    assert.equal(overdueTooltip(set, locale), 'Live: overdue after 5 min (from the settings).');
  });

  it('do not call jobs the last ones unless their order proves it', () => {
    const limit = { type: 'measured', afterMs: 600_000, p95Ms: 1000, finished: 20, isNewest: false } as const;
    const attention = anAttention([slow], { limits: new Map([['live', limit]]) });
    assert.match(overdueJobTooltip(slow, attention, locale) ?? '', /^95% of 20 jobs finished within 1 sec;/);
  });

  it('report unknown numbers with the reason', () => {
    const attention = anAttention([], { unfinished: [{ type: 'refused' }], failed: [cutList] });
    assert.equal(overdueText(attention, locale), 'unknown');
    assert.match(overdueTooltip(attention, locale), /^The service refuses to list unfinished jobs\.$/m);
    assert.equal(failuresText(attention, locale), 'unknown');
    assert.match(failuresTooltip(attention, facts), /None of those that could be read/);
    assert.match(failuresTooltip(anAttention(), facts), /^Failed since Nov 19, 12:00\sPM and not handled$/);
    assert.equal(totalText(attention, facts), '');
    const gaps = anAttention([jobOfAge('undated', 'queued', 1, { created_at: null })], { unfinished: [cutList] });
    assert.match(overdueTooltip(gaps, locale), /without a creation time[^]*Not all unfinished jobs could be read/);
    const unmeasured = anAttention([slow], { limits: new Map() });
    assert.equal(overdueTooltip(unmeasured, locale), 'How long jobs take could not be measured.');
    const failure = { failure: new Failure('offline'), sinceMs: Date.UTC(2026, 9, 1, 7, 57) };
    assert.match(totalText(anAttention([slow], { failure }), facts), /^1 · not refreshed since 7:57\sAM$/);
  });

  it('show a plus if there may be more, also after a zero, and explain it', () => {
    const between = anAttention([slow, jobOfAge('bad', 'error', 20)], {
      unfinished: [listBefore],
      failed: [listBefore],
    });
    assert.equal(overdueText(between, locale), '1+');
    assert.equal(failuresText(between, locale), '1+');
    assert.equal(totalText(between, facts), '2+');
    assert.equal(badgeText(between), 'At least 2 need attention');
    assert.equal(overdueMessage(between), 'At least 1 transcription jobs are taking longer than usual.');
    assert.match(totalTooltip(between, facts), /A plus means that there may be more/);
    const [group] = between.groups;
    assert.ok(group);
    assert.equal(groupText(group, between, facts), '1', 'the limit is said once, by the row above');
    assert.match(
      failuresTooltip(between, facts),
      /\nCounted among the 1 failures that were read; there may be more\.$/,
    );
    assert.match(groupTooltip(group, between, facts), /^No error code: 1 of 1 new failures$/m);
    const none = anAttention([jobOfAge('bad', 'error', 20)], { unfinished: [listBefore] });
    assert.match(totalTooltip(none, facts), /^Overdue: 0\+\nNew failures: 1$/m);
    const whole = anAttention([slow, jobOfAge('bad', 'error', 20)]);
    assert.deepEqual(
      [overdueText(whole, locale), failuresText(whole, locale), totalText(whole, facts)],
      ['1', '1', '2'],
    );
    assert.ok(!totalTooltip(whole, facts).includes('plus'));
  });

  it('describe groups by code, label, number and metadata, sanitized', () => {
    const jobs = ['1', '2', '3', '4'].map((id) =>
      jobOfAge(id, 'error', 20, { error_code: 422, custom_metadata: { customer: id === '4' ? 'x' : 'A\u202ecme\n' } }),
    );
    const attention = anAttention(jobs);
    const rows = attention.groups.map((group) => [groupLabel(group, facts), groupText(group, attention, facts)]);
    assert.deepEqual(rows, [
      ['A cme', '3 · Unreadable audio (422)'],
      ['Unreadable audio (422)', 'others · 1'],
    ]);
    const [first] = attention.groups;
    assert.ok(first);
    assert.match(
      groupTooltip(first, attention, facts),
      /^Unreadable audio \(422\), customer A cme: 3 of 4 new failures\nFirst seen: .*\nLast seen: .*\nMark as Handled .*$/,
    );
    assert.match(
      groupTooltip(first, attention, { locale, errorLabels: {} }),
      /^Error 422, customer A cme: 3 of 4 new failures\n/,
    );
    assert.match(groupLabel({ ...first, code: undefined, pair: undefined }, facts), /^No error code$/);
  });

  it('show since when nothing could be refreshed', () => {
    const failure = { failure: new Failure('offline'), sinceMs: attentionAtMs };
    const attention = anAttention([slow], { failure });
    assert.match(
      totalTooltip(attention, facts),
      /^Overdue: 1\nFailed in part: none of the loaded jobs\nNot refreshed since .+: .+/,
    );
  });

  it('describe an incident in one sentence, and muted groups by name', () => {
    const ordinary = Array.from({ length: 60 }, (_, at) =>
      jobOfAge(`o${at}`, 'error', 100 + at * 20, {
        error_code: at % 2 === 0 ? 500 : 422,
        custom_metadata: { customer: `c${at}` },
      }),
    );
    const incident = Array.from({ length: 8 }, (_, at) =>
      jobOfAge(`i${at}`, 'error', 20 - at, { error_code: 422, custom_metadata: { customer: 'Aurora Health' } }),
    );
    const noise = jobOfAge('noise', 'error', 10, { error_code: 500 });
    const attention = anAttention([...ordinary, ...incident, noise]);
    const plain = { locale, errorLabels: {} };
    const [group] = attention.groups;
    assert.ok(group);
    assert.equal(groupLabel(group, plain), 'Aurora Health');
    assert.match(groupText(group, attention, plain), /^422 · 8 since 11:43\sAM$/);
    assert.match(groupText(group, attention, facts), /^8 since 11:43\sAM · Unreadable audio \(422\)$/);
    const rise = {
      sinceMs: attentionAtMs,
      fromMs: attentionAtMs - 3_600_000,
      since: { hits: 1008, of: 1009 },
      before: { hits: 0, of: 9 },
    };
    const jobs = Array.from({ length: 1008 }, (_, at) => jobOfAge(`m${at}`, 'error', 20));
    assert.match(
      groupText({ ...group, jobs, rise }, attention, plain),
      /^422 · 1,008 since 12:00\sPM$/,
      'the same parts, however wide',
    );
    const tooltip = groupTooltip(group, attention, plain);
    assert.match(
      tooltip,
      /^8 of 9 failures since 11:43\sAM: 422, customer Aurora Health \(0 of 60 before, from [^)]+\)\nLast seen: 11:50\sAM\n/,
    );
    assert.match(
      groupTooltip(group, attention, facts),
      /since 11:43\sAM: Unreadable audio \(422\), customer Aurora Health/,
    );

    const mutes = new Map([[group.id, { group: group.id, fromMs: attentionAtMs, untilMs: attentionAtMs + 3_600_000 }]]);
    const muted = anAttention([...ordinary, ...incident, noise], { marks: { ...nothingHandled, mutes } });
    assert.ok(muted.groups.every(({ pair }) => pair === undefined));
    assert.equal(failuresText(muted, locale), `${muted.amounts.failures.count} · 1 group muted`);
    assert.match(failuresTooltip(muted, plain), /\nMuted until 1:00\sPM: 422, customer Aurora Health$/);
    const endless = new Map([[group.id, { group: group.id, fromMs: attentionAtMs }]]);
    const stopping = anAttention([...ordinary, ...incident, noise], { marks: { ...nothingHandled, mutes: endless } });
    assert.match(failuresTooltip(stopping, plain), /\nMuted until it stops: 422, customer Aurora Health$/);
  });

  it('have no other number if all failures of a group that are counted are shown', () => {
    const job = (id: string, minutes: number, code: number) => jobOfAge(id, 'error', minutes, { error_code: code });
    const incident = Array.from({ length: 12 }, (_, at) => job(`i${at}`, 30 - at, 422));
    const others = Array.from({ length: 30 }, (_, at) => job(`o${at}`, 200 + at * 20, 500));
    const attention = anAttention([...incident, job('early', 500, 422), ...others]);
    const group = attention.groups.find(({ code }) => code === 422);
    assert.ok(group);
    assert.match(
      groupTooltip(group, attention, facts),
      /^12 of 12 failures since 11:33\sAM: .* \(1 of 31 before, from [^)]+\)\nLast seen/,
    );
  });

  it('count what is left of a group of which some are handled, and name values that say little by their key', () => {
    const jobs = Array.from({ length: 12 }, (_, at) => jobOfAge(`i${at}`, 'error', 30 - at, { error_code: 422 }));
    const before = Array.from({ length: 30 }, (_, at) =>
      jobOfAge(`o${at}`, 'error', 200 + at * 20, { error_code: 500 }),
    );
    const marks = foldHandled(handledRecords(jobs.slice(4), attentionAtMs));
    const attention = anAttention([...jobs, ...before], { marks });
    const group = attention.groups.find(({ code }) => code === 422);
    assert.ok(group);
    assert.equal(group.jobs.length, 4);
    assert.equal(groupText(group, attention, facts), '4');
    assert.match(
      groupTooltip(group, attention, facts),
      /^12 of 12 failures since 11:33\sAM: Unreadable audio \(422\) \(0 of 30 before, from [^)]+\)\nShown here: 4\. The numbers above also count handled and older failures\.\n/,
    );
    const clock = { ...facts, times: 'clock' } as const;
    assert.match(groupTooltip(group, attention, clock), /^12 of 12 failures since 11:33: .*\n.*\nLast seen: 11:36\n/);
    const pair = { key: 'vip', value: 'true' };
    assert.equal(groupLabel({ ...group, pair }, facts), 'vip true');
    assert.equal(groupLabel({ ...group, pair: { key: 'ticket', value: '12' } }, facts), 'ticket 12');
  });
});
