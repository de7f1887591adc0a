import { jobKey, type ListEntry, isJobKind, jobKinds } from '../../common/job.ts';
import { isFailure, type Failure } from '../../../base/failure.ts';
import { ownText } from '../../../base/json/jsonText.ts';
import type { ListQuery } from '../../common/listParams.ts';
import { findContradiction } from '../../common/jobFilter.ts';
import { queryFurther, hasAllValues, falseOnFailure } from './endProof.ts';
import { isSame, readOf, type ListWalk, type WalkDeps } from './listWalk.ts';
import { beginWalk, skipReceived, type WalkStep } from './stepWalk.ts';
import { pagesAtOnce } from './pagesAhead.ts';
import { walkToEnd } from './walkToEnd.ts';
import type { ListReader } from './listReader.ts';

export interface ReadAllOptions {
  /** Items per request. */
  readonly limit: number;
  /** Items per request after the first one. Defaults to `limit`. */
  readonly furtherLimit?: number;
  /** Number of parallel requests; reduced to one permanently when the service requests a slower rate. */
  readonly concurrency?: number;
  readonly signal?: AbortSignal;
  /**
   * Called when a page cannot be read; the page is requested again when this resolves. By default, reading ends with
   * the failure.
   */
  readonly onFailure?: (failure: Failure) => Promise<void>;
  /** Returns the signal that cancels the requests sent from now on; `onFailure` then receives `cancelled`. */
  readonly pause?: () => AbortSignal;
}

/** A part of a list, in the service's order. */
export interface ReadBatch {
  readonly entries: readonly ListEntry[];
  /**
   * The reason why reading ended although the list may have more: the service stopped sending, its list changed faster
   * than it could be read, or the responses do not imply that it is complete. If the last batch has no reason, the list
   * is complete.
   */
  readonly endedBy?: 'stuck' | 'lost' | 'unproved';
  /** Every page so far had a job in common with the previous ones, so that nothing is missing between them. */
  readonly isContiguous?: boolean;
}

/**
 * Reads a whole list, several pages at a time. Every job that matches throughout is yielded exactly once, or the last batch
 * says that this is not certain. Memory holds only the pages being read and the ids.
 * @throws Failure from the source; `cancelled` when the signal fires.
 */
export async function* readAll(
  reader: ListReader,
  query: ListQuery,
  options: ReadAllOptions,
): AsyncGenerator<ReadBatch, void, undefined> {
  const { limit, furtherLimit = limit, concurrency = pagesAtOnce, signal } = options;
  const seen = new Set<string>();
  const { onFailure, pause } = options;
  const insist = async <T>(read: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await read();
      } catch (error) {
        if (onFailure === undefined || !isFailure(error) || signal?.aborted === true) throw error;
        await onFailure(error);
      }
    }
  };
  const walked: WalkDeps = { ...readOf(reader, query, limit, signal, pause), isKnown: (job) => seen.has(jobKey(job)) };
  const first = await insist(() => beginWalk(walked, limit));
  yield batchOf(first, unseen(first.entries, seen));
  let { walk } = first;
  let count = first.entries.length;
  const begun = walk;
  if (walk.isComplete && !(await insist(() => isWholePage(begun, walked)))) {
    // There may be more items if nothing shows that this is the end.
    if (!reader.traits.nextIsUnreliable) return yield { entries: [], endedBy: 'unproved' };
    walk = { ...walk, hasMore: true, isComplete: false };
  }
  if (walk.isComplete && !(await insist(() => isWholeList(begun, walked))))
    return yield { entries: [], endedBy: 'unproved' };
  let { received } = walk;
  let entries: readonly ListEntry[] = [];
  const further = {
    limit: furtherLimit,
    // The first page shows how many items the service really returns; parallel pages must overlap by one at that size.
    stride: Math.max(1, (furtherLimit === limit ? first.entries.length : furtherLimit) - 1),
    // If the service reports this page as the end, one request proves it.
    concurrency: first.entries.length === 1 || walk.endIsClaimed ? 1 : concurrency,
    signal,
    insist,
    add: (step: WalkStep): number => {
      entries = unseen(skipReceived(step, received), seen);
      ({ received } = step.walk);
      return (count += entries.length);
    },
  };
  for await (const step of walkToEnd(walk, walked, further)) yield batchOf(step, entries);
}

function batchOf({ walk, isLost }: WalkStep, entries: readonly ListEntry[]): ReadBatch {
  const { isContiguous } = walk;
  if (isLost) return { entries, endedBy: 'lost', isContiguous };
  if (walk.hasMore || walk.isComplete) return { entries, isContiguous };
  return { entries, endedBy: walk.stuck ? 'stuck' : 'unproved', isContiguous };
}

/** Returns the entries without jobs read before. The keys do not keep the texts of pages in memory. */
function unseen(entries: readonly ListEntry[], seen: Set<string>): ListEntry[] {
  return entries.filter((entry) => {
    if (entry.type !== 'job') return true;
    const key = jobKey(entry);
    if (seen.has(key)) return false;
    seen.add(ownText(key));
    return true;
  });
}

/** True if an entry can be a result of a query: a job of a requested or an unknown kind that matches the filter. */
export function matchesQuery(entry: ListEntry, { endpoint, params }: ListQuery): boolean {
  if (entry.type !== 'job') return true;
  const kinds: readonly string[] = endpoint === 'combined' ? (params.kinds ?? jobKinds) : [endpoint];
  if (isJobKind(entry.kind) && !kinds.includes(entry.kind)) return false;
  return findContradiction(entry, params) === undefined;
}

/** Minimum list length at which services are known to cut lists off. */
const minCutOffItems = 20;

/** True if a service has no other jobs than a list that it sent in a single page. @throws Failure `cancelled` */
async function isWholeList({ received, order, tail }: ListWalk, walked: WalkDeps): Promise<boolean> {
  const last = tail.find((entry) => entry.type === 'job');
  return falseOnFailure(
    async () =>
      (received < minCutOffItems || (await queryFurther(order, last, walked)) !== 'further') &&
      (await hasAllValues(walked)),
  );
}

/**
 * True if a first page that the service reports as the last one is the whole list; see
 * {@link ServiceTraits.shortEndIsProved}. If not, marks `next` as unreliable in the traits.
 * @throws Failure `cancelled`
 */
async function isWholePage({ received, tail }: ListWalk, walked: WalkDeps): Promise<boolean> {
  const { fetchPage, traits } = walked;
  if (traits.shortEndIsProved || received < 2) return true;
  return falseOnFailure(async () => {
    const { entries, hasMore } = await fetchPage(received - 1, 2, undefined);
    const last = tail.at(-1);
    if (!hasMore && isSame(entries.at(-1), last)) traits.shortEndIsProved = true;
    else if (isSame(entries[0], last) || isSame(entries.at(-1), last)) traits.nextIsUnreliable = true;
    // The list has moved since. That proves nothing, except for jobs that were not on the page.
    else if (entries.some((entry) => entry.type === 'job' && !walked.isKnown(entry))) return false;
    return !traits.nextIsUnreliable;
  });
}
