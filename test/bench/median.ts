/** Returns the middle value, or the mean of the two middle values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle) - 1] ?? Number.NaN)) / 2;
}

/**
 * Returns the median of the ratios of each round. A temporary slowdown of the machine affects both runs of a round, so this varies less
 * than the ratio of two medians.
 * @param runs of one contender, and `reference` of another, in the same order of rounds.
 * @throws Error if their numbers of runs differ.
 */
export function medianRatio(runs: readonly number[], reference: readonly number[]): number {
  if (runs.length !== reference.length) throw new Error(`${runs.length} runs against ${reference.length}`);
  return median(runs.map((run, round) => run / reference[round]!));
}
