/** Where a web address leads, in ASCII: no credentials and no query, which may hold secrets. */
interface AddressLabel {
  readonly host: string;
  /** Host and path; with the scheme when it is not https, and a mark for a query. */
  readonly label: string;
}

/** The parsed URL; undefined for other text. */
export function parseUrl(text: string): URL | undefined {
  // Much cheaper than an exception.
  if (!URL.canParse(text)) return undefined;
  try {
    // Node can parse hosts of more than 16,384 characters with capitals, and then throws.
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** Where an address leads; undefined when it names no host. */
export function labelAddress(address: string): AddressLabel | undefined {
  const url = parseUrl(address.trim());
  if (!url || url.host === '') return undefined;
  const { protocol, host, pathname, search } = url;
  const scheme = protocol === 'https:' ? '' : `${protocol}//`;
  return { host, label: `${scheme}${host}${pathname === '/' ? '' : pathname}${search === '' ? '' : '?…'}` };
}

/** Whether a text as a whole is an http(s) address that leads somewhere. */
export function isWebAddress(text: string): boolean {
  return /^\s*https?:/i.test(text) && labelAddress(text) !== undefined;
}

/** White space and signs that end an address in a sentence. */
const endOfAddress = /[\s"'<>|]/;

/**
 * The http(s) addresses in a text, each so that it can be parsed alone. One within another, as in a query, is one of its own. So is
 * what follows an `@`, where the signs before it end an address to a reader, but are a user name to a URL parser (WHATWG URL).
 * Takes time linear in the text.
 */
export function findAddresses(written: string): readonly string[] {
  // URL parsers ignore tabs and line breaks (WHATWG URL).
  const text = written.replaceAll(/[\t\n\r]/g, '');
  const schemes = [...text.matchAll(/https?:/gi)];
  const found: string[] = [];
  let knownEnd = -1;
  for (const [nth, { index: start, 0: scheme }] of schemes.entries()) {
    const stretch = text.slice(start, schemes[nth + 1]?.index);
    const length = stretch.search(endOfAddress);
    const address = length < 0 ? stretch : stretch.slice(0, length);
    found.push(address);
    // Several may lie in one authority: whatever they begin with, one host follows the last `@`.
    if (start < knownEnd) continue;
    const from = start + scheme.length;
    const end = authorityEnd(text, from);
    const beyond = `${scheme}//${text.slice(from, end).replace(/^[^]*@|^[/\\]+/, '')}`;
    if (end > start + address.length && labelAddress(beyond) !== undefined) found.push(beyond);
    knownEnd = end;
  }
  return found;
}

/** Where the authority ends that follows the scheme, which ends at `from`. Parsers of http(s) addresses take any number of slashes. */
function authorityEnd(text: string, from: number): number {
  let begin = from;
  while (text[begin] === '/' || text[begin] === '\\') begin++;
  const delimiter = /[/\\?#]/g;
  delimiter.lastIndex = begin;
  return delimiter.exec(text)?.index ?? text.length;
}

/** An address of any scheme within other text, as JSON may write it: its slashes may be escaped. */
const addressInText = /([a-z][a-z0-9+.-]{0,30}:(?:\\?\/|\\\\){2,}|https?:(?:\\?\/|\\\\)*)([^\s"'<>]*)/gi;

/**
 * A text with the credentials and queries of its web addresses left out: signed links and callback tokens are no business of a model.
 * A text that begins as an address is one to its end, white space included, as in the names of files.
 */
export function maskAddresses(text: string): string {
  const [, scheme = '', rest] =
    /^(\s*(?:[a-z][a-z0-9+.-]{0,30}:)?(?:\\?\/|\\\\){2,}|\s*https?:)([^]*)$/i.exec(text) ?? [];
  if (rest !== undefined) return scheme + maskRest(rest);
  // An address without its scheme, as in a field for one.
  if (/^[\w.~%:@/\\+-]+\?\S*=/.test(text)) return maskRest(text);
  const masked = text.replaceAll(addressInText, (_address, begin: string, end: string) => begin + maskRest(end));
  // An address may go on after white space: then its query is left.
  return text.search(addressInText) < 0 ? text : masked.replaceAll(/([?&])[\w.~%-]{1,100}=[^\s"'<>&]+/g, '$1…');
}

/** What follows a scheme: the host without credentials, and the path. */
function maskRest(rest: string): string {
  const end = rest.search(/[?#]/);
  const address = end < 0 ? rest : rest.slice(0, end);
  const slashes = /^[/\\]*/.exec(address)?.[0] ?? '';
  const path = address.slice(slashes.length).search(/[/\\]/);
  const authority = path < 0 ? address : address.slice(0, slashes.length + path);
  const host = authority.slice(Math.max(authority.lastIndexOf('@') + 1, slashes.length));
  return `${slashes}${host}${address.slice(authority.length)}${end < 0 ? '' : `${rest[end] ?? ''}…`}`;
}

/**
 * Whether requests to a host stay on this machine, without DNS or proxy. These are exactly the hosts that the editor's proxy agent
 * bypasses: for any other address of 127.0.0.0/8 the key would be sent to a proxy in plain text, and names below `localhost` may be
 * resolved elsewhere.
 */
export function isLoopbackHost(hostname: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
