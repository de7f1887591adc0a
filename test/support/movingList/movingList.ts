import type { Job, JobStatus, ListEntry } from '../../../src/domain/jobs/job.ts';
import { parseDateTimeMs } from '../../../src/domain/time.ts';
import type { ListEndpoint, ListParams } from '../../../src/domain/jobs/listParams.ts';
import type { ListPage, PageSource } from '../../../src/service/ports.ts';
import { bareJob } from '../builders/bareJob.ts';

/** Something that happens to the service's list between two requests. */
export type Event =
  | { readonly type: 'arrive'; readonly status: JobStatus }
  /** The job at this place (modulo the number of jobs) is deleted. */
  | { readonly type: 'leave'; readonly place: number }
  | { readonly type: 'change'; readonly place: number; readonly status: JobStatus };

export interface MovingListOptions {
  readonly jobs: number;
  readonly status: (index: number) => JobStatus;
  /** What happens before each answer, in turn; nothing any more when it is used up. */
  readonly events?: readonly (readonly Event[])[];
  /** The most that the service gives, whatever limit is asked. */
  readonly clamp?: number;
  /** Jobs share a creation time in groups of this size. */
  readonly ties?: number;
  readonly tellsTime?: boolean;
}

const startMs = Date.UTC(2026, 10, 1);

/** A service in memory whose list moves while it is read. It knows which jobs have matched a question all along. */
export class MovingList implements PageSource {
  readonly asked: (ListParams & { readonly endpoint: ListEndpoint })[] = [];
  readonly #options: MovingListOptions;
  #jobs: Job[];
  #nowMs: number;
  #made = 0;
  readonly #everStatus = new Map<string, Set<string>>();
  /** How many events preceded each answer. */
  readonly #moves: number[] = [];
  #events: (readonly Event[])[];

  constructor(options: MovingListOptions) {
    this.#options = options;
    this.#nowMs = startMs + options.jobs * 1000;
    this.#jobs = [];
    for (let index = 0; index < options.jobs; index++) {
      const tie = Math.floor(index / (options.ties ?? 1)) * (options.ties ?? 1);
      this.#add(options.status(index), startMs + tie * 1000);
    }
    this.#events = [...(options.events ?? [])];
  }

  /** Ids that had this status (any, when undefined) from the beginning until now. */
  matchedAllAlong(status: JobStatus | undefined): string[] {
    return this.#jobs
      .slice(0)
      .filter((job) => Number(job.id.slice(1)) < this.#options.jobs)
      .filter(
        (job) => status === undefined || [...(this.#everStatus.get(job.id) ?? [])].every((each) => each === status),
      )
      .map((job) => job.id);
  }

  /** Whether several of the last answers were preceded by events. */
  get isRestless(): boolean {
    return this.#moves.slice(-8).filter((moves) => moves > 0).length >= 3;
  }

  /** Nothing happens any more. */
  rest(): void {
    this.#events = [];
  }

  async listJobs(endpoint: ListEndpoint, params: ListParams, signal?: AbortSignal): Promise<ListPage> {
    this.asked.push({ endpoint, ...params });
    await Promise.resolve();
    signal?.throwIfAborted();
    const events = this.#events.shift() ?? [];
    for (const event of events) this.apply(event);
    this.#moves.push(events.length);
    this.#nowMs += 400;
    const before = params.beforeDate === undefined ? Infinity : (parseDateTimeMs(params.beforeDate) ?? Infinity);
    const matching = this.#jobs.filter(
      (job) =>
        (params.statuses === undefined || params.statuses.some((status) => status === job.status)) &&
        (job.createdAtMs ?? 0) < before,
    );
    const offset = params.offset ?? 0;
    const entries: ListEntry[] = matching.slice(
      offset,
      offset + Math.min(params.limit ?? 20, this.#options.clamp ?? Infinity),
    );
    return {
      entries,
      hasMore: offset + entries.length < matching.length,
      serviceDateMs: this.#options.tellsTime === false ? undefined : Math.floor(this.#nowMs / 1000) * 1000,
      deviations: [],
    };
  }

  apply(event: Event): void {
    const place = event.type === 'arrive' || this.#jobs.length === 0 ? 0 : event.place % this.#jobs.length;
    const job = this.#jobs[place];
    if (event.type === 'arrive') this.#add(event.status, this.#nowMs);
    else if (job === undefined) return;
    else if (event.type === 'leave') this.#jobs = this.#jobs.filter((each) => each !== job);
    else {
      this.#everStatus.get(job.id)?.add(event.status);
      this.#jobs[place] = { ...job, status: event.status };
    }
  }

  /** Newest first, ties by id, as the sample service does. */
  #add(status: JobStatus, createdAtMs: number): void {
    const id = `j${this.#made++}`;
    const job = bareJob({ id, status, createdAtMs, raw: JSON.stringify({ id, status }) });
    this.#everStatus.set(id, new Set([status]));
    this.#jobs.push(job);
    this.#jobs.sort((one, other) => (other.createdAtMs ?? 0) - (one.createdAtMs ?? 0) || (one.id < other.id ? -1 : 1));
  }
}
