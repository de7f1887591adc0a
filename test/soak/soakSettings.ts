/** How long the soak lasts and which random choices it makes; `npm run test:long` hands them on. */
export interface SoakSettings {
  readonly minutes: number;
  /** The same seed makes the same choices, as far as time allows. */
  readonly seed: number;
}

/** From SOAK_MINUTES and SOAK_SEED; a quarter of an hour from a new seed by default. */
export function soakSettings(env: NodeJS.ProcessEnv): SoakSettings {
  const minutes = Number(env['SOAK_MINUTES'] ?? 15);
  const seed = Number(env['SOAK_SEED'] ?? Date.now() % 1_000_000);
  if (!(minutes > 0) || !Number.isSafeInteger(seed))
    throw new RangeError(`not minutes and a seed: ${minutes}, ${seed}`);
  return { minutes, seed };
}
