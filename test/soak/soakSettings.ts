import { mkdirSync } from 'node:fs';

/** The soak test's duration and random seed; `npm run test:long` passes them on. */
export interface SoakSettings {
  readonly minutes: number;
  /** The same seed makes the same choices, as far as timing allows. */
  readonly seed: number;
  /**
   * Folder for heap snapshots of each window: at the start, once settled, at the last measurement and at the end; by default none are
   * stored.
   */
  readonly snapshots: string | undefined;
}

/** The soak test must last longer than this: between two measurements, something must happen. */
export const tooFewMinutes = 1;

/** Reads SOAK_MINUTES and SOAK_SEED; by default 15 minutes from a new seed. Creates the folder of SOAK_SNAPSHOTS. */
export function soakSettings(env: NodeJS.ProcessEnv): SoakSettings {
  const minutes = Number(env['SOAK_MINUTES'] ?? 15);
  const seed = Number(env['SOAK_SEED'] ?? Date.now() % 1_000_000);
  if (!(minutes > tooFewMinutes) || !Number.isSafeInteger(seed))
    throw new RangeError(`not more than a minute and a seed: ${minutes}, ${seed}`);
  const snapshots = env['SOAK_SNAPSHOTS'];
  if (snapshots !== undefined) mkdirSync(snapshots, { recursive: true });
  return { minutes, seed, snapshots };
}
