import { dayMs, minuteMs } from '../base/time.ts';
import type { JobKind, JobStatus } from '../jobs/common/job.ts';
import type { JsonObject } from '../base/json/json.ts';
import { draw, drawFraction, Random, randomStreams } from './random.ts';
import { type SampleFilter, matchesFilter } from './sampleQuery.ts';
import { sampleId, sampleRequestId } from './sampleId.ts';
import { type SampleJob, compareNewestFirst, fixedAt, itemAt } from './sampleJob.ts';
import { sampleMetadataProfiles } from './sampleMetadata.ts';
import { generateJob, usualResult, type SampleResults } from './generateJob.ts';

const secondMs = 1000;
/** Max age of ended jobs at the start. */
const spanMs = 90 * dayMs;
/** Max age of unfinished jobs at the start; older ones have ended. */
const recentMs = 180 * secondMs;
const unfinishedShare = 0.04;
const maxUnfinished = 200;
/** Position of the done pre-recorded job with the long result, if there are so many: on no first page, but soon found. */
const longPosition = 60;

/** Time from one arrival to the next. */
const arrivalGapMs = { min: 20 * secondMs, max: 70 * secondMs };
/** Max number of arrivals, for a window that stays open for days. */
const maxArrivals = 10_000;
/** Share of the arriving jobs that never end. */
const stuckShare = 0.04;
/** Every second arriving job is part of the incident, which began before the start. */
const incident = {
  ageMs: 20 * minuteMs,
  errorCode: 422,
  metadata: { customer: 'Aurora Health', project: 'support-line', language: 'fr' },
};
/** Serial number of the first added job, greater than any number of arriving jobs. */
const firstAdded = 1_000_000_000;

/** A job to add; the defaults are those of a job that was just submitted. Times in epoch milliseconds. */
export interface SampleJobSpec {
  readonly id?: string;
  /** Default: `pre-recorded`. */
  readonly kind?: JobKind;
  /** Default: now. */
  readonly createdAt?: number;
  /** Stays like this. Default: goes from queued over processing to its end within twenty seconds of `createdAt`. */
  readonly status?: JobStatus;
  /** Ends in error if no `status` is given. Default: false. */
  readonly fails?: boolean;
  /** Default: 500. */
  readonly errorCode?: number | undefined;
  /** Fields sent unchanged; they override usual ones of the same name. */
  readonly fields?: JsonObject;
  /** What the request of a submission asked for, from `readRequestedResult`. Default: the result of a job that nobody submitted. */
  readonly request?: JsonObject | undefined;
}

/** One page of items. */
export interface SamplePage {
  readonly items: readonly JsonObject[];
  readonly hasMore: boolean;
}

/** Selects if jobs keep arriving; with an incident, one customer's jobs fail with one code. */
export type SampleLife = 'none' | 'arrivals' | 'incident';

/** Options of {@link SampleJobs}. */
export interface SampleJobsOptions {
  /** Default: `none`. */
  readonly life?: SampleLife;
  /** True if done jobs have results, which the contract does not show. Default: false. */
  readonly hasResults?: boolean;
  /** Time when the service was restarted (epoch milliseconds): jobs added from then on get distinct ids. */
  readonly continuedAt?: number;
}

/** All jobs of a sample service. The same seed, count and start give the same jobs, and the same arrivals at any later time. */
export class SampleJobs {
  readonly #seed: number;
  readonly #life: SampleLife;
  readonly #results: SampleResults;
  readonly #profiles: readonly (JsonObject | null | undefined)[];
  readonly #firstArrival: number;
  /** In list order. */
  #jobs: SampleJob[];
  #arrivals = 0;
  #lastArrivalAt: number;
  #nextSerial: number;

  /** Creates `count` jobs, from 90 days before `startedAt` (epoch milliseconds) to just before it. */
  constructor(
    seed: number,
    count: number,
    startedAt: number,
    { life = 'none', hasResults = false, continuedAt = startedAt }: SampleJobsOptions = {},
  ) {
    this.#seed = seed;
    this.#life = life;
    this.#results = hasResults ? 'usual' : 'none';
    this.#profiles = sampleMetadataProfiles(seed);
    this.#firstArrival = count;
    this.#lastArrivalAt = startedAt - (life === 'incident' ? incident.ageMs : 0);
    this.#nextSerial = firstAdded + (Math.floor(continuedAt / secondMs) % firstAdded);
    const unfinished = Math.min(Math.ceil(count * unfinishedShare), maxUnfinished);
    this.#jobs = [
      ...Array.from({ length: unfinished }, (_, serial) => this.#unfinishedJob(serial, unfinished, startedAt)),
      ...this.#endedJobs(count - unfinished, unfinished, startedAt),
    ].sort(compareNewestFirst);
  }

  /** Returns at most `limit` items from `offset` on, newest first, as they are at `now` (epoch milliseconds). */
  list(filter: SampleFilter, offset: number, limit: number, now: number): SamplePage {
    this.#arrive(now);
    const matching = this.#jobs.filter((job) => matchesFilter(job, filter, now));
    return {
      items: matching.slice(offset, offset + limit).map((job) => itemAt(job, now)),
      hasMore: offset + limit < matching.length,
    };
  }

