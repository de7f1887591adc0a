import { isFailure } from '../../domain/failure.ts';
import type { Job, ListEntry } from '../../domain/jobs/job.ts';
import { observeOrder, unseenOrder } from '../../domain/jobs/listOrder.ts';
import type { ListPage } from '../ports.ts';
import { isRefusal, isSame, type ListWalk, type WalkDeps } from './listWalk.ts';

/** What pages that were requested in advance have shown behind an offset. */
export type Beyond = 'nothing' | 'items' | 'refusal';

/** A list that was read to an apparent end in several pages. */
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
 * Whether nothing contradicts that a list which was read to its end is whole. Some services list only so many jobs, or leave some out of
 * their pages, as if there were no others: then there are jobs older than the last one, or behind it, or fewer jobs than places. Where the
 * list moved while it was read, its first page must show that only new jobs moved it. At most two requests; one that fails leaves doubt,
 * and takes nothing from what was read.
 * @throws Failure `cancelled`
 */
export async function isWhole(read: ReadToEnd): Promise<boolean> {
  return withoutFailing(() => findsNoGap(read));
}

async function findsNoGap({ walk, walked, count, limit, beyond }: ReadToEnd): Promise<boolean> {
  const { fetchPage, fetchApart = fetchPage } = walked;
  const { tail, order, received } = walk;
  const last = tail.find((entry) => entry.type === 'job');
  const older =
    order.created === 'newest'
      ? await askForOlder(
          last,
          (before) => fetchApart(0, 2, before),
          (job) => walked.isKnown(job),
        )
      : 'unknown';
  if (older === 'older') return false;
  const behind = beyond(received);
  if (behind === 'items' || (behind === 'refusal' && older !== 'nothingOlder')) return false;
  if (walk.pin !== undefined || (!walk.moved && count >= received)) return true;
  const { entries } = await fetchApart(0, limit, undefined);
  const arrived = entries.filter((entry) => entry.type === 'job' && !walked.isKnown(entry));
  const isJoined = arrived.length < entries.length || entries.length === 0;
  return isJoined && hasOrderOf(walk, entries) && count + arrived.length >= received;
}

/** A job that comes to the top without being new shows that the list is sorted by something else. */
function hasOrderOf({ order }: ListWalk, top: readonly ListEntry[]): boolean {
  return order.created !== 'newest' || ['newest', 'unseen'].includes(observeOrder(unseenOrder, top).created);
}

/**
 * Asks for jobs created before the last one of a list that has the newest first.
 * @param fetchBefore requests two jobs created before a time, ISO 8601.
 * @returns `unknown` where the last job has no time, or the response shows neither.
 * @throws Failure from `fetchBefore`, unless the service refuses the request.
 */
export async function askForOlder(
  last: ListEntry | undefined,
  fetchBefore: (before: string) => Promise<ListPage>,
  isKnown: (job: Job) => boolean,
): Promise<'older' | 'nothingOlder' | 'unknown'> {
  if (last?.type !== 'job' || last.createdAtMs === undefined) return 'unknown';
  const { createdAtMs: lastMs } = last;
  try {
    const { entries } = await fetchBefore(new Date(lastMs).toISOString());
    const isOlder = (entry: ListEntry): entry is Job =>
      entry.type === 'job' && entry.createdAtMs !== undefined && entry.createdAtMs < lastMs;
    if (entries.some((entry) => isOlder(entry) && !isKnown(entry))) return 'older';
    return entries.every((entry) => isOlder(entry) || isSame(entry, last)) ? 'nothingOlder' : 'unknown';
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return 'unknown';
  }
}

/**
 * Whether a first page that the service calls the last one is the whole list; see {@link ServiceTraits.shortEndIsProved}. Where it is not,
 * the traits say that `next` is unreliable.
 * @throws Failure `cancelled`
 */
export async function isWholePage({ received, tail }: ListWalk, { fetchPage, traits }: WalkDeps): Promise<boolean> {
  if (traits.shortEndIsProved || received < 2) return true;
  return withoutFailing(async () => {
    const page = await fetchPage(received - 1, 2, undefined);
    const last = tail.at(-1);
    if (!page.hasMore && isSame(page.entries.at(-1), last)) traits.shortEndIsProved = true;
    // The list may have moved in between, which shows nothing.
    else if (isSame(page.entries[0], last)) traits.nextIsUnreliable = true;
    return !traits.nextIsUnreliable;
  });
}

/** False when a request of the proof fails. */
async function withoutFailing(prove: () => Promise<boolean>): Promise<boolean> {
  try {
    return await prove();
  } catch (error) {
    if (!isFailure(error) || error.code === 'cancelled') throw error;
    return false;
  }
}
