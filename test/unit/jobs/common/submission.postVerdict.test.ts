import assert from 'node:assert/strict';
import { test } from 'node:test';
import { postVerdict } from '../../../../src/base/postOutcome.ts';

test('only statuses that HTTP defines as unprocessed mean rejected, only 2xx means accepted, all others are unknown', () => {
  const rejecting = [400, 401, 403, 404, 405, 411, 413, 414, 415, 417, 422, 426, 429, 431, 451];
  for (const status of [...Array.from({ length: 1100 }, (_, index) => index), -1, 200.5, NaN, Infinity]) {
    const isAccepted = Number.isInteger(status) && status >= 200 && status <= 299;
    const expected = isAccepted ? 'accepted' : rejecting.includes(status) ? 'rejected' : 'unknown';
    assert.equal(postVerdict(status), expected, String(status));
  }
});
