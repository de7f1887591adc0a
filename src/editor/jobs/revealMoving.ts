const attempts = 3;

/**
 * Brings a row into sight that may move meanwhile. The editor asks for the rows on the way to it one after the other, and fails when it is no
 * longer where the way led: then it is looked for at its new place.
 * @param isListed whether there is such a row, wherever it is
 * @param reveal asks the editor, which goes by where the row is now
 * @throws what the editor threw, if it has not found a listed row after a few attempts
 */
export async function revealMoving(isListed: () => boolean, reveal: () => PromiseLike<void>): Promise<void> {
  for (let attempt = 1; isListed(); attempt++) {
    try {
      return await reveal();
    } catch (error) {
      if (attempt === attempts) throw error;
    }
  }
}
