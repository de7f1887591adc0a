import type { JobPager, ListQuestion, PagedList, ReadLimits } from './jobPager.ts';
import type { ListRecord } from './listState.ts';

/** The most items that a request for many asks; services are seen to take 100. */
export const bulkLimit = 100;
/** A list that moved while it was read is read again if it is no longer than this many requests. */
export const rereadRequests = 10;
const rereadTries = 3;

/** A list as it was read, and the question that was asked for it. */
export interface Reading {
  readonly question: ListQuestion;
  readonly paged: PagedList;
}

/** Reads one more page. When the list moved, its loaded part is read again so that rows stay true. */
export async function readMore(
  pager: JobPager,
  { paged, question }: ListRecord,
  limits: ReadLimits,
  signal: AbortSignal,
): Promise<Reading | undefined> {
  if (paged === undefined || question === undefined) return undefined;
  let list = await pager.next(question, paged, limits.page, signal);
  for (let tries = 0; list.moved && tries < rereadTries && list.received <= rereadRequests * limits.most; tries++) {
    list = await pager.again(question, list.received, limits, signal);
  }
  return { question, paged: list };
}

/**
 * Reads a list on until it ends, `most` items have come or one of the signals fires; yields what there is after each page.
 * @param stop ends the reading, and what has come stays
 * @param signal ends it as the store does, for good
 */
export async function* readAll(
  pager: JobPager,
  { paged, question }: ListRecord,
  limits: ReadLimits & { readonly items: number },
  stop: AbortSignal,
  signal: AbortSignal,
): AsyncGenerator<Reading, void, undefined> {
  if (paged === undefined || question === undefined || paged.received >= limits.items) return;
  for await (const list of pager.rest(question, paged, limits.most, AbortSignal.any([stop, signal]))) {
    yield { question, paged: list };
    if (list.received >= limits.items || stop.aborted) return;
  }
}

/** Reads a list again as far as it is loaded, for what is asked now. */
export async function readAgain(
  pager: JobPager,
  { paged }: ListRecord,
  question: ListQuestion,
  limits: ReadLimits,
  signal: AbortSignal,
): Promise<Reading> {
  const list = await pager.again(question, paged?.received ?? 0, limits, signal);
  // A list that was there to its end still is when jobs have arrived, as long as a page holds them.
  const isLonger = paged?.hasMore === false && list.hasMore;
  return { question, paged: isLonger ? await pager.next(question, list, limits.page, signal) : list };
}

/** Reads the top of a list again, for what was asked when it was loaded. */
export async function readHead(
  pager: JobPager,
  { paged, question }: ListRecord,
  limits: ReadLimits,
  signal: AbortSignal,
): Promise<Reading | undefined> {
  if (paged === undefined || question === undefined) return undefined;
  return { question, paged: await pager.head(question, paged, limits, signal) };
}
