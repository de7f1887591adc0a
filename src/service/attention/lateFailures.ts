import type { FailureReading } from '../../domain/attention/attention.ts';
import { failedAtMs } from '../../domain/attention/failureGroups.ts';
import type { OverdueReading } from '../../domain/attention/overdue.ts';
import { jobKey, type Job } from '../../domain/jobs/job.ts';
import { hintedParams, type ListParams } from '../../domain/jobs/listParams.ts';
import { OlderFailures, type FailurePage } from './olderFailures.ts';

/** Jobs that are asked about at once after they left the overdue ones. */
const followedAtOnce = 4;
/** Readings in which a job is looked for. */
const mostTries = 2;
/** Jobs that left the overdue ones and are not asked about yet, and jobs that are overdue where not all can be listed. */
const mostKept = 1000;
/** Pages of failures of any age that are looked through, in all. */
const mostPages = 100;
/** Services may compare whole seconds. */
const marginMs = 2000;
/** A clock that is read off answers goes back and forth by this much. */
const clockGrainMs = 5000;

/** Asks for jobs; those of other statuses are left in, as the service sent them. */
type AskPage = (params: ListParams) => Promise<FailurePage>;

/** What was asked in a reading, by the service's clock as far as it is known. */
interface FailuresAsked {
  /** Failures were asked for of jobs created after this time. */
  readonly boundMs: number;
  /** From when on failures are new. */
  readonly sinceMs: number;
}

/**
 * The failures of jobs that were created before the time that failures are asked for. Such a job was unfinished until it failed, so it was
 * overdue: each that leaves the overdue ones is asked about. What failed before the first look at these is looked for among all failures,
 * one page a reading.
 */
export class LateFailures {
  /** By `jobKey`, as all that follow: overdue when last seen. */
  #open = new Map<string, Job>();
  readonly #left = new Map<string, { readonly job: Job; tries: number }>();
  /** Handled ones included. */
  readonly #found = new Map<string, Job>();
  #last: (FailuresAsked & { readonly jobs: readonly Job[]; readonly isWhole: boolean }) | undefined;
  /** While all jobs that could fail late were among the overdue ones: since when, and up to which time of creation. */
  #followed: { readonly fromMs: number; readonly createdMs: number } | undefined;
  #search: OlderFailures | 'whole' | 'over' | undefined;
  #pages = 0;

