import { pairText } from './filter/filterText.ts';
import type { Job } from './job.ts';
import { jobItem } from './jobItem.ts';
import { isJsonObject, type JsonValue } from './json.ts';

/** What is looked for: every word must occur in a job's id, request id, or metadata keys and values, whatever its case. */
export interface JobQuery {
  readonly words: readonly string[];
}

export function jobQuery(typed: string): JobQuery {
  const folded = fold(typed).trim();
  return { words: folded === '' ? [] : folded.split(/\s+/) };
}

/** What of a job can be found, folded. Made once per job, because reading the item is what costs. */
export interface SearchText {
  /** Id and request id. */
  readonly ids: readonly string[];
  readonly all: string;
}

export function searchText(job: Job): SearchText {
  const { ids, metadata } = findable(job);
  const folded = ids.map(fold);
  return { ids: folded, all: [...folded, ...metadata.map((pair) => fold(wholeText(pair)))].join('\n') };
}

/** How well a job fits: 0 an id is the query, 1 an id begins with it, 2 the words occur; undefined when they do not. */
export function fit({ ids, all }: SearchText, { words }: JobQuery): 0 | 1 | 2 | undefined {
  if (!words.every((word) => all.includes(word))) return undefined;
  const [only] = words;
  if (only === undefined || words.length > 1) return 2;
  if (ids.includes(only)) return 0;
  return ids.some((id) => id.startsWith(only)) ? 1 : 2;
}

/** Where the words occur besides the id: the request id and metadata pairs as they are shown, three at most. */
export function matchedFields(job: Job, { words }: JobQuery): readonly string[] {
  const { ids, metadata } = findable(job);
  const occurs = (text: string): boolean => words.some((word) => fold(text).includes(word));
  const pairs = metadata.filter((pair) => occurs(wholeText(pair))).map(([key, value]) => pairText(key, value));
  return [...ids.slice(1).filter(occurs), ...pairs].slice(0, 3);
}

type Pair = readonly [key: string, value: JsonValue];

/** The id, then the request id if there is one, and the metadata. */
function findable(job: Job): { readonly ids: readonly string[]; readonly metadata: readonly Pair[] } {
  const { request_id: requestId, custom_metadata: metadata } = jobItem(job);
  return {
    ids: typeof requestId === 'string' ? [job.id, requestId] : [job.id],
    metadata: isJsonObject(metadata) ? Object.entries(metadata) : [],
  };
}

function wholeText([key, value]: Pair): string {
  return `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
}

/** Letters that mean the same are the same. */
function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
