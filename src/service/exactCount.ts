import { isFailure } from '../domain/failure.ts';
import type { ListEntry } from '../domain/jobs/job.ts';
import { matchesQuery } from './list/readAll.ts';
import type { ListQuery } from '../domain/jobs/listParams.ts';
import { isSame, pinnedParams, pinOf } from './list/pageWalk.ts';
import type { ListPage, PageSource } from './ports.ts';
import type { Clock } from './clock.ts';

/** What counting came to. */
export type CountResult =
  | { readonly type: 'exact'; readonly count: number; readonly atMs: number }
  /** The budget was used up, or the service refuses to look that far into its list. */
  | { readonly type: 'atLeast'; readonly count: number }
  /** The service answers with jobs that were not asked for, or pays no heed to `offset`. */
  | { readonly type: 'unreliable' };

export interface CountOptions {
  readonly clock: Clock;
  /** The most requests to send. */
  readonly budget?: number;
  readonly signal?: AbortSignal;
}

/** Enough for two thousand million jobs. */
const usualBudget = 64;
/** So many answers in a row that begin with the same item are no accident of a list that moves. */
const mostRepeats = 2;

/**
 * Counts the items of a list that has no total (contract 2.1), by asking for single items at doubling offsets until one is past
 * the end and then halving: at most 2·log2(n) + 4 requests for n items. Arrivals do not count: the list is bounded by the moment
 * of the first answer when the service tells its time.
 * @throws Failure as the source does; `cancelled` when the signal fires.
 */
export async function exactCount(
  source: PageSource,
  question: ListQuery,
  { clock, budget = usualBudget, signal }: CountOptions,
): Promise<CountResult> {
  const { endpoint } = question;
  let { params } = question;
  // The count is `low` at least and `high` at most.
  let low = 0;
  let high = Infinity;
  let last: ListEntry | undefined;
  let repeats = 0;
  for (let requests = 0; low < high; requests++) {
    if (requests === budget) return { type: 'atLeast', count: low };
    const offset = high === Infinity ? Math.max(0, 2 * low - 1) : Math.floor((low + high) / 2);
    let page: ListPage;
    try {
      page = await source.listJobs(endpoint, { ...params, offset, limit: 1 }, signal);
    } catch (error) {
      if (isFailure(error, 'rejected') && offset > 0) return { type: 'atLeast', count: low };
      throw error;
    }
    if (requests === 0) params = pinnedParams(params, pinOf(page));
    const [entry] = page.entries;
    if (entry === undefined) {
      high = offset;
      continue;
    }
    repeats = isSame(last, entry) ? repeats + 1 : 0;
    if (repeats === mostRepeats || !matchesQuery(entry, question)) return { type: 'unreliable' };
    last = entry;
    // A service may give more than the one item asked for.
    low = offset + page.entries.length;
    if (!page.hasMore) high = low;
  }
  return { type: 'exact', count: low, atMs: clock.now() };
}
