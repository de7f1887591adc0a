import { attempt, list, number, optional, text, Undecodable, type Decoder } from '../../../base/decode/decoder.ts';
import { binaryEntropy } from '../../../base/binaryEntropy.ts';
import { metadataOf } from '../../../jobs/common/itemFacts.ts';
import { type Job, jobKey } from '../../../jobs/common/job.ts';
import { isPlainValue, writtenText } from '../../../base/json/json.ts';
import { FisherTest, findShareChange, maxLogPOf, type Share } from '../../../jobs/common/shareChange.ts';

/** A metadata pair that distinguishes the failures of a group from all others. */
interface MetadataPair {
  readonly key: string;
  readonly value: string;
}

/** Error code and metadata value of a group. */
export interface GroupName {
  readonly code: number | undefined;
  readonly pair: MetadataPair | undefined;
}

/** Minute since which failures are in a group more often than before. Counts all failures with a known time, also handled ones. */
interface Rise {
  readonly sinceMs: number;
  /** Time of the first failure, from which those before are counted. */
  readonly fromMs: number;
  readonly since: Share;
  readonly before: Share;
}

/** Failures with the same error code and, where one is characteristic, the same metadata value. */
export interface FailureGroup {
  /** Stable as long as the code and the pair are the same. */
  readonly id: string;
  /** Undefined when the service sent none (contract 7.1). */
  readonly code: number | undefined;
  readonly pair: MetadataPair | undefined;
  /** Values of other groups with the same code, which these failures do not have. */
  readonly without: readonly MetadataPair[];
  /** Latest failure first; never empty. */
  readonly jobs: readonly Job[];
  /** Undefined if the failures are not more frequent than chance explains. */
  readonly rise: Rise | undefined;
  /** Known times of all its failures, also of handled ones, in any order. */
  readonly knownMs: readonly number[];
  /** Share of all failures examined, from 0 to 1. */
  readonly share: number;
  /** Completion times of the first and last failure, or creation times if those are missing; milliseconds since the epoch. */
  readonly firstAtMs: number | undefined;
  readonly lastAtMs: number | undefined;
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

/** Counts the jobs that failed at or after a time. */
export function countSince(failed: readonly Job[], sinceMs: number): number {
  return failed.filter((job) => (failedAtMs(job) ?? -Infinity) >= sinceMs).length;
}

/**
 * Groups failures by error code, and within a code by the most informative metadata value. Every job is in exactly one group. Sorts groups by
 * novelty: first those that have become more frequent, the latest first; then those that did not occur in the earlier half of the failures;
 * then the others by code. The first failure of a group would not do: where not all failures are read, it changes with every reading.
 * @param handled failures that are no longer shown. They still count for the value that distinguishes a group, so that a group that fails
 *   again keeps its name
 * @param kept names of groups that stay, whatever else their failures share
 */
export function groupFailures(
  failed: readonly Job[],
  handled?: readonly Job[],
  kept?: readonly GroupName[],
): readonly FailureGroup[] {
  return finish(groupInSteps(failed, handled, kept));
}

/** As {@link groupFailures}, in steps that take a few milliseconds each: metadata may be large. */
export function* groupInSteps(
  failed: readonly Job[],
  handled: readonly Job[] = [],
  kept: readonly GroupName[] = [],
): Generator<void, readonly FailureGroup[], void> {
  const jobs = unique(failed);
  const known = unique([...handled, ...jobs]);
  const now = yield* countPairs(jobs);
  const ever = known.length === jobs.length ? now : yield* countPairs(known);
  const knownByCode = byCode(known);
  const timeline = new FailureTimeline(known);
  const groups: FailureGroup[] = [];
  for (const [code, same] of byCode(jobs)) {
    const knownSame = knownByCode.get(code) ?? [];
    const pairs = [
      ...kept.flatMap((name) => (name.code === code && name.pair !== undefined ? [name.pair] : [])),
      yield* timeline.risingPair(code),
      yield* bestPair(same, jobs, now),
      ...(ever === now ? [] : [yield* bestPair(knownSame, known, ever)]),
    ].filter((pair) => pair !== undefined);
    let rest: readonly Job[] = same;
    let restKnown: readonly Job[] = knownSame;
    const split: MetadataPair[] = [];
    for (const pair of pairs) {
      const [having, lacking] = splitBy(rest, pair);
      const [knownHaving, knownLacking] = splitBy(restKnown, pair);
      if (having.length > 0)
        groups.push(groupOf({ code, pair, without: [] }, having, jobs.length, knownHaving, timeline));
      if (having.length > 0) split.push(pair);
      [rest, restKnown] = [lacking, knownLacking];
      yield;
    }
    if (rest.length > 0)
      groups.push(groupOf({ code, pair: undefined, without: split }, rest, jobs.length, restKnown, timeline));
    yield;
  }
  const riseOf = ({ rise }: FailureGroup): number => rise?.sinceMs ?? 0;
  const newSinceMsOf = ({ knownMs }: FailureGroup): number => {
    const beganMs = knownMs.reduce((first, atMs) => Math.min(first, atMs), Infinity);
    return beganMs >= timeline.middleMs && beganMs < Infinity ? beganMs : 0;
  };
  const codeOf = ({ code = Infinity }: FailureGroup): number => code;
  return groups.toSorted(
    (a, b) =>
      riseOf(b) - riseOf(a) || newSinceMsOf(b) - newSinceMsOf(a) || codeOf(a) - codeOf(b) || (a.id < b.id ? -1 : 1),
  );
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
  name: Pick<FailureGroup, 'code' | 'pair' | 'without'>,
  unsorted: readonly Job[],
  total: number,
  known: readonly Job[],
  timeline: FailureTimeline,
): FailureGroup {
  const jobs = unsorted.toSorted((a, b) => (failedAtMs(b) ?? 0) - (failedAtMs(a) ?? 0));
  const times = jobs.flatMap((job) => failedAtMs(job) ?? []);
  return {
    ...name,
    id: groupId(name),
    jobs,
    rise: timeline.riseOf(new Set(known)),
    knownMs: known.flatMap((job) => failedAtMs(job) ?? []),
    share: jobs.length / total,
    firstAtMs: times.at(-1),
    lastAtMs: times[0],
  };
}

/** Returns the ID of a group, the same as long as code and value are the same. */
export function groupId({ code, pair }: GroupName): string {
  return JSON.stringify([code ?? null, pair?.key ?? null, pair?.value ?? null]);
}

/** Reads the ID of a group; undefined if it is none. */
export function parseGroupId(id: string): GroupName | undefined {
  let parts: unknown;
  try {
    parts = JSON.parse(id);
  } catch {
    return undefined;
  }
  const read = attempt(idParts, parts);
  if (read instanceof Undecodable) return undefined;
  const [code, key, value] = read;
  return { code, pair: key === undefined || value === undefined ? undefined : { key, value } };
}

const idParts: Decoder<readonly [number | undefined, string | undefined, string | undefined]> = (given, path) => {
  const [code, key, value] = list((each: unknown) => each)(given, path);
  return [optional(number)(code), optional(text)(key), optional(text)(value)];
};

/** Returns the jobs with a metadata value, and those without it. */
function splitBy(jobs: readonly Job[], { key, value }: MetadataPair): readonly [readonly Job[], readonly Job[]] {
  const has = (job: Job): boolean => metadataPairs(job).get(key) === value;
  return [jobs.filter(has), jobs.filter((job) => !has(job))];
}

/** Number of latest failures among which a rising value is searched for, and of the most frequent values that are tested. */
const maxLatest = 100;
const maxCandidates = 200;

/** All failures with a known time, in the order of their times. */
class FailureTimeline {
  readonly #jobs: readonly Job[];
  readonly #timesMs: readonly number[];
  readonly #test: FisherTest;