  /** Those that were found, for the bound that was asked with last. */
  get jobs(): readonly Job[] {
    return [...this.#found.values()].filter((job) => this.#isLate(job));
  }

  /** Whether there may be others. */
  get state(): NonNullable<(FailureReading & { readonly type: 'known' })['late']> {
    if (this.#followed === undefined || this.#search === 'over') return 'unknown';
    const isSearched = this.#search === 'whole' || this.#isFollowedLongEnough;
    return isSearched && this.#toAsk().length === 0 ? 'followed' : 'lookedFor';
  }

  /** Notes the failures of a reading. */
  noteFailed(asked: FailuresAsked, { jobs, hasMore }: FailureReading & { readonly type: 'known' }): void {
    const last = this.#last;
    this.#last = { ...asked, jobs, isWhole: !hasMore };
    const { boundMs, sinceMs } = asked;
    if (last !== undefined) {
      const isUnread = boundMs > last.boundMs && !last.isWhole;
      const isBefore = sinceMs < last.sinceMs - clockGrainMs;
      if (isUnread || isBefore || boundMs > (this.#followed?.createdMs ?? Infinity)) this.#startAgain();
      this.#keep(last.jobs.filter((job) => this.#isLate(job)));
    }
    for (const [key, job] of this.#found) if (this.#isTooOld(job)) this.#found.delete(key);
    for (const job of jobs) this.#left.delete(jobKey(job));
    if (hasMore) return;
    // These were asked for after they left.
    for (const [key, { job }] of this.#left) if (!this.#isLate(job)) this.#left.delete(key);
  }

  /**
   * Notes the overdue jobs of a reading, after its failures.
   * @param createdMs they were created before this time. @param nowMs by the service's clock; undefined when that is not known
   */
  noteOverdue(overdue: OverdueReading, createdMs: number, nowMs = Infinity): void {
    const jobs = overdue.type === 'known' ? overdue.jobs : [];
    const now = new Map(jobs.map((job) => [jobKey(job), job]));
    const isAll = overdue.type === 'known' && !overdue.hasMore;
    const gone = [...this.#open].filter(([key]) => !now.has(key));
    if (isAll) for (const [key, job] of gone) this.#left.set(key, { job, tries: 0 });
    for (const key of now.keys()) this.#left.delete(key);
    this.#open = new Map([...now, ...(isAll ? [] : gone)].slice(0, mostKept));
    const isKept = now.size + (isAll ? 0 : gone.length) <= mostKept && this.#left.size <= mostKept;
    if (!isKept) this.#left.clear();
    if (!isAll || !isKept || (this.#last?.boundMs ?? Infinity) > createdMs) this.#startAgain();
    else this.#followed = { fromMs: this.#followed?.fromMs ?? nowMs + clockGrainMs, createdMs };
  }

  /** Asks about jobs that are no longer overdue, and for one page of the failures of any age, as far as that is needed. @throws Failure */
  async look(ask: AskPage): Promise<void> {
    for (const [key, each] of this.#toAsk().slice(0, followedAtOnce)) {
      // An answer to the one before may have told of this one, too.
      if (!this.#left.has(key)) continue;
      each.tries++;
      const { jobs } = await ask({ ...hintedParams(each.job) });
      for (const job of jobs) this.#settle(job);
      if (!this.#left.has(key) || each.tries < mostTries) continue;
      // It is gone, or the service does not find jobs by their creation.
      this.#left.delete(key);
      this.#startAgain();
    }
    const isNeeded = this.#followed !== undefined && this.#last?.isWhole === true && !this.#isFollowedLongEnough;
    if (!isNeeded || this.#search === 'whole' || this.#search === 'over') return;
    await this.#searchOn(ask, this.#search);
  }

  /** The service refuses what {@link look} asks. */
  giveUp(): void {
    this.#left.clear();
    this.#followed = undefined;
    this.#search = 'over';
  }

  async #searchOn(ask: AskPage, search: OlderFailures | undefined): Promise<void> {
    if (this.#pages++ >= mostPages) {
      this.#search = 'over';
      return;
    }
    const offset = search?.nextOffset ?? 0;
    const page = await ask({ statuses: ['error'], offset });
    const failed = { ...page, jobs: page.jobs.filter(({ status }) => status === 'error') };
    this.#keep(failed.jobs);
    search?.add(failed, offset);
    const pages = search ?? new OlderFailures(failed, () => true);
    const isReadable = search?.isReadable ?? page.isReadable;
    const isEnd = search === undefined ? !page.hasMore : search.nextOffset === undefined;
    if (isEnd) this.#search = isReadable && (search?.isWhole ?? true) ? 'whole' : 'over';
    else this.#search = isReadable && pages.isJoined ? pages : 'over';
  }

  /** What failed until now may have been missed. */
  #startAgain(): void {
    this.#followed = undefined;
    this.#search = undefined;
  }

  /** A job without times cannot be asked for by one. */
  #isLate({ createdAtMs }: Job): boolean {
    return createdAtMs === undefined || createdAtMs < (this.#last?.boundMs ?? -Infinity) + marginMs;
  }

  #isTooOld(job: Job): boolean {
    return (failedAtMs(job) ?? Infinity) < (this.#last?.sinceMs ?? -Infinity) - 2 * clockGrainMs;
  }

  get #isFollowedLongEnough(): boolean {
    return (this.#last?.sinceMs ?? -Infinity) >= (this.#followed?.fromMs ?? Infinity);
  }

  #toAsk(): readonly (readonly [string, { readonly job: Job; tries: number }])[] {
    return [...this.#left].filter(([, { job }]) => this.#isLate(job));
  }

  #keep(failed: readonly Job[]): void {
    for (const job of failed) if (!this.#isTooOld(job)) this.#found.set(jobKey(job), job);
  }

  #settle(job: Job): void {
    const key = jobKey(job);
    if (!this.#left.has(key) || (job.status !== 'done' && job.status !== 'error')) return;
    this.#left.delete(key);
    if (job.status === 'error') this.#keep([job]);
  }
}
