import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeValue, formatBrief, formatPeriod, formatTook } from '../../../../src/domain/board/boardText.ts';

const english = { language: 'en', timeZone: 'UTC' };
const french = { language: 'fr', timeZone: 'UTC' };
const noon = Date.UTC(2026, 10, 22, 12);

it('processing times read as elsewhere, no more exactly than they are compared', () => {
  const minute = 60_000;
  for (const [ms, expected] of [
    [12_340, '12.3 sec'],
    [59_949, '59.9 sec'],
    [59_960, '1 min'],
    [91_700, '1 min 32 sec'],
    [38.3 * minute, '38 min 18 sec'],
    [3_599_600, '1 hr'],
    [90 * minute + 20_000, '1 hr 30 min'],
  ] as const) {
    assert.equal(formatTook(ms, english), expected);
  }
});

it('a range has the same punctuation within a day and over several', () => {
  const hours = (count: number) => ({ fromMs: noon, toMs: noon + count * 3_600_000 });
  assert.equal(formatPeriod(hours(2), 'short', french), '22/11/2026 12:00 – 14:00');
  assert.equal(formatPeriod(hours(24), 'short', french), '22/11/2026 12:00 – 23/11/2026 12:00');
  assert.equal(formatPeriod(hours(2), 'medium', english), 'Nov 22, 2026, 12:00 PM – 2:00 PM');
});

it('a value that would read as another one stands in quotes', () => {
  const key = 'custom_metadata.customer';
  const values = ['a', ' a', 'a  b', 'a b', '', 'none', undefined, '"a"', '" a"', 'a\u202eb'];
  const labels = values.map((value) => describeValue(key, value, {}));
  const expected = ['a', '" a"', '"a  b"', 'a b', '""', '"none"', 'none', String.raw`"\"a\""`, String.raw`"\" a\""`];
  assert.deepEqual(labels, [...expected, String.raw`"a\u202eb"`]);
  assert.equal(new Set(labels).size, values.length);
});

it('an interval that says more than its number stands alone', () => {
  assert.equal(formatBrief({ count: 12, low: 12, high: 12 }, english), '12');
  assert.equal(formatBrief({ count: 1907, low: 1500, high: 2400 }, english), '1,907 ±493');
  assert.equal(formatBrief({ count: 1907, low: 420, high: 3876 }, english), '420–3,876');
  assert.equal(formatBrief({ count: 0, low: 0, high: 900 }, english), '0–900');
  assert.equal(formatBrief({ count: 1907, low: 420, high: 3876 }, english, true), '420+');
});
