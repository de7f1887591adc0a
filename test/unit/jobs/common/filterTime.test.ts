import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  describeSpan,
  findDayProblem,
  findRangeProblem,
  readTypedInstant,
} from '../../../../src/jobs/common/filterTime.ts';
import { dayOf } from '../../../../src/base/time.ts';
import { buildFilterParams, noFilter, type FilterTime } from '../../../../src/jobs/common/jobFilter.ts';
import type { ListParams } from '../../../../src/jobs/common/listParams.ts';

const paris = 'Europe/Paris';
/** In Paris, this is already the next day. */
const nowMs = Date.UTC(2026, 10, 19, 23, 30);

function read(text: string, zone: string | undefined, bound: 'start' | 'end' = 'start'): string {
  const typed = readTypedInstant(text, zone, bound, nowMs);
  return typed.type === 'instant' ? typed.iso : typed.why;
}

test('a day must exist', () => {
  assert.equal(dayOf(' 2026-02-28 '), '2026-02-28');
  assert.equal(dayOf('2024-02-29'), '2024-02-29');
  for (const none of [
    '2026-02-30',
    '2026-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-04-31',
    '0000-00-00',
    '0026-11-20',
  ]) {
    assert.equal(dayOf(none), undefined, none);
    assert.equal(findDayProblem(none), "This day doesn't exist.", none);
    assert.equal(read(none, 'UTC'), "This day doesn't exist.", none);
    assert.equal(read(`${none} 10:00`, 'UTC'), "This day doesn't exist.", none);
  }
  assert.equal(findDayProblem('20.11.2026'), 'Write the day as 2026-02-28.');
  assert.equal(findDayProblem('2026-11-20'), undefined);
});

test('a time is read in the chosen zone, unless it contains a zone', () => {
  assert.equal(read('2026-11-20 14:30', paris), '2026-11-20T13:30:00.000Z');
  assert.equal(read('2026-11-20 14:30', 'UTC'), '2026-11-20T14:30:00.000Z');
  assert.equal(read('2026-07-20T9:05:07', paris), '2026-07-20T07:05:07.000Z');
  assert.equal(read('2026-11-20 14:30Z', paris), '2026-11-20T14:30:00.000Z');
  assert.equal(read('2026-11-20T14:30:00.5+05:30', paris), '2026-11-20T09:00:00.500Z');
  assert.equal(read('2026-11-20 14:30-03:00', paris), '2026-11-20T17:30:00.000Z');
});

test('a time without a day is today in the chosen zone', () => {
  assert.equal(read('9:10', 'UTC'), '2026-11-19T09:10:00.000Z');
  assert.equal(read(' 09:10 ', paris), '2026-11-20T08:10:00.000Z');
  assert.equal(read('0:00', 'Pacific/Kiritimati'), '2026-11-19T10:00:00.000Z');
  assert.equal(read('24:00', 'UTC'), "This time doesn't exist.");
  assert.match(read('9', 'UTC'), /^Write the time as/);
});

test('a day without a time starts at its first instant, and ends at the first instant of the next day', () => {
  assert.equal(read('2026-11-20', paris, 'start'), '2026-11-19T23:00:00.000Z');
  assert.equal(read('2026-11-20', paris, 'end'), '2026-11-20T23:00:00.000Z');
  assert.equal(read('2026-12-31', 'UTC', 'end'), '2027-01-01T00:00:00.000Z');
});

test('an invalid time is rejected with a reason', () => {
  assert.match(read('yesterday', 'UTC'), /^Write the time as/);
  assert.match(read('2026-11-20 14', 'UTC'), /^Write the time as/);
  for (const none of ['2026-11-20 24:00', '2026-11-20 14:60', '2026-11-20 99:00', '2026-11-20 10:00:61']) {
    assert.equal(read(none, 'UTC'), "This time doesn't exist.", none);
  }
  assert.match(read('2026-03-29 02:30', paris), /Clocks go forward/);
});

test('a range has a start, an end, or both with the start first', () => {
  const early = readTypedInstant('2026-11-19', 'UTC', 'start', nowMs);
  const late = readTypedInstant('2026-11-20', 'UTC', 'start', nowMs);
  assert.equal(findRangeProblem(early, late), undefined);
  assert.equal(findRangeProblem(early, undefined), undefined);
  assert.equal(findRangeProblem(undefined, late), undefined);
  assert.match(findRangeProblem(late, early) ?? '', /must come after/);
  assert.match(findRangeProblem(early, early) ?? '', /must come after/);
  assert.match(findRangeProblem(undefined, undefined) ?? '', /^Enter a start/);
});

test('the time of a filter is shown as a span in the time zone of the user', () => {
  const now = Date.UTC(2026, 10, 20, 12);
  const shown = (time: FilterTime, timeZone = 'UTC'): string =>
    describeSpan(buildFilterParams({ ...noFilter, time }, now), now, { language: 'en', timeZone }).replaceAll(
      '\u202f',
      ' ',
    );
  assert.equal(shown({ type: 'any' }), '');
  assert.equal(shown({ type: 'today', utc: true }), 'since 12:00 AM');
  assert.equal(shown({ type: 'today', utc: true }, paris), 'since 1:00 AM');
  assert.equal(shown({ type: 'today', utc: true }, 'America/New_York'), 'since Nov 19, 7:00 PM');
  assert.equal(shown({ type: 'last', hours: 24 }), 'since Nov 19, 12:00 PM');
  assert.equal(shown({ type: 'day', day: '2026-11-20' }), 'in the time zone of the service');
  const range = { type: 'range', after: '2026-11-19T00:00:00.000Z', before: '2026-11-20T10:30:00.000Z' } as const;
  assert.equal(shown(range), 'Nov 19, 12:00 AM to 10:30 AM');
  assert.equal(shown({ ...range, after: undefined }), 'until 10:30 AM');
  assert.equal(shown({ ...range, before: '2026-11-20T00:00:00.000Z' }), 'Nov 19', 'a whole day');
  assert.equal(shown({ ...range, before: '2026-11-20T00:00:00.000Z' }, paris), 'Nov 19, 1:00 AM to 1:00 AM');
});

test('yesterday is the whole day before today', () => {
  const now = Date.UTC(2026, 10, 20, 12);
  const dates = (type: 'yesterday' | 'today'): ListParams =>
    buildFilterParams({ ...noFilter, time: type === 'today' ? { type, utc: false } : { type } }, now);
  const { afterDate = '', beforeDate = '' } = dates('yesterday');
  assert.equal(beforeDate, dates('today').afterDate);
  const hours = (Date.parse(beforeDate) - Date.parse(afterDate)) / 3_600_000;
  assert.ok(hours >= 23 && hours <= 25, String(hours));
});
