import { formatPair } from '../filter/describeFilter.ts';
import { type Job, readJobItem, metadataOf } from './job.ts';
import { isJsonObject, type JsonValue } from '../json/json.ts';

/** A search query: every word must occur in a job's id, request id, or metadata keys and values, ignoring case. */
export interface JobQuery {
  readonly words: readonly string[];
}

export function parseJobQuery(typed: string): JobQuery {
  const folded = fold(typed).trim();
  return { words: folded === '' ? [] : folded.split(/\s+/) };
}

/** The searchable text of a job, case-folded. Cached per job, because parsing the item is expensive. */
export interface SearchText {
  /** Id and request id. */
  readonly ids: readonly string[];
  readonly all: string;
}

export function buildSearchText(job: Job): SearchText {
  const { ids, metadata } = findable(job);
  const folded = ids.map(fold);
  return { ids: folded, all: [...folded, ...metadata.map((pair) => fold(wholeText(pair)))].join('\n') };
}

/** Rank of a match: 0 an id equals the query, 1 an id starts with it, 2 all words occur; undefined when there is no match. */
export function rankMatch({ ids, all }: SearchText, { words }: JobQuery): 0 | 1 | 2 | undefined {
  if (!words.every((word) => all.includes(word))) return undefined;
  const [only] = words;
  if (only === undefined || words.length > 1) return 2;
  if (ids.includes(only)) return 0;
  return ids.some((id) => id.startsWith(only)) ? 1 : 2;
}

/** The fields other than the id that contain the words: the request id and formatted metadata pairs, three at most. */
export function findMatchedFields(job: Job, { words }: JobQuery): readonly string[] {
  const { ids, metadata } = findable(job);
  const occurs = (text: string): boolean => words.some((word) => fold(text).includes(word));
  const pairs = metadata.filter((pair) => occurs(wholeText(pair))).map(([key, value]) => formatPair(key, value));
  return [...ids.slice(1).filter(occurs), ...pairs].slice(0, 3);
}

type Pair = readonly [key: string, value: JsonValue];

/** The id, then the request id if there is one, and the metadata. */
function findable(job: Job): { readonly ids: readonly string[]; readonly metadata: readonly Pair[] } {
  const { request_id: requestId, custom_metadata: metadata } = readJobItem(job);
  return {
    ids: typeof requestId === 'string' ? [job.id, requestId] : [job.id],
    metadata: isJsonObject(metadata) ? Object.entries(metadata) : [],
  };
}

function wholeText([key, value]: Pair): string {
  return `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
}

/** Normalizes equivalent characters and case. */
function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** A metadata value that every metadata encoding can represent. */
export type PlainValue = string | number | boolean;

/** A metadata key of the loaded jobs, with its values. */
export interface KeySuggestion {
  readonly key: string;
  /** How many of the examined jobs have it. */
  readonly jobs: number;
  /** The most frequent first. */
  readonly values: readonly { readonly value: PlainValue; readonly jobs: number }[];
}

/** Limit, because parsing items takes time. */
const mostJobs = 5_000;
const mostCharacters = 32 * 1024 * 1024;
const mostValues = 200;
const longestValue = 200;

/** Metadata keys and values of the first of these jobs, most frequent first. */
export function suggestMetadata(jobs: Iterable<Job>): readonly KeySuggestion[] {
  const keys = new Map<string, { jobs: number; readonly values: Map<PlainValue, number> }>();
  let characters = 0;
  let looked = 0;
  for (const job of jobs) {
    if (looked++ === mostJobs || (characters += job.raw.length) > mostCharacters) break;
    for (const [key, value] of Object.entries(metadataOf(job))) {
      const seen = keys.get(key) ?? { jobs: 0, values: new Map<PlainValue, number>() };
      keys.set(key, seen);
      seen.jobs++;
      if (!isPlain(value)) continue;
      const times = seen.values.get(value);
      if (times !== undefined || seen.values.size < mostValues) seen.values.set(value, (times ?? 0) + 1);
    }
  }
  return [...keys]
    .map(([key, seen]) => ({
      key,
      jobs: seen.jobs,
      values: [...seen.values].map(([value, jobs]) => ({ value, jobs })).toSorted((a, b) => b.jobs - a.jobs),
    }))
    .toSorted((a, b) => b.jobs - a.jobs || (a.key < b.key ? -1 : 1));
}

/** Possible values of a typed text: the number or boolean that it denotes, if any, then the text itself. */
export function readTypedValues(typed: string): readonly PlainValue[] {
  if (typed === '') return [];
  if (typed === 'true' || typed === 'false') return [typed === 'true', typed];
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(typed) && String(Number(typed)) === typed
    ? [Number(typed), typed]
    : [typed];
}

function isPlain(value: JsonValue): value is PlainValue {
  if (typeof value === 'string') return value !== '' && value.length <= longestValue;
  return typeof value === 'number' || typeof value === 'boolean';
}
