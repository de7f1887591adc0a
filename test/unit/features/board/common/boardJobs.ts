import { JobColumns } from '../../../../../src/features/board/common/jobColumns.ts';
import { decodeJob } from '../../../../../src/jobs/common/decodeJob.ts';
import type { Job } from '../../../../../src/jobs/common/job.ts';
import type { JsonObject } from '../../../../../src/base/json/json.ts';

/** An incident: from its onset, jobs with a value fail far more often. */
export interface PlantedIncident {
  readonly onsetMs: number;
  readonly endMs: number | undefined;
  readonly key: string;
  readonly value: string;
  readonly failing: number;
}

export interface BoardJobsSpec {
  readonly seed: number;
  readonly count: number;
  readonly planted?: PlantedIncident;
  /** Share of jobs that fail without an incident. */
  readonly failing?: number;
}

const startMs = Date.UTC(2026, 9, 1);
const spanMs = 7 * 86_400_000;
const customers = ['acme', 'borealis', 'cobalt', 'dahlia', 'ember', 'fjord', 'garnet', 'harbour'];
const regions = ['north', 'south', 'east', 'west'];

/** Returns a generator of numbers from 0 to 1, the same for the same seed. */
export function seededNumbers(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b1) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mix = Math.imul(state ^ (state >>> 15), state | 1);
    mix ^= mix + Math.imul(mix ^ (mix >>> 7), mix | 61);
    return ((mix ^ (mix >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Creates jobs of a week like those of a call centre, newest first. */
export function boardJobs({ seed, count, planted, failing = 0.02 }: BoardJobsSpec): readonly Job[] {
  const next = seededNumbers(seed);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)] as T;
  const times = Array.from({ length: count }, () => startMs + Math.floor(next() * spanMs)).sort((a, b) => b - a);
  return times.map((createdMs, serial) => {
    const metadata: Record<string, string | number> = {
      customer: pick(customers),
      region: pick(regions),
      agent: `agent-${Math.floor(next() * 60)}`,
      call: `${seed}-${serial}`,
    };
    const isHit =
      planted !== undefined &&
      createdMs >= planted.onsetMs &&
      createdMs < (planted.endMs ?? Infinity) &&
      metadata[planted.key] === planted.value;
    const isFailed = next() < (isHit ? planted.failing : failing);
    return jobOf({
      id: `00000000-0000-4000-8000-${String(serial).padStart(12, '0')}`,
      request_id: `G-${100_000 + serial}`,
      version: 2,
      status: isFailed ? 'error' : 'done',
      kind: serial % 4 === 0 ? 'live' : 'pre-recorded',
      created_at: new Date(createdMs).toISOString(),
      completed_at: new Date(createdMs + 5000 + Math.floor(next() * 60_000)).toISOString(),
      custom_metadata: metadata,
      ...(isFailed && { error_code: isHit ? 503 : pick([400, 422, 500]) }),
      ...(serial % 4 === 0 && {
        request_params: { model: pick(['fast', 'accurate']), language_config: { languages: [pick(['en', 'fr'])] } },
      }),
    });
  });
}

export function boardColumns(spec: BoardJobsSpec): JobColumns {
  return columnsOf(boardJobs(spec));
}

export function columnsOf(jobs: readonly Job[], labelKeys: readonly string[] = []): JobColumns {
  const columns = new JobColumns(labelKeys);
  for (const job of jobs) columns.add(job);
  return columns;
}

/** Decodes a job, as a list does. */
export function jobOf(item: JsonObject): Job {
  const job = decodeJob(item, JSON.stringify(item), undefined, () => undefined);
  if (job.type !== 'job') throw new Error('no job');
  return job;
}
