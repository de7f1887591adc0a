import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SampleArrivals } from '../../../src/sample/sampleArrivals.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const startedAt = Date.UTC(2026, 4, 20);
const plan = { seed: 1, startedAt, continuedAt: startedAt, hasIncident: false, profiles: [{ customer: 'Kite' }] };

test('most jobs arrive by day, and few by night', () => {
  const arrivals = new SampleArrivals(plan);
  const perHour = Array.from({ length: 24 }, (_, hour) => arrivals.until(plan.startedAt + (hour + 1) * hourMs).length);
  const at = (hour: number): number => perHour[hour] ?? 0;
  assert.ok(at(14) > 2 * at(3), perHour.join(' '));
  assert.ok(Math.min(...perHour) > 5, perHour.join(' '));
});

test('the same plan gives the same jobs, in however many steps they are asked for', () => {
  const [one, other] = [new SampleArrivals(plan), new SampleArrivals(plan)];
  const steps = Array.from({ length: 60 }, (_, minute) => one.until(plan.startedAt + (minute + 1) * minuteMs)).flat();
  assert.deepEqual(steps, other.until(plan.startedAt + hourMs));
});

test('some never end, and a machine that slept makes up for a few hours only', () => {
  const arrivals = new SampleArrivals(plan);
  const late = arrivals.until(plan.startedAt + 1000 * hourMs);
  assert.ok(late.every(({ createdAt }) => createdAt >= plan.startedAt + 994 * hourMs));
  assert.ok(late.some(({ endsAt }) => endsAt === Infinity));
  assert.ok(late.filter(({ endsAt }) => endsAt === Infinity).length < late.length / 10);
});
