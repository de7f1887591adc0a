import { isFailure } from '../../../base/failure.ts';
import { isUnfinished, type Job, type ListEntry } from '../../common/job.ts';
import { observeOrder, unseenOrder, type ListOrder } from '../../common/listOrder.ts';
import type { ListParams } from '../../common/listParams.ts';
import type { ListPage } from '../../common/decodePage.ts';
import { severalNames, type SeveralName } from './serviceTraits.ts';
import { isRefusal, isSame, requestAt, type ListWalk, type WalkDeps } from './listWalk.ts';

/** Result of the pages that were prefetched beyond an offset. */
export type Beyond = 'nothing' | 'items' | 'refusal';

/** A list that was read in several pages to an apparent end. */
export interface ReadToEnd {
  readonly walk: ListWalk;
  readonly walked: WalkDeps;
  /** Number of different items read. */
  readonly count: number;
  /** Items per request. */
  readonly limit: number;
  readonly beyond: (offset: number) => Beyond;
}

/**
 * True if nothing contradicts that a list read to its end is complete. Some services list only a limited number of
 * jobs, or leave some out of their pages, without saying so: then there are jobs older than the last one, jobs after
 * it, or fewer jobs than offsets. If the list moved while it was read, its first page must show that only new jobs
 * moved it. Sends at most two requests. A request that fails returns false and does not affect the items already read.
 * @throws Failure `cancelled`
 */
export async function isWhole(read: ReadToEnd): Promise<boolean> {
  return falseOnFailure(() => hasNoGap(read));
}

async function hasNoGap({ walk, walked, count, limit, beyond }: ReadToEnd): Promise<boolean> {
  const { fetchPage, fetchApart = fetchPage } = walked;
  const { tail, order, received } = walk;
  const last = tail.find((entry) => entry.type === 'job');
  const further = await queryFurther(order, last, walked);
  if (further === 'further') return false;
  const behind = beyond(requestAt(walk, received).offset);
  if (behind === 'items' || (behind === 'refusal' && further !== 'nothing')) return false;
  if (!(await hasAllValues(walked))) return false;
  if (count >= received && (!walk.moved || walk.pin !== undefined) && !mayBeByTouch(walk, walked)) return true;
  const { entries } = await fetchApart(0, limit, undefined);
  // New jobs are above all others, so an unknown job further down is not new but was left out of a page.
  const arrived = entries.findIndex((entry) => entry.type !== 'job' || walked.isKnown(entry));
  return arrived >= 0 && hasOrderOf(walk, entries) && count + (walk.pin === undefined ? arrived : 0) >= received;
}

/**
 * True if a list may be sorted by the time of the last change. A list of unfinished jobs looks sorted by creation until
 * a job changes.
 */
function mayBeByTouch({ order }: ListWalk, { params: { statuses = [] } }: WalkDeps): boolean {
  return order.created === 'newest' && statuses.length > 0 && statuses.every((status) => isUnfinished({ status }));
}

/**
 * True if a service that may apply only one of several values, or none, has no other jobs. Requests each value alone,
 * unless it was seen to work together with others.
 * @throws Failure from `fetchSome`
 */
export async function hasAllValues({
  params,
  traits,
  fetchSome,
  isKnown,
}: Pick<WalkDeps, 'params' | 'traits' | 'fetchSome' | 'isKnown'>): Promise<boolean> {
  const valuesOf = (name: SeveralName): readonly string[] => params[name] ?? [];
  const open = severalNames.filter(
    (name) => valuesOf(name).length > 1 && valuesOf(name).some((value) => !traits.valuesTaken[name].has(value)),
  );
  if (open.length === 0 || fetchSome === undefined) return true;
  const alone = open.reduce<readonly Pick<ListParams, SeveralName>[]>(
    (somes, name) => somes.flatMap((some) => valuesOf(name).map((value) => ({ ...some, [name]: [value] }))),
    [{}],
  );
  for (const some of alone) {
    const { entries, hasMore } = await fetchSome(some);
    if (entries.some((entry) => entry.type === 'job' && !isKnown(entry))) return false;
    if (entries.length === 0 && hasMore) return false;
  }
  return true;
}

/** False if a job that is not new has moved to the top: then the list is not sorted by creation. */
function hasOrderOf({ order }: ListWalk, top: readonly ListEntry[]): boolean {
  return order.created !== 'newest' || ['newest', 'unseen'].includes(observeOrder(unseenOrder, top).created);
}

/**
 * Queries whether a list continues after its last job, if its order and the time of that job can show it. Sends at most
 * one request. @throws Failure
 */
export async function queryFurther(order: ListOrder, last: ListEntry | undefined, walked: WalkDeps): Promise<Further> {
  const { fetchPage, fetchApart = fetchPage, fetchAfter } = walked;
  const isKnown = (job: Job): boolean => walked.isKnown(job);
  if (order.created === 'newest') return queryBeyond('newest', last, (before) => fetchApart(0, 2, before), isKnown);
  return order.created === 'oldest' && fetchAfter !== undefined
    ? queryBeyond('oldest', last, fetchAfter, isKnown)
    : 'unknown';
}

/** Result of querying for jobs after the last one of a list by creation. */
type Further = 'further' | 'nothing' | 'unknown';

/**
 * Requests jobs created before the last one of a list sorted newest first, or after the last one of a list sorted
 * oldest first. In the latter, a job that has just arrived also counts.
 * @param fetchBeyond requests two jobs created before, or after, a time, ISO 8601.
 * @returns `unknown` if the last job has no time, or the response shows neither.
 * @throws Failure from `fetchBeyond`, unless the service refuses the request.
 */
export async function queryBeyond(
  first: 'newest' | 'oldest',
  last: ListEntry | undefined,
  fetchBeyond: (bound: string) => Promise<ListPage>,
  isKnown: (job: Job) => boolean,
): Promise<Further> {
  if (last?.type !== 'job' || last.createdAtMs === undefined) return 'unknown';
  const { createdAtMs: lastMs } = last;
  try {
    const { entries } = await fetchBeyond(new Date(lastMs).toISOString());
    const isBeyond = (entry: ListEntry): entry is Job =>
      entry.type === 'job' &&
      entry.createdAtMs !== undefined &&
      (first === 'newest' ? entry.createdAtMs < lastMs : entry.createdAtMs > lastMs);
    if (entries.some((entry) => isBeyond(entry) && !isKnown(entry))) return 'further';
    return entries.every((entry) => isBeyond(entry) || isSame(entry, last)) ? 'nothing' : 'unknown';
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return 'unknown';
  }
}

/** False when a request of the proof fails. @throws Failure `cancelled` */
export async function falseOnFailure(prove: () => Promise<boolean>): Promise<boolean> {
  try {
    return await prove();
  } catch (error) {
    if (!isFailure(error) || error.code === 'cancelled') throw error;
    return false;
  }
}
