import { t } from '@vscode/l10n';
import { bad, good, type CheckedText } from './checkedText.ts';

/**
 * Headers that HTTP or this program sets itself. A key under one of these names would break the request (framing, routing),
 * get lost on the way (a proxy removes what concerns a single connection, RFC 9110 7.6.1), or end up in places that log it.
 * `authorization` is not among them: gateways in front of a service do take a bare key there.
 */
const taken = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'cookie',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
]);

/** Reads the name of the header that carries the API key (contract 5). The normal form is in lower case. */
export function checkHeaderName(written: string): CheckedText {
  const name = written.trim().toLowerCase();
  if (name === '') return bad(t('Enter the name of the header that carries the API key.'));
  // RFC 9110 5.6.2, token.
  if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name)) {
    return bad(t('A header name is one word of letters, digits and hyphens, without a colon.'));
  }
  if (taken.has(name))
    return bad(t('The header {0} has another meaning. The service names the one for its key.', name));
  return good(name);
}
