import { validateHeaderName, validateHeaderValue } from 'node:http';
import { Failure } from '../../base/failure.ts';

/** The properties of a connection that a request needs. */
export interface HttpEndpoint {
  readonly baseUrl: string;
  readonly apiKeyHeader: string;
  readonly timeoutSeconds: number;
}

/**
 * The only place where the key is added to a request (contract 5).
 * @param url target of the request.
 * @throws Failure `redirected` for any origin but the connection's own; `keyRejected` when the key is not valid in a header;
 * `noConnection` when the header's name is invalid.
 */
export function writeKeyHeader(connection: HttpEndpoint, url: URL, key: string): Readonly<Record<string, string>> {
  if (url.origin !== new URL(connection.baseUrl).origin) throw new Failure('redirected', { cause: url.origin });
  try {
    validateHeaderName(connection.apiKeyHeader);
  } catch {
    throw new Failure('noConnection', { cause: `${connection.apiKeyHeader} is not a header name` });
  }
  try {
    validateHeaderValue(connection.apiKeyHeader, key);
  } catch {
    throw new Failure('keyRejected', { cause: 'the key holds characters that no header can carry' });
  }
  return { [connection.apiKeyHeader]: key };
}
