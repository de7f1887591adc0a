import { jobKey, type Job } from '../domain/jobs/job.ts';

/** More jobs than anybody has pages open of. */
const mostAside = 1000;

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

  /** Keeps a job that no list shows: it has left the one in which it was, or only a watch has seen it. The oldest go first. */
  putAside(job: Job): void {
    this.takeBack(job);
    this.#aside.set(jobKey(job), job);
    const [oldest] = this.#aside.keys();
    if (oldest !== undefined && this.#aside.size > mostAside) this.#aside.delete(oldest);
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
