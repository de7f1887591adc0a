import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { isCalendarDay, parseDateTimeMs } from '../../../src/base/time.ts';
import { propertyRuns } from '../../support/propertyRuns.ts';

// Far from UTC, so that text wrongly read as local time is noticed.
const zone = process.env['TZ'];
before(() => {
  process.env['TZ'] = 'Pacific/Auckland';
});
after(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

test('the local zone of these tests is not UTC', () => {
  assert.notEqual(new Date(2026, 0, 1).getTimezoneOffset(), 0);
});

for (const [text, iso] of [
  ['2026-11-19T10:00:00.000Z', '2026-11-19T10:00:00.000Z'],
  ['2026-01-31T10:00:00Z', '2026-01-31T10:00:00.000Z'],
  ['2026-05-10T07:08', '2026-05-10T07:08:00.000Z'],
  ['2026-05-10T07:08:09', '2026-05-10T07:08:09.000Z'],
  ['2026-05-10T07:08:09+05:30', '2026-05-10T01:38:09.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['2026-01-31T10:00:00+01:00', '2026-01-31T09:00:00.000Z'],
  ['2026-01-31T10:00:00.1234567Z', '2026-01-31T10:00:00.123Z'],
  ['2026-01-31T10:00:00,5', '2026-01-31T10:00:00.500Z'],
  [' 2026-01-31 10:00 ', '2026-01-31T10:00:00.000Z'],
  [' 2026-01-31T10:00:00Z ', '2026-01-31T10:00:00.000Z'],
  ['2026-01-31T10:00:00+01:00\n', '2026-01-31T09:00:00.000Z'],
  ['2026-01-31 10:00:00 +0100', '2026-01-31T09:00:00.000Z'],
  ['2026-01-31T10:00:00.000+00', '2026-01-31T10:00:00.000Z'],
  ['2026-01-31T10:00:00+01', '2026-01-31T09:00:00.000Z'],
  ['2026-01-31 10:00:00-03', '2026-01-31T13:00:00.000Z'],
  ['2026-01-31t10:00z', '2026-01-31T10:00:00.000Z'],
  ['2026-02-30T10:00:00Z', undefined],
  ['2026-02-29', undefined],
  ['2026-13-01', undefined],
  ['2026-01-31T25:00:00Z', undefined],
  ['2026', undefined],
  ['2026-5-1', undefined],
  ['2026-00-10', undefined],
  ['2026-05-10T', undefined],
  ['2026-05-10T24:30Z', undefined],
  ['+2026-05-10', undefined],
  ['20.11.2026', undefined],
  ['', undefined],
] as const) {
  test(`"${text}" is ${iso ?? 'no time'}`, () => {
    const ms = parseDateTimeMs(text);
    assert.equal(ms === undefined ? undefined : new Date(ms).toISOString(), iso);
  });
}

test('a time in the usual format is read like Date.parse reads it, if the day exists', () => {
  const part = (max: number, digits: number) =>
    fc.integer({ min: 0, max }).map((value) => String(value).padStart(digits, '0'));
  const usual = fc
    .tuple(part(9999, 4), part(13, 2), part(32, 2), part(25, 2), part(61, 2), part(61, 2), fc.option(part(999, 3)))
    .map(([year, month, day, hour, minute, second, ms]) => [
      `${year}-${month}-${day}`,
      `T${hour}:${minute}:${second}${ms === null ? '' : `.${ms}`}Z`,
    ]);
  fc.assert(
    fc.property(usual, ([day = '', time]) => {
      const ms = Date.parse(`${day}${time}`);
      assert.equal(parseDateTimeMs(`${day}${time}`), isCalendarDay(day) && !Number.isNaN(ms) ? ms : undefined);
    }),
    { numRuns: propertyRuns },
  );
});
