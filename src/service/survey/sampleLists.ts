import { isFailure } from '../../domain/failure.ts';
import type { Job } from '../../domain/jobs/job.ts';
import { isByCreation, observeOrder, precedes, unseenOrder, type ListOrder } from '../../domain/jobs/listOrder.ts';
import type { ListQuery } from '../../domain/jobs/listParams.ts';
import { delay, type Clock } from '../clock.ts';
import { exactCount } from '../exactCount.ts';
import { bulkLimit } from '../list/jobPager.ts';
import type { ListReader } from '../list/listReader.ts';
import { matchesQuery } from '../list/readAll.ts';

/** Requests of a whole survey, those for counting among them. */
export const mostSurveyRequests = 400;
/** In milliseconds: a service that asks for a longer pause ends the sample with what came. */
const longestPauseMs = 30_000;
const probesAtOnce = 4;
/** A list may move a little while it is probed: this share of probes may contradict its order. */
const mostDisorder = 0.02;

/** A reader that counts its requests, and notices when the service asks to slow down. */
export interface CountedReader {
  readonly source: ListReader;
  readonly requests: number;
  readonly isSlowed: boolean;
}

/** Jobs drawn from one list. */
export interface SampledList {
  /** In the list's order. */
  readonly jobs: readonly Job[];
  /** Of each job, how many stood before it in the list. */
  readonly offsets: readonly number[];
  /** How many jobs the list has. */
  readonly total: number;
  /** Whether that number was counted, and is not a lower bound. */
  readonly isExact: boolean;
}

export interface Sample {
  readonly lists: readonly SampledList[];
  /** False where the order of a list or its answers do not allow a sample. */
  readonly isUsable: boolean;
  /** Cancelled, or ended by the service, before all was probed. */
  readonly isCut: boolean;
  /** The lists turned out to be so short that reading them takes fewer requests. */
  readonly isShort: boolean;
}

export interface SampleOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: (jobs: number) => void;
}

/** A list with its length and the order that its first page shows. */
interface Measured {
  readonly query: ListQuery;
  readonly total: number;
  readonly isExact: boolean;
  readonly order: ListOrder;
  /** Sorted by creation, as far as seen, and its answers do not contradict each other. */
  readonly isOrdered: boolean;
  /** Requests that reading all of it takes. */
  readonly pages: number;
}

interface Drawn {
  readonly offset: number;
  readonly job: Job;
}

/**
 * Draws jobs from long lists: one from each of as many equal parts as the budget allows, at a random offset within, with `limit=1`. Only
 * from lists sorted by creation, as far as seen: then a part of the list is a part of time, and a job that arrives moves the others a
 * little and changes nothing else.
 * @throws Failure when not even the lengths can be found out
 */
export async function sampleLists(
  counted: CountedReader,
  queries: readonly ListQuery[],
  options: SampleOptions,
): Promise<Sample> {
  const { source } = counted;
  const measured: Measured[] = [];
  for (const query of queries) {
    const list = await measureList(source, query, options);
    measured.push(list);
  }
  const budget = Math.max(0, mostSurveyRequests - counted.requests - measured.length);
  const isShort =
    measured.every(({ isExact }) => isExact) && 2 * measured.reduce((sum, { pages }) => sum + pages, 0) <= budget;
  if (isShort || !measured.every(({ isOrdered }) => isOrdered)) {
    const lists = measured.map(({ total, isExact }) => ({ jobs: [], offsets: [], total, isExact }));
    return { lists, isUsable: false, isCut: false, isShort };
  }
  const totals = measured.reduce((sum, { total }) => sum + total, 0);
  const wanted = measured.flatMap(({ total }, list) => {
    const parts = Math.min(total, Math.floor((budget * total) / Math.max(1, totals)));
    return Array.from({ length: parts }, (_, part) => ({
      list,
      offset: Math.min(total - 1, Math.floor(((part + options.random()) * total) / parts)),
    }));
  });
  const drawn = measured.map((): Drawn[] => []);
  const isCut = await probe(source, measured, shuffled(wanted, options.random), drawn, options);
  const lists = measured.map(({ total, isExact }, list): SampledList => {
    const byId = new Map((drawn[list] ?? []).map((each) => [each.job.id, each]));
    const inOrder = [...byId.values()].toSorted((a, b) => a.offset - b.offset);
    return { jobs: inOrder.map(({ job }) => job), offsets: inOrder.map(({ offset }) => offset), total, isExact };
  });
  const isUsable = measured.every(({ order }, list) => isInOrder(order, drawn[list] ?? []));
  return { lists, isUsable: isUsable && lists.some(({ jobs }) => jobs.length > 0), isCut, isShort };
}

