/** How long the soak lasts and which random choices it makes; `npm run test:long` hands them on. */
export interface SoakSettings {
  readonly minutes: number;
  /** The same seed makes the same choices, as far as time allows. */
  readonly seed: number;
}

/** A window is looked at once a minute and at the end; with one look there is nothing to compare, so it must last longer than this. */
export const tooFewMinutes = 1;

/** From SOAK_MINUTES and SOAK_SEED; a quarter of an hour from a new seed by default. */
export function soakSettings(env: NodeJS.ProcessEnv): SoakSettings {
  const minutes = Number(env['SOAK_MINUTES'] ?? 15);
  const seed = Number(env['SOAK_SEED'] ?? Date.now() % 1_000_000);
  if (!(minutes > tooFewMinutes) || !Number.isSafeInteger(seed))
    throw new RangeError(`not more than a minute and a seed: ${minutes}, ${seed}`);
  return { minutes, seed };
}
