import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { resolveStartOfDayMs, resolveStartOfTodayMs, wallMsAt, resolveZonedMs } from '../../../src/base/time.ts';
import { propertyRuns } from '../../support/propertyRuns.ts';

const zones = ['UTC', 'Europe/Paris', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Apia'];

function iso(atMs: number | undefined): string | undefined {
  return atMs === undefined ? undefined : new Date(atMs).toISOString();
}

test('a wall time is resolved to its instant, or to an earlier one with the same wall time', () => {
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

test('a wall time skipped by a clock change has no instant, and a repeated one has its first', () => {
  assert.equal(resolveZonedMs(Date.UTC(2026, 2, 29, 2, 30), 'Europe/Paris'), undefined);
  assert.equal(iso(resolveZonedMs(Date.UTC(2026, 2, 29, 3, 30), 'Europe/Paris')), '2026-03-29T01:30:00.000Z');
  assert.equal(iso(resolveZonedMs(Date.UTC(2026, 9, 25, 2, 30), 'Europe/Paris')), '2026-10-25T00:30:00.000Z');
});

test('a day starts at its first instant, even if midnight is skipped', () => {
  assert.equal(iso(resolveStartOfDayMs(Date.UTC(2026, 10, 20), 'Europe/Paris')), '2026-11-19T23:00:00.000Z');
  // In Beirut, clocks go from 24:00 on Saturday to 01:00 on Sunday.
  assert.equal(iso(resolveStartOfDayMs(Date.UTC(2026, 2, 29), 'Asia/Beirut')), '2026-03-28T22:00:00.000Z');
});

test('today is the current day in the zone', () => {
  const now = Date.UTC(2026, 10, 20, 23, 30);
  assert.equal(iso(resolveStartOfTodayMs(now, 'UTC')), '2026-11-20T00:00:00.000Z');
  assert.equal(iso(resolveStartOfTodayMs(now, 'Europe/Paris')), '2026-11-20T23:00:00.000Z');
  assert.equal(iso(resolveStartOfTodayMs(now, 'America/New_York')), '2026-11-20T05:00:00.000Z');
});

test('the zone defaults to that of the machine', () => {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const now = Date.UTC(2026, 10, 20, 12);
  assert.equal(resolveStartOfTodayMs(now, undefined), resolveStartOfTodayMs(now, timeZone));
});
