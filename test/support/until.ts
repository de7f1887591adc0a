import { setTimeout as delay } from 'node:timers/promises';

/** How long to wait before asking again, unless the caller cannot wait as long. */
const usualPauseMs = 50;
/** How long any state is waited for: long enough for a busy machine, and only spent when a test fails. */
export const stateMs = 240_000;

/**
 * Asks again and again until the answer is something other than undefined, false or null, and returns it; for states that
 * nothing announces.
 * @param what names the state in the error when it does not come
 */
export async function until<T>(
  what: string,
  ask: () => Promise<T> | T,
  pauseMs = usualPauseMs,
): Promise<NonNullable<Exclude<T, false>>> {
  const deadline = performance.now() + stateMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== null && answer !== false) return answer as NonNullable<Exclude<T, false>>;
    if (performance.now() > deadline) throw new Error(`waited ${stateMs / 1000} seconds in vain: ${what}`);
    await delay(pauseMs);
  }
}

/** Whether a state came within the bound of its wait: for what may be tried anew when it did not. */
export async function isReached(state: Promise<void>): Promise<boolean> {
  return state.then(
    () => true,
    () => false,
  );
}
