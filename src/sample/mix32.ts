/** Scatters an unsigned 32-bit integer; one to one, so that different numbers stay different. Undone by {@link unmix32}. */
export function mix32(value: number): number {
  let x = value ^ (value >>> 16);
  x = Math.imul(x, 0x7feb352d);
  x ^= x >>> 15;
  x = Math.imul(x, 0x846ca68b);
  return (x ^ (x >>> 16)) >>> 0;
}

/** The number that {@link mix32} scattered. The multipliers are the inverses, modulo 2³², of those above. */
export function unmix32(mixed: number): number {
  let x = mixed ^ (mixed >>> 16);
  x = Math.imul(x, 0x43021123);
  x ^= (x >>> 15) ^ (x >>> 30);
  x = Math.imul(x, 0x1d69e2a5);
  return (x ^ (x >>> 16)) >>> 0;
}

/**
 * An unsigned 32-bit number that depends on nothing but its arguments, so that one trait of one job is known
 * without making the job, or any job before it.
 */
export function draw(seed: number, index: number, trait: number): number {
  return mix32(mix32(mix32(seed) ^ index) ^ Math.imul(trait, 0x9e3779b9));
}

/** {@link draw} as a fraction: at least 0, below 1. */
export function fraction(seed: number, index: number, trait: number): number {
  return draw(seed, index, trait) / 2 ** 32;
}
