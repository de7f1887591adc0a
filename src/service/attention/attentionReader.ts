import type { ListSource } from '../../domain/connection/connection.ts';
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
import { isJobKind, jobKey, withoutWholeText, type Job, type JobKind, type JobStatus } from '../../domain/jobs/job.ts';
import type { ListParams } from '../../domain/jobs/listParams.ts';
import type { Clock } from '../clock.ts';
import { bulkLimit } from '../list/jobPager.ts';
import type { ListPage } from '../ports.ts';
import { LateFailures } from './lateFailures.ts';
import { OlderFailures, type FailurePage } from './olderFailures.ts';
import type { ListReader } from '../list/listReader.ts';

/** What is asked about one kind. */
export interface AttentionQuery {
  readonly kind: JobKind;
  readonly listSource: ListSource;
  /** When an unfinished job of the kind counts as overdue. */
  readonly limit: OverdueLimit;
  /** From when on failures are new, given the time by the service's clock. */
  readonly sinceMs: (nowMs: number) => number;
  /** Those of some failures that nobody has handled. */
  readonly unhandled: (failed: readonly Job[], nowMs: number) => readonly Job[];
  readonly signal: AbortSignal;
}

/** Failures per request. Services that return fewer at once are known by their traits. */
const newestFailures = 200;
const sampleRequests = 2;
/** The header that tells the time counts whole seconds, and its answer may have been on the way for a moment. */
const clockGrainMs = 5_000;

/**
 * Asks a service what needs attention, with two requests a kind: the newest failures, and the unfinished jobs that were created before a
 * time of the service's own clock. Where all of the newest failures are handled and there are more, every other reading asks for older ones
 * instead of unfinished jobs. A few requests more, where needed, find what fails late. Remembers that clock, and what the service refuses.
 */
export class AttentionReader {
  readonly #source: ListReader;
  readonly #clock: Pick<Clock, 'now'>;
  /** How far the service's clock is ahead of ours. */
  #aheadMs: number | undefined;
  #refusesBefore = false;
  #refusesAfter = false;
  /** By kind, where there are more failures than one page has. */
  readonly #older = new Map<JobKind, OlderFailures>();
  readonly #late = new Map<JobKind, LateFailures>();
  /** The last answers by kind, and whether the last reading asked for older failures. */
  readonly #last = new Map<JobKind, { readonly overdue: OverdueReading; readonly wasBelow: boolean }>();

  constructor(source: ListReader, clock: Pick<Clock, 'now'>) {
    this.#source = source;
    this.#clock = clock;
  }

  /** The time by the service's clock, as far as it is known; milliseconds since the epoch. */
  now(): number {
    return this.#clock.now() + (this.#aheadMs ?? 0);
  }

