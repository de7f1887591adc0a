/** A number of jobs: counted, where both bounds equal it, or estimated from a sample. */
export interface Figure {
  readonly count: number;
  /** Bounds of the interval that holds the true number in 95 of 100 surveys. */
  readonly low: number;
  readonly high: number;
}

/** Jobs of one list that were read, out of how many there are. */
export interface Stratum {
  readonly read: number;
  readonly total: number;
}

/** Share of the intervals that may miss the true number. */
const usualMiss = 0.05;
/** Quantile of the normal distribution for that. */
const usualZ = 1.96;

/** Whether some list was not read as a whole. */
export function isSampled(strata: readonly Stratum[]): boolean {
  return strata.some(({ read, total }) => read < total);
}

/** A number that was counted. */
export function countedFigure(count: number): Figure {
  return { count, low: count, high: count };
}

/**
 * How many jobs of several lists have a property, from how many of the jobs read have it: Wilson intervals with corrections for
 * finite lists and continuity, joined as in Newcombe's method. A list that was read as a whole adds no uncertainty.
 * @param hits by list
 * @param picked for the largest of several numbers: how many are shown, out of how many. Those read too high, as it is by chance, too, that
 * they are the largest; the intervals of Benjamini and Yekutieli, which are wider, hold in 95 of 100 for just these
 */
export function estimateCount(
  strata: readonly Stratum[],
  hits: readonly number[],
  picked?: { readonly shown: number; readonly of: number },
): Figure {
  const z =
    picked === undefined || picked.shown >= picked.of ? usualZ : normalQuantile((usualMiss * picked.shown) / picked.of);
  let count = 0;
  let below = 0;
  let above = 0;
  let seen = 0;
  let most = 0;
  for (const [index, { read, total }] of strata.entries()) {
    const found = hits[index] ?? 0;
    seen += found;
    most += total - (read - found);
    if (read === 0) {
      // Nothing is known of this list: anything from none to all.
      above += total * total;
      continue;
    }
    const share = found / read;
    count += share * total;
    if (read >= total) continue;
    const { low, high } = wilsonInterval(found, read, total, z);
    below += (total * (share - low)) ** 2;
    above += (total * (high - share)) ** 2;
  }
  return {
    count: Math.round(count),
    // What was seen is certain.
    low: Math.max(seen, Math.floor(count - Math.sqrt(below))),
    high: Math.min(most, Math.ceil(count + Math.sqrt(above))),
  };
}

/**
 * The interval of a share, from `found` of `read` jobs that were drawn from `total`: Wilson's with correction for continuity, which holds
 * for rare values, too.
 */
function wilsonInterval(
  found: number,
  read: number,
  total: number,
  z: number,
): { readonly low: number; readonly high: number } {
  // Drawing without putting back tells as much as a larger sample from an endless list.
  const effective = (read * Math.max(1, total - 1)) / Math.max(1, total - read);
  const share = found / read;
  const above = (one: number): number => {
    const root = z * z + 2 - 1 / effective + 4 * one * (effective * (1 - one) - 1);
    return (2 * effective * one + z * z + 1 + z * Math.sqrt(Math.max(0, root))) / (2 * (effective + z * z));
  };
  return {
    low: found === 0 ? 0 : Math.max(0, 1 - above(1 - share)),
    high: found === read ? 1 : Math.min(1, above(share)),
  };
}

/**
 * The bounds, as ranks from 0 to `read`, between which a percentile of the list lies in 95 of 100 surveys.
 * @param share from 0 to 1
 */
export function percentileRanks(read: number, share: number): { readonly low: number; readonly high: number } {
  const half = usualZ * Math.sqrt(read * share * (1 - share));
  return {
    low: Math.max(0, Math.floor(read * share - half)),
    high: Math.min(read, Math.ceil(read * share + half) + 1),
  };
}

/** What a normal deviate exceeds in either direction with a small probability: formula 26.2.23 of Abramowitz and Stegun. */
function normalQuantile(probability: number): number {
  const t = Math.sqrt(-2 * Math.log(probability / 2));
  const above = 2.515517 + t * (0.802853 + t * 0.010328);
  return t - above / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
}
