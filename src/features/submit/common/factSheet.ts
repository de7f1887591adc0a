import { t } from '@vscode/l10n';
import { parseJson } from '../../../base/json/json.ts';
import { readStrings, skipSpace, skipValue } from '../../../base/json/jsonText.ts';
import { findAddresses, isWebAddress, labelAddress } from '../../../base/webAddress.ts';

/** The facts that a user confirms before a POST, computed from the bodies to send. */
export interface FactSheet {
  /** Host and path of the endpoint. */
  readonly service: string;
  /** The header that carries the key. */
  readonly header: string;
  /** Hosts of the audio, most frequent first; empty when none can be determined. */
  readonly audioHosts: readonly string[];
  /** All other addresses in the bodies, as host and path, in order, without duplicates. */
  readonly otherAddresses: readonly string[];
  /** Size of all bodies in UTF-8. */
  readonly bytes: number;
  readonly requests: number;
  /** The only request was submitted before. */
  readonly isAgain?: boolean;
  /** The requests go to the sample service, which is part of the extension. */
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
  /** Size of a text in UTF-8. */
  readonly byteLength: (text: string) => number;
}

/** Computes the facts about one or more requests (contract 4.4), in one step per request. */
export function* factSheet(
  requests: readonly FactRequest[],
  { baseUrl, apiKeyHeader, byteLength }: FactDeps,
): Generator<undefined, FactSheet> {
  const audio = new Map<string, number>();
  const others = new Set<string>();
  let bytes = 0;
  for (const { body, audioUrl } of requests) {
    yield;
    const host = audioUrl === undefined ? undefined : labelAddress(audioUrl)?.host;
    if (host !== undefined) audio.set(host, (audio.get(host) ?? 0) + 1);
    for (const address of addressesIn(body, audioUrl)) others.add(address);
    bytes += byteLength(body);
  }
  return {
    service: labelAddress(`${baseUrl}/v2/pre-recorded`)?.label ?? baseUrl,
    header: apiKeyHeader,
    audioHosts: [...audio].toSorted(([, a], [, b]) => b - a).map(([host]) => host),
    otherAddresses: [...others],
    bytes,
    requests: requests.length,
  };
}

/** Formats the facts as lines of text for the user. */
export function factLines(facts: FactSheet): readonly string[] {
  const { service, header, audioHosts, otherAddresses, bytes, requests, isAgain = false, isSample = false } = facts;
  return [
    t('Service: {0}', service),
    isSample ? t('Nothing leaves this computer.') : t('The key is sent in the header {0}.', header),
    audioHosts.length === 0 ? t('Audio: no readable address') : t('Audio: {0}', audioHosts.join(', ')),
    ...(otherAddresses.length === 0
      ? []
      : [t('Other addresses in the request:'), ...otherAddresses.map((address) => `• ${address}`)]),
    requests === 1 ? t('Size: {0} bytes', bytes) : t('Size of all requests: {0} bytes', bytes),
    isSample ? t('Sample jobs cost nothing.') : billText(requests, isAgain),
  ];
}

function billText(requests: number, isAgain: boolean): string {
  if (requests !== 1) return t('This creates {0} new billed jobs.', requests);
  return isAgain ? t('This creates another billed job.') : t('This creates a new billed job.');
}

/** Formats a short form of the facts that always fits a dialog, for use when an editor shows all of them. */
export function shortFactLines(facts: FactSheet): readonly string[] {
  const { audioHosts, otherAddresses } = facts;
  const whole = factLines({ ...facts, audioHosts: [], otherAddresses: [] });
  return [
    ...whole.filter((_line, index) => index !== audioLine),
    t('Hosts of audio: {0}. Other addresses in the request: {1}.', audioHosts.length, otherAddresses.length),
    t("They don't fit here. Read them in the editor that just opened before you confirm."),
  ].map((line) => (line.length > maxColumns ? `${line.slice(0, maxColumns - 1)}…` : line));
}

/** Index of the line that the short form replaces. */
const audioLine = 2;

