import type { JobKind, JobStatus } from '../domain/jobs/job.ts';
import type { JsonObject } from '../domain/json/json.ts';
import { findLowest } from '../domain/findLowest.ts';
import { draw, randomStreams, Random } from './random.ts';
import { SampleArrivals } from './sampleArrivals.ts';
import { SampleArchive } from './sampleArchive.ts';
import { type SampleFilter, matchesFilter } from './sampleQuery.ts';
import { sampleId, sampleRequestId } from './sampleId.ts';
import { type SampleJob, compareNewestFirst, fixedAt, itemAt } from './sampleJob.ts';
import { sampleMetadataProfiles } from './sampleMetadata.ts';
import { generateJob, usualResult } from './generateJob.ts';

const secondMs = 1000;
const dayMs = 86_400_000;
/** Maximum age of unfinished jobs at the start; older ones have ended. */
const recentMs = 180 * secondMs;
/** A few percent, but few enough for a linear scan per list request. */
const unfinishedShare = 0.04;
const mostUnfinished = 200;

/** Serial of the first job that is added, where others arrive: more than there can be of these. */
const firstAdded = 1_000_000_000;

/** A job to add; defaults are those of a job that was just submitted. Times in epoch milliseconds. */
export interface SampleJobSpec {
  readonly id?: string;
  /** Default: `pre-recorded`. */
  readonly kind?: JobKind;
  /** Default: now. */
  readonly createdAt?: number;
  /** Stays like this. Default: goes from queued over processing to its end within twenty seconds of `createdAt`. */
  readonly status?: JobStatus;
  /** Ends in error where no `status` is given. Default: false. */
  readonly fails?: boolean;
  /** Default: 500. */
  readonly errorCode?: number;
  /** Fields sent unchanged; they override usual ones of the same name. */
  readonly fields?: JsonObject;
}

/** One page of items. */
export interface SamplePage {
  readonly items: readonly JsonObject[];
  readonly hasMore: boolean;
}

/** A job outside the archive and the archive's cell that it is listed before. */
interface Held {
  readonly job: SampleJob;
  readonly cell: number;
}

/** All jobs of a sample service: an archive of ended ones, and individual objects for those that may still change. */
export class SampleJobs {
  readonly #archive: SampleArchive;
  /** Sorted as listed. */
  readonly #held: Held[];
  readonly #seed: number;
  readonly #hasResults: boolean;
  readonly #arrivals: SampleArrivals | undefined;
  #nextArrival: number;
  #nextSerial: number;

