import type { CountedWindow } from '../../domain/board/boardProtocol.ts';
import type { BoardData } from '../../domain/board/boardView.ts';
import { JobColumns } from '../../domain/board/jobColumns.ts';
import { isFailure } from '../../domain/failure.ts';
import { withoutWholeText, type Job, type ListEntry } from '../../domain/jobs/job.ts';
import type { ListQuery } from '../../domain/jobs/listParams.ts';
import { parseDateTimeMs } from '../../domain/time.ts';
import { nextTurn, type Clock } from '../clock.ts';
import { CompactKeySet } from '../export/compactKeySet.ts';
import { bulkLimit } from '../list/jobPager.ts';
import { isRefusal } from '../list/listWalk.ts';
import type { ListReader, PageObserver } from '../list/listReader.ts';
import { matchesQuery, readAll } from '../list/readAll.ts';
import { countWindows } from './countWindows.ts';
import { mostSurveyRequests, sampleLists, type CountedReader, type Sample, type SampledList } from './sampleLists.ts';
import { TimesOfList } from './timesOfList.ts';

/** Everything is read when that is no more than either. */
const mostJobsRead = 20_000;
const mostReadRequests = 200;
/** From so many requests on, it is known how many jobs one brings. */
const fewestMeasured = 20;
/** Requests that reading leaves for a sample where it turns out to be too much. */
const keptForSample = 150;
/** Characters of items that one board keeps in memory. */
const maxCharacters = 256 * 1024 * 1024;

/** How a survey goes about it. */
export type SurveyMode = 'auto' | 'exact';

export interface SurveyOptions {
  readonly clock: Clock;
  /** From 0 to 1; draws the offsets that are probed. */
  readonly random: () => number;
  readonly mode?: SurveyMode;
  /** Metadata keys tried in order for the labels of jobs. */
  readonly labelKeys?: readonly string[];
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: SurveyProgress) => void;
}

interface SurveyProgress {
  readonly phase: 'reading' | 'sampling' | 'counting';
  /** While counting, parts of time. */
  readonly jobs: number;
  readonly requests: number;
  /** The service asked to slow down. */
  readonly isSlowed: boolean;
}

/** What the figures of a survey rest on. */
type SurveyBasis =
  /** Every matching job was read, and nothing seen contradicts that. */
  | { readonly type: 'complete' }
  /** Jobs were read, but not all, or the answers do not show that these are all. */
  | { readonly type: 'partial'; readonly why: 'cancelled' | 'failed' | 'endedEarly' | 'unproved' }
  /** `isExact`: the numbers of jobs were counted, otherwise they are lower bounds. */
  | { readonly type: 'sampled'; readonly isExact: boolean; readonly isCut: boolean }
  /** More jobs than are read without being asked, in a list whose order or answers do not allow a sample. */
  | { readonly type: 'unsampled'; readonly isExact: boolean };

/** Jobs of one or more lists, read as a whole or sampled. */
export interface SurveyResult {
  readonly data: BoardData;
  /** By row, as received; undefined for those beyond what is kept in memory. */
  readonly jobs: readonly (Job | undefined)[];
  readonly basis: SurveyBasis;
  /** Where there is neither: the numbers of jobs by time, as far as they could be counted. */
  readonly windows: readonly CountedWindow[];
  /** How many jobs there are, as far as is known. */
  readonly total: number;
  readonly requests: number;
  /** Requests that it takes to read everything. */
  readonly exactRequests: number;
  /** Items without an id, and jobs that do not match what was asked for. */
  readonly unreadable: number;
  readonly contradicting: number;
  readonly isSlowed: boolean;
  readonly atMs: number;
  /** What was thrown, where the basis says that reading failed. */
  readonly error: unknown;
}

/**
 * Reads all jobs of these lists when that is cheap, or when asked to; otherwise probes jobs spread evenly over them. What came before a
 * cancel or a failure is kept.
 */
export async function surveyJobs(
  source: ListReader,
  queries: readonly ListQuery[],
  options: SurveyOptions,
): Promise<SurveyResult> {
  return new Survey(source, queries, options).run();
}

export function countRequests(source: ListReader): CountedReader {
  const count = { requests: 0, isSlowed: false };
  const observe: PageObserver = () => {
    count.requests++;
    return (page, error) => {
      count.isSlowed ||= page?.slowDown === true || isFailure(error, 'rateLimited');
    };
  };
  return Object.assign(count, { source: source.with({ observe }) });
}

