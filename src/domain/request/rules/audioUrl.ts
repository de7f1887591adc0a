import { t } from '@vscode/l10n';
import type { JsonObject } from '../../json/json.ts';
import type { Fix, Rule } from '../finding.ts';
import { valuePlace } from '../requestFile.ts';
import { memberOf, stringIn } from '../requestFields.ts';

const path = ['audio_url'] as const;
const place = valuePlace(...path);

const missing: Rule = {
  code: 'audio-url/missing',
  severity: 'warning',
  aboutAbsence: true,
  explain: () => t('Without audio_url there is nothing to transcribe.'),
  *check({ body, places }) {
    const isThere = memberOf(body, 'audio_url') !== undefined;
    if (places.count === 0 || (isThere && stringIn(body, 'audio_url')?.trim() !== '')) return;
    yield {
      message: t('audio_url is missing: there is nothing to transcribe.'),
      place: isThere ? place : { path: [], part: 'begin' },
    };
  },
};

export const notHttp: Rule = {
  code: 'audio-url/not-http',
  severity: 'error',
  explain: () => t('The service fetches the audio by itself, by http or https; it sees no file of this machine.'),
  *check({ body }) {
    const text = addressOf(body);
    if (text === undefined || httpUrl(text)) return;
    const completed = completedAddress(text);
    yield {
      message: t('This is not an http or https address: the service cannot fetch it.'),
      place,
      ...(completed !== undefined && { fixes: [replaceBy(t('Change to {0}', completed), completed, false)] }),
    };
  },
};

const spaces: Rule = {
  code: 'audio-url/spaces',
  severity: 'warning',
  explain: () => t('Spaces around the address are not part of it, and a service may not forgive them.'),
  *check({ body }) {
    const text = stringIn(body, 'audio_url');
    const trimmed = text?.trim();
    if (text === trimmed || trimmed === undefined || trimmed === '') return;
    yield {
      message: t('There are spaces around the address.'),
      place,
      fixes: [replaceBy(t('Remove the spaces'), trimmed, true)],
    };
  },
};

const privateAddress: Rule = {
  code: 'audio-url/private-address',
  severity: 'warning',
  explain: () => t('An address of this machine or of a private network cannot be reached from the service.'),
  *check({ body }) {
    const url = httpUrl(addressOf(body));
    if (!url || !isPrivateHost(url.hostname)) return;
    yield { message: t('"{0}" can hardly be reached from the service: it is local or private.', url.hostname), place };
  },
};

