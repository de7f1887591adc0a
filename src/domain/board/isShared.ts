/** From this many jobs on, a value is shared by enough to say something of them, however many others there are. */
const amplySharing = 5;

/**
 * Whether enough jobs have a value for it to tell them apart from others. A value of one job, such as its name, tells nothing.
 * @param having how many jobs have the value
 * @param all how many jobs there are
 */
export function isShared(having: number, all: number): boolean {
  return having >= Math.max(2, Math.min(amplySharing, all / 10));
}
