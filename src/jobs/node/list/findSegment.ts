import { isUnfinished, type Job, type ListEntry } from '../../common/job.ts';
import { isByCreation } from '../../common/listOrder.ts';
import type { ListParams } from '../../common/listParams.ts';
import { fetchAt, isRefusal, isSame, type ListWalk, type Segment, type WalkDeps } from './listWalk.ts';

/** Items per request at the beginning of a segment. */
const segmentLimit = 100;
/** Max requests for the jobs of the last second, with which a segment begins. */
const maxSegmentRequests = 8;

/**
 * Returns the segment that continues below the last job, if it is proved: its first page has no unknown job above a
 * known one, and the jobs that it leaves out show that it is bounded by creation. It contains everything below the last
 * job, because the list is sorted newest first.
 * @throws Failure, unless the service refuses the bound
 */
export async function findSegment(walk: ListWalk, walked: WalkDeps): Promise<Segment | undefined> {
  const { tail, order, received, segments } = walk;
  const { params, traits, fetchPage, fetchApart = fetchPage } = walked;
  const [last] = tail;
  if (last?.type !== 'job' || last.createdAtMs === undefined || order.created !== 'newest' || !isByCreation(order))
    return undefined;
  const beforeMs = (Math.floor(last.createdAtMs / 1000) + 1) * 1000;
  const before = new Date(beforeMs).toISOString();
  const isInBounds = params.beforeDate === undefined || beforeMs < Date.parse(params.beforeDate);
  if (!isInBounds || segments.at(-1)?.before === before) return undefined;
  const listed: Job[] = [];
  try {
    for (let offset = 0, request = 0; request < maxSegmentRequests; request++) {
      const { entries, hasMore } = await fetchApart(offset, segmentLimit, before);
      const unknown = entries.findIndex((entry) => entry.type === 'job' && !walked.isKnown(entry));
      const end = (unknown < 0 ? entries : entries.slice(0, unknown)).findLastIndex(({ type }) => type === 'job');
      listed.push(...entries.filter((entry) => entry.type === 'job'));
      if (end < 0) return undefined;
      const isLast = isSame(entries[end], last);
      if (isLast || unknown >= 0) {
        const from = received - tail.length - offset - end;
        if (from <= (segments.at(-1)?.from ?? 0)) return undefined;
        if (!traits.datesAreOfCreation) {
          const above = await fetchAt(walk, fetchApart, Math.max(0, from - segmentLimit), segmentLimit);
          traits.datesAreOfCreation = isBoundedByCreation(params, above.entries, listed);
        }
        return traits.datesAreOfCreation ? { from, before } : undefined;
      }
      if (!hasMore || entries.length < 2) return undefined;
      offset += entries.length - 1;
    }
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
  return undefined;
}

/**
 * True if the jobs that a bound leaves out show that it applies to creation: one of them completed before a listed job,
 * whatever fraction of the times is compared, or none of them is completed.
 */
function isBoundedByCreation(
  { statuses = [] }: ListParams,
  above: readonly ListEntry[],
  listed: readonly Job[],
): boolean {
  const leftOut = above.filter(
    (entry): entry is Job => entry.type === 'job' && !listed.some((job) => isSame(job, entry)),
  );
  const isUnfinishedList = statuses.length > 0 && statuses.every((status) => isUnfinished({ status }));
  if (isUnfinishedList) return leftOut.length > 0 && listed.length > 0;
  const latestMs = Math.max(...listed.map(({ completedAtMs = -Infinity }) => completedAtMs));
  return leftOut.some(({ completedAtMs = Infinity }) => completedAtMs <= latestMs);
}
