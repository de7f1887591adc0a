/** Code to measure. Resolves to a measured number, or to nothing if the elapsed time is the result. */
export type Contender = () => Promise<number | void>;

/** The runs of each contender, in order. */
export type Runs<N extends string> = Readonly<Record<N, readonly number[]>>;

export interface Alternation {
  readonly rounds: number;
  /** Rounds that run first and are not counted, to compile code and open connections. */
  readonly warmUps: number;
}

/**
 * Runs contenders alternately, starting with a different one each round, so that changes on the machine affect all of
 * them equally.
 * @returns milliseconds, or the numbers that the contenders returned.
 */
export async function alternate<N extends string>(
  contenders: Readonly<Record<N, Contender>>,
  { rounds, warmUps }: Alternation,
): Promise<Runs<N>> {
  const names = Object.keys(contenders) as N[];
  const runs = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<N, number[]>;
  for (let round = -warmUps; round < rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(turn + round + warmUps) % names.length]!;
      const startMs = performance.now();
      const own = await contenders[name]();
      if (round >= 0) runs[name].push(own ?? performance.now() - startMs);
    }
  }
  return runs;
}
