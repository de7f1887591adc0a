import { isNewestFirst } from '../../domain/attention/overdue.ts';
import { jobKey, type Job } from '../../domain/jobs/job.ts';

/** Pages that are looked through for failures below the newest ones; after that the number stays "at least". */
const mostPages = 100;
/** Share of the page before that is asked for again: where nothing of it comes, jobs may have been missed. */
const overlapShare = 0.1;

/** A page of failed jobs. */
export interface FailurePage {
  readonly jobs: readonly Job[];
  /** Items that were received, whatever they are. */
  readonly received: number;
  /** There are more below, or there may be. */
  readonly hasMore: boolean;
  /** Each item could be read. */
  readonly isReadable: boolean;
}

/**
 * The failures below the newest page, which are looked for where all on that page are handled. One page at a time; what was handled is
 * not kept.
 */
export class OlderFailures {
  readonly #isHandled: (job: Job) => boolean;
  readonly #seen = new Set<string>();
  #top: readonly Job[];
  #jobs: readonly Job[] = [];
  #received: number;
  #overlap: number;
  #pages = 0;
  #isJoined: boolean;
  #isEnd = false;
  #isReadable: boolean;

  /** @param top the newest page, which announces more. */
  constructor(top: FailurePage, isHandled: (job: Job) => boolean) {
    this.#isHandled = isHandled;
    this.#top = top.jobs;
    this.#received = top.received;
    this.#overlap = Math.ceil(top.received * overlapShare);
    this.#isJoined = isNewestFirst(top.jobs);
    this.#isReadable = top.isReadable;
    this.#see(top.jobs);
  }

  /** Those that nobody has handled. */
  get jobs(): readonly Job[] {
    return this.#jobs.filter((job) => !this.#isHandled(job));
  }

  /** With the newest page these are all. */
  get isWhole(): boolean {
    return this.#isEnd && this.#isJoined;
  }

  /** So far the pages are shown to follow each other without a gap. */
  get isJoined(): boolean {
    return this.#isJoined;
  }

  /** Each item of every page could be read. */
  get isReadable(): boolean {
    return this.#isReadable;
  }

  /** Where the next page begins; undefined when there is none to read. */
  get nextOffset(): number | undefined {
    return this.#isOver ? undefined : this.#received - this.#overlap;
  }

  get #isOver(): boolean {
    return this.#isEnd || this.#pages === mostPages;
  }

  /**
   * Notes the newest page as it is now: what new failures have pushed out of it stays.
   * @returns false when all below has to be read again: the page has nothing in common with the one before, or what was read to the end
   * is not shown to be all. Where the newest are not listed first, new failures come at that end.
   */
  follow(top: readonly Job[]): boolean {
    if (this.#isOver && !this.isWhole && this.jobs.length === 0) return false;
    const now = new Set(top.map(jobKey));
    const pushedOut = this.#top.filter((job) => !now.has(jobKey(job)));
    if (pushedOut.length === this.#top.length) return false;
    this.#top = top;
    this.#jobs = [...this.#jobs.filter((job) => !now.has(jobKey(job))), ...pushedOut];
    this.#see(top);
    return true;
  }

  /** Adds the page at {@link nextOffset}. */
  add({ jobs, received, hasMore, isReadable }: FailurePage, offset: number): void {
    this.#pages++;
    this.#isReadable &&= isReadable;
    this.#isJoined &&= received === 0 || jobs.some((job) => this.#seen.has(jobKey(job)));
    this.#isJoined &&= isNewestFirst(jobs) || jobs.length < 2;
    const fresh = jobs.filter((job) => !this.#seen.has(jobKey(job)));
    this.#jobs = [...this.jobs, ...fresh];
    this.#see(fresh);
    this.#received = Math.max(this.#received, offset + received);
    this.#overlap = Math.ceil(received * overlapShare);
    this.#isEnd = !hasMore;
  }

  #see(jobs: readonly Job[]): void {
    for (const job of jobs) this.#seen.add(jobKey(job));
  }
}
