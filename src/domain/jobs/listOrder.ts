import { isUnfinished, type Job, type ListEntry } from './job.ts';
import type { ListParams } from './listParams.ts';

/** How a time runs down a list, as far as seen; jobs with the same time say nothing. */
export type TimeOrder = 'unseen' | 'newest' | 'oldest' | 'mixed';

/** What pages have shown of the order of a list. Nothing is assumed: contract 4 does not say how lists are ordered. */
export interface ListOrder {
  readonly created: TimeOrder;
  readonly completed: TimeOrder;
  /** By completion, and by creation where that is missing. */
  readonly latest: TimeOrder;
  /** A job without a time of creation was seen. */
  readonly hasUndated: boolean;
  /** A job without a time of completion was seen. */
  readonly hasUncompleted: boolean;
  /** One that was completed was seen right after one that was not. */
  readonly uncompletedFirst: boolean;
}

export const unseenOrder: ListOrder = {
  created: 'unseen',
  completed: 'unseen',
  latest: 'unseen',
  hasUndated: false,
  hasUncompleted: false,
  uncompletedFirst: false,
};

/** What is known of an order after one more excerpt of the list, as one answer showed it. */
export function observeOrder(order: ListOrder, excerpt: readonly ListEntry[]): ListOrder {
  let { created, completed, latest, hasUndated, hasUncompleted, uncompletedFirst } = order;
  let before: Job | undefined;
  let completedBefore: number | undefined;
  for (const entry of excerpt) {
    if (entry.type !== 'job') continue;
    const { createdAtMs, completedAtMs } = entry;
    hasUndated ||= createdAtMs === undefined;
    hasUncompleted ||= completedAtMs === undefined;
    if (before !== undefined) {
      created = runsOn(created, before.createdAtMs, createdAtMs);
      latest = runsOn(latest, before.completedAtMs ?? before.createdAtMs, completedAtMs ?? createdAtMs);
      uncompletedFirst ||= before.completedAtMs === undefined && completedAtMs !== undefined;
    }
    completed = runsOn(completed, completedBefore, completedAtMs);
    before = entry;
    completedBefore = completedAtMs ?? completedBefore;
  }
  return { created, completed, latest, hasUndated, hasUncompleted, uncompletedFirst };
}

function runsOn(order: TimeOrder, beforeMs: number | undefined, afterMs: number | undefined): TimeOrder {
  if (beforeMs === undefined || afterMs === undefined || beforeMs === afterMs) return order;
  const step = beforeMs > afterMs ? 'newest' : 'oldest';
  return order === 'unseen' || order === step ? step : 'mixed';
}

/**
 * Whether a job cannot change its place among those that stay, as far as what was seen implies it: the list runs by a time that no
 * longer changes. Then whatever has been read in one piece holds every job that matched all along. A list of both finished and
 * unfinished jobs could run by completion, and look the same until a job completes and jumps ahead, so that must have been refuted.
 */
export function isFixedOrder(order: ListOrder, { statuses = [] }: ListParams): boolean {
  const runsByCreation = !order.hasUndated && isOneWay(order.created);
  if (isOfOneSort(statuses)) return runsByCreation || (!order.hasUncompleted && isOneWay(order.completed));
  const notByCompletion = order.uncompletedFirst || order.completed === 'mixed';
  const notByLatest = order.created === 'oldest' || order.latest === 'mixed' || order.latest === 'oldest';
  return runsByCreation && notByCompletion && notByLatest;
}

function isOneWay(order: TimeOrder): boolean {
  return order === 'newest' || order === 'oldest';
}

/** Whether only jobs are asked for that are finished, or only such that are not. */
function isOfOneSort(statuses: readonly string[]): boolean {
  const finished = statuses.filter((status) => !isUnfinished({ status })).length;
  return statuses.length > 0 && (finished === 0 || finished === statuses.length);
}
