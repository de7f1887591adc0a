import type { KeySuggestion } from '../../language/suggestions.ts';
import { t } from '@vscode/l10n';
import { formatPair } from './describeFilter.ts';
import { metadataOf, readItemFacts } from './itemFacts.ts';
import { hasResult, type Job } from './job.ts';
import {
  isJsonObject,
  isPlainValue,
  parseJson,
  writtenText,
  toJsonNumber,
  type JsonValue,
  type PlainValue,
} from '../../base/json/json.ts';
import { foldDiacritics } from '../../base/foldDiacritics.ts';
import { readExactJson } from '../../base/json/readJson.ts';
import { excerptAround, readSpokenText, readTranslatedText } from './result/spokenText.ts';

/**
 * A search query: every word must occur in a job's id, request id, metadata, post-session metadata, parameters or transcript, ignoring case
 * and the diacritics of Latin letters.
 */
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
  /** The text of all fields except the transcript. */
  readonly all: string;
  /** Returns the transcript with its translations. It is read on demand, because it may be long. */
  readonly spoken: () => string;
}

export function buildSearchText(job: Job): SearchText {
  const { ids, pairs } = findable(job);
  const folded = ids.map(fold);
  return {
    ids: folded,
    all: [...folded, ...pairs.map((pair) => fold(wholeText(pair)))].join('\n'),
    spoken: hasResult(job) ? () => fold(`${readSpokenText(job.raw)}\n${readTranslatedText(job.raw)}`) : nothing,
  };
}

const nothing = (): string => '';

/**
 * True if a text contains a word. "customer=acme" also matches the pair "customer: acme", because filters and reports
 * use the form with "=".
 */
function has(text: string, word: string): boolean {
  return text.includes(word) || (word.includes('=') && text.includes(word.replace('=', ': ')));
}

/**
 * Returns the rank of a match: 0 an id equals the query, 1 an id starts with it, 2 all words occur outside the
 * transcript, 3 some only in it; undefined if there is no match.
 */
export function rankMatch({ ids, all, spoken }: SearchText, { words }: JobQuery): 0 | 1 | 2 | 3 | undefined {
  const missing = words.filter((word) => !has(all, word));
  if (missing.length > 0) {
    const said = spoken();
    return missing.every((word) => said.includes(word)) ? 3 : undefined;
  }
  const [only] = words;
  if (only === undefined || words.length > 1) return 2;
  if (ids.includes(only)) return 0;
  return ids.some((id) => id.startsWith(only)) ? 1 : 2;
}

/**
 * Returns the texts to search for in the transcript of a found job, best first: the typed text, then the words that
 * occur nowhere else. Empty if id, metadata and parameters contain all words.
 */
export function wantedInTranscript(job: Job, typed: string): readonly string[] {
  const { all } = buildSearchText(job);
  const missing = parseJobQuery(typed).words.filter((word) => !has(all, word));
  return missing.length === 0 ? [] : [typed.trim(), ...missing];
}

const maxMatched = 3;

/**
 * Returns up to three places where the words occur, apart from the id: the request id, formatted pairs of metadata and
 * parameters, and the words around a hit in the transcript or a translation: the one that {@link wantedInTranscript} opens.
 */
export function findMatchedFields(job: Job, { words }: JobQuery): readonly string[] {
  const { ids, pairs } = findable(job);
  const missing = new Set(words);
  const occurs = (text: string): boolean => {
    const folded = fold(text);
    const found = words.filter((word) => has(folded, word));
    for (const word of found) missing.delete(word);
    return found.length > 0;
  };
  const fields = [
    ...ids.filter((id, index) => occurs(id) && index > 0),
    ...pairs.filter((pair) => occurs(wholeText(pair))).map(describePair),
  ];
  const excerpt = missing.size === 0 || !hasResult(job) ? undefined : excerptOf(job, [words.join(' '), ...missing]);
  return excerpt === undefined ? fields.slice(0, maxMatched) : [...fields.slice(0, maxMatched - 1), excerpt];
}

/** Returns the words around the first of these phrases that occurs in the transcript or else in a translation. */
function excerptOf({ raw }: Job, phrases: readonly string[]): string | undefined {
  const spoken = readSpokenText(raw);
  const translated = readTranslatedText(raw);
  for (const phrase of phrases) {
    const said = excerptAround(spoken, phrase, fold);
    if (said !== undefined) return t('transcript: {0}', said);
    const excerpt = excerptAround(translated, phrase, fold);
    if (excerpt !== undefined) return t('translation: {0}', excerpt);
  }
  return undefined;
}

