import { generateJob } from './generateJob.ts';
import type { JsonObject } from '../domain/json/json.ts';
import { draw } from './mix32.ts';
import { Random } from './random.ts';
import type { SampleJob } from './sampleJob.ts';
import { trait } from './trait.ts';

/** One of `count` jobs that arrived within `recentMs` before `startedAt` (epoch milliseconds), the newest being 0. */
export interface UnfinishedPlan {
  readonly seed: number;
  readonly serial: number;
  readonly count: number;
  readonly startedAt: number;
  readonly recentMs: number;
  readonly profiles: readonly (JsonObject | null | undefined)[];
}

/** A job that is queued or processing at the start and has ended ninety seconds later, so that a demonstration moves. */
export function unfinishedJob(plan: UnfinishedPlan): SampleJob {
  const { seed, serial, count, startedAt, recentMs, profiles } = plan;
  const random = new Random(draw(seed, serial, trait.unfinished));
  const ageMs = 1 + Math.floor((recentMs * (serial + random.next())) / count);
  // By serial rather than by chance: every kind and every end is seen, even among ten.
  const queued = serial % 2 === 0;
  const startsAt = queued ? startedAt + random.integer(3_000, 40_000) : startedAt - Math.floor(ageMs / 2);
  return generateJob(seed, {
    serial,
    kind: serial % 3 === 2 ? 'live' : 'pre-recorded',
    outcome: serial % 5 === 4 ? 'error' : 'done',
    createdAt: startedAt - ageMs,
    startsAt,
    endsAt: Math.max(startsAt, startedAt) + random.integer(5_000, 50_000),
    metadata: profiles[random.integer(0, profiles.length - 1)],
  });
}