  constructor(known: readonly Job[]) {
    this.#jobs = known
      .filter((job) => failedAtMs(job) !== undefined)
      .toSorted((a, b) => (failedAtMs(a) ?? 0) - (failedAtMs(b) ?? 0));
    this.#timesMs = this.#jobs.map((job) => failedAtMs(job) ?? 0);
    this.#test = new FisherTest(known.length);
  }

  /** Time of the first failure of the later half; Infinity without failures. */
  get middleMs(): number {
    return this.#timesMs[Math.floor(this.#timesMs.length / 2)] ?? Infinity;
  }

  /** Returns the rise of a group among all failures. */
  riseOf(group: ReadonlySet<Job>, tries = 1): Rise | undefined {
    const isHit = this.#jobs.map((job) => group.has(job));
    const change = findShareChange(this.#timesMs, isHit, this.#test, { minHits: minSplit, onlyRise: true, tries });
    return (
      change && { sinceMs: change.atMs, fromMs: this.#timesMs[0] ?? 0, since: change.after, before: change.before }
    );
  }

  /**
   * Finds the value whose failures with a code have become more frequent, and which other failures have less often. It is found within the
   * first failures of an incident, when older failures with the same code are still the majority.
   */
  *risingPair(code: number | undefined): Generator<void, MetadataPair | undefined, void> {
    const candidates = pairsIn(yield* countPairs(this.#jobs.slice(-maxLatest).filter((job) => job.errorCode === code)));
    let best: { readonly pair: MetadataPair; readonly logP: number } | undefined;
    for (const { pair } of candidates) {
      yield;
      const [having] = splitBy(this.#jobs, pair);
      const group = new Set(having.filter((job) => job.errorCode === code));
      const rise = this.riseOf(group, candidates.length);
      if (rise === undefined) continue;
      // Compares the failures with this code since then with all others: a value that all have says nothing.
      const since = this.#jobs.filter((job) => job.errorCode === code && (failedAtMs(job) ?? 0) >= rise.sinceMs);
      const all = { hits: since.length, of: this.#jobs.length };
      const logP = this.#test.logTail({ hits: splitBy(since, pair)[0].length, of: having.length }, all);
      const isBetter = best === undefined || logP < best.logP || (logP === best.logP && pair.key < best.pair.key);
      if (logP <= maxLogPOf(candidates.length) && isBetter) best = { pair, logP };
    }
    return best?.pair;
  }
}

/** Returns the most frequent values that may be those of a group. */
function pairsIn(counts: PairCounts): readonly { readonly pair: MetadataPair; readonly count: number }[] {
  return [...counts]
    .flatMap(([key, values]) => [...values].map(([value, count]) => ({ pair: { key, value }, count })))
    .filter(({ count }) => count >= minSplit)
    .toSorted((a, b) => b.count - a.count)
    .slice(0, maxCandidates);
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
