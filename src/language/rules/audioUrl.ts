import { t } from '@vscode/l10n';
import { formatMoment } from '../../base/format.ts';
import type { JsonObject } from '../../base/json/json.ts';
import { removeInvisible } from '../../base/outsideText.ts';
import { minuteMs } from '../../base/time.ts';
import { findSecondAddress, parseUrl } from '../../base/webAddress.ts';
import type { Fix, Rule } from '../request/finding.ts';
import { valuePlace, type RequestFile } from '../request/requestFile.ts';
import { rememberPerObject } from '../../base/rememberPerObject.ts';
import { memberOf, stringIn } from '../request/requestFields.ts';
import { findPageLink, readLinkExpiry } from './audioLinks.ts';

const path = ['audio_url'] as const;
const place = valuePlace(...path);

const missing: Rule = {
  code: 'audio-url/missing',
  severity: 'warning',
  source: 'contract 2.4',
  aboutAbsence: true,
  explain: () => t('Without audio_url, a request can only be sent with a list of audio URLs.'),
  *check(request) {
    if (!lacksAudio(request)) return;
    yield {
      message: t('audio_url is missing: this request can only be sent with a list of audio URLs.'),
      place: memberOf(request.body, 'audio_url') === undefined ? { path: [], part: 'begin' } : place,
    };
  },
};

/** True if a request is JSON in which the audio URL is missing or empty. */
export function lacksAudio({ body, root }: Pick<RequestFile, 'body' | 'root'>): boolean {
  const written = memberOf(body, 'audio_url');
  return (
    root !== undefined && (written === undefined || written === null || stringIn(body, 'audio_url')?.trim() === '')
  );
}

export const notHttp: Rule = {
  code: 'audio-url/not-http',
  severity: 'warning',
  source: 'contract 2.4',
  explain: () => t("The service fetches the audio itself over http or https; it can't see files on this computer."),
  *check({ body }) {
    const { text, url } = addressOf(body);
    if (text === undefined || url) return;
    const completed = completeAddress(text);
    yield {
      message: t("This is not an http or https URL: the service can't fetch it."),
      place,
      ...(completed !== undefined && { fixes: [replaceBy(t('Change to {0}', completed), completed, false)] }),
    };
  },
};

const spaces: Rule = {
  code: 'audio-url/spaces',
  severity: 'warning',
  source: 'address',
  explain: () =>
    t(
      "Spaces, line breaks and invisible characters aren't part of an address: a service may remove, encode or reject them.",
    ),
  *check({ body }) {
    const written = stringIn(body, 'audio_url');
    const text = written?.trim();
    if (written === undefined || text === undefined || text === '') return;
    if (written !== text) {
      yield {
        message: t('There are spaces around the address.'),
        place,
        fixes: [replaceBy(t('Remove the spaces'), text, true)],
      };
      return;
    }
    // The other rules report texts of other kinds.
    if (!httpUrl(text) || findSecondAddress(text) !== undefined) return;
    if (/[\t\n\r]/u.test(text)) {
      const joined = text.replaceAll(/[\t\n\r]/gu, '');
      yield {
        message: t('There is a line break or a tab in the address.'),
        place,
        fixes: [replaceBy(t('Remove the line breaks and tabs'), joined, false)],
      };
    } else if (/\s/u.test(text)) {
      const encoded = text.replaceAll(/\s+/gu, (spaces) => encodeURIComponent(spaces));
      yield {
        message: t('There is a space in the address.'),
        place,
        fixes: [replaceBy(t('Encode the spaces'), encoded, false)],
      };
    } else if (removeInvisible(text) !== text) {
      const visible = removeInvisible(text);
      yield {
        message: t('There is an invisible character in the address.'),
        place,
        fixes: [replaceBy(t('Remove the invisible characters'), visible, false)],
      };
    }
  },
};

const several: Rule = {
  code: 'audio-url/several-addresses',
  severity: 'warning',
  source: 'contract 2.4',
  explain: () => t('audio_url takes one address. Submit a list of URLs to transcribe several.'),
  *check({ body }) {
    const { text } = addressOf(body);
    const second = text === undefined ? undefined : findSecondAddress(text);
    if (text === undefined || second === undefined) return;
    const first = text.slice(0, second).replace(/[\s,;|]{1,100}$/u, '');
    yield {
      message: t('There is more than one address; a request takes one.'),
      place,
      fixes: [{ ...replaceBy(t('Keep only the first'), first, false), isChoice: true }],
    };
  },
};

const playlist: Rule = {
  code: 'audio-url/playlist',
  severity: 'info',
  source: 'address',
  explain: () => t('A playlist or manifest lists the addresses of media; it is no audio file.'),
  *check({ body }) {
    const { url } = addressOf(body);
    const [extension] = /\.(?:m3u8?|mpd|pls|xspf|asx|ism|f4m)$/iu.exec(url?.pathname.slice(-10) ?? '') ?? [];
    if (extension === undefined) return;
    yield { message: t('"{0}" is a playlist; the service may need the audio file itself.', extension), place };
  },
};

const privateAddress: Rule = {
  code: 'audio-url/private-address',
  severity: 'warning',
  source: 'address',
  explain: () => t("The service can't reach addresses on this computer or a private network."),
  *check({ body }) {
    const { url } = addressOf(body);
    if (!url || !isPrivateHost(url.hostname)) return;
    yield {
      message: t('"{0}" is a local or private address; the service probably can\'t reach it.', url.hostname),
      place,
    };
  },
};

