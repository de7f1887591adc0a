import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDuration } from '../../../src/base/duration.ts';
import { formatAge, formatDistance, formatHours, formatMoment, formatWhen } from '../../../src/base/format.ts';

const english = { language: 'en', timeZone: 'UTC' };
const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

for (const [ms, expected] of [
  [0, '0 sec'],
  [40, '0 sec'],
  [950, '1 sec'],
  [12_340, '12.3 sec'],
  [59_970, '1 min'],
  [2 * minute + 3500, '2 min 3.5 sec'],
  [hour - 20, '1 hr'],
  [hour + 61 * second, '1 hr 1 min 1 sec'],
  [day + 2 * hour + 59 * second, '1 day 2 hr'],
  [400 * day, '400 days'],
] as const) {
  test(`${ms} ms is ${expected}`, () => assert.equal(formatDuration(ms, english), expected));
}

const distanceNow = Date.UTC(2026, 10, 20, 12);

for (const [ms, expected] of [
  [0, 'now'],
  [-59 * second, 'now'],
  [-3 * minute, '3 minutes ago'],
  [-90 * minute, '1 hour ago'],
  [2 * hour, 'in 2 hours'],
  [-day, 'yesterday'],
  [-29 * day, '29 days ago'],
  [-30 * day, 'last month'],
  [-64 * day, '2 months ago'],
  [-365 * day, '1 year ago'],
  [-800 * day, '2 years ago'],
] as const) {
  test(`${ms / minute} minutes from now is ${expected}`, () => {
    assert.equal(formatDistance(distanceNow + ms, distanceNow, english), expected);
  });
}

for (const [ms, expected, french] of [
  [0, 'now', 'maintenant'],
  [2 * minute + 59 * second, '2m', '2 min'],
  [90 * minute, '1h', '1 h'],
  [day - 1, '23h', '23 h'],
  [day, 'yesterday', 'hier'],
  [2 * day, '2d', '2 j'],
  [29 * day, '29d', '29 j'],
  [40 * day, 'Oct 10', '10 oct.'],
  [400 * day, 'Oct 2025', 'oct. 2025'],
  [-2 * hour, 'in 2 hours', 'dans 2 heures'],
] as const) {
  test(`an age of ${ms / minute} minutes is ${expected} in a row`, () => {
    const now = Date.UTC(2026, 10, 19, 10);
    assert.equal(formatAge(now - ms, now, english), expected);
    assert.equal(formatAge(now - ms, now, { ...english, language: 'fr' }).replaceAll(/\s/g, ' '), french);
  });
}

for (const [at, now, distance, age] of [
  ['2026-11-24T23:30', '2026-11-26T08:00', '2 days ago', '2d'],
  ['2026-11-25T00:10', '2026-11-26T23:50', 'yesterday', 'yesterday'],
  ['2026-11-25T23:50', '2026-11-26T00:10', '20 minutes ago', '20m'],
  ['2026-09-28T12:00', '2026-11-26T12:00', '2 months ago', 'Sep 28'],
  ['2026-10-27T12:00', '2026-11-26T12:00', 'last month', 'Oct 27'],
  ['2026-01-01T00:00', '2026-01-31T12:00', '30 days ago', 'Jan 1'],
  ['2024-12-30T12:00', '2026-01-01T12:00', '1 year ago', 'Dec 2024'],
  ['2026-12-28T12:00', '2026-11-26T12:00', 'next month', 'next month'],
] as const) {
  test(`${at} is ${distance} at ${now}, by the calendar`, () => {
    const [atMs, nowMs] = [at, now].map((text) => Date.parse(`${text}Z`));
    assert(atMs !== undefined && nowMs !== undefined);
    assert.equal(formatDistance(atMs, nowMs, english), distance);
    assert.equal(formatAge(atMs, nowMs, english), age);
  });
}

test("days are those of the user's zone, even if clocks change", () => {
  const berlin = { language: 'en', timeZone: 'Europe/Berlin' };
  const [at, now] = [Date.parse('2026-11-24T23:30Z'), Date.parse('2026-11-26T08:00Z')];
  assert.equal(formatDistance(at, now, berlin), 'yesterday');
  // A day of 25 hours.
  const [midnight, evening] = [Date.parse('2026-10-24T22:00Z'), Date.parse('2026-10-25T22:30Z')];
  assert.equal(formatDistance(midnight, evening, berlin), '24 hours ago');
  assert.equal(formatAge(midnight, evening, berlin), '24h');
});

test('a moment includes its zone', () => {
  const at = Date.UTC(2026, 10, 19, 10, 0, 5);
  assert.equal(formatMoment(at, { language: 'en-GB', timeZone: 'UTC' }), '19 Nov 2026, 10:00:05 UTC');
  assert.equal(formatMoment(at, { language: 'en-GB', timeZone: 'Europe/Paris' }), '19 Nov 2026, 11:00:05 CET');
});

for (const [at, expected] of [
  ['2026-11-19T14:02:59Z', '14:02'],
  ['2026-11-19T00:00:00Z', '00:00'],
  ['2026-11-18T23:59:00Z', 'Nov 18, 23:59'],
  ['2025-11-19T09:05:00Z', 'Nov 19, 2025, 09:05'],
] as const) {
  test(`by the clock, ${at} is ${expected}`, () => {
    assert.equal(formatWhen(Date.parse(at), Date.UTC(2026, 10, 19, 15), 'clock', english), expected);
  });
}

test("a time is relative to now by default, or by the clock of the user's zone", () => {
  const now = Date.UTC(2026, 10, 19, 15);
  assert.equal(formatWhen(now - hour, now, 'relative', english), '1 hour ago');
  assert.equal(formatWhen(now - hour, now, undefined, english), '1 hour ago');
  assert.equal(formatWhen(now - hour, now, 'clock', { language: 'fr', timeZone: 'Asia/Tokyo' }), '19 nov., 23:00');
  assert.equal(formatWhen(now + hour, now, 'clock', { language: 'fr', timeZone: 'Asia/Tokyo' }), '01:00');
  assert.match(formatHours(now, 'relative', english), /^3:00.PM$/);
  assert.equal(formatHours(now, 'clock', english), '15:00');
});
