import { setTimeout as delay } from 'node:timers/promises';

/** Default pause between two checks. */
const usualPauseMs = 50;
/** Timeout for any state: long enough for a busy machine, and reached only when a test fails. */
export const stateMs = 60_000;

/**
 * Polls until the result is something other than undefined, false or null, and returns it; for states without an event.
 * @param what names the state in the timeout error
 */
export async function until<T>(
  what: string,
  ask: () => Promise<T> | T,
  pauseMs = usualPauseMs,
  boundMs = stateMs,
): Promise<NonNullable<Exclude<T, false>>> {
  const deadline = performance.now() + boundMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== null && answer !== false) return answer as NonNullable<Exclude<T, false>>;
    if (performance.now() > deadline) throw new Error(`waited ${boundMs / 1000} seconds in vain: ${what}`);
    await delay(pauseMs);
  }
}

/** True if a state was reached in time, for actions that can be retried if not. */
export async function isReached(state: Promise<void>): Promise<boolean> {
  return state.then(
    () => true,
    () => false,
  );
}
