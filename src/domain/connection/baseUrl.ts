import { t } from '@vscode/l10n';
import { bad, good, type CheckedText } from './checkedText.ts';

/**
 * Reads the address of a service as a person wrote it.
 * The normal form is an absolute URL without slashes at the end: host in lower case, IDN as punycode, IPv6 shortened,
 * default port left out, path kept. `http` is for loopback only, because the key travels in a header (contract 5).
 */
export function checkBaseUrl(written: string): CheckedText {
  const text = written.trim();
  if (text === '') return bad(t('Enter the address of the service, such as {0}.', example));
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return bad(t('Begin with https://, as in {0}.', example));
  if (!URL.canParse(text)) return bad(t('This is not a URL. Write it like {0}.', example));

  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return bad(t('{0} does not lead to a service. Begin with https://.', `${url.protocol}//`));
  }
  if (url.username !== '' || url.password !== '') {
    return bad(t('Leave out the user name and password: the API key is asked for separately and kept secret.'));
  }
  // An empty query or fragment leaves no trace in `search` and `hash`.
  if (text.includes('#')) return bad(t('Leave out everything from # on: a service never sees it.'));
  if (text.includes('?')) return bad(t('Leave out everything from ? on: each request brings its own query.'));
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    return bad(t('Begin with https://. Only a service on this machine (localhost, 127.0.0.1 or [::1]) may use http.'));
  }
  return good(`${url.origin}${url.pathname.replace(/\/+$/, '')}`);
}

/** Scheme, host and port of a base URL: what an API key belongs to. `''` when the text is not a URL. */
export function originOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).origin : '';
}

const example = 'https://api.example.com';

/** Names below `localhost` are left out: not every resolver keeps them on this machine. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
