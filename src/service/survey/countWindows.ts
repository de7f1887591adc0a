import type { CountedWindow } from '../../domain/board/boardProtocol.ts';
import type { TimeRange } from '../../domain/board/boardView.ts';
import { isFailure } from '../../domain/failure.ts';
import type { ListParams, ListQuery } from '../../domain/jobs/listParams.ts';
import type { Clock } from '../clock.ts';
import { exactCount } from '../exactCount.ts';
import type { CountedReader } from './sampleLists.ts';

export interface WindowOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  /** The most requests that the source may have seen in the end. */
  readonly most: number;
  readonly onProgress: (windows: number) => void;
}

/** Shorter parts are not divided: bounds on the second, as services may have them, would matter. */
const shortestMs = 10 * 60_000;
/** Where none of this many parts can be counted, further ones cannot either. */
const hopelessParts = 8;
/** Requests of a count besides the bisection: the first page, the end, the middle, and older jobs. */
const fixedRequests = 8;
/** Requests that a count may send beyond its budget, to see whether the service obeys. */
const unbudgeted = 4;

/**
 * Counts jobs by time where their list has no order: the time is halved, and each time the half with the most jobs again, as long as the
 * requests last. Windows in which the service cannot be counted are left as they were; where it contradicts the dates asked for, nothing
 * is divided any more. What was counted before a cancel or a failure is kept.
 * @param span in which the jobs lie; the outermost windows have the bounds of the queries, and so none where those have none
 * @param total of all jobs, where that was counted
 */
export async function countWindows(
  source: CountedReader,
  queries: readonly ListQuery[],
  span: TimeRange,
  total: number | undefined,
  options: WindowOptions,
): Promise<readonly CountedWindow[]> {
  let parts: readonly Part[] = [{ fromMs: span.fromMs, toMs: span.toMs, count: total, isFirst: true, isLast: true }];
  const left = new Set(parts);
  const isBounded = queries.some(({ params }) => params.beforeDate !== undefined);
  try {
    for (;;) {
      const part = mostOf(left);
      if (part === undefined || source.requests + priceOf(part, queries.length) > options.most) break;
      left.delete(part);
      const halves = halve(part);
      const counted: Part[] = [];
      for (const half of halves) {
        const count = await countPart(source, queries, half, options);
        if (count === 'unreliable') return told(parts, isBounded);
        counted.push({ ...half, count });
      }
      // Of the whole more is known than of its halves.
      if (part.count !== undefined && counted.some(({ count }) => count === undefined)) continue;
      parts = parts.flatMap((each) => (each === part ? counted : [each]));
      for (const each of counted) if (each.toMs - each.fromMs >= 2 * shortestMs && each.count !== 0) left.add(each);
      options.onProgress(parts.length);
      if (parts.length >= hopelessParts && parts.every(({ count }) => count === undefined)) break;
    }
  } catch (error) {
    if (!isFailure(error)) throw error;
  }
  return told(parts, isBounded);
}

interface Part extends TimeRange {
  /** Undefined where the service could not be counted. */
  readonly count: number | undefined;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** The part with the most jobs; one that could not be counted may have any number. */
function mostOf(parts: Iterable<Part>): Part | undefined {
  const size = ({ count = Infinity }: Part): number => count;
  let most: Part | undefined;
  for (const part of parts) if (most === undefined || size(part) > size(most)) most = part;
  return most;
}

/** Requests that counting both halves takes, as far as is known. */
function priceOf({ count = 1_000_000 }: Part, lists: number): number {
  return 2 * lists * Math.ceil(fixedRequests + Math.log2(count / 2 + 2) * 1.25);
}

function halve(part: Part): readonly [Part, Part] {
  // Not at a full second, at which jobs may stand that neither half has, or both.
  const middleMs = Math.floor((part.fromMs + part.toMs) / 2000) * 1000 + 500;
  return [
    { ...part, toMs: middleMs, isLast: false, count: undefined },
    { ...part, fromMs: middleMs, isFirst: false, count: undefined },
  ];
}

/** @returns undefined where the service does not say how many */
async function countPart(
  source: CountedReader,
  queries: readonly ListQuery[],
  part: Part,
  { clock, signal, most }: WindowOptions,
): Promise<number | undefined | 'unreliable'> {
  let sum: number | undefined = 0;
  for (const { endpoint, params } of queries) {
    const found = await exactCount(
      source.source,
      { endpoint, params: { ...params, ...boundsOf(part) } },
      { clock, budget: most - source.requests - unbudgeted, ...(signal !== undefined && { signal }) },
    );
    if (found.type === 'unreliable') return 'unreliable';
    sum = found.type === 'exact' && sum !== undefined ? sum + found.count : undefined;
  }
  return sum;
}

function boundsOf({ fromMs, toMs, isFirst, isLast }: Part): ListParams {
  return {
    ...(!isFirst && { afterDate: new Date(fromMs).toISOString() }),
    ...(!isLast && { beforeDate: new Date(toMs).toISOString() }),
  };
}

/** Windows that tell more than the whole does. */
function told(parts: readonly Part[], isBounded: boolean): readonly CountedWindow[] {
  if (parts.length < 2 || parts.every(({ count }) => count === undefined)) return [];
  return parts.map(({ fromMs, toMs, isLast, count }) => ({
    fromMs,
    toMs: isLast && !isBounded ? undefined : toMs,
    count,
  }));
}
