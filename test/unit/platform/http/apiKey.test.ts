import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { isFailure, type FailureCode } from '../../../../src/base/failure.ts';
import { writeKeyHeader } from '../../../../src/platform/http/apiKey.ts';
import type { Connection } from '../../../../src/connections/common/connection.ts';
import { connectionDefaults } from '../../../support/builders/workConnection.ts';

const connection: Connection = {
  ...connectionDefaults,
  name: 'Service',
  baseUrl: 'https://api.example.com/speech',
};

suite('writeKeyHeader', () => {
  test('sends the key only to its own origin, in the header of the connection', () => {
    const url = new URL('https://api.example.com/anything?a=b');
    assert.deepEqual(writeKeyHeader(connection, url, 'k'), { 'x-service-key': 'k' });
    assert.deepEqual(writeKeyHeader({ ...connection, apiKeyHeader: 'x-other' }, url, 'k'), { 'x-other': 'k' });
  });

  const strangers = [
    'http://api.example.com/',
    'https://api.example.com:8443/',
    'https://example.com/',
    'https://api.example.com.evil.test/',
    'https://evil.test/https://api.example.com/',
    'https://api.example.com@evil.test/',
  ];
  for (const url of strangers) {
    test(`rejects ${url}`, () => refuses(() => writeKeyHeader(connection, new URL(url), 'k'), 'redirected'));
  }

  test('rejects keys and headers that HTTP forbids, without revealing the key', () => {
    const url = new URL(connection.baseUrl);
    for (const key of ['line\nbreak', 'nul\0', 'ключ', '\ud800'])
      refuses(() => writeKeyHeader(connection, url, key), 'keyRejected');
    for (const apiKeyHeader of ['', 'two words', 'colon:']) {
      refuses(() => writeKeyHeader({ ...connection, apiKeyHeader }, url, 'line\nbreak'), 'noConnection');
    }
  });
});

function refuses(act: () => unknown, code: FailureCode): void {
  assert.throws(act, (error) => isFailure(error, code) && !/line|nul|ключ/.test(error.message));
}
