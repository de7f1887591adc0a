import { minuteMs } from '../../base/time.ts';

/** Number of hits out of a number of jobs. */
export interface Share {
  readonly hits: number;
  readonly of: number;
}

/** Change of a share at the beginning of a minute, in milliseconds since the epoch. */
export interface ShareChange {
  readonly atMs: number;
  /** True if the share is higher from then on, false if it was higher before. */
  readonly isRise: boolean;
  readonly before: Share;
  readonly after: Share;
  /** ln of the probability that chance explains it, and the upper bound for a finding. */
  readonly logP: number;
  readonly maxLogP: number;
}

/** Significance level: probability of any finding among jobs without structure. Half of it is for values, half for times. */
const level = 0.01;

/** Returns the upper bound of ln(P) for a finding among a number of tests: Bonferroni correction. */
export function maxLogPOf(tests: number): number {
  return Math.log(level / 2 / tests);
}

/** Fisher's exact test, for up to `max` jobs. */
export class FisherTest {
  /** Natural logarithms of the factorials. */
  readonly #logFactorials: number[] = [0];

  constructor(max: number) {
    for (let number = 1; number <= max; number++) {
      this.#logFactorials.push((this.#logFactorials[number - 1] ?? 0) + Math.log(number));
    }
  }

  /** Returns the upper tail of the hypergeometric distribution; 0 if others have as many hits. @param all includes the part */
  logTail({ hits, of }: Share, all: Share): number {
    if (hits * all.of <= all.hits * of) return 0;
    let [term, sum] = [1, 1];
    for (let more = hits; more < Math.min(of, all.hits) && term > sum * Number.EPSILON; more++) {
      term *= ((of - more) * (all.hits - more)) / ((more + 1) * (all.of - of - all.hits + more + 1));
      sum += term;
    }
    return (
      this.#logChoose(all.hits, hits) +
      this.#logChoose(all.of - all.hits, of - hits) -
      this.#logChoose(all.of, of) +
      Math.log(sum)
    );
  }

  #logChoose(n: number, k: number): number {
    const log = this.#logFactorials;
    return (log[n] ?? NaN) - (log[k] ?? NaN) - (log[n - k] ?? NaN);
  }
}

/** Options of {@link findShareChange}. */
interface ChangeOptions {
  readonly minHits: number;
  /** True to search only for a rise. */
  readonly onlyRise?: boolean;
  /** Number of shares whose changes are searched for. */
  readonly tries?: number;
}

/**
 * Finds the minute at which a share most likely changed, unless chance explains the change.
 * @param timesMs in ascending order. @param isHit for each of them
 */
export function findShareChange(
  timesMs: readonly number[],
  isHit: readonly boolean[],
  test: FisherTest,
  { minHits, onlyRise = false, tries = 1 }: ChangeOptions,
): ShareChange | undefined {
  const all: Share = { hits: isHit.filter(Boolean).length, of: timesMs.length };
  const minuteOf = (index: number): number => Math.floor((timesMs[index] ?? NaN) / minuteMs);
  let [tests, hits, bestGain] = [0, 0, 0];
  let best: { readonly before: Share; readonly lastMinute: number; readonly nextMinute: number } | undefined;
  for (const [of, hit] of isHit.entries()) {
    const [lastMinute, nextMinute] = [minuteOf(of - 1), minuteOf(of)];
    if (of > 0 && lastMinute !== nextMinute) {
      tests += 2 * tries;
      const before = { hits, of };
      const gain = onlyRise && hits * all.of >= all.hits * of ? 0 : likelihoodGain(before, all);
      if (gain > bestGain) [bestGain, best] = [gain, { before, lastMinute, nextMinute }];
    }
    if (hit) hits++;
  }
  if (best === undefined) return undefined;
  const { before, lastMinute, nextMinute } = best;
  const after = { hits: all.hits - before.hits, of: all.of - before.of };
  const isRise = after.hits * before.of > before.hits * after.of;
  const having = isRise ? after : before;
  const logP = test.logTail(having, all);
  const maxLogP = maxLogPOf(tests);
  if (having.hits < minHits || logP > maxLogP) return undefined;
  return { atMs: (isRise ? nextMinute : lastMinute + 1) * minuteMs, isRise, before, after, logP, maxLogP };
}

/** Returns the log-likelihood ratio of two shares over a single one, as a natural logarithm. */
function likelihoodGain({ hits, of }: Share, all: Share): number {
  return logLikelihood(hits, of) + logLikelihood(all.hits - hits, all.of - of) - logLikelihood(all.hits, all.of);
}

function logLikelihood(hits: number, of: number): number {
  const part = (some: number): number => (some === 0 ? 0 : some * Math.log(some / of));
  return part(hits) + part(of - hits);
}
