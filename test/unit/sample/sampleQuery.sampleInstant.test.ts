import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sampleInstant } from '../../../src/sample/sampleQuery.ts';

// Far from UTC, so that a text read as local time shows.
const zone = process.env['TZ'];
before(() => {
  process.env['TZ'] = 'Pacific/Auckland';
});
after(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

test('dates and date-times without a zone are UTC', () => {
  assert.notEqual(new Date(2026, 0, 1).getTimezoneOffset(), 0);
  const cases = [
    ['2026-05-10', '2026-05-10T00:00:00.000Z'],
    ['2026-05-10T07:08', '2026-05-10T07:08:00.000Z'],
    ['2026-05-10T07:08:09', '2026-05-10T07:08:09.000Z'],
    ['2026-05-10T07:08:09.123Z', '2026-05-10T07:08:09.123Z'],
    ['2026-05-10T07:08:09.123456Z', '2026-05-10T07:08:09.123Z'],
    ['2026-05-10T07:08:09+05:30', '2026-05-10T01:38:09.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ] as const;
  for (const [text, expected] of cases) assert.equal(sampleInstant(text), Date.parse(expected), text);
});

test('what names no moment is none', () => {
  for (const text of [
    '',
    '2026',
    '2026-5-1',
    '2025-02-29',
    '2026-00-10',
    '2026-05-10T',
    '2026-05-10T24:30Z',
    '+2026-05-10',
  ])
    assert.equal(sampleInstant(text), undefined, text);
});
