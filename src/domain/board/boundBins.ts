import type { BoardData, TimeRange } from './boardView.ts';

/** The bounds of a number of jobs. */
export interface Bounds {
  readonly low: number;
  readonly high: number;
}

/**
 * Bounds of the numbers of jobs in consecutive bins, from the places at which sampled jobs stood: in a list sorted by creation, those
 * created before a time are at least as many as stood before the last sampled one of them, and at most as many as before the next.
 * @returns nothing where places are not known
 */
export function boundBins(
  { columns, strata, stratumOf, offsetOf }: BoardData,
  bins: readonly TimeRange[],
): readonly Bounds[] {
  if (offsetOf === undefined) return [];
  const edges = [...bins.map(({ fromMs }) => fromMs), bins.at(-1)?.toMs ?? 0];
  const sums = bins.map(() => ({ low: 0, high: 0 }));
  const places = Array.from(columns.created, (atMs, row) => ({ atMs, offset: offsetOf(row), stratum: stratumOf(row) }));
  for (const [stratum, { total }] of strata.entries()) {
    const own = places.filter((each) => each.stratum === stratum && !Number.isNaN(each.atMs));
    const isNewestFirst = (own[0]?.atMs ?? 0) > (own.at(-1)?.atMs ?? 0);
    const before = edges.map((edgeMs) => countBefore(own, edgeMs, total, isNewestFirst));
    for (const [index, sum] of sums.entries()) {
      const [start, end] = [before[index], before[index + 1]];
      if (start === undefined || end === undefined) continue;
      sum.low += Math.max(0, end.low - start.high);
      sum.high += Math.max(0, end.high - start.low);
    }
  }
  return sums;
}

/** How many jobs of a list were created before a time. */
function countBefore(
  sampled: readonly { readonly atMs: number; readonly offset: number }[],
  edgeMs: number,
  total: number,
  isNewestFirst: boolean,
): Bounds {
  let [low, high] = [0, total];
  for (const { atMs, offset } of sampled) {
    // From its end, a list with the newest first has the oldest first.
    const place = isNewestFirst ? total - 1 - offset : offset;
    if (atMs < edgeMs) low = Math.max(low, place + 1);
    else high = Math.min(high, place);
  }
  // Where the list moved meanwhile, one contradicts the other.
  return { low: Math.min(low, high), high: Math.max(low, high) };
}
