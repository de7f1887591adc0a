const attempts = 4;
/** The editor takes in what has changed in a tree after 200 ms at the latest, and finds no row that is new until then. */
const pauseMs = 250;

/**
 * Brings a row into sight that may move meanwhile. The editor asks for the rows on the way to it one after the other, and fails when it is no
 * longer where the way led, or not yet: then it is looked for again, where it is by then.
 * @param isListed whether there is such a row, wherever it is
 * @param reveal asks the editor, which goes by where the row is now
 * @param pause waits that many milliseconds
 * @throws what the editor threw, if it has not found a listed row after a few attempts
 */
export async function revealMoving(
  isListed: () => boolean,
  reveal: () => PromiseLike<void>,
  pause: (ms: number) => Promise<void> = timePasses,
): Promise<void> {
  for (let attempt = 1; isListed(); attempt++) {
    try {
      return await reveal();
    } catch (error) {
      if (attempt === attempts) throw error;
      await pause(pauseMs);
    }
  }
}

/** Resolves after that many milliseconds. */
export function timePasses(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
