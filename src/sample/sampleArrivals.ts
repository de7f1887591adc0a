import type { JsonObject } from '../domain/json/json.ts';
import type { JobOutline } from './generateJob.ts';
import { draw, Random, randomStreams } from './random.ts';

const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;
/** A window that stays open for days holds no more than these. */
const mostArrivals = 10_000;
/** After a machine has slept, at most so much of the time is made up for. What a window showed before it was reloaded is made up for whole. */
const longestGapMs = 6 * 60 * minuteMs;
/** How long before the start an incident began. */
const incidentAgeMs = 20 * minuteMs;
/** What an incident is: this customer's jobs end with this code. */
const incident = { errorCode: 422, metadata: { customer: 'Aurora Health', project: 'support-line', language: 'fr' } };
const stuckShare = 0.04;

/** A job that arrived: what is fixed before it is generated, and its error code if an incident made it fail. */
export interface Arrival extends Omit<JobOutline, 'serial'> {
  readonly errorCode: number | undefined;
}

/** Options of arrivals. */
export interface ArrivalPlan {
  readonly seed: number;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** When it was started again. Epoch milliseconds. */
  readonly continuedAt: number;
  readonly hasIncident: boolean;
  readonly profiles: readonly (JsonObject | null | undefined)[];
}

/**
 * Jobs that keep arriving after the start: most by day and few by night (UTC), some of which never end. With an incident, every other job
 * is of one customer and fails with one code. The same plan and times give the same jobs.
 */
export class SampleArrivals {
  readonly #plan: ArrivalPlan;
  #nextAt: number;
  #count = 0;

  constructor(plan: ArrivalPlan) {
    this.#plan = plan;
    this.#nextAt = plan.hasIncident ? plan.startedAt - incidentAgeMs : plan.startedAt;
    this.#nextAt += this.#gapMs();
  }

  /** The jobs that arrived since the last call, oldest first. @param now epoch milliseconds */
  until(now: number): readonly Arrival[] {
    const arrived: Arrival[] = [];
    if (now - Math.max(this.#nextAt, this.#plan.continuedAt) > longestGapMs) this.#nextAt = now - longestGapMs;
    while (this.#nextAt <= now && this.#count < mostArrivals) {
      arrived.push(this.#arrival(this.#nextAt));
      this.#count++;
      this.#nextAt += this.#gapMs();
    }
    return arrived;
  }

  #arrival(createdAt: number): Arrival {
    const { seed, hasIncident, profiles } = this.#plan;
    const random = this.#random(2);
    const isIncident = hasIncident && this.#count % 2 === 0;
    const kind = isIncident || random.chance(0.65) ? 'pre-recorded' : 'live';
    const startsAt = createdAt + random.integer(1_000, 15_000);
    const isStuck = !isIncident && random.chance(stuckShare);
    return {
      kind,
      outcome: isIncident || random.chance(0.08) ? 'error' : 'done',
      createdAt,
      startsAt,
      endsAt: isStuck ? Infinity : startsAt + random.integer(5_000, kind === 'live' ? 600_000 : 90_000),
      metadata: isIncident
        ? incident.metadata
        : profiles[draw(seed, this.#count, randomStreams.arrival) % profiles.length],
      errorCode: isIncident ? incident.errorCode : undefined,
    };
  }

  /** From one arrival to the next: half a minute at three in the afternoon, two and a half minutes at three in the morning. */
  #gapMs(): number {
    const day = ((this.#nextAt % dayMs) + dayMs) % dayMs;
    const perMinute = 0.4 + 0.8 * (1 - Math.cos(2 * Math.PI * (day / dayMs - 3 / 24)));
    return Math.max(1, Math.floor((minuteMs / perMinute) * (0.5 + this.#random(1).next())));
  }

  #random(turn: number): Random {
    return new Random(draw(this.#plan.seed, 2 * this.#count + turn, randomStreams.arrival));
  }
}
