import { dayMs, hourMs } from '../../base/time.ts';
import { metadataOf } from './itemFacts.ts';
import { jobStatuses, type Job, type JobStatus } from './job.ts';
import type { ListParams } from './listParams.ts';
import type { JsonObject } from '../../base/json/json.ts';

/** Filters of contract 4.5 that a service may interpret differently or ignore. */
export type ObservedFilter = 'status' | 'date' | 'range' | 'metadata';

/** A filtered list request, and the expected response if the filter works. */
export interface FilterQuery {
  readonly params: ListParams;
  /** True if a service that supports the filter may return this job. */
  readonly allows: (job: Job) => boolean;
  /** Ids of jobs seen before; a service that supports the filter returns at least one of each set. */
  readonly mustReturn: readonly ReadonlySet<string>[];
}

/**
 * Returns the requests that show if a filter works, built from jobs of an unfiltered list: at most two, none if these
 * jobs cannot show it. A second one is needed if the first had nothing to exclude.
 */
export function buildFilterQueries(filter: ObservedFilter, seen: readonly Job[]): readonly FilterQuery[] {
  switch (filter) {
    case 'status':
      return statusQuestions(seen);
    case 'date':
      return dateQuestions(seen);
    case 'range':
      return rangeQuestions(seen);
    case 'metadata':
      return metadataQuestions(seen);
  }
}

/** Requests two statuses at once, because only lists have several encodings. */
function statusQuestions(seen: readonly Job[]): readonly FilterQuery[] {
  // Only final statuses do not change between two requests.
  const finished = (['done', 'error'] as const).filter((status) => seen.some((job) => job.status === status));
  if (finished.length === 0) return [];
  const statuses: readonly JobStatus[] = ['done', 'error'];
  const question = (statuses: readonly JobStatus[]): FilterQuery => ({
    params: { statuses },
    allows: (job) => statuses.some((status) => status === job.status),
    mustReturn: finished
      .filter((status) => statuses.includes(status))
      .map((status) => idsOf(seen.filter((job) => job.status === status))),
  });
  const first = question(statuses);
  const nothingToExclude = seen.every(first.allows);
  return nothingToExclude ? [first, question(jobStatuses.filter((status) => !statuses.includes(status)))] : [first];
}

/** Time zones range from UTC−12 to UTC+14. The contract does not specify in which one a service interprets a day. */
const zoneReachMs = 14 * hourMs;

function dateQuestions(seen: readonly Job[]): readonly FilterQuery[] {
  const oldestMs = createdTimes(seen)[0];
  if (oldestMs === undefined) return [];
  const first = dayQuestion(oldestMs);
  return seen.every(first.allows) ? [first, dayQuestion(oldestMs - 3 * dayMs)] : [first];
}

function dayQuestion(instantMs: number): FilterQuery {
  const date = new Date(instantMs).toISOString().slice(0, 10);
  const startMs = Date.parse(`${date}T00:00:00Z`);
  return {
    params: { date },
    allows: ({ createdAtMs }) =>
      createdAtMs === undefined ||
      (createdAtMs >= startMs - zoneReachMs && createdAtMs < startMs + dayMs + zoneReachMs),
    mustReturn: [],
  };
}

/**
 * Requests a range from one day before the oldest job to the middle one. The contract does not specify if bounds are
 * inclusive, so both are accepted.
 */
function rangeQuestions(seen: readonly Job[]): readonly FilterQuery[] {
  const times = createdTimes(seen);
  const oldestMs = times[0];
  const middleMs = times[Math.floor(times.length / 2)];
  if (oldestMs === undefined || middleMs === undefined || oldestMs === middleMs) return [];
  return [
    {
      params: {
        afterDate: new Date(oldestMs - dayMs).toISOString(),
        beforeDate: new Date(middleMs).toISOString(),
      },
      allows: (job) => job.createdAtMs === undefined || job.createdAtMs <= middleMs,
      mustReturn: [idsOf(seen.filter((job) => job.createdAtMs !== undefined && job.createdAtMs < middleMs))],
    },
  ];
}

function metadataQuestions(seen: readonly Job[]): readonly FilterQuery[] {
  const metadata = new Map(seen.map((job) => [job, metadataOf(job)]));
  const holders = ([key, value]: PlainPair): readonly Job[] => seen.filter((job) => metadata.get(job)?.[key] === value);
  const pairs = [...metadata.values()].flatMap(plainPairs);
  // A pair that only some jobs have tests both selection and exclusion.
  const telling = pairs.find((pair) => holders(pair).length < seen.length);
  const pair = telling ?? pairs[0];
  if (pair === undefined) return [];
  const [key, value] = pair;
  const question = (text: string, mustReturn: FilterQuery['mustReturn']): FilterQuery => ({
    params: { customMetadata: { [key]: text } },
    allows: (job) => holds(job, key, text),
    mustReturn,
  });
  const first = question(value, [idsOf(holders(pair))]);
  return telling === undefined ? [first, question(`not ${value}`, [])] : [first];
}

type PlainPair = readonly [key: string, value: string];

/** Returns string values under plain keys, which both metadata encodings can represent. */
function plainPairs(metadata: JsonObject): readonly PlainPair[] {
  return Object.entries(metadata).flatMap(([key, value]): readonly PlainPair[] =>
    /^[\w .-]{1,64}$/.test(key) && typeof value === 'string' && /^[\x20-\x7e]{1,64}$/.test(value) ? [[key, value]] : [],
  );
}

function holds(job: Job, key: string, value: string): boolean {
  return metadataOf(job)[key] === value;
}

function createdTimes(jobs: readonly Job[]): readonly number[] {
  return jobs.flatMap(({ createdAtMs }) => createdAtMs ?? []).sort((one, other) => one - other);
}

function idsOf(jobs: readonly Job[]): ReadonlySet<string> {
  return new Set(jobs.map(({ id }) => id));
}

/** The service's handling of a filter. */
export type FilterVerdict =
  | 'obeyed'
  /** It returned jobs that do not match. */
  | 'ignored'
  /** It returned none of the matching jobs. */
  | 'misread'
  /** It responded with an error. */
  | 'refused'
  /** The available jobs cannot show it. */
  | 'unclear';

/** A filter request and the jobs it returned. */
export interface FilterAnswer {
  readonly question: FilterQuery;
  readonly returned: readonly Job[];
}

/**
 * Evaluates all responses about one filter.
 * @param seen the jobs of the unfiltered list that the requests were built from.
 */
export function judgeFilter(answers: readonly FilterAnswer[], seen: readonly Job[]): FilterVerdict {
  if (answers.some(({ question, returned }) => !returned.every(question.allows))) return 'ignored';
  if (answers.some((answer) => !returnsWhatMatches(answer))) return 'misread';
  const selects = answers.some(({ returned }) => returned.length > 0);
  const excludes = answers.some(({ question }) => !seen.every(question.allows));
  return selects && excludes ? 'obeyed' : 'unclear';
}

function returnsWhatMatches({ question, returned }: FilterAnswer): boolean {
  return question.mustReturn.every((ids) => returned.some(({ id }) => ids.has(id)));
}
