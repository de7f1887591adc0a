import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeOutcome } from '../../../../src/domain/submission/submission.ts';
import { attempt } from '../../../../src/domain/decode/decoder.ts';

test('what an earlier version wrote down as rejected is understood by the same table', () => {
  const stored = (status: number | undefined) =>
    attempt(decodeOutcome, { type: 'rejected', code: 'serverFailed', status, requestId: 'r' });
  const open = { type: 'unknown', code: 'serverFailed', lookedAtMs: undefined };
  for (const status of [301, 302, 408, 409, 500, 501, 503, 505, 799]) assert.deepEqual(stored(status), open);
  assert.deepEqual(stored(undefined), open);
  assert.deepEqual(stored(400), { type: 'rejected', code: 'serverFailed', status: 400, requestId: 'r' });
});