class Survey {
  readonly #counted: CountedReader;
  readonly #queries: readonly ListQuery[];
  readonly #options: SurveyOptions;
  #columns: JobColumns;
  #jobs: (Job | undefined)[] = [];
  #characters = 0;
  #unreadable = 0;
  #contradicting = 0;

  constructor(source: ListReader, queries: readonly ListQuery[], options: SurveyOptions) {
    this.#counted = countRequests(source);
    this.#queries = queries;
    this.#options = options;
    this.#columns = new JobColumns(options.labelKeys);
  }

  async run(): Promise<SurveyResult> {
    const isExact = this.#options.mode === 'exact';
    try {
      const long = !isExact && (await this.#isLong());
      const basis = long ? 'tooMany' : await this.#readAll(isExact);
      if (basis !== 'tooMany') return this.#read(basis);
      this.#forget();
      return await this.#sample();
    } catch (error) {
      if (!isFailure(error)) throw error;
      const isCancelled = error.code === 'cancelled';
      return this.#read(
        { type: 'partial', why: isCancelled ? 'cancelled' : 'failed' },
        isCancelled ? undefined : error,
      );
    }
  }

  /** Forgets the jobs that were read. */
  #forget(): void {
    this.#columns = new JobColumns(this.#options.labelKeys);
    this.#jobs = [];
    this.#characters = 0;
  }

  /** Whether some list has a job behind the number that is read without being asked. One request a list. */
  async #isLong(): Promise<boolean> {
    for (const { endpoint, params } of this.#queries) {
      const entries = await this.#askOnce(endpoint, { ...params, offset: mostJobsRead, limit: 1 });
      if (entries.length > 0) return true;
    }
    return false;
  }

  async #readAll(isExact: boolean): Promise<SurveyBasis | 'tooMany'> {
    let endedBy: 'endedEarly' | 'unproved' | undefined;
    const { signal } = this.#options;
    for (const query of this.#queries) {
      const before = this.#columns.size;
      let isMeasured = false;
      const times = new TimesOfList(query);
      const options = { limit: bulkLimit, seen: new CompactKeySet(), ...(signal !== undefined && { signal }) };
      for await (const batch of readAll(this.#counted.source, query, options)) {
        for (const entry of batch.entries) this.#take(entry, query, times);
        if (batch.endedBy !== undefined)
          endedBy = batch.endedBy === 'unproved' ? (endedBy ?? 'unproved') : 'endedEarly';
        this.#tell('reading', this.#columns.size);
        const isMuch = this.#columns.size > mostJobsRead && this.#counted.requests > mostReadRequests;
        if (isMuch && !isExact) return 'tooMany';
        if (!isExact && !isMeasured && this.#counted.requests >= fewestMeasured) {
          isMeasured = true;
          if (await this.#isBeyondReach(query, before)) return 'tooMany';
        }
        // Decoding keeps the event loop busy; what else the window does goes first.
        await nextTurn();
      }
      const ask = ({ endpoint, params }: ListQuery): Promise<readonly ListEntry[]> => this.#askOnce(endpoint, params);
      if (endedBy === undefined && !(await times.areOfCreation(ask, this.#counted.source.traits))) endedBy = 'unproved';
    }
    return endedBy === undefined ? { type: 'complete' } : { type: 'partial', why: endedBy };
  }

  /**
   * Whether a list of small pages goes on behind what the requests of a survey can read, with some left for a sample. Asked once a list.
   * @param before the number of jobs of earlier lists
   */
  async #isBeyondReach({ endpoint, params }: ListQuery, before: number): Promise<boolean> {
    const { size } = this.#columns;
    const { requests } = this.#counted;
    const left = mostSurveyRequests - keptForSample - requests;
    const offset = Math.max(0, size - before + Math.floor((size / requests) * left));
    if (size + offset >= mostJobsRead) return false;
    return (await this.#askOnce(endpoint, { ...params, offset, limit: 1 })).length > 0;
  }

  /** The entries of a page; none where the service refuses the question. */
  async #askOnce(...asked: Parameters<ListReader['readPage']>): Promise<readonly ListEntry[]> {
    try {
      return (await this.#ask(...asked)).entries;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return [];
    }
  }

  async #sample(): Promise<SurveyResult> {
    const { clock, random, signal } = this.#options;
    const sample = await sampleLists(this.#counted, this.#queries, {
      clock,
      random,
      signal,
      onProgress: (jobs) => this.#tell('sampling', jobs),
    });
    // What looked like a job far behind was none.
    if (sample.isShort) {
      const basis = await this.#readAll(false);
      if (basis !== 'tooMany') return this.#read(basis);
      this.#forget();
    }
    const starts: number[] = [];
    const offsets = sample.lists.flatMap((list) => list.offsets);
    for (const list of sample.lists) {
      starts.push(this.#columns.size);
      for (const job of list.jobs) this.#keep(job);
    }
    const isExact = sample.lists.every((list) => list.isExact);
    const windows = sample.isUsable ? [] : await this.#countByTime(sample, isExact);
    const basis: SurveyBasis = sample.isUsable
      ? { type: 'sampled', isExact, isCut: sample.isCut }
      : { type: 'unsampled', isExact };
    const strata = sample.lists.map(({ jobs, total }) => ({ read: jobs.length, total }));
    return this.#result(basis, {
      windows,
      strata,
      mayBeMore: !isExact,
      stratumOf: (row) =>
        Math.max(
          0,
          starts.findLastIndex((start) => start <= row),
        ),
      offsetOf: (row) => offsets[row] ?? 0,
      total: strata.reduce((sum, { total }) => sum + total, 0),
      exactRequests: priceOf(sample.lists),
    });
  }

  /** Counts where no sample can be drawn. Only within a time that has a beginning, which is what is divided. */
  async #countByTime({ lists }: Sample, isExact: boolean): Promise<readonly CountedWindow[]> {
    const { clock, signal } = this.#options;
    const { date, afterDate, beforeDate } = this.#queries[0]?.params ?? {};
    const fromMs = afterDate === undefined ? undefined : parseDateTimeMs(afterDate);
    const toMs = beforeDate === undefined ? clock.now() : parseDateTimeMs(beforeDate);
    if (date !== undefined || fromMs === undefined || toMs === undefined || signal?.aborted === true) return [];
    const total = lists.reduce((sum, list) => sum + list.total, 0);
    return countWindows(this.#counted, this.#queries, { fromMs, toMs }, isExact ? total : undefined, {
      clock,
      signal,
      most: mostSurveyRequests,
      onProgress: (windows) => this.#tell('counting', windows),
    });
  }

  #read(basis: SurveyBasis, error?: unknown): SurveyResult {
    const { size } = this.#columns;
    const facts = {
      windows: [],
      strata: [{ read: size, total: size }],
      mayBeMore: basis.type !== 'complete',
      stratumOf: () => 0,
      total: size,
      exactRequests: priceOf([{ total: size }]),
    };
    return { ...this.#result(basis, facts), error };
  }

  #result(
    basis: SurveyBasis,
    {
      total,
      exactRequests,
      windows,
      ...data
    }: Omit<BoardData, 'columns'> & Pick<SurveyResult, 'total' | 'exactRequests' | 'windows'>,
  ): SurveyResult {
    return {
      data: { ...data, columns: this.#columns },
      jobs: this.#jobs,
      basis,
      windows,
      total,
      requests: this.#counted.requests,
      exactRequests,
      unreadable: this.#unreadable,
      contradicting: this.#contradicting,
      isSlowed: this.#counted.isSlowed,
      atMs: this.#options.clock.now(),
      error: undefined,
    };
  }

  #take(entry: ListEntry, query: ListQuery, times: TimesOfList): void {
    if (entry.type !== 'job') this.#unreadable++;
    else if (matchesQuery(entry, query)) {
      this.#keep(entry);
      times.take(entry);
    } else {
      this.#contradicting++;
      times.takeStray(entry);
    }
  }

  #keep(job: Job): void {
    this.#columns.add(job);
    this.#characters += job.raw.length;
    this.#jobs.push(this.#characters <= maxCharacters ? withoutWholeText(job) : undefined);
  }

  #ask(...[endpoint, params]: Parameters<ListReader['readPage']>) {
    return this.#counted.source.readPage(endpoint, params, this.#options.signal);
  }

  #tell(phase: SurveyProgress['phase'], jobs: number): void {
    const { requests, isSlowed } = this.#counted;
    this.#options.onProgress?.({ phase, jobs, requests, isSlowed });
  }
}

/** The requests that reading whole lists takes: pages overlap by one, and the end is proved. */
function priceOf(lists: readonly Pick<SampledList, 'total'>[]): number {
  return lists.reduce((sum, { total }) => sum + Math.ceil(total / (bulkLimit - 1)) + 2, 0);
}