/** Number of lines that fit a dialog on a small screen. */
const maxLines = 14;
const maxColumns = 160;

/** True if a dialog can show all lines; otherwise they must be opened in an editor first. */
export function fitsDialog(lines: readonly string[]): boolean {
  return lines.length <= maxLines && lines.every((line) => line.length <= maxColumns);
}

/**
 * Yields the addresses in a body other than the audio URL: the values of address fields (`url`, `…_url`), texts that begin with a scheme or
 * `//`, http(s) addresses anywhere in a text, and addresses within other addresses. Searches every string of the JSON text, including names
 * and duplicate members, because it is unknown which of the duplicates a service uses.
 */
function* addressesIn(body: string, audioUrl: string | undefined): Generator<string> {
  let isAudioLeft = audioUrl !== undefined && isWebAddress(audioUrl);
  /** Offset where the value of the current address field ends; the value may be a list or an object. */
  let addressEnd = 0;
  for (const { start, token } of readStrings(body)) {
    const text = parseJson(token);
    if (typeof text !== 'string') continue;
    const colonAt = skipSpace(body, start + token.length);
    const isName = body[colonAt] === ':';
    const isValue = start < addressEnd && !isName;
    if (isName && start >= addressEnd && addressField.test(text)) {
      addressEnd = skipValue(body, skipSpace(body, colonAt + 1));
    }
    if (isAudioLeft && text === audioUrl) {
      isAudioLeft = false;
      // Text after the audio's own address is another address.
      for (const address of partsOfAddress(text)) yield describeAddress(address);
      continue;
    }
    const isAddress = isValue ? text.trim() !== '' : beginsAsAddress(text);
    // `partsOfAddress` already reports http(s) addresses.
    if (isAddress && !isWebAddress(text)) yield describeAddress(text);
    if (isWebAddress(text)) yield describeAddress(findAddresses(text)[0] ?? text);
    for (const address of partsOfAddress(text)) yield describeAddress(address);
  }
}

const addressField = /^(?:.*_)?url$/is;

/**
 * True if a text begins like an address. URL parsers ignore tabs, line breaks and leading white space, and read backslashes as slashes
 * (WHATWG URL).
 */
function beginsAsAddress(text: string): boolean {
  return /^[\0- ]*(?:[a-z][a-z0-9+.-]*:\S|[/\\]{2})/i.test(text.slice(0, 1000).replaceAll(/[\t\n\r]/g, ''));
}

/**
 * Yields the addresses within a text, except one that is the whole text: http(s) addresses anywhere, and, if the text is or contains an
 * address, addresses of any scheme at the beginning of its parameters. Searches the text as written and with its percent-encoding decoded,
 * once per level of encoding.
 */
function* partsOfAddress(text: string): Generator<string> {
  let layer = text;
  for (let depth = 0; depth < maxEncodings; depth++) {
    const [first, ...others] = findAddresses(layer);
    if (first !== undefined && !(depth === 0 && isWebAddress(layer))) yield first;
    yield* others;
    if (first !== undefined || beginsAsAddress(layer)) {
      const [whole = '', ...parameters] = layer.split(/[?&=#;]/);
      const parts = depth === 0 ? parameters : [whole, ...parameters];
      yield* parts.filter((part) => beginsAsAddress(part) && !isWebAddress(part));
    }
    const decoded = layer.replaceAll(/%([0-7][\da-f])/gi, (_escape, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    if (decoded === layer) return;
    layer = decoded;
  }
}

/** Max number of decoding steps. An address is encoded once for each address whose query contains it. */
const maxEncodings = 4;

/** Returns host and path of an address of any scheme; other text as written, without its query, which may contain a secret. */
function describeAddress(text: string): string {
  const address = text.trim();
  const { label } = labelAddress(address) ?? {};
  if (label !== undefined) return label;
  const end = address.search(/[?#]/);
  return end < 0 ? JSON.stringify(address) : JSON.stringify(`${address.slice(0, end)}${address[end] ?? ''}…`);
}