  /** Reads failures first: their answer tells the service's time. @throws Failure */
  async read(query: AttentionQuery): Promise<KindReading> {
    const { kind, limit } = query;
    const failed = await this.#readFailed(query);
    const last = this.#last.get(kind);
    if (last !== undefined && !last.wasBelow && this.#isBelow(query, failed)) {
      this.#last.set(kind, { ...last, wasBelow: true });
      return { kind, limit, failed: this.#withLate(await this.readBelow(query, failed), kind), overdue: last.overdue };
    }
    const beforeMs = this.now() - limit.afterMs;
    const overdue = await this.#readOverdue(query, beforeMs);
    this.#last.set(kind, { overdue, wasBelow: false });
    await this.#lookForLate(query, failed, overdue, beforeMs);
    return { kind, limit, failed: this.#withLate(failed, kind), overdue };
  }

  /**
   * Looks for older failures, with one request, where all that were read are handled and there are more.
   * @param failed as read last
   * @throws Failure
   */
  async readBelow(query: AttentionQuery, failed: FailureReading): Promise<FailureReading> {
    const older = this.#older.get(query.kind);
    const offset = older?.nextOffset;
    if (failed.type === 'unknown' || offset === undefined || !this.#isBelow(query, failed)) return failed;
    const page = await this.#ask(query.kind, query.listSource, { ...this.#failedParams(query), offset }, query.signal);
    older?.add(failurePageOf(page, query.kind), offset);
    return this.#withOlder(failed, query.kind);
  }

  /** Looks for failures below the newest ones from the start again: handled ones, which are not kept, may be new again. */
  forgetOlder(): void {
    this.#older.clear();
  }

  /** Whether there may be failures below those that were read, which are all handled. */
  #isBelow({ kind, unhandled }: AttentionQuery, failed: FailureReading): boolean {
    if (failed.type === 'unknown' || failed.hasOlder !== true || this.#older.get(kind)?.nextOffset === undefined)
      return false;
    return unhandled(failed.jobs, this.now()).length === 0;
  }

  #withOlder<T extends FailureReading & { readonly type: 'known' }>(failed: T, kind: JobKind): T {
    const older = this.#older.get(kind);
    if (older === undefined) return failed;
    const jobs = withOthers(failed.jobs, older.jobs);
    const hasOlder = !older.isWhole;
    return { ...failed, jobs, hasMore: hasOlder || !older.isReadable, hasOlder };
  }

  /**
   * Measures how long finished jobs took, with at most two requests. The second one asks for the jobs before one of the first, which shows
   * what `before_date` is about, and names the statuses the other way round, which shows that all of them count.
   * @throws Failure
   */
  async measure({
    kind,
    listSource,
    signal,
  }: Pick<AttentionQuery, 'kind' | 'listSource' | 'signal'>): Promise<OverdueLimit> {
    const limited = { offset: 0, limit: overdueSample / sampleRequests };
    const first = await this.#ask(kind, listSource, { ...limited, statuses: ['done', 'error'] }, signal);
    const jobs = jobsOf(first, kind);
    const bound = tellingBound(jobs);
    // In the other order: where only the first or the last status counts, these jobs have none in common with the first ones.
    const params: ListParams = { ...limited, statuses: ['error', 'done'] };
    if (bound === undefined) {
      const offset = first.hasMore ? first.entries.length : 0;
      const next = jobs.length > 0 ? await this.#ask(kind, listSource, { ...params, offset }, signal) : undefined;
      const others = next === undefined ? [] : jobsOf(next, kind);
      return withSeen(overdueLimit(distinct([...jobs, ...others]), 0), { jobs, others });
    }
    const before = { ...params, beforeDate: new Date(bound.beforeMs).toISOString() };
    const next = await this.#ask(kind, listSource, before, signal).catch((error: unknown) => {
      if (!isFailure(error, 'rejected')) throw error;
    });
    const older = next === undefined ? [] : jobsOf(next, kind);
    const ignoresBefore = next === undefined || contradictsBound(bound, older, !mayHaveMore(next));
    const limit = withSeen(overdueLimit(distinct([...jobs, ...older]), 0), { jobs, others: older });
    return ignoresBefore ? { ...limit, ignoresBefore } : limit;
  }

