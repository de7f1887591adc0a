import type { JobKind, JobStatus } from '../domain/jobs/job.ts';
import { generateJob } from './generateJob.ts';
import type { JsonObject } from '../domain/json/json.ts';
import { LaneIndex } from './laneIndex.ts';
import { findLowest } from '../domain/findLowest.ts';
import { draw, drawFraction, randomStreams } from './random.ts';
import { type SampleFilter, matchesMetadata } from './sampleQuery.ts';
import { serialOf } from './sampleId.ts';
import type { SampleJob, SampleOutcome } from './sampleJob.ts';

/** Some cells of the archive, newest first. */
export interface Cells {
  readonly length: number;
  /** The cell at a position below `length`. */
  cellAt(position: number): number;
  /** How many of these cells come before a cell that lies within the filter's time range or at its end. */
  rank(cell: number): number;
}

/** Options of an archive. */
export interface ArchivePlan {
  readonly seed: number;
  readonly count: number;
  /** The serial number of the newest job; the older ones follow. */
  readonly firstSerial: number;
  /** Epoch milliseconds: all jobs were created before this time and have ended by `endedBefore`. */
  readonly createdBefore: number;
  readonly endedBefore: number;
  readonly spanMs: number;
  readonly profiles: readonly (JsonObject | null | undefined)[];
  /** Whether done jobs have results, one of them that of ten hours. */
  readonly hasResults: boolean;
}

/** Which of the done pre-recorded jobs has the long result, if there are so many: on no first page, but soon found. */
const longPosition = 60;

/**
 * The jobs that had ended before the service started. A job is a function of its cell number, newest first: it takes
 * one byte, and only jobs on a requested page are generated.
 */
export class SampleArchive {
  readonly #plan: ArchivePlan;
  readonly #lanes: LaneIndex;
  readonly #longCell: number;

  constructor(plan: ArchivePlan) {
    this.#plan = plan;
    this.#lanes = new LaneIndex(plan.count, (cell) => laneOf(this.#kindOf(cell), this.#outcomeOf(cell)));
    this.#longCell = this.#lanes.select(maskOf(['pre-recorded'], ['done']), longPosition);
  }

  /** Epoch milliseconds. Falls strictly from cell to cell, so that a time is found by bisection. */
  createdAt(cell: number): number {
    const { seed, count, createdBefore, spanMs } = this.#plan;
    const share = (cell + drawFraction(seed, cell, randomStreams.age)) / count;
    // Squared: dense today, sparse three months ago. The cell number keeps times distinct.
    return createdBefore - 1 - cell - Math.floor((spanMs - count) * share * share);
  }

  /** The job of a cell. */
  job(cell: number): SampleJob {
    const { seed, firstSerial, endedBefore, profiles, hasResults } = this.#plan;
    const kind = this.#kindOf(cell);
    const createdAt = this.createdAt(cell);
    const waitMs = 500 + 20_000 * drawFraction(seed, cell, randomStreams.waitMs) ** 3;
    const runMs = (kind === 'live' ? 5_400_000 : 240_000) * drawFraction(seed, cell, randomStreams.runMs) ** 3 + 2_000;
    const shrink = Math.min(1, (endedBefore - createdAt) / (waitMs + runMs));
    const outline = {
      serial: firstSerial + cell,
      kind,
      outcome: this.#outcomeOf(cell),
      createdAt,
      startsAt: createdAt + Math.floor(waitMs * shrink),
      endsAt: createdAt + Math.floor((waitMs + runMs) * shrink),
      metadata: profiles[this.#profileOf(cell)],
    };
    return generateJob(seed, outline, !hasResults ? 'none' : cell === this.#longCell ? 'long' : 'usual');
  }

  /** The cell of a job that has not been removed. */
  cellOf(id: string): number | undefined {
    const serial = serialOf(this.#plan.seed, id);
    const cell = serial === undefined ? -1 : serial - this.#plan.firstSerial;
    return this.#lanes.has(allLanes, cell) ? cell : undefined;
  }

  /** Removes a job from every list. */
  remove(cell: number): void {
    this.#lanes.remove(cell);
  }

  /** The first cell created before the given time (epoch milliseconds): where such a job would be listed. */
  firstCreatedBefore(at: number): number {
    return findLowest(this.#plan.count, (cell) => this.createdAt(cell) < at);
  }

  /** The cells that match a filter: by the index alone, or by one pass over the time range for a metadata filter. */
  matching(filter: SampleFilter): Cells {
    const mask = maskOf(filter.kinds, filter.statuses);
    const first = this.firstCreatedBefore(filter.createdBefore);
    const end = Math.max(first, this.firstCreatedBefore(filter.createdFrom));
    if (filter.metadata.length > 0) return this.#scan(mask, first, end, filter.metadata);
    const skipped = this.#lanes.rank(mask, first);
    return {
      length: this.#lanes.rank(mask, end) - skipped,
      cellAt: (position) => this.#lanes.select(mask, skipped + position),
      rank: (cell) => this.#lanes.rank(mask, cell) - skipped,
    };
  }

  #scan(mask: number, first: number, end: number, wanted: readonly JsonObject[]): Cells {
    const wantedProfiles = this.#plan.profiles.map((profile) => matchesMetadata(profile, wanted));
    const cells: number[] = [];
    for (let cell = first; cell < end; cell++) {
      if (this.#lanes.has(mask, cell) && wantedProfiles[this.#profileOf(cell)] === true) cells.push(cell);
    }
    return {
      length: cells.length,
      cellAt: (position) => cells[position] ?? end,
      rank: (cell) => findLowest(cells.length, (position) => (cells[position] ?? end) >= cell),
    };
  }

  #kindOf(cell: number): JobKind {
    return drawFraction(this.#plan.seed, cell, randomStreams.kind) < 0.65 ? 'pre-recorded' : 'live';
  }

  #outcomeOf(cell: number): SampleOutcome {
    return drawFraction(this.#plan.seed, cell, randomStreams.outcome) < 0.86 ? 'done' : 'error';
  }

  #profileOf(cell: number): number {
    return draw(this.#plan.seed, cell, randomStreams.metadata) % this.#plan.profiles.length;
  }
}

const allLanes = 0b1111;

function laneOf(kind: JobKind, outcome: SampleOutcome): number {
  return (kind === 'live' ? 2 : 0) + (outcome === 'error' ? 1 : 0);
}

function maskOf(kinds: readonly JobKind[], statuses: readonly JobStatus[]): number {
  let mask = 0;
  for (const kind of kinds) {
    for (const status of statuses) if (status === 'done' || status === 'error') mask |= 1 << laneOf(kind, status);
  }
  return mask;
}
