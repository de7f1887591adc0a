/** A non-empty list, for {@link Random.pick}. */
export type NonEmpty<T> = readonly [T, ...T[]];

/** Deterministic random choices: the same seed gives the same choices on every machine. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = hash32(seed);
  }

  /** Returns a number of at least 0, below 1. */
  next(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    return hash32(this.#state) / 2 ** 32;
  }

  /** Returns a whole number between the two bounds, both included. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  /** True with the given probability. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: NonEmpty<T>): T {
    return list[this.integer(0, list.length - 1)] ?? list[0];
  }
}

/** Scatters an unsigned 32-bit integer; one to one, so that different numbers stay different. */
export function hash32(value: number): number {
  let x = value ^ (value >>> 16);
  x = Math.imul(x, 0x7feb352d);
  x ^= x >>> 15;
  x = Math.imul(x, 0x846ca68b);
  return (x ^ (x >>> 16)) >>> 0;
}

/**
 * Returns an unsigned 32-bit number that depends only on its arguments, so that one property of a job is known without generating the job
 * or any before it.
 */
export function draw(seed: number, index: number, randomStream: number): number {
  return hash32(hash32(hash32(seed) ^ index) ^ Math.imul(randomStream, 0x9e3779b9));
}

/** Returns {@link draw} as a fraction: at least 0, below 1. */
export function drawFraction(seed: number, index: number, randomStream: number): number {
  return draw(seed, index, randomStream) / 2 ** 32;
}

/** Independent streams of `draw`. Numbers must be distinct, or two streams would give equal values. */
export const randomStreams = {
  age: 1,
  kind: 2,
  outcome: 3,
  metadata: 4,
  waitMs: 5,
  runMs: 6,
  idSalt: 7,
  idVariant: 8,
  idTail: [9, 10, 11],
  requestId: 12,
  fields: 13,
  unfinished: 14,
  arrival: 15,
  result: 16,
} as const;
