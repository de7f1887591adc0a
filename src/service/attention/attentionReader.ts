import type { FailureReading, KindReading } from '../../domain/attention/attention.ts';
import { longestRunMs } from '../../domain/attention/handledMarks.ts';
import {
  contradictsBound,
  isNewestFirst,
  overdueLimit,
  overdueSample,
  readOverdue,
  tellingBound,
  type OverdueLimit,
  type OverdueReading,
} from '../../domain/attention/overdue.ts';
import { isFailure } from '../../domain/failure.ts';
import { isJobKind, type Job, type JobKind, type JobStatus } from '../../domain/jobs/job.ts';
import type { ListParams } from '../../domain/jobs/listParams.ts';
import type { Clock } from '../clock.ts';
import { bulkLimit } from '../list/jobPager.ts';
import type { ListPage, PageSource } from '../ports.ts';

/** What is asked about one kind. */
export interface AttentionQuery {
  readonly kind: JobKind;
  readonly listSource: 'byKind' | 'combined';
  /** When an unfinished job of the kind counts as overdue. */
  readonly limit: OverdueLimit;
  /** From when on failures are new, given the time by the service's clock. */
  readonly sinceMs: (nowMs: number) => number;
  readonly signal: AbortSignal;
}

/** Failures per request. Services that return fewer at once are known by their traits. */
export const newestFailures = 200;
const sampleRequests = 2;
/** The header that tells the time counts whole seconds, and its answer may have been on the way for a moment. */
const clockGrainMs = 5_000;

/**
 * Asks a service what needs attention, with at most two requests a kind: the newest failures, and the unfinished jobs that were created
 * before a time of the service's own clock. Remembers that clock, and what the service refuses.
 */
export class AttentionReader {
  readonly #source: PageSource;
  readonly #clock: Pick<Clock, 'now'>;
  /** How far the service's clock is ahead of ours. */
  #aheadMs = 0;
  #refusesBefore = false;
  #refusesAfter = false;

  constructor(source: PageSource, clock: Pick<Clock, 'now'>) {
    this.#source = source;
    this.#clock = clock;
  }

  /** The time by the service's clock, as far as it is known; milliseconds since the epoch. */
  now(): number {
    return this.#clock.now() + this.#aheadMs;
  }

  /** Reads failures first: their answer tells the service's time. @throws Failure */
  async read(query: AttentionQuery): Promise<KindReading> {
    const { kind, limit } = query;
    const failed = await this.#readFailed(query);
    return { kind, limit, failed, overdue: await this.#readOverdue(query) };
  }

  /**
   * Measures how long finished jobs took, with at most two requests. The second one asks for the jobs before one of the first, which shows
   * what `before_date` is about.
   * @throws Failure
   */
  async measure({ kind, listSource, signal }: Omit<AttentionQuery, 'limit' | 'sinceMs'>): Promise<OverdueLimit> {
    const params = { statuses: ['done', 'error'], offset: 0, limit: overdueSample / sampleRequests } as const;
    const first = await this.#ask(kind, listSource, params, signal);
    const jobs = jobsOf(first, kind);
    const bound = tellingBound(jobs);
    if (bound === undefined) {
      const offset = first.entries.length;
      const next =
        first.hasMore && offset > 0 ? await this.#ask(kind, listSource, { ...params, offset }, signal) : undefined;
      return overdueLimit([...jobs, ...(next === undefined ? [] : jobsOf(next, kind))], 0);
    }
    const before = { ...params, beforeDate: new Date(bound.beforeMs).toISOString() };
    const next = await this.#ask(kind, listSource, before, signal).catch((error: unknown) => {
      if (!isFailure(error, 'rejected')) throw error;
    });
    const older = next === undefined ? [] : jobsOf(next, kind);
    const ignoresBefore = next === undefined || contradictsBound(bound, older, !mayHaveMore(next));
    const known = new Set(jobs.map(({ id }) => id));
    const limit = overdueLimit([...jobs, ...older.filter(({ id }) => !known.has(id))], 0);
    return ignoresBefore ? { ...limit, ignoresBefore } : limit;
  }

  async #readFailed({ kind, listSource, sinceMs, signal }: AttentionQuery): Promise<FailureReading> {
    const after = sinceMs(this.now()) - longestRunMs;
    const params: ListParams = {
      statuses: ['error'],
      limit: newestFailures,
      ...(!this.#refusesAfter && { afterDate: new Date(after).toISOString() }),
    };
    try {
      const page = await this.#ask(kind, listSource, params, signal);
      const jobs = jobsOf(page, kind).filter(({ status }) => status === 'error');
      return { type: 'known', jobs, hasMore: mayHaveMore(page), isNewest: isNewestFirst(jobs) };
    } catch (error) {
      if (!isFailure(error, 'rejected')) throw error;
      // The next reading asks without it.
      this.#refusesAfter = true;
      return { type: 'unknown' };
    }
  }

  async #readOverdue({ kind, listSource, limit, signal }: AttentionQuery): Promise<OverdueReading> {
    if (this.#refusesBefore || limit.ignoresBefore === true) return { type: 'unknown' };
    const askedMs = this.#clock.now();
    const beforeMs = this.now() - limit.afterMs;
    const statuses: readonly JobStatus[] = ['queued', 'processing'];
    const params = { statuses, limit: bulkLimit, beforeDate: new Date(beforeMs).toISOString() };
    try {
      const page = await this.#ask(kind, listSource, params, signal);
      const reading = readOverdue(jobsOf(page, kind), beforeMs, mayHaveMore(page));
      if (reading.type === 'unknown') return reading;
      // The answer may be the first that tells the service's time.
      const trueMs = askedMs + this.#aheadMs - limit.afterMs;
      const jobs = reading.jobs.filter(({ createdAtMs = Infinity }) => createdAtMs <= trueMs);
      return { ...reading, jobs, hasMore: reading.hasMore || trueMs > beforeMs + clockGrainMs };
    } catch (error) {
      if (!isFailure(error, 'rejected')) throw error;
      this.#refusesBefore = true;
      return { type: 'unknown' };
    }
  }

  async #ask(
    kind: JobKind,
    listSource: AttentionQuery['listSource'],
    params: ListParams,
    signal: AbortSignal,
  ): Promise<ListPage> {
    const page =
      listSource === 'combined'
        ? await this.#source.listJobs('combined', { ...params, kinds: [kind] }, signal)
        : await this.#source.listJobs(kind, params, signal);
    if (page.serviceDateMs !== undefined) this.#aheadMs = page.serviceDateMs - this.#clock.now();
    return page;
  }
}

/** The jobs of a page, without those of another known kind. */
function jobsOf({ entries }: ListPage, kind: JobKind): readonly Job[] {
  return entries.filter(
    (entry): entry is Job => entry.type === 'job' && (entry.kind === kind || !isJobKind(entry.kind)),
  );
}

/** Whether there may be more: an end that a full page claims is not proved. */
function mayHaveMore({ entries, hasMore, limit = Infinity }: ListPage): boolean {
  return hasMore || entries.length >= limit || entries.some(({ type }) => type === 'unreadable');
}
