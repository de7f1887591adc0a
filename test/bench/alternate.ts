/** Something that is measured: gives its own number, or nothing when the time it took is the number. */
export type Contender = () => Promise<number | void>;

/** Every run of each contender, in the order they came. */
export type Runs<N extends string> = Readonly<Record<N, readonly number[]>>;

export interface Alternation {
  readonly rounds: number;
  /** Rounds before those that count, in which code is compiled and connections are made. */
  readonly warmUps: number;
}

/**
 * Runs contenders in turn, another one first in each round, so that what befalls the machine befalls all alike.
 * @returns milliseconds, or what the contenders gave themselves.
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
