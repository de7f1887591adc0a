import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeOutcome, postVerdict } from '../../../../src/domain/submission/submission.ts';
import { attempt } from '../../../../src/domain/decode/decoder.ts';

test('only what HTTP calls unprocessed rejects, only 2xx accepts, all else is open', () => {
  const rejecting = [400, 401, 403, 404, 405, 411, 413, 414, 415, 417, 422, 426, 429, 431, 451];
  for (const status of [...Array.from({ length: 1100 }, (_, index) => index), -1, 200.5, NaN, Infinity]) {
    const isAccepted = Number.isInteger(status) && status >= 200 && status <= 299;
    const expected = isAccepted ? 'accepted' : rejecting.includes(status) ? 'rejected' : 'unknown';
    assert.equal(postVerdict(status), expected, String(status));
  }
});

test('what an earlier version wrote down as rejected is understood by the same table', () => {
  const stored = (status: number | undefined) =>
    attempt(decodeOutcome, { type: 'rejected', code: 'serverFailed', status, requestId: 'r' });
  const open = { type: 'unknown', code: 'serverFailed', lookedAtMs: undefined };
  for (const status of [301, 302, 408, 409, 500, 501, 503, 505, 799]) assert.deepEqual(stored(status), open);
  assert.deepEqual(stored(undefined), open);
  assert.deepEqual(stored(400), { type: 'rejected', code: 'serverFailed', status: 400, requestId: 'r' });
});
