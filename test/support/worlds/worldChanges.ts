import { mixSeed, stateAt, type WorldJob } from './worldJobs.ts';
import type { ChangeKnob, WorldStatus } from './worldSpec.ts';

const statuses = ['queued', 'processing', 'done', 'error'] as const;

/** Selects the job that a change applies to; undefined if there is none. */
export function chooseJob(
  { what, where }: ChangeKnob,
  jobs: readonly WorldJob[],
  moment: number,
  draw: number,
): WorldJob | undefined {
  const candidates = jobs.filter((job) => {
    const state = stateAt(job, moment);
    if (state === undefined) return false;
    if (what === 'return') return !state.isListed && job.states.length > 1;
    if (what === 'progress') return state.isListed && (state.status === 'queued' || state.status === 'processing');
    return state.isListed;
  });
  const last = candidates.length - 1;
  if (last < 0) return undefined;
  const step = draw % Math.min(5, candidates.length);
  // Jobs are stored oldest first, but a change's position counts from the newest.
  const index = { start: last - step, end: step, middle: Math.min(last, (last >> 1) + step), any: draw % (last + 1) }[
    where
  ];
  return candidates[index];
}

/** Returns the status after a change. */
export function nextStatus(what: 'progress' | 'flip', status: WorldStatus, seed: number, draw: number): WorldStatus {
  if (what === 'flip') return statuses[mixSeed(seed, draw, 3) % statuses.length] ?? 'done';
  if (status === 'queued') return 'processing';
  return mixSeed(seed, draw, 4) % 8 === 0 ? 'error' : 'done';
}
