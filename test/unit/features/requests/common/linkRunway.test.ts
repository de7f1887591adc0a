import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { minuteMs } from '../../../../../src/base/time.ts';
import {
  countDeadLinks,
  measureLinkNeed,
  sampleProcessing,
} from '../../../../../src/features/requests/common/linkRunway.ts';
import { bareJob } from '../../../../support/builders/bareJob.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';

const nowMs = Date.parse('2026-11-20T12:00:00Z');

/** Returns a job that was done `endMin` minutes after now and took `tookMin` minutes. */
const done = (endMin: number, tookMin: number, changes: Parameters<typeof bareJob>[0] = {}) =>
  bareJob({
    id: `${endMin}`,
    kind: 'pre-recorded',
    createdAtMs: nowMs + (endMin - tookMin) * minuteMs,
    completedAtMs: nowMs + endMin * minuteMs,
    ...changes,
  });

const link = (inMin: number): string => `https://audio.example/a.wav?expires=${(nowMs + inMin * minuteMs) / 1000}`;

test('the sample consists of done pre-recorded jobs, and too few give no sample', () => {
  const jobs = [10, 20, 30, 40, 50].map((end) => done(end, end / 10));
  const sample = sampleProcessing(jobs);
  assert.deepEqual(sample, { p95Ms: 5 * minuteMs, medianMs: 3 * minuteMs, gapMs: 3 * minuteMs });
  const others = [done(60, 99, { kind: 'live' }), done(60, 99, { status: 'error' }), done(60, -1)];
  assert.deepEqual(sampleProcessing([...others, ...jobs]), sample);
  assert.equal(sampleProcessing(jobs.slice(1)), undefined);
  assert.deepEqual([measureLinkNeed(jobs)?.neededMs, measureLinkNeed(jobs.slice(1))], [5 * minuteMs, undefined]);
});

test('later requests of a batch need links that last longer', () => {
  const sample = { p95Ms: 9 * minuteMs, medianMs: 5 * minuteMs, gapMs: minuteMs };
  // The nth request waits n minutes and takes five: with links valid for ten minutes, all after the fifth expire.
  const urls = Array.from({ length: 300 }, () => link(10));
  assert.equal(countDeadLinks(urls, sample, nowMs), 294);
  assert.equal(
    countDeadLinks([link(-1), link(4), link(7), undefined, 'https://audio.example/a.wav'], sample, nowMs),
    2,
  );
});

test('a link that lasts longer never expires sooner', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 500 }), { maxLength: 50 }),
      fc.nat(100),
      fc.nat(100),
      (ends, more, gap) => {
        const sample = { p95Ms: 0, medianMs: 5 * minuteMs, gapMs: gap * 1000 };
        const dead = (extra: number): number =>
          countDeadLinks(
            ends.map((end) => link(end + extra)),
            sample,
            nowMs,
          );
        assert.ok(dead(more) <= dead(0));
      },
    ),
    { numRuns: propertyRuns },
  );
});
