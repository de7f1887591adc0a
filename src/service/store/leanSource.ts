import { hasResult, type Job } from '../../domain/jobs/job.ts';
import { withTraits, type TraitAwareSource } from '../list/pageReader.ts';
import type { ListPage, PageSource } from '../ports.ts';
import { WholeJobs } from './wholeJobs.ts';

/** Lists jobs without their results, which rows do not keep, and gives the whole jobs on demand. */
export class LeanSource implements TraitAwareSource {
  readonly #source: TraitAwareSource;
  readonly #whole: WholeJobs;

  constructor(source: PageSource) {
    this.#source = withTraits(source);
    this.#whole = new WholeJobs(this.#source);
  }

  get traits(): TraitAwareSource['traits'] {
    return this.#source.traits;
  }

  async listJobs(...asked: Parameters<PageSource['listJobs']>): Promise<ListPage> {
    const page = await this.#source.listJobs(...asked);
    if (!page.entries.some((entry) => entry.whole !== undefined || (entry.type === 'job' && hasResult(entry))))
      return page;
    return { ...page, entries: await this.#whole.makeLeanEntries(page.entries) };
  }

  /** A job that was read in another way, as this source would list it. */
  makeLean(job: Job): Job {
    return this.#whole.makeLean(job);
  }

  /** A listed job with its result; undefined when that is no longer at hand. */
  whole(job: Job): Job | undefined {
    return this.#whole.get(job);
  }

  /** A listed job with its result, from the service if need be. @throws Failure; `jobNotFound`, `resultGone` */
  async readWhole(job: Job, signal: AbortSignal): Promise<Job> {
    return this.#whole.read(job, signal);
  }
}