const credentials: Rule = {
  code: 'audio-url/credentials',
  severity: 'warning',
  source: 'address',
  explain: () => t('A user name and password in the address are sent to the service and come back with the job.'),
  *check({ body }) {
    const { text, url } = addressOf(body);
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
  source: 'address',
  explain: () => t('An expired signed link no longer gives access to the audio.'),
  *check({ body }, { nowMs, locale }) {
    const { url } = addressOf(body);
    const endMs = url && readLinkExpiry(url);
    if (endMs === undefined || endMs > nowMs) return;
    const end = locale === undefined ? new Date(endMs).toISOString() : formatMoment(endMs, locale);
    yield { message: t('This signed link expired on {0}.', end), place };
  },
};

const shortLife: Rule = {
  code: 'audio-url/short-life',
  severity: 'warning',
  source: 'address',
  explain: () => t('A signed link that expires before the job is done may not give access to the audio.'),
  *check({ body }, { nowMs, linkNeed }) {
    const { url } = addressOf(body);
    const endMs = url && readLinkExpiry(url);
    if (endMs === undefined || endMs <= nowMs) return;
    const need = linkNeed?.();
    if (need === undefined || endMs - nowMs >= need.neededMs) return;
    const [left, needed] = [Math.floor((endMs - nowMs) / minuteMs), Math.ceil(need.neededMs / minuteMs)];
    const message = need.isMeasured
      ? t('This signed link expires in {0} min; 95% of recent jobs needed {1}.', left, needed)
      : t('This signed link expires in {0} min; it should last {1}.', left, needed);
    yield { message, place };
  },
};

/** Rules whose findings no service can transcribe. */
const certain: readonly Rule[] = [missing, notHttp, expired];

/** True if a request with this finding is known to fail. */
export function isKnownToFail({ code }: { readonly code: string }): boolean {
  return certain.some((rule) => rule.code === code);
}

const pageLink: Rule = {
  code: 'audio-url/page-link',
  severity: 'warning',
  source: 'address',
  explain: () => t('A share link leads to a web page that shows the file, not to the audio.'),
  *check({ body }) {
    const { url } = addressOf(body);
    const page = url && findPageLink(url);
    if (!url || !page) return;
    const { direct } = page;
    yield {
      message: t('This link leads to a page of {0}; the service needs the file itself.', url.hostname),
      place,
      ...(direct !== undefined && { fixes: [replaceBy(t('Change to {0}', direct), direct, false)] }),
    };
  },
};

const unencrypted: Rule = {
  code: 'audio-url/unencrypted',
  severity: 'info',
  source: 'address',
  explain: () => t('Audio fetched over http can be intercepted.'),
  *check({ body }) {
    const { text, url } = addressOf(body);
    if (text === undefined || url?.protocol !== 'http:' || isPrivateHost(url.hostname)) return;
    const encrypted = text.replace(/^http:/iu, 'https:');
    yield {
      message: t('The audio is fetched without encryption.'),
      place,
      fixes: [{ ...replaceBy(t('Change to {0}', encrypted), encrypted, false), isChoice: true }],
    };
  },
};

export const audioUrlRules: readonly Rule[] = [
  missing,
  notHttp,
  spaces,
  several,
  privateAddress,
  credentials,
  expired,
  shortLife,
  pageLink,
  playlist,
  unencrypted,
];

interface Address {
  /** Trimmed; undefined if missing or blank. */
  readonly text: string | undefined;
  /** Undefined unless the scheme is http or https. */
  readonly url: URL | undefined;
}

/** Returns the parsed audio address, cached because most of these rules use it. */
const addressOf = rememberPerObject((body: JsonObject): Address => {
  const written = stringIn(body, 'audio_url')?.trim();
  const text = written === '' ? undefined : written;
  return { text, url: httpUrl(text) };
});

/** Parses an http or https URL; undefined for other texts. */
export function httpUrl(text: string | undefined): URL | undefined {
  return text !== undefined && /^https?:\/\//iu.test(text) ? parseUrl(text) : undefined;
}

/**
 * Completes or corrects the scheme of `example.com/a.mp3`, `https:/example.com/a.mp3` or `htps://example.com`, also within quotes or
 * angle brackets. Undefined for texts of other forms, including a name without a path, which may be a file name.
 */
export function completeAddress(text: string): string | undefined {
  const bare = /^[<"'`]?(.*?)[>"'`]?$/u.exec(text)?.[1] ?? text;
  if (bare !== text && httpUrl(bare)) return bare;
  const [, scheme, host] = /^(h+t*p+s*[:;]?\/+|\/\/)?((?:[\w-]+\.)+[a-z]{2,}(?::\d+)?(?:\/.*)?)$/iu.exec(bare) ?? [];
  if (scheme === undefined && host?.includes('/') !== true) return undefined;
  const completed = `https://${host}`;
  return host !== undefined && httpUrl(completed) ? completed : undefined;
}

function replaceBy(title: string, value: string, safe: boolean): Fix {
  return { title, changes: [{ type: 'replace', path, value }], safe };
}

/** Matches names of this machine or the local network (RFC 6761, 6762, 8375 and common usage). */
const localNames = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa|test|invalid)$/u;

/**
 * True if the name of a host is reachable only from this machine or the local network.
 * @param hostname as in `URL`: lower case, IP addresses normalized, IPv6 in brackets.
 */
export function isPrivateHost(hostname: string): boolean {
  if (hostname.startsWith('[')) return isPrivateIpv6(hostname.slice(1, -1));
  const name = hostname.replace(/\.$/u, '');
  const numbers = /^(\d+)\.(\d+)\.\d+\.\d+$/u.exec(name);
  if (numbers) return isPrivateIpv4([Number(numbers[1]), Number(numbers[2])]);
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
