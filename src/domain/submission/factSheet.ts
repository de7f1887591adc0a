import { t } from '@vscode/l10n';
import { parseJson } from '../json/json.ts';
import { readStrings } from '../json/jsonText.ts';
import { findAddresses, isWebAddress, labelAddress } from '../webAddress.ts';

/** The facts that a user confirms before a POST, computed from the bodies to send. */
export interface FactSheet {
  /** Host and path of the endpoint. */
  readonly service: string;
  /** The header that carries the key. */
  readonly header: string;
  /** Hosts of the audio, most frequent first; empty when none can be determined. */
  readonly audioHosts: readonly string[];
  /** All other http(s) addresses in the bodies, as host and path, in order, without duplicates. */
  readonly otherAddresses: readonly string[];
  /** Size of all bodies in UTF-8. */
  readonly bytes: number;
  /** Digest of the body; for a batch, digest of the digests of its bodies. */
  readonly hash: string;
  readonly requests: number;
  /** The only request was submitted before. */
  readonly isAgain?: boolean;
  /** They go to the sample service, which is a part of the extension. */
  readonly isSample?: boolean;
}

/** The part of a request that the facts depend on. */
export interface FactRequest {
  /** JSON text to send. */
  readonly body: string;
  readonly audioUrl: string | undefined;
}

/** Connection and functions needed for the facts. */
export interface FactDeps {
  readonly baseUrl: string;
  readonly apiKeyHeader: string;
  /** SHA-256, hexadecimal. */
  readonly digest: (text: string) => string;
  /** Size of a text in UTF-8. */
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
    const host = audioUrl === undefined ? undefined : labelAddress(audioUrl)?.host;
    if (host !== undefined) audio.set(host, (audio.get(host) ?? 0) + 1);
    for (const address of addressesIn(body, audioUrl)) others.add(address);
    bytes += byteLength(body);
    hashes.push(digest(body));
  }
  return {
    service: labelAddress(`${baseUrl}/v2/pre-recorded`)?.label ?? baseUrl,
    header: apiKeyHeader,
    audioHosts: [...audio].toSorted(([, a], [, b]) => b - a).map(([host]) => host),
    otherAddresses: [...others],
    bytes,
    hash: hashes.length === 1 ? (hashes[0] ?? '') : digest(hashes.join('\n')),
    requests: requests.length,
  };
}

/** The facts as lines of text for the user. */
export function factLines(facts: FactSheet): readonly string[] {
  const {
    service,
    header,
    audioHosts,
    otherAddresses,
    bytes,
    hash,
    requests,
    isAgain = false,
    isSample = false,
  } = facts;
  return [
    t('Service: {0}', service),
    isSample ? t('Nothing leaves this computer.') : t('The key is sent in the header {0}.', header),
    audioHosts.length === 0 ? t('Audio: no readable address') : t('Audio: {0}', audioHosts.join(', ')),
    ...(otherAddresses.length === 0
      ? [t('Other addresses in the request: none')]
      : [t('Other addresses in the request:'), ...otherAddresses.map((address) => `• ${address}`)]),
    requests === 1
      ? t('Size: {0} bytes · SHA-256 {1}…', bytes, hash.slice(0, 16))
      : t('Size of all requests: {0} bytes · SHA-256 of their hashes: {1}…', bytes, hash.slice(0, 16)),
    isSample ? t('Sample jobs cost nothing.') : billText(requests, isAgain),
  ];
}

function billText(requests: number, isAgain: boolean): string {
  if (requests !== 1) return t('This creates {0} new billed jobs.', requests);
  return isAgain ? t('This creates another billed job.') : t('This creates a new billed job.');
}

/** A short form of the facts that always fits a dialog, for use when an editor shows all of them. */
export function shortFactLines(facts: FactSheet): readonly string[] {
  const { audioHosts, otherAddresses } = facts;
  const whole = factLines({ ...facts, audioHosts: [], otherAddresses: [] });
  return [
    ...whole.filter((_line, index) => index !== audioLine && index !== addressLine),
    t('Hosts of audio: {0}. Other addresses in the request: {1}.', audioHosts.length, otherAddresses.length),
    t("They don't fit here. Read them in the editor that just opened before you confirm."),
  ].map((line) => (line.length > mostColumns ? `${line.slice(0, mostColumns)}…` : line));
}

/** Indexes of the lines that the short form replaces. */
const audioLine = 2;
const addressLine = 3;

/** Number of lines that fit a dialog on a small screen. */
const mostLines = 14;
const mostColumns = 160;

/** Whether a dialog can show all lines; otherwise they must be opened in an editor first. */
export function fitsDialog(lines: readonly string[]): boolean {
  return lines.length <= mostLines && lines.every((line) => line.length <= mostColumns);
}

/**
 * The http(s) addresses in a body other than the audio URL. Searches every string in the text, including names and duplicate
 * members, because it is unknown which of the duplicates a service uses.
 */
function addressesIn(body: string, audioUrl: string | undefined): readonly string[] {
  const found: string[] = [];
  // A text that is not an address may contain some.
  let isAudioLeft = audioUrl !== undefined && isWebAddress(audioUrl);
  for (const { token } of readStrings(body)) {
    // A quick check: most strings contain neither an address nor an escape.
    if (!/https?|\\/i.test(token)) continue;
    const text = parseJson(token);
    if (typeof text !== 'string') continue;
    if (isAudioLeft && text === audioUrl) {
      isAudioLeft = false;
      continue;
    }
    // Text that is not a valid URL is shown unchanged.
    for (const address of findAddresses(text)) found.push(labelAddress(address)?.label ?? JSON.stringify(address));
  }
  return found;
}
