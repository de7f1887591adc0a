import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeBasis, formatBrief } from '../../../../src/domain/board/boardText.ts';

const english = { language: 'en', timeZone: 'UTC' };

it('an interval that says more than its number stands alone', () => {
  assert.equal(formatBrief({ count: 12, low: 12, high: 12 }, english), '12');
  assert.equal(formatBrief({ count: 1907, low: 1500, high: 2400 }, english), '1,907 ±493');
  assert.equal(formatBrief({ count: 1907, low: 420, high: 3876 }, english), '420–3,876');
  assert.equal(formatBrief({ count: 0, low: 0, high: 900 }, english), '0–900');
  assert.equal(formatBrief({ count: 1907, low: 420, high: 3876 }, english, true), '420+');
});

it('a sample that takes more requests than reading all names no share of them', () => {
  const basis = { type: 'sampled', isExact: true, isCut: false } as const;
  const say = (requests: number): string =>
    describeBasis({ basis, read: 348, total: 36_001, requests, exactRequests: 368, windows: [] }, '7:20 AM', english);
  assert.equal(say(184), 'Sampled at 7:20 AM: 348 of 36,001 jobs, 184 of 368 requests');
  assert.equal(say(397), 'Sampled at 7:20 AM: 348 of 36,001 jobs, 397 requests');
});
