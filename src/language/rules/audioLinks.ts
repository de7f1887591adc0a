/** Facts that a link itself contains: its expiry, and whether it leads to a page instead of a file. */

/** Maximum length of an address whose parts are read, in characters. Signed links have a few thousand. */
const maxReadLength = 16_384;

/** Returns the expiry of a signed link, in milliseconds since the epoch; undefined if it has none in a known format, or is very long. */
export function readLinkExpiry(url: URL): number | undefined {
  if (url.href.length > maxReadLength) return undefined;
  if (url.search === '') return tokenEnd(url.pathname.split('/'));
  const parameters = new Map(queryOf(url).map(([name, value]) => [name.toLowerCase(), value]));
  for (const store of ['x-amz', 'x-goog', 'x-oss']) {
    const begin = compactTime(parameters.get(`${store}-date`));
    const seconds = digits(parameters.get(`${store}-expires`));
    if (begin !== undefined && seconds !== undefined) return begin + seconds * 1000;
  }
  // Azure: `se` is the expiry; `sig` confirms that the link is signed.
  if (parameters.has('sig')) {
    const end = Date.parse(parameters.get('se') ?? '');
    if (!Number.isNaN(end)) return end;
  }
  // Tencent: begin and end, in seconds.
  const signed = /^\d+;(\d{10})$/u.exec(parameters.get('q-sign-time') ?? '')?.[1];
  if (signed !== undefined) return Number(signed) * 1000;
  // Chat and social networks use hexadecimal seconds.
  for (const [name, signature] of [
    ['ex', 'hm'],
    ['oe', 'oh'],
  ] as const) {
    if (parameters.has(signature) && /^[\da-f]{8}$/iu.test(parameters.get(name) ?? '')) {
      return Number.parseInt(parameters.get(name) ?? '', 16) * 1000;
    }
  }
  for (const [name, text] of parameters) {
    const isEnd = endName.test(name) || (name === 'e' && parameters.has('token'));
    const end = isEnd ? epochTime(text) : undefined;
    if (end !== undefined) return end;
  }
  return tokenEnd([...parameters.values(), ...url.pathname.split('/')]);
}

/** Matches query parameters for the expiry of a link: `expires`, `X-Expires`, `token_expiry`, `expiresAt`, `valid_until`. */
const endName = /(?:^|[-_])(?:exp|expires?|expiry|expiration|valid[-_]?until)(?:[-_]?(?:at|on|time|date|ts))?$/u;

/**
 * Parses seconds or milliseconds since the epoch, an ISO 8601 time or an HTTP date (RFC 9110) as milliseconds since the epoch.
 * Ignores smaller numbers, which are durations.
 */
function epochTime(text: string): number | undefined {
  const number = digits(text);
  if (number !== undefined) return number > 1e12 ? number : number > 1e9 ? number * 1000 : undefined;
  const end = /^\d{4}-\d\d-\d\dT|^[A-Z][a-z]{2}, .+ GMT$/u.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(end) ? undefined : end;
}

/** Reads the expiry in a token: a JSON Web Token (RFC 7519 `exp`), a CloudFront policy, or fields such as `exp=…~hmac=…`. */
function tokenEnd(values: readonly string[]): number | undefined {
  for (const value of values) {
    const fields = /(?:^|[~*])exp=(\d{10})(?:[~*]|$)/u.exec(value)?.[1];
    if (fields !== undefined) return Number(fields) * 1000;
    const payload = /^eyJ[\w-]+\.(eyJ[\w-]+)\.[\w-]*$/u.exec(value)?.[1];
    const end =
      payload === undefined ? undefined : /"exp"\s*:\s*(\d{10})(?:\.\d+)?\b/u.exec(decodeBase64(payload))?.[1];
    if (end !== undefined) return Number(end) * 1000;
    const policy = /^eyJ[\w~/+=-]+$/u.test(value)
      ? /"DateLessThan"\s*:\s*\{\s*"AWS:EpochTime"\s*:\s*(\d{10})\b/u.exec(decodeBase64(value))?.[1]
      : undefined;
    if (policy !== undefined) return Number(policy) * 1000;
  }
  return undefined;
}

const base64Digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Decodes base64url (RFC 4648) to one character per byte: sufficient for the ASCII names in a token. */
function decodeBase64(text: string): string {
  let bits = 0;
  let count = 0;
  let decoded = '';
  for (const digit of text) {
    bits = ((bits << 6) | base64Digits.indexOf(digit)) & 0xffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    decoded += String.fromCharCode((bits >> count) & 255);
  }
  return decoded;
}

function queryOf(url: URL): readonly (readonly [string, string])[] {
  return url.search
    .slice(1)
    .split('&')
    .map((pair) => {
      const equals = pair.indexOf('=');
      const [name, value] = equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
      return [decoded(name), decoded(value)];
    });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function digits(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,13}$/u.test(text) ? Number(text) : undefined;
}

/** Parses the ISO 8601 basic format, as in signatures: `20250131T235959Z`. */
function compactTime(text: string | undefined): number | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/u.exec(text ?? '');
  if (!parts) return undefined;
  const [, year, month, day, hour, minute, second] = parts;
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time) ? undefined : time;
}

/** A link to a page. `direct` is the link to the file, if there is one. */
export interface PageLink {
  readonly direct: string | undefined;
}

