import { Failure, type FailureCode } from '../../base/failure.ts';

/**
 * Classifies a transport error by its code. The error itself is not kept, because errors of the HTTP library contain the
 * request options with the key.
 */
export function nameTransportFailure(error: unknown): Failure {
  const { code, message } = described(error);
  return new Failure(failureCode(code, message), code === undefined ? {} : { cause: code });
}

function failureCode(code: string | undefined, message: string): FailureCode {
  if (code === 'ETIMEDOUT' || code === 'ESOCKETTIMEDOUT') return 'timeout';
  // The editor's proxy agents throw errors without a code: "Failed to establish a socket connection to proxies: …".
  if (code?.startsWith('ERR_PROXY') || /\bprox(?:y|ies)\b/i.test(message)) return 'proxy';
  if (code === undefined) return 'offline';
  if (tlsCode.test(code)) return 'tls';
  if (garbledCode.test(code)) return 'notJson';
  return 'offline';
}

/** Codes of OpenSSL and Node for untrusted certificates, and of a server that does not use TLS. */
const tlsCode =
  /^(?:EPROTO|ERR_TLS_|ERR_SSL_|CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED)/;

/** The response is not HTTP (`HPE_`), or its compression is invalid (zlib, brotli). */
const garbledCode = /^(?:HPE_|Z_|ERR__ERROR_|ERR_BROTLI|BROTLI)/;

/** Returns code and message of the system error, which the library wraps. */
function described(error: unknown): { readonly code: string | undefined; readonly message: string } {
  if (!(error instanceof Error)) return { code: undefined, message: '' };
  if (error.cause instanceof Error) return described(error.cause);
  return { code: 'code' in error && typeof error.code === 'string' ? error.code : undefined, message: error.message };
}
