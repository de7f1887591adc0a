import type { Job } from './job.ts';
import { metadataOf } from './jobItem.ts';
import type { JsonValue } from './json.ts';

/** A metadata value that can be asked for in every way a service may want it written. */
export type PlainValue = string | number | boolean;

/** A metadata key that jobs have, and the values they have for it. */
export interface KeySuggestion {
  readonly key: string;
  /** How many of the jobs looked at have it. */
  readonly jobs: number;
  /** The most frequent first. */
  readonly values: readonly { readonly value: PlainValue; readonly jobs: number }[];
}

/** Reading items costs time: suggestions need not know every job. */
const mostJobs = 5_000;
const mostCharacters = 32 * 1024 * 1024;
const mostValues = 200;
const longestValue = 200;

/** Metadata keys and values of the first of these jobs, the most frequent first. */
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

/** What a typed value can mean: the text itself and, before it, the number or truth value that it spells. */
export function typedValues(typed: string): readonly PlainValue[] {
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
