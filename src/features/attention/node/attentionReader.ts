import { dayMs } from '../../../base/time.ts';
import type { AttentionLists, ListReading } from '../common/attention.ts';
import { overdueLimit, type OverdueLimit } from '../common/overdue.ts';
import { overdueSample } from '../../../jobs/common/processingMs.ts';
import { Failure, isFailure } from '../../../base/failure.ts';
import {
  isJobStatus,
  isSameContent,
  jobKey,
  jobKinds,
  withoutWholeText,
  type Job,
  type JobKind,
  type JobStatus,
  type ListEntry,
} from '../../../jobs/common/job.ts';
import type { ListEndpoint, ListParams, ListQuery } from '../../../jobs/common/listParams.ts';
import type { Clock } from '../../../base/clock.ts';
import type { ListReader } from '../../../jobs/node/list/listReader.ts';
import { isRefusal } from '../../../jobs/node/list/listWalk.ts';
import { readAll } from '../../../jobs/node/list/readAll.ts';
import type { Connection } from '../../../connections/common/connection.ts';
import type { ListPage } from '../../../jobs/common/decodePage.ts';

/** Limits for reading one list: jobs, characters, and pages, because a moving list may never end. */
const maxRead = 1000;
const maxCharacters = 50_000_000;
const maxPages = 250;
/** Minimum number of jobs per request; a connection may set more. */
const minPageLimit = 100;
/** Interval between two measurements of how long jobs take. */
const sampleAgeMs = dayMs;

/** Begins a request whose jobs are observed elsewhere as well. The returned function ends it with the jobs received. */
export type Observing = () => (jobs: readonly Job[]) => void;

/** One of the two lists of an endpoint. */
interface WatchedList {
  readonly query: ListQuery;
  reading: ListReading;
  /** True if the service reports that there is no such list. */
  isAbsent: boolean;
}

/** Endpoint with its lists. */
interface WatchedEndpoint {
  readonly unfinished: WatchedList;
  readonly failed: WatchedList;
  /** By `jobKey`, as last observed. */
  readonly jobs: Map<string, Job>;
}

/** Result of reading a list. */
interface ReadJobs {
  readonly jobs: readonly Job[];
  /** True if there may be further jobs. */
  readonly isCut: boolean;
  readonly hasUnreadable: boolean;
}

/**
 * Reads what needs attention: per endpoint the list of unfinished jobs and the list of failures, in full or their first pages, and once a
 * day a page of finished jobs. Decides here which jobs are late or new, by their own times; never queries by time.
 */
export class AttentionReader {
  readonly #source: ListReader;
  readonly #connection: Pick<Connection, 'limit' | 'listSource'>;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #endpoints: readonly WatchedEndpoint[];
  /** The limit is undefined if the service refuses to list finished jobs. */
  readonly #samples = new Map<JobKind, { readonly atMs: number; readonly limit: OverdueLimit | undefined }>();
  /** Offset of the service's clock from the local clock; positive if the service is ahead. */
  #aheadMs: number | undefined;
  /** Lower bound of this offset, from the times of jobs. */
  #minAheadMs = -Infinity;

