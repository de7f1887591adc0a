import { hasResult, type Job } from '../../domain/jobs/job.ts';
import { withTraits, type TraitAwareSource } from '../list/pageReader.ts';
import type { ListPage, PageSource } from '../ports.ts';
import type { WholeJobs } from './wholeJobs.ts';

/** Lists jobs without their results, which rows do not keep, and gives the whole jobs on demand. */
export class LeanSource implements TraitAwareSource {
  readonly #source: TraitAwareSource;
  #whole: WholeJobs | undefined;

  constructor(source: PageSource) {
    this.#source = withTraits(source);
  }

  get traits(): TraitAwareSource['traits'] {
    return this.#source.traits;
  }

  async listJobs(...asked: Parameters<PageSource['listJobs']>): Promise<ListPage> {
    const page = await this.#source.listJobs(...asked);
    if (!page.entries.some((entry) => entry.type === 'job' && hasResult(entry))) return page;
    const whole = await this.#loadWhole();
    return { ...page, entries: await whole.makeLeanEntries(page.entries) };
  }

  /** A job that was read in another way, as this source would list it. Before the first result was listed, the job as it is. */
  makeLean(job: Job): Job {
    return this.#whole?.makeLean(job) ?? job;
  }

  /** A listed job with its result; undefined when that is no longer at hand. */
  whole(job: Job): Job | undefined {
    return job.omitted === undefined ? job : this.#whole?.get(job);
  }

  /** A listed job with its result, from the service if need be. @throws Failure; `jobNotFound`, `resultGone` */
  async readWhole(job: Job, signal: AbortSignal): Promise<Job> {
    if (job.omitted === undefined) return job;
    const whole = await this.#loadWhole();
    return whole.read(job, signal);
  }

  async #loadWhole(): Promise<WholeJobs> {
    if (this.#whole !== undefined) return this.#whole;
    const { WholeJobs } = await import('./wholeJobs.ts');
    return (this.#whole ??= new WholeJobs(this.#source));
  }
}
