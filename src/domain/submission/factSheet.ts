import { t } from '@vscode/l10n';
import { parseJson } from '../json/json.ts';

/** What a user is asked about before a POST, computed from the bodies that would leave. */
export interface FactSheet {
  /** Where the requests go: host and path. */
  readonly service: string;
  /** The header that carries the key. */
  readonly header: string;
  /** Hosts of the audio, the commonest first; empty when none can be read. */
  readonly audioHosts: readonly string[];
  /** Every other http(s) address in the bodies, as host and path, each once, in their order. */
  readonly otherAddresses: readonly string[];
  /** Of all bodies, in UTF-8. */
  readonly bytes: number;
  /** Digest of the body; of a batch, of the digests of its bodies. */
  readonly hash: string;
  readonly requests: number;
}

/** A request as far as the facts need it. */
export interface FactRequest {
  /** JSON text, as it would be sent. */
  readonly body: string;
  readonly audioUrl: string | undefined;
}

/** What the facts are computed with. */
export interface FactDeps {
  readonly baseUrl: string;
  readonly apiKeyHeader: string;
  /** SHA-256, hexadecimal. */
  readonly digest: (text: string) => string;
  /** Of a text in UTF-8. */
  readonly byteLength: (text: string) => number;
}

/** The facts about one request or many (contract 4.4). */
export function factSheet(
  requests: readonly FactRequest[],
  { baseUrl, apiKeyHeader, digest, byteLength }: FactDeps,
): FactSheet {
  const audio = new Map<string, number>();
  const others = new Set<string>();
  const hashes: string[] = [];
  let bytes = 0;
  for (const { body, audioUrl } of requests) {
    const host = audioUrl === undefined ? undefined : addressLabel(audioUrl)?.host;
    if (host !== undefined) audio.set(host, (audio.get(host) ?? 0) + 1);
    for (const address of addressesIn(body, audioUrl)) others.add(address);
    bytes += byteLength(body);
    hashes.push(digest(body));
  }
  return {
    service: addressLabel(`${baseUrl}/v2/pre-recorded`)?.label ?? baseUrl,
    header: apiKeyHeader,
    audioHosts: [...audio].toSorted(([, a], [, b]) => b - a).map(([host]) => host),
    otherAddresses: [...others],
    bytes,
    hash: hashes.length === 1 ? (hashes[0] ?? '') : digest(hashes.join('\n')),
    requests: requests.length,
  };
}

/** The facts as lines for people. */
export function factLines(facts: FactSheet): readonly string[] {
  const { service, header, audioHosts, otherAddresses, bytes, hash, requests } = facts;
  return [
    t('Service: {0}', service),
    t('The key goes in the header {0}.', header),
    audioHosts.length === 0 ? t('Audio: none that can be read') : t('Audio: {0}', audioHosts.join(', ')),
    ...(otherAddresses.length === 0
      ? [t('Other addresses in the request: none')]
      : [t('Other addresses in the request:'), ...otherAddresses.map((address) => `• ${address}`)]),
    t('Size: {0} bytes · SHA-256 {1}…', bytes, hash.slice(0, 16)),
    requests === 1
      ? t('This makes a new job, which the service bills.')
      : t('This makes {0} new jobs, which the service bills.', requests),
  ];
}

/** The facts in so few lines that they always fit, for a question beside an editor that shows them whole. */
export function shortFactLines(facts: FactSheet): readonly string[] {
  const { service, header, audioHosts, otherAddresses, bytes, hash, requests } = facts;
  const whole = factLines({ service, header, audioHosts: [], otherAddresses: [], bytes, hash, requests });
  return [
    ...whole.filter((_line, index) => index !== audioLine && index !== addressLine),
    t('Hosts of audio: {0}. Other addresses in the request: {1}.', audioHosts.length, otherAddresses.length),
    t('They do not fit here. Read the editor that was opened before you confirm.'),
  ].map((line) => (line.length > mostColumns ? `${line.slice(0, mostColumns)}…` : line));
}

/** Where they stand among the lines. */
const audioLine = 2;
const addressLine = 3;

/** Lines that fit a dialog on a small screen. */
const mostLines = 14;
const mostColumns = 160;

/** Whether all lines can be read where they are asked about; what does not fit must be opened first. */
export function fitsDialog(lines: readonly string[]): boolean {
  return lines.length <= mostLines && lines.every((line) => line.length <= mostColumns);
}

/**
 * The http(s) addresses in a body, but for the audio's. Looked for in each string that stands in the text, names and repeated members
 * too, because nobody knows which of two a service takes.
 */
function addressesIn(body: string, audioUrl: string | undefined): readonly string[] {
  const found: string[] = [];
  let isAudioLeft = audioUrl !== undefined;
  for (const [token] of body.matchAll(/"(?:[^"\\]|\\.)*"/gs)) {
    // Most strings hold no address, written plainly or by escapes.
    if (!/https?|\\/i.test(token)) continue;
    const text = parseJson(token);
    if (typeof text !== 'string') continue;
    if (isAudioLeft && text === audioUrl) {
      isAudioLeft = false;
      continue;
    }
    // URL parsers ignore tabs and line breaks (WHATWG URL).
    for (const address of addressesOf(text.replaceAll(/[\t\n\r]/g, ''))) {
      const label = addressLabel(address)?.label;
      // What is no address as it stands is shown as it stands.
      found.push(label ?? JSON.stringify(address));
    }
  }
  return found;
}

/** The stretches of a text that may be read as addresses. One within another, as in a query, is one of its own. */
function addressesOf(text: string): readonly string[] {
  const starts = [...text.matchAll(/https?:/gi)].map(({ index }) => index);
  return starts.map((from, nth) => /^[^\s"'<>|]*/.exec(text.slice(from, starts[nth + 1]))?.[0] ?? '');
}

/** Host and path of an address, in ASCII: no credentials and no query, which may hold secrets. */
function addressLabel(address: string): { readonly host: string; readonly label: string } | undefined {
  const text = address.trim();
  if (!URL.canParse(text)) return undefined;
  const { protocol, host, pathname, search } = new URL(text);
  const scheme = protocol === 'https:' ? '' : `${protocol}//`;
  return { host, label: `${scheme}${host}${pathname === '/' ? '' : pathname}${search === '' ? '' : '?…'}` };
}
