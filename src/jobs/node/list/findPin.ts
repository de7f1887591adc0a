import { dayMs } from '../../../base/time.ts';
import { isUnfinished, type Job } from '../../common/job.ts';
import { isByCreation, observeOrder, unseenOrder } from '../../common/listOrder.ts';
import type { ListPage } from '../../common/decodePage.ts';
import { isRefusal, startsWith, type ListWalk, type Pin, type WalkDeps } from './listWalk.ts';

/**
 * Returns the end of the second in which the newest job of a first page was created. Only for a list sorted by
 * creation, newest first, and not by completion: in other orders, jobs created after the first one may be further down,
 * and a pin would hide them. Requires that `before_date` is known to apply to creation, or that the response to the pin
 * will show it.
 */
export function findPin({ entries }: ListPage, { params, traits }: WalkDeps): Pin | undefined {
  const { beforeDate, statuses = [] } = params;
  const jobs = entries.filter((entry) => entry.type === 'job');
  const order = observeOrder(unseenOrder, entries);
  const newestMs = jobs[0]?.createdAtMs;
  if (beforeDate !== undefined || newestMs === undefined || !isByCreation(order) || order.created !== 'newest') {
    return undefined;
  }
  const pinMs = (Math.floor(newestMs / 1000) + 1) * 1000;
  const noneIsFinished = statuses.length > 0 && statuses.every((status) => isUnfinished({ status }));
  const isNotByCompletion =
    order.completed === 'mixed' &&
    jobs.some(({ completedAtMs }) => completedAtMs !== undefined && completedAtMs > pinMs);
  const isTelling = noneIsFinished || (isNotByCompletion && (order.hasUncompleted || traits.datesAreOfCreation));
  return isTelling ? { before: new Date(pinMs).toISOString(), isProved: false } : undefined;
}

/** Returns the response to the first request with a pin, if it matches; undefined if the pin is not useful or already proved. */
export async function tryPin(
  { pin, tail }: ListWalk,
  { fetchPage, fetchApart = fetchPage, traits }: WalkDeps,
  start: number,
  limit: number,
): Promise<ListPage | undefined> {
  if (pin === undefined || pin.isProved || tail[0]?.type !== 'job') return undefined;
  try {
    const page = await fetchPage(start, limit, pin.before);
    if (page.entries.length <= tail.length || !startsWith(page.entries, tail)) return undefined;
    // The first page has such jobs; otherwise there would be no pin.
    traits.datesAreOfCreation ||=
      hasLaterCompletion(page, pin) || hasLaterCompletion(await fetchApart(0, limit, pin.before), pin);
    return traits.datesAreOfCreation ? page : undefined;
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

/** True if a response to a request with a pin has a job that would be missing if the pin applied to completion. */
function hasLaterCompletion({ entries }: ListPage, { before }: Pin): boolean {
  const pinMs = Date.parse(before);
  // The service may compare whole days, in any time zone.
  const isLater = ({ completedAtMs }: Job): boolean => completedAtMs === undefined || completedAtMs > pinMs + 2 * dayMs;
  return entries.some((entry) => entry.type === 'job' && isLater(entry));
}
