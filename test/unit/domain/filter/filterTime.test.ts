import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  dayOf,
  findDayProblem,
  findRangeProblem,
  formatSentDates,
  readTypedInstant,
} from '../../../../src/domain/filter/filterTime.ts';
import { buildFilterParams, noFilter } from '../../../../src/domain/filter/jobFilter.ts';
import { encodeListQuery } from '../../../../src/service/api/listQuery.ts';

const paris = 'Europe/Paris';

function read(text: string, zone: string | undefined, bound: 'start' | 'end' = 'start'): string {
  const typed = readTypedInstant(text, zone, bound);
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
    assert.equal(findDayProblem(none), 'There is no such day.', none);
    assert.equal(read(none, 'UTC'), 'There is no such day.', none);
    assert.equal(read(`${none} 10:00`, 'UTC'), 'There is no such day.', none);
  }
  assert.equal(findDayProblem('20.11.2026'), 'Write the day like 2026-02-28.');
  assert.equal(findDayProblem('2026-11-20'), undefined);
});

test('a time is taken in the zone that was chosen, unless it names its own', () => {
  assert.equal(read('2026-11-20 14:30', paris), '2026-11-20T13:30:00.000Z');
  assert.equal(read('2026-11-20 14:30', 'UTC'), '2026-11-20T14:30:00.000Z');
  assert.equal(read('2026-07-20T9:05:07', paris), '2026-07-20T07:05:07.000Z');
  assert.equal(read('2026-11-20 14:30Z', paris), '2026-11-20T14:30:00.000Z');
  assert.equal(read('2026-11-20T14:30:00.5+05:30', paris), '2026-11-20T09:00:00.500Z');
  assert.equal(read('2026-11-20 14:30-03:00', paris), '2026-11-20T17:30:00.000Z');
});

test('a day without time is its first moment as a start, and the one after its last as an end', () => {
  assert.equal(read('2026-11-20', paris, 'start'), '2026-11-19T23:00:00.000Z');
  assert.equal(read('2026-11-20', paris, 'end'), '2026-11-20T23:00:00.000Z');
  assert.equal(read('2026-12-31', 'UTC', 'end'), '2027-01-01T00:00:00.000Z');
});

test('what is no time is refused with a reason', () => {
  assert.match(read('yesterday', 'UTC'), /^Write the time like/);
  assert.match(read('2026-11-20 14', 'UTC'), /^Write the time like/);
  for (const none of ['2026-11-20 24:00', '2026-11-20 14:60', '2026-11-20 99:00', '2026-11-20 10:00:61']) {
    assert.equal(read(none, 'UTC'), 'There is no such time of the day.', none);
  }
  assert.match(read('2026-03-29 02:30', paris), /clocks are put forward/);
});

test('a range has a start, an end or both, in this order', () => {
  const early = readTypedInstant('2026-11-19', 'UTC', 'start');
  const late = readTypedInstant('2026-11-20', 'UTC', 'start');
  assert.equal(findRangeProblem(early, late), undefined);
  assert.equal(findRangeProblem(early, undefined), undefined);
  assert.equal(findRangeProblem(undefined, late), undefined);
  assert.match(findRangeProblem(late, early) ?? '', /must come after/);
  assert.match(findRangeProblem(early, early) ?? '', /must come after/);
  assert.match(findRangeProblem(undefined, undefined) ?? '', /^Give a start/);
});

test('what is shown as sent is what is sent', () => {
  const now = Date.UTC(2026, 10, 20, 12);
  const shown = (time: Parameters<typeof buildFilterParams>[0]['time']): string =>
    formatSentDates(buildFilterParams({ ...noFilter, time }, now));
  assert.equal(shown({ type: 'any' }), '');
  assert.equal(shown({ type: 'day', day: '2026-11-20' }), 'date=2026-11-20');
  assert.equal(shown({ type: 'today', utc: true }), 'after_date=2026-11-20T00:00:00.000Z');
  assert.equal(shown({ type: 'last', hours: 24 }), 'after_date=2026-11-19T12:00:00.000Z');
  const range = { type: 'range', after: '2026-11-19T00:00:00.000Z', before: '2026-11-20T00:00:00.000Z' } as const;
  assert.equal(shown(range), 'after_date=2026-11-19T00:00:00.000Z&before_date=2026-11-20T00:00:00.000Z');
  const query = encodeListQuery(buildFilterParams({ ...noFilter, time: range }, now), {
    arrayFormat: 'repeat',
    metadataFormat: 'json',
  });
  assert.deepEqual(new Set(decodeURIComponent(query).split('&')), new Set(shown(range).split('&')));
});
