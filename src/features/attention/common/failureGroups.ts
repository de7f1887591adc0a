import { binaryEntropy } from '../../../base/binaryEntropy.ts';
import { metadataOf } from '../../../jobs/common/itemFacts.ts';
import { type Job, jobKey } from '../../../jobs/common/job.ts';
import { isPlainValue, writtenText } from '../../../base/json/json.ts';
import { processingMs, percentile } from '../../../jobs/common/processingMs.ts';

/** A metadata pair that distinguishes the failures of a group from all others. */
interface MetadataPair {
  readonly key: string;
  readonly value: string;
}

/** Failures with the same error code and, where one is characteristic, the same metadata value. */
export interface FailureGroup {
  /** Stable as long as the code and the pair are the same. */
  readonly id: string;
  /** Undefined when the service sent none (contract 7.1). */
  readonly code: number | undefined;
  readonly pair: MetadataPair | undefined;
  /** Latest failure first; never empty. */
  readonly jobs: readonly Job[];
  /** Share of all failures examined, from 0 to 1. */
  readonly share: number;
  /** Completion times of the first and last failure, or creation times if those are missing; milliseconds since the epoch. */
  readonly firstAtMs: number | undefined;
  readonly lastAtMs: number | undefined;
  /** Median time from creation to failure; undefined if the times are missing or inconsistent. */
  readonly medianMs: number | undefined;
}

/** Minimum size of a group split off by a metadata value: two similar failures are not a pattern. */
const minSplit = 3;
const maxPairLength = 200;

/** Completion time of a failed job, or its creation time if that is missing. */
export function failedAtMs({
  createdAtMs,
  completedAtMs,
}: Pick<Job, 'createdAtMs' | 'completedAtMs'>): number | undefined {
  return completedAtMs ?? createdAtMs;
}

/**
 * Groups failures by error code, and within a code by the most informative metadata value. Every job is in exactly one group; groups are
 * sorted by size, largest first.
 * @param handled failures that are no longer shown. They still count for the value that distinguishes a group, so that a group that fails
 *   again keeps its name
 */
export function groupFailures(failed: readonly Job[], handled?: readonly Job[]): readonly FailureGroup[] {
  return finish(groupInSteps(failed, handled));
}

/** As {@link groupFailures}, in steps that take a few milliseconds each: metadata may be large. */
export function* groupInSteps(
  failed: readonly Job[],
  handled: readonly Job[] = [],
): Generator<void, readonly FailureGroup[], void> {
  const jobs = unique(failed);
  const known = unique([...handled, ...jobs]);
  const now = yield* countPairs(jobs);
  const ever = known.length === jobs.length ? undefined : yield* countPairs(known);
  const knownByCode = byCode(known);
  const groups: FailureGroup[] = [];
  for (const [code, same] of byCode(jobs)) {
    let rest: readonly Job[] = same;
    const pairs = [yield* bestPair(same, jobs, now)];
    if (ever !== undefined) pairs.push(yield* bestPair(knownByCode.get(code) ?? [], known, ever));
    for (const pair of pairs) {
      if (pair === undefined) continue;
      const has = (job: Job): boolean => metadataPairs(job).get(pair.key) === pair.value;
      const having = rest.filter(has);
      if (having.length > 0) groups.push(groupOf(code, pair, having, jobs.length));
      rest = rest.filter((job) => !has(job));
    }
    if (rest.length > 0) groups.push(groupOf(code, undefined, rest, jobs.length));
  }
  return groups.toSorted((a, b) => b.jobs.length - a.jobs.length || (b.lastAtMs ?? 0) - (a.lastAtMs ?? 0));
}