/** The length and the order of a list. */
async function measureList(source: ListReader, query: ListQuery, { clock, signal }: SampleOptions): Promise<Measured> {
  const { endpoint, params } = query;
  const { entries, hasMore } = await source.readPage(endpoint, { ...params, offset: 0, limit: bulkLimit }, signal);
  const order = observeOrder(unseenOrder, entries);
  if (entries.length === 0 && !hasMore) return { query, total: 0, isExact: true, order, isOrdered: true, pages: 1 };
  const count = await exactCount(source, query, { clock, ...(signal !== undefined && { signal }) });
  if (count.type === 'unreliable')
    return { query, total: entries.length, isExact: false, order, isOrdered: false, pages: Infinity };
  const isOrdered = isByCreation(order) || count.count <= entries.length;
  const pages = 1 + Math.ceil(count.count / Math.max(1, entries.length));
  return { query, total: count.count, isExact: count.type === 'exact', order, isOrdered, pages };
}

/** Asks for single jobs, several at once until the service asks to slow down. @returns whether it ended before the last */
async function probe(
  source: ListReader,
  measured: readonly Measured[],
  wanted: readonly { readonly list: number; readonly offset: number }[],
  drawn: readonly Drawn[][],
  { clock, signal, onProgress }: SampleOptions,
): Promise<boolean> {
  let atOnce = probesAtOnce;
  let next = 0;
  let found = 0;
  let ended = false;
  const ask = async ({ list, offset }: { readonly list: number; readonly offset: number }): Promise<void> => {
    const query = measured[list]?.query;
    if (query === undefined) return;
    const page = await source.readPage(query.endpoint, { ...query.params, offset, limit: 1 }, signal);
    if (page.slowDown === true) atOnce = 1;
    const [entry] = page.entries;
    if (entry?.type === 'job' && matchesQuery(entry, query)) {
      drawn[list]?.push({ offset, job: entry });
      onProgress(++found);
    }
  };
  const isHopeless = (): boolean => measured.some(({ order }, list) => !isInOrder(order, drawn[list] ?? []));
  while (next < wanted.length && !ended && !isHopeless()) {
    const batch = wanted.slice(next, next + atOnce);
    next += batch.length;
    const outcomes = await Promise.allSettled(batch.map(ask));
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') continue;
      const error: unknown = outcome.reason;
      if (!isFailure(error)) throw error;
      const pauseMs = isFailure(error, 'rateLimited') ? (error.facts.retryAtMs ?? 0) - clock.now() : Infinity;
      if (pauseMs > longestPauseMs || atOnce === 0) ended = true;
      else if (pauseMs > 0) await delay(clock, pauseMs, signal).catch(() => (ended = true));
      atOnce = 1;
    }
  }
  return ended;
}

/** Whether the probes stand in the order that the first page had. */
function isInOrder(order: ListOrder, drawn: readonly Drawn[]): boolean {
  const sorted = drawn.toSorted((a, b) => a.offset - b.offset);
  // A list of one page has no order to rely on.
  if (!isByCreation(order)) return true;
  const wrong = sorted.filter(({ job }, place) => {
    const before = sorted[place - 1]?.job;
    return before !== undefined && precedes(order, before, job) === false;
  });
  return wrong.length <= Math.max(1, sorted.length * mostDisorder);
}

function shuffled<T>(items: readonly T[], random: () => number): readonly T[] {
  const keyed = items.map((item) => ({ item, key: random() }));
  return keyed.toSorted((a, b) => a.key - b.key).map(({ item }) => item);
}