  /** Adds a job; returns its id. */
  add(spec: SampleJobSpec, now: number): string {
    const seed = this.#seed;
    const serial = this.#nextSerial++;
    const { id = sampleId(seed, serial), kind = 'pre-recorded', createdAt = now, errorCode = 500 } = spec;
    const fields: JsonObject = { post_session_metadata: {}, ...spec.fields };
    const job: SampleJob = {
      id,
      kind,
      createdAt,
      startsAt: createdAt + 5 * secondMs,
      endsAt: createdAt + 20 * secondMs,
      outcome: spec.fails === true ? 'error' : 'done',
      metadata: fields['custom_metadata'],
      details: () => ({
        requestId: sampleRequestId(draw(seed, serial, randomStreams.requestId)),
        errorCode,
        fields,
        ...(this.#results !== 'none' && { result: usualResult(seed, serial, kind, fields, spec.request) }),
      }),
    };
    this.#insert([spec.status === undefined ? job : fixedAt(job, spec.status, createdAt)]);
    return id;
  }

  /** Sets the status of every job with this id from `now` on. Returns the number of jobs. */
  setStatus(id: string, status: JobStatus, now: number): number {
    this.#jobs = this.#jobs.map((job) => (job.id === id ? fixedAt(job, status, now) : job));
    return this.#jobs.filter((job) => job.id === id).length;
  }

  /** Removes every job with this id. Returns the number of jobs. */
  remove(id: string): number {
    const before = this.#jobs.length;
    this.#jobs = this.#jobs.filter((job) => job.id !== id);
    return before - this.#jobs.length;
  }

  #insert(jobs: readonly SampleJob[]): void {
    this.#jobs.push(...jobs);
    this.#jobs.sort(compareNewestFirst);
  }

  /** Adds the jobs whose arrival is due. */
  #arrive(now: number): void {
    if (this.#life === 'none') return;
    const arrived: SampleJob[] = [];
    while (this.#arrivals < maxArrivals) {
      const random = new Random(draw(this.#seed, this.#arrivals, randomStreams.arrival));
      const createdAt = this.#lastArrivalAt + random.integer(arrivalGapMs.min, arrivalGapMs.max);
      if (createdAt > now) break;
      arrived.push(this.#arrivingJob(createdAt, random));
      this.#lastArrivalAt = createdAt;
      this.#arrivals++;
    }
    if (arrived.length > 0) this.#insert(arrived);
  }

  #arrivingJob(createdAt: number, random: Random): SampleJob {
    const isIncident = this.#life === 'incident' && this.#arrivals % 2 === 0;
    const kind = isIncident || random.chance(0.65) ? 'pre-recorded' : 'live';
    const startsAt = createdAt + random.integer(1_000, 15_000);
    const isStuck = !isIncident && random.chance(stuckShare);
    const outline = {
      serial: this.#firstArrival + this.#arrivals,
      kind,
      outcome: isIncident || random.chance(0.08) ? 'error' : 'done',
      createdAt,
      startsAt,
      endsAt: isStuck ? Infinity : startsAt + random.integer(5_000, kind === 'live' ? 600_000 : 90_000),
      metadata: isIncident ? incident.metadata : this.#profiles[random.integer(0, this.#profiles.length - 1)],
      ...(isIncident && { errorCode: incident.errorCode }),
    } as const;
    return generateJob(this.#seed, outline, this.#results);
  }

  /** Creates a job that is queued or processing at the start and ends within 90 seconds, so that a demonstration shows changes. */
  #unfinishedJob(serial: number, count: number, startedAt: number): SampleJob {
    const random = new Random(draw(this.#seed, serial, randomStreams.unfinished));
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
      metadata: this.#profiles[random.integer(0, this.#profiles.length - 1)],
    } as const;
    return generateJob(this.#seed, outline, this.#results);
  }

  /** Creates the jobs that have ended by the start, newest first. */
  #endedJobs(count: number, firstSerial: number, startedAt: number): readonly SampleJob[] {
    const seed = this.#seed;
    const createdBefore = startedAt - recentMs;
    let donePreRecorded = 0;
    return Array.from({ length: count }, (_, index) => {
      const fraction = (stream: number): number => drawFraction(seed, index, stream);
      const kind = fraction(randomStreams.kind) < 0.65 ? 'pre-recorded' : 'live';
      const outcome = fraction(randomStreams.outcome) < 0.86 ? 'done' : 'error';
      const share = (index + fraction(randomStreams.age)) / count;
      // Squared: dense today, sparse three months ago. The index keeps times distinct.
      const createdAt = createdBefore - 1 - index - Math.floor((spanMs - recentMs - count) * share * share);
      const waitMs = 500 + 20_000 * fraction(randomStreams.waitMs) ** 3;
      const runMs = (kind === 'live' ? 5_400_000 : 240_000) * fraction(randomStreams.runMs) ** 3 + 2_000;
      const shrink = Math.min(1, (startedAt - createdAt) / (waitMs + runMs));
      const outline = {
        serial: firstSerial + index,
        kind,
        outcome,
        createdAt,
        startsAt: createdAt + Math.floor(waitMs * shrink),
        endsAt: createdAt + Math.floor((waitMs + runMs) * shrink),
        metadata: this.#profiles[draw(seed, index, randomStreams.metadata) % this.#profiles.length],
      } as const;
      const isLong = kind === 'pre-recorded' && outcome === 'done' && donePreRecorded++ === longPosition;
      return generateJob(seed, outline, isLong && this.#results === 'usual' ? 'long' : this.#results);
    });
  }
}
