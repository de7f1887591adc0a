import { isFailure } from '../domain/failure.ts';
import { delay, type Clock } from './clock.ts';

const attempts = 4;
/** The editor takes in what has changed in a tree after 200 ms at the latest, and finds no row that is new until then. */
const pauseMs = 250;

/**
 * Brings a row into sight that may move meanwhile. The editor asks for the rows on the way to it one after the other, and fails when it is no
 * longer where the way led, or not yet: then it is looked for again, where it is by then.
 * @param isListed whether there is such a row, wherever it is
 * @param reveal asks the editor, which goes by where the row is now
 * @throws what the editor threw, if it has not found a listed row after a few attempts; Failure `cancelled` when the signal fires
 */
export async function revealMoving(
  isListed: () => boolean,
  reveal: () => PromiseLike<void>,
  clock: Clock,
  signal?: AbortSignal,
): Promise<void> {
  for (let attempt = 1; isListed(); attempt++) {
    try {
      return await reveal();
    } catch (error) {
      if (attempt === attempts || isFailure(error, 'cancelled')) throw error;
      await delay(clock, pauseMs, signal);
    }
  }
}
