import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { resolveStartOfDayMs, resolveStartOfTodayMs, wallMsAt, resolveZonedMs } from '../../../src/base/time.ts';
import { propertyRuns } from '../../support/propertyRuns.ts';

const zones = ['UTC', 'Europe/Paris', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Apia'];

function iso(atMs: number | undefined): string | undefined {
  return atMs === undefined ? undefined : new Date(atMs).toISOString();
}

test('every instant is found again by what clocks show then, or an earlier one that shows the same', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2040, 0) }),
      (zone, atMs) => {
        const wall = wallMsAt(atMs, zone);
        const found = resolveZonedMs(wall, zone);
        assert.ok(found !== undefined && found <= atMs);
        assert.equal(wallMsAt(found, zone), wall);
        assert.ok(atMs - found <= 86_400_000);
      },
    ),
    { numRuns: propertyRuns },
  );
});

test('clocks that are put forward skip times, and show others twice when put back', () => {
  assert.equal(resolveZonedMs(Date.UTC(2026, 2, 29, 2, 30), 'Europe/Paris'), undefined);
  assert.equal(iso(resolveZonedMs(Date.UTC(2026, 2, 29, 3, 30), 'Europe/Paris')), '2026-03-29T01:30:00.000Z');
  assert.equal(iso(resolveZonedMs(Date.UTC(2026, 9, 25, 2, 30), 'Europe/Paris')), '2026-10-25T00:30:00.000Z');
});

test('a day begins at its first instant, also where midnight is skipped', () => {
  assert.equal(iso(resolveStartOfDayMs(Date.UTC(2026, 10, 20), 'Europe/Paris')), '2026-11-19T23:00:00.000Z');
  // In Beirut, clocks go from 24:00 on Saturday to 01:00 on Sunday.
  assert.equal(iso(resolveStartOfDayMs(Date.UTC(2026, 2, 29), 'Asia/Beirut')), '2026-03-28T22:00:00.000Z');
});

test('today is the day that it is in the zone', () => {
  const now = Date.UTC(2026, 10, 20, 23, 30);
  assert.equal(iso(resolveStartOfTodayMs(now, 'UTC')), '2026-11-20T00:00:00.000Z');
  assert.equal(iso(resolveStartOfTodayMs(now, 'Europe/Paris')), '2026-11-20T23:00:00.000Z');
  assert.equal(iso(resolveStartOfTodayMs(now, 'America/New_York')), '2026-11-20T05:00:00.000Z');
});

test('without a zone the machine has its own', () => {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const now = Date.UTC(2026, 10, 20, 12);
  assert.equal(resolveStartOfTodayMs(now, undefined), resolveStartOfTodayMs(now, timeZone));
});