  /** @param observing defaults to no listener */
  constructor(
    source: ListReader,
    connection: Pick<Connection, 'limit' | 'listSource'>,
    clock: Pick<Clock, 'now'>,
    observing: Observing = () => () => undefined,
  ) {
    this.#source = source.with({
      // Results read here must not be newer than those of lists and pages.
      observe: () => {
        const report = observing();
        return (page) => {
          if (page !== undefined) this.#noteTimes(page);
          report(page?.entries.filter((entry) => entry.type === 'job') ?? []);
        };
      },
    });
    this.#connection = connection;
    this.#clock = clock;
    const endpoints: readonly ListEndpoint[] = connection.listSource === 'combined' ? ['combined'] : jobKinds;
    const listOf = (endpoint: ListEndpoint, statuses: readonly JobStatus[]): WatchedList => ({
      query: { endpoint, params: { statuses, ...(endpoint === 'combined' && { kinds: jobKinds }) } },
      reading: { type: 'unread' },
      isAbsent: false,
    });
    this.#endpoints = endpoints.map((endpoint) => ({
      unfinished: listOf(endpoint, ['queued', 'processing']),
      failed: listOf(endpoint, ['error']),
      jobs: new Map(),
    }));
  }

  /** Returns the time by the service's clock, milliseconds since the epoch; a time that is not later if the service does not report it. */
  now(): number {
    return this.#clock.now() + (this.#aheadMs ?? Math.min(0, this.#minAheadMs === -Infinity ? 0 : this.#minAheadMs));
  }

  /** @param overdueMinutes the user's setting; 0 means measured */
  lists(overdueMinutes: number): AttentionLists {
    const endpoints = this.#endpoints.filter((each) => !isAbsent(each));
    // For a job that an endpoint of another kind also lists, the endpoint of its own kind takes precedence.
    const isForeign = (job: Job, { failed: { query } }: WatchedEndpoint): boolean =>
      query.endpoint !== 'combined' && query.endpoint !== job.kind;
    const all = endpoints.flatMap((each) => [...each.jobs].map((keyed) => ({ each, keyed })));
    const jobs = all
      .toSorted((a, b) => Number(isForeign(b.keyed[1], b.each)) - Number(isForeign(a.keyed[1], a.each)))
      .map(({ keyed }) => keyed);
    const isListed = (kind: JobKind): boolean =>
      endpoints.some(({ failed: { query } }) => query.endpoint === 'combined' || query.endpoint === kind);
    return {
      jobs: [...new Map(jobs).values()],
      unfinished: endpoints.map(({ unfinished }) => unfinished.reading),
      failed: endpoints.map(({ failed }) => failed.reading),
      limits: new Map(
        jobKinds.filter(isListed).flatMap((kind) => {
          const limit = overdueMinutes > 0 ? overdueLimit([], overdueMinutes) : this.#samples.get(kind)?.limit;
          return limit === undefined ? [] : [[kind, limit] as const];
        }),
      ),
      atMs: this.now(),
      isClockKnown: this.#aheadMs !== undefined,
    };
  }

  /**
   * Takes over newer states of the jobs.
   * @param current returns a job as last observed, also by readings from here; undefined for an unknown job
   * @returns true if any job changed
   */
  adopt(current: (kind: string, id: string) => Job | undefined): boolean {
    let isChanged = false;
    for (const { jobs } of this.#endpoints) {
      for (const [key, job] of jobs) {
        const known = current(job.kind, job.id);
        if (known === undefined || known === job) continue;
        isChanged ||= !isSameContent(known, job);
        jobs.set(key, known);
      }
    }
    return isChanged;
  }

  /**
   * Reads all lists in full, or only their first pages.
   * @param measures true to measure how long jobs take, unless that was done within a day
   * @returns a failure, if any; results of the other lists count. @throws Failure `cancelled`
   */
  async read(isWhole: boolean, measures: boolean, signal: AbortSignal): Promise<Failure | undefined> {
    const failures: Failure[] = [];
    const attempt = async (reading: Promise<void>): Promise<void> => {
      try {
        await reading;
      } catch (error) {
        if (!isFailure(error) || error.code === 'cancelled') throw error;
        failures.push(error);
      }
    };
    await Promise.all([
      ...this.#endpoints.map(async (endpoint) => {
        // With this order, a job that fails in between is in both lists, not in none.
        await attempt(this.#readList(endpoint, endpoint.unfinished, isWhole, signal));
        await attempt(this.#readList(endpoint, endpoint.failed, isWhole, signal));
      }),
      ...(measures ? jobKinds.map((kind) => attempt(this.#measure(kind, signal))) : []),
    ]);
    if (this.#endpoints.every(isAbsent)) return new Failure('notFound');
    return failures.find(({ facts }) => facts.retryAtMs !== undefined) ?? failures[0];
  }

  async #readList(endpoint: WatchedEndpoint, list: WatchedList, isWhole: boolean, signal: AbortSignal): Promise<void> {
    const { reading } = list;
    // A refused query is repeated only when everything is read again.
    if (!isWhole && reading.type === 'refused') return;
    try {
      const first = isWhole ? undefined : await this.#readFirst(list.query, signal);
      const before = reading.type === 'read' ? reading : { isCut: true, hasUnreadable: false };
      // Once a list was read in full, a first page with the same jobs is all of it; after a change, the list is read in full again.
      const isProved = first?.isCut === false && !first.hasUnreadable && !before.isCut && !before.hasUnreadable;
      const isSame = isProved && hasSameJobs(endpoint, list, first.jobs);
      const read = first === undefined || (isProved && !isSame) ? await this.#readWhole(list.query, signal) : first;
      const isFresh = read !== first || isSame;
      list.isAbsent = false;
      if (isFresh || !read.isCut) dropJobs(endpoint, list);
      for (const job of read.jobs) endpoint.jobs.set(jobKey(job), job);
      list.reading = {
        type: 'read',
        isCut: isFresh ? read.isCut : before.isCut,
        hasUnreadable: read.hasUnreadable || (!isFresh && before.hasUnreadable),
        isFresh,
      };
    } catch (error) {
      if (!isFailure(error, 'notFound') && !isFailure(error, 'rejected')) {
        if (reading.type === 'read') list.reading = { ...reading, isFresh: false };
        throw error;
      }
      // A list that existed before has failures that are unknown now.
      list.isAbsent = error.code === 'notFound' && (list.isAbsent || reading.type === 'unread');
      list.reading = { type: 'refused' };
      dropJobs(endpoint, list);
    }
  }

  /** Reads a list to its end, or up to a thousand jobs. @throws Failure */
  async #readWhole(query: ListQuery, signal: AbortSignal): Promise<ReadJobs> {
    const jobs: Job[] = [];
    let count = 0;
    let characters = 0;
    let pages = 0;
    let isCut = false;
    let hasUnreadable = false;
    try {
      for await (const { entries, endedBy } of readAll(this.#source, query, { limit: this.#limit, signal })) {
        count += entries.length;
        const found = jobsOf(entries, query);
        jobs.push(...found);
        hasUnreadable ||= entries.some(isUnclear);
        characters += found.reduce((sum, { raw }) => sum + raw.length, 0);
        const isTooLong = count > maxRead || characters > maxCharacters || ++pages === maxPages;
        isCut = endedBy !== undefined || isTooLong;
        if (isTooLong) break;
      }
    } catch (error) {
      if (count === 0 || !isRefusal(error)) throw error;
      isCut = true;
    }
    return { jobs: jobs.slice(0, maxRead), isCut, hasUnreadable };
  }

  /** Reads the first page of a list. The result is cut unless the service reports that it is the whole list. @throws Failure */
  async #readFirst({ endpoint, params }: ListQuery, signal: AbortSignal): Promise<ReadJobs> {
    const page = await this.#source.readPage(endpoint, { ...params, offset: 0, limit: this.#limit }, signal);
    const { entries, hasMore, limit = this.#limit } = page;
    return {
      jobs: jobsOf(entries, { endpoint, params }).slice(0, maxRead),
      isCut: hasMore || entries.length >= limit,
      hasUnreadable: entries.some(isUnclear),
    };
  }

  /** Measures how long the latest finished jobs of a kind took, from one page of them. @throws Failure */
  async #measure(kind: JobKind, signal: AbortSignal): Promise<void> {
    const known = this.#samples.get(kind);
    const ageMs = this.#clock.now() - (known?.atMs ?? -Infinity);
    if (ageMs >= 0 && ageMs < sampleAgeMs) return;
    const isCombined = this.#connection.listSource === 'combined';
    const endpoint = isCombined ? 'combined' : kind;
    const params: ListParams = {
      statuses: ['done', 'error'],
      ...(isCombined && { kinds: [kind] }),
      offset: 0,
      limit: overdueSample,
    };
    let limit: OverdueLimit | undefined;
    try {
      const { entries } = await this.#source.readPage(endpoint, params, signal);
      const finished = jobsOf(entries, { endpoint, params }).filter((job) => !isCombined || job.kind === kind);
      limit = overdueLimit(finished, 0);
    } catch (error) {
      if (!isFailure(error, 'notFound') && !isFailure(error, 'rejected')) throw error;
    }
    this.#samples.set(kind, { atMs: this.#clock.now(), limit });
  }

  #noteTimes({ entries, serviceDateMs }: ListPage): void {
    const nowMs = this.#clock.now();
    if (serviceDateMs !== undefined) this.#aheadMs = serviceDateMs - nowMs;
    for (const entry of entries) {
      if (entry.type !== 'job') continue;
      const { createdAtMs = -Infinity, completedAtMs = -Infinity } = entry;
      this.#minAheadMs = Math.max(this.#minAheadMs, createdAtMs - nowMs, completedAtMs - nowMs);
    }
  }

  get #limit(): number {
    return Math.max(minPageLimit, this.#connection.limit);
  }
}

