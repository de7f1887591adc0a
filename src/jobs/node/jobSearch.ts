import { rankMatch, buildSearchText, type JobQuery, type SearchText } from '../common/findJobs.ts';
import { Failure, isFailure } from '../../base/failure.ts';
import { hasResult, jobKey, type Job, type JobKind, type ListEntry } from '../common/job.ts';
import { readAll } from './list/readAll.ts';
import {
  hintedParams,
  type CreationHint,
  type ListEndpoint,
  type ListParams,
  type ListQuery,
} from '../common/listParams.ts';
import { bulkLimit } from './list/jobPager.ts';
import { WorkSlices } from '../../base/clock.ts';
import type { ListReader } from './list/listReader.ts';

/** In characters, for all jobs together. Further transcripts are read again by each search. */
const maxKept = 16_000_000;

/** Searches loaded jobs while the user types. Caches their texts, so release it after the search. */
export class LoadedSearch {
  readonly #jobs: readonly Job[];
  readonly #whole: (job: Job) => Job | undefined;
  /** Jobs whose transcripts were needed but are no longer available. */
  readonly #unread = new Set<Job>();
  /** Texts of the first jobs; filled when needed. */
  readonly #texts: SearchText[] = [];
  /** Transcripts that were read, by the index of their job. */
  readonly #spoken = new Map<number, string>();
  #kept = 0;

  /** @param whole returns a job with its result; undefined if that is no longer available */
  constructor(jobs: Iterable<Job>, whole: (job: Job) => Job | undefined) {
    this.#jobs = [...jobs];
    this.#whole = whole;
  }

  /** Number of transcripts that the last search could not read. */
  get unread(): number {
    return this.#unread.size;
  }

  get size(): number {
    return this.#jobs.length;
  }

  /** Returns up to `max` matching jobs, best first. Yields regularly; returns undefined if the signal fires before the end. */
  async find(query: JobQuery, max: number, signal: AbortSignal): Promise<readonly Job[] | undefined> {
    this.#unread.clear();
    if (query.words.length === 0) return this.#jobs.slice(0, max);
    const found: [Job[], Job[], Job[], Job[]] = [[], [], [], []];
    const slices = new WorkSlices();
    for (const [index, job] of this.#jobs.entries()) {
      await slices.rest();
      if (signal.aborted) return undefined;
      const place = rankMatch((this.#texts[index] ??= this.#textOf(job, index)), query);
      if (place !== undefined && found[place].length < max) found[place].push(job);
    }
    return found.flat().slice(0, max);
  }

  #textOf(job: Job, index: number): SearchText {
    const text = buildSearchText(job);
    return hasResult(job)
      ? { ...text, spoken: () => this.#spoken.get(index) ?? this.#keep(index, this.#readSpoken(job)) }
      : text;
  }

  #readSpoken(job: Job): string {
    const whole = this.#whole(job);
    if (whole !== undefined) return buildSearchText(whole).spoken();
    this.#unread.add(job);
    return '';
  }

  #keep(index: number, spoken: string): string {
    if (spoken === '') return spoken;
    if (this.#kept + spoken.length <= maxKept) {
      this.#kept += spoken.length;
      this.#spoken.set(index, spoken);
    }
    return spoken;
  }
}

/** Limits for one search, in jobs and in characters. */
const maxHeld = { jobs: 5_000, characters: 32_000_000 };

/** Keeps the jobs that a search of pages reads, for later searches. Keeps none once there are too many. */
export class HeldJobs {
  #jobs: Job[] | undefined = [];
  #characters = 0;

  /** The jobs, as the service sent them; undefined if there were too many. */
  get jobs(): readonly Job[] | undefined {
    return this.#jobs;
  }

