import { jobKey, type Job } from '../domain/job.ts';

/** When jobs were seen as they are, and what became of those that no list shows. */
export class Observations {
  /** When the answer that brought a job was asked for: a number that grows with every request. */
  readonly #askedAt = new WeakMap<Job, number>();
  readonly #aside = new Map<string, Job>();

  note(job: Job, askedAt: number): void {
    this.#askedAt.set(job, askedAt);
  }

  /** Whether a job was seen so by something that was asked for after this. */
  isNewer(job: Job, askedAt: number): boolean {
    return (this.#askedAt.get(job) ?? 0) > askedAt;
  }

  /** Keeps a job that no list shows: a watch saw that it has left its list, or it was found by a search. */
  putAside(job: Job): void {
    this.#aside.set(jobKey(job), job);
  }

  takeBack(job: Job): void {
    if (this.#aside.size > 0) this.#aside.delete(jobKey(job));
  }

  aside(kind: string, id: string): Job | undefined {
    return this.#aside.size === 0 ? undefined : this.#aside.get(jobKey({ kind, id }));
  }

  clear(): void {
    this.#aside.clear();
  }
}