const credentials: Rule = {
  code: 'audio-url/credentials',
  severity: 'warning',
  explain: () => t('A user name and password in the address are sent to the service and come back with the job.'),
  *check({ body }) {
    const text = addressOf(body);
    const url = httpUrl(text);
    if (!url || (url.username === '' && url.password === '')) return;
    const without = text?.replace(/^([^/?#]*\/\/)[^/?#]*@/u, '$1');
    yield {
      message: t('A user name or password in the address goes to the service and is stored with the job.'),
      place,
      ...(without !== undefined &&
        httpUrl(without)?.username === '' && {
          fixes: [replaceBy(t('Remove the credentials'), without, false)],
        }),
    };
  },
};

const expired: Rule = {
  code: 'audio-url/expired',
  severity: 'warning',
  explain: () => t('A signed link that has expired gives no audio.'),
  *check({ body }, { nowMs }) {
    const url = httpUrl(addressOf(body));
    const endMs = url && readLinkExpiry(url);
    if (endMs === undefined || endMs > nowMs) return;
    yield { message: t('This signed link expired at {0}.', new Date(endMs).toISOString()), place };
  },
};

export const audioUrlRules: readonly Rule[] = [missing, notHttp, spaces, privateAddress, credentials, expired];

/** The address without spaces around it; undefined when there is none to speak of. */
function addressOf(body: JsonObject): string | undefined {
  const text = stringIn(body, 'audio_url')?.trim();
  return text === '' ? undefined : text;
}

function httpUrl(text: string | undefined): URL | undefined {
  if (text === undefined || !/^https?:\/\//iu.test(text) || !URL.canParse(text)) return undefined;
  return new URL(text);
}

/** `example.com/a.mp3` with `https://` before it; undefined when the text is nothing of the kind. */
function completedAddress(text: string): string | undefined {
  const host = /^(?:https?:)?(?:\/\/)?((?:[\w-]+\.)+[a-z]{2,}(?::\d+)?\/.*)$/iu.exec(text)?.[1];
  const completed = `https://${host}`;
  return host !== undefined && httpUrl(completed) ? completed : undefined;
}

function replaceBy(title: string, value: string, safe: boolean): Fix {
  return { title, changes: [{ type: 'replace', path, value }], safe };
}

/** When a signed link ends, in milliseconds since the epoch; undefined when it does not say so in a way that stores use. */
export function readLinkExpiry(url: URL): number | undefined {
  const parameters = new Map(queryOf(url).map(([name, value]) => [name.toLowerCase(), value]));
  for (const store of ['x-amz', 'x-goog']) {
    const begin = compactTime(parameters.get(`${store}-date`));
    const seconds = digits(parameters.get(`${store}-expires`));
    if (begin !== undefined && seconds !== undefined) return begin + seconds * 1000;
  }
  // Azure: `se` is the end, `sig` makes it a signature and not some other `se`.
  if (parameters.has('sig')) {
    const end = Date.parse(parameters.get('se') ?? '');
    if (!Number.isNaN(end)) return end;
  }
  const epochSeconds = digits(parameters.get('expires'));
  // Smaller numbers are durations.
  return epochSeconds !== undefined && epochSeconds > 1e9 ? epochSeconds * 1000 : undefined;
}

function queryOf(url: URL): readonly (readonly [string, string])[] {
  return url.search
    .slice(1)
    .split('&')
    .map((pair) => {
      const [name = '', value = ''] = pair.split('=').map(decoded);
      return [name, value];
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
  return text !== undefined && /^\d{1,12}$/u.test(text) ? Number(text) : undefined;
}

/** `20250131T235959Z`, the way signatures have it. */
function compactTime(text: string | undefined): number | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/u.exec(text ?? '');
  if (!parts) return undefined;
  const [, year, month, day, hour, minute, second] = parts;
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time) ? undefined : time;
}

/** Names that stand for this machine or the network around it (RFC 6761, 6762, 8375 and custom). */
const localNames = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa)$/u;

/**
 * Whether a host is reachable only from this machine or the network around it, as far as its name says.
 * @param hostname as `URL` gives it: lower case, addresses in their usual form, IPv6 in brackets.
 */
export function isPrivateHost(hostname: string): boolean {
  if (hostname.startsWith('[')) return isPrivateIpv6(hostname.slice(1, -1));
  const name = hostname.replace(/\.$/u, '');
  const numbers = name.split('.').map(Number);
  if (numbers.length === 4 && numbers.every((number) => Number.isInteger(number))) return isPrivateIpv4(numbers);
  return !name.includes('.') || localNames.test(name);
}

function isPrivateIpv4([first = 0, second = 0]: readonly number[]): boolean {
  return (
    first === 0 ||
    first === 10 ||
    first === 127 ||
    (first === 100 && second >= 64 && second < 128) ||
    (first === 169 && second === 254) ||
    (first === 172 && second >= 16 && second < 32) ||
    (first === 192 && second === 168)
  );
}

function isPrivateIpv6(address: string): boolean {
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/u.exec(address);
  if (mapped) {
    const high = Number.parseInt(mapped[1] ?? '', 16);
    return isPrivateIpv4([high >> 8, high & 255]);
  }
  return address === '::' || address === '::1' || /^f[cd]|^fe[89ab]/u.test(address);
}
