import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dateTimeMs } from '../../../src/domain/dateTime.ts';

for (const [text, iso] of [
  ['2026-11-19T10:00:00.000Z', '2026-11-19T10:00:00.000Z'],
  ['2026-01-31T10:00:00Z', '2026-01-31T10:00:00.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['2026-01-31T10:00:00+01:00', '2026-01-31T09:00:00.000Z'],
  ['2026-01-31T10:00:00.1234567Z', '2026-01-31T10:00:00.123Z'],
  ['2026-01-31T10:00:00,5', '2026-01-31T10:00:00.500Z'],
  [' 2026-01-31 10:00 ', '2026-01-31T10:00:00.000Z'],
  ['2026-02-30T10:00:00Z', undefined],
  ['2026-02-29', undefined],
  ['2026-13-01', undefined],
  ['2026-01-31T25:00:00Z', undefined],
  ['20.11.2026', undefined],
  ['', undefined],
] as const) {
  test(`"${text}" is ${iso ?? 'no time'}`, () => {
    const ms = dateTimeMs(text);
    assert.equal(ms === undefined ? undefined : new Date(ms).toISOString(), iso);
  });
}
