import type { JobsKnob, WorldKind, WorldStatus } from './worldSpec.ts';

/** The state of a job from a moment of its world on. */
export interface JobState {
  /** The world's moment at which the state began. */
  readonly moment: number;
  /** Virtual time of that moment, in milliseconds since the epoch. */
  readonly at: number;
  /** True if lists contain the job: false before it appears and after it has left. */
  readonly isListed: boolean;
  readonly status: WorldStatus;
  readonly completedAt: number | undefined;
  readonly version: number;
}

/** The traits of a job created by a POST that change how lists show it. */
export interface Origin {
  readonly metadata: unknown;
  readonly request: unknown;
  readonly showsCreatedAt: boolean;
}

/** A job with its history. */
export interface WorldJob {
  /** The job's number in the world, from 0. */
  readonly key: number;
  readonly id: string;
  readonly kind: WorldKind;
  /** The service's own creation time, shown or not. */
  readonly createdAt: number;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Undefined for jobs that were not created by a POST to this world. */
  readonly origin: Origin | undefined;
  /** Oldest first, never empty. */
  readonly states: JobState[];
}

/** A number from 0 to 2³² − 1 that depends equally on all parts. */
export function mixSeed(...parts: readonly number[]): number {
  let mixed = 0x9e3779b9;
  for (const part of parts) {
    mixed = Math.imul(mixed ^ part, 0x85ebca6b);
    mixed ^= mixed >>> 13;
    mixed = Math.imul(mixed, 0xc2b2ae35);
    mixed ^= mixed >>> 16;
  }
  return mixed >>> 0;
}

/** An id in the format of contract 2.2. */
function jobId(seed: number, key: number): string {
  const hex = [1, 2, 3, 4].map((part) => mixSeed(seed, key, part).toString(16).padStart(8, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** The initial jobs, oldest first. */
export function firstJobs(knob: JobsKnob, seed: number, startAt: number): WorldJob[] {
  return Array.from({ length: knob.count }, (_, key) => {
    const stepsBack = Math.floor((knob.count - 1 - key) / Math.max(1, knob.tied));
    const createdAt = startAt - knob.newestAgeMs - stepsBack * knob.spacingMs;
    const status = firstStatus(knob.statuses, seed, key);
    const isOver = status === 'done' || status === 'error';
    const state: JobState = {
      moment: 0,
      at: startAt,
      isListed: true,
      status,
      completedAt: isOver ? createdAt + 1000 + (mixSeed(seed, key, 7) % 600_000) : undefined,
      version: 1,
    };
    return newJob({ key, seed, createdAt, kind: kindOf(knob, key), state });
  });
}

/** The kind of the job with that number. */
export function kindOf({ liveEvery }: JobsKnob, key: number): WorldKind {
  return liveEvery > 0 && key % liveEvery === 0 ? 'live' : 'pre-recorded';
}

/** A job with one state. Its metadata identify it, so that metadata filters can distinguish jobs. */
export function newJob({
  key,
  seed,
  createdAt,
  kind,
  state,
  origin,
}: {
  readonly key: number;
  readonly seed: number;
  readonly createdAt: number;
  readonly kind: WorldKind;
  readonly state: JobState;
  readonly origin?: Origin;
}): WorldJob {
  const metadata = isObject(origin?.metadata)
    ? origin.metadata
    : { team: key % 2 === 0 ? 'north' : 'south', number: key };
  return { key, id: jobId(seed, key), kind, createdAt, metadata, origin, states: [state] };
}

/** The state of a job at a moment; undefined before it existed. */
export function stateAt(job: WorldJob, moment: number): JobState | undefined {
  for (let index = job.states.length - 1; index >= 0; index--) {
    const state = job.states[index];
    if (state !== undefined && state.moment <= moment) return state;
  }
  return undefined;
}

/** True if a value is an object with fields. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function firstStatus(statuses: JobsKnob['statuses'], seed: number, key: number): WorldStatus {
  if (statuses !== 'mixed') return statuses;
  const share = mixSeed(seed, key, 5) % 10;
  if (share < 6) return 'done';
  return share < 7 ? 'error' : share < 8 ? 'processing' : 'queued';
}
