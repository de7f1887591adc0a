import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Failure, type FailureFacts } from '../../../../src/base/failure.ts';
import { dayMs } from '../../../../src/base/time.ts';
import { parseRetryAfter, planRetry, type Attempt } from '../../../../src/platform/http/retry.ts';

const attempt = (changes: Partial<Attempt> = {}, facts: FailureFacts = { status: 503 }): Attempt => ({
  failure: new Failure('serverFailed', facts),
  sent: 1,
  nowMs: 1000,
  leftMs: 30_000,
  random: 0.5,
  ...changes,
});

suite('planRetry', () => {
  test('backs off with jitter, and gives up after three attempts', () => {
    assert.equal(planRetry(attempt({ random: 0 })), 250);
    assert.equal(planRetry(attempt({ random: 1 })), 500);
    assert.equal(planRetry(attempt({ sent: 2, random: 1 })), 1000);
    assert.equal(planRetry(attempt({ sent: 3 })), undefined);
  });

  test('retries only after certain statuses and lost connections', () => {
    const retried = (status: number): boolean => planRetry(attempt({}, { status })) !== undefined;
    const statuses = Array.from({ length: 200 }, (_, index) => 400 + index);
    assert.deepEqual(statuses.filter(retried), [408, 429, 500, 502, 503, 504]);
    assert.ok(planRetry(attempt({ failure: new Failure('offline') })) !== undefined);
    for (const code of ['tls', 'proxy', 'timeout', 'notJson', 'cancelled', 'tooLarge', 'redirected'] as const) {
      assert.equal(planRetry(attempt({ failure: new Failure(code) })), undefined, code);
    }
  });

  test('retries after a connection timeout while there is time left', () => {
    const failure = new Failure('timeout', { cause: 'ETIMEDOUT', connecting: true });
    assert.equal(planRetry(attempt({ failure, leftMs: 20_000 })), 375);
    assert.equal(planRetry(attempt({ failure, leftMs: 0 })), undefined);
  });

  test('waits as long as the service requests, unless that exceeds the deadline', () => {
    assert.equal(planRetry(attempt({}, { status: 429, retryAtMs: 6000 })), 5000);
    assert.equal(planRetry(attempt({}, { status: 429, retryAtMs: 0 })), 375);
    assert.equal(planRetry(attempt({}, { status: 429, retryAtMs: 31_000 })), undefined);
    assert.equal(planRetry(attempt({ leftMs: 200 })), undefined);
  });
});

suite('parseRetryAfter', () => {
  const nowMs = Date.parse('2026-11-20T10:00:00Z');
  const rows: readonly (readonly [header: string, delayMs: number | undefined])[] = [
    ['0', 0],
    ['120', 120_000],
    [' 7 ', 7000],
    ['99999999999999999999', dayMs],
    ['Fri, 20 Nov 2026 10:00:30 GMT', 30_000],
    ['Friday, 20-Nov-26 10:00:30 GMT', 30_000],
    ['Fri Nov 20 10:00:30 2026', 30_000],
    ['Fri, 20 Nov 2020 10:00:00 GMT', 0],
    ['Fri, 20 Nov 2099 10:00:00 GMT', dayMs],
    ['-5', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['Soon 1', undefined],
    ['', undefined],
  ];
  for (const [header, delayMs] of rows) {
    test(`reads "${header}"`, () => {
      assert.equal(parseRetryAfter(header, undefined, nowMs), delayMs === undefined ? undefined : nowMs + delayMs);
    });
  }

  test('measures a date against the clock of the service', () => {
    const serviceMs = Date.parse('2020-01-01T00:00:00Z');
    assert.equal(parseRetryAfter('Wed, 01 Jan 2020 00:00:05 GMT', serviceMs, nowMs), nowMs + 5000);
    assert.equal(parseRetryAfter('5', serviceMs, nowMs), nowMs + 5000);
    assert.equal(parseRetryAfter(undefined, serviceMs, nowMs), undefined);
  });
});
