/** Jobs of a stretch of time: how many there are, those of the group among them, and about when they were created. */
interface Bin {
  readonly of: number;
  readonly hits: number;
  readonly atMs: number;
}

/** A group that sets in within jobs in order of creation, with the place where a sudden onset is likeliest. */
export interface OnsetJobs {
  /** By place, milliseconds since the epoch. */
  readonly timeAt: (place: number) => number;
  /** How many of the group come before a place. */
  readonly hitsBefore: (place: number) => number;
  readonly start: number;
  readonly end: number;
}

const mostBins = 120;
/** Times that are tried on either side of the likeliest sudden onset, the closer to it the denser. */
const triedTimes = 30;
/** Beginnings this much less likely (natural logarithm) than the best one are still possible. */
const possibleRatio = 2.5;

/**
 * When a share began to rise that may have risen over time. Taken for sudden, such an onset is dated too late by half the rise.
 * @param all how many jobs there are, and those of the group among them
 * @returns milliseconds since the epoch
 */
export function findRise(jobs: OnsetJobs, all: Omit<Bin, 'atMs'>): { readonly fromMs: number; readonly toMs: number } {
  const { timeAt, hitsBefore, start, end } = jobs;
  // What came long before it says nothing of how fast it rose.
  const first = Math.max(0, start - 2 * (end - start));
  const bins = binsOf({ ...jobs, start: first });
  const elsewhere = { of: all.of - (end - first), hits: all.hits - (hitsBefore(end) - hitsBefore(first)) };
  const places = Array.from({ length: 2 * triedTimes + 1 }, (_, step) => {
    const part = (step - triedTimes) / triedTimes;
    const reach = part < 0 ? start - first : end - 1 - start;
    return start + Math.round(Math.sign(part) * part * part * reach);
  });
  const times = [...new Set(places)].map(timeAt);
  const rises = times.map((fromMs) => ({
    fromMs,
    likelihood: Math.max(
      ...times.filter((toMs) => toMs >= fromMs).map((toMs) => likelihoodOf(bins, elsewhere, fromMs, toMs)),
    ),
  }));
  const best = Math.max(...rises.map(({ likelihood }) => likelihood));
  const possible = rises.flatMap(({ likelihood }, step) => (best - likelihood <= possibleRatio ? [step] : []));
  // The true time lies between two that were tried.
  const timeOf = (step: number): number => times[Math.min(times.length - 1, Math.max(0, step))] ?? NaN;
  return { fromMs: timeOf(Math.min(...possible) - 1), toMs: timeOf(Math.max(...possible) + 1) };
}

function binsOf({ timeAt, hitsBefore, start, end }: OnsetJobs): readonly Bin[] {
  const count = Math.min(mostBins, end - start);
  const edge = (bin: number): number => start + Math.round((bin * (end - start)) / count);
  return Array.from({ length: count }, (_, bin) => {
    const [from, to] = [edge(bin), edge(bin + 1)];
    return { of: to - from, hits: hitsBefore(to) - hitsBefore(from), atMs: (timeAt(from) + timeAt(to - 1)) / 2 };
  });
}

/** The logarithm of the likelihood of a share that rises evenly between two times, from the usual one to the one that fits best. */
function likelihoodOf(bins: readonly Bin[], elsewhere: Omit<Bin, 'atMs'>, fromMs: number, toMs: number): number {
  const risen = (atMs: number): number => (atMs < fromMs ? 0 : atMs >= toMs ? 1 : (atMs - fromMs) / (toMs - fromMs));
  let { of: others, hits: otherHits } = elsewhere;
  let [weight, above, hitsAbove] = [0, 0, 0];
  for (const { of, hits, atMs } of bins) {
    const part = risen(atMs);
    weight += of * part;
    if (part === 0) [others, otherHits] = [others + of, otherHits + hits];
    else [above, hitsAbove] = [above + of, hitsAbove + hits];
  }
  const usual = others === 0 ? 0 : otherHits / others;
  const gain = weight === 0 ? 0 : Math.max(0, (hitsAbove - usual * above) / weight);
  let sum = logLikelihood(otherHits, others, usual);
  for (const { of, hits, atMs } of bins) {
    const part = risen(atMs);
    if (part > 0) sum += logLikelihood(hits, of, usual + gain * part);
  }
  return sum;
}

function logLikelihood(hits: number, of: number, share: number): number {
  const within = Math.min(1 - 1e-9, Math.max(1e-9, share));
  return hits * Math.log(within) + (of - hits) * Math.log(1 - within);
}
