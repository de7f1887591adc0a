import { validateHeaderName, validateHeaderValue } from 'node:http';
import { Failure, type FailureFacts } from '../../domain/failure.ts';
import type { Connection } from '../ports.ts';

/**
 * The only place where the key enters a request (contract 5).
 * @param url where the request is about to go.
 * @throws Failure `redirected` for any origin but the connection's own; `keyRejected` when the key cannot be written
 *   in a header; `noConnection` when the header's name is none.
 */
export function writeKeyHeader(connection: Connection, url: URL, key: string): Readonly<Record<string, string>> {
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

/**
 * A text with every occurrence of the key blotted out: a service may repeat the key, as it is or escaped. For people to
 * read: where the key is escaped in a mixed way, the text comes back without its escapes.
 */
export function maskKey(text: string, key: string): string {
  const inUrl = new URLSearchParams([['', key]]).toString().slice(1);
  const forms = [key, JSON.stringify(key).slice(1, -1), inUrl, inUrl.replaceAll('+', '%20')];
  const rest = forms.reduce((left, form) => left.replaceAll(form, '•••'), text);
  const plain = unescaped(rest);
  return plain.includes(key) ? plain.replaceAll(key, '•••') : rest;
}

/** What JSON, URLs and HTML write for a character that they could write as it is. */
const escapes =
  /\\u([\da-f]{4})|\\(["\\/])|((?:%[\da-f]{2})+)|&#(\d{1,7});|&#x([\da-f]{1,6});|&(amp|lt|gt|quot|apos);/gi;
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** A text without one layer of escapes, whichever they are. */
function unescaped(text: string): string {
  return text.replace(escapes, (whole: string, ...groups: readonly (string | undefined)[]) => {
    const [unicode, character, bytes, decimal, hex, entity = ''] = groups;
    if (character !== undefined) return character;
    if (bytes !== undefined) return Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8');
    const code = decimal === undefined ? parseInt(unicode ?? hex ?? '', 16) : Number(decimal);
    return entities[entity.toLowerCase()] ?? (code <= 0x10_ffff ? String.fromCodePoint(code) : whole);
  });
}

/** The same failure, told without the key. */
export function maskKeyInFailure(failure: Failure, key: string): Failure {
  const { serviceMessage, fieldErrors, requestId, cause, ...numbers } = failure.facts;
  const facts: FailureFacts = {
    ...numbers,
    ...(serviceMessage !== undefined && { serviceMessage: maskKey(serviceMessage, key) }),
    ...(fieldErrors !== undefined && { fieldErrors: fieldErrors.map((each) => maskKey(each, key)) }),
    ...(requestId !== undefined && { requestId: maskKey(requestId, key) }),
    ...(cause !== undefined && { cause: maskKey(cause, key) }),
  };
  return new Failure(failure.code, facts);
}
