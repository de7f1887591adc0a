import { isJsonObject, type JsonObject } from '../../base/json/json.ts';
import { labelAddress } from '../../base/webAddress.ts';
import { readItemFacts } from './itemFacts.ts';
import type { Job } from './job.ts';

/** Address at which the audio of a job can be opened. */
export interface AudioAddress {
  /** The whole address as URL parsers read it, in ASCII. Its query may contain a signature. */
  readonly href: string;
  /** Name and port. */
  readonly host: string;
  /** Host and path without the query, for display. */
  readonly label: string;
}

/** In characters. Signed links have a few thousand at most. */
const maxAddressLength = 8000;
/** In characters: the longest DNS name with a port. The significant end of a longer host would be cut off in a dialog. */
const maxHostLength = 260;

/**
 * Returns the address of a job's audio at the service: `file.source` of its item, or the address in an echoed
 * pre-recorded request. The contract shows neither (2.2, 2.4), so anything else is rejected: other schemes, and
 * addresses with a user name, which can look like a host.
 */
export function readAudioAddress(item: JsonObject, kind: string): AudioAddress | undefined {
  const source = textIn(item, 'file', 'source');
  const requested = kind === 'pre-recorded' ? textIn(item, 'request_params', 'audio_url') : undefined;
  return toAudioAddress(source) ?? toAudioAddress(requested);
}

/** Returns the same for a job. Never throws. */
export function audioAddressOf(job: Pick<Job, 'raw' | 'kind'>): AudioAddress | undefined {
  return readAudioAddress(readItemFacts(job, ['file', 'request_params']), job.kind);
}

function textIn(item: JsonObject, name: string, field: string): string | undefined {
  const holder = Object.hasOwn(item, name) ? item[name] : undefined;
  const value = isJsonObject(holder) && Object.hasOwn(holder, field) ? holder[field] : undefined;
  return typeof value === 'string' ? value : undefined;
}

function toAudioAddress(text: string | undefined): AudioAddress | undefined {
  if (text === undefined || text.length > maxAddressLength || !URL.canParse(text)) return undefined;
  const { protocol, username, password, href } = new URL(text);
  if ((protocol !== 'https:' && protocol !== 'http:') || username !== '' || password !== '') return undefined;
  const { host, label } = labelAddress(href) ?? {};
  return host === undefined || label === undefined || host.length > maxHostLength || href.length > maxAddressLength
    ? undefined
    : { href, host, label };
}
