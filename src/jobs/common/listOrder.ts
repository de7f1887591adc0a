import { isUnfinished, type Job, type ListEntry } from './job.ts';
import type { ListParams } from './listParams.ts';

/** Observed sort order of a list by a time; jobs with equal times are ignored. */
export type TimeOrder = 'unseen' | 'newest' | 'oldest' | 'mixed';

/** Observed sort order of a list. Contract 4 does not specify any. */
export interface ListOrder {
  readonly created: TimeOrder;
  /** Number of adjacent jobs with different creation times. */
  readonly createdSteps: number;
  readonly completed: TimeOrder;
  /** By completion time, or creation time where that is missing. */
  readonly latest: TimeOrder;
  /** A job without a creation time was seen. */
  readonly hasUndated: boolean;
  /** A job without a completion time was seen. */
  readonly hasUncompleted: boolean;
  /** A completed job was seen directly after an uncompleted one. */
  readonly uncompletedFirst: boolean;
}

export const unseenOrder: ListOrder = {
  created: 'unseen',
  createdSteps: 0,
  completed: 'unseen',
  latest: 'unseen',
  hasUndated: false,
  hasUncompleted: false,
  uncompletedFirst: false,
};

/** Updates the observed order with one more excerpt of the list, from a single response. */
export function observeOrder(order: ListOrder, excerpt: readonly ListEntry[]): ListOrder {
  let { created, createdSteps, completed, latest, hasUndated, hasUncompleted, uncompletedFirst } = order;
  let before: Job | undefined;
  let completedBefore: number | undefined;
  for (const entry of excerpt) {
    if (entry.type !== 'job') continue;
    const { createdAtMs, completedAtMs } = entry;
    hasUndated ||= createdAtMs === undefined;
    hasUncompleted ||= completedAtMs === undefined;
    if (before !== undefined) {
      created = runsOn(created, before.createdAtMs, createdAtMs);
      if (before.createdAtMs !== createdAtMs) createdSteps++;
      latest = runsOn(latest, before.completedAtMs ?? before.createdAtMs, completedAtMs ?? createdAtMs);
      uncompletedFirst ||= before.completedAtMs === undefined && completedAtMs !== undefined;
    }
    completed = runsOn(completed, completedBefore, completedAtMs);
    before = entry;
    completedBefore = completedAtMs ?? completedBefore;
  }
  return { created, createdSteps, completed, latest, hasUndated, hasUncompleted, uncompletedFirst };
}

function runsOn(order: TimeOrder, beforeMs: number | undefined, afterMs: number | undefined): TimeOrder {
  if (beforeMs === undefined || afterMs === undefined || beforeMs === afterMs) return order;
  const step = beforeMs > afterMs ? 'newest' : 'oldest';
  return order === 'unseen' || order === step ? step : 'mixed';
}

/**
 * True if jobs cannot change their relative position, as far as observed: the list is sorted by a time that no longer
 * changes. Then a list read page by page contains every job that matched throughout. A list of both finished and
 * unfinished jobs could be sorted by completion time, where a job moves to the top when it completes, so that order
 * must be excluded.
 */
export function isFixedOrder(order: ListOrder, { statuses = [] }: ListParams): boolean {
  const runsByCreation = !order.hasUndated && isOneWay(order.created);
  if (isOfOneSort(statuses)) return runsByCreation || (!order.hasUncompleted && isOneWay(order.completed));
  const notByCompletion = order.uncompletedFirst || order.completed === 'mixed';
  const notByLatest = order.created === 'oldest' || order.latest === 'mixed' || order.latest === 'oldest';
  return runsByCreation && notByCompletion && notByLatest;
}

/** Number of steps in the same direction that cannot be a coincidence. */
const significantSteps = 7;

/** True if there is enough evidence that a list is sorted by creation. */
export function isByCreation({ created, createdSteps, hasUndated }: ListOrder): boolean {
  return isOneWay(created) && createdSteps >= significantSteps && !hasUndated;
}

/**
 * True if one job comes before another in a list sorted by creation; undefined if their times are equal or missing.
 * @param order of a list for which {@link isByCreation} holds
 */
export function precedes(order: ListOrder, one: Job, other: Job): boolean | undefined {
  const { createdAtMs: oneMs } = one;
  const { createdAtMs: otherMs } = other;
  if (oneMs === undefined || otherMs === undefined || oneMs === otherMs) return undefined;
  return order.created === 'newest' ? oneMs > otherMs : oneMs < otherMs;
}

function isOneWay(order: TimeOrder): boolean {
  return order === 'newest' || order === 'oldest';
}

/** True if only finished jobs are requested, or only unfinished ones. */
function isOfOneSort(statuses: readonly string[]): boolean {
  const finished = statuses.filter((status) => !isUnfinished({ status })).length;
  return statuses.length > 0 && (finished === 0 || finished === statuses.length);
}
