import { isFailure } from '../../../base/failure.ts';
import { delay, type Clock } from '../../../base/clock.ts';

const attempts = 6;
/**
 * The editor updates a tree within 200 ms after a change, and does not find new rows before that. On a busy machine it takes longer: each
 * pause is twice as long as the one before.
 */
const firstPauseMs = 250;

/**
 * Reveals a row that may move at the same time. The editor requests the parent rows one after the other, and fails if the row
 * has moved or is not there yet; then it is revealed again at its new position.
 * @param isListed whether the row exists, at any position, and is still to be revealed
 * @param reveal asks the editor to reveal the row at its current position, and tells whether the row is now where it was to be: when
 *   a row on the way is missing, the editor logs an error and returns as if nothing had happened
 * @throws the editor's error if it has not found a listed row after a few attempts; Failure `cancelled` when the signal fires
 */
export async function revealMoving(
  isListed: () => boolean,
  reveal: () => PromiseLike<boolean>,
  clock: Clock,
  signal?: AbortSignal,
): Promise<void> {
  for (let attempt = 1; isListed(); attempt++) {
    try {
      if ((await reveal()) || attempt === attempts) return;
    } catch (error) {
      if (attempt === attempts || isFailure(error, 'cancelled')) throw error;
    }
    await delay(clock, firstPauseMs * 2 ** (attempt - 1), signal);
  }
}
