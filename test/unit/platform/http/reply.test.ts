import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeyMask } from '../../../../src/platform/http/keyMask.ts';
import { describeReply, describeRequest, isSuccess } from '../../../../src/platform/http/reply.ts';

const key = 'sk-live-1234567890';
const keyMask = new KeyMask(key);

test('the log contains the list query, but no values of metadata and unknown parameters', () => {
  const url = new URL(
    'https://a.test/v2/live?offset=0&status=done&status%5B%5D=error&after_date=2026-11-20T10%3A00%3A00.000Z',
  );
  url.searchParams.append('custom_metadata[user]', 'Ada');
  url.searchParams.append('token', 's3cret');
  assert.equal(
    describeRequest('GET', url, keyMask),
    'GET /v2/live?offset=0&status=done&status[]=error&after_date=2026-11-20T10:00:00.000Z&custom_metadata[user]=…&token=…',
  );
  assert.equal(describeRequest('POST', new URL('https://a.test/v2/pre-recorded'), keyMask), 'POST /v2/pre-recorded');
});

test('the log contains no part of a key in a truncated path or request ID', () => {
  for (let length = 90; length < 130; length++) {
    const headers = { 'x-request-id': `${'n'.repeat(length)}${key}` };
    const answer = { status: 200, headers, text: '', isCut: false };
    assert.doesNotMatch(describeReply({ type: 'success', answer }, keyMask), /sk-/);
  }
  for (let length = 470; length < 510; length++) {
    const url = new URL(`https://a.test/${'n'.repeat(length)}${key}`);
    assert.doesNotMatch(describeRequest('GET', url, keyMask), /sk-/);
  }
});

test('only 2xx is a success', () => {
  const statuses = [100, 199, 200, 204, 299, 300, 304, 400, 500];
  assert.deepEqual(statuses.filter(isSuccess), [200, 204, 299]);
});