  /** Asks for what fails late, where the newest failures are bounded by the creation of jobs. */
  async #lookForLate(
    { kind, listSource, signal }: AttentionQuery,
    failed: FailureReading,
    overdue: OverdueReading,
    beforeMs: number,
  ): Promise<void> {
    const late = this.#late.get(kind);
    if (failed.type === 'unknown' || late === undefined) return;
    late.noteOverdue(overdue, beforeMs, this.#aheadMs === undefined ? undefined : this.now());
    try {
      await late.look(async (params) =>
        pageOf(await this.#ask(kind, listSource, { ...params, limit: newestFailures }, signal), kind),
      );
    } catch (error) {
      if (!isFailure(error, 'rejected')) throw error;
      late.giveUp();
    }
  }

  #withLate(failed: FailureReading, kind: JobKind): FailureReading {
    const late = this.#late.get(kind);
    if (failed.type === 'unknown' || late === undefined) return failed;
    return { ...failed, jobs: withOthers(failed.jobs, late.jobs), late: late.state };
  }

  #noteFailed(
    { kind, sinceMs }: AttentionQuery,
    failed: FailureReading & { readonly type: 'known' },
    after?: string,
  ): void {
    if (after === undefined) {
      this.#late.delete(kind);
      return;
    }
    const late = this.#late.get(kind) ?? new LateFailures();
    this.#late.set(kind, late);
    late.noteFailed({ boundMs: Date.parse(after), sinceMs: sinceMs(this.now()) }, failed);
  }

  #failedParams({ sinceMs }: AttentionQuery): ListParams {
    const after = sinceMs(this.now()) - longestRunMs;
    return {
      statuses: ['error'],
      limit: newestFailures,
      ...(!this.#refusesAfter && { afterDate: new Date(after).toISOString() }),
    };
  }

  async #readFailed(query: AttentionQuery): Promise<FailureReading> {
    const { kind, listSource, signal, unhandled } = query;
    try {
      const params = this.#failedParams(query);
      const answer = await this.#ask(kind, listSource, params, signal);
      const page = failurePageOf(answer, kind);
      const { jobs, hasMore, isReadable } = page;
      if (!hasMore) this.#older.delete(kind);
      else if (this.#older.get(kind)?.follow(jobs) !== true) {
        const isHandled = (job: Job): boolean => unhandled([job], this.now()).length === 0;
        this.#older.set(kind, new OlderFailures(page, isHandled));
      }
      const known = { type: 'known', jobs, hasMore: hasMore || !isReadable, isNewest: isNewestFirst(jobs) } as const;
      const failed = this.#withOlder(known, kind);
      this.#noteFailed(query, failed, params.afterDate);
      return failed;
    } catch (error) {
      if (!isFailure(error, 'rejected')) throw error;
      // The next reading asks without it.
      this.#refusesAfter = true;
      return { type: 'unknown' };
    }
  }

  async #readOverdue({ kind, listSource, limit, signal }: AttentionQuery, beforeMs: number): Promise<OverdueReading> {
    if (this.#refusesBefore || limit.ignoresBefore === true) return { type: 'unknown' };
    const askedMs = this.#clock.now();
    const statuses: readonly JobStatus[] = ['queued', 'processing'];
    const params = { statuses, limit: bulkLimit, beforeDate: new Date(beforeMs).toISOString() };
    try {
      const page = await this.#ask(kind, listSource, params, signal);
      const reading = readOverdue(jobsOf(page, kind), beforeMs, mayHaveMore(page));
      if (reading.type === 'unknown') return reading;
      // The answer may be the first that tells the service's time.
      const trueMs = askedMs + (this.#aheadMs ?? 0) - limit.afterMs;
      const jobs = reading.jobs.filter(({ createdAtMs = Infinity }) => createdAtMs <= trueMs);
      return { ...reading, jobs, hasMore: reading.hasMore || trueMs > beforeMs + clockGrainMs };
    } catch (error) {
      if (!isFailure(error, 'rejected')) throw error;
      this.#refusesBefore = true;
      return { type: 'unknown' };
    }
  }

  async #ask(kind: JobKind, listSource: ListSource, params: ListParams, signal: AbortSignal): Promise<ListPage> {
    const page =
      listSource === 'combined'
        ? await this.#source.readPage('combined', { ...params, kinds: [kind] }, signal)
        : await this.#source.readPage(kind, params, signal);
    if (page.serviceDateMs !== undefined) this.#aheadMs = page.serviceDateMs - this.#clock.now();
    return page;
  }
}

/** The jobs of a page, without those of another known kind. */
function jobsOf({ entries }: ListPage, kind: JobKind): readonly Job[] {
  return entries.flatMap((entry) =>
    entry.type === 'job' && (entry.kind === kind || !isJobKind(entry.kind)) ? [withoutWholeText(entry)] : [],
  );
}

function failurePageOf(page: ListPage, kind: JobKind): FailurePage {
  const all = pageOf(page, kind);
  return { ...all, jobs: all.jobs.filter(({ status }) => status === 'error') };
}

function pageOf(page: ListPage, kind: JobKind): FailurePage {
  const jobs = jobsOf(page, kind);
  return { jobs, received: page.entries.length, hasMore: mayGoOn(page), isReadable: isReadable(page) };
}

function withOthers(jobs: readonly Job[], others: readonly Job[]): readonly Job[] {
  const known = new Set(jobs.map(jobKey));
  return [...jobs, ...others.filter((job) => !known.has(jobKey(job)))];
}

function distinct(jobs: readonly Job[]): readonly Job[] {
  return [...new Map(jobs.map((job) => [jobKey(job), job])).values()];
}

/** Notes whether two answers to the same statuses in different orders show that both statuses count. */
function withSeen(
  limit: OverdueLimit,
  { jobs, others }: { readonly jobs: readonly Job[]; readonly others: readonly Job[] },
): OverdueLimit {
  const statuses = new Set(jobs.map(({ status }) => status));
  return others.some(({ status }) => statuses.has(status)) ? { ...limit, obeysStatuses: true } : limit;
}

/** Whether there may be jobs that the page does not tell of. */
function mayHaveMore(page: ListPage): boolean {
  return mayGoOn(page) || !isReadable(page);
}

/** Whether another page may follow: an end that a full page claims is not proved. */
function mayGoOn({ entries, hasMore, limit = Infinity }: ListPage): boolean {
  return hasMore || entries.length >= limit;
}

function isReadable({ entries }: ListPage): boolean {
  return !entries.some(({ type }) => type === 'unreadable');
}