/** Runs work in steps to its end, and returns its result. */
export function finish<T>(steps: Generator<void, T, void>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

function byCode(jobs: readonly Job[]): ReadonlyMap<number | undefined, readonly Job[]> {
  const found = new Map<number | undefined, Job[]>();
  for (const job of jobs) {
    const same = found.get(job.errorCode);
    if (same === undefined) found.set(job.errorCode, [job]);
    else same.push(job);
  }
  return found;
}

/** Removes duplicate jobs by key; keeps the last of each. */
function unique(jobs: readonly Job[]): readonly Job[] {
  return [...new Map(jobs.map((job) => [jobKey(job), job])).values()];
}

function groupOf(
  code: number | undefined,
  pair: MetadataPair | undefined,
  unsorted: readonly Job[],
  total: number,
): FailureGroup {
  const jobs = unsorted.toSorted((a, b) => (failedAtMs(b) ?? 0) - (failedAtMs(a) ?? 0));
  const times = jobs.flatMap((job) => failedAtMs(job) ?? []);
  const took = jobs.flatMap((job) => processingMs(job) ?? []);
  return {
    id: JSON.stringify([code ?? null, pair?.key ?? null, pair?.value ?? null]),
    code,
    pair,
    jobs,
    share: jobs.length / total,
    firstAtMs: times.at(-1),
    lastAtMs: times[0],
    medianMs: took.length === 0 ? undefined : percentile(took, 0.5),
  };
}

const pairsOfJobs = new WeakMap<Job, ReadonlyMap<string, string>>();

/** Returns the metadata of a job by key, as used for grouping. Cached per job. */
function metadataPairs(job: Job): ReadonlyMap<string, string> {
  const known = pairsOfJobs.get(job);
  if (known !== undefined) return known;
  const pairs = new Map(
    Object.entries(metadataOf(job)).flatMap(([key, value]) => {
      const text = isPlainValue(value) ? writtenText(value) : '';
      return text === '' || Math.max(key.length, text.length) > maxPairLength ? [] : [[key, text] as const];
    }),
  );
  pairsOfJobs.set(job, pairs);
  return pairs;
}

/** Number of jobs by key and value. */
type PairCounts = ReadonlyMap<string, ReadonlyMap<string, number>>;

function* countPairs(jobs: readonly Job[]): Generator<void, PairCounts, void> {
  const counts = new Map<string, Map<string, number>>();
  for (const job of jobs) {
    for (const [key, value] of metadataPairs(job)) {
      let values = counts.get(key);
      if (values === undefined) counts.set(key, (values = new Map<string, number>()));
      values.set(value, (values.get(value) ?? 0) + 1);
    }
    yield;
  }
  return counts;
}

/**
 * Returns the pair with the highest information gain, in bits, about membership in these failures. A pair that all failures share has no
 * gain, nor has one that is nearly unique to a job.
 * @param counts of all failures
 */
function* bestPair(
  same: readonly Job[],
  all: readonly Job[],
  counts: PairCounts,
): Generator<void, MetadataPair | undefined, void> {
  const others = all.length - same.length;
  let best: { readonly pair: MetadataPair; readonly score: number } | undefined;
  for (const [key, values] of yield* countPairs(same)) {
    for (const [value, inside] of values) {
      if (inside < minSplit || inside * 2 < same.length) continue;
      const outside = (counts.get(key)?.get(value) ?? inside) - inside;
      // Without other codes to compare with, prefer a value that only some of the failures have.
      const score =
        others === 0
          ? binaryEntropy(inside / same.length)
          : informationGain({ inside, outside, same: same.length, others });
      const isBetter = best === undefined || score > best.score || (score === best.score && key < best.pair.key);
      if (score > minGain && isBetter) best = { pair: { key, value }, score };
    }
    yield;
  }
  return best?.pair;
}

/** Lower gains are noise among a few hundred failures. */
const minGain = 0.05;

function informationGain(of: { inside: number; outside: number; same: number; others: number }): number {
  const total = of.same + of.others;
  const having = of.inside + of.outside;
  const lacking = total - having;
  const within = having === 0 ? 0 : (having / total) * binaryEntropy(of.inside / having);
  const without = lacking === 0 ? 0 : (lacking / total) * binaryEntropy((of.same - of.inside) / lacking);
  return binaryEntropy(of.same / total) - within - without;
}
