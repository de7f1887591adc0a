/** The destination of a web address, in ASCII, without credentials and query, which may contain secrets. */
interface AddressLabel {
  readonly host: string;
  /** Host and path; with the scheme when it is not https, and a mark for a query. */
  readonly label: string;
}

/** Returns the parsed URL; undefined for other text. */
export function parseUrl(text: string): URL | undefined {
  // Much cheaper than an exception.
  if (!URL.canParse(text)) return undefined;
  try {
    // Node's `canParse` accepts hosts of more than 16,384 characters with capitals, for which `URL` throws.
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** Returns the destination of an address; undefined if it has no host. */
export function labelAddress(address: string): AddressLabel | undefined {
  const url = parseUrl(address.trim());
  if (!url || url.host === '') return undefined;
  const { protocol, host, pathname, search } = url;
  const scheme = protocol === 'https:' ? '' : `${protocol}//`;
  return { host, label: `${scheme}${host}${pathname === '/' ? '' : pathname}${search === '' ? '' : '?…'}` };
}

/** True if a text as a whole is an http(s) address with a host. */
export function isWebAddress(text: string): boolean {
  return webHost(text) !== undefined;
}

/** Returns the host of a text that is an http(s) address as a whole; undefined for other texts. */
export function webHost(text: string): string | undefined {
  return /^\s*https?:/i.test(text) ? labelAddress(text)?.host : undefined;
}

/** White space and characters that end an address in a sentence. */
const endOfAddress = /[\s"'<>|]/;

/**
 * Returns the http(s) addresses in a text, each so that it can be parsed alone. An address within another one, as in a
 * query, is returned separately. The same applies to the text after an `@`: the characters before it end an address for
 * a reader, but are a user name for a URL parser (WHATWG URL). Takes time linear in the text.
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
    // One authority may contain several addresses. All of them have the host after the last `@`.
    if (start < knownEnd) continue;
    const from = start + scheme.length;
    const end = authorityEnd(text, from);
    const beyond = `${scheme}//${text.slice(from, end).replace(/^[^]*@|^[/\\]+/, '')}`;
    if (end > start + address.length && labelAddress(beyond) !== undefined) found.push(beyond);
    knownEnd = end;
  }
  return found;
}

/**
 * Returns the end of the authority after a scheme that ends at `from`. Parsers of http(s) addresses accept any number
 * of slashes.
 */
function authorityEnd(text: string, from: number): number {
  let begin = from;
  while (text[begin] === '/' || text[begin] === '\\') begin++;
  const delimiter = /[/\\?#]/g;
  delimiter.lastIndex = begin;
  return delimiter.exec(text)?.index ?? text.length;
}

/** An address within other text, as JSON may write it: its slashes may be escaped. */
const addressInText =
  /([a-z][a-z0-9+.-]{0,30}:(?:\\?\/|\\\\){2,}|https?:(?:\\?\/|\\\\)*|(?<![\w:/\\.])(?:\\?\/|\\\\){2,})([^\s"'<>]*)/gi;

/** Matches a text that begins like an address. It is one to its end, including white space, as in the names of files. */
const addressAtStart = /^(\s*(?:[a-z][a-z0-9+.-]{0,30}:)?(?:\\?\/|\\\\){2,}|\s*https?:)([^]*)$/i;

/** Characters that only occur in addresses, or that separate their parts. */
const addressSigns = /[:/\\?#@;]/g;

/**
 * Returns a text without the credentials, parameters and queries of its web addresses, encoded or not: signed links and
 * callback tokens must not reach a model. Decodes encoded text that hides some of them.
 */
export function maskAddresses(text: string): string {
  if (!/[/\\?@%&:]/.test(text)) return text;
  const whole = reveal(text);
  const [, scheme, rest] = addressAtStart.exec(whole) ?? [];
  if (scheme !== undefined && rest !== undefined) return scheme + maskRest(rest);
  return text.replaceAll(/\S+/g, (word) => maskWord(reveal(word)));
}

/** Returns a text as written, or decoded if that reveals more of an address. */
function reveal(text: string): string {
  let layer = text;
  for (let depth = 0; depth < maxLayers; depth++) {
    const decoded = layer
      .replaceAll(/%([2-7][\da-f])/gi, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      .replaceAll(/&#(x[\da-f]{2}|\d{2,3})\b;?/gi, (escape, code: string) => {
        const unit = Number(code.startsWith('x') || code.startsWith('X') ? `0${code}` : code);
        return unit >= 32 && unit < 127 ? String.fromCharCode(unit) : escape;
      })
      .replaceAll(
        /&(colon|sol|bsol|quest|num|commat|semi|amp);/gi,
        (_escape, name: string) => entities[name.toLowerCase()] ?? '',
      );
    if (decoded === layer) break;
    layer = decoded;
  }
  const signsIn = (each: string): number => each.match(addressSigns)?.length ?? 0;
  return layer !== text && signsIn(layer) > signsIn(text.replaceAll(/&(?:#?\w{1,8});/g, '')) ? layer : text;
}

const maxLayers = 4;
const entities: Readonly<Record<string, string>> = {
  colon: ':',
  sol: '/',
  bsol: '\\',
  quest: '?',
  num: '#',
  commat: '@',
  semi: ';',
  amp: '&',
};

function maskWord(word: string): string {
  const masked = word.replaceAll(addressInText, (_address, begin: string, end: string, at: number, all: string) => {
    const rest = maskRest(end);
    // Text after a quote belongs to credentials that the quote cuts.
    return rest === '…' && all.includes('@', at) ? `${begin}${cutMark}` : begin + rest;
  });
  const cut = masked.indexOf(cutMark);
  const shown = cut < 0 ? masked : `${masked.slice(0, cut)}…`;
  return maskCredentials(
    shown
      .split(/(["'<>])/)
      .map(maskQuery)
      .join(''),
  );
}

/** Removes the query of an address without a scheme: `host.example/path?name=value`. */
function maskQuery(part: string): string {
  const start = part.indexOf('?');
  return start >= 0 && part.includes('=', start) ? `${part.slice(0, start)}?…` : part;
}

/** Marks the end of the part of a word that may be shown. */
const cutMark = '\u0000';

/** In characters before an `@`. */
const maxCredentials = 300;
/** A word with more such characters is not an address. */
const maxSigns = 100;

/** Removes possible credentials before a host without a scheme: `user:password@host.example`. */
function maskCredentials(word: string): string {
  const parts = word.split('@');
  if (parts.length === 1) return word;
  if (parts.length > maxSigns) return '…';
  return parts
    .map((part, index) => {
      const next = parts[index + 1];
      if (next === undefined || !/^[\w-]+(?:\.[\w-]+)+/.test(next.slice(0, maxCredentials)))
        return next === undefined ? part : `${part}@`;
      const begin = /(?<=^|["'<>(,=])[^"'<>(,=/]{1,100}:[^"'<>]*$/.exec(part.slice(-maxCredentials));
      return begin === null ? `${part}@` : part.slice(0, part.length - begin[0].length);
    })
    .join('');
}

/** Returns the text after a scheme without credentials: the host, and the path. */
function maskRest(rest: string): string {
  const end = rest.search(/[?#;]/);
  const address = end < 0 ? rest : rest.slice(0, end);
  const slashes = /^[/\\]*/.exec(address)?.[0] ?? '';
  const slash = address.slice(slashes.length).search(/[/\\]/);
  const authority = slash < 0 ? address : address.slice(0, slashes.length + slash);
  const host = authority.slice(Math.max(authority.lastIndexOf('@') + 1, slashes.length));
  // A slash in a password ends the host too early.
  if (/^[^[\]]*:(?!\d{0,5}$)/.test(host)) return '…';
  const path = address.slice(authority.length);
  // The path contains another address with its own credentials.
  const inner = /[/\\](?:[^/\\]*:|[/\\])/.exec(path.slice(0, path.lastIndexOf('@') + 1));
  const shown = inner === null ? path : `${path.slice(0, inner.index + 1)}…`;
  return `${slashes}${host}${shown}${end < 0 ? '' : `${rest[end] ?? ''}…`}`;
}

/**
 * True if requests to a host stay on this machine, without DNS or proxy. These are exactly the hosts that the editor's
 * proxy agent bypasses: for any other address of 127.0.0.0/8 the key would be sent to a proxy in plain text, and names
 * below `localhost` may be resolved elsewhere.
 */
export function isLoopbackHost(hostname: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

/** Returns the index of a second address after a separator; undefined if there is none. An address in a query is part of the first one. */
export function findSecondAddress(text: string): number | undefined {
  const query = text.search(/[?#]/u);
  for (const { index, 0: found } of text.matchAll(/[\s,;|]https?:\/\//giu)) {
    const isInQuery = query >= 0 && query < index && !/\s/u.test(found);
    if (index > 0 && !isInQuery) return index + 1;
  }
  return undefined;
}
