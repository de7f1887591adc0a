import { rateFit, buildSearchText, type JobQuery, type SearchText } from '../domain/jobs/findJobs.ts';
import type { Job } from '../domain/jobs/job.ts';
import { readAll } from './list/readAll.ts';
import type { ListQuery } from '../domain/jobs/listParams.ts';
import type { PageSource } from './ports.ts';

/** Longer than this at a stretch, and typing would be felt to stick. */
const sliceMs = 8;

/** Looks for jobs among loaded ones while a query is typed. Holds their texts, so drop it when the search is over. */
export class LoadedSearch {
  readonly #jobs: readonly Job[];
  /** Of the first jobs, as far as they have been read. */
  readonly #texts: SearchText[] = [];

  constructor(jobs: Iterable<Job>) {
    this.#jobs = [...jobs];
  }

  get size(): number {
    return this.#jobs.length;
  }

  /** Up to `most` jobs that fit, best first; works in slices. Undefined when the signal fired before it was done. */
  async find(query: JobQuery, most: number, signal: AbortSignal): Promise<readonly Job[] | undefined> {
    if (query.words.length === 0) return this.#jobs.slice(0, most);
    const found: [Job[], Job[], Job[]] = [[], [], []];
    let sliceEnd = performance.now() + sliceMs;
    for (const [index, job] of this.#jobs.entries()) {
      if (performance.now() > sliceEnd) {
        await new Promise((resolve) => setImmediate(resolve));
        if (signal.aborted) return undefined;
        sliceEnd = performance.now() + sliceMs;
      }
      const place = rateFit((this.#texts[index] ??= buildSearchText(job)), query);
      if (place !== undefined && found[place].length < most) found[place].push(job);
    }
    return found.flat().slice(0, most);
  }
}

export interface PageSearchOptions {
  readonly query: JobQuery;
  /** Items per request. */
  readonly limit: number;
  /** The most items to read. */
  readonly most: number;
  readonly signal: AbortSignal;
  /** Called for each page with the jobs that fit and the number of items read so far. */
  readonly onPage: (found: readonly Job[], read: number) => void;
}

/**
 * Reads lists in search of jobs, one list after the other, each as far as its share of `most`.
 * @returns `found` when a job came that the query names in full, `all` when everything was read, `bounded` otherwise.
 * @throws Failure as the source does; `cancelled` when the signal fires.
 */
export async function searchPages(
  source: PageSource,
  questions: readonly ListQuery[],
  { query, limit, most, signal, onPage }: PageSearchOptions,
): Promise<'found' | 'all' | 'bounded'> {
  let outcome: 'all' | 'bounded' = 'all';
  let read = 0;
  for (const [index, question] of questions.entries()) {
    const share = read + Math.ceil((most - read) / (questions.length - index));
    for await (const { entries, endedBy } of readAll(source, question, { limit, signal })) {
      if (endedBy !== undefined) outcome = 'bounded';
      read += entries.length;
      const fitting = entries
        .filter((entry) => entry.type === 'job')
        .map((job) => ({ job, place: rateFit(buildSearchText(job), query) }))
        .filter(({ place }) => place !== undefined);
      onPage(
        fitting.map(({ job }) => job),
        read,
      );
      if (fitting.some(({ place }) => place === 0)) return 'found';
      if (read < share) continue;
      outcome = 'bounded';
      break;
    }
  }
  return outcome;
}

/** Reads a list until the job with an id comes; undefined when it is not among the first `most`. Throws as {@link searchPages}. */
export async function searchJob(
  source: PageSource,
  question: ListQuery,
  id: string,
  { limit, most, signal }: Pick<PageSearchOptions, 'limit' | 'most' | 'signal'>,
): Promise<Job | undefined> {
  let read = 0;
  for await (const { entries } of readAll(source, question, { limit, signal })) {
    const found = entries.find((entry) => entry.type === 'job' && entry.id === id);
    if (found?.type === 'job') return found;
    read += entries.length;
    if (read >= most) return undefined;
  }
  return undefined;
}
