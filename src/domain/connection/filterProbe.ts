import { jobStatuses, type Job, type JobStatus, metadataOf } from '../jobs/job.ts';
import type { ListParams } from '../jobs/listParams.ts';

/** Filters of contract 4.5 that a service may read in its own way, or not at all. */
export type ObservedFilter = 'status' | 'date' | 'range' | 'metadata';

/** A filtered list to ask for, and what its answer says about the filter. */
export interface FilterQuery {
  readonly params: ListParams;
  /** Whether a service that obeys may return this job. */
  readonly allows: (job: Job) => boolean;
  /** Ids of jobs seen before; a service that obeys returns at least one of each set. */
  readonly mustReturn: readonly ReadonlySet<string>[];
}

/**
 * The questions that show whether a filter is obeyed, made from jobs of an unfiltered list: two at most, none when these jobs
 * cannot show it. A second one is there when the first had nothing to exclude.
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

/** Two statuses at once, because it is the list that can be written in several ways. */
function statusQuestions(seen: readonly Job[]): readonly FilterQuery[] {
  // Only these stay as they are between two requests.
  const finished = (['done', 'error'] as const).filter((status) => seen.some((job) => job.status === status));
  if (finished.length === 0) return [];
  const asked: readonly JobStatus[] = ['done', 'error'];
  const question = (statuses: readonly JobStatus[]): FilterQuery => ({
    params: { statuses },
    allows: (job) => statuses.some((status) => status === job.status),
    mustReturn: finished
      .filter((status) => statuses.includes(status))
      .map((status) => idsOf(seen.filter((job) => job.status === status))),
  });
  const first = question(asked);
  const nothingToExclude = seen.every(first.allows);
  return nothingToExclude ? [first, question(jobStatuses.filter((status) => !asked.includes(status)))] : [first];
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Zones reach from UTC−12 to UTC+14; which one a service means by a day is not shown. */
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

/** From a day before the oldest to the middle one. Whether the ends belong to the range is not shown, so both may. */
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
  const holders = ([key, value]: PlainPair): readonly Job[] => seen.filter((job) => holds(job, key, value));
  const pairs = seen.flatMap(plainPairs);
  // A pair that only some jobs have shows both that it selects and that it excludes.
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

/** Texts under plain keys: what both ways of writing metadata can carry. */
function plainPairs(job: Job): readonly PlainPair[] {
  return Object.entries(metadataOf(job)).flatMap(([key, value]): readonly PlainPair[] =>
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

/** How a service treats a filter. */
export type FilterVerdict =
  | 'obeyed'
  /** It returned jobs that do not match. */
  | 'ignored'
  /** It returned none of the jobs that do match. */
  | 'misread'
  /** It answered with an error. */
  | 'refused'
  /** The jobs at hand cannot show it. */
  | 'unclear';

/** A question and the jobs that came back. */
export interface FilterAnswer {
  readonly question: FilterQuery;
  readonly returned: readonly Job[];
}

/**
 * Judges all answers about one filter.
 * @param seen the jobs of the unfiltered list that the questions were made from.
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
