import { isUnfinished, jobStatuses, type Job, type ListEntry } from '../../domain/jobs/job.ts';
import type { ListQuery } from '../../domain/jobs/listParams.ts';
import { bulkLimit } from '../list/jobPager.ts';
import { isSame } from '../list/listWalk.ts';
import type { ServiceTraits } from '../list/serviceTraits.ts';
import { matchesQuery } from '../list/readAll.ts';

/** In milliseconds: a job that took longer is listed for the second of its creation only where that counts. */
const slowMs = 5000;
const unfinishedStatuses = jobStatuses.filter((status) => isUnfinished({ status }));

/** Asks for a page of a list. No entries where the service refuses the question. Throws Failure. */
type Ask = (query: ListQuery) => Promise<readonly ListEntry[]>;

/**
 * What the jobs of a list show about its bounds of time, of which contract 4.5 does not say which time of a job they are about. Where it is
 * completion, jobs without one are left out, and those that were completed after the end.
 */
export class TimesOfList {
  readonly #query: ListQuery;
  #hasUncompleted = false;
  /** A job that took a while. */
  #slow: Job | undefined;
  /** A job was created outside of the time asked for and completed within it; or neither. */
  #hasCompletedWithin = false;
  #hasOutside = false;

  constructor(query: ListQuery) {
    this.#query = query;
  }

  /** Notes a job that matches the query. */
  take(job: Job): void {
    this.#hasUncompleted ||= job.completedAtMs === undefined;
    if (isSlow(job)) this.#slow ??= job;
  }

  /** Notes a job that does not match the query. */
  takeStray(job: Job): void {
    const { afterDate: _after, beforeDate: _before, ...others } = this.#query.params;
    if (!matchesQuery(job, { ...this.#query, params: others })) return;
    const isWithin =
      job.completedAtMs !== undefined && matchesQuery({ ...job, createdAtMs: job.completedAtMs }, this.#query);
    this.#hasCompletedWithin ||= isWithin;
    this.#hasOutside ||= !isWithin;
  }

  /**
   * Whether the bounds are about creation, or leave nothing out otherwise: shown by a job without a completion, by one that is listed for
   * the second of its creation, or by no job that is unfinished. Where there is an end, a job that was completed behind it may be missing,
   * so that only the former show it. At most three requests, and none once it is known of the service.
   * @throws Failure from `ask`
   */
  async areOfCreation(ask: Ask, traits: ServiceTraits): Promise<boolean> {
    const { endpoint, params } = this.#query;
    const { afterDate, beforeDate, ...others } = params;
    if (afterDate === undefined && beforeDate === undefined) return true;
    if (this.#hasCompletedWithin && !this.#hasOutside) return false;
    let slow = this.#slow;
    if (beforeDate !== undefined && slow === undefined && !traits.datesAreOfCreation && !this.#hasUncompleted) {
      const any = await ask({ endpoint, params: { ...others, offset: 0, limit: bulkLimit } });
      if (any.length === 0) return true;
      slow = any.find((entry): entry is Job => entry.type === 'job' && isSlow(entry));
    }
    traits.datesAreOfCreation ||= this.#hasUncompleted || (slow !== undefined && (await this.#isListed(slow, ask)));
    if (traits.datesAreOfCreation) return true;
    if (beforeDate !== undefined) return false;
    const statuses = unfinishedStatuses.filter((status) => others.statuses?.includes(status) !== false);
    if (statuses.length === 0) return true;
    const unfinished = await ask({ endpoint, params: { ...others, statuses, offset: 0, limit: 2 } });
    return unfinished.every((entry) => entry.type !== 'job' || !matchesQuery(entry, this.#query));
  }

  /** Whether a job is listed for the second of its creation. */
  async #isListed(job: Job, ask: Ask): Promise<boolean> {
    const near = (byMs: number): string => new Date((job.createdAtMs ?? 0) + byMs).toISOString();
    const { endpoint, params } = this.#query;
    const second = { afterDate: near(-1000), beforeDate: near(1000), offset: 0, limit: bulkLimit };
    return (await ask({ endpoint, params: { ...params, ...second } })).some((entry) => isSame(entry, job));
  }
}

/** Whether a job tells by being listed what bounds of time are about: it was completed well after its creation, or is not yet. */
function isSlow({ createdAtMs, completedAtMs }: Job): boolean {
  return createdAtMs !== undefined && (completedAtMs === undefined || completedAtMs - createdAtMs > slowMs);
}