/** Recognizes share links of common hosts, which lead to a page instead of a file. Undefined for other and for very long URLs. */
export function findPageLink(url: URL): PageLink | undefined {
  if (url.href.length > maxReadLength) return undefined;
  const { hostname: host, pathname: path } = url;
  switch (host) {
    case 'drive.google.com': {
      const id =
        /^\/file\/(?:u\/\d+\/)?d\/([\w-]+)/u.exec(path)?.[1] ?? (path === '/open' ? url.searchParams.get('id') : null);
      return id === null ? findPlainPage(url) : { direct: `https://drive.google.com/uc?export=download&id=${id}` };
    }
    case 'www.dropbox.com':
    case 'dropbox.com':
      return /^\/(?:s|scl\/fi)\//u.test(path) && !isDirectDropbox(url)
        ? { direct: withParameter(url, 'dl', '1') }
        : findPlainPage(url);
    case 'storage.cloud.google.com':
      // This host requires a login; publicly readable files are available without one at the direct link.
      return { direct: `https://storage.googleapis.com${path}` };
    case 'bitbucket.org':
      return /^\/[^/]+\/[^/]+\/src\//u.test(path) ? { direct: url.origin + path.replace('/src/', '/raw/') } : undefined;
    case 'github.com': {
      const file = /^\/([^/]+\/[^/]+)\/blob\/(.+)$/u.exec(path);
      // GitHub itself leads to the file.
      if (file && hasFlag(url, 'raw')) return undefined;
      return file ? { direct: `https://raw.githubusercontent.com/${file[1]}/${file[2]}` } : findPlainPage(url);
    }
    case 'gitlab.com':
      return path.includes('/-/blob/') ? { direct: url.origin + path.replace('/-/blob/', '/-/raw/') } : undefined;
    case 'huggingface.co':
      return path.includes('/blob/') ? { direct: url.origin + path.replace('/blob/', '/resolve/') } : undefined;
    default:
      return findPlainPage(url);
  }
}

function findPlainPage(url: URL): PageLink | undefined {
  const { hostname, pathname } = url;
  // SharePoint and OneDrive.
  if (hasFlag(url, 'download')) return undefined;
  const isPage = pagesWithoutFile.some(([hosts, paths]) => hosts.test(hostname) && paths.test(pathname));
  return isPage ? { direct: undefined } : undefined;
}

function isDirectDropbox(url: URL): boolean {
  return hasFlag(url, 'dl') || hasFlag(url, 'raw');
}

/** True if a parameter of the query is on. */
function hasFlag({ searchParams }: URL, name: string): boolean {
  return ['1', 'true'].includes(searchParams.get(name) ?? '');
}

function withParameter(url: URL, name: string, value: string): string {
  const pairs = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !pair.startsWith(`${name}=`));
  return `${url.origin}${url.pathname}?${[...pairs, `${name}=${value}`].join('&')}`;
}

/** Hosts and paths of pages that have no direct form. */
const pagesWithoutFile: readonly (readonly [hosts: RegExp, paths: RegExp])[] = [
  [/(?:^|\.)box\.com$/u, /^\/(?:s|v|file)\//u],
  [/^(?:1drv\.ms|we\.tl|mega\.nz)$/u, /^\/./u],
  [/^onedrive\.live\.com$/u, /^\/(?!download)/u],
  [/\.sharepoint\.com$/u, /^\/:[a-z]:\//u],
  [/^(?:www\.)?wetransfer\.com$/u, /^\/downloads\//u],
  [/^www\.icloud\.com$/u, /^\/(?:iclouddrive|attachment)/u],
  [/^drive\.google\.com$/u, /^\/(?:drive\/)?(?:u\/\d+\/)?folders\//u],
  [/(?:^|\.)zoom\.us$/u, /^\/rec\/(?:share|play)\//u],
  [/^(?:www\.)?loom\.com$/u, /^\/share\//u],
  [/^(?:open\.spotify\.com|podcasts\.apple\.com|(?:www\.|m\.)?soundcloud\.com)$/u, /^\/./u],
  [/^(?:photos\.google\.com|photos\.app\.goo\.gl)$/u, /^\/./u],
  [/^archive\.org$/u, /^\/details\//u],
  [/^docs\.google\.com$/u, /^\/(?:document|file|presentation)\//u],
  [/^(?:www\.)?dropbox\.com$/u, /^\/(?:sh|scl\/fo|home)(?:\/|$)/u],
  [/^db\.tt$/u, /^\/./u],
  [/\.sharepoint\.com$/u, /(?<!\/download)\.aspx$/u],
  [/^github\.com$/u, /^\/[^/]+\/[^/]+\/tree\//u],
  [/^(?:console\.cloud\.google\.com|(?:s3\.)?console\.aws\.amazon\.com|portal\.azure\.com)$/u, /^\//u],
  [/(?:^|\.)pcloud\.link$/u, /^\/./u],
  [/(?:^|\.)pcloud\.com$/u, /^\/publink\//u],
  [/^(?:disk\.yandex\.[a-z]+|yadi\.sk)$/u, /^\/[di]\//u],
  [/^(?:www\.)?mediafire\.com$/u, /^\/(?:file|folder|view)\//u],
  [/^(?:www\.)?swisstransfer\.com$/u, /^\/d\//u],
  [/^(?:teams\.microsoft\.com|teams\.live\.com|meet\.google\.com)$/u, /^\/./u],
];
