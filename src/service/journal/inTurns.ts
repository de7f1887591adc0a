/** More open files at once than this a system may refuse. */
const filesAtOnce = 64;

/** What comes of work on each of many files, in their order; a bounded number at a time. Rejects with the first that does. */
export async function inTurns<T>(names: readonly string[], work: (name: string) => Promise<T>): Promise<readonly T[]> {
  const done: T[] = [];
  for (let at = 0; at < names.length; at += filesAtOnce) {
    done.push(...(await Promise.all(names.slice(at, at + filesAtOnce).map(work))));
  }
  return done;
}
