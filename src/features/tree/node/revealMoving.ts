import { isFailure } from '../../../base/failure.ts';
import { delay, type Clock } from '../../../base/clock.ts';

const attempts = 6;
/**
 * Initial pause. The editor updates a tree within 200 ms after a change, and does not find new rows before that. On a busy machine it takes
 * longer: each pause is twice as long as the previous one.
 */
const firstPauseMs = 250;

/**
 * Reveals a row that may move at the same time. The editor requests the parent rows one after the other, and fails if the row has moved or
 * does not exist yet; then it is revealed again at its new position.
 * @param isListed returns true while the row exists, at any position, and still has to be revealed
 * @param reveal requests the editor to reveal the row at its current position. Returns true if the row is now at its expected position: if
 *   a row on the path is missing, the editor logs an error and returns without failing
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
