import { JobPager, type ListQuery, type PagedList } from '../list/jobPager.ts';
import type { ListRecord } from './listState.ts';
import type { PageSource } from '../ports.ts';
import { rereadRequests, type ReadLimits } from '../list/readAhead.ts';
import { Failure } from '../../domain/failure.ts';
import { buildFilterParams, type JobFilter } from '../../domain/filter/jobFilter.ts';
import { isAskable, type ListKey } from '../../domain/jobs/listKey.ts';

const rereadTries = 3;

/** A list as it was read, and the question that was asked for it. */
export interface Reading {
  readonly question: ListQuery;
  readonly paged: PagedList;
}

/** The ways in which the store reads its lists. All throw Failure as the source does. */
export class ListReader {
  readonly #pager: JobPager;

  constructor(source: PageSource) {
    this.#pager = new JobPager(source);
  }

  /** Reads the first page. */
  async first(question: ListQuery, { page }: ReadLimits, signal: AbortSignal): Promise<Reading> {
    return { question, paged: await this.#pager.first(question, page, signal) };
  }

  /** Reads one more page. When the list moved, its loaded part is read again so that rows stay true. */
  async more({ paged, question }: ListRecord, limits: ReadLimits, signal: AbortSignal): Promise<Reading | undefined> {
    if (paged === undefined || question === undefined) return undefined;
    let list = await this.#pager.next(question, paged, limits.page, signal);
    for (let tries = 0; list.moved && tries < rereadTries && list.received <= rereadRequests * limits.most; tries++) {
      list = await this.#pager.again(question, list.received, limits, signal);
    }
    return { question, paged: list };
  }

  /**
   * Reads a list on until it ends, so many items have come or one of the signals fires; yields what there is after each page.
   * @param stop ends the reading, and what has come stays
   * @param signal ends it as the store does, for good
   */
  async *all(
    { paged, question }: ListRecord,
    limits: ReadLimits & { readonly items: number },
    stop: AbortSignal,
    signal: AbortSignal,
  ): AsyncGenerator<Reading, void, undefined> {
    if (paged === undefined || question === undefined || paged.received >= limits.items) return;
    for await (const list of this.#pager.rest(question, paged, limits.most, AbortSignal.any([stop, signal]))) {
      yield { question, paged: list };
      if (list.received >= limits.items || stop.aborted) return;
    }
  }

  /** Reads a list again as far as it is loaded, for what is asked now. */
  async again({ paged }: ListRecord, question: ListQuery, limits: ReadLimits, signal: AbortSignal): Promise<Reading> {
    const list = await this.#pager.again(question, paged?.received ?? 0, limits, signal);
    // A list that was there to its end still is when jobs have arrived, as long as a page holds them.
    const isLonger = paged?.hasMore === false && list.hasMore;
    return { question, paged: isLonger ? await this.#pager.next(question, list, limits.page, signal) : list };
  }

  /** Reads the top of a list again, for what was asked when it was loaded. */
  async head({ paged, question }: ListRecord, limits: ReadLimits, signal: AbortSignal): Promise<Reading | undefined> {
    if (paged === undefined || question === undefined) return undefined;
    return { question, paged: await this.#pager.head(question, paged, limits, signal) };
  }
}

/**
 * The question that a list asks now: endpoint, status and the user's filter (contract 4.5).
 * @param nowMs milliseconds since the epoch, from which days and spans of the filter are counted
 * @throws Failure for a list made of observations
 */
export function toListQuery(
  key: ListKey,
  filter: JobFilter,
  listSource: 'byKind' | 'combined',
  nowMs: number,
): ListQuery {
  if (!isAskable(key)) throw new Failure('notFound', { cause: 'jobs of this kind or status cannot be asked for' });
  const combined = listSource === 'combined';
  const statuses = key.status === undefined ? filter.statuses : [key.status];
  return {
    endpoint: combined ? 'combined' : key.kind,
    params: {
      ...buildFilterParams(filter, nowMs),
      ...(statuses.length === 0 ? {} : { statuses }),
      ...(combined ? { kinds: [key.kind] } : {}),
    },
  };
}
