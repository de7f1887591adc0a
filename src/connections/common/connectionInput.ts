import { t } from '@vscode/l10n';
import { bad, good, type CheckedText } from '../../base/checkedText.ts';
import { isPlainLine } from '../../base/outsideText.ts';
import { isLoopbackHost, parseUrl } from '../../base/webAddress.ts';

/**
 * Validates and normalizes the base URL of a service.
 * The result is an absolute URL without trailing slashes: host in lower case, IDN as punycode, IPv6 shortened, default port omitted, path
 * kept. `http` is allowed for loopback only, because the key is sent in a header (contract 5).
 */
export function checkBaseUrl(written: string): CheckedText {
  const text = written.trim();
  if (text === '') return bad(t('Enter the address of the service, such as {0}.', example));
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
    return bad(t('Start with https:// (http:// for a service on this computer), as in {0}.', example));
  }
  const url = parseUrl(text);
  if (url === undefined) return bad(t('This is not a URL. Write it as in {0}.', example));

  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return bad(t('{0} is not the address of a service. Start with https://.', `${url.protocol}//`));
  }
  if (url.username !== '' || url.password !== '') {
    return bad(
      t('Remove the user name and password: you are asked for the API key separately, and it is kept secret.'),
    );
  }
  // `URL` reports an empty query or fragment as an empty `search` or `hash`.
  if (text.includes('#')) return bad(t('Remove everything from # on: a service never receives it.'));
  if (text.includes('?')) return bad(t('Remove everything from ? on: each request adds its own query.'));
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
    return bad(t('Start with https://. Only a service on this computer (localhost, 127.0.0.1 or [::1]) can use http.'));
  }
  return good(`${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, '')}`);
}

/** Returns scheme, host and port of a base URL, which an API key is bound to. `''` if the text is not a URL. */
export function originOf(baseUrl: string): string {
  return parseUrl(baseUrl)?.origin ?? '';
}

const example = 'https://api.example.com';

/**
 * Reserved header names. A key under one of them would break the request (framing, routing, caching), be removed by a proxy (hop-by-hop
 * headers, RFC 9110 7.6.1), or be logged or forwarded as client information. `authorization` is allowed, because gateways accept a bare key
 * there.
 */
const taken = new Set([
  'accept',
  'accept-charset',
  'accept-encoding',
  'accept-language',
  'allow',
  'baggage',
  'cache-control',
  'connection',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-length',
  'content-location',
  'content-range',
  'content-type',
  'cookie',
  'cookie2',
  'date',
  'dnt',
  'expect',
  'forwarded',
  'from',
  'host',
  'http2-settings',
  'keep-alive',
  'last-event-id',
  'link',
  'location',
  'max-forwards',
  'origin',
  'pragma',
  'prefer',
  'range',
  'referer',
  'retry-after',
  'server',
  'set-cookie',
  'set-cookie2',
  'te',
  'traceparent',
  'tracestate',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'upgrade-insecure-requests',
  'user-agent',
  'via',
  'warning',
  'www-authenticate',
  'x-correlation-id',
  'x-real-ip',
  'x-request-id',
]);

/** Reserved prefixes: CORS, conditional requests, proxies, browsers, and forwarding. */
const takenFamilies = ['access-control-', 'if-', 'proxy-', 'sec-', 'x-forwarded-'];

/** Validates the name of the header that carries the API key (contract 5). Normalized to lower case. */
export function checkHeaderName(written: string): CheckedText {
  const name = written.trim().toLowerCase();
  if (name === '') return bad(t('Enter the name of the header for the API key.'));
  // RFC 9110 5.6.2, token.
  if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name)) {
    return bad(t('A header name is a single word of letters, digits and hyphens, without a colon.'));
  }
  if (taken.has(name) || takenFamilies.some((family) => name.startsWith(family)))
    return bad(
      t("The header {0} has another meaning. The service's documentation names the header for its key.", name),
    );
  return good(name);
}

/** The built-in connection to the sample service. The name is reserved. */
export const sampleName = 'Sample';

const maxNameLength = 100;

/**
 * Validates the name of a connection.
 * @param others names of the other connections, compared by {@link sameName}.
 */
export function checkConnectionName(written: string, others: readonly string[]): CheckedText {
  const name = written.trim().normalize();
  if (name === '') return bad(t('Enter a name for the connection.'));
  if (name.length > maxNameLength) return bad(t('A name can have up to {0} characters.', maxNameLength));
  if (!isPlainLine(name, maxNameLength)) return bad(t('A name must be a single line.'));
  if (sameName(name, sampleName))
    return bad(t('{0} is the name of the sample service. Choose another name.', sampleName));
  if (others.some((other) => sameName(name, other))) {
    return bad(t('A connection named {0} already exists. Choose another name.', name));
  }
  return good(name);
}

/** True if two names are equal, ignoring case. */
export function sameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** Longer than any key, shorter than the usual server limit for all headers together. */
const maxKeyLength = 4096;

/** Validates a pasted API key. Error sentences never repeat any part of it. */
export function checkApiKey(written: string): CheckedText {
  const key = written.trim();
  if (key === '') return bad(t('Enter the API key.'));
  if (/[\r\n]/.test(key)) return bad(t('The API key spans several lines. Paste it as one line.'));
  if (/\s/.test(key)) return bad(t('The API key contains a space. Paste only the key.'));
  if (!/^[\x21-\x7e]+$/.test(key)) {
    return bad(t("The API key contains characters that a header can't carry. Copy it again from your service."));
  }
  if (key.length > maxKeyLength) return bad(t('This is too long for an API key. Paste only the key.'));
  return good(key);
}