  add(jobs: readonly Job[]): void {
    this.#jobs?.push(...jobs);
    for (const { raw } of jobs) this.#characters += raw.length;
    if (this.#characters > maxHeld.characters || (this.#jobs?.length ?? 0) > maxHeld.jobs) this.#jobs = undefined;
  }
}

export interface PageSearchOptions {
  readonly query: JobQuery;
  /** Items per request. */
  readonly limit: number;
  /** Maximum number of items to read. */
  readonly max: number;
  readonly signal: AbortSignal;
  /** Called and awaited for each page, with the matching jobs, the number of items read so far, and all jobs of the page. */
  readonly onPage: (found: readonly Job[], read: number, jobs: readonly Job[]) => unknown;
}

/** How a search ended. */
export type SearchOutcome = 'found' | 'all' | 'unproved' | 'bounded';

/**
 * Searches lists one after the other, each within its share of `max`.
 * @returns `found` when a job matches the query exactly, `all` when the responses show that everything was read,
 * `unproved` when the lists ended but the responses do not show that, or had items that are not jobs, `bounded` when
 * there is more.
 * @throws Failure from the source; `cancelled` when the signal fires.
 */
export async function searchPages(
  source: ListReader,
  questions: readonly ListQuery[],
  { query, limit, max, signal, onPage }: PageSearchOptions,
): Promise<SearchOutcome> {
  let outcome: SearchOutcome = 'all';
  let read = 0;
  const slices = new WorkSlices();
  for (const [index, question] of questions.entries()) {
    const share = read + Math.ceil((max - read) / (questions.length - index));
    for await (const { entries, endedBy } of readAll(source, question, { limit, signal })) {
      read += entries.length;
      const jobs = entries.filter((entry): entry is Job => entry.type === 'job');
      // An item that cannot be read as a job cannot be searched either.
      if ((endedBy !== undefined || jobs.length < entries.length) && outcome === 'all') outcome = 'unproved';
      const fitting: Job[] = [];
      let isNamed = false;
      for (const job of jobs) {
        await slices.rest();
        if (signal.aborted) throw new Failure('cancelled');
        const place = rankMatch(buildSearchText(job), query);
        if (place === undefined) continue;
        fitting.push(job);
        isNamed ||= place === 0;
      }
      await onPage(fitting, read, jobs);
      if (isNamed) return 'found';
      if (read < share) continue;
      outcome = 'bounded';
      break;
    }
  }
  return outcome;
}

/**
 * Reads a list until it finds the job with this id. Returns undefined if it is not among the first `max`, which does
 * not mean that it does not exist. Throws like {@link searchPages}.
 */
export async function searchJob(
  source: ListReader,
  question: ListQuery,
  id: string,
  { limit, max, signal }: Pick<PageSearchOptions, 'limit' | 'max' | 'signal'>,
): Promise<Job | undefined> {
  let read = 0;
  for await (const { entries } of readAll(source, question, { limit, signal })) {
    const found = entries.find((entry) => entry.type === 'job' && entry.id === id);
    if (found?.type === 'job') return found;
    read += entries.length;
    if (read >= max) return undefined;
  }
  return undefined;
}

/** Items of the request that finds one job by its time of creation. The service may ignore the bounds. */
const narrowLimit = 20;
/** Number of items to search in the list of the job's kind. */
const maxSearched = 2000;

/** A job to find. */
export interface SoughtJob extends CreationHint {
  readonly kind: JobKind;
  readonly id: string;
}

/**
 * Finds a job: with one request by its time of creation, if known; otherwise, or if that fails, in the list of its
 * kind, up to a bound. Returns undefined if it is not among those. @throws Failure; `cancelled` when the signal fires
 */
export async function locateJob(source: ListReader, job: SoughtJob, signal: AbortSignal): Promise<Job | undefined> {
  const { kind, id } = job;
  const params = hintedParams(job);
  if (params !== undefined) {
    const { found, mayGoOn } = await readNarrowed(source, kind, narrowedParams(job, params), job, signal);
    if (found[0] !== undefined) return found[0];
    // Many jobs may have been created at the same time.
    const bounds = { limit: bulkLimit, max: maxNarrowed, signal };
    const further = mayGoOn ? await searchJob(source, { endpoint: kind, params }, id, bounds) : undefined;
    if (further !== undefined) return further;
  }
  return searchJob(source, { endpoint: kind, params: {} }, id, { limit: bulkLimit, max: maxSearched, signal });
}

/** Max items to search among those created at about the same time as a job. */
const maxNarrowed = 1000;

function narrowedParams({ createdAtMs }: SoughtJob, params: ListParams): ListParams {
  return { ...params, limit: createdAtMs === undefined ? bulkLimit : narrowLimit };
}

/** Finds a job with one request by its hint. Returns undefined if it is not there, or if there is no hint. @throws Failure */
export async function findCreated(source: ListReader, job: SoughtJob, signal: AbortSignal): Promise<Job | undefined> {
  const params = hintedParams(job);
  if (params === undefined) return undefined;
  return (await readNarrowed(source, job.kind, narrowedParams(job, params), job, signal)).found[0];
}

/**
 * Returns the items of a job in one page of a narrowed list, and whether the list continues after that page with jobs
 * within its bounds. Returns none if a service refuses the bounds, because the job may be found without them.
 * @throws Failure
 */
export async function readNarrowed(
  source: ListReader,
  endpoint: ListEndpoint,
  params: ListParams,
  job: { readonly kind: string; readonly id: string },
  signal: AbortSignal,
): Promise<{ readonly found: readonly Job[]; readonly mayGoOn: boolean }> {
  try {
    const { entries, hasMore } = await source.readPage(endpoint, params, signal);
    const found = entries.filter((each): each is Job => each.type === 'job' && jobKey(each) === jobKey(job));
    return { found, mayGoOn: hasMore && entries.every((each) => isWithin(each, params)) };
  } catch (error) {
    if (!isFailure(error, 'rejected')) throw error;
    return { found: [], mayGoOn: false };
  }
}

/** True if an entry may have been created within the bounds. A service that lists other entries ignores the bounds. */
function isWithin(entry: ListEntry, { afterDate = '', beforeDate = '' }: ListParams): boolean {
  if (entry.type !== 'job' || entry.createdAtMs === undefined) return true;
  return !(entry.createdAtMs < Date.parse(afterDate)) && !(entry.createdAtMs > Date.parse(beforeDate));
}
