import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { FailureCode } from '../../../../src/base/failure.ts';
import { nameTransportFailure } from '../../../../src/platform/http/transportFailure.ts';

suite('nameTransportFailure', () => {
  const codes: Readonly<Partial<Record<FailureCode, readonly string[]>>> = {
    offline: [
      'ECONNREFUSED',
      'ECONNRESET',
      'ENOTFOUND',
      'EAI_AGAIN',
      'EHOSTUNREACH',
      'ENETUNREACH',
      'EPIPE',
      'EWHATEVER',
    ],
    timeout: ['ETIMEDOUT'],
    tls: [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'CERT_HAS_EXPIRED',
      'CERT_NOT_YET_VALID',
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'ERR_SSL_WRONG_VERSION_NUMBER',
      'EPROTO',
    ],
    proxy: ['ERR_PROXY_TUNNEL'],
    notJson: ['HPE_INVALID_CONSTANT', 'Z_DATA_ERROR', 'Z_BUF_ERROR', 'ERR__ERROR_FORMAT_PADDING_1'],
  };
  for (const [failure, causes] of Object.entries(codes)) {
    test(`recognizes ${failure} by code`, () => {
      for (const cause of causes) {
        const { code, facts } = nameTransportFailure(Object.assign(new Error('no matter'), { code: cause }));
        assert.deepEqual([code, facts], [failure, { cause }]);
      }
    });
  }

  test('reads the cause of an error that the library wraps', () => {
    const cause = Object.assign(new Error('unexpected end of file'), { code: 'Z_BUF_ERROR' });
    const wrapped = Object.assign(new Error('unexpected end of file', { cause }), {
      code: 'ERR_READING_RESPONSE_STREAM',
    });
    assert.equal(nameTransportFailure(wrapped).code, 'notJson');
  });

  test("recognizes the editor's proxy errors, which have no code, by their message", () => {
    const error = new Error('Failed to establish a socket connection to proxies: PROXY 10.0.0.1:8080');
    assert.deepEqual([nameTransportFailure(error).code, nameTransportFailure(error).facts], ['proxy', {}]);
    assert.equal(nameTransportFailure(new Error('approximately')).code, 'offline');
    assert.equal(nameTransportFailure('thrown text').code, 'offline');
  });
});
