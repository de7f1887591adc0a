import { isJsonObject, type JsonObject } from '../../base/json/json.ts';

/** The kinds of job that contract 1 lists. */
export const jobKinds = ['pre-recorded', 'live'] as const;
export type JobKind = (typeof jobKinds)[number];

/** The states of contract 3, in their usual order. */
export const jobStatuses = ['queued', 'processing', 'done', 'error'] as const;
export type JobStatus = (typeof jobStatuses)[number];

/**
 * One job as a list keeps it (contract 2.2): the fields that rows, groups and searches need, and the item's JSON text. Everything else is
 * read from `raw` on demand (`readItemFacts`), to save memory in long lists.
 */
export interface Job {
  readonly type: 'job';
  readonly id: string;
  /** As received, or the kind of the requested list if the item has none; `''` if neither is known. */
  readonly kind: string;
  /** As received, even if it is not in {@link jobStatuses}; `''` if the item has none. */
  readonly status: string;
  /** Milliseconds since the epoch; undefined if missing or not a date-time. */
  readonly createdAtMs: number | undefined;
  readonly completedAtMs: number | undefined;
  readonly errorCode: number | undefined;
  /** The item's JSON text as received. If {@link omitted} or {@link whole} is set, without most of its result. */
  readonly raw: string;
  /** Data about the result, which rows do not keep: its number of characters, its digest, and its service. */
  readonly omitted?: { readonly characters: number; readonly digest: string; readonly service: symbol };
  /** The text of an item that is too large to be parsed at once; `raw` has its small fields. Lists do not keep it. */
  readonly whole?: WholeText;
  /** Fields of a large item that `raw` cuts off or lacks. */
  readonly cutFields?: readonly string[];
}

/** The text of a large item as received. */
export interface WholeText {
  readonly text: string;
  /** Number of characters of the result, or of another part that rows do not show. */
  readonly omittedCharacters: number;
  /** SHA-256 of the text, base64. */
  readonly digest: string;
}

/** An element of `items` without a usable `id`. It still counts as received. */
interface UnreadableItem {
  readonly type: 'unreadable';
  /** The item's JSON text as received; of a large one a string with its beginning. */
  readonly raw: string;
  readonly whole?: WholeText;
  /** The service's response with this item alone exceeds the maximum size, so its text is not available. */
  readonly isTooLarge?: true;
}

export type ListEntry = Job | UnreadableItem;

export function isJobKind(value: unknown): value is JobKind {
  return value === 'pre-recorded' || value === 'live';
}

export function isJobStatus(value: unknown): value is JobStatus {
  return value === 'queued' || value === 'processing' || value === 'done' || value === 'error';
}

/** True if the job can still change: queued, processing, or an unknown status (contract 3 shows no transitions). */
export function isUnfinished(job: Pick<Job, 'status'>): boolean {
  return job.status !== 'done' && job.status !== 'error';
}

/** True if a link can lead to the job: a list query needs its kind and time of creation. */
export function isLinkable({ kind, createdAtMs }: Pick<Job, 'kind' | 'createdAtMs'>): boolean {
  return isJobKind(kind) && createdAtMs !== undefined;
}

/** True if the item contains a result, which the contract does not show. Determined without parsing it. */
export function hasResult({ raw }: Pick<Job, 'raw'>): boolean {
  // Most items have no result, and this search is several times faster than the pattern. It begins with a rare letter.
  return raw.includes('ult"') && /"result"\s*:\s*[^\sn]/u.test(raw);
}

/** True if the item may contain a web address of the audio. Determined without parsing it; `readAudioAddress` reads it. */
export function mayNameAudio({ raw, kind }: Pick<Job, 'raw' | 'kind'>): boolean {
  const address = /"(?:source|audio_url)"\s*:\s*"[Hh][Tt][Tt][Pp][Ss]?:/u;
  return (kind === 'pre-recorded' ? address : /"source"\s*:\s*"[Hh][Tt][Tt][Pp][Ss]?:/u).test(raw);
}

/** True if two jobs are the same item, with the same content. */
export function isSameContent(one: Job, other: Job): boolean {
  return one.raw === other.raw && one.omitted?.digest === other.omitted?.digest;
}

/** Returns the job with the text of its item as received, which may be too large to be parsed at once. */
export function withWholeText(job: Job): Job {
  if (job.whole === undefined) return job;
  const { whole, cutFields: _cutFields, ...others } = job;
  return { ...others, raw: whole.text };
}

/** Service of a large item that was read by a reader that does not keep whole items. */
const otherReader = Symbol('reader');

/** Returns the job as lists keep it: without the text of a large item, which shares the memory of its page. */
export function withoutWholeText(job: Job, service = otherReader): Job {
  if (job.whole === undefined) return job;
  const { whole, ...others } = job;
  return { ...others, omitted: { characters: whole.omittedCharacters, digest: whole.digest, service } };
}

/** Returns a key that identifies a job within one connection. Includes the kind, because two kinds may use the same id. */
export function jobKey(job: { readonly kind: string; readonly id: string }): string {
  return `${escapeKeySegment(job.kind)}/${escapeKeySegment(job.id)}`;
}

/**
 * Returns the whole item that a job was decoded from. Slow for a large one; use `readItemFacts` for data of rows and
 * searches.
 */
export function readJobItem({ raw }: Pick<Job, 'raw'>): JsonObject {
  const item: unknown = JSON.parse(raw);
  return isJsonObject(item) ? item : {};
}

/**
 * Escapes a part of a composite key, so that different lists of parts never give the same key. Accepts any string, including malformed
 * Unicode, which ids may contain.
 */
export function escapeKeySegment(text: string): string {
  return text.replace(/[%/?&]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
}

/** The data of a job to copy. */
export const copyWhats = ['id', 'requestId', 'link', 'json', 'curl'] as const;
export type CopyWhat = (typeof copyWhats)[number];