/** A value of an item, with its key within the object that contains it. */
interface Pair {
  readonly field: 'custom_metadata' | 'post_session_metadata' | 'request_params';
  readonly key: string;
  readonly value: JsonValue;
}

/** Returns the id, the request id if there is one, and the pairs of metadata and parameters. */
function findable(job: Job): { readonly ids: readonly string[]; readonly pairs: readonly Pair[] } {
  const facts = readItemFacts(job, ['request_id', 'custom_metadata', 'post_session_metadata', 'request_params']);
  const membersOf = (field: Pair['field']): readonly Pair[] => {
    const value = facts[field];
    return isJsonObject(value) ? Object.entries(value).map(([key, each]) => ({ field, key, value: each })) : [];
  };
  const requestId = facts['request_id'];
  return {
    ids: typeof requestId === 'string' ? [job.id, requestId] : [job.id],
    pairs: [
      ...membersOf('custom_metadata'),
      ...membersOf('post_session_metadata'),
      ...membersOf('request_params').flatMap(withoutGroups),
    ],
  };
}

/** Returns the parameters of a group one by one, as "language_config.languages". */
function withoutGroups({ field, key, value }: Pair): readonly Pair[] {
  if (!isJsonObject(value)) return [{ field, key, value }];
  return Object.entries(value).map(([name, each]) => ({ field, key: `${key}.${name}`, value: each }));
}

function describePair({ field, key, value }: Pair): string {
  const pair = formatPair(key, value);
  switch (field) {
    case 'custom_metadata':
      return pair;
    case 'post_session_metadata':
      return t('post-session metadata: {0}', pair);
    case 'request_params':
      return t('parameters: {0}', pair);
  }
}

function wholeText({ key, value }: Pair): string {
  return `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
}

/** Normalizes equivalent characters, diacritics and case. */
function fold(text: string): string {
  return foldDiacritics(text.normalize('NFKC')).toLowerCase();
}

/** Limits the number of jobs, because parsing items takes time. */
const maxJobs = 5_000;
const maxCharacters = 4 * 1024 * 1024;
const maxValues = 200;
const maxValueLength = 200;
const maxKeys = 2000;
const maxPairs = 50_000;
const maxKeyLength = 200;

/** Returns metadata keys and values of the first of these jobs, most frequent first. */
export function suggestMetadata(jobs: Iterable<Job>): readonly KeySuggestion[] {
  const keys = new Map<
    string,
    { jobs: number; readonly values: Map<string, { readonly value: PlainValue; jobs: number }> }
  >();
  let characters = 0;
  let looked = 0;
  let pairs = 0;
  for (const job of jobs) {
    if (looked++ === maxJobs || (characters += job.raw.length) > maxCharacters || pairs > maxPairs) break;
    for (const [key, value] of Object.entries(metadataOf(job))) {
      pairs++;
      const seen = keys.get(key) ?? { jobs: 0, values: new Map<string, { value: PlainValue; jobs: number }>() };
      // A truncated key is not a key of the job.
      if (key.length > maxKeyLength || (seen.jobs === 0 && keys.size === maxKeys)) continue;
      keys.set(key, seen);
      seen.jobs++;
      if (!isSuggested(value)) continue;
      const json = JSON.stringify(value);
      const times = seen.values.get(json);
      if (times !== undefined) times.jobs++;
      else if (seen.values.size < maxValues) seen.values.set(json, { value, jobs: 1 });
    }
  }
  return [...keys]
    .map(([key, seen]) => ({
      key,
      jobs: seen.jobs,
      values: [...seen.values.values()].toSorted((a, b) => b.jobs - a.jobs),
    }))
    .toSorted((a, b) => b.jobs - a.jobs || (a.key < b.key ? -1 : 1));
}

/** In characters. */
const maxTyped = 10_000;

/**
 * Returns the possible values of a typed text: the number, boolean, object or list that it denotes in JSON, if any,
 * then the text itself.
 */
export function readTypedValues(typed: string): readonly JsonValue[] {
  if (typed === '') return [];
  if (/^\s*[[{]/.test(typed) && typed.length <= maxTyped && parseJson(typed) !== undefined) {
    return [readExactJson(typed), typed];
  }
  if (typed === 'true' || typed === 'false') return [typed === 'true', typed];
  const asNumber = typed.trim() === typed && typed.length <= maxValueLength ? toJsonNumber(typed) : undefined;
  return asNumber === undefined ? [typed] : [asNumber, typed];
}

function isSuggested(value: JsonValue): value is PlainValue {
  if (!isPlainValue(value)) return false;
  const { length } = writtenText(value);
  return length > 0 && length <= maxValueLength;
}
