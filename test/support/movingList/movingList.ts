import { Failure } from '../../../src/base/failure.ts';
import type { Job, JobStatus, ListEntry } from '../../../src/jobs/common/job.ts';
import { parseDateTimeMs } from '../../../src/base/time.ts';
import type { ListEndpoint, ListParams } from '../../../src/jobs/common/listParams.ts';
import type { ListPage } from '../../../src/jobs/common/decodePage.ts';
import { bareJob } from '../builders/bareJob.ts';
import { FakeService } from '../lists/fakeLists.ts';

/** A change of the service's list between two requests. */
export type Event =
  | { readonly type: 'arrive'; readonly status: JobStatus }
  /** Deletes the job at this index (modulo the number of jobs). */
  | { readonly type: 'leave'; readonly place: number }
  | { readonly type: 'change'; readonly place: number; readonly status: JobStatus };

export interface MovingListOptions {
  readonly jobs: number;
  readonly status: (index: number) => JobStatus;
  /** The events before each response, in turn; afterwards the list no longer changes. */
  readonly events?: readonly (readonly Event[])[];
  /** The service's maximum page size, whatever the requested limit. */
  readonly clamp?: number;
  /** Larger limits are rejected: their response is too large. */
  readonly maxLimit?: number;
  /** Groups of this many jobs share a creation time. */
  readonly ties?: number;
  readonly tellsTime?: boolean;
}

const startMs = Date.UTC(2026, 10, 1);

/** An in-memory service whose list changes while it is read. Knows which jobs have matched a query throughout. */
export class MovingList extends FakeService {
  readonly asked: (ListParams & { readonly endpoint: ListEndpoint })[] = [];
  readonly #options: MovingListOptions;
  #jobs: Job[];
  #nowMs: number;
  #made = 0;
  readonly #everStatus = new Map<string, Set<string>>();
  /** The number of events before each response. */
  readonly #moves: number[] = [];
  #events: (readonly Event[])[];

  constructor(options: MovingListOptions) {
    super();
    this.#options = options;
    this.#nowMs = startMs + options.jobs * 1000;
    this.#jobs = [];
    for (let index = 0; index < options.jobs; index++) {
      const tie = Math.floor(index / (options.ties ?? 1)) * (options.ties ?? 1);
      this.#add(options.status(index), startMs + tie * 1000);
    }
    this.#events = [...(options.events ?? [])];
  }

  /** Returns the jobs that have this status now, in list order. */
  matching(status: JobStatus): readonly Job[] {
    return this.#jobs.filter((job) => job.status === status);
  }

  /** Returns ids of the jobs that have had this status (undefined: any) from the beginning until now. */
  matchedAllAlong(status: JobStatus | undefined): string[] {
    return this.#jobs
      .slice(0)
      .filter((job) => Number(job.id.slice(1)) < this.#options.jobs)
      .filter(
        (job) => status === undefined || [...(this.#everStatus.get(job.id) ?? [])].every((each) => each === status),
      )
      .map((job) => job.id);
  }

  /** True if several of the last responses were preceded by events. */
  get isRestless(): boolean {
    return this.#moves.slice(-8).filter((moves) => moves > 0).length >= 3;
  }

  /** Discards the remaining events. */
  rest(): void {
    this.#events = [];
  }

  async answer(endpoint: ListEndpoint, params: ListParams, signal?: AbortSignal): Promise<ListPage> {
    this.asked.push({ endpoint, ...params });
    await Promise.resolve();
    signal?.throwIfAborted();
    if ((params.limit ?? 20) > (this.#options.maxLimit ?? Infinity)) throw new Failure('tooLarge');
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
    // New objects, as from a response.
    const entries: ListEntry[] = matching
      .slice(offset, offset + Math.min(params.limit ?? 20, this.#options.clamp ?? Infinity))
      .map((job) => ({ ...job }));
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

  /** Inserts newest first, ties by id, as the sample service does. */
  #add(status: JobStatus, createdAtMs: number): void {
    const id = `j${this.#made++}`;
    const job = bareJob({ id, status, createdAtMs, raw: JSON.stringify({ id, status }) });
    this.#everStatus.set(id, new Set([status]));
    this.#jobs.push(job);
    this.#jobs.sort((one, other) => (other.createdAtMs ?? 0) - (one.createdAtMs ?? 0) || (one.id < other.id ? -1 : 1));
  }
}
