import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeRequest, isSuccess } from '../../../../src/service/http/reply.ts';

test('the log tells the list query, but no metadata and nothing unknown', () => {
  const url = new URL(
    'https://a.test/v2/live?offset=0&status=done&status%5B%5D=error&after_date=2026-11-20T10%3A00%3A00.000Z',
  );
  url.searchParams.append('custom_metadata[user]', 'Ada');
  url.searchParams.append('token', 's3cret');
  assert.equal(
    describeRequest('GET', url),
    'GET /v2/live?offset=0&status=done&status[]=error&after_date=2026-11-20T10:00:00.000Z&custom_metadata[user]=…&token=…',
  );
  assert.equal(describeRequest('POST', new URL('https://a.test/v2/pre-recorded')), 'POST /v2/pre-recorded');
});

test('a success is 2xx and nothing beside it', () => {
  const statuses = [100, 199, 200, 204, 299, 300, 304, 400, 500];
  assert.deepEqual(statuses.filter(isSuccess), [200, 204, 299]);
});