  /**
   * `count` jobs, from 90 days before `startedAt` (epoch milliseconds) to just before it.
   * @param life whether jobs keep arriving; an incident implies it
   * @param hasResults whether done jobs have results, which the contract does not show
   * @param continuedAt when the service was started again (epoch milliseconds): jobs that are added from then on get ids of their own
   */
  constructor(
    seed: number,
    count: number,
    startedAt: number,
    life: 'none' | 'arrivals' | 'incident' = 'none',
    hasResults = false,
    continuedAt = startedAt,
  ) {
    const unfinished = Math.min(Math.ceil(count * unfinishedShare), mostUnfinished);
    const profiles = sampleMetadataProfiles(seed);
    this.#seed = seed;
    this.#nextArrival = count;
    // Jobs that arrive keep their ids whatever is added in between.
    this.#nextSerial = life === 'none' ? count : firstAdded + (Math.floor(continuedAt / secondMs) % firstAdded);
    this.#hasResults = hasResults;
    this.#arrivals =
      life === 'none'
        ? undefined
        : new SampleArrivals({ seed, startedAt, continuedAt, hasIncident: life === 'incident', profiles });
    this.#held = Array.from({ length: unfinished }, (_, serial) => ({
      job: generateUnfinishedJob({ seed, serial, count: unfinished, startedAt, recentMs, profiles, hasResults }),
      cell: 0,
    })).sort((a, b) => compareNewestFirst(a.job, b.job));
    this.#archive = new SampleArchive({
      seed,
      count: count - unfinished,
      firstSerial: unfinished,
      createdBefore: startedAt - recentMs,
      endedBefore: startedAt,
      spanMs: 90 * dayMs - recentMs,
      profiles,
      hasResults,
    });
  }

  /** The items at `offset` and after, at most `limit`, newest first, as they are at `now` (epoch milliseconds). */
  list(filter: SampleFilter, offset: number, limit: number, now: number): SamplePage {
    this.#arrive(now);
    const held = this.#held.filter(({ job }) => matchesFilter(job, filter, now));
    const archived = this.#archive.matching(filter);
    const placeOf = (at: number): number => {
      const next = held[at];
      return next ? at + archived.rank(next.cell) : Infinity;
    };
    let nextHeld = findLowest(held.length, (at) => placeOf(at) >= offset);
    const end = Math.min(offset + limit, held.length + archived.length);
    const items: JsonObject[] = [];
    for (let place = offset, heldPlace = placeOf(nextHeld); place < end; place++) {
      const next = place === heldPlace ? held[nextHeld] : undefined;
      items.push(itemAt(next?.job ?? this.#archive.job(archived.cellAt(place - nextHeld)), now));
      if (next) heldPlace = placeOf(++nextHeld);
    }
    return { items, hasMore: offset + limit < held.length + archived.length };
  }

  /** Adds a job; returns its id. */
  add(spec: SampleJobSpec, now: number): string {
    const serial = this.#nextSerial++;
    const createdAt = spec.createdAt ?? now;
    const fields = { post_session_metadata: {}, ...spec.fields };
    const kind = spec.kind ?? 'pre-recorded';
    const job: SampleJob = {
      id: spec.id ?? sampleId(this.#seed, serial),
      requestId: sampleRequestId(draw(this.#seed, serial, randomStreams.requestId)),
      kind,
      createdAt,
      startsAt: createdAt + 5 * secondMs,
      endsAt: createdAt + 20 * secondMs,
      outcome: spec.fails === true ? 'error' : 'done',
      errorCode: spec.errorCode ?? 500,
      fields,
      ...(this.#hasResults && { result: usualResult(this.#seed, serial, { kind, fields }) }),
    };
    this.#hold(spec.status === undefined ? job : fixedAt(job, spec.status, createdAt));
    return job.id;
  }

  /** Sets the status of every job with this id from `now` on. Returns the number of jobs. */
  setStatus(id: string, status: JobStatus, now: number): number {
    const jobs = this.#take(id);
    for (const job of jobs) this.#hold(fixedAt(job, status, now));
    return jobs.length;
  }

  /** Removes every job with this id. Returns the number of jobs. */
  remove(id: string): number {
    return this.#take(id).length;
  }

  #arrive(now: number): void {
    for (const { errorCode, ...outline } of this.#arrivals?.until(now) ?? []) {
      const results = this.#hasResults ? 'usual' : 'none';
      const job = generateJob(this.#seed, { serial: this.#nextArrival++, ...outline }, results);
      this.#hold(errorCode === undefined ? job : { ...job, errorCode });
    }
  }

  #take(id: string): readonly SampleJob[] {
    const matching = this.#held.filter(({ job }) => job.id === id);
    for (const each of matching) this.#held.splice(this.#held.indexOf(each), 1);
    const taken = matching.map(({ job }) => job);
    const cell = this.#archive.cellOf(id);
    if (cell === undefined) return taken;
    const archived = this.#archive.job(cell);
    this.#archive.remove(cell);
    return [...taken, archived];
  }

  #hold(job: SampleJob): void {
    const place = this.#held.findIndex((other) => compareNewestFirst(other.job, job) > 0);
    this.#held.splice(place < 0 ? this.#held.length : place, 0, { job, cell: this.#cellAfter(job) });
  }

  /** The archive's first cell that is listed after the job. */
  #cellAfter(job: SampleJob): number {
    const sameMoment = this.#archive.firstCreatedBefore(job.createdAt + 1);
    const first = this.#archive.firstCreatedBefore(job.createdAt);
    return sameMoment < first && this.#archive.job(sameMoment).id > job.id ? sameMoment : first;
  }
}

/** One of `count` jobs that arrived within `recentMs` before `startedAt` (epoch milliseconds), the newest being 0. */
interface UnfinishedPlan {
  readonly seed: number;
  readonly serial: number;
  readonly count: number;
  readonly startedAt: number;
  readonly recentMs: number;
  readonly profiles: readonly (JsonObject | null | undefined)[];
  readonly hasResults: boolean;
}

/** A job that is queued or processing at the start and ends within 90 seconds, so that a demonstration shows changes. */
function generateUnfinishedJob(plan: UnfinishedPlan): SampleJob {
  const { seed, serial, count, startedAt, recentMs, profiles, hasResults } = plan;
  const random = new Random(draw(seed, serial, randomStreams.unfinished));
  const ageMs = 1 + Math.floor((recentMs * (serial + random.next())) / count);
  // By serial instead of at random, so that even ten jobs include every kind and outcome.
  const queued = serial % 2 === 0;
  const startsAt = queued ? startedAt + random.integer(3_000, 40_000) : startedAt - Math.floor(ageMs / 2);
  const outline = {
    serial,
    kind: serial % 3 === 2 ? 'live' : 'pre-recorded',
    outcome: serial % 5 === 4 ? 'error' : 'done',
    createdAt: startedAt - ageMs,
    startsAt,
    endsAt: Math.max(startsAt, startedAt) + random.integer(5_000, 50_000),
    metadata: profiles[random.integer(0, profiles.length - 1)],
  } as const;
  return generateJob(seed, outline, hasResults ? 'usual' : 'none');
}
