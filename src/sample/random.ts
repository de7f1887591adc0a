import { mix32 } from './mix32.ts';

/** A list that {@link Random.pick} can always pick from. */
export type NonEmpty<T> = readonly [T, ...T[]];

/** A repeatable stream of random choices: the same seed makes the same choices on every machine. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = mix32(seed);
  }

  /** At least 0, below 1. */
  next(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    return mix32(this.#state) / 2 ** 32;
  }

  /** A whole number between the two bounds, both included. */
  integer(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  /** True with the given probability. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: NonEmpty<T>): T {
    return list[this.integer(0, list.length - 1)] ?? list[0];
  }
}
