import { checkBaseUrl } from '../../connections/common/connectionInput.ts';
import { isPlainLine } from '../../base/outsideText.ts';
import { maxIdLength } from './decodeJob.ts';
import { isJobKind, type Job, type JobKind } from './job.ts';

/** The data in a link to a job: enough to find it with one request, and none of its content. */
export interface JobLink {
  readonly kind: JobKind;
  readonly id: string;
  readonly createdAtMs: number;
  /** Scheme, host and port of its service. Links only use connections that the user has set up. */
  readonly origin: string;
}

/** The parts of a link as the editor provides them, percent-decoded once. */
export interface LinkParts {
  readonly authority: string;
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
}

/** The ID of this extension: `publisher` and `name` of the manifest. The editor routes links with this authority to it. */
export const extensionId = 'transcription-jobs.transcription-jobs';
const linkPath = '/job';

/** In characters. */
const maxQueryLength = 2000;

/** Where a link in a file leads. */
export interface LinkTarget {
  /** Scheme, host and port of the job's service. */
  readonly origin: string;
  /** Scheme of the editor's links. */
  readonly scheme: string;
}

/**
 * Returns the link to a job; undefined if no link can find it again: without a time of creation, or of a kind without a
 * list.
 * @param scheme of the editor
 * @param origin of the job's service
 */
export function formatJobLink(
  { kind, id, createdAtMs }: Pick<Job, 'kind' | 'id' | 'createdAtMs'>,
  origin: string,
  scheme: string,
): string | undefined {
  if (!isJobKind(kind) || createdAtMs === undefined) return undefined;
  const query = queryOf({ kind, id, createdAtMs, origin });
  const parts = { authority: extensionId, path: linkPath, query: query ?? '', fragment: '' };
  if (readJobLink(parts) === undefined) return undefined;
  // The editor decodes percent signs once before it passes on the query.
  return `${scheme}://${extensionId}${linkPath}?${parts.query.replaceAll('%', '%25')}`;
}

/**
 * Reads a link, which can be from anyone. Returns undefined unless it is, character by character, a link that
 * {@link formatJobLink} creates.
 */
export function readJobLink({ authority, path, query, fragment }: LinkParts): JobLink | undefined {
  if (authority.toLowerCase() !== extensionId.toLowerCase() || path !== linkPath || fragment !== '') return undefined;
  if (query.length > maxQueryLength) return undefined;
  const [, kind, writtenId = '', created = '', origin = ''] =
    /^kind=([a-z-]+)&id=([^&=]+)&created=(\d{4}-[\d.:TZ-]+)&origin=([^&=]+)$/.exec(query) ?? [];
  const id = decodeOnce(writtenId);
  const createdAtMs = Date.parse(created);
  if (!isJobKind(kind) || id === undefined || Number.isNaN(createdAtMs) || !isOrigin(origin)) return undefined;
  if (!isPlainLine(id, maxIdLength) || id.trim() === '') return undefined;
  const link: JobLink = { kind, id, createdAtMs, origin };
  return queryOf(link) === query ? link : undefined;
}

/** Returns the query as the editor passes it on; undefined if it cannot be written. */
function queryOf({ kind, id, createdAtMs, origin }: JobLink): string | undefined {
  try {
    const created = new Date(createdAtMs).toISOString();
    return `kind=${kind}&id=${encodeURIComponent(id)}&created=${created}&origin=${origin}`;
  } catch {
    // An unpaired surrogate, or a time out of the range of dates.
    return undefined;
  }
}

function decodeOnce(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** True if a text is the origin of a possible service, as URL parsers write it: in ASCII, without a default port. */
function isOrigin(text: string): boolean {
  const checked = checkBaseUrl(text);
  return checked.type === 'good' && checked.text === text && new URL(text).origin === text;
}