/** True if the service has no such endpoint. */
function isAbsent({ unfinished, failed }: WatchedEndpoint): boolean {
  return unfinished.isAbsent && failed.isAbsent;
}

/** Removes the jobs that only this list can contain. */
function dropJobs(endpoint: WatchedEndpoint, list: WatchedList): void {
  for (const key of keysOf(endpoint, list)) endpoint.jobs.delete(key);
}

function hasSameJobs(endpoint: WatchedEndpoint, list: WatchedList, jobs: readonly Job[]): boolean {
  const known = new Set(keysOf(endpoint, list));
  const listed = new Set(jobs.map(jobKey));
  return known.size === listed.size && [...listed].every((key) => known.has(key));
}

/** Returns the keys of the jobs that only this list can contain. */
function keysOf({ jobs, failed }: WatchedEndpoint, list: WatchedList): readonly string[] {
  return [...jobs].flatMap(([key, { status }]) => ((status === 'error') === (list === failed) ? [key] : []));
}

/** Returns the jobs with a queried status; a service may ignore the query. */
function jobsOf(entries: readonly ListEntry[], { params: { statuses = [] } }: ListQuery): readonly Job[] {
  return entries.flatMap((entry) =>
    entry.type === 'job' && statuses.some((status) => status === entry.status) ? [withoutWholeText(entry)] : [],
  );
}

/** True if it is unknown whether an entry is a job of the list. */
function isUnclear(entry: ListEntry): boolean {
  return entry.type === 'unreadable' || !isJobStatus(entry.status);
}
