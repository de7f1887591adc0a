import { type Job, type ListEntry } from '../../common/job.ts';
import { isFixedOrder, observeOrder, type ListOrder } from '../../common/listOrder.ts';
import type { ListPage } from '../../common/decodePage.ts';
import { fetchAt, isSame, tailOf, type ListWalk, type WalkDeps } from './listWalk.ts';

/** A response that continues the known entries. */
interface Joint {
  readonly page: ListPage;
  readonly offset: number;
  readonly fits: boolean;
  readonly isContiguous: boolean;
  readonly moved: boolean;
  readonly bringsNew: boolean;
}

/**
 * Returns the state of the walk after a response. At the end of a list, one more request may be needed to prove that it
 * is the end.
 */
export async function extendWalk(walk: ListWalk, walked: WalkDeps, joint: Joint, limit: number): Promise<ListWalk> {
  const { page, offset, isContiguous, moved, bringsNew } = joint;
  const { entries } = page;
  const order = observeOrder(walk.order, entries);
  // In an order other than by creation, a bound may hide jobs.
  const isPinWrong = (walk.pin?.isProved === true || walk.segments.length > 0) && order.created !== 'newest';
  const hasMoved = walk.moved || moved;
  const isTied = walk.isTied || (offset > 0 && isTiedAcross(walk, entries, order));
  const next = {
    ...walk,
    received: entries.length === 0 ? walk.received : offset + entries.length,
    tail: entries.length === 0 ? walk.tail : tailOf([...walk.tail, ...entries]),
    lastPage: entries,
    hasMore: page.hasMore,
    endIsClaimed: false,
    pin: isPinWrong ? undefined : walk.pin,
    order,
    isContiguous: walk.isContiguous && isContiguous && !isPinWrong && !(isTied && hasMoved),
    moved: hasMoved,
    isTied,
    answers: walk.answers + (bringsNew ? 1 : 0),
  };
  return next.hasMore ? next : findEnd(walk, next, walked, joint, limit);
}

/** Returns the state of a walk whose last response announced no more items. @param walk the state before that response */
async function findEnd(
  walk: ListWalk,
  next: ListWalk,
  walked: WalkDeps,
  { page, offset, fits, bringsNew }: Joint,
  limit: number,
): Promise<ListWalk> {
  const { entries } = page;
  const { params, traits } = walked;
  // The service announced more items but did not send them: it cuts the list off, or the last jobs have left.
  const wasPromised = walk.answers > 0 && !bringsNew && !walk.endIsClaimed;
  if (wasPromised || traits.nextIsUnreliable) {
    return { ...next, stuck: wasPromised && !next.moved && !traits.nextIsUnreliable };
  }
  const isFixed = isFixedOrder(next.order, params);
  const isCertain = next.isContiguous && (isFixed || (next.answers === 1 && fits) || offset === 0);
  if (entries.length === 0 || traits.isShort(entries.length, page.limit ?? limit)) {
    traits.endIsProved ||= walk.endIsClaimed && !bringsNew;
    return { ...next, isComplete: isCertain };
  }
  const claimed = { ...next, hasMore: true, endIsClaimed: true };
  // Showing a first page takes one request. The end is proved when the user requests more.
  if (walk.answers === 0) return claimed;
  const end = await probeEnd(next, walked, offset, limit);
  // The end cannot be proved while jobs arrive as fast as pages are read.
  if (end === 'same') return walk.endIsClaimed ? next : claimed;
  if (end === 'moved') return { ...next, hasMore: true };
  return { ...next, isComplete: isCertain && (isFixed || end === 'alone') };
}

/**
 * Requests the list from its last job on. Returns `alone` or `short` if the response proves the end: it has that job alone,
 * or few enough jobs; `same` if it ends with that job without proving it; `moved` if it has more jobs.
 */
async function probeEnd(
  next: ListWalk,
  walked: WalkDeps,
  offset: number,
  limit: number,
): Promise<'alone' | 'short' | 'same' | 'moved'> {
  const { traits, fetchPage, fetchApart = fetchPage } = walked;
  const last = next.lastPage?.at(-1);
  const requested = Math.max(2, limit);
  const probe = await fetchAt(next, fetchPage, Math.max(0, next.received - 1), requested);
  // New jobs above the end shift its offset.
  if (!probe.hasMore && isSame(probe.entries.at(-1), last)) {
    if (probe.entries.length > 1 && !traits.isShort(probe.entries.length, probe.limit ?? requested)) return 'same';
    traits.endIsProved = true;
    return probe.entries.length === 1 ? 'alone' : 'short';
  }
  // In a list sorted newest last, these jobs may be new. In any list they may have arrived since: then the same page
  // announces them.
  if (!traits.nextIsUnreliable && isSame(probe.entries[0], last) && next.order.created !== 'oldest') {
    const now = await fetchAt(next, fetchApart, offset, limit);
    traits.nextIsUnreliable ||= !now.hasMore && isSame(now.entries.at(-1), last);
  }
  return 'moved';
}

/** True if a page has jobs with the same time as the last known one, by which the list seems to be sorted. */
function isTiedAcross({ tail: [last] }: ListWalk, entries: readonly ListEntry[], order: ListOrder): boolean {
  if (last?.type !== 'job') return false;
  const isByCompletion = order.created === 'mixed' || order.hasUndated;
  const timeOf = ({ createdAtMs, completedAtMs }: Job): number | undefined =>
    isByCompletion ? completedAtMs : createdAtMs;
  const lastMs = timeOf(last);
  return entries.some((entry) => entry.type === 'job' && timeOf(entry) === lastMs && !isSame(entry, last));
}
